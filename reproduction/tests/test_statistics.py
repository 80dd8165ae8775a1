"""The tests and the selection rule agree with what the paper printed when they are given what the paper printed."""

import numpy as np
import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")
from scipy import stats

from cart_elc.datasets import CATALOGUE
from cart_elc_reproduction.results import published
from cart_elc_reproduction.results.gathering import MeanStd
from cart_elc_reproduction.results.selection import Candidate, GridPoint, select_point
from cart_elc_reproduction.results.statistics import (
    Comparison,
    cohens_d,
    corrected_t,
    welch,
    welch_from_means,
    wilcoxon,
)

PAPER_SETS = [name for name, facts in CATALOGUE.items() if facts.in_paper]


def published_pair(algorithm, dataset):
    return [published.cell_of("table2", name, dataset, "accuracy") for name in ("CART-ELC", algorithm)]


@pytest.mark.parametrize(
    ("key", "value"),
    published.statistics().items(),
    ids=lambda item: "-".join(map(str, item[1:])) if isinstance(item, tuple) else None,
)
def test_published_p_and_d_follow_from_the_published_means_to_the_printed_digits(key, value):
    quantity, algorithm, dataset = key
    pair = published_pair(algorithm, dataset)
    ours = welch_from_means(*pair, published.PUBLISHED_TRIALS) if quantity == "welch_p" else cohens_d(*pair)
    assert f"{ours:.3f}" == f"{value:.3f}"


@pytest.mark.parametrize("dataset", PAPER_SETS)
@pytest.mark.parametrize("criterion", ["twoing", "gini", "information_gain"])
def test_the_selection_rule_picks_the_papers_choice_from_the_papers_grid(dataset, criterion):
    grid = {point: cell for point, cell in published.grid().items() if point[:3] == (dataset, "cart-elc", criterion)}
    chosen = select_point(Candidate(point, accuracy.mean, leaves.mean) for point, (accuracy, leaves) in grid.items())
    for figure, quantity in zip(grid[chosen], ("accuracy", "leaves"), strict=True):
        assert figure == published.cell_of("table5", "CART-ELC", dataset, quantity, criterion)


def candidate(accuracy, leaves, r=1, max_depth=1):
    return Candidate(GridPoint("iris", "cart-elc", "gini", r, max_depth), accuracy, leaves)


@pytest.mark.parametrize(
    ("candidates", "winner"),
    [
        ([candidate(95.0, 4.0, 1), candidate(94.9, 2.0, 2)], 2),
        ([candidate(95.0, 4.0, 1), candidate(94.89, 2.0, 2)], 1),
        ([candidate(95.0, 3.0, 2), candidate(95.05, 3.0, 3)], 3),
        ([candidate(95.0, 3.0, 2), candidate(95.0, 3.0, 1)], 1),
    ],
)
def test_the_rule_is_fewest_leaves_within_a_tenth_of_a_point(candidates, winner):
    assert select_point(candidates).r == winner


def test_nothing_to_choose_from_gives_nothing():
    assert select_point([]) is None


def test_welch_on_samples_is_scipys():
    first, second = np.random.default_rng(0).normal(size=(2, 10))
    assert welch(first, second) == pytest.approx(stats.ttest_ind(first, second, equal_var=False).pvalue)


def test_equal_constant_samples_are_no_difference():
    assert welch_from_means(MeanStd(1.0, 0.0), MeanStd(1.0, 0.0), 10) == 1.0
    assert welch_from_means(MeanStd(2.0, 0.0), MeanStd(1.0, 0.0), 10) == 0.0
    assert cohens_d(MeanStd(1.0, 0.0), MeanStd(1.0, 0.0)) == 0.0
    assert cohens_d(MeanStd(0.0, 0.0), MeanStd(1.0, 0.0)) == -np.inf
    assert wilcoxon(np.ones(5), np.ones(5)) == 1.0
    assert corrected_t(np.zeros(50), 0.25) == (1.0, 0.5)


def test_the_corrected_test_widens_the_plain_paired_one_by_the_known_factor():
    differences = np.random.default_rng(1).normal(0.5, 1.0, 50)
    plain = stats.ttest_1samp(differences, 0.0)
    t = plain.statistic / np.sqrt(1.0 + 50 * 0.25)
    p, better = corrected_t(differences, 0.25)
    assert p == pytest.approx(2.0 * stats.t.sf(abs(t), 49))
    assert better == pytest.approx(1.0 - p / 2.0)
    assert p > plain.pvalue


def test_a_comparison_pairs_trials_and_folds():
    rng = np.random.default_rng(2)
    second = rng.normal(90.0, 1.0, (10, 5))
    first = second + rng.normal(0.8, 0.2, (10, 5))
    verdict = Comparison(first, second)
    assert verdict.wilcoxon == pytest.approx(stats.wilcoxon(first.mean(axis=1), second.mean(axis=1)).pvalue)
    assert verdict.corrected < 1e-6
    assert verdict.better > 0.999
    assert Comparison(second, first).cohens_d == pytest.approx(-verdict.cohens_d)
