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

from cart_elc.estimators import persistence
from cart_elc.estimators.persistence import PathLike
from cart_elc.tree import FloatArray, Tree
from cart_elc.tree.building import preorder_children
from cart_elc.tree.storage import Json, check_numbers, check_shapes, decode_tree, encode_tree
from cart_elc.tree.structure import COLUMNS, DTYPES

LINKS = ("children_left", "children_right")
OF_NODES = [name for name in COLUMNS if name not in LINKS]
OF_WEIGHTS = ("features", "weights")
COMPACT = ".npz"
StoredTree = tuple[Tree, FloatArray]
"""A tree with its feature importances."""


def write_ensemble(path: PathLike, document: Json, trees: list[StoredTree]) -> None:
    """Write what an ensemble knows and its trees, in the form that the file's name asks for."""
    if Path(path).suffix == COMPACT:
        persistence.write_whole(path, compact(persistence.headed(document), trees))
    else:
        listed = [{"feature_importances": shares, "nodes": encode_tree(tree)} for tree, shares in trees]
        persistence.write(path, document | {"trees": listed})


def compact(document: Json, trees: list[StoredTree]) -> bytes:
    """Return the archive's bytes."""
    arrays: dict[str, NDArray[Any]] = {
        name: np.concatenate([getattr(tree, name) for tree, _ in trees]) for name in (*OF_NODES, *OF_WEIGHTS)
    }
    arrays["sizes"] = np.concatenate([np.diff(tree.indptr) for tree, _ in trees])
    arrays["n_nodes"] = np.array([tree.n_nodes for tree, _ in trees])
    arrays["feature_importances"] = np.array([shares for _, shares in trees])
    arrays["header"] = np.frombuffer(persistence.dumps(document).encode(), dtype=np.uint8)
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
    except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} is not a complete cart-elc model file: {error}") from None
    checked: Json = persistence.checked(path, document)
    return checked | {"trees": arrays}


def decode_trees(stored: Any, **of_all: Any) -> list[StoredTree]:  # noqa: ANN401
    """Return the trees of a document; ``of_all`` are what all of them have, as `decode_tree` takes it."""
    if isinstance(stored, dict):
        return trees_of_arrays(stored, **of_all)
    shape = (of_all["n_features"],)
    return [(decode_tree(one["nodes"], **of_all), shares_of(one["feature_importances"], shape)) for one in stored]


def trees_of_arrays(arrays: dict[str, NDArray[Any]], *, n_features: int, width: int, **names: str) -> list[StoredTree]:
    ends = np.cumsum(arrays["n_nodes"])
    if len(ends) == 0 or any(len(arrays[name]) != ends[-1] for name in (*OF_NODES, "sizes")):
        raise ValueError("the trees must have as many entries in every column as they have nodes")
    places = np.concatenate(([0], np.cumsum(arrays["sizes"])))
    if np.any(arrays["sizes"] < 0) or any(len(arrays[name]) != places[-1] for name in OF_WEIGHTS):
        raise ValueError("a split must have as many weights as features")
    shares = shares_of(arrays["feature_importances"], (len(ends), n_features))
    trees = []
    for begin, end in zip(np.concatenate(([0], ends[:-1])), ends, strict=True):
        columns: Json = {name: arrays[name][begin:end] for name in OF_NODES}
        columns |= {name: arrays[name][places[begin] : places[end]] for name in OF_WEIGHTS}
        columns |= zip(LINKS, preorder_children(arrays["sizes"][begin:end] == 0), strict=True)
        columns |= {"indptr": places[begin : end + 1] - places[begin], "n_features": n_features}
        tree = Tree(**columns | names)
        check_shapes(tree, width)
        check_numbers(tree)
        trees.append(tree)
    return list(zip(trees, shares, strict=True))


def shares_of(stored: Any, shape: tuple[int, ...]) -> FloatArray:  # noqa: ANN401
    shares = np.array(stored, dtype=DTYPES["weights"])
    if shares.shape != shape:
        raise ValueError(f"feature_importances must have shape {shape}, got {shares.shape}")
    return shares
