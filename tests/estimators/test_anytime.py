"""A limit on the time: what is returned is never worse than CART's, its bound holds, and long fits say so."""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_wine
from sklearn.exceptions import ConvergenceWarning

from cart_elc import CARTClassifier, ELCClassifier, best_split
from cart_elc.criteria import CRITERIA, EXACT
from cart_elc.estimators.user_warnings import LongFitNotice
from cart_elc.splitters.reporting import SearchProgress

DIGITS = load_digits(return_X_y=True)
WINE = load_wine(return_X_y=True)
NO_TIME = 1e-9
criteria = pytest.mark.parametrize("criterion", sorted(EXACT))


def digits_tree(time_limit, **parameters):
    model = ELCClassifier(3, max_depth=4, criterion="gini", time_limit=time_limit, **parameters)
    with pytest.warns(ConvergenceWarning, match=f"^time_limit={time_limit:g} cut the fit short: ") as warned:
        model.fit(*DIGITS)
    return model, str(warned[0].message)


def loss(split, score):
    return score if CRITERIA[split.criterion].minimise else -score


@pytest.mark.parametrize("time_limit", [NO_TIME, 0.1, 2.0])
def test_a_fit_cut_short_is_never_worse_than_cart(time_limit):
    model, _ = digits_tree(time_limit)
    assert model.score(*DIGITS) >= CARTClassifier(max_depth=4).fit(*DIGITS).score(*DIGITS)


def test_a_fit_without_time_is_the_tree_of_single_features_and_says_so():
    model, message = digits_tree(NO_TIME)
    inner = ~model.tree_.is_leaf
    n_unproven = int((inner & ~model.tree_.proven).sum())
    assert model.get_n_leaves() == 16
    assert set(np.diff(model.tree_.indptr)[inner]) == {1}
    single_features = (
        f"{n_unproven} searches ended without a proof, {n_unproven} of them looked at single features alone"
    )
    assert single_features in message
    assert f"{n_unproven} of the tree's 15 splits are unproven" in message


@criteria
@pytest.mark.parametrize("time_limit", [NO_TIME, 0.001, 0.02])
def test_a_stopped_search_is_never_worse_than_the_best_split_on_one_feature(criterion, time_limit):
    split, single = (best_split(*WINE, r, criterion=criterion, time_limit=time_limit) for r in (3, 1))
    assert single.proven
    assert loss(split, split.score) <= loss(single, single.score) + 1e-12


def test_a_search_on_planes_through_samples_has_no_split_without_time():
    split = best_split(*WINE, 2, planes="through", time_limit=NO_TIME)
    assert not split.found
    assert not split.proven


