"""The nodes of a tree as JSON objects, in preorder; `cart_elc.estimators.persistence` describes the whole file."""

from typing import Any

import numpy as np

from cart_elc.tree.building import OF_SPLITS, NodeRecord, from_nodes
from cart_elc.tree.rule import LEFT, RIGHT, UNKNOWN, MissingPolicy, Sides
from cart_elc.tree.structure import COLUMNS, Tree

Json = dict[str, Any]
OF_NODES = {name: column for name, column in COLUMNS.items() if name not in OF_SPLITS}
CERTIFICATE = [name for name in OF_SPLITS if name not in ("children_left", "children_right", "missing", "levels")]
MOST_LEVELS = 1_000_000
"""More than any category has: what a damaged file may ask for is bounded by it."""
LEVEL_KEYS = {LEFT: "left_levels", RIGHT: "right_levels"}


def encode_tree(tree: Tree) -> list[Json]:
    return [encode_node(tree, node) for node in range(tree.n_nodes)]


def encode_node(tree: Tree, node: int) -> Json:
    """Return a node as an object; only splits have the split's keys."""
    entry: Json = {column.key: getattr(tree, name)[node] for name, column in OF_NODES.items()}
    if tree.is_leaf[node]:
        return entry
    features, weights, _ = tree.split(node)
    entry |= {"left": tree.children_left[node], "right": tree.children_right[node]}
    entry |= {"features": features, "weights": weights, "missing": MissingPolicy(tree.missing[node]).name.lower()}
    if tree.is_categorical[node]:
        entry |= {key: tree.rule(node).levels_of(side) for side, key in LEVEL_KEYS.items()}
    return entry | {COLUMNS[name].key: getattr(tree, name)[node] for name in CERTIFICATE}


def decode_tree(nodes: list[Json], *, n_features: int, width: int, criterion: str, target: str) -> Tree:
    """Return the tree of the nodes, checked so that prediction cannot leave its arrays."""
    tree = from_nodes([decode_node(node) for node in nodes], n_features=n_features, criterion=criterion, target=target)
    check_links(tree, nodes)
    check_shapes(tree, width)
    check_numbers(tree)
    return tree


def decode_node(node: Json) -> NodeRecord:
    own = {name: node[column.key] for name, column in OF_NODES.items()}
    value = np.array(own["value"], dtype=np.float64)
    split = decode_split(node) if "left" in node else None
    if split is None and ("features" in node or "weights" in node):
        raise ValueError("a split must have features, and a leaf none")
    return NodeRecord(value, own["n_node_samples"], own["weighted_n_node_samples"], own["impurity"], split)


def decode_split(node: Json) -> Json:
    if len(node["features"]) != len(node["weights"]):
        raise ValueError("a split must have as many weights as features")
    entries = {name: node[COLUMNS[name].key] for name in CERTIFICATE}
    missing = MissingPolicy[node.get("missing", "right").upper()]
    levels = decode_levels(node) if LEVEL_KEYS[LEFT] in node else None
    return entries | {"features": node["features"], "weights": node["weights"], "missing": missing, "levels": levels}


def decode_levels(node: Json) -> Sides:
    """Return the side of each level that a file has as a list of codes for each side."""
    codes = {side: node[key] for side, key in LEVEL_KEYS.items()}
    named = [*codes[LEFT], *codes[RIGHT]]
    if len(node["features"]) != 1 or not named or len(set(named)) < len(named):
        raise ValueError("a split on a category must have one feature, and each of its levels on one side")
    if not all(type(code) is int and 0 <= code < MOST_LEVELS for code in named):
        raise ValueError(f"levels must be whole numbers in [0, {MOST_LEVELS - 1}]")
    sides = np.full(max(named) + 1, UNKNOWN, dtype=np.int8)
    for side, levels in codes.items():
        sides[levels] = side
    return sides


def check_links(tree: Tree, nodes: list[Json]) -> None:
    """Check that the children named in the file are those of nodes in preorder."""
    for node in tree.split_nodes():
        if (nodes[node]["left"], nodes[node]["right"]) != (tree.children_left[node], tree.children_right[node]):
            raise ValueError("the children are not those of a tree in preorder")


def check_shapes(tree: Tree, width: int) -> None:
    if tree.value.shape != (tree.n_nodes, width) or tree.n_nodes == 0:
        raise ValueError(f"value has shape {tree.value.shape}, expected ({tree.n_nodes}, {width})")
    if np.any((tree.features < 0) | (tree.features >= tree.n_features)):
        raise ValueError(f"features must be in [0, {tree.n_features - 1}]")


def check_numbers(tree: Tree) -> None:
    """Check that every node has counts to predict from, and every split a rule."""
    counts = tree.value if tree.target == "classes" else tree.value[:, [0, 2]]
    weights = counts.sum(axis=1) if tree.target == "classes" else counts[:, 0]
    if not np.all(np.isfinite(tree.value)) or not np.all(counts >= 0) or not np.all(weights > 0):
        raise ValueError("the counts of a node must be finite, not negative, and not all zero")
    if np.any((np.diff(tree.indptr) > 0) == tree.is_leaf):
        raise ValueError("a split must have features, and a leaf none")
    if np.any(np.isnan(tree.weights)) or np.any(np.isnan(tree.thresholds) != tree.is_leaf):
        raise ValueError("the weights and the threshold of a split must be numbers")
    if not all(tree.split(node)[1].any() for node in tree.split_nodes()):
        raise ValueError("a split must have a weight other than zero")
