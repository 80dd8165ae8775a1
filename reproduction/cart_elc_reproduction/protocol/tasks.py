"""The tasks of a run: plain values that any worker can carry out, each giving its records.

A task's records depend on the task and its data alone (save for times and machine), never on the order of the tasks or
on who runs them.
"""

from __future__ import annotations

import copy
import hashlib
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from sklearn.model_selection import KFold

from cart_elc import best_split
from cart_elc.datasets import Dataset
from cart_elc.estimators.base import BaseTreeClassifier
from cart_elc.tree import FloatArray, IntArray
from cart_elc.tree.building import truncate
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS
from cart_elc_reproduction.protocol.environment import machine, versions

Record = dict[str, Any]
FIRST_SEED = 71
N_FOLDS = 5


@dataclass(frozen=True, eq=False)
class TaskData:
    """A data set as the workers get it; ``digest`` tells two copies apart."""

    X: FloatArray
    y: IntArray
    digest: str
    copy: str
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]

    @classmethod
    def of(cls, dataset: Dataset) -> TaskData:
        """Take what is needed from a data set."""
        X, y = dataset.matrix, dataset.y
        digest = hashlib.sha256(X.tobytes() + y.tobytes()).hexdigest()[:16]
        return cls(X, y, digest, dataset.copy, dataset.feature_names, dataset.target_names)


@dataclass(frozen=True)
class FitTask:
    """One tree, grown to the largest depth of the grid and read off at each.

    ``inner`` is the fold of the inner cross-validation on the outer fold's training rows, None for the outer fit.
    """

    dataset: str
    algorithm: str
    criterion: str
    r: int | None
    trial: int
    fold: int
    inner: int | None = None

    @property
    def seed(self) -> int:
        """Seed of the folds, and of the method where it is random."""
        return FIRST_SEED + self.trial

    def identities(self) -> list[Record]:
        """Return the identities of the records, one for each depth."""
        return [{"kind": "fit", **asdict(self), "max_depth": depth} for depth in ALGORITHMS[self.algorithm].depths]

    def rows(self, n_rows: int) -> tuple[IntArray, IntArray]:
        """Return training and test rows."""
        train, test = fold_of(np.arange(n_rows), self.seed, self.fold)
        return (train, test) if self.inner is None else fold_of(train, self.seed, self.inner)

    def parameters(self) -> dict[str, Any]:
        """Return the estimator's parameters."""
        algorithm = ALGORITHMS[self.algorithm]
        return algorithm.parameters(self.criterion, self.r, algorithm.depths[-1], self.seed)

    def recipe(self) -> dict[str, Any]:
        """Return what the records say of how the tree was grown."""
        return ALGORITHMS[self.algorithm].recipe(self.parameters())

    def run(self, data: TaskData | None) -> list[Record]:
        """Grow, score at each depth, and return the records."""
        assert data is not None
        train, test = self.rows(len(data.y))
        algorithm = ALGORITHMS[self.algorithm]
        X, y = algorithm.arranged(data.X), data.y
        start = time.perf_counter()
        model = algorithm.make(self.parameters()).fit(X[train], y[train])
        shared = {
            "grown_with": self.recipe(),
            "seed": self.seed,
            "seconds": round(time.perf_counter() - start, 6),
            "n_train": len(train),
            "n_test": len(test),
            "data": {"digest": data.digest, "copy": data.copy},
            **circumstances(),
        }
        return [
            identity | scores(cut(model, identity["max_depth"]), X[test], y[test]) | shared
            for identity in self.identities()
        ]


@dataclass(frozen=True)
class RefitTask:
    """The chosen grid point, fitted on all rows, so that its tree can be shown."""

    dataset: str
    algorithm: str
    criterion: str
    r: int | None
    max_depth: int | None

    def identities(self) -> list[Record]:
        """Return the identity of the record."""
        return [{"kind": "model", **asdict(self)}]

    def run(self, data: TaskData | None) -> list[Record]:
        """Fit and return the record, with the whole model in it."""
        assert data is not None
        algorithm = ALGORITHMS[self.algorithm]
        start = time.perf_counter()
        model = algorithm.make(algorithm.parameters(self.criterion, self.r, self.max_depth, FIRST_SEED))
        names = data.feature_names[::-1] if algorithm.last_feature_first else data.feature_names
        model.fit(algorithm.arranged(data.X), np.array(data.target_names)[data.y])
        model.feature_names_in_ = np.array(names, dtype=object)
        details = {"seconds": round(time.perf_counter() - start, 6), "proven": proven(model)}
        return [self.identities()[0] | details | {"model": model.document()} | circumstances()]


@dataclass(frozen=True)
class TimingTask:
    """The best split of one node with ``n`` rows and ``r`` features: the paper's Table 1, measured.

    The rows are two normal classes, 1.5 standard deviations apart along the diagonal.
    """

    n: int
    r: int

    def identities(self) -> list[Record]:
        """Return the identity of the record."""
        return [{"kind": "split", **asdict(self)}]

    def run(self, data: TaskData | None) -> list[Record]:
        """Search and return the record."""
        rng = np.random.default_rng(FIRST_SEED)
        y = np.arange(self.n) % 2
        X = rng.normal(size=(self.n, self.r)) + np.where(y == 1, 1.5 / np.sqrt(self.r), 0.0)[:, None]
        split = best_split(X, y, r=self.r, planes="through")
        names = ("score", "bound", "proven", "n_candidates", "n_boxes", "seconds")
        return [self.identities()[0] | {name: getattr(split, name) for name in names} | circumstances()]


Task = FitTask | RefitTask | TimingTask


def fold_of(rows: IntArray, seed: int, fold: int) -> tuple[IntArray, IntArray]:
    """Return the rows outside and inside one fold of the author's five."""
    splits = list(KFold(N_FOLDS, shuffle=True, random_state=seed).split(rows))
    train, test = splits[fold]
    return rows[train], rows[test]


def cut(model: BaseTreeClassifier, max_depth: int | None) -> BaseTreeClassifier:
    """Return the model as it would have been grown to that depth."""
    shallow = copy.copy(model)
    if max_depth is not None:
        shallow.tree_ = truncate(model.tree_, max_depth)
    return shallow


def scores(model: BaseTreeClassifier, X: FloatArray, y: IntArray) -> Record:
    """Return what is recorded of a fit."""
    return {
        "accuracy": float(np.mean(model.predict(X) == y)),
        "leaves": model.get_n_leaves(),
        "depth": model.get_depth(),
        "proven": proven(model),
    }


def proven(model: BaseTreeClassifier) -> bool:
    """Whether every split of the tree is proven the best of its candidates."""
    tree = model.tree_
    return bool(tree.proven[~tree.is_leaf].all())


def circumstances() -> Record:
    """Return when, with what and on what a record is made."""
    finished = datetime.now(UTC).isoformat(timespec="seconds")
    return {"finished": finished, "versions": versions(), "machine": machine()}
