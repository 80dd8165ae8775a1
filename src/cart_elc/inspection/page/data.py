"""What the page is told, as JSON: the tree, its rules, an even choice of rows, and the model as a whole."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cart_elc.inspection.draw.colors import ON_DARK
from cart_elc.inspection.draw.split_view import SplitView, margin_band, split_views
from cart_elc.inspection.intervals import interval_text, share_interval
from cart_elc.inspection.model_source import FittedTree
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.node_text import MEANINGS, output_text, score_name, score_text, share_text
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import as_text, level_text, number, one_line, shortened
from cart_elc.tree import LEFT, RIGHT, FloatArray, IntArray, MissingPolicy

FEWEST_PER_LEAF = 3
LONGEST_VALUE = 60
WAYS = {"left": LEFT, "right": RIGHT}
Json = dict[str, Any]


def page_data(named: NamedTree, X: FloatArray | None, codes: IntArray | None, decimals: int, max_points: int) -> Json:
    tree = named.tree
    rules = Rulebook.of(named, decimals)
    meaning = MEANINGS.get(named.criterion, "What the criterion says of the split.")
    used = np.unique(tree.features).tolist()
    views = {} if X is None else {view.node: view for view in split_views(named, X)}
    return {
        "estimator": named.title,
        "score": {"name": score_name(named), "meaning": meaning},
        "impurity": named.impurity_name,
        "decimals": decimals,
        "checked": named.rounding is not None,
        "features": [as_text(name) for name in named.features],
        "classes": [as_text(label) for label in named.labels],
        "colors": {"light": named.colors(), "dark": named.colors(ON_DARK)},
        "numbers": named.bands is not None,
        "units": named.source.note,
        "used": used,
        "categories": [levels and [level_text(level) for level in levels] for levels in named.categories],
        "fill": None if named.fill is None else named.fill.tolist(),
        "nodes": [node_data(rules, node, views.get(node)) for node in range(tree.n_nodes)],
        "samples": None if X is None else sample_data(named, X, codes, used, max_points),
    }


def node_data(rules: Rulebook, node: int, view: SplitView | None) -> Json:
    named, tree = rules.named, rules.named.tree
    entry: Json = {
        "n": int(tree.n_node_samples[node]),
        "weight": float(tree.weighted_n_node_samples[node]),
        "value": named.counts[node].tolist(),
        "share": named.shares[node].tolist(),
        "impurity": float(tree.impurity[node]),
        "majority": named.majority(node),
    }
    if named.bands is not None:
        entry |= {"mean": float(named.bands.means[node])}
        entry |= {"output": output_text(named, node), "sd": share_text(named, node)}
    else:
        entry |= {"interval": interval_text(share_interval(named, node))}
    return entry if tree.is_leaf[node] else entry | split_data(rules, node, view)


def split_data(rules: Rulebook, node: int, view: SplitView | None) -> Json:
    named, tree = rules.named, rules.named.tree
    features, weights, threshold = tree.split(node)
    written, subset = rules.written(node), bool(tree.is_categorical[node])
    return {
        "left": int(tree.children_left[node]),
        "right": int(tree.children_right[node]),
        "features": features.tolist(),
        "weights": weights.tolist(),
        "threshold": threshold,
        "missing": MissingPolicy(tree.missing[node]).name.lower(),
        "levels": {way: tree.rule(node).levels_of(side) for way, side in WAYS.items()} if subset else None,
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
    predicted = named.predicted(X)
    chosen = thinned(named.tree.apply(X), predicted if codes is None else codes, max_points)
    return {
        "total": len(X),
        "rows": chosen.tolist(),
        "values": [[finite(value) for value in row] for row in X[chosen][:, used]],
        "codes": (predicted if codes is None else codes)[chosen].tolist(),
        "labelled": codes is not None,
    }


def thinned(leaves: IntArray, codes: IntArray, limit: int) -> IntArray:
    """Return at most ``limit`` rows: a few of every leaf, or one of the largest, and of all others an even choice.

    Both are at even distances in the order of leaves and classes, so that each has its share.
    """
    if len(leaves) <= limit:
        return np.arange(len(leaves))
    order = np.lexsort((np.arange(len(leaves)), codes, leaves))
    groups = sorted(np.split(order, np.flatnonzero(np.diff(leaves[order])) + 1), key=len, reverse=True)
    enough = (few for few in range(FEWEST_PER_LEAF, 1, -1) if sum(min(len(rows), few) for rows in groups) <= limit)
    few = next(enough, 1)
    first = np.concatenate([evenly(rows, min(few, len(rows))) for rows in groups])[:limit]
    others = order[~np.isin(order, first)]
    return np.sort(np.concatenate([first, evenly(others, limit - len(first))]))


def evenly(rows: IntArray, wanted: int) -> IntArray:
    """Return so many of the rows, at even distances, the first and the last among them."""
    return rows[np.linspace(0, len(rows) - 1, wanted).round().astype(np.int64)]


def about(model: FittedTree, named: NamedTree, X: FloatArray | None, labels: NDArray[Any] | None) -> Json:
    judge = judged if named.bands is None else judged_numbers
    return {
        "parameters": parameters(model),
        "importances": importances(model, named),
        "training": training_share(named),
        "given": None if X is None or labels is None else judge(named, X, labels),
    }


def parameters(model: FittedTree) -> list[list[str]]:
    tell = getattr(model, "get_params", None)
    given = {} if tell is None else tell(deep=False)
    return [[one_line(str(name)), shortened(one_line(repr(value)), LONGEST_VALUE)] for name, value in given.items()]


def importances(model: FittedTree, named: NamedTree) -> list[list[float]] | None:
    """Return the features with an importance, the largest first, as pairs of position and share."""
    values = getattr(model, "feature_importances_", None)
    if values is None or len(values) != named.tree.n_features:
        return None
    order = np.argsort(-np.asarray(values), kind="stable").tolist()
    return [[j, float(values[j])] for j in order if values[j] > 0]


def training_share(named: NamedTree) -> float:
    """Return how much of the training weight has the class that its leaf predicts, or of the squared error is gone."""
    value = named.tree.value[named.tree.is_leaf]
    if named.bands is not None:
        before = float(named.tree.value[0, 2])
        return 1.0 - float(value[:, 2].sum()) / before if before > 0 else 1.0
    return float(value.max(axis=1).sum() / value.sum())


def judged(named: NamedTree, X: FloatArray, codes: IntArray) -> Json:
    """Return how many rows of each class are predicted as which: a row of the matrix is a true class."""
    predicted = named.predicted(X)
    confusion = np.zeros((named.n_classes, named.n_classes), dtype=np.int64)
    np.add.at(confusion, (codes, predicted), 1)
    right = int(np.trace(confusion))
    return {"n": len(codes), "right": right, "confusion": confusion.tolist()}


def judged_numbers(named: NamedTree, X: FloatArray, y: NDArray[Any]) -> Json:
    """Return how far predictions are from the numbers: the share of the squared error that is gone, and its root."""
    errors = named.tree.predict_value(X)[:, 0] - y
    spread = float(np.var(y))
    error = float(np.mean(errors**2)) if len(y) else 0.0
    explained = 1.0 - error / spread if spread > 0 else None
    return {"n": len(y), "explained": explained, "error": number(float(f"{math.sqrt(error):.4g}"))}
