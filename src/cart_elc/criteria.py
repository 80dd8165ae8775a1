"""All splitting criteria in one registry: node impurity and split score on the statistics of `cart_elc.targets`.

Gini, twoing and information gain follow the paper, section "Splitting Criteria", and its units: Gini is the weighted
impurity of the two sides (to be minimised), twoing and information gain (in bits) are gains (to be maximised). The
compiled kernels have the same names in one dispatch, ``src/core/criteria``.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cart_elc.tree import FloatArray, IntArray


def proportions(counts: FloatArray) -> FloatArray:
    """Divide the counts by their sum along the last axis; a sum of zero gives zeros."""
    total = counts.sum(axis=-1, keepdims=True)
    shares: FloatArray = np.divide(counts, total, out=np.zeros_like(counts, dtype=np.float64), where=total > 0)
    return shares


def gini_impurity(counts: FloatArray) -> FloatArray:
    """Probability that two draws from the node differ in class: ``1 - sum_j p_j^2``."""
    impurity: FloatArray = 1.0 - np.square(proportions(counts)).sum(axis=-1)
    return impurity


def entropy(counts: FloatArray) -> FloatArray:
    """Entropy of the class in bits: ``-sum_j p_j log2 p_j``."""
    p = proportions(counts)
    bits: FloatArray = np.abs(p * np.log2(p, out=np.zeros_like(p), where=p > 0)).sum(axis=-1)
    return bits


def side_shares(left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Share of the weight that goes to each side, ``p_L`` and ``p_R``."""
    n_left, n_right = left.sum(axis=-1), right.sum(axis=-1)
    return n_left / (n_left + n_right), n_right / (n_left + n_right)


def gini_score(left: FloatArray, right: FloatArray) -> FloatArray:
    """Gini criterion: ``p_L gini(L) + p_R gini(R)``."""
    p_left, p_right = side_shares(left, right)
    return p_left * gini_impurity(left) + p_right * gini_impurity(right)


def twoing_score(left: FloatArray, right: FloatArray) -> FloatArray:
    """Twoing criterion: ``p_L p_R / 4 (sum_j |p_Lj - p_Rj|)^2``."""
    p_left, p_right = side_shares(left, right)
    distance = np.abs(proportions(left) - proportions(right)).sum(axis=-1)
    score: FloatArray = p_left * p_right / 4.0 * np.square(distance)
    return score


def information_gain(left: FloatArray, right: FloatArray) -> FloatArray:
    """Information gain in bits: ``H(S) - p_L H(L) - p_R H(R)``."""
    p_left, p_right = side_shares(left, right)
    return entropy(left + right) - p_left * entropy(left) - p_right * entropy(right)


def minority(counts: FloatArray) -> FloatArray:
    """Share of the weight outside the largest class: ``1 - max_j p_j``."""
    share: FloatArray = 1.0 - proportions(counts).max(axis=-1)
    return share


def class_numbers(counts: FloatArray) -> IntArray:
    """Number the classes by frequency: 0 for the most frequent, the first among equals."""
    # Rounded, so that the order of summation does not decide between classes of equal weight.
    order = np.argsort(-np.round(proportions(counts), 9), axis=-1, kind="stable")
    return np.argsort(order, axis=-1, kind="stable").astype(np.int64, copy=False)


def number_variance(counts: FloatArray, numbers: IntArray) -> FloatArray:
    p = proportions(counts)
    variance: FloatArray = (p * np.square(numbers)).sum(axis=-1) - np.square((p * numbers).sum(axis=-1))
    return variance


def class_variance(counts: FloatArray) -> FloatArray:
    """Variance of the class taken as a number, `class_numbers`."""
    return number_variance(counts, class_numbers(counts))


def max_minority_score(left: FloatArray, right: FloatArray) -> FloatArray:
    """Max minority: ``max(p_L minority(L), p_R minority(R))``."""
    p_left, p_right = side_shares(left, right)
    return np.maximum(p_left * minority(left), p_right * minority(right))


def sum_minority_score(left: FloatArray, right: FloatArray) -> FloatArray:
    """Sum minority: ``p_L minority(L) + p_R minority(R)``, the share of errors if each side predicts its best class."""
    p_left, p_right = side_shares(left, right)
    return p_left * minority(left) + p_right * minority(right)


def sum_of_variances_score(left: FloatArray, right: FloatArray) -> FloatArray:
    """Sum of variances: ``p_L Var(L) + p_R Var(R)`` of the classes taken as numbers, by frequency at the node."""
    p_left, p_right = side_shares(left, right)
    numbers = class_numbers(left + right)
    return p_left * number_variance(left, numbers) + p_right * number_variance(right, numbers)


def gain_ratio(left: FloatArray, right: FloatArray) -> FloatArray:
    """Gain ratio: information gain per bit of the entropy of the side taken."""
    sides = entropy(np.stack([left.sum(axis=-1), right.sum(axis=-1)], axis=-1))
    gain = information_gain(left, right)
    return np.divide(gain, sides, out=np.full_like(gain, -np.inf), where=sides > 0)


def variance(statistics: FloatArray) -> FloatArray:
    """Mean squared deviation of a number, from its weight, mean and sum of squared deviations."""
    weight, squares = statistics[..., 0], statistics[..., 2]
    return np.divide(squares, weight, out=np.zeros_like(squares), where=weight > 0)


def squared_error_score(left: FloatArray, right: FloatArray) -> FloatArray:
    """Mean squared error if each side predicts its mean."""
    error: FloatArray = (left[..., 2] + right[..., 2]) / (left[..., 0] + right[..., 0])
    return error


