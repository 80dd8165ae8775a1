"""A tree as an ONNX graph of matrix operations.

For ``n`` rows and ``s`` splits the graph makes matrices of shape (n, s): the sums, one product and one addition per
term, in the model's order (a dense product with a weight matrix would spread a missing value to every split and would
round otherwise); where a value is missing; and the part of each row that goes left. A leaf's share of a row is
the product of such parts along its path, level by level, as matrices of shape (n, leaves); the class probabilities are
the shares times the matrix of the leaves' class proportions, and a regressor's numbers the shares times their means.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cart_elc.inspection.model_source import FittedTree, fitted_tree
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.options import require
from cart_elc.tree import UNKNOWN, FloatArray, MissingPolicy, Tree

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, TensorProto

OPSET = 17
IR_VERSION = 8


def export_onnx(model: FittedTree, path: str | os.PathLike[str] | None = None) -> ModelProto | None:
    """Return the model as ONNX or, if there is a path, write it to a file.

    The graph takes ``X``, a float64 matrix of shape (n, n_features) in which NaN is a missing value, and gives
    ``label`` (of the labels' own type) and ``probabilities`` (float64, columns in the order of ``classes_``), or the
    ``prediction`` of a regressor (float64 of shape (n, 1)). A category has the position of its level among those that
    the property "categories" of the model lists.

    Parameters
    ----------
    model : fitted classifier
    path : path, optional

    Returns
    -------
    onnx.ModelProto, or None if it was written

    Raises
    ------
    ImportError
        Without the package onnx, the extra ``onnx``.
    """
    require("onnx", "export_onnx", extra="onnx")
    import onnx

    fitted_tree(model)  # of a pipeline the steps would be undone, and not to the last bit
    proto = build(NamedTree.of(model))
    onnx.checker.check_model(proto)
    if path is None:
        return proto
    onnx.save(proto, os.fspath(path))
    return None


@dataclass
class GraphWriter:
    """Collects operations; values are named by what they hold."""

    nodes: list[NodeProto] = field(default_factory=list)
    constants: dict[str, TensorProto] = field(default_factory=dict)

    def constant(self, name: str, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.constants[name] = numpy_helper.from_array(values, name)
        return name

    def __call__(self, operation: str, inputs: list[str], output: str, **attributes: Any) -> str:  # noqa: ANN401
        from onnx import helper

        self.nodes.append(helper.make_node(operation, inputs, [output], **attributes))
        return output


def build(named: NamedTree) -> ModelProto:
    from onnx import TensorProto, helper

    tree, write = named.tree, GraphWriter()
    output = "probabilities" if named.bands is None else "prediction"
    if tree.n_nodes == 1:
        repeated(write, tree.outputs, output)
    else:
        shares = leaf_shares(write, named, filled_rows(write, named))
        write("MatMul", [shares, write.constant("outputs", tree.outputs[tree.is_leaf])], output)
    answers = [helper.make_tensor_value_info(output, TensorProto.DOUBLE, ["n", tree.outputs.shape[1]])]
    if named.bands is None:
        labels = class_tensor(named)
        write("ArgMax", ["probabilities"], "code", axis=1, keepdims=0)
        write("Gather", [write.constant("classes", labels), "code"], "label", axis=0)
        element = helper.np_dtype_to_tensor_dtype(labels.dtype) if labels.dtype.kind != "O" else TensorProto.STRING
        answers.insert(0, helper.make_tensor_value_info("label", element, ["n"]))
    rows = helper.make_tensor_value_info("X", TensorProto.DOUBLE, ["n", tree.n_features])
    constants = list(write.constants.values())
    graph = helper.make_graph(write.nodes, named.title, [rows], answers, constants)
    opset = [helper.make_opsetid("", OPSET)]
    proto = helper.make_model(graph, opset_imports=opset, ir_version=IR_VERSION, producer_name="cart-elc")
    classes = {"classes": repr(named.classes)} if named.bands is None else {}
    levels = {"categories": repr(named.categories)} if any(named.categories) else {}
    helper.set_model_props(proto, {"features": repr(named.features), **classes, **levels})
    return proto


def class_tensor(named: NamedTree) -> NDArray[Any]:
    """Return the labels as an array that ONNX knows: strings, whole numbers, floats or booleans."""
    labels = np.array(named.classes)
    if labels.dtype.kind in "iu":
        return labels.astype(np.int64)
    return labels if labels.dtype.kind in "bf" else np.array([str(label) for label in named.classes], dtype=object)


def repeated(write: GraphWriter, row: FloatArray, output: str) -> str:
    """Write a matrix that has the same row for every row of the input."""
    write("Shape", ["X"], "rows", start=0, end=1)
    write("Concat", ["rows", write.constant("one", np.array([1], np.int64))], "shape", axis=0)
    return write("Expand", [write.constant(f"{output}_row", row), "shape"], output)


def filled_rows(write: GraphWriter, named: NamedTree) -> str:
    """Write the replacement of missing values if the model has one; return the name of the rows."""
    if named.fill is None:
        return "X"
    return write("Where", [write("IsNaN", ["X"], "absent"), write.constant("fill", named.fill), "X"], "filled")


def leaf_shares(write: GraphWriter, named: NamedTree, rows: str) -> str:
    """Write the products along the paths; return the matrix of shape (n, leaves).

    A leaf that ends above a level keeps there what it has: the last part is a column of ones.
    """
    whole = repeated(write, np.ones((1, 1)), "whole")
    parts = write("Concat", [*side_parts(write, named, rows), whole], "parts", axis=1)
    share = ""
    for level, columns in enumerate(path_columns(named.tree)):
        part = write("Gather", [parts, write.constant(f"path_{level}", columns)], f"part_{level}", axis=1)
        share = part if level == 0 else write("Mul", [share, part], f"share_{level}")
    return share


def path_columns(tree: Tree) -> list[NDArray[np.int64]]:
    """Return per level, for every leaf, its column among the parts: a split's left, its right, or the ones."""
    splits = {node: position for position, node in enumerate(tree.split_nodes())}
    leaves, parents, depths = np.flatnonzero(tree.is_leaf), tree.parents(), tree.node_depths()
    columns = np.full((tree.max_depth, len(leaves)), 2 * len(splits), dtype=np.int64)
    for position, leaf in enumerate(leaves.tolist()):
        node = leaf
        while node:
            parent = int(parents[node])
            side = 0 if tree.children_left[parent] == node else len(splits)
            columns[depths[parent], position] = splits[parent] + side
            node = parent
    return list(columns)


def side_parts(write: GraphWriter, named: NamedTree, rows: str) -> tuple[str, str]:
    """Write the part of each row that goes left at each split, and the part that goes right."""
    tree, splits = named.tree, np.array(list(named.tree.split_nodes()))
    sums = split_sums(write, tree, splits, rows)
    if tree.is_categorical.any():
        sums = with_subsets(write, tree, splits, rows, sums)
    missing = write("IsNaN", [sums], "missing")
    threshold = write.constant("thresholds", tree.thresholds[splits])
    above = write("Cast", [write("GreaterOrEqual", [sums, threshold], "above")], "is_left", to=11)
    policy = tree.missing[splits]
    parts = np.where(policy == MissingPolicy.BOTH, named.left_shares[splits], policy == MissingPolicy.LEFT)
    left = write("Where", [missing, write.constant("left_if_missing", parts), above], "left")
    return left, write("Sub", [write.constant("unity", np.ones(1)), left], "right")


def with_subsets(write: GraphWriter, tree: Tree, splits: NDArray[np.int64], rows: str, sums: str) -> str:
    """Write what takes the place of the sums where a split is on a category: 1 or 0 by its level, NaN for any other."""
    features, levels = tree.features[tree.indptr[splits]].astype(np.int64), tree.levels[splits]
    values = write("Gather", [rows, write.constant("level_features", features)], "levels", axis=1)
    found = write.constant("no_level", np.full(len(splits), np.nan))
    for code in range(levels.shape[1]):
        own = write("Equal", [values, write.constant(f"code_{code}", np.array(float(code)))], f"has_{code}")
        side = np.choose(np.clip(levels[:, code], 0, UNKNOWN), [0.0, 1.0, np.nan])
        found = write("Where", [own, write.constant(f"side_{code}", side), found], f"subset_{code}")
    kinds = write.constant("is_categorical", tree.is_categorical[splits])
    return write("Where", [kinds, found, sums], "sums_and_subsets")


def split_sums(write: GraphWriter, tree: Tree, splits: NDArray[np.int64], rows: str) -> str:
    """Write ``w.x`` of every split, term by term; shorter splits repeat their first feature with weight zero."""
    total = ""
    for term in range(int(np.diff(tree.indptr).max())):
        begin, size = tree.indptr[splits], np.diff(tree.indptr)[splits]
        present = term < size
        features = tree.features[begin + np.where(present, term, 0)].astype(np.int64)
        weights: FloatArray = np.where(present, tree.weights[begin + np.where(present, term, 0)], 0.0)
        values = write("Gather", [rows, write.constant(f"features_{term}", features)], f"values_{term}", axis=1)
        product = write("Mul", [values, write.constant(f"weights_{term}", weights)], f"product_{term}")
        total = product if term == 0 else write("Add", [total, product], f"sum_{term}")
    return total