@criteria
@pytest.mark.filterwarnings("ignore:The number of unique classes")
@given(st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_the_bound_of_a_stopped_search_is_proven_by_the_whole_one(criterion, seed):
    random = np.random.default_rng(seed)
    n, m = int(random.integers(4, 40)), int(random.integers(2, 5))
    X = random.integers(0, random.integers(2, 6), (n, m)).astype(float)
    X[random.random(X.shape) < random.choice([0.0, 0.1])] = np.nan
    y = random.integers(0, random.choice([2, 2, 3, 13]), n)
    weights = random.integers(1, 4, n).astype(float)
    planes, r = str(random.choice(["any", "through", "canonical"])), int(random.integers(2, 4))
    search = {"criterion": criterion, "planes": planes, "sample_weight": weights}
    whole = best_split(X, y, min(r, m), **search)
    for time_limit in (NO_TIME, 2e-4, 1e-3):
        stopped = best_split(X, y, min(r, m), **search, time_limit=time_limit)
        assert loss(stopped, stopped.bound) <= loss(whole, whole.score) + 1e-9
        assert not stopped.proven or loss(stopped, stopped.score) == pytest.approx(loss(whole, whole.score), abs=1e-9)


def test_ten_classes_cannot_be_parted_perfectly_and_the_bound_knows():
    split = best_split(*DIGITS, 3, time_limit=NO_TIME)
    assert not split.proven
    assert 0.79 < split.bound < split.score


def test_rows_that_are_equal_in_all_features_bound_what_was_not_searched():
    X = np.repeat([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], 4, axis=0)
    y = np.array([0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1])  # a checkerboard with noise
    split = best_split(X, y, 2, time_limit=NO_TIME)
    assert split.score == 0.5
    assert not split.proven
    assert split.bound == pytest.approx(0.375)  # a quarter of each side is of the other class
    assert best_split(X, y, 2).score > split.bound


@criteria
@pytest.mark.parametrize("planes", ["any", "through", "canonical"])
def test_a_limit_that_is_not_reached_changes_nothing(criterion, planes):
    random = np.random.default_rng(0)
    for classes in (2, 3, 12):
        X, y = random.normal(size=(60, 4)).round(1), random.integers(0, classes, 60)
        free, limited = (best_split(X, y, 3, criterion=criterion, planes=planes, time_limit=t) for t in (None, 600.0))
        assert limited.proven
        for name in ("features", "score", "samples", "n_ties", "missing"):
            assert getattr(limited, name) == getattr(free, name)
        assert np.array_equal([limited.threshold, *limited.weights], [free.threshold, *free.weights], equal_nan=True)


def progress(seconds, *, subsets_done=0, dives_done=0, n_subsets=1000, n_rows=500, depth=0):
    return SearchProgress(n_rows, depth, subsets_done, n_subsets, 0, 0.5, 0.0, seconds, dives_done)


def told(reports, clock=lambda: 0.0):
    """The warnings of a notice that is told these reports."""
    notice = LongFitNotice(clock)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for report in reports:
            notice(report)
    return [str(warning.message) for warning in caught]


def steady(rate, until, **kind):
    """Reports of a search that does so many feature sets a second."""
    name = "dives_done" if kind.pop("diving", False) else "subsets_done"
    return [progress(t, **{name: 1 + int(t * rate)}, **kind) for t in np.arange(0, until, 0.05)]


def test_a_long_search_is_announced_once_with_an_estimate():
    messages = told(steady(10.0, 5.0))
    assert len(messages) == 1
    assert re.match(
        r"this fit takes longer than a minute: a node of 500 rows alone needs about 1[01]\d seconds", messages[0]
    )
    assert "Set time_limit" in messages[0]


def test_a_long_round_of_dives_is_announced_before_any_set_is_finished():
    assert "needs about 17 minutes" in told(steady(40.0, 3.0, diving=True, n_subsets=41664))[0]


@pytest.mark.parametrize(
    "reports",
    [
        steady(10.0, 0.9),  # too early to say
        steady(20.0, 30.0),  # fifty seconds
        steady(1.0, 8.0),  # too few sets to say
        steady(2.0, 4.0)
        + [progress(4 + t, subsets_done=9 + int(300 * t)) for t in np.arange(0, 3, 0.05)],  # hard first
        steady(100.0, 9.0, diving=True) + steady(300.0, 3.0),
    ],
)
def test_a_quick_search_is_not_announced(reports):
    assert told(reports) == []


def test_a_fit_of_many_short_searches_is_announced_after_a_minute():
    times = iter([0.0, 59.0, 61.0, 62.0])
    messages = told([progress(0.1, depth=7)] * 3, lambda: next(times))
    assert len(messages) == 1
    assert "it is at a node of 500 rows in depth 7" in messages[0]


def test_fits_that_tell_or_have_a_limit_are_not_announced(monkeypatch, capsys):
    made = []
    monkeypatch.setattr("cart_elc.estimators.base.LongFitNotice", lambda: made.append(1))
    for parameters in ({"verbose": 1}, {"verbose": lambda state: None}, {"time_limit": 60.0}):
        ELCClassifier(1, max_depth=1, **parameters).fit(*WINE)
    assert made == []
    ELCClassifier(1, max_depth=1).fit(*WINE)
    assert made == [1]


def test_sets_so_small_that_they_are_enumerated_have_a_first_split_too():
    random = np.random.default_rng(0)
    split = best_split(random.normal(size=(16, 60)), random.integers(0, 4, 16), 4, planes="through", time_limit=0.25)
    assert len(split.features) == 4
