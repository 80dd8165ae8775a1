"""What the pictures know of a model: its tree and its names."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.categories import Levels
from cart_elc.criteria import CRITERIA
from cart_elc.inspection.bands import Bands
from cart_elc.inspection.draw.colors import PALETTE, band_colors, class_colors
from cart_elc.inspection.given_data import as_codes, as_one_row, as_rows
from cart_elc.inspection.model_source import FittedTree, ModelSource, source_of
from cart_elc.inspection.pipelines import last_step
from cart_elc.inspection.wording import class_label
from cart_elc.rounding.table import Offsets, rounding_table
from cart_elc.targets import Number
from cart_elc.tree import FloatArray, IntArray, Tree


@dataclass(frozen=True, eq=False)
class NamedTree:
    """A tree with everything that is written about it.

    ``features`` are the names that are written; ``classes`` are the labels as Python values; of numbers, the positions
    of the ``bands``, which are None where labels are classes. ``rounding`` (see `cart_elc.rounding.table`) is None
    where nothing is known about it. Where ``whole``, coefficients are whole numbers and written as they are.
    ``source`` has what else is known of the model.
    """

    tree: Tree
    features: list[str]
    classes: list[Any]
    class_names: list[str]
    criterion: str
    title: str
    rounding: Offsets | None
    source: ModelSource
    whole: bool = False
    bands: Bands | None = None

    @classmethod
    def of(
        cls,
        model: FittedTree,
        X: ArrayLike | None = None,
        feature_names: Sequence[str] | None = None,
        class_names: Sequence[str] | None = None,
    ) -> Self:
        """Read a fitted model; rounding is judged by ``X`` if given, otherwise by what fitting found."""
        source, estimator = source_of(model), last_step(model)
        tree = source.tree
        bands = Bands(tree) if tree.target == Number.kind else None
        classes: list[Any] = estimator.classes_.tolist() if bands is None else list(range(len(bands.names)))
        named = cls(
            tree=tree,
            features=replaced("feature_names", feature_names, source.names),
            classes=classes,
            class_names=replaced("class_names", class_names, classes if bands is None else bands.names),
            criterion=tree.criterion.replace("_", " "),
            title=type(estimator).__name__,
            rounding=source.rounding,
            source=source,
            whole=getattr(estimator, "coefficients", None) is not None and source.tree is estimator.tree_,
            bands=bands,
        )
        if X is None:
            return named
        rows = named.rows(X)
        return replace(named, rounding=rounding_table(tree, rows, tree.node_rows(rows)))

    @property
    def categories(self) -> list[Levels | None]:
        """The levels of each feature, None for one without."""
        return self.source.categories

    @property
    def nominal(self) -> list[bool]:
        """Which features have levels without an order, so that splits on them are subsets."""
        return self.source.nominal

    @property
    def fill(self) -> FloatArray | None:
        """What the model puts in the place of missing values; None if the tree sees them."""
        return self.source.fill

    def rows(self, X: ArrayLike) -> FloatArray:
        """Return data as the tree sees them, see `as_rows`; missing values are NaN unless the model fills them."""
        made = X if self.source.transform is None else self.source.transform(X)
        return self._filled(as_rows(made, self.categories, self._names()))

    def sample(self, x: object) -> FloatArray:
        """Return one sample as a matrix of one row, see `rows`; a dict or Series is read by its names."""
        if self.source.transform is not None:
            sample: Any = x
            return self.rows(sample if hasattr(x, "columns") else np.atleast_2d(sample))
        return self._filled(as_one_row(x, self.categories, self._names() or [self.features]))

    def level(self, feature: int, code: float) -> Any:  # noqa: ANN401
        """Return the level of a category that has the code."""
        return (self.categories[feature] or [])[int(code)]

    def levels_of(self, node: int, side: int) -> list[Any]:
        """Return the levels that a split on a category sends to a side."""
        rule = self.tree.rule(node)
        return [self.level(rule.features[0], code) for code in rule.levels_of(side)]

    def _names(self) -> list[list[str]]:
        """Return how DataFrames may call the features."""
        return [] if self.source.columns is None else [self.source.columns, self.features]

    def _filled(self, rows: FloatArray) -> FloatArray:
        return rows if self.fill is None else np.where(np.isnan(rows), self.fill, rows)

    @property
    def labels(self) -> list[str]:
        return [class_label(name) for name in self.class_names]

    @property
    def n_classes(self) -> int:
        """Number of classes, or of bands."""
        return len(self.class_names)

    @property
    def counts(self) -> FloatArray:
        """Weight of each class, or of the leaves of each band, at each node."""
        return self.tree.value if self.bands is None else self.bands.weights

    @cached_property
    def shares(self) -> FloatArray:
        """The counts as shares."""
        shares: FloatArray = self.counts / self.counts.sum(axis=1, keepdims=True)
        return shares

    def colors(self, palette: tuple[str, ...] = PALETTE) -> list[str]:
        """Return a colour per class, or per band."""
        return class_colors(self.n_classes, palette) if self.bands is None else band_colors(self.n_classes, palette)

    def codes(self, y: ArrayLike, n_rows: int) -> IntArray:
        """Return the class or band of each given label."""
        if self.bands is None:
            return as_codes(y, self.classes, n_rows)
        numbers = np.asarray(y, dtype=np.float64)
        if numbers.shape != (n_rows,):
            raise ValueError(f"y must have shape ({n_rows},), got {numbers.shape}")
        return self.bands.codes(numbers)

    def predicted(self, X: FloatArray) -> IntArray:
        """Return the class or band that is predicted for each row."""
        outputs = self.tree.predict_value(X)
        likeliest: IntArray = np.argmax(outputs, axis=1) if self.bands is None else self.bands.codes(outputs[:, 0])
        return likeliest

    def output(self, node: int) -> Any:  # noqa: ANN401
        """Return what the node predicts as a leaf: a label or a number."""
        return self.classes[self.majority(node)] if self.bands is None else float(self.bands.means[node])

    @property
    def impurity_name(self) -> str:
        return CRITERIA[self.tree.criterion].impurity_name

    @cached_property
    def leaf_counts(self) -> IntArray:
        """How many leaves are in the subtree of each node."""
        before = np.concatenate([[0], np.cumsum(self.tree.is_leaf)])
        return np.asarray(before[self.tree.subtree_ends()] - before[:-1])

    @cached_property
    def left_shares(self) -> FloatArray:
        """The part of a divided row that goes left at each split, as prediction computes it."""
        weights, shares = self.tree.weighted_n_node_samples, np.zeros(self.tree.n_nodes)
        splits = list(self.tree.split_nodes())
        left, right = weights[self.tree.children_left[splits]], weights[self.tree.children_right[splits]]
        shares[splits] = left / (left + right)
        return shares

    def children(self, node: int) -> tuple[int, int]:
        return int(self.tree.children_left[node]), int(self.tree.children_right[node])

    def majority(self, node: int) -> int:
        """Return the code of the node's most frequent class, the first among equals, or the band of its mean."""
        return int(np.argmax(self.shares[node]) if self.bands is None else self.bands.codes(self.bands.means[node]))

    def may_meet_missing(self, node: int) -> bool:
        """Whether a split has a feature that lacked values in training, or of which that is not known."""
        saw = self.source.saw_missing
        return self.fill is None and (saw is None or bool(saw[self.tree.split(node)[0]].any()))

    def proof(self, node: int) -> str:
        """Return in a few words whether the split is proven optimal: among its candidates, or given the rest."""
        bound = self.tree.bound[node]
        if self.tree.proven[node]:
            return "proven" if np.isfinite(bound) else "proven given the rest"
        return f"not proven, bound {bound:.4f}" if np.isfinite(bound) else "not proven"


def replaced(option: str, names: Sequence[str] | None, own: Sequence[object]) -> list[str]:
    """Return the names that were given, as many as there must be, or the model's own."""
    if names is not None and len(names) != len(own):
        raise ValueError(f"{option} must have {len(own)} entries, got {len(names)}")
    return [str(name) for name in (own if names is None else names)]
