"""Time of a fit relative to scikit-learn's tree, all in one run.

All are single-threaded; the time is that of the processor, so that a busy machine does not count, and each figure is
the least of several runs, taken in turn. The answer is asserted before it is timed: CART's training accuracy is
scikit-learn's, and the oblique trees are no worse than CART at the root. A bar that is missed is marked, and the exit
status is 1.

    CART_ELC_DATA=<folder> python benchmarks/rivals.py
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from cart_elc import C45Classifier, CARTClassifier, CARTLCClassifier, HHCARTClassifier, OC1Classifier
from cart_elc.datasets import load

DEPTH = 5
BARS = {"CART": 5.0, "HHCART(D)": 20.0, "HHCART(A)": 100.0}
SECONDS = {"OC1, 20 restarts": 1.0}
DATASETS = ("cancer", "diabetes")

SYSTEMS: dict[str, Callable[[], object]] = {
    "scikit-learn": lambda: DecisionTreeClassifier(max_depth=DEPTH, random_state=0),
    "CART": lambda: CARTClassifier(max_depth=DEPTH),
    "HHCART(D)": lambda: HHCARTClassifier("D", max_depth=DEPTH),
    "HHCART(A)": lambda: HHCARTClassifier("A", max_depth=DEPTH),
    "OC1, 20 restarts": lambda: OC1Classifier(max_depth=DEPTH, random_state=0),
    "CART-LC": lambda: CARTLCClassifier(max_depth=DEPTH),
    "C4.5": lambda: C45Classifier(max_depth=DEPTH),
}


def assert_answers(X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
    accuracy = {name: make().fit(X, y).score(X, y) for name, make in SYSTEMS.items()}
    assert abs(accuracy["CART"] - accuracy["scikit-learn"]) < 0.005, accuracy
    cart = CARTClassifier(max_depth=1).fit(X, y).tree_.score[0]
    for variant in "AD":
        assert HHCARTClassifier(variant, max_depth=1).fit(X, y).tree_.score[0] <= cart + 1e-12
    assert accuracy["OC1, 20 restarts"] > accuracy["CART"], accuracy


def least_times(X: NDArray[np.float64], y: NDArray[np.int64], repeats: int) -> dict[str, float]:
    """Least time of each system; the systems take turns."""
    times = dict.fromkeys(SYSTEMS, float("inf"))
    for repeat in range(repeats):
        for name, make in SYSTEMS.items():
            if name in SECONDS and repeat >= 3:
                continue
            model = make()
            start = time.process_time()
            model.fit(X, y)
            times[name] = min(times[name], time.process_time() - start)
    return times


def bar_of(name: str) -> str:
    """The bar as a ratio to scikit-learn's time, or in seconds."""
    return f"{BARS[name]:g}" if name in BARS else f"{SECONDS[name]:g} s" if name in SECONDS else ""


def held(name: str, times: dict[str, float]) -> bool:
    """Whether the system keeps its bar."""
    ratio = times[name] / times["scikit-learn"]
    return ratio <= BARS.get(name, np.inf) and times[name] <= SECONDS.get(name, np.inf)


def cell(name: str, times: dict[str, float]) -> str:
    """The time of scikit-learn, and of the others the ratio to it, or the time where the bar is a time."""
    if name == "scikit-learn":
        return f"{1e3 * times[name]:.1f} ms"
    text = f"{times[name]:.2f} s" if name in SECONDS else f"{times[name] / times['scikit-learn']:.1f}"
    return text if held(name, times) else f"**{text}, missed**"


def main() -> int:
    """Print a row for each system."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--check", action="store_true", help="fail where a bar is missed")
    arguments = parser.parse_args()
    columns = {}
    for dataset in DATASETS:
        data = load(dataset)
        assert_answers(data.matrix, data.y)
        n_rows, n_features = data.matrix.shape
        columns[f"{dataset} ({n_rows} x {n_features})"] = least_times(data.matrix, data.y, arguments.repeats)
    print(f"| | {' | '.join(columns)} | bar |")
    print("|---" * (len(columns) + 2) + "|")
    for name in SYSTEMS:
        cells = (cell(name, times) for times in columns.values())
        print(f"| {name} | {' | '.join(cells)} | {bar_of(name)} |")
    missed = not all(held(name, times) for times in columns.values() for name in SYSTEMS)
    return int(arguments.check and missed)


if __name__ == "__main__":
    sys.exit(main())
