"""C4.5's split: the best gain ratio among the features whose gain is at least average.

The scan that finds each feature's cut of largest gain is compiled (``src/core/scans/gain_ratio.hpp``); here one feature
is chosen and its threshold is written as C4.5 writes it, ``x <= v`` with a value ``v`` that occurs in the training set.
The method is that of sections 2.2-2.4 and 3.2 of the book that `C45Classifier` cites, with the article's correction.
"""

from dataclasses import dataclass, replace

import numpy as np

from cart_elc import _core
from cart_elc.splitters.heuristic_split import ScanSplitter, limits_of, node_arrays
from cart_elc.splitters.node import Node
from cart_elc.splitters.placement import middle
from cart_elc.splitters.split import Split, no_split
from cart_elc.tree import FloatArray, MissingPolicy

AVERAGE_SLACK = 1e-3
"""A gain this little below the average still counts as average, as in the published program."""
NO_INFORMATION = 1e-12
"""A test whose split information is no more than this divides nothing."""


@dataclass(frozen=True, eq=False)
class FeatureTests:
    """The best cut of each feature: arrays with one entry per feature.

    ``gain`` is the information gain in bits times the share of known values, -inf if the feature has no admissible cut;
    ``correction`` is release 8's price of choosing among ``N - 1`` thresholds, ``log2(N - 1) / |D|`` bits;
    ``split_info`` is the entropy in bits of the branch taken, with "unknown" as a branch of its own. The cut is one of
    ``n_cuts`` admissible ones and lies between the neighbouring values ``low`` and ``high``.
    """

    gain: FloatArray
    correction: FloatArray
    split_info: FloatArray
    low: FloatArray
    high: FloatArray
    n_cuts: FloatArray

    @property
    def corrected_gain(self) -> FloatArray:
        return self.gain - self.correction

    @property
    def ratio(self) -> FloatArray:
        """Corrected gain per bit of split information; -inf where there is no test."""
        sound = np.isfinite(self.gain) & (self.split_info > NO_INFORMATION)
        return np.divide(self.corrected_gain, self.split_info, out=np.full_like(self.gain, -np.inf), where=sound)

    def choose(self) -> int | None:
        """The feature of best ratio among those of at least average gain, the first of equals; None if none gains."""
        gains = self.corrected_gain
        gaining = gains > 0.0
        if not gaining.any():
            return None
        eligible = gaining & (gains >= gains[gaining].mean() - AVERAGE_SLACK)
        ratios = np.where(eligible, self.ratio, -np.inf)
        best = int(np.argmax(ratios))
        return best if np.isfinite(ratios[best]) else None


@dataclass(frozen=True)
class GainRatioSplitter(ScanSplitter):
    """Finds C4.5's split, by one sorted scan per feature: O(m n log n).

    Rows with a missing value go to both sides, their weight divided. Ties go to the first feature, and within a
    feature to the smallest value.

    The parameters are those of `C45Classifier`.
    """

    min_objects: float = 2.0
    mdl_correction: bool = True
    criterion: str = "gain_ratio"

    def search(self, node: Node) -> Split:
        tests = feature_tests(node, self.min_objects)
        if not self.mdl_correction:
            tests = replace(tests, correction=np.zeros_like(tests.correction))
        chosen, n_cuts = tests.choose(), int(tests.n_cuts.sum())
        if chosen is None:
            return no_split(self.criterion, n_cuts)
        return Split(
            features=(chosen,),
            weights=-np.ones(1),
            threshold=-data_value(node, chosen, tests),
            score=float(tests.ratio[chosen]),
            criterion=self.criterion,
            bound=1.0,  # a gain never exceeds its split information
            proven=False,
            n_candidates=n_cuts,
            missing=MissingPolicy.BOTH,
            margin=float(tests.high[chosen] - tests.low[chosen]) / 2,
        )


def feature_tests(node: Node, min_objects: float = 2.0) -> FeatureTests:
    """Find the cut of largest gain of each feature."""
    table = _core.feature_tests(node_arrays(node), min_objects, **limits_of(node))
    return FeatureTests(*np.ascontiguousarray(table.T))


def data_value(node: Node, feature: int, tests: FeatureTests) -> float:
    """The largest value in the training set that does not exceed the midpoint of the cut."""
    low, high = float(tests.low[feature]), float(tests.high[feature])
    midpoint = middle(low, high)
    if midpoint == high:  # no number lies between the two
        return low
    rows = node.rows if node.fit_rows is None else node.fit_rows
    values = node.X[rows, feature]
    return float(np.max(values, where=values <= midpoint, initial=low))
