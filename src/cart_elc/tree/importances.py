"""Feature importances of oblique trees."""

import numpy as np

from cart_elc.tree import FloatArray, IntArray, Tree


def feature_importances(tree: Tree, X: FloatArray, sample_weight: FloatArray, node_rows: list[IntArray]) -> FloatArray:
    """Return each feature's share in the tree's total impurity decrease.

    A split's weighted impurity decrease ``N_t / N * (I_t - N_L / N_t I_L - N_R / N_t I_R)`` is shared among its
    features in proportion to ``|w_j| s_j``, where ``s_j`` is the weighted standard deviation of feature ``j`` over
    the node's training rows (missing values left out). The product is how much of ``w.x`` the feature moves, so the
    shares do not depend on units. With one feature per split this is scikit-learn's Gini importance. The
    result sums to 1, or is all zero if no split decreases the impurity.

    ``node_rows`` is what `Tree.node_rows` says of ``X``.
    """
    totals = np.zeros(tree.n_features)
    decreases = impurity_decreases(tree)
    alone = np.diff(tree.indptr) == 1
    np.add.at(totals, tree.features[tree.indptr[:-1][alone]], decreases[alone])
    for node in tree.split_nodes():
        if alone[node]:
            continue
        rows = node_rows[node]
        features, weights, _ = tree.split(node)
        totals[features] += decreases[node] * shares(X[np.ix_(rows, features)], weights, sample_weight[rows])
    total = totals.sum()
    return totals / total if total > 0 else np.zeros(tree.n_features)


def impurity_decreases(tree: Tree) -> FloatArray:
    """Weighted impurity decrease of each node's split, as a share of the root's weight; 0 at a leaf."""
    risk = tree.impurity * tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    children = np.stack([tree.children_left, tree.children_right])
    return np.where(tree.is_leaf, 0.0, np.maximum(risk - risk[children].sum(axis=0), 0.0))


def shares(values: FloatArray, weights: FloatArray, sample_weight: FloatArray) -> FloatArray:
    """Shares of a split's features; equal ones where no feature moves at all."""
    moved = np.abs(weights) * spread(values, sample_weight)
    total = moved.sum()
    if not (np.isfinite(total) and total > 0):
        return np.full(len(weights), 1.0 / len(weights))
    share: FloatArray = moved / total
    return share


def spread(values: FloatArray, sample_weight: FloatArray) -> FloatArray:
    """Weighted standard deviation of each column over its complete rows; 0 for a column without any."""
    known = ~np.isnan(values)
    mass = np.where(known, sample_weight[:, None], 0.0)
    total = np.maximum(mass.sum(axis=0), np.finfo(np.float64).tiny)
    with np.errstate(over="ignore", invalid="ignore"):  # values near 1e308: the caller falls back to equal shares
        known_values = np.where(known, values, 0.0)
        mean = (mass * known_values).sum(axis=0) / total
        deviation: FloatArray = np.sqrt((mass * np.square(known_values - mean)).sum(axis=0) / total)
    return deviation
