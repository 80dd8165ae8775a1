"""Time of a fit relative to scikit-learn's tree, all in one run.

All are single-threaded; the time is that of the processor, so that a busy machine does not count, and each figure is
the least of several runs, taken in turn. The answer is asserted before it is timed: CART's training accuracy is
scikit-learn's, and the oblique trees are no worse than CART at the root.

    CART_ELC_DATA=<folder> python benchmarks/rivals.py
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from cart_elc import C45Classifier, CARTClassifier, CARTLCClassifier, HHCARTClassifier, OC1Classifier
from cart_elc.datasets import load

DEPTH = 5
BARS = {"CART": 5.0, "HHCART(D)": 20.0, "HHCART(A)": 100.0}
SECONDS = {"OC1": 1.0}

SYSTEMS: dict[str, Callable[[], object]] = {
    "scikit-learn": lambda: DecisionTreeClassifier(max_depth=DEPTH, random_state=0),
    "CART": lambda: CARTClassifier(max_depth=DEPTH),
    "HHCART(D)": lambda: HHCARTClassifier("D", max_depth=DEPTH),
    "HHCART(A)": lambda: HHCARTClassifier("A", max_depth=DEPTH),
    "OC1": lambda: OC1Classifier(max_depth=DEPTH, random_state=0),
    "CART-LC": lambda: CARTLCClassifier(max_depth=DEPTH),
    "C4.5": lambda: C45Classifier(max_depth=DEPTH),
}


def assert_answers(X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
    accuracy = {name: make().fit(X, y).score(X, y) for name, make in SYSTEMS.items()}
    assert abs(accuracy["CART"] - accuracy["scikit-learn"]) < 0.005, accuracy
    cart = CARTClassifier(max_depth=1).fit(X, y).tree_.score[0]
    for variant in "AD":
        assert HHCARTClassifier(variant, max_depth=1).fit(X, y).tree_.score[0] <= cart + 1e-12
    assert accuracy["OC1"] > accuracy["CART"], accuracy


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=30)
    arguments = parser.parse_args()
    print(f"{'data':10s}{'system':14s}{'ms':>9s}{'ratio':>8s}  bar")
    for dataset in ("cancer", "diabetes"):
        data = load(dataset)
        assert_answers(data.matrix, data.y)
        times = least_times(data.matrix, data.y, arguments.repeats)
        for name, seconds in times.items():
            ratio = seconds / times["scikit-learn"]
            held = ratio <= BARS.get(name, np.inf) and seconds <= SECONDS.get(name, np.inf)
            bar = f"{BARS[name]:g}x" if name in BARS else f"{SECONDS[name]:g} s" if name in SECONDS else ""
            print(f"{dataset:10s}{name:14s}{1e3 * seconds:9.2f}{ratio:8.1f}  {bar}{'' if held else '  MISSED'}")


if __name__ == "__main__":
    main()
