"""How far the figures move with what the paper leaves open or to chance: parts of the protocol, run with variations.

Which of equally good planes is kept, and which sign a normal has, follow the order of the features, an accident of the
file; random methods follow the seeds of folds and method. A variation changes one of these, and is data.

    python -m cart_elc_reproduction sensitivity column_order --data-dir DATA     # three minutes on two processors
    python -m cart_elc_reproduction sensitivity seed_spread --data-dir DATA
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from joblib import Parallel, delayed

from cart_elc.datasets import DatasetUnavailableError, load
from cart_elc.tree import IntArray
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS
from cart_elc_reproduction.protocol.specification import MAIN_CRITERION, N_TRIALS, PAPER_R, PAPER_SETS, TUNING, Study
from cart_elc_reproduction.protocol.tasks import FIRST_SEED, FitTask, Record, TaskData
from cart_elc_reproduction.report.formats import VERDICTS, mean_std_text
from cart_elc_reproduction.report.verdicts import Judged, judged_cells
from cart_elc_reproduction.results.gathering import Results
from cart_elc_reproduction.results.published import cell_of

Place = tuple[str, str, str]


@dataclass(frozen=True)
class Variation:
    """One way to run a study.

    Attributes
    ----------
    name : str
        In tables.
    columns : callable
        The order of the features, given their number. CART-ELC in the paper's reading reverses what it is given.
    first_trial : int
        The number of the first trial, and so the seeds.
    """

    name: str
    columns: Callable[[int], IntArray] = np.arange
    first_trial: int = 0

    def data(self, data: TaskData) -> TaskData:
        """Return the data with its features in the variation's order."""
        return replace(data, X=np.ascontiguousarray(data.X[:, self.columns(data.X.shape[1])]))

    def results(self, study: Study, data_by_name: Mapping[str, TaskData], trials: int, jobs: int = -1) -> Results:
        """Run a study on some processors, -1 for all."""
        varied = {name: self.data(data) for name, data in data_by_name.items()}
        tasks = (replace(t, trial=self.first_trial + t.trial) for t in study.fit_tasks(list(varied), trials))
        calls = (delayed(FitTask.run)(task, varied[task.dataset]) for task in tasks)
        found: list[list[Record]] = Parallel(n_jobs=jobs)(calls)
        return Results([record for records in found for record in records])


COLUMN_ORDERS = (
    Variation("last first, as in the tables"),
    Variation("first first", lambda n: np.arange(n)[::-1]),
    Variation("random, seed 1", lambda n: np.random.default_rng(1).permutation(n)),
    Variation("random, seed 2", lambda n: np.random.default_rng(2).permutation(n)),
)
SEEDS = tuple(
    Variation(f"seeds {first} to {first + N_TRIALS - 1}", first_trial=first - FIRST_SEED)
    for first in (FIRST_SEED, 1000, 5000)
)


@dataclass(frozen=True)
class Sensitivity:
    """A study, the data sets it is run on, its variations, and how their results are told."""

    study: Study
    datasets: tuple[str, ...]
    variations: tuple[Variation, ...]
    tell: Callable[[Mapping[str, Results]], str]

    def text(self, trials: int = N_TRIALS) -> str:
        """Run all variations and return what came out as Markdown."""
        data_by_name = at_hand(self.datasets)
        return self.tell({v.name: v.results(self.study, data_by_name, trials) for v in self.variations})


def at_hand(names: tuple[str, ...]) -> dict[str, TaskData]:
    """Return those of the data sets that can be had."""
    found = {}
    for name in names:
        try:
            found[name] = TaskData.of(load(name))
        except DatasetUnavailableError:
            continue
    return found


def verdicts_text(by_order: Mapping[str, Results]) -> str:
    """Return the verdicts on the published figures for each order, and those that hang on it."""
    judged = {order: list(judged_cells(results)) for order, results in by_order.items()}
    lines = [f"| features | {' | '.join(VERDICTS)} |", "|---|" + "---|" * len(VERDICTS)]
    for order, cells in judged.items():
        counts = Counter(cell.verdict for cell in cells)
        lines.append(f"| {order} | " + " | ".join(str(counts[verdict]) for verdict in VERDICTS) + " |")
    together: dict[Place, list[Judged]] = defaultdict(list)
    for cells in judged.values():
        for cell in cells:
            together[cell.table, cell.quantity, cell.where].append(cell)
    return "\n".join([*lines, *moving_lines(together, len(judged))])


def moving_lines(together: Mapping[Place, list[Judged]], n_orders: int) -> list[str]:
    """Say which figures change their verdict."""
    moving = {place: cells for place, cells in together.items() if len({cell.outcome for cell in cells}) > 1}
    never = [place for place, cells in together.items() if all(cell.outcome == "not reached" for cell in cells)]
    text = (
        f"Of {len(together)} published figures of CART-ELC, {len(moving)} change their verdict with the order, and "
        f"{len(never)} are not reached in any of the {n_orders} orders. Those that change:"
    )
    return ["", text, "", *(moving_line(place, cells) for place, cells in moving.items())]


def moving_line(place: Place, cells: list[Judged]) -> str:
    """Return the range of one figure over the orders."""
    means = sorted(cell.ours.mean for cell in cells)
    within = sum(cell.outcome == "reproduced" for cell in cells)
    return (
        f"- {place[0]}, {place[1]}: {place[2]}: {means[0]:.1f} to {means[-1]:.1f}, published "
        f"{mean_std_text(cells[0].published)}; reproduced in {within} of {len(cells)} orders."
    )


def seeds_text(by_seeds: Mapping[str, Results]) -> str:
    """Return accuracy and leaves of each algorithm for each range of seeds, below the published ones."""
    lines = [f"| {SPREAD_SET} | accuracy, % | leaves |", "|---|---|---|"]
    for name in SPREAD_ALGORITHMS:
        title = ALGORITHMS[name].title
        printed = (cell_of("table2", title, SPREAD_SET, quantity) for quantity in ("accuracy", "leaves"))
        lines.append(f"| {title}, published | {' | '.join(map(mean_std_text, printed))} |")
        for seeds, results in by_seeds.items():
            (result,) = results.grid(SPREAD_SET, name, MAIN_CRITERION).values()
            lines.append(f"| {title}, {seeds} | {mean_std_text(result.accuracy)} | {mean_std_text(result.size)} |")
    return "\n".join(lines)


SPREAD_SET = "cancer"
SPREAD_ALGORITHMS = ("oc1", "oc1-ap")
STUDIES: dict[str, Sensitivity] = {
    "column_order": Sensitivity(TUNING, PAPER_SETS, COLUMN_ORDERS, verdicts_text),
    "seed_spread": Sensitivity(Study(SPREAD_ALGORITHMS, (MAIN_CRITERION,), PAPER_R), (SPREAD_SET,), SEEDS, seeds_text),
}
"""The studies by the name of their block in docs/reproduction.md."""
