"""Ensembles as files: JSON that a person can read, and a compact form of the same content.

A JSON file has the keys of `cart_elc.estimators.persistence`, with ``trees`` in the place of ``nodes`` and
``feature_importances``: a list of objects that have these two, one tree per line. A file whose name ends in ``.npz`` is
an archive of NumPy arrays, a quarter of the size or less: ``header`` is the JSON text of everything but the trees,
``n_nodes`` and ``feature_importances`` have an entry or row for each tree, and the columns of the trees
(`cart_elc.tree.Tree`) stand one tree after the other; ``sizes`` is the number of features of each node's split. Neither
form can hold code.
"""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cart_elc.compiled_growth import GrownTree
from cart_elc.estimators import persistence
from cart_elc.estimators.persistence import PathLike
from cart_elc.estimators.stored_values import decode_importances, dumps
from cart_elc.tree import Tree
from cart_elc.tree.building import preorder_children
from cart_elc.tree.fields import Field, Json
from cart_elc.tree.rule import MissingPolicy
from cart_elc.tree.storage import TOLERANCE, decode_tree, encode_tree
from cart_elc.tree.structure import COLUMNS, DTYPES

LINKS = ("children_left", "children_right")
OF_NODES = [name for name in COLUMNS if name not in LINKS]
OF_WEIGHTS = ("features", "weights")
COUNTS = ("sizes", "n_nodes")
COMPACT = ".npz"


def write_ensemble(path: PathLike, document: Json, trees: list[GrownTree]) -> None:
    """Write what an ensemble knows and its trees, in the form that the file's name asks for."""
    if Path(path).suffix == COMPACT:
        persistence.write_whole(path, compact(persistence.headed(document), trees))
    else:
        listed = [{"feature_importances": shares, "nodes": encode_tree(tree)} for tree, shares in trees]
        persistence.write(path, document | {"trees": listed})


def compact(document: Json, trees: list[GrownTree]) -> bytes:
    """Return the archive's bytes."""
    arrays: dict[str, NDArray[Any]] = {
        name: np.concatenate([getattr(tree, name) for tree, _ in trees]) for name in (*OF_NODES, *OF_WEIGHTS)
    }
    arrays["sizes"] = np.concatenate([np.diff(tree.indptr) for tree, _ in trees])
    arrays["n_nodes"] = np.array([tree.n_nodes for tree, _ in trees])
    arrays["feature_importances"] = np.array([shares for _, shares in trees])
    arrays["header"] = np.frombuffer(dumps(document).encode(), dtype=np.uint8)
    archive = io.BytesIO()
    np.savez_compressed(archive, **arrays)  # type: ignore[arg-type]
    return archive.getvalue()


def is_compact(path: PathLike) -> bool:
    return zipfile.is_zipfile(path)


