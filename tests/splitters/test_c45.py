"""C4.5: gain ratio, thresholds, missing values and pessimistic pruning, on the worked examples of Quinlan's book."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

import naive_splits as naive
from cart_elc import C45Classifier, MissingPolicy
from cart_elc.growing import Grower
from cart_elc.pruning.pessimistic import Pessimistic, added_errors
from cart_elc.pruning.validated import node_values
from cart_elc.splitters.gain_ratio import FeatureTests, GainRatioSplitter, data_value, feature_tests
from cart_elc.splitters.node import Node
from cart_elc.targets import Classes

# Quinlan 1993, table 2-1: outlook, temperature, humidity, windy; 1 is Play, 0 is Don't Play.
GOLF = [
    ("sunny", 75, 70, 1, 1),
    ("sunny", 80, 90, 1, 0),
    ("sunny", 85, 85, 0, 0),
    ("sunny", 72, 95, 0, 0),
    ("sunny", 69, 70, 0, 1),
    ("overcast", 72, 90, 1, 1),
    ("overcast", 83, 78, 0, 1),
    ("overcast", 64, 65, 1, 1),
    ("overcast", 81, 75, 0, 1),
    ("rain", 71, 80, 1, 0),
    ("rain", 65, 70, 1, 0),
    ("rain", 75, 80, 0, 1),
    ("rain", 68, 80, 0, 1),
    ("rain", 70, 96, 0, 1),
]
OUTLOOK = np.array([row[0] for row in GOLF])
NUMBERS = np.array([row[1:4] for row in GOLF], dtype=float)
PLAY = np.array([row[4] for row in GOLF])
TEMPERATURE, HUMIDITY, WINDY = range(3)


def entropy_of(labels):
    shares = np.unique(labels, return_counts=True)[1] / max(1, len(labels))
    return float(-(shares * np.log2(shares)).sum())


def book_test(branches, y):
    """Gain, split information and gain ratio of a test with any number of branches; None is an unknown value."""
    known = np.array([branch is not None for branch in branches])
    kept, labels = np.array([b for b in branches if b is not None]), y[known]
    after = sum((kept == branch).mean() * entropy_of(labels[kept == branch]) for branch in np.unique(kept))
    gain = known.mean() * (entropy_of(labels) - after)
    split_info = entropy_of(np.array(["?" if branch is None else str(branch) for branch in branches]))
    return gain, split_info, gain / split_info


def test_the_reference_gives_the_books_figures_for_outlook():
    assert entropy_of(PLAY) == pytest.approx(0.940, abs=5e-4)
    assert book_test(OUTLOOK, PLAY) == pytest.approx((0.246, 1.577, 0.156), abs=1e-3)
    with_unknown = [None if i == 5 else value for i, value in enumerate(OUTLOOK)]
    assert book_test(with_unknown, PLAY) == pytest.approx((0.199, 1.809, 0.110), abs=1e-3)


def test_gain_and_gain_ratio_of_windy_are_the_books():
    tests = feature_tests(naive.node_of(NUMBERS, PLAY))
    assert tests.gain[WINDY] == pytest.approx(0.048, abs=5e-4)
    assert tests.split_info[WINDY] == pytest.approx(0.985, abs=5e-4)
    assert tests.gain[WINDY] / tests.split_info[WINDY] == pytest.approx(0.049, abs=5e-4)
    assert tests.correction[WINDY] == 0.0  # one threshold costs nothing to name


@pytest.mark.parametrize("unknown", [[], [5], [0, 3, 11]])
def test_numeric_columns_of_golf_have_the_figures_of_the_reference(unknown):
    X = NUMBERS.copy()
    X[unknown, HUMIDITY] = np.nan
    tests = feature_tests(naive.node_of(X, PLAY))
    for column in range(3):
        values = X[:, column]
        candidates = []
        for cut in naive.midpoints(values):
            branches = [None if np.isnan(v) else bool(v <= cut) for v in values]
            if min(branches.count(True), branches.count(False)) >= 2:
                candidates.append(book_test(branches, PLAY))
        gain, split_info, _ = max(candidates)
        n_distinct = len(np.unique(values[~np.isnan(values)]))
        correction = np.log2(n_distinct - 1) / 14
        assert tests.gain[column] == pytest.approx(gain, abs=1e-12)
        assert tests.correction[column] == pytest.approx(correction, abs=1e-12)
        assert tests.ratio[column] == pytest.approx((gain - correction) / split_info, abs=1e-12)


def test_humidity_of_golf_gains_a_tenth_of_a_bit_at_80():
    tests = feature_tests(naive.node_of(NUMBERS, PLAY))
    assert tests.gain[HUMIDITY] == pytest.approx(0.102, abs=5e-4)
    assert (tests.low[HUMIDITY], tests.high[HUMIDITY]) == (80.0, 85.0)
    assert tests.correction[HUMIDITY] == pytest.approx(np.log2(8) / 14)


def test_the_books_threshold_is_a_value_of_the_whole_training_set():
    # Among the sunny days the neighbouring values are 70 and 85; the book's tree says humidity <= 75.
    sunny = np.flatnonzero(OUTLOOK == "sunny")
    node = Node(NUMBERS, Classes(PLAY, 2), sunny, np.ones(5), fit_rows=np.arange(14))
    tests = feature_tests(node)
    assert (tests.low[HUMIDITY], tests.high[HUMIDITY]) == (70.0, 85.0)
    assert data_value(node, HUMIDITY, tests) == 75.0
    split = GainRatioSplitter()(node)
    assert (split.features, split.weights.tolist(), split.threshold) == ((HUMIDITY,), [-1.0], -75.0)


def test_unknown_values_are_divided_as_in_the_book():
    # Section 3.3: the sunny branch holds five cases and 5/13 of a case whose outlook is unknown.
    sunny = np.flatnonzero(OUTLOOK == "sunny")
    X = np.append(NUMBERS[sunny, HUMIDITY], 90.0)[:, None]
    y = np.append(PLAY[sunny], 1)
    model = C45Classifier(pruning=None, max_depth=1).fit(X, y, np.array([1, 1, 1, 1, 1, 5 / 13]))
    assert model.tree_.missing[0] == MissingPolicy.BOTH
    np.testing.assert_allclose(sorted(model.tree_.weighted_n_node_samples[1:]), [2.0, 3 + 5 / 13])
    dont, play = model.predict_proba([[np.nan]])[0]
    assert (round(play, 2), round(dont, 2)) == (0.44, 0.56)


def test_rows_with_a_missing_value_are_grown_on_with_fractions():
    X = np.array([[1.0], [2.0], [3.0], [7.0], [8.0], [9.0], [np.nan], [np.nan]])
    y = np.array([0, 0, 0, 1, 1, 1, 0, 1])
    tree = C45Classifier(pruning=None).fit(X, y).tree_
    assert tree.value[0].tolist() == [4.0, 4.0]
    np.testing.assert_allclose(tree.value[1] + tree.value[2], tree.value[0])
    np.testing.assert_allclose(tree.value[1], [3.5, 0.5])


def test_upper_limits_of_the_error_rate_are_the_books():
    limits = {(6, 0): 0.206, (9, 0): 0.143, (1, 0): 0.750, (16, 1): 0.157}
    for (n, errors), expected in limits.items():
        assert (errors + added_errors(n, errors)) / n == pytest.approx(expected, abs=5e-4)
    subtree = sum(added_errors(n, 0) for n in (6, 9, 1))
    leaf = 1 + added_errors(16, 1)
    assert (subtree, leaf) == pytest.approx((3.273, 2.512), abs=6e-3)  # the book adds rounded limits


@pytest.mark.parametrize("n", [1, 2, 5, 16, 100])
def test_errors_grow_with_those_seen(n):
    seen = np.linspace(0, n, 50)
    expected = [e + added_errors(n, e) for e in seen]
    assert np.all(np.diff(expected) > -0.34) and expected[-1] == pytest.approx(n, abs=1e-9)
    assert all(e <= total + 1e-12 for e, total in zip(seen, expected, strict=True))


def test_the_best_ratio_is_taken_among_gains_of_at_least_the_average():
    columns = {"correction": np.zeros(3), "low": np.zeros(3), "high": np.ones(3), "n_cuts": np.ones(3)}
    tests = FeatureTests(gain=np.array([0.5, 0.4, 0.05]), split_info=np.array([1.0, 0.7, 0.06]), **columns)
    assert np.argmax(tests.ratio) == 2 and tests.choose() == 1
    nothing = FeatureTests(
        gain=np.array([0.1, 0.0, -np.inf]), split_info=np.ones(3), **columns | {"correction": np.ones(3)}
    )
    assert nothing.choose() is None


def test_two_objects_are_needed_on_each_side():
    X, y = np.array([0.0, 1, 1, 1, 1, 1, 1, 1])[:, None], [1, 0, 0, 0, 0, 0, 0, 0]
    assert C45Classifier(pruning=None).fit(X, y).get_n_leaves() == 1
    assert C45Classifier(pruning=None, min_objects=1).fit(X, y).get_n_leaves() == 2


def noisy(seed, n=300):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 4)), 1)
    return X, ((X[:, 0] + X[:, 1] > 0) ^ (rng.random(n) < 0.1)).astype(int)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("holes", [False, True])
def test_pruned_trees_hold_the_training_rows_that_reach_their_nodes(seed, holes):
    X, y = noisy(seed)
    if holes:
        X[np.random.default_rng(seed).random(X.shape) < 0.05] = np.nan
    model = C45Classifier().fit(X, y)
    tree = model.tree_
    assert 1 < tree.n_leaves <= C45Classifier(pruning=None).fit(X, y).get_n_leaves()
    inner = ~tree.is_leaf
    np.testing.assert_allclose(
        tree.value[tree.children_left[inner]] + tree.value[tree.children_right[inner]], tree.value[inner]
    )
    if not holes:
        rows = SimpleNamespace(X=X, target=Classes(y, int(y.max()) + 1), weights=np.ones(len(y)))
        np.testing.assert_allclose(node_values(tree, rows, np.arange(len(y))), tree.value)


def charge(tree):
    """Pessimistic errors of the whole tree."""
    value = tree.value[tree.is_leaf]
    sizes, wrong = value.sum(axis=1), value.sum(axis=1) - value.max(axis=1)
    return sum(e + added_errors(n, e) for n, e in zip(sizes, wrong, strict=True))


def test_raising_replaces_subtrees_by_their_heavier_branch():
    raised = 0
    for seed in range(20):
        X, y = noisy(seed)
        with_raising = C45Classifier().fit(X, y).tree_
        without = C45Classifier(raising=False).fit(X, y).tree_
        grown = C45Classifier(pruning=None).fit(X, y).tree_
        assert charge(with_raising) <= charge(grown) + 0.1 * grown.n_nodes
        assert with_raising.n_leaves <= grown.n_leaves
        raised += with_raising.n_leaves != without.n_leaves
    assert raised > 0


class Scripted:
    """Splits on the first feature at the root and on the second below it."""

    criterion = "gain_ratio"
    goes_on_without_time = False

    def __call__(self, node):
        split = GainRatioSplitter(min_objects=0)(node)
        return replace(split, features=(min(node.depth, 1),), weights=np.array([1.0]), threshold=0.5)


def test_a_raised_branch_keeps_its_split_and_takes_all_rows():
    X = np.array([[1, 0]] * 15 + [[1, 1]] * 15 + [[0, 0]] * 3, dtype=float)
    y = X[:, 1].astype(np.int64)
    rows = SimpleNamespace(X=X, target=Classes(y, 2), weights=np.ones(33))
    grow = Grower(X, rows.target, Scripted())
    grown = grow(rows.weights)
    assert grown.features.tolist() == [0, 1]
    tree = Pessimistic()(grown, rows, grow)
    assert (tree.n_leaves, tree.features.tolist(), tree.value.tolist()) == (2, [1], [[18, 15], [0, 15], [18, 0]])
    assert Pessimistic(raising=False)(grown, rows, grow).n_leaves == 3


def test_a_subtree_that_saves_no_training_error_is_a_leaf_even_if_it_is_charged_less():
    # Four classes: 60 of the first, and 15 of each. One leaf of 120 makes the same 45 errors and is charged more.
    X = np.repeat([[0.0], [1.0]], 60, axis=0)
    y = np.concatenate([np.zeros(60, dtype=np.int64), np.repeat(np.arange(4), 15)])
    together, apart = 45 + added_errors(120, 45), 45 + added_errors(60, 0) + added_errors(60, 45)
    assert together > apart + 0.1
    assert C45Classifier(pruning=None).fit(X, y).get_n_leaves() == 2
    assert C45Classifier().fit(X, y).get_n_leaves() == 1


def test_without_the_correction_noise_is_split():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    sizes = [C45Classifier(mdl_correction=paid, pruning=None).fit(X, y).get_n_leaves() for paid in (True, False)]
    assert sizes[0] == 1 and sizes[1] > 10


def test_less_confidence_prunes_more():
    X, y = noisy(1)
    sizes = [C45Classifier(confidence=level).fit(X, y).get_n_leaves() for level in (0.5, 0.25, 0.001)]
    assert sizes[0] >= sizes[1] >= sizes[2] and sizes[0] > sizes[2]


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_thresholds_are_values_of_the_data(load):
    X, y = load(return_X_y=True)
    tree = C45Classifier().fit(X, y).tree_
    for node in tree.split_nodes():
        (feature,), _, threshold = tree.split(node)
        assert -threshold in X[:, feature]


def test_rows_of_weight_zero_have_no_say_in_thresholds():
    X = np.array([[0.0], [1.0], [8.0], [9.0], [3.0]])
    model = C45Classifier(pruning=None).fit(X, [0, 0, 1, 1, 0], [1, 1, 1, 1, 0])
    assert model.tree_.thresholds[0] == -1.0


def test_weights_that_are_shares_are_scaled_to_the_number_of_rows():
    X, y = load_iris(return_X_y=True)
    plain, shares = C45Classifier().fit(X, y).tree_, C45Classifier().fit(X, y, np.full(150, 1 / 150)).tree_
    np.testing.assert_array_equal(plain.thresholds, shares.thresholds)


def test_categorical_columns_are_refused():
    frame = pd.DataFrame({"outlook": pd.Categorical(OUTLOOK), "humidity": NUMBERS[:, HUMIDITY]})
    with pytest.raises(TypeError, match=r"X must be numeric, got categorical columns \['outlook'\]: encode them first"):
        C45Classifier().fit(frame, PLAY)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"confidence": 0.0}, r"confidence must be a number in \[1e-06, 0.5\], got 0.0"),
        ({"min_objects": -1}, "min_objects must be a finite number >= 0, got -1"),
        ({"raising": 1}, "raising must be True or False, got 1"),
        ({"pruning": "cv"}, "pruning must be one of 'pessimistic', got 'cv'"),
        ({"ccp_alpha": 0.1}, "ccp_alpha must be 0 where pruning='pessimistic' chooses the tree, got 0.1"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises((ValueError, TypeError), match=message):
        C45Classifier(**parameters).fit(NUMBERS, PLAY)
