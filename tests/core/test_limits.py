"""The smallest leaves are limits on candidates: the search against brute force where rows and weights differ."""

from __future__ import annotations

import numpy as np
import pytest

import naive_splits as naive
import oracle
from cart_elc.splitters import Limits
from cart_elc.splitters.elc import ELCSplitter
from oracle.scores import score_partitions


def search(X, y, weights, r, problem):
    limits = Limits(min_samples_leaf=problem.min_samples_leaf, min_weight_leaf=problem.min_weight_leaf)
    node = naive.node_of(X, y, weights, limits=limits)
    return ELCSplitter(r, problem.criterion, problem.planes, missing=problem.missing)(node)


def draw(seed, with_missing):
    """Few rows on a lattice, most of them on one plane or some of them incomplete; weights that are no row counts."""
    random = np.random.default_rng(seed)
    r = 2 if with_missing else 3
    X = random.integers(0, 6 if with_missing else 4, (14, r)).astype(float)
    if with_missing:
        X[random.random(X.shape) < 0.2] = np.nan
    else:
        X[:12, 2] = 0
    return X, np.arange(14) % 2, random.permutation([1.0, 1, 1, 1, 1, 5, 5, 5, 5, 20, 20, 20, 20, 20]), r


@pytest.mark.parametrize("planes", ["any", "through"])
@pytest.mark.parametrize("with_missing", [False, True])
@pytest.mark.parametrize("limit", [{"min_samples_leaf": 2}, {"min_samples_leaf": 5}, {"min_weight_leaf": 30.0}])
def test_the_best_split_with_leaves_that_are_large_enough(planes, with_missing, limit):
    problem = oracle.Problem(planes=planes, **limit)
    for seed in range(40):
        X, y, weights, r = draw(seed, with_missing)
        split = search(X, y, weights, r, problem)
        answer = oracle.best(oracle.make_table(X, y, r, weights), problem)
        assert split.proven and answer.accepts(split.score), f"seed {seed}: {split.score}, {answer}"


def test_rows_are_counted_where_many_of_them_are_on_every_plane():
    """On two skew lines a linear split is a cut of each; the best ones of a plane have too few rows on a side."""
    n, problem = 12, oracle.Problem(min_samples_leaf=4)
    weights = np.tile([100.0, 1, 50] + (n - 3) * [5.0], 2)
    y = np.tile([1] + (n - 1) * [0], 2)
    cuts = [np.arange(n) < i for i in range(n + 1)]
    left = np.array([np.append(first, second ^ turn) for first in cuts for second in cuts for turn in (False, True)])
    left = left[np.minimum(left.sum(axis=1), (~left).sum(axis=1)) >= problem.min_samples_leaf]
    best = score_partitions("gini", y, weights, left).min()
    n_tables = 0
    for seed in range(300):
        first, second, start, other = np.random.default_rng(seed).integers(-5, 6, (4, 3)).astype(float)
        X = np.vstack([start + np.outer(np.arange(n), first), other + np.outer(np.arange(n), second)])
        if abs(np.linalg.det([first, second, other - start])) < 1 or (np.ptp(X, axis=0) == 0).any():
            continue
        n_tables += 1
        assert search(X, y, weights, 3, problem).score == pytest.approx(best, abs=1e-12), f"seed {seed}"
    assert n_tables > 200