def bits_saved(left: FloatArray, right: FloatArray) -> FloatArray:
    """Bits by which a split shortens the code of the labels: their weight times the information gain."""
    saved: FloatArray = (left + right).sum(axis=-1) * information_gain(left, right)
    return saved


def bits_saved_by_means(left: FloatArray, right: FloatArray) -> FloatArray:
    """Bits by which two means instead of one shorten the code of numbers.

    ``n/2 log2(1/q)`` for ``n`` rows of whose squared error the share ``q`` is left: the code of normal deviations. No
    share is taken for less than ``1/n^2``, because an exact fit of numbers of finite precision is worth finitely much.
    """
    n, after = left[..., 0] + right[..., 0], left[..., 2] + right[..., 2]
    before = after + left[..., 0] * right[..., 0] / n * np.square(left[..., 1] - right[..., 1])
    share = np.divide(after, before, out=np.ones_like(after), where=before > 0)
    bits: FloatArray = -n / 2 * np.log2(np.maximum(share, n**-2.0))
    return bits


def bits_of_exact_fit(statistics: FloatArray) -> float:
    """Return what no split of numbers can save more than: `bits_saved_by_means` where nothing is left."""
    return float(statistics[0] * np.log2(statistics[0]))


def bits_to_name(n: float, n_features: int, size: int) -> float:
    """Bits that name a split on ``size`` features: which samples fix its plane, and which features it has.

    ``log2(C(n, size) C(n_features, size))``; a weight ``n`` that is no whole number takes the binomial's continuation.

    Examples
    --------
    >>> bits_to_name(4.0, 2, 1)
    3.0
    """
    return log2_binomial(max(n, float(size)), size) + log2_binomial(float(n_features), size)


def log2_binomial(n: float, k: int) -> float:
    return sum(math.log2((n - i) / (k - i)) for i in range(k))


Score = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class Criterion:
    """A criterion: the impurity of a node and the score of a split, on statistics along the last axis.

    ``score`` takes the statistics of the left and of the right side and is in the paper's units; ``best`` gives a score
    that no split of a node can pass. Twoing has no node impurity and uses Gini. ``exact`` says whether the exact search
    takes the criterion, and ``kernel`` names the compiled one whose best split it has, prices aside. ``target`` is the
    ``kind`` of a target in `cart_elc.targets`. ``price`` turns the weight of a node, the number of features and the
    number of them in a split into what is taken off the split's score.
    """

    name: str
    impurity: Callable[[FloatArray], FloatArray]
    score: Score
    minimise: bool = True
    exact: bool = False
    best: Callable[[FloatArray], float] = lambda _: 0.0
    target: str = "classes"
    impurity_name: str = "impurity"
    kernel: str = ""
    price: Callable[[float, int, int], float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kernel", self.kernel or self.name)

    @property
    def worst(self) -> float:
        """Score of having no split at all."""
        return float("inf") if self.minimise else float("-inf")

    def better(self, score: float, than: float) -> bool:
        return score < than if self.minimise else score > than

    def best_possible(self, statistics: FloatArray) -> float:
        """Return a score that no split of the node can pass; with two classes, that of separating them."""
        if self.target == "classes" and np.count_nonzero(statistics) == 2:
            first = np.where(np.arange(len(statistics)) == np.flatnonzero(statistics)[0], statistics, 0.0)
            return float(self.score(first, statistics - first))
        return self.best(statistics)


CRITERIA: dict[str, Criterion] = {
    criterion.name: criterion
    for criterion in (
        Criterion("gini", gini_impurity, gini_score, exact=True, impurity_name="gini"),
        Criterion(
            "twoing", gini_impurity, twoing_score, minimise=False, exact=True, best=lambda _: 0.25, impurity_name="gini"
        ),
        Criterion(
            "information_gain",
            entropy,
            information_gain,
            minimise=False,
            exact=True,
            best=lambda value: float(entropy(value)),
            impurity_name="entropy",
        ),
        Criterion(
            "mdl",
            entropy,
            bits_saved,
            minimise=False,
            exact=True,
            best=lambda value: float(value.sum() * entropy(value)),
            impurity_name="entropy",
            kernel="information_gain",
            price=bits_to_name,
        ),
        Criterion("error", minority, sum_minority_score, exact=True, impurity_name="error"),
        Criterion("max_minority", minority, max_minority_score),
        Criterion("sum_minority", minority, sum_minority_score, kernel="error"),
        Criterion("sum_of_variances", class_variance, sum_of_variances_score),
        Criterion("gain_ratio", entropy, gain_ratio, minimise=False, best=lambda _: 1.0, impurity_name="entropy"),
        Criterion(
            "squared_error", variance, squared_error_score, exact=True, target="number", impurity_name="variance"
        ),
        Criterion(
            "mdl_squared_error",
            variance,
            bits_saved_by_means,
            minimise=False,
            exact=True,
            best=bits_of_exact_fit,
            target="number",
            impurity_name="variance",
            price=bits_to_name,
        ),
    )
}
"""The criteria by name."""
EXACT: tuple[str, ...] = tuple(name for name, c in CRITERIA.items() if c.exact and c.target == "classes")
"""The criteria of the exact search for classes."""
EXACT_OF_NUMBERS: tuple[str, ...] = tuple(name for name, c in CRITERIA.items() if c.exact and c.target == "number")
"""The criteria of the exact search for numbers."""
PAPERS: tuple[str, ...] = ("gini", "twoing", "information_gain")
"""The paper's criteria, which its rivals have too."""
SYNONYMS = {"entropy": "information_gain", "log_loss": "information_gain"}
"""scikit-learn's names of information gain."""
OF_OC1: tuple[str, ...] = (*PAPERS, "max_minority", "sum_minority", "sum_of_variances")
"""The measures that OC1 offers."""
