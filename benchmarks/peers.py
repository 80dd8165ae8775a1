"""Writes docs/peers.md: trees of this library beside those of others, by nested cross-validation on the same folds.

``python benchmarks/peers.py [--data-dir DIR] [--trials 10] [--records FILE] [--sets ...] [--methods ...]``; hours for
all of it, most of them for digits. Every fit is a line of the records, so that a run goes on where it was stopped, two
runs of different sets can share the records, and the page says of how many trials each figure is. ``pip install
'.[peers]'`` brings the other libraries; what cannot be compared is named on the page with the reason.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from peer_methods import METHODS, Method, Rows
from peer_page import page
from planted_trees import planted
from sklearn.datasets import load_digits
from sklearn.metrics import log_loss
from sklearn.model_selection import KFold
from threadpoolctl import threadpool_limits

from cart_elc.datasets import DatasetUnavailableError, load

PAGE = Path(__file__).parents[1] / "docs" / "peers.md"
RECORDS = Path(__file__).parents[1] / "build" / "peers.jsonl"
SETS = ("iris", "wine", "wdbc", "cancer", "housing", "diabetes")
SYNTHETIC = {
    "planted axis tree": {"width": 1},
    "planted pairs": {"width": 2},
    "planted plane": {"width": 5, "depth": 1},
}
"""The trees that label the synthetic sets: the home of axis-parallel trees, of ours, and of dense splits."""
N_FOLDS = 5
MIXED = 0.01
"""The share of the uniform distribution that is mixed in for the second log-loss."""
Record = dict[str, Any]


def tables(data_dir: str | None) -> Iterator[tuple[str, Rows, Rows]]:
    """The data sets at hand, by name."""
    for name in SETS:
        try:
            data = load(name, data_dir)
        except DatasetUnavailableError as error:
            print(f"{name} is left out: {error}")
            continue
        yield name, np.asarray(data.X, dtype=float), np.asarray(data.y)
    for name, tree in SYNTHETIC.items():
        rows = planted(0, n=1000, **tree)
        yield name, rows.X, rows.y
    yield "digits", *load_digits(return_X_y=True)


def folds(X: Rows, trial: int) -> Iterator[tuple[int, Rows, Rows]]:
    """The folds of a trial, which are the reproduction's."""
    split = KFold(N_FOLDS, shuffle=True, random_state=71 + trial).split(X)
    return ((fold, train, test) for fold, (train, test) in enumerate(split))


def judged(method: Method, X: Rows, y: Rows, train: Rows, test: Rows) -> Record:
    """One fit on the training rows, judged on the test rows."""
    model = method.estimator()
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1):
        warnings.simplefilter("always")
        start = time.process_time()
        model.fit(X[train], y[train])
        seconds = time.process_time() - start
    last = (model.best_estimator_ if method.grid else model).steps[-1][1]
    return {
        "accuracy": float(np.mean(model.predict(X[test]) == y[test])),
        **losses(np.asarray(model.predict_proba(X[test])), y[test], np.unique(y[train])),
        "leaves": method.leaves(last) if method.leaves else None,
        "coefficients": method.coefficients(last) if method.coefficients else None,
        "seconds": seconds,
        "cut": any("time_limit" in str(warning.message) for warning in caught),
    }


def losses(shares: Rows, y: Rows, classes: Rows) -> Record:
    """The log-loss of the test rows whose class the training rows have, with the shares as they are and mixed."""
    known = np.isin(y, classes)
    bare = np.isnan(shares).any(axis=1) | (shares.sum(axis=1) == 0)
    shares = np.where(bare[:, None], 1 / len(classes), shares)
    mixed = (1 - MIXED) * shares + MIXED / len(classes)
    result = {}
    for name, values in (("log_loss", np.clip(shares, 1e-15, 1)), ("mixed_log_loss", mixed)):
        values = values / values.sum(axis=1, keepdims=True)
        result[name] = float(log_loss(y[known], values[known], labels=classes))
    return result | {"bare": int(bare.sum())}


def run(arguments: argparse.Namespace) -> None:
    """Make the fits that the records lack."""
    arguments.records.parent.mkdir(parents=True, exist_ok=True)
    done = {(r["set"], r["trial"], r["fold"], r["method"]) for r in records(arguments.records)}
    methods = [method for method in METHODS if wanted(method.name, arguments.methods) and not method.reason_against()]
    for name, X, y in tables(arguments.data_dir):
        if not wanted(name, arguments.sets):
            continue
        shape = {"rows": len(X), "features": X.shape[1], "classes": len(np.unique(y))}
        for trial in range(arguments.trials):
            for fold, train, test in folds(X, trial):
                for method in methods:
                    if (name, trial, fold, method.name) not in done:
                        key = {"set": name, "trial": trial, "fold": fold, "method": method.name}
                        append(arguments.records, key | shape | judged(method, X, y, train, test))


def wanted(name: str, names: list[str] | None) -> bool:
    return names is None or name in names


def append(path: Path, record: Record) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def records(path: Path) -> list[Record]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.endswith("}")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--records", type=Path, default=RECORDS)
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--methods", nargs="+")
    parser.add_argument("--only-run", action="store_true", help="leave the page as it is")
    parser.add_argument("--only-write", action="store_true", help="write the page from the records at hand")
    arguments = parser.parse_args()
    if not arguments.only_write:
        run(arguments)
    if not arguments.only_run:
        PAGE.write_text(page(records(arguments.records), N_FOLDS, MIXED), encoding="utf-8")


if __name__ == "__main__":
    main()
