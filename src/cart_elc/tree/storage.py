"""The nodes of a tree as JSON objects, in preorder; `cart_elc.estimators.persistence` describes the whole file."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cart_elc.tree.arrays import FloatArray
from cart_elc.tree.building import OF_SPLITS, NodeRecord, from_nodes
from cart_elc.tree.fields import Field, Json
from cart_elc.tree.rule import LEFT, RIGHT, UNKNOWN, MissingPolicy, Sides
from cart_elc.tree.structure import COLUMNS, Tree

OF_NODES = {name: column for name, column in COLUMNS.items() if name not in OF_SPLITS}
CERTIFICATE = [name for name in OF_SPLITS if name not in ("children_left", "children_right", "missing", "levels")]
LEVEL_KEYS = {LEFT: "left_levels", RIGHT: "right_levels"}
NODE_KEYS = frozenset(column.key for column in OF_NODES.values())
SPLIT_KEYS = frozenset(column.key for column in OF_SPLITS.values()) | {"features", "weights", *LEVEL_KEYS.values()}
POLICIES = [policy.name.lower() for policy in MissingPolicy]
LARGEST_COUNT = 2**63 - 1
TOLERANCE = 1e-6
"""How far, relative to it, a sum may be from what another field says that it is."""


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


def decode_tree(nodes: Field, *, n_classes: int | None, criterion: str, n_levels: Sequence[int]) -> Tree:
    """Return the tree of the nodes, of numbers if there are no classes; each feature has so many levels.

    Every field is checked for type and range, and for what it must have to do with others.
    """
    target = "number" if n_classes is None else "classes"
    entries = nodes.items()
    records = [decode_node(node, n_classes, n_levels) for node in entries]
    try:
        tree = from_nodes(records, n_features=len(n_levels), criterion=criterion, target=target)
    except ValueError as error:
        raise ValueError(f"{nodes.name}: {error}") from None
    for node in tree.split_nodes():
        for key, children in (("left", tree.children_left), ("right", tree.children_right)):
            child = entries[node][key]
            if child.integer(0, len(entries)) != children[node]:
                child.refuse(f"{children[node]}, as the nodes are in preorder")
    return tree


def decode_node(node: Field, n_classes: int | None, n_levels: Sequence[int]) -> NodeRecord:
    is_split = "left" in node
    for key in node.members():
        if key not in NODE_KEYS and not (is_split and key in SPLIT_KEYS):
            raise ValueError(f"{node.name} must be a {'split' if is_split else 'leaf'}, which has no {key!r}")
    weight = node["weight"].real(low=0.0)
    return NodeRecord(
        value=decode_statistics(node["value"], n_classes, weight),
        n_samples=node["n_samples"].integer(1, LARGEST_COUNT),
        weight=weight,
        impurity=node["impurity"].real(low=0.0),
        split=decode_split(node, n_levels) if is_split else None,
    )


def decode_statistics(value: Field, n_classes: int | None, weight: float) -> FloatArray:
    """Return the weight of each class, or weight, mean and sum of squared deviations, which have the node's weight."""
    if n_classes is None:
        total, mean, deviations = value.items(3)
        statistics = np.array([total.real(low=0.0), mean.real(), deviations.real(low=0.0)])
    else:
        statistics = np.array([count.real(low=0.0) for count in value.items(n_classes)])
    has = float(statistics[0] if n_classes is None else statistics.sum())
    if not weight > 0 or not math.isclose(has, weight, rel_tol=TOLERANCE):
        value.refuse(f"of the node's weight, {weight:g}, which is more than 0")
    return statistics


def decode_split(node: Field, n_levels: Sequence[int]) -> Json:
    features = [feature.integer(0, len(n_levels) - 1) for feature in node["features"].items()]
    weights = [weight.real() for weight in node["weights"].items(len(features))]
    if sorted(set(features)) != features or not features:
        node["features"].refuse("ascending, and at least one")
    if not any(weights):
        node["weights"].refuse("other than all zero")
    missing = node["missing"].text(POLICIES) if "missing" in node else POLICIES[MissingPolicy.RIGHT]
    certificate = {name: decode_certificate(name, node[COLUMNS[name].key]) for name in CERTIFICATE}
    check_proof(node, certificate)
    levels = decode_sides(node, n_levels[features[0]]) if LEVEL_KEYS[LEFT] in node else None
    policy = MissingPolicy[missing.upper()]
    return certificate | {"features": features, "weights": weights, "missing": policy, "levels": levels}


def check_proof(node: Field, certificate: Json) -> None:
    """Refuse the bound of a proven split that is not its score; one that is proven given the rest has none."""
    score, bound = certificate["score"], certificate["bound"]
    if certificate["proven"] and math.isfinite(bound) and not math.isclose(score, bound, rel_tol=TOLERANCE):
        node["bound"].refuse(f"the score of a split that is proven, {score:g}")


def decode_sides(node: Field, n_levels: int) -> Sides:
    """Return the side of each level of a category, which a file has as a list of codes for each side."""
    node["features"].items(1)
    sides = np.full(n_levels, UNKNOWN, dtype=np.int8)
    for side, key in LEVEL_KEYS.items():
        for level in node[key].items():
            code = level.integer(0, n_levels - 1)
            if sides[code] != UNKNOWN:
                level.refuse("a level that is named once")
            sides[code] = side
    if not (sides != UNKNOWN).any():
        node[LEVEL_KEYS[LEFT]].refuse("levels, on one side at least")
    return sides


def decode_certificate(name: str, entry: Field) -> Any:  # noqa: ANN401
    """Return an entry of a split that is one number, or whether it is proven."""
    if name == "proven":
        return entry.flag()
    if name == "thresholds":
        return entry.real()
    number = entry.any_number()
    if name in ("n_candidates", "margin") and number < 0:
        entry.refuse("a number >= 0")
    return number