def read_compact(path: PathLike) -> Json:
    """Return the document of an archive; its trees are arrays."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = dict(archive)
        document = json.loads(arrays.pop("header").tobytes())
    except (KeyError, ValueError, OSError, EOFError, MemoryError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} is not a complete cart-elc model file: {error}") from None
    checked: Json = persistence.checked(path, document)
    return checked | {"trees": arrays}


def decode_trees(stored: Field, **of_all: Any) -> list[GrownTree]:  # noqa: ANN401
    """Return the trees of a document; ``of_all`` are what all of them have, as `decode_tree` takes it."""
    if isinstance(stored.value, dict):
        return trees_of_arrays(stored.value, **of_all)
    n_features = len(of_all["n_levels"])
    return [
        GrownTree(decode_tree(one["nodes"], **of_all), decode_importances(one["feature_importances"], n_features))
        for one in stored.items()
    ]


def trees_of_arrays(
    arrays: dict[str, NDArray[Any]], *, n_levels: list[int], n_classes: int | None, criterion: str
) -> list[GrownTree]:
    """Return the trees of an archive; every column is checked."""
    n_features = len(n_levels)
    wanted = {*OF_NODES, *OF_WEIGHTS, "sizes", "n_nodes", "feature_importances"}
    if arrays.keys() != wanted:
        raise ValueError(f"trees must be the arrays {', '.join(sorted(wanted))}, got {', '.join(sorted(arrays))}")
    check_columns(arrays, n_features, n_classes)
    ends, places = np.cumsum(arrays["n_nodes"]), np.concatenate(([0], np.cumsum(arrays["sizes"])))
    names = {"criterion": criterion, "target": "number" if n_classes is None else "classes"}
    trees = []
    for begin, end in zip(np.concatenate(([0], ends[:-1])), ends, strict=True):
        columns: Json = {name: arrays[name][begin:end] for name in OF_NODES}
        columns |= {name: arrays[name][places[begin] : places[end]] for name in OF_WEIGHTS}
        columns |= zip(LINKS, preorder_children(arrays["sizes"][begin:end] == 0), strict=True)
        columns |= {"indptr": places[begin : end + 1] - places[begin], "n_features": n_features}
        trees.append(Tree(**columns | names))
    return list(map(GrownTree, trees, arrays["feature_importances"]))


def check_columns(arrays: dict[str, NDArray[Any]], n_features: int, n_classes: int | None) -> None:
    """Refuse columns of the wrong type or shape, and values that no tree has."""
    n_nodes, n_weights = int(arrays["n_nodes"].sum()), int(arrays["sizes"].sum())
    width = 3 if n_classes is None else n_classes
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys((*OF_NODES, "sizes"), (n_nodes,))
    shapes |= dict.fromkeys(OF_WEIGHTS, (n_weights,))
    shapes |= {"value": (n_nodes, width), "levels": (n_nodes, 0), "n_nodes": (len(arrays["n_nodes"]),)}
    shapes |= {"feature_importances": (len(arrays["n_nodes"]), n_features)}
    for name, array in arrays.items():
        kind = DTYPES[name] if name in DTYPES else np.dtype(np.int64 if name in COUNTS else np.float64)
        if array.shape != shapes[name] or array.dtype != kind:
            raise ValueError(f"{name} must be {kind} of shape {shapes[name]}, got {array.dtype} of {array.shape}")
    sizes, features, split = arrays["sizes"], arrays["features"], arrays["sizes"] > 0
    first = np.zeros(n_weights + 1, dtype=bool)
    first[np.cumsum(sizes)] = first[0] = True
    shares = arrays["feature_importances"].sum(axis=1)
    held = arrays["value"][:, 0] if n_classes is None else arrays["value"].sum(axis=1)
    sums = np.isclose(held, arrays["weighted_n_node_samples"], rtol=TOLERANCE, atol=0)
    positive = ("n_node_samples", "weighted_n_node_samples")
    rules = {
        "n_nodes": len(arrays["n_nodes"]) > 0 and (arrays["n_nodes"] > 0).all(),
        "sizes": (sizes >= 0).all(),
        "features": ((features >= 0) & (features < n_features)).all() and (np.diff(features) > 0)[~first[1:-1]].all(),
        "weights": np.isfinite(arrays["weights"]).all(),
        "thresholds": np.isfinite(arrays["thresholds"][split]).all(),
        "missing": np.isin(arrays["missing"], [policy.value for policy in MissingPolicy]).all(),
        "value": np.isfinite(arrays["value"]).all() and sums.all(),
        "impurity": (np.isfinite(arrays["impurity"]) & (arrays["impurity"] >= 0)).all(),
        "feature_importances": (arrays["feature_importances"] >= 0).all()
        and (np.minimum(np.abs(shares - 1), shares) < TOLERANCE).all(),
        **{name: (np.isfinite(arrays[name]) & (arrays[name] > 0)).all() for name in positive},
    }
    for name, holds in rules.items():
        if not holds:
            raise ValueError(f"{name} has values that no tree has")
