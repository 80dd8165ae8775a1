"""Models as JSON files that a person can read and that run no code when they are loaded.

A file is one object: ``format`` ("cart-elc"), ``version`` (1), ``estimator`` (its class name), ``params``, ``classes``
(``dtype`` and ``values``), ``n_features``, ``feature_names`` (or null), ``feature_importances``, ``rounding`` (see
`cart_elc.rounding`; may be absent), ``fill_values`` (what replaces missing values; only for estimators that impute) and
``nodes``. Nodes stand in preorder, one per line: ``n_samples``, ``weight``,
``impurity`` and ``value`` (weight per class); a split adds ``left`` and ``right`` (node numbers), ``features``,
``weights``, ``threshold``, ``missing`` ("left", "right" or "both") and its certificate: ``score``, ``bound``,
``proven``, ``n_candidates``, ``margin``. Numbers are written so that they read back to the same bits; those that JSON
lacks are the strings "nan", "inf" and "-inf". In ``params`` a dict is ``{"pairs": [[key, value], ...]}``, and a
text that reads as one of those numbers is ``{"text": "inf"}``.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cart_elc.tree import DTYPES, NO_CHILD, MissingPolicy, Tree

FORMAT = "cart-elc"
VERSION = 1
Json = dict[str, Any]
PathLike = str | os.PathLike[str]

NODE_KEYS = {"n_samples": "n_node_samples", "weight": "weighted_n_node_samples", "impurity": "impurity"}
SPLIT_KEYS = {
    "threshold": "thresholds",
    "score": "score",
    "bound": "bound",
    "proven": "proven",
    "n_candidates": "n_candidates",
    "margin": "margin",
}
LABEL_KINDS = "biufUO"
NOT_JSON = ("nan", "inf", "-inf")


def write(path: PathLike, document: Json) -> None:
    """Write the document."""
    write_whole(path, render({"format": FORMAT, "version": VERSION} | document))


def write_whole(path: PathLike, text: str) -> None:
    """Write a file of which a reader never sees half, since it is put in place when complete.

    A link is followed. A device or pipe such as ``/dev/stdout`` is written to: a file put in place would remove it.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")
        return
    target = target.resolve()
    draft = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def render(document: Json) -> str:
    """Return the JSON text: one key per line, and one node per line."""
    lines = [f'  "{key}": {dumps(value)}' for key, value in document.items() if key != "nodes"]
    nodes = ",\n".join("    " + dumps(node) for node in document["nodes"])
    return "{\n" + ",\n".join([*lines, f'  "nodes": [\n{nodes}\n  ]']) + "\n}\n"


def dumps(value: Any) -> str:  # noqa: ANN401
    """Return JSON of any nesting of dicts, lists and scalars, NumPy's included."""
    return json.dumps(plain(value), allow_nan=False, ensure_ascii=False)


def plain(value: Any) -> Any:  # noqa: ANN401
    """Replace NumPy scalars and arrays by Python's, and numbers that JSON lacks by strings."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def read(path: PathLike) -> Json:
    """Read a document and check that it is one of ours and of a version that we know.

    Raises
    ------
    ValueError
        If the file is truncated, not a cart-elc model, or of a newer version.
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not a complete cart-elc model file: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f'{path} is not a cart-elc model file: it has no "format": "{FORMAT}"')
    version = document.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise ValueError(
            f"{path} has version {version!r} and this cart-elc reads versions 1 to {VERSION}: upgrade cart-elc"
        )
    return document


