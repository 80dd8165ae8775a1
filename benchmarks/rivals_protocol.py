"""The rivals under the paper's protocol, against the figures that the paper prints for them.

Ten trials of ``KFold(5, shuffle=True, random_state=71 + trial)``; accuracy and leaves are averaged over the folds of a
trial, then mean and population standard deviation are taken over the trials. HHCART is run at depths 1 to 5 and the
depth is chosen as `cart_elc.experiments.specification` says (the paper's own choice, on the test folds); the others
limit their size by their own pruning.

    CART_ELC_DATA=<folder> python benchmarks/rivals_protocol.py --write docs/algorithms.md
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.model_selection import KFold

from cart_elc import C45Classifier, CARTClassifier, CARTLCClassifier, HHCARTClassifier, OC1Classifier
from cart_elc.datasets import load
from cart_elc.experiments.published import figure_of

DATASETS = ("cancer", "iris", "housing", "diabetes")
N_FOLDS = 5
FIRST_SEED = 71
DEPTHS = (1, 2, 3, 4, 5)
TOLERANCE = 0.1
BEGIN, END = "<!-- rivals:begin -->", "<!-- rivals:end -->"
HELD_OUT: dict[str, Any] = {"criterion": "twoing", "pruning": "holdout"}

SYSTEMS: dict[str, tuple[type, dict[str, Any], tuple[int | None, ...]]] = {
    "HHCART(A)": (HHCARTClassifier, {"variant": "A", "criterion": "twoing"}, DEPTHS),
    "HHCART(D)": (HHCARTClassifier, {"variant": "D", "criterion": "twoing"}, DEPTHS),
    "OC1": (OC1Classifier, HELD_OUT, (None,)),
    "OC1, own units": (OC1Classifier, HELD_OUT | {"scale_features": False}, (None,)),
    "OC1-AP": (OC1Classifier, HELD_OUT | {"axis_parallel": True}, (None,)),
    "CART-LC": (CARTLCClassifier, HELD_OUT, (None,)),
    "CART": (CARTClassifier, {"pruning": "cv"}, (None,)),
    "C4.5": (C45Classifier, {}, (None,)),
    "C4.5, before release 8": (C45Classifier, {"mdl_correction": False}, (None,)),
}


@dataclass(frozen=True)
class Cell:
    """One system on one data set: mean and standard deviation over trials of accuracy in percent and of leaves."""

    system: str
    dataset: str
    max_depth: int | None
    accuracy: float
    accuracy_std: float
    leaves: float
    leaves_std: float
    seconds_per_fit: float


def run_trial(system: str, dataset: str, max_depth: int | None, trial: int) -> tuple[float, float, float]:
    """Mean accuracy and leaves over the folds of a trial, and seconds per fit."""
    data = load(dataset)
    X, y = data.matrix, data.y
    estimator, params, _ = SYSTEMS[system]
    seed = {"random_state": trial} if "random_state" in estimator().get_params() else {}
    accuracies, leaves, start = [], [], time.perf_counter()
    for train, test in KFold(N_FOLDS, shuffle=True, random_state=FIRST_SEED + trial).split(X):
        model = estimator(**params, **seed, max_depth=max_depth).fit(X[train], y[train])
        accuracies.append(100 * model.score(X[test], y[test]))
        leaves.append(model.get_n_leaves())
    return float(np.mean(accuracies)), float(np.mean(leaves)), (time.perf_counter() - start) / N_FOLDS


def run_cell(system: str, dataset: str, max_depth: int | None, n_trials: int, jobs: int) -> Cell:
    calls = (delayed(run_trial)(system, dataset, max_depth, trial) for trial in range(n_trials))
    accuracy, leaves, seconds = np.array(Parallel(n_jobs=jobs)(calls)).T
    return Cell(
        system, dataset, max_depth, accuracy.mean(), accuracy.std(), leaves.mean(), leaves.std(), seconds.mean()
    )


def selected(cells: list[Cell]) -> Cell:
    """The smallest of those within the tolerance of the best."""
    best = max(cell.accuracy for cell in cells)
    return min(
        (cell for cell in cells if cell.accuracy >= best - TOLERANCE), key=lambda cell: (cell.leaves, -cell.accuracy)
    )


def run(n_trials: int, jobs: int) -> Iterator[Cell]:
    for system, (_, _, depths) in SYSTEMS.items():
        for dataset in DATASETS:
            yield selected([run_cell(system, dataset, depth, n_trials, jobs) for depth in depths])


def table(cells: list[Cell]) -> str:
    """The comparison as Markdown: accuracy, published accuracy, how many published deviations apart, leaves."""
    lines = [
        "| system | data | ours | published | apart | leaves | published |",
        "|---|---|---|---|---|---|---|",
    ]
    for cell in cells:
        name = cell.system.split(",")[0]
        theirs = figure_of("table2", name, cell.dataset, "accuracy")
        size = figure_of("table2", name, cell.dataset, "leaves")
        if theirs is None or size is None:
            continue
        apart = (cell.accuracy - theirs.mean) / theirs.std
        ours = f"{cell.accuracy:.1f} ± {cell.accuracy_std:.1f}"
        mark = f"**{apart:+.1f}**" if abs(apart) > 2 else f"{apart:+.1f}"
        depth = f" (depth {cell.max_depth})" if cell.max_depth else ""
        lines.append(
            f"| {cell.system}{depth} | {cell.dataset} | {ours} | {theirs.mean:.1f} ± {theirs.std:.1f} | {mark} "
            f"| {cell.leaves:.1f} ± {cell.leaves_std:.1f} | {size.mean:.1f} ± {size.std:.1f} |"
        )
    return "\n".join(lines)


def write_between_marks(path: Path, text: str) -> None:
    document = path.read_text(encoding="utf-8")
    head, rest = document.split(BEGIN)
    path.write_text(f"{head}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--records", type=Path, help="write the cells as JSON lines, or read them if the file exists")
    parser.add_argument("--write", type=Path, help=f"put the table between {BEGIN} and {END} of this file")
    arguments = parser.parse_args()
    cells = []
    if arguments.records and arguments.records.exists():
        cells = [Cell(**json.loads(line)) for line in arguments.records.read_text(encoding="utf-8").splitlines()]
    else:
        for cell in run(arguments.trials, arguments.jobs):
            cells.append(cell)
            print(json.dumps(asdict(cell)), flush=True)
            if arguments.records:
                with arguments.records.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(cell)) + "\n")
    print(table(cells))
    if arguments.write:
        write_between_marks(arguments.write, table(cells))


if __name__ == "__main__":
    main()
