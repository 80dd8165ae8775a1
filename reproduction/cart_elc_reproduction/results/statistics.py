"""Comparing two algorithms on the same data: the paper's tests, and tests that fit repeated cross-validation better.

The paper compares ten trial means by Welch's t-test, as if they were independent samples; they are made from the same
rows again and again. The corrected test of Nadeau and Bengio widens the variance for that.

References
----------
C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.
A. Benavoli, G. Corani, J. Demšar, M. Zaffalon, "Time for a change", JMLR 18, 2017 (the Bayesian reading).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import stats

from cart_elc.tree import FloatArray
from cart_elc_reproduction.results.gathering import MeanStd

LEVEL = 0.05


@dataclass(frozen=True, eq=False)
class Comparison:
    """Verdicts on "the first is as accurate as the second", by several tests, each made when it is asked for.

    Parameters
    ----------
    first, second : array
        Accuracies, trials x folds, made on the same folds.
    """

    first: FloatArray
    second: FloatArray

    @cached_property
    def _means(self) -> tuple[FloatArray, FloatArray]:
        return self.first.mean(axis=1), self.second.mean(axis=1)

    @cached_property
    def welch(self) -> float:
        """The paper's test, on the trial means."""
        return welch(*self._means)

    @cached_property
    def cohens_d(self) -> float:
        """The paper's effect size, on the trial means."""
        return cohens_d(*map(sample_mean_std, self._means))

    @cached_property
    def wilcoxon(self) -> float:
        """Signed-rank test on the trial means, paired by trial."""
        return wilcoxon(*self._means)

    @cached_property
    def _corrected_t(self) -> tuple[float, float]:
        return corrected_t((self.first - self.second).ravel(), test_share=1.0 / (self.first.shape[1] - 1))

    @property
    def corrected(self) -> float:
        """Nadeau and Bengio's corrected t-test on the folds, paired by fold."""
        return self._corrected_t[0]

    @property
    def better(self) -> float:
        """Posterior probability that the first is more accurate (Bayesian correlated t-test)."""
        return self._corrected_t[1]


def welch_from_means(first: MeanStd, second: MeanStd, n: int) -> float:
    """Return the p-value of Welch's t-test from means and standard deviations of ``n`` trials each."""
    if first.std == second.std == 0.0:
        return 1.0 if first.mean == second.mean else 0.0
    answer = stats.ttest_ind_from_stats(first.mean, first.std, n, second.mean, second.std, n, equal_var=False)
    return float(answer.pvalue)


def cohens_d(first: MeanStd, second: MeanStd) -> float:
    """Return Cohen's d: the difference of the means over the root mean square of the standard deviations."""
    spread = float(np.sqrt((first.std**2 + second.std**2) / 2.0))
    difference = first.mean - second.mean
    if spread == 0.0:
        return 0.0 if difference == 0.0 else float(np.copysign(np.inf, difference))
    return difference / spread


def wilcoxon(first: FloatArray, second: FloatArray) -> float:
    """Return the p-value of the signed-rank test on paired values; 1 if they are all equal."""
    differences = np.round(first - second, 9)
    if not np.any(differences):
        return 1.0
    return float(stats.wilcoxon(differences).pvalue)


def corrected_t(differences: FloatArray, test_share: float) -> tuple[float, float]:
    """Return p-value and posterior probability of a positive mean from paired differences of folds.

    The variance of the mean of ``k`` differences is taken as ``(1/k + n_test/n_train) s^2`` instead of ``s^2 / k``.

    Parameters
    ----------
    differences : array
        One for each fold of each trial.
    test_share : float
        ``n_test / n_train``, 1/4 for five folds.
    """
    k, mean = differences.size, float(np.mean(differences))
    spread = float(np.std(differences, ddof=1)) if k > 1 else 0.0
    if spread == 0.0:
        return (1.0, 0.5) if mean == 0.0 else (0.0, float(mean > 0.0))
    t = mean / (spread * np.sqrt(1.0 / k + test_share))
    return float(2.0 * stats.t.sf(abs(t), k - 1)), float(stats.t.cdf(t, k - 1))


def welch(first: FloatArray, second: FloatArray) -> float:
    """Return the p-value of Welch's t-test on two samples."""
    if len(first) < 2:
        return float("nan")
    return welch_from_means(sample_mean_std(first), sample_mean_std(second), len(first))


def sample_mean_std(values: FloatArray) -> MeanStd:
    """Return mean and standard deviation with ``n - 1``, 0 for one value."""
    return MeanStd(float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0)


def significant(p: float) -> bool:
    """Whether a p-value is below the paper's level."""
    return p < LEVEL
