"""The fitted tree: one frozen structure of arrays for every algorithm.

Nodes are numbered in depth-first preorder (root 0, left subtree first), so the subtree of a node is a
contiguous range of ids. A split is a sparse row of weights with a threshold; an axis-parallel split is a
row with one weight. Rows go left where ``sum_j weights[j] * x[features[j]] >= threshold``, summed left to right
in float64. A split on a category has the side of each level instead, see `cart_elc.tree.rule.Rule`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix

from cart_elc import _core
from cart_elc.tree.arrays import BoolArray, FloatArray, IntArray
from cart_elc.tree.rule import NO_LEVEL, MissingPolicy, Rule

NO_CHILD = -1
LEAF_FEATURE = -2  # scikit-learn's mark of a leaf
NAN = float("nan")


@dataclass(frozen=True)
class Column:
    """An array of the tree: its type, its value where a node has no split, and its key in a file.

    ``at_leaf`` is None where a leaf has a value of its own as a split has.
    """

    dtype: type[np.generic]
    at_leaf: Any = None
    key: str = ""


COLUMNS: dict[str, Column] = {
    "children_left": Column(np.int32, NO_CHILD, "left"),
    "children_right": Column(np.int32, NO_CHILD, "right"),
    "n_node_samples": Column(np.int64, None, "n_samples"),
    "weighted_n_node_samples": Column(np.float64, None, "weight"),
    "impurity": Column(np.float64, None, "impurity"),
    "value": Column(np.float64, None, "value"),
    "missing": Column(np.int8, MissingPolicy.RIGHT, "missing"),
    "thresholds": Column(np.float64, NAN, "threshold"),
    "score": Column(np.float64, NAN, "score"),
    "bound": Column(np.float64, NAN, "bound"),
    "proven": Column(np.bool_, False, "proven"),
    "n_candidates": Column(np.float64, 0.0, "n_candidates"),
    "margin": Column(np.float64, NAN, "margin"),
    "levels": Column(np.int8, NO_LEVEL, "levels"),
}
"""The arrays that have one entry, or row, for each node."""
PER_WEIGHT: dict[str, type[np.generic]] = {"indptr": np.int64, "features": np.int32, "weights": np.float64}
"""The arrays of the sparse weights."""
DTYPES: dict[str, type[np.generic]] = {name: column.dtype for name, column in COLUMNS.items()} | PER_WEIGHT


@dataclass(frozen=True, eq=False)
class Tree:
    """A fitted tree as read-only arrays, indexed by node unless said otherwise.

    Attributes
    ----------
    n_features : int
        Width of the data.
    criterion : str
        What ``score`` measures, a key of `cart_elc.criteria.CRITERIA`.
    target : {"classes", "number"}
        What is predicted: the ``kind`` of a target in `cart_elc.targets`.
    children_left, children_right : int32 array
        Ids of the children, -1 at a leaf.
    indptr : int64 array of n_nodes + 1
        The split of node ``i`` uses ``features[indptr[i]:indptr[i + 1]]`` and the same slice of ``weights``.
    features : int32 array of n_weights
    weights : float64 array of n_weights
    thresholds : float64 array
        NaN at a leaf.
    missing : int8 array
        `MissingPolicy` of the split.
    value : float64 array of shape (n_nodes, width)
        Statistics of the node's training rows: the weight in each class, or weight, mean and sum of squared deviations.
    n_node_samples : int64 array
    weighted_n_node_samples : float64 array
    impurity : float64 array
        Gini impurity, or entropy in bits for information gain.
    score, bound : float64 array
        Score of the split in the paper's units and the proven bound on any split's score; NaN at a leaf. In a refined
        tree the bound of a split is NaN too.
    proven : bool array
        Whether no candidate is better; in a refined tree, given all other splits.
    n_candidates : float64 array
        Number of hyperplanes that the search covered, 0 at a leaf.
    margin : float64 array
        Half the width of the empty band around the plane, in units of ``w.x``; NaN where unknown.
    levels : int8 array of shape (n_nodes, n_levels)
        Of a split on a category, the side of each level by its code, as `Rule.levels` has it; -1 everywhere else.

    Notes
    -----
    scikit-learn's names are here where they mean the same: ``children_left``, ``children_right``, ``n_node_samples``,
    ``weighted_n_node_samples``, ``impurity``, ``value`` (the weights themselves, not their shares), ``max_depth``,
    ``n_leaves``, ``n_classes``, ``n_features``, ``node_count``; and `feature` and `threshold` of splits on one feature.
    """

    n_features: int
    criterion: str
    target: str
    children_left: NDArray[np.int32]
    children_right: NDArray[np.int32]
    indptr: IntArray
    features: NDArray[np.int32]
    weights: FloatArray
    thresholds: FloatArray
    missing: NDArray[np.int8]
    value: FloatArray
    n_node_samples: IntArray
    weighted_n_node_samples: FloatArray
    impurity: FloatArray
    score: FloatArray
    bound: FloatArray
    proven: BoolArray
    n_candidates: FloatArray
    margin: FloatArray
    levels: NDArray[np.int8]

    def __post_init__(self) -> None:
        for name, dtype in DTYPES.items():
            array = np.array(getattr(self, name), dtype=dtype, order="C")
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __reduce__(self) -> tuple[Any, ...]:
        # Through the constructor, so that a copy's arrays are read-only too.
        return Tree, tuple(getattr(self, field.name) for field in fields(self))

    def __repr__(self) -> str:
        return f"Tree(n_nodes={self.n_nodes}, n_leaves={self.n_leaves}, max_depth={self.max_depth})"

    @property
    def n_classes(self) -> int:
        """Number of classes, the width of ``value``."""
        return int(self.value.shape[1])

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.children_left)

    @property
    def node_count(self) -> int:
        """Number of nodes, by scikit-learn's name."""
        return self.n_nodes

    @property
    def feature(self) -> IntArray:
        """Feature of each split on one feature, -1 of splits on several and, as in scikit-learn, -2 at a leaf."""
        sizes = np.diff(self.indptr)
        feature = np.where(sizes == 0, LEAF_FEATURE, -1)
        feature[sizes == 1] = self.features[self.indptr[:-1][sizes == 1]]
        return feature

    @property
    def threshold(self) -> FloatArray:
        """Where each split on one number cuts it, in its own units; NaN of any other split, -2 at a leaf.

        Left is ``x >= threshold`` where the split's weight is positive and ``x <= threshold`` where it is negative;
        scikit-learn's left is always the latter.
        """
        sizes = np.diff(self.indptr)
        threshold = np.where(sizes == 0, float(LEAF_FEATURE), NAN)
        single = (sizes == 1) & ~self.is_categorical
        threshold[single] = self.thresholds[single] / self.weights[self.indptr[:-1][single]]
        return threshold

    @property
    def is_leaf(self) -> BoolArray:
        """Mask of the leaves."""
        leaves: BoolArray = self.children_left == NO_CHILD
        return leaves

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.is_leaf))

    @property
    def max_depth(self) -> int:
        """Depth of the deepest leaf; 0 for a lone root."""
        return int(self.node_depths().max())

    @property
    def proportions(self) -> FloatArray:
        """Share of each class in each node's training weight."""
        proportions: FloatArray = self.value / self.value.sum(axis=1, keepdims=True)
        return proportions

    @property
    def outputs(self) -> FloatArray:
        """What each node predicts as a leaf: the share of each class, or the mean."""
        return self.proportions if self.target == "classes" else self.value[:, 1:2]

    @property
    def is_categorical(self) -> BoolArray:
        """Mask of the splits on a category."""
        split: BoolArray = (self.levels != NO_LEVEL).any(axis=1)
        return split

    def split_nodes(self) -> Iterator[int]:
        """Ids of the nodes that have a split, in preorder."""
        return (int(node) for node in np.flatnonzero(~self.is_leaf))

    def node_depths(self) -> IntArray:
        """Depth of each node; the root has depth 0."""
        depths = np.zeros(self.n_nodes, dtype=np.int64)
        for node in self.split_nodes():  # preorder: a parent comes before its children
            depths[[self.children_left[node], self.children_right[node]]] = depths[node] + 1
        return depths

    def parents(self) -> IntArray:
        """Id of each node's parent; -1 for the root."""
        parents = np.full(self.n_nodes, NO_CHILD, dtype=np.int64)
        inner = np.flatnonzero(~self.is_leaf)
        parents[self.children_left[inner]] = inner
        parents[self.children_right[inner]] = inner
        return parents

    def subtree_ends(self) -> IntArray:
        """First id after each node's subtree: the subtree of ``i`` is ``range(i, ends[i])``."""
        ends = np.arange(1, self.n_nodes + 1, dtype=np.int64)
        for node in reversed(list(self.split_nodes())):
            ends[node] = ends[self.children_right[node]]
        return ends

    def split(self, node: int) -> tuple[NDArray[np.int32], FloatArray, float]:
        """Features, weights and threshold of a node's split; the arrays are empty at a leaf."""
        row = slice(self.indptr[node], self.indptr[node + 1])
        return self.features[row], self.weights[row], float(self.thresholds[node])

    def rule(self, node: int) -> Rule:
        """Rule of a node's split."""
        features, weights, threshold = self.split(node)
        missing, levels = MissingPolicy(int(self.missing[node])), self.levels[node]
        own = levels if (levels != NO_LEVEL).any() else None
        return Rule(
            features=tuple(features.tolist()), weights=weights, threshold=threshold, missing=missing, levels=own
        )

    def apply(self, X: ArrayLike) -> IntArray:
        """Return the leaf id of each row.

        A row that `MissingPolicy.BOTH` would divide follows the heavier child, or the left one if both weigh
        the same.
        """
        return self._view().apply(self._rows(X))

    def decision_path(self, X: ArrayLike) -> csr_matrix:
        """Return a sparse boolean matrix: entry (i, j) says that row ``i`` passes through node ``j``."""
        rows = self._rows(X)
        indptr, indices = self._view().decision_path(rows)
        return csr_matrix((np.ones(len(indices), dtype=bool), indices, indptr), shape=(len(rows), self.n_nodes))

    def node_rows(self, X: ArrayLike) -> list[IntArray]:
        """Return, for each node, the indices of the rows that pass through it, ascending."""
        paths = self.decision_path(X).tocsc()
        return np.split(paths.indices.astype(np.int64), paths.indptr[1:-1])

    def predict_value(self, X: ArrayLike) -> FloatArray:
        """Return each row's output: its leaf's, or the mean over its leaves if it was divided."""
        return self._view().mean_value(self._rows(X), self.outputs)

    def _rows(self, X: ArrayLike) -> FloatArray:
        rows = np.ascontiguousarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.n_features:
            raise ValueError(f"X must have shape (n, {self.n_features}), got {rows.shape}")
        return rows

    def _view(self) -> _core.TreeView:
        return _core.TreeView(
            self.children_left,
            self.children_right,
            self.indptr,
            self.features,
            self.weights,
            self.thresholds,
            self.missing,
            self.weighted_n_node_samples,
            self.levels,
        )
