"""The growth loop works with any splitter, and its partition is the one that prediction makes."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier

from cart_elc.growing import ASSUMED_LEVELS
from cart_elc.splitters import Deadline, Split
from cart_elc.tree import MissingPolicy
from stand_in import AxisSplitter, ObliqueSplitter, grown

IRIS = load_iris(return_X_y=True)


def leaf_counts(tree, X, y, weights=None):
    counts = np.zeros((tree.n_nodes, tree.n_classes))
    np.add.at(counts, (tree.apply(X), y), 1.0 if weights is None else weights)
    return counts[tree.is_leaf]


@pytest.mark.parametrize("splitter", [AxisSplitter(), ObliqueSplitter()], ids=["axis", "oblique"])
@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_training_partition_equals_apply(splitter, seed):
    generator = np.random.default_rng(seed)
    n, m = generator.integers(2, 40), generator.integers(1, 5)
    scale = 10.0 ** generator.integers(-8, 9, m)
    X = (generator.integers(0, 6, (n, m)) / 10 + generator.integers(0, 3)) * scale
    y = generator.integers(0, 3, n)
    y[:3] = np.arange(min(n, 3))
    tree = grown(X, y, splitter)
    codes = np.unique(y, return_inverse=True)[1]
    assert np.array_equal(leaf_counts(tree, X, codes), tree.value[tree.is_leaf])
    assert np.array_equal(
        np.bincount(tree.apply(X), minlength=tree.n_nodes)[tree.is_leaf], tree.n_node_samples[tree.is_leaf]
    )


def test_nodes_stand_in_preorder_and_children_add_up():
    tree = grown(*IRIS)
    ends = tree.subtree_ends()
    for node in tree.split_nodes():
        left, right = tree.children_left[node], tree.children_right[node]
        assert left == node + 1
        assert right == ends[left]
        assert np.array_equal(tree.value[node], tree.value[left] + tree.value[right])
        assert tree.n_node_samples[node] == tree.n_node_samples[left] + tree.n_node_samples[right]
    assert ends[0] == tree.n_nodes


def test_a_tree_of_midpoint_splits_equals_scikit_learns():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:150, :6].astype(np.float32).astype(np.float64)
    y = y[:150]
    reference = DecisionTreeClassifier(random_state=0, max_depth=1).fit(X, y).tree_
    tree = grown(X, y, max_depth=1)
    assert reference.impurity[1:] @ reference.n_node_samples[1:] == pytest.approx(
        tree.impurity[1:] @ tree.n_node_samples[1:], rel=1e-12
    )


@pytest.mark.parametrize(
    ("stopping", "holds"),
    [
        ({"max_depth": 2}, lambda tree: tree.max_depth == 2),
        ({"min_samples_split": 60}, lambda tree: tree.n_node_samples[~tree.is_leaf].min() >= 60),
        ({"min_samples_leaf": 7}, lambda tree: tree.n_node_samples.min() >= 7),
        ({"min_weight_fraction_leaf": 0.1}, lambda tree: tree.weighted_n_node_samples.min() >= 15),
        ({"max_leaf_nodes": 4}, lambda tree: tree.n_leaves == 4),
        ({"min_impurity_decrease": 0.05}, lambda tree: tree.n_leaves == 3),
        ({"max_depth": 1, "max_leaf_nodes": 9}, lambda tree: tree.n_leaves == 2),
    ],
)
def test_stopping_rules_hold(stopping, holds):
    tree = grown(*IRIS, **stopping)
    assert tree.n_leaves > 1
    assert holds(tree)


def test_best_first_growth_makes_scikit_learns_leaves():
    X, y = IRIS
    X = X.astype(np.float32).astype(np.float64)
    for n_leaves in range(2, 7):
        reference = DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=0).fit(X, y).tree_
        tree = grown(X, y, max_leaf_nodes=n_leaves)
        leaf_risk = (tree.impurity * tree.weighted_n_node_samples)[tree.is_leaf].sum()
        reference_leaves = reference.children_left < 0
        reference_risk = (reference.impurity * reference.weighted_n_node_samples)[reference_leaves].sum()
        assert tree.n_leaves == reference.n_leaves
        assert leaf_risk == pytest.approx(reference_risk, abs=1e-9)


def test_best_first_growth_without_a_binding_limit_is_the_depth_first_tree():
    tree, other = grown(*IRIS), grown(*IRIS, max_leaf_nodes=1000)
    for name in ("children_left", "children_right", "features", "thresholds", "value"):
        assert np.array_equal(getattr(tree, name), getattr(other, name), equal_nan=True)


def test_a_weight_of_two_is_a_row_twice_and_zero_is_no_row():
    X, y = IRIS
    repeats = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = grown(X, y, weights=repeats)
    repeated = grown(np.repeat(X, repeats, axis=0), np.repeat(y, repeats))
    assert np.array_equal(weighted.thresholds, repeated.thresholds, equal_nan=True)
    assert np.array_equal(weighted.value, repeated.value)
    assert weighted.n_node_samples[0] == np.count_nonzero(repeats)


def test_one_class_makes_a_lone_root():
    tree = grown([[1.0], [2.0]], [3, 3])
    assert (tree.n_nodes, tree.max_depth, tree.n_leaves) == (1, 0, 1)
    assert tree.predict_value([[5.0]]).tolist() == [[1.0]]


def test_a_split_that_leaves_a_side_empty_makes_a_leaf():
    class Everything(AxisSplitter):
        def __call__(self, node):
            return self.split((0,), -np.inf, 0.5)

    assert grown(*IRIS, Everything()).n_nodes == 1


def test_a_split_without_gain_is_accepted():
    xor = grown([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    assert xor.n_leaves == 4


def test_nodes_that_were_not_searched_by_the_deadline_become_leaves():
    class Slow(AxisSplitter):
        def __call__(self, node):
            time.sleep(0.05)
            return super().__call__(node)

    soon, past = Deadline(time.monotonic() + 0.02), Deadline(time.monotonic() - 1)
    tree = grown(*IRIS, Slow(), deadline=soon)
    assert tree.n_leaves == 2  # the root, at work when time ran out, keeps its split
    assert (soon.n_unproven, soon.n_unsearched) == (0, 1)  # the other child has one class
    assert grown(*IRIS, Slow(), deadline=past).n_leaves == 1
    assert (past.n_unproven, past.n_unsearched) == (0, 1)


def test_a_splitter_that_goes_on_without_time_grows_the_whole_tree():
    class Tireless(AxisSplitter):
        goes_on_without_time = True

    past = Deadline(time.monotonic() - 1)
    tree = grown(*IRIS, Tireless(), deadline=past)
    assert np.array_equal(tree.thresholds, grown(*IRIS).thresholds, equal_nan=True)
    assert (past.n_unproven, past.n_unsearched) == (0, 0)


@pytest.mark.parametrize(("max_depth", "first_share"), [(1, 60.0), (4, 15.0), (None, 60.0 / ASSUMED_LEVELS)])
def test_the_time_is_shared_by_rows_and_levels(monkeypatch, max_depth, first_share):
    now, shares = [100.0], []

    class Greedy(AxisSplitter):
        goes_on_without_time = True

        def __call__(self, node):
            shares.append((len(node.rows), node.depth, node.seconds))
            now[0] += node.seconds
            return super().__call__(node)

    monkeypatch.setattr("time.monotonic", lambda: now[0])
    tree = grown(*IRIS, Greedy(), deadline=Deadline.within(60.0), max_depth=max_depth)
    assert len(shares) >= tree.n_leaves - 1
    assert shares[0] == (150, 0, first_share)
    assert all(seconds > 0 for _, _, seconds in shares)
    assert sum(seconds for _, _, seconds in shares) <= 60.0 * (1 + 1e-9)
    if max_depth is not None:
        assert now[0] == pytest.approx(160.0)  # the last node has all that is left


def test_siblings_share_the_time_by_their_rows(monkeypatch):
    shares = []

    class Quick(AxisSplitter):
        goes_on_without_time = True

        def __call__(self, node):
            shares.append(node.seconds)
            return self.split((0,), 2.5, 0.5) if node.depth == 0 else super().__call__(node)

    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    X, y = np.arange(10.0)[:, None], np.arange(10) % 2
    grown(X, y, Quick(), deadline=Deadline.within(20.0), max_depth=2)
    assert shares == [10.0, pytest.approx(14.0), pytest.approx(20.0)]  # 7 of the 10 rows, then all that is left


def test_a_deadline_counts_only_what_it_cut_short():
    later = Deadline(time.monotonic() + 3600)
    grown(*IRIS, ObliqueSplitter(), max_depth=2, deadline=later)
    assert (later.n_unproven, later.n_unsearched) == (0, 0)
    past = Deadline(time.monotonic() - 1)
    grown(*IRIS, max_depth=0, deadline=past)
    assert past.n_unsearched == 0  # the depth forbids the search, not the time


@pytest.mark.parametrize("policy", [MissingPolicy.LEFT, MissingPolicy.RIGHT])
def test_rows_with_missing_values_follow_the_policy(policy):
    X = np.array([[0.0], [1.0], [2.0], [3.0], [np.nan]])
    tree = grown(X, [0, 0, 1, 1, int(policy == MissingPolicy.LEFT)], AxisSplitter(missing=policy))
    assert tree.n_nodes == 3
    child = tree.children_left[0] if policy == MissingPolicy.LEFT else tree.children_right[0]
    assert tree.apply(X)[-1] == child
    assert tree.n_node_samples[child] == 3


def test_the_policy_both_divides_a_row_by_the_weights_of_the_complete_rows():
    X = np.array([[0.0], [1.0], [2.0], [np.nan]])
    tree = grown(X, [0, 1, 1, 0], AxisSplitter(missing=MissingPolicy.BOTH), max_depth=1)
    left, right = tree.children_left[0], tree.children_right[0]
    assert tree.split(0)[2] == 0.5
    assert tree.n_node_samples.tolist() == [4, 3, 2]
    assert tree.weighted_n_node_samples[[left, right]] == pytest.approx([2 + 2 / 3, 1 + 1 / 3])
    expected = (2 / 3) * tree.proportions[left] + (1 / 3) * tree.proportions[right]
    assert tree.predict_value([[np.nan]])[0] == pytest.approx(expected)
    assert tree.apply([[np.nan]])[0] == left
    assert tree.decision_path([[np.nan]]).toarray().tolist() == [[True, True, True]]


def test_a_split_that_is_not_found_says_so_and_derives_its_policy():
    split = AxisSplitter().split((), 0.0, np.inf)
    assert isinstance(split, Split)
    assert not split.found
    assert split.missing == MissingPolicy.RIGHT


def test_the_number_of_candidates_may_exceed_every_float():
    assert grown(*IRIS, ObliqueSplitter(), max_depth=1).n_candidates[0] == np.inf
