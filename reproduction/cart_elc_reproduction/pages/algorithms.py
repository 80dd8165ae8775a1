"""docs/algorithms.md: the rivals beside the published figures, from the records of a run, and their speed."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

from cart_elc.datasets import CATALOGUE
from cart_elc_reproduction.pages.blocks import filled, kept
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS, PUBLISHED, VARIANTS
from cart_elc_reproduction.protocol.specification import N_TRIALS
from cart_elc_reproduction.report.formats import mean_std_text, signed
from cart_elc_reproduction.report.paper_tables import papers_choice
from cart_elc_reproduction.results.gathering import MeanStd, Results
from cart_elc_reproduction.results.published import cell_of
from cart_elc_reproduction.run.records import read_records

DATASETS = ("cancer", "iris", "housing", "diabetes")
BLOCKS = ("comparison", "by depth", "rivals")


def write_page(run: Path, docs: Path, script: Path) -> None:
    """Fill the page from the records of a run that has table2; the script measures the rivals' speed."""
    results = Results(read_records(run / "records.jsonl")[0])
    speed = kept("rivals", run, partial(output_of, script), (script,))
    texts = dict(zip(BLOCKS, (comparison(results), by_depth(results), speed), strict=True))
    page = docs / "algorithms.md"
    page.write_text(filled(page.read_text(encoding="utf-8"), texts), encoding="utf-8")


def output_of(script: Path) -> str:
    """Return what a script prints."""
    return subprocess.run([sys.executable, script], stdout=subprocess.PIPE, text=True, check=True).stdout


def rivals() -> list[str]:
    """Return the published rivals, each with its variant after it."""
    return [name for row in PUBLISHED[1:] for name in (row, *(v for v, base in VARIANTS.items() if base == row))]


def comparison(results: Results) -> str:
    """Return the rivals beside the published figures; bold where the means are more than two deviations apart."""
    lines = [
        "| system | data | accuracy, % | published | apart | leaves | published |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [comparison_line(results, name, dataset) for name in rivals() for dataset in DATASETS]
    return "\n".join(lines)


def comparison_line(results: Results, name: str, dataset: str) -> str:
    """Return one rival on one data set.

    Raises
    ------
    ValueError
        If the run has fewer trials than the paper.
    """
    result = papers_choice(results, dataset, name)
    if result is None or result.n_trials < N_TRIALS:
        raise ValueError(f"the run lacks {name} on {dataset}: {N_TRIALS} trials are needed")
    row = str(ALGORITHMS[VARIANTS.get(name, name)].published)
    accuracy, leaves = (cell_of("table2", row, dataset, quantity) for quantity in ("accuracy", "leaves"))
    cells = (
        ALGORITHMS[name].title + ("" if result.point.max_depth is None else f", depth {result.point.max_depth}"),
        CATALOGUE[dataset].title.lower(),
        mean_std_text(result.accuracy),
        mean_std_text(accuracy),
        apart(result.accuracy, accuracy),
        mean_std_text(result.size),
        mean_std_text(leaves),
    )
    return f"| {' | '.join(cells)} |"


def apart(ours: MeanStd, published: MeanStd | None) -> str:
    """Return the distance of the means in published standard deviations."""
    assert published is not None
    distance = (ours.mean - published.mean) / published.std
    return f"**{signed(distance)}**" if abs(distance) > 2 else signed(distance)


def by_depth(results: Results) -> str:
    """Return HHCART at each depth."""
    depths = [depth for depth in ALGORITHMS["hhcart-d"].depths if depth is not None]
    lines = ["| system | data | " + " | ".join(f"depth {depth}" for depth in depths) + " |"]
    lines.append("|---|---" + "|---" * len(depths) + "|")
    for name in ("hhcart-a", "hhcart-d"):
        for dataset in DATASETS:
            found = {p.max_depth: result for p, result in results.grid(dataset, name, "twoing").items()}
            cells = (f"{found[depth].accuracy.mean:.1f}, {found[depth].size.mean:.1f}" for depth in depths)
            lines.append(f"| {ALGORITHMS[name].title} | {CATALOGUE[dataset].title.lower()} | {' | '.join(cells)} |")
    return "\n".join(lines)
