"""The numbers that the paper and its author published, as data."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

from cart_elc_reproduction.results.gathering import MeanStd
from cart_elc_reproduction.results.selection import GridPoint

PUBLISHED_TRIALS = 10


def read_table(name: str) -> list[dict[str, str]]:
    """Read one of the published tables."""
    text = (files("cart_elc_reproduction") / "published" / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@cache
def cells() -> dict[tuple[str, str, str, str, str], MeanStd]:
    """Tables 2 and 5: mean and deviation by (table, algorithm, criterion, data set, "accuracy" or "leaves")."""
    names = ("table", "algorithm", "criterion", "dataset", "quantity")
    return {
        (row[names[0]], row[names[1]], row[names[2]], row[names[3]], row[names[4]]): MeanStd(
            float(row["mean"]), float(row["std"])
        )
        for row in read_table("accuracy_and_size")
    }


def cell_of(table: str, algorithm: str, dataset: str, quantity: str, criterion: str | None = None) -> MeanStd | None:
    """Return a cell of Table 2 or 5; without a criterion, the row's own."""
    for key, cell in cells().items():
        if key[:2] == (table, algorithm) and key[3:] == (dataset, quantity) and criterion in (None, key[2]):
            return cell
    return None


@cache
def grid() -> dict[GridPoint, tuple[MeanStd, MeanStd]]:
    """The tuning figures: accuracy and leaves of CART-ELC by grid point."""
    return {
        GridPoint(row["dataset"], "cart-elc", row["criterion"], int(row["r"]), int(row["max_depth"])): (
            MeanStd(float(row["accuracy_mean"]), float(row["accuracy_std"])),
            MeanStd(float(row["leaves_mean"]), float(row["leaves_std"])),
        )
        for row in read_table("grid")
    }


@cache
def statistics() -> dict[tuple[str, str, str], float]:
    """Tables 3 and 4 by ("welch_p" or "cohens_d", algorithm, data set)."""
    return {
        (row["quantity"], row["algorithm"], row["dataset"]): float(row["value"]) for row in read_table("statistics")
    }


@cache
def operations() -> dict[tuple[int, int], float]:
    """Table 1 by (r, n)."""
    return {(int(row["r"]), int(row["n"])): float(row["operations"]) for row in read_table("operations")}
