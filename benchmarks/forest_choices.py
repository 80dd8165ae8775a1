"""Prints what parameters do to forests on made tables, which no page reports on: their defaults were chosen so.

``python benchmarks/forest_choices.py``; some minutes. Each figure is a mean over draws of the rows, on rows that were
not seen: accuracy or R² in per cent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.datasets import make_classification, make_friedman1, make_friedman2, make_friedman3
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor

from cart_elc import ELCForestClassifier, ELCForestRegressor

TREES, DRAWS, SEEN, UNSEEN = 60, 3, 300, 1000
Table = tuple[np.ndarray, np.ndarray]
Maker = Callable[[int, np.random.Generator], Table]


def twonorm(n: int, rng: np.random.Generator) -> Table:
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 20)) + np.where(y, 2, -2)[:, None] / np.sqrt(20), y


def ringnorm(n: int, rng: np.random.Generator) -> Table:
    y = rng.integers(0, 2, n)
    near, far = rng.normal(size=(n, 20)) + 1 / np.sqrt(20), 2 * rng.normal(size=(n, 20))
    return np.where(y[:, None], near, far), y


def threenorm(n: int, rng: np.random.Generator) -> Table:
    y, side = rng.integers(0, 2, n), 2 * rng.integers(0, 2, n) - 1
    centre = 2 / np.sqrt(20)
    other = np.where(np.arange(20) % 2, -centre, centre)
    return rng.normal(size=(n, 20)) + np.where(y[:, None] == 0, side[:, None] * centre, other), y


def waveform(n: int, rng: np.random.Generator) -> Table:
    waves = np.array([np.maximum(6 - np.abs(np.arange(1, 22) - centre), 0) for centre in (11, 15, 7)])
    y, share = rng.integers(0, 3, n), rng.random((n, 1))
    first, second = np.array([(0, 1), (0, 2), (1, 2)])[y].T
    return share * waves[first] + (1 - share) * waves[second] + rng.normal(size=(n, 21)), y


def spheres(n: int, rng: np.random.Generator) -> Table:
    X = rng.normal(size=(n, 10))
    return X, (np.square(X).sum(axis=1) > 9.34).astype(int)


def lattice(n: int, rng: np.random.Generator) -> Table:
    X = rng.integers(0, 10, (n, 9)).astype(float)
    return X, (X @ np.array([1, 0.8, 0.6, 0.4, 0.2, 0, 0, 0, 0]) + 2 * rng.normal(size=n) > 13.5).astype(int)


def mixtures(n: int, rng: np.random.Generator) -> Table:
    X, y = make_classification(4000, 20, n_informative=6, n_redundant=4, flip_y=0.05, random_state=1)
    rows = rng.permutation(4000)[:n]
    return X[rows], y[rows]


def linear(n: int, rng: np.random.Generator) -> Table:
    X = rng.normal(size=(n, 8))
    return X, X @ np.arange(8) / 8 + 0.5 * rng.normal(size=n)


def friedman(make: Callable[..., Table], noise: float) -> Maker:
    return lambda n, rng: make(n, noise=noise, random_state=int(rng.integers(2**31)))


CLASSES: dict[str, Maker] = {
    make.__name__: make for make in (twonorm, ringnorm, threenorm, waveform, spheres, lattice, mixtures)
}
NUMBERS: dict[str, Maker] = {
    "friedman1": friedman(make_friedman1, 1.0),
    "friedman2": friedman(make_friedman2, 50.0),
    "friedman3": friedman(make_friedman3, 0.1),
    "linear": linear,
}
OF_CLASSES: dict[str, Mapping[str, Any]] = {
    "defaults": {},
    "max_features=0.5": {"max_features": 0.5},
    "max_features='log2'": {"max_features": "log2"},
    "bootstrap=False": {"bootstrap": False},
    "r=1": {"r": 1},
    "r=3": {"r": 3},
    "information gain": {"criterion": "information_gain"},
    "leaves of two rows": {"min_samples_leaf": 2},
}
OF_NUMBERS: dict[str, Mapping[str, Any]] = {
    "defaults": {},
    **{f"max_features={share}": {"max_features": share} for share in ("sqrt", 0.5, 1.0)},
    "bootstrap=False": {"bootstrap": False},
    "r=1": {"r": 1},
    "r=3": {"r": 3},
    "leaves of five rows": {"min_samples_leaf": 5},
}


def with_a_row_of_each_class(forest: ELCForestClassifier, X: np.ndarray) -> np.ndarray:
    """The mean of the trees' class shares, one row of each class added to every leaf."""
    counts = [model.tree_.value[model.tree_.apply(X)] + 1 for model in forest.estimators_]
    return np.mean([count / count.sum(axis=1, keepdims=True) for count in counts], axis=0)


def class_scores(draw: int, seen: Table, unseen: Table) -> dict[str, float]:
    shares = {}
    for name, parameters in OF_CLASSES.items():
        forest = ELCForestClassifier(TREES, random_state=draw, **parameters).fit(*seen)
        shares[name] = forest.predict_proba(unseen[0])
        if not parameters:
            shares["a row of each class in every leaf"] = with_a_row_of_each_class(forest, unseen[0])
    shares["r = 1, 2 and 3 together"] = shares["r=1"] + shares["defaults"] + shares["r=3"]
    for name, rival in (("random forest", RandomForestClassifier), ("extra trees", ExtraTreesClassifier)):
        shares[name] = rival(TREES, random_state=draw).fit(*seen).predict_proba(unseen[0])
    labels = np.unique(seen[1])
    return {name: float((labels[share.argmax(axis=1)] == unseen[1]).mean()) for name, share in shares.items()}


def number_scores(draw: int, seen: Table, unseen: Table) -> dict[str, float]:
    models = {
        name: ELCForestRegressor(TREES, random_state=draw, **parameters) for name, parameters in OF_NUMBERS.items()
    }
    models["random forest"] = RandomForestRegressor(TREES, random_state=draw)
    models["extra trees"] = ExtraTreesRegressor(TREES, random_state=draw)
    return {name: float(model.fit(*seen).score(*unseen)) for name, model in models.items()}


def report(tables: Mapping[str, Maker], scores_of: Callable[[int, Table, Table], dict[str, float]]) -> None:
    columns = []
    for make in tables.values():
        draws = []
        for draw in range(DRAWS):
            X, y = make(SEEN + UNSEEN, np.random.default_rng([draw, 7]))
            draws.append(scores_of(draw, (X[:SEEN], y[:SEEN]), (X[SEEN:], y[SEEN:])))
        columns.append({name: 100 * float(np.mean([scores[name] for scores in draws])) for name in draws[0]})
    print("| | " + " | ".join(tables) + " | mean |")
    print("|---|" + "---:|" * (len(tables) + 1))
    for name in columns[0]:
        cells = [column[name] for column in columns]
        print(f"| {name} | " + " | ".join(f"{cell:.1f}" for cell in [*cells, float(np.mean(cells))]) + " |", flush=True)


if __name__ == "__main__":
    report(CLASSES, class_scores)
    report(NUMBERS, number_scores)
