"""How far the order of a table's columns moves CART-ELC's figures: what the paper leaves open is decided by it.

Which of equally good planes is kept, and which sign a normal has, follow the order of the features; that order is an
accident of the file. The paper's grid is run here with the last feature first (the reading of the tables), with the
first one first, and in two random orders, and each published figure judged in each. Three minutes on two processors.

    CART_ELC_DATA=<folder> python benchmarks/column_order.py
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from cart_elc.datasets import DatasetUnavailableError, load
from cart_elc.experiments.report.formats import VERDICTS, figure_text
from cart_elc.experiments.report.verdicts import Judged, judged_cells
from cart_elc.experiments.results import Results
from cart_elc.experiments.specification import N_TRIALS, PAPER_SETS, TUNING
from cart_elc.experiments.tasks import Growth, Material, Record

# The columns are handed over so that the paper's reading, which reverses them, sees the order.
ORDERS: dict[str, Callable[[int], NDArray[np.int64]]] = {
    "last first, as in the tables": np.arange,
    "first first": lambda n: np.arange(n)[::-1],
    "random, seed 1": lambda n: np.random.default_rng(1).permutation(n),
    "random, seed 2": lambda n: np.random.default_rng(2).permutation(n),
}
Place = tuple[str, str, str]


def permuted(material: Material, order: str) -> Material:
    """Return the data with its columns in another order."""
    columns = ORDERS[order](material.X.shape[1])
    return replace(material, X=np.ascontiguousarray(material.X[:, columns]))


def at_hand() -> dict[str, Material]:
    """Return the paper's data sets that can be had."""
    found = {}
    for name in PAPER_SETS:
        try:
            found[name] = Material.of(load(name))
        except DatasetUnavailableError:
            continue
    return found


def judged(materials: dict[str, Material]) -> dict[Place, Judged]:
    """Return the published figures of CART-ELC with our verdicts."""
    growths = TUNING.growths(list(materials), N_TRIALS)
    found: list[list[Record]] = Parallel(n_jobs=-1)(delayed(Growth.run)(g, materials[g.dataset]) for g in growths)
    results = Results([record for records in found for record in records])
    return {(cell.table, cell.quantity, cell.where): cell for cell in judged_cells(results, list(materials))}


def main() -> None:
    """Print the counts for each order, and the figures whose verdict hangs on it."""
    materials = at_hand()
    by_order = {o: judged({n: permuted(m, o) for n, m in materials.items()}) for o in ORDERS}
    print(f"| features | {' | '.join(VERDICTS)} |\n|---|" + "---|" * len(VERDICTS))
    for order, cells in by_order.items():
        counts = Counter(cell.verdict for cell in cells.values())
        print(f"| {order} | " + " | ".join(str(counts[verdict]) for verdict in VERDICTS) + " |")
    together: dict[Place, list[Judged]] = defaultdict(list)
    for cells in by_order.values():
        for place, cell in cells.items():
            together[place].append(cell)
    moving = {place: cells for place, cells in together.items() if len({cell.outcome for cell in cells}) > 1}
    never = [place for place, cells in together.items() if all(cell.outcome == "not reached" for cell in cells)]
    print(
        f"\nOf {len(together)} published figures of CART-ELC, {len(moving)} change their verdict with the order, and "
        f"{len(never)} are not reached in any of the {len(ORDERS)} orders. Those that change:\n"
    )
    for (table, quantity, where), cells in moving.items():
        means = sorted(cell.ours.mean for cell in cells)
        within = sum(cell.outcome == "reproduced" for cell in cells)
        print(
            f"- {table}, {quantity}: {where}: {means[0]:.1f} to {means[-1]:.1f}, published "
            f"{figure_text(cells[0].published)}; reproduced in {within} of {len(ORDERS)} orders."
        )


if __name__ == "__main__":
    main()
