"""A search in shares gives the answer of one search, whatever the backend and whoever is lost."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import fields

import joblib
import numpy as np
import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError
from sklearn.datasets import load_breast_cancer, load_diabetes

from cart_elc import ELCClassifier, Split, best_split
from cart_elc.splitters import shares
from cluster import two_workers
from nasty_tables import draw, with_numbers

COUNTERS = ("n_boxes", "seconds")


def assert_same(one: Split, other: Split) -> None:
    for field in fields(Split):
        if field.name not in COUNTERS:
            np.testing.assert_equal(getattr(one, field.name), getattr(other, field.name), err_msg=field.name)


@pytest.fixture
def every_search_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "WORTH_SHARING", 0)


def answered_here(question: shares.Question, n_workers: int) -> shares.Answer:
    with joblib.parallel_config("sequential"):
        return shares.answer_in_shares(question, n_workers)


@pytest.mark.parametrize("seed", range(60))
def test_shares_agree_with_one_search_on_nasty_tables(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng([7, seed])
    case = draw(random)
    for table in (case, with_numbers(random, case)):
        for problem in table.problems():
            whole = table.split(problem)
            with monkeypatch.context() as patch:
                patch.setattr(
                    "cart_elc.splitters.elc.ELCSplitter._answer", lambda _, question: answered_here(question, 2)
                )
                assert_same(table.split(problem), whole)


@pytest.mark.usefixtures("every_search_is_shared")
@pytest.mark.parametrize(("planes", "criterion"), [("any", "mdl"), ("any", "gini"), ("through", "twoing")])
def test_processes_give_the_answer_of_threads(planes: str, criterion: str) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :8]
    whole = best_split(X, y, 3, criterion=criterion, planes=planes)
    with joblib.parallel_config("loky", n_jobs=2):
        assert_same(best_split(X, y, 3, criterion=criterion, planes=planes), whole)
    with joblib.parallel_config("threading", n_jobs=2):
        assert_same(best_split(X, y, 3, criterion=criterion, planes=planes), whole)


@pytest.mark.usefixtures("every_search_is_shared")
def test_a_cluster_gives_the_same_tree_with_a_worker_killed() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :8]
    model = ELCClassifier(3, max_depth=2)
    alone = model.fit(X, y).tree_
    with two_workers() as client:
        pids = client.run(os.getpid)
        with joblib.parallel_config("dask"):
            shared = model.fit(X, y).tree_
            os.kill(next(iter(pids.values())), signal.SIGKILL)
            survived = model.fit(X, y).tree_
    for tree in (shared, survived):
        for name in ("features", "weights", "thresholds", "score", "bound", "proven", "value"):
            np.testing.assert_array_equal(getattr(tree, name), getattr(alone, name), err_msg=name)


def test_time_limits_hold_in_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of time, the answer is the best that was found, with a bound and no proof."""
    monkeypatch.setattr("cart_elc.splitters.elc.ELCSplitter._answer", lambda _, question: answered_here(question, 2))
    X, y = load_diabetes(return_X_y=True)
    y = np.digitize(y, np.quantile(y, [0.2, 0.4, 0.6, 0.8]))
    split = best_split(X, y, 4, time_limit=0.3)
    assert not split.proven
    assert split.bound <= split.score
    assert split.score <= best_split(X, y, 1).score


def test_the_time_of_workers_that_are_lost_is_not_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def lose(*_: object) -> None:
        time.sleep(0.2)
        raise TerminatedWorkerError

    monkeypatch.setattr(shares.Shares, "dives", lose)
    monkeypatch.setattr(shares.Question, "answered", lambda _, **options: asked.append(options["seconds"]))
    shares.answer_in_shares(shares.Question("search", (), {"seconds": 5.0}), 2)
    assert 0 < asked[0] <= 4.8


def test_progress_tells_of_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cart_elc.splitters.elc.ELCSplitter._answer", lambda _, question: answered_here(question, 2))
    X, y = load_breast_cancer(return_X_y=True)
    told = []
    model = ELCClassifier(2, criterion="gini", max_depth=1, verbose=told.append).fit(X[:, :6], y)
    assert told[-1].subsets_done == told[-1].n_subsets == 21
    bounds, scores = [state.bound for state in told], [state.score for state in told]
    assert bounds == sorted(bounds)
    assert scores == sorted(scores, reverse=True)
    assert bounds[-2] <= model.tree_.score[0] == bounds[-1] == scores[-1]


def test_small_searches_are_not_shared() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    with joblib.parallel_config("loky", n_jobs=2), pytest.MonkeyPatch.context() as patch:
        patch.setattr(shares, "answer_in_shares", None)
        ELCClassifier(2, max_depth=1).fit(X, y)
