"""C4.5: trees of gain-ratio splits with pessimistic pruning."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from cart_elc.categories import Table
from cart_elc.estimators.base import BaseTreeClassifier
from cart_elc.estimators.data import Column, TrainingSet
from cart_elc.estimators.parameters import check_bool, check_choice, check_real
from cart_elc.pruning.cost_complexity import CostComplexity
from cart_elc.pruning.pessimistic import Pessimistic
from cart_elc.pruning.pruner import Pruner
from cart_elc.splitters.gain_ratio import GainRatioSplitter
from cart_elc.splitters.reporting import Progress
from cart_elc.tree import FloatArray

PRUNING = ("pessimistic",)


@dataclass(kw_only=True, eq=False, repr=False)
class C45Classifier(BaseTreeClassifier):
    """C4.5, release 8, for numeric features.

    Parameters
    ----------
    min_objects : float, default=2.0
        Least weight on each side of a split, of rows whose value is known.
    mdl_correction : bool, default=True
        Whether a feature's gain is reduced by the price of naming its threshold, as from release 8 on.
    confidence : float, default=0.25
        ``CF`` of pessimistic pruning: the smaller, the more is pruned.
    raising : bool, default=True
        Whether pruning may replace a subtree by its heavier branch.
    pruning : {"pessimistic"} or None, default="pessimistic"
    ccp_alpha : float, default=0.0
        Price per leaf in minimal cost-complexity pruning by entropy; only where ``pruning`` is None.

    Notes
    -----
    ``sample_weight`` and ``class_weight`` count objects: a weight of two is a repeated row, and weights of a different
    scale change ``min_objects``, the price of a threshold and the pruning, as they would in the published program.
    Weights that sum to at most 1 are shares, as boosting gives them, and are scaled to sum to the number of rows.
    Rows with a missing value go to both branches with their weight divided, in growing and in predicting, and count in
    both under the stopping rules. ``tree_.score`` holds gain ratios.
    Categorical columns are refused: the tree has two branches per split. ``docs/algorithms.md`` lists where this
    differs from the program.

    References
    ----------
    J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993.
    J. R. Quinlan, "Improved Use of Continuous Attributes in C4.5", JAIR 4 (1996), 77-90.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cart_elc import C45Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> C45Classifier().fit(X, y).get_n_leaves()
    5
    """

    criterion: ClassVar[str] = "gain_ratio"
    """What the splits are scored by; the method has no choice, so it is no parameter."""

    min_objects: float = 2.0
    mdl_correction: bool = True
    confidence: float = 0.25
    raising: bool = True
    pruning: str | None = "pessimistic"

    def _training_set(self, X: Table, y: Column, sample_weight: Column | None) -> TrainingSet:
        data = super()._training_set(X, y, sample_weight)
        return replace(data, weights=as_objects(data.weights))

    def _make_splitter(self, n_features: int, progress: Progress | None) -> GainRatioSplitter:
        return GainRatioSplitter(
            check_real("min_objects", self.min_objects, 0.0), check_bool("mdl_correction", self.mdl_correction)
        )

    def _make_pruner(self) -> Pruner:
        pessimistic = Pessimistic(
            check_real("confidence", self.confidence, 1e-6, 0.5), check_bool("raising", self.raising)
        )
        ccp_alpha = check_real("ccp_alpha", self.ccp_alpha, 0.0)
        if self.pruning is None:
            return CostComplexity(ccp_alpha)
        method = check_choice("pruning", self.pruning, PRUNING)
        if ccp_alpha > 0:
            raise ValueError(f"ccp_alpha must be 0 where pruning={method!r} chooses the tree, got {ccp_alpha!r}")
        return pessimistic


def as_objects(weights: FloatArray) -> FloatArray:
    """Return weights that count objects: shares, which sum to at most 1, are scaled to the number of rows."""
    total = float(weights.sum())
    return weights * (np.count_nonzero(weights) / total) if total <= 1.0 + 1e-9 else weights
