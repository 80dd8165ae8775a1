"""Cost-complexity pruning agrees with scikit-learn's on the same tree."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from cart_elc.criteria import EXACT
from cart_elc.pruning.cost_complexity import prune, pruning_path
from cart_elc.tree import Tree
from cart_elc.tree.building import collapse
from cart_elc.tree.structure import DTYPES
from stand_in import AxisSplitter, ObliqueSplitter, grown


def from_scikit_learn(fitted):
    """Return scikit-learn's tree in our arrays; its left (<=) is our right, so the nodes are renumbered."""
    source, order, pending = fitted.tree_, [], [0]
    while pending:
        node = pending.pop()
        order.append(node)
        if source.children_left[node] >= 0:
            pending.extend([source.children_left[node], source.children_right[node]])
    ids = np.argsort(order)
    inner = source.children_left[order] >= 0
    n = len(order)
    columns = {name: np.zeros(n) for name in DTYPES}
    columns["children_left"] = np.where(inner, ids[source.children_right[order]], -1)
    columns["children_right"] = np.where(inner, ids[source.children_left[order]], -1)
    columns["indptr"] = np.concatenate([[0], np.cumsum(inner)])
    columns["features"] = source.feature[order][inner]
    columns["weights"] = np.ones(inner.sum())
    columns["thresholds"] = np.where(inner, np.nextafter(source.threshold[order], np.inf), np.nan)
    for name in ("impurity", "n_node_samples", "weighted_n_node_samples"):
        columns[name] = getattr(source, name)[order]
    columns["levels"] = np.empty((n, 0))
    columns["value"] = source.value[order, 0] * source.weighted_n_node_samples[order, None]
    return Tree(source.n_features, "gini", "classes", **columns)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_path_is_scikit_learns(load, criterion):
    X, y = load(return_X_y=True)
    reference = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
    path = pruning_path(from_scikit_learn(reference))
    expected = reference.cost_complexity_pruning_path(X, y)
    assert path.ccp_alphas == pytest.approx(expected.ccp_alphas, abs=1e-12)
    # Among equal alphas the order of the steps is free: impurities are compared where the alpha has been exhausted.
    exhausted = np.append(np.diff(path.ccp_alphas) > 1e-12, True)
    assert path.impurities[exhausted] == pytest.approx(expected.impurities[exhausted], abs=1e-12)


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_the_pruned_tree_is_scikit_learns(load):
    X, y = load(return_X_y=True)
    X = X.astype(np.float32).astype(np.float64)
    whole = DecisionTreeClassifier(random_state=0).fit(X, y)
    tree = from_scikit_learn(whole)
    for alpha in (0.001, 0.005, 0.02, 0.1, 1.0):
        expected = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y)
        assert prune(tree, alpha).predict_value(X) == pytest.approx(expected.predict_proba(X))


@pytest.mark.parametrize("splitter", [AxisSplitter("information_gain"), ObliqueSplitter()], ids=["axis", "oblique"])
def test_pruning_at_each_alpha_reaches_the_impurity_of_the_path(splitter):
    tree = grown(*load_wine(return_X_y=True), splitter)
    path = pruning_path(tree)
    total = tree.weighted_n_node_samples[0]
    for i in range(1, len(path.ccp_alphas)):
        pruned = prune(tree, max(path.ccp_alphas[: i + 1]))
        risk = float((pruned.impurity * pruned.weighted_n_node_samples)[pruned.is_leaf].sum() / total)
        assert any(risk == pytest.approx(impurity, abs=1e-12) for impurity in path.impurities[i:])
    assert prune(tree, path.ccp_alphas.max()).n_nodes == 1


def test_alpha_zero_keeps_the_tree_and_a_lone_root_stays():
    tree = grown(*load_iris(return_X_y=True))
    assert prune(tree, 0.0) is tree
    root = prune(tree, 10.0)
    assert prune(root, 10.0) is root
    assert pruning_path(root).ccp_alphas.tolist() == [0.0]


def test_collapsed_nodes_are_proper_leaves():
    X, y = load_iris(return_X_y=True)
    tree = grown(X, y, ObliqueSplitter())
    node = list(tree.split_nodes())[1]
    pruned = collapse(tree, [node])
    kept = np.setdiff1d(np.arange(tree.n_nodes), np.arange(node + 1, tree.subtree_ends()[node]))
    assert pruned.n_nodes == len(kept)
    assert np.array_equal(pruned.value, tree.value[kept])
    assert np.isnan(pruned.thresholds[pruned.is_leaf]).all()
    assert not pruned.n_candidates[pruned.is_leaf].any()
    assert np.array_equal(np.diff(pruned.indptr) > 0, ~pruned.is_leaf)
    inside = tree.decision_path(X).toarray()[:, node]
    assert np.array_equal(pruned.apply(X)[inside], np.full(inside.sum(), node))
    assert np.array_equal(kept[pruned.apply(X)[~inside]], tree.apply(X)[~inside])


def test_every_criterion_prunes_by_a_node_impurity():
    for name in EXACT:
        path = pruning_path(grown(*load_iris(return_X_y=True), AxisSplitter(name)))
        assert (path.ccp_alphas >= -1e-12).all()
        assert (np.diff(path.impurities) >= -1e-12).all()
