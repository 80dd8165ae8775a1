"""SHAP values of one sample, exactly: by enumeration of the few features on the path to each leaf.

The value of a set ``S`` of features is the mean output over background rows whose features in ``S`` are replaced by the
sample's. The output is a sum over leaves: of each, what it predicts times the part of a row that reaches it, which
depends on the features of its path alone. So each leaf is a game of its few features, and Shapley values add up over
games (Lundberg and Lee, "A unified approach to interpreting model predictions", 2017; the background as they and the
package shap have it, "interventional").
"""

from collections.abc import Iterator
from math import comb

import numpy as np

from cart_elc.inspection.named_tree import NamedTree
from cart_elc.tree import LEFT, UNKNOWN, FloatArray, IntArray, MissingPolicy, Tree

MOST_FEATURES = 16
"""Features of one path; twice the work with each more."""

Path = list[tuple[int, bool]]
"""The splits above a leaf, and whether the way to it goes left."""


def shap_values(named: NamedTree, row: FloatArray, background: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean output over the background, and what each feature adds to it, by output.

    Costs ``2^p`` passes over the background for each leaf with ``p`` features on its path.
    """
    outputs = named.tree.outputs
    base, values = np.zeros(outputs.shape[1]), np.zeros((named.tree.n_features, outputs.shape[1]))
    for leaf, path in paths(named.tree):
        features = np.unique([feature for node, _ in path for feature in named.tree.split(node)[0].tolist()])
        features = features.astype(np.int64)
        reached = worth_of_sets(named, path, features, row, background)
        base += reached[0] * outputs[leaf]
        values[features] += shapley(reached)[:, None] * outputs[leaf]
    return base, values


def paths(tree: Tree) -> Iterator[tuple[int, Path]]:
    """Yield every leaf with the splits above it."""
    pending: list[tuple[int, Path]] = [(0, [])]
    while pending:
        node, path = pending.pop()
        if tree.is_leaf[node]:
            yield node, path
        else:
            pending.append((int(tree.children_left[node]), [*path, (node, True)]))
            pending.append((int(tree.children_right[node]), [*path, (node, False)]))


def worth_of_sets(
    named: NamedTree, path: Path, features: IntArray, row: FloatArray, background: FloatArray
) -> FloatArray:
    """Return the mean part of a row that reaches the leaf for each set of the features, a set being a number's bits."""
    if len(features) > MOST_FEATURES:
        raise ValueError(
            f"values=True must have at most {MOST_FEATURES} features on the path to a leaf, got {len(features)}"
        )
    worth = np.empty(1 << len(features))
    for chosen in range(len(worth)):
        rows, known = background.copy(), features[[bool(chosen >> bit & 1) for bit in range(len(features))]]
        rows[:, known] = row[known]
        worth[chosen] = np.prod([part_of(named, step, rows) for step in path], axis=0).mean() if path else 1.0
    return worth


def part_of(named: NamedTree, step: tuple[int, bool], rows: FloatArray) -> FloatArray:
    """Return the part of each row that a split sends in a direction."""
    node, goes_left = step
    rule = named.tree.rule(node)
    sides = rule.sides(rows, np.arange(len(rows)))
    if_missing = float(named.left_shares[node]) if rule.missing == MissingPolicy.BOTH else float(rule.missing_left)
    left = np.where(sides == UNKNOWN, if_missing, sides == LEFT)
    return left if goes_left else 1.0 - left


def shapley(worth: FloatArray) -> FloatArray:
    """Return the Shapley value of each player; the worth of a set stands at the number whose bits are its players.

    >>> shapley(np.array([0.0, 1.0, 2.0, 4.0]))
    array([1.5, 2.5])
    """
    sets = np.arange(len(worth))
    n_players = len(worth).bit_length() - 1
    sizes = np.array([int(chosen).bit_count() for chosen in sets])
    values = np.zeros(n_players)
    for player in range(n_players):
        without = sets[sets >> player & 1 == 0]
        weights = np.array([1.0 / (n_players * comb(n_players - 1, size)) for size in sizes[without].tolist()])
        values[player] = weights @ (worth[without | 1 << player] - worth[without])
    return values
