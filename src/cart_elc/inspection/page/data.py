"""What the page is told: the tree, its rules and an even choice of rows, as JSON."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cart_elc.inspection.draw.colors import ON_DARK, class_colors
from cart_elc.inspection.draw.split_view import SplitView, margin_band, split_views
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.scores import score_meaning, score_name, score_text
from cart_elc.inspection.wording import as_text
from cart_elc.tree import FloatArray, IntArray, MissingPolicy

FEWEST_PER_LEAF = 3
Json = dict[str, Any]


def page_data(named: NamedTree, X: FloatArray | None, codes: IntArray | None, decimals: int, max_points: int) -> Json:
    """Return everything that the page shows."""
    tree = named.tree
    rules = Rulebook.of(named, decimals)
    used = np.unique(tree.features).tolist()
    views = {} if X is None else {view.node: view for view in split_views(named, X)}
    return {
        "estimator": named.title,
        "score": {"name": score_name(named), "meaning": score_meaning(named)},
        "impurity": named.impurity_name,
        "decimals": decimals,
        "checked": named.rounding is not None,
        "features": [as_text(name) for name in named.features],
        "classes": [as_text(label) for label in named.labels],
        "colors": {"light": class_colors(tree.n_classes), "dark": class_colors(tree.n_classes, ON_DARK)},
        "used": used,
        "fill": None if named.fill is None else named.fill.tolist(),
        "nodes": [node_data(rules, node, views.get(node)) for node in range(tree.n_nodes)],
        "samples": None if X is None else sample_data(named, X, codes, used, max_points),
    }


def node_data(rules: Rulebook, node: int, view: SplitView | None) -> Json:
    """Return one node; leaves lack what belongs to a split."""
    named, tree = rules.named, rules.named.tree
    entry: Json = {
        "n": int(tree.n_node_samples[node]),
        "weight": float(tree.weighted_n_node_samples[node]),
        "value": tree.value[node].tolist(),
        "share": tree.proportions[node].tolist(),
        "impurity": float(tree.impurity[node]),
        "majority": named.majority(node),
    }
    return entry if tree.is_leaf[node] else entry | split_data(rules, node, view)


def split_data(rules: Rulebook, node: int, view: SplitView | None) -> Json:
    """Return the split of a node: stored numbers, the written rule and the certificate."""
    named, tree = rules.named, rules.named.tree
    features, weights, threshold = tree.split(node)
    written = rules.written(node)
    return {
        "left": int(tree.children_left[node]),
        "right": int(tree.children_right[node]),
        "features": features.tolist(),
        "weights": weights.tolist(),
        "threshold": threshold,
        "missing": MissingPolicy(tree.missing[node]).name.lower(),
        "rule": {
            "features": list(written.rule.features),
            "coefficients": list(written.rule.coefficients),
            "atLeast": written.rule.at_least,
            "threshold": written.rule.threshold,
        },
        "note": written.note(rules.decimals),
        "score": finite(tree.score[node]),
        "scoreText": score_text(named, node),
        "bound": finite(tree.bound[node]),
        "proven": bool(tree.proven[node]),
        "candidates": finite(tree.n_candidates[node]),
        "spread": None if view is None or not len(view.points) else view.spread.tolist(),
        "band": list(margin_band(named, node) if view is None else view.band),
        "lacking": 0 if view is None else view.n_missing,
    }


def finite(value: float) -> float | None:
    """Return the number, or None where JSON has none."""
    return float(value) if math.isfinite(value) else None


def sample_data(named: NamedTree, X: FloatArray, codes: IntArray | None, used: list[int], max_points: int) -> Json:
    """Return an even choice of rows on the features that the tree uses, in full precision."""
    predicted = np.argmax(named.tree.predict_value(X), axis=1)
    chosen = thinned(named.tree.apply(X), predicted if codes is None else codes, max_points)
    return {
        "total": len(X),
        "rows": chosen.tolist(),
        "values": [[finite(value) for value in row] for row in X[chosen][:, used]],
        "codes": (predicted if codes is None else codes)[chosen].tolist(),
        "labelled": codes is not None,
    }


def thinned(leaves: IntArray, codes: IntArray, limit: int) -> IntArray:
    """Return at most ``limit`` rows: from every leaf its share, evenly over its classes, and a few at least."""
    if len(leaves) <= limit:
        return np.arange(len(leaves))
    order = np.lexsort((np.arange(len(leaves)), codes, leaves))
    groups = np.split(order, np.flatnonzero(np.diff(leaves[order])) + 1)
    wanted = quotas(np.array([len(rows) for rows in groups]), limit)
    return np.sort(np.concatenate([evenly(rows, number) for rows, number in zip(groups, wanted, strict=True)]))


def evenly(rows: IntArray, wanted: int) -> IntArray:
    """Return so many of the rows, at even distances, the first and the last among them."""
    return rows[np.linspace(0, len(rows) - 1, wanted).round().astype(np.int64)]


def quotas(sizes: IntArray, limit: int) -> list[int]:
    """Divide ``limit`` among groups in proportion to their sizes, each getting a few first.

    Where there are not enough for one each, the largest groups get one.

    Examples
    --------
    >>> quotas(np.array([90, 9, 1]), 20), quotas(np.array([5, 5, 5]), 2)
    ([15, 4, 1], [1, 1, 0])
    """
    if limit < len(sizes):
        return [int(place < limit) for place in np.argsort(np.argsort(-sizes, kind="stable"), kind="stable")]
    few = next(few for few in range(FEWEST_PER_LEAF, 0, -1) if np.minimum(sizes, few).sum() <= limit)
    first = np.minimum(sizes, few)
    rest = sizes - first
    exact = (limit - first.sum()) * rest / max(rest.sum(), 1)
    whole = np.floor(exact).astype(np.int64)
    largest = np.argsort(whole - exact, kind="stable")[: int(limit - first.sum() - whole.sum())]
    whole[largest] += 1  # the largest remainders get what is left over
    return (first + whole).tolist()  # type: ignore[no-any-return]
