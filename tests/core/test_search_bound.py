"""The search's lower bounds against enumeration: never above the best loss of any way to share out the uncertain."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cart_elc import _core, best_split
from cart_elc.criteria import CRITERIA, PAPERS

SLACK = 1e-12
criteria = pytest.mark.parametrize("criterion", sorted([*PAPERS, "error"]))


@st.composite
def boxes(draw, n_classes):
    """Class totals with a certain and an uncertain part of each, in whole weights."""
    totals, certain, uncertain = [], [], []
    for _ in range(n_classes):
        total = draw(st.integers(0, 12))
        low = draw(st.integers(0, total))
        totals.append(float(total))
        certain.append(float(low))
        uncertain.append(float(draw(st.integers(0, min(4, total - low)))))
    totals[0] += float(sum(totals) == 0)
    return totals, certain, uncertain


def smallest_loss(criterion, totals, certain, uncertain):
    """The best loss over all whole shares of the uncertain weight."""
    shares = itertools.product(*(np.arange(c, c + u + 1) for c, u in zip(certain, uncertain, strict=True)))
    return min(_core.criterion_loss(criterion, totals, list(left)) for left in shares)


@criteria
@given(st.integers(2, 5).flatmap(boxes))
def test_with_few_classes_the_bound_is_the_smallest_loss_itself(criterion, box):
    assert _core.criterion_bound(criterion, *box) == pytest.approx(smallest_loss(criterion, *box), abs=SLACK)


@criteria
@given(boxes(8))
def test_with_many_classes_the_bound_is_never_above_a_loss(criterion, box):
    totals, certain, uncertain = box
    bound = _core.criterion_bound(criterion, totals, certain, uncertain)
    corners = itertools.product(*((c, c + u) for c, u in zip(certain, uncertain, strict=True)))
    assert bound <= min(_core.criterion_loss(criterion, totals, list(left)) for left in corners) + SLACK


@criteria
@pytest.mark.parametrize("seed", range(20))
def test_with_twenty_classes_the_bound_holds_for_random_shares(criterion, seed):
    random = np.random.default_rng(seed)
    certain = random.integers(0, 20, 20).astype(float)
    uncertain = random.integers(0, 6, 20).astype(float)
    totals = certain + uncertain + random.integers(0, 20, 20)
    bound = _core.criterion_bound(criterion, totals.tolist(), certain.tolist(), uncertain.tolist())
    for _ in range(200):
        left = certain + uncertain * random.integers(0, 2, 20)
        assert bound <= _core.criterion_loss(criterion, totals.tolist(), left.tolist()) + SLACK


def losses_at_corners(criterion, totals, certain, uncertain):
    """The losses where each class has none of its uncertain weight, or all of it."""
    corners = itertools.product(*((c, c + u) for c, u in zip(certain, uncertain, strict=True)))
    return [_core.criterion_loss(criterion, totals, list(left)) for left in corners if 0 < sum(left) < sum(totals)]


@pytest.mark.parametrize("criterion", ["gini", "information_gain"])
@pytest.mark.parametrize("seed", range(40))
def test_a_closer_look_at_many_classes_knows_their_best_corner(criterion, seed):
    random = np.random.default_rng(seed)
    k = int(random.integers(7, 11))
    certain, uncertain, rest = random.integers(0, 9, k), random.integers(1, 6, k), random.integers(0, 9, k)
    box = [part.astype(float).tolist() for part in (certain + uncertain + rest, certain, uncertain)]
    best = min(losses_at_corners(criterion, *box))
    assert not _core.criterion_exceeds(criterion, *box, best + 1e-9)
    assert _core.criterion_exceeds(criterion, *box, best - 1e-9)


@pytest.mark.parametrize("criterion", ["gini", "information_gain"])
@pytest.mark.parametrize("seed", range(10))
def test_a_closer_look_at_more_classes_than_it_divides_is_never_wrong(criterion, seed):
    random = np.random.default_rng(seed)
    certain, uncertain, rest = random.integers(0, 9, 13), random.integers(1, 6, 13), random.integers(0, 9, 13)
    box = [part.astype(float).tolist() for part in (certain + uncertain + rest, certain, uncertain)]
    assert not _core.criterion_exceeds(criterion, *box, min(losses_at_corners(criterion, *box)) + 1e-9)
    assert _core.criterion_exceeds(criterion, *box, -2.0)


@criteria
@given(st.integers(2, 6).flatmap(boxes))
def test_the_loss_is_the_papers_score(criterion, box):
    totals, left, _ = box
    if 0 < sum(left) < sum(totals):
        score = float(CRITERIA[criterion].score(np.array(left), np.array(totals) - np.array(left)))
        loss = _core.criterion_loss(criterion, totals, left)
        assert loss == pytest.approx(score if CRITERIA[criterion].minimise else -score, abs=SLACK)


def clustered(seed):
    """Levels with noise, clusters, heavy tails or sentinels: in most boxes points lie in groups."""
    random, n, m = np.random.default_rng(seed), 150, 3
    X = [
        random.integers(0, 3, (n, m)) + 10.0 ** -random.integers(1, 6) * random.normal(size=(n, m)),
        10 * random.normal(size=(5, m))[random.integers(0, 5, n)]
        + 10.0 ** -random.integers(0, 5) * random.normal(size=(n, m)),
        np.exp(random.uniform(1, 4) * random.normal(size=(n, m))),
        np.where(random.random((n, m)) < 0.2, -(10.0 ** random.integers(2, 6)), random.normal(size=(n, m))),
    ][seed % 4]
    explained = X[:, 0] + X[:, 0].std() * random.normal(size=n) > np.median(X[:, 0])
    y = explained.astype(int) if seed % 3 else random.integers(0, 2, n)
    weights = random.integers(1, 5, n).astype(float) if seed % 2 else None
    if seed % 5 == 0:
        X[random.random(X.shape) < 0.02] = np.nan
    return X, y, weights


@pytest.mark.parametrize("r", [2, 3])
@pytest.mark.parametrize("seed", range(24))
def test_thresholds_of_groups_hide_no_split(seed, r):
    """Of two classes, twoing is half of what Gini gains, and its boxes are bounded without such thresholds."""
    X, y, weights = clustered(seed)
    gini, twoing = (
        best_split(X, y, r, criterion=criterion, sample_weight=weights, time_limit=60)
        for criterion in ("gini", "twoing")
    )
    assert gini.proven
    assert twoing.proven
    assert (gini.features, gini.threshold) == (twoing.features, twoing.threshold)
    assert np.array_equal(gini.weights, twoing.weights)