def parse(path: PathLike, document: Json, build: Callable[[Json], Any]) -> Any:  # noqa: ANN401
    """Build something from the document; whatever is wrong in it is reported as a damaged file."""
    try:
        return build(document)
    except KeyError as error:
        raise ValueError(f"{path} is a damaged cart-elc model file: it lacks {error}") from error
    except (AttributeError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{path} is a damaged cart-elc model file: {error}") from error


def encode_params(params: Json) -> Json:
    """Return the parameters as JSON.

    A dict becomes ``{"pairs": [[key, value], ...]}``, because its keys may be numbers, and a text that would be read as
    a number that JSON lacks becomes ``{"text": "inf"}``.
    """
    return {name: encode_param(name, value) for name, value in params.items()}


def encode_param(name: str, value: Any) -> Any:  # noqa: ANN401
    """Return one parameter as JSON."""
    if isinstance(value, dict):
        return {"pairs": [[encode_param(name, item) for item in pair] for pair in value.items()]}
    if isinstance(value, str) and value in NOT_JSON:
        return {"text": str(value)}
    value = plain(value)
    if not isinstance(value, str | int | float | bool | None):
        raise TypeError(f"{name} must be a plain value to be saved as JSON, got {value!r}")
    return value


def decode_params(params: Json) -> Json:
    """Return the parameters that `encode_params` wrote."""
    return {name: decode_param(value) for name, value in params.items()}


def decode_param(value: Any) -> Any:  # noqa: ANN401
    """Return one parameter."""
    if isinstance(value, dict):
        return value["text"] if "text" in value else {decode_param(k): decode_param(v) for k, v in value["pairs"]}
    if isinstance(value, list):
        raise ValueError(f"a parameter must be a plain value, got {value!r}")
    return float(value) if isinstance(value, str) and value in NOT_JSON else value


def encode_labels(classes: NDArray[Any]) -> Json:
    """Return the class labels with their dtype."""
    values = classes.tolist()
    scalars = (str, int, float, bool, type(None))
    if classes.dtype.kind not in LABEL_KINDS or not all(isinstance(value, scalars) for value in values):
        raise TypeError(f"classes_ must be str, int, float or bool to be saved as JSON, got {classes!r}")
    return {"dtype": "object" if classes.dtype.kind == "O" else classes.dtype.str, "values": values}


def decode_labels(labels: Json) -> NDArray[Any]:
    """Return the array of class labels."""
    dtype = np.dtype(labels["dtype"])
    if dtype.kind not in LABEL_KINDS:
        raise ValueError(f"labels of dtype {dtype}")
    return np.array(labels["values"], dtype=dtype)


def decode_column(document: Json, name: str, dtype: type) -> NDArray[Any]:
    """Return an array with one entry per feature."""
    column: NDArray[Any] = np.array(document[name], dtype=dtype)
    if column.shape != (document["n_features"],):
        raise ValueError(f"{name} must have {document['n_features']} entries, got {document[name]!r}")
    return column


def encode_tree(tree: Tree) -> list[Json]:
    """Return one object per node."""
    return [encode_node(tree, node) for node in range(tree.n_nodes)]


def encode_node(tree: Tree, node: int) -> Json:
    """Return a node as an object; only splits have the split's keys."""
    entry: Json = {key: getattr(tree, name)[node] for key, name in NODE_KEYS.items()} | {"value": tree.value[node]}
    if tree.is_leaf[node]:
        return entry
    features, weights, _ = tree.split(node)
    entry |= {"left": tree.children_left[node], "right": tree.children_right[node]}
    entry |= {"features": features, "weights": weights, "missing": MissingPolicy(tree.missing[node]).name.lower()}
    return entry | {key: getattr(tree, name)[node] for key, name in SPLIT_KEYS.items()}


def decode_tree(nodes: list[Json], n_features: int, n_classes: int) -> Tree:
    """Return the tree of the nodes, checked so that prediction cannot leave its arrays."""
    if any(len(node.get("features", ())) != len(node.get("weights", ())) for node in nodes):
        raise ValueError("a split must have as many weights as features")
    inner = ["left" in node for node in nodes]
    leaf_values = {"proven": False, "n_candidates": 0.0}
    columns: Json = {name: [node[key] for node in nodes] for key, name in NODE_KEYS.items()}
    for key, name in SPLIT_KEYS.items():
        default = leaf_values.get(key, "nan")
        columns[name] = [node[key] if split else default for node, split in zip(nodes, inner, strict=True)]
    for side in ("left", "right"):
        columns[f"children_{side}"] = [node.get(side, NO_CHILD) for node in nodes]
    columns["value"] = [node["value"] for node in nodes]
    columns["missing"] = [MissingPolicy[node.get("missing", "right").upper()] for node in nodes]
    columns["indptr"] = np.cumsum([0] + [len(node.get("features", ())) for node in nodes])
    columns["features"] = [feature for node in nodes for feature in node.get("features", ())]
    columns["weights"] = [weight for node in nodes for weight in node.get("weights", ())]
    arrays: Json = {name: np.array(columns[name], dtype=dtype) for name, dtype in DTYPES.items()}
    tree = Tree(n_features, n_classes, **arrays)
    check_structure(tree)
    check_numbers(tree)
    return tree


def check_structure(tree: Tree) -> None:
    """Check shapes, child numbers (preorder) and feature numbers."""
    if tree.value.shape != (tree.n_nodes, tree.n_classes) or tree.n_nodes == 0:
        raise ValueError(f"value has shape {tree.value.shape}, expected ({tree.n_nodes}, {tree.n_classes})")
    if np.any((tree.features < 0) | (tree.features >= tree.n_features)):
        raise ValueError(f"features must be in [0, {tree.n_features - 1}]")
    if preorder_children(tree) != [tuple(pair) for pair in np.stack([tree.children_left, tree.children_right], 1)]:
        raise ValueError("the children are not those of a tree in preorder")


def check_numbers(tree: Tree) -> None:
    """Check that every node has counts to predict from, and every split a rule."""
    counts = tree.value
    if not np.all(np.isfinite(counts) & (counts >= 0)) or not np.all(counts.sum(axis=1) > 0):
        raise ValueError("the counts of a node must be finite, not negative, and not all zero")
    if np.any((np.diff(tree.indptr) > 0) == tree.is_leaf):
        raise ValueError("a split must have features, and a leaf none")
    if np.any(np.isnan(tree.weights)) or np.any(np.isnan(tree.thresholds) != tree.is_leaf):
        raise ValueError("the weights and the threshold of a split must be numbers")
    if not all(tree.split(node)[1].any() for node in tree.split_nodes()):
        raise ValueError("a split must have a weight other than zero")


def preorder_children(tree: Tree) -> list[tuple[int, int]]:
    """Return the children that the nodes must have if they stand in preorder."""
    ends = {}
    children = [(NO_CHILD, NO_CHILD)] * tree.n_nodes
    for node in range(tree.n_nodes - 1, -1, -1):
        ends[node] = node + 1
        if not tree.is_leaf[node]:
            left = node + 1
            right = ends[left]
            children[node], ends[node] = (left, right), ends[right]
    if ends[0] != tree.n_nodes:
        raise ValueError("the nodes are not those of one tree")
    return children
