"""How far the figures of random methods move with the seeds of folds and method: what "to the digit" is worth for them.

Cancer, ten trials of five folds, twoing, pruning on a held-out tenth, for the author's first seed and two others.

    CART_ELC_DATA=<folder> python benchmarks/seed_spread.py
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from cart_elc.datasets import load
from cart_elc.experiments.algorithms import ALGORITHMS
from cart_elc.experiments.published import figure_of
from cart_elc.experiments.report.formats import figure_text
from cart_elc.experiments.results import Figure
from cart_elc.experiments.specification import N_TRIALS
from cart_elc.experiments.tasks import FIRST_SEED, N_FOLDS

FIRST_SEEDS = (FIRST_SEED, 1000, 5000)


def trial(name: str, seed: int) -> NDArray[np.float64]:
    """Return mean accuracy in percent and mean leaves over the folds of one trial."""
    data = load("cancer")
    X, y = data.matrix, data.y
    algorithm = ALGORITHMS[name]
    figures = []
    for train, test in KFold(N_FOLDS, shuffle=True, random_state=seed).split(X):
        model = algorithm.make(algorithm.parameters("twoing", None, None, seed)).fit(X[train], y[train])
        figures.append((100.0 * np.mean(model.predict(X[test]) == y[test]), model.get_n_leaves()))
    return np.mean(figures, axis=0)


def main() -> None:
    """Print accuracy and leaves for each first seed, below the published ones."""
    print("| cancer | accuracy, % | leaves |\n|---|---|---|")
    for name in ("oc1", "oc1-ap"):
        title = ALGORITHMS[name].title
        printed = (figure_of("table2", title, "cancer", quantity) for quantity in ("accuracy", "leaves"))
        print(f"| {title}, published | {' | '.join(map(figure_text, printed))} |")
        for first in FIRST_SEEDS:
            columns = np.array([trial(name, first + i) for i in range(N_TRIALS)]).T
            ours = " | ".join(figure_text(Figure.of(column)) for column in columns)
            print(f"| {title}, seeds {first} to {first + N_TRIALS - 1} | {ours} |")


if __name__ == "__main__":
    main()
