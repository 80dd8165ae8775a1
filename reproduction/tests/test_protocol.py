"""The protocol is what the paper did, and what is asked beyond it; results are the records' own arithmetic."""

from collections import Counter

import numpy as np
import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from cart_elc import ELCClassifier
from cart_elc.datasets import CATALOGUE, load
from cart_elc.tree.building import truncate
from cart_elc.tree.structure import DTYPES
from cart_elc_reproduction.protocol.algorithms import ALGORITHMS, DEFAULTS, ELC_FORMS, PAPER_CRITERIA, PUBLISHED
from cart_elc_reproduction.protocol.specification import N_TRIALS, PAPER_R, plan
from cart_elc_reproduction.protocol.tasks import N_FOLDS, FitTask, RefitTask, TaskData
from cart_elc_reproduction.results.gathering import Results
from cart_elc_reproduction.results.selection import GridPoint

AT_HAND = ["iris", "cancer", "housing", "diabetes"]


def fit_tasks(*parts, datasets=AT_HAND, trials=N_TRIALS):
    return [task for task in plan(parts, datasets, list(ALGORITHMS), trials) if isinstance(task, FitTask)]


def test_the_papers_grid_for_cart_elc_is_7500_fits_on_the_sets_at_hand():
    tasks = fit_tasks("table5", "figures")
    assert sum(len(task.identities()) for task in tasks) == 7500
    assert len(set(tasks)) == len(tasks)
    r_values = {name: sorted({task.r for task in tasks if task.dataset == name}) for name in AT_HAND}
    assert r_values == {"iris": [1, 2, 3, 4], "cancer": [1, 2], "housing": [1, 2], "diabetes": [1, 2]}
    assert {(task.trial, task.fold, task.seed) for task in tasks} == {
        (trial, fold, 71 + trial) for trial in range(10) for fold in range(5)
    }


def test_the_comparison_has_the_papers_eight_algorithms_by_twoing():
    tasks = fit_tasks("table2", "table3", "table4")
    assert {task.algorithm for task in tasks} >= set(PUBLISHED)
    assert len(PUBLISHED) == 8
    assert {task.criterion for task in tasks if len(ALGORITHMS[task.algorithm].criteria) > 1} == {"twoing"}


@pytest.mark.parametrize("dataset", CATALOGUE)
def test_beyond_the_paper_every_set_has_r_3_in_every_form_and_under_every_criterion(dataset):
    tasks = fit_tasks("beyond", datasets=[dataset])
    outer = {(task.algorithm, task.criterion) for task in tasks if task.r == 3 and task.inner is None}
    by_grid = [form for form in ELC_FORMS if form not in DEFAULTS]
    assert outer >= {(form, criterion) for form in by_grid for criterion in PAPER_CRITERIA}
    nested = Counter((task.algorithm, task.r) for task in tasks if task.inner is not None and task.r is not None)
    every_r = range(1, max(PAPER_R[dataset], 3) + 1)
    assert nested == {
        (form, r): N_TRIALS * N_FOLDS * N_FOLDS for form in ("cart-elc", "cart-elc-margin") for r in every_r
    }


@pytest.mark.parametrize("dataset", CATALOGUE)
def test_the_default_form_is_the_library_as_it_is_and_chooses_nothing(dataset):
    form, with_r_3, refined = (ALGORITHMS[name] for name in DEFAULTS)
    tasks = [task for task in fit_tasks("beyond", datasets=[dataset]) if task.algorithm == form.name]
    assert len(tasks) == N_TRIALS * N_FOLDS
    assert {len(task.identities()) for task in tasks} == {1}
    assert all(form.make(task.parameters()).get_params() == ELCClassifier().get_params() for task in tasks)
    assert with_r_3.make(with_r_3.parameters("mdl", None, None, 71)).get_params() == ELCClassifier(3).get_params()
    asked = refined.make(refined.parameters("mdl", None, None, 71)).get_params()
    assert asked == ELCClassifier(refine=True).get_params()


def test_the_papers_reading_is_given_the_last_feature_first():
    iris = load("iris")
    task = FitTask("iris", "cart-elc", "twoing", 2, 1, 2)
    train, test = task.rows(150)
    model = ELCClassifier(2, criterion="twoing", max_depth=3, planes="canonical", missing="right")
    model.fit(iris.matrix[train][:, ::-1], iris.y[train])
    record = task.run(TaskData.of(iris))[2]
    assert record["accuracy"] == model.score(iris.matrix[test][:, ::-1], iris.y[test])
    assert record["grown_with"]["features"] == "last first"
    (shown,) = RefitTask("iris", "cart-elc", "twoing", 2, 2).run(TaskData.of(iris))
    assert shown["model"]["feature_names"] == list(iris.feature_names[::-1])


def fit(r, depth, accuracy, leaves, trial=0, fold=0, inner=None):
    point = GridPoint("diabetes", "cart-elc", "twoing", r, depth)._asdict()
    return {
        "kind": "fit",
        **point,
        "trial": trial,
        "fold": fold,
        "inner": inner,
        "accuracy": accuracy,
        "leaves": leaves,
    }


def test_figures_are_means_over_folds_then_mean_and_population_deviation_over_trials():
    accuracies = np.random.default_rng(0).random((4, 5))
    records = [fit(1, 1, accuracies[t, f], 2 + t, t, f) for t in range(4) for f in range(5)]
    records.append(fit(1, 1, 0.0, 99, trial=4, fold=0))  # a trial that lacks folds is left out
    (result,) = Results(records).by_point.values()
    trials = 100.0 * accuracies.mean(axis=1)
    assert result.n_trials == 4
    assert result.accuracy == pytest.approx((trials.mean(), trials.std()))
    assert result.size == pytest.approx((3.5, np.std([2, 3, 4, 5])))


def nested_records():
    """Inner folds prefer r = 3, then r = 2 at depth 1; on the outer test folds both are worse than r = 1."""
    outer = {(1, 1): 0.9, (2, 1): 0.8, (3, 1): 0.7}
    inner = {(1, 1): 0.6, (2, 1): 0.8, (3, 1): 0.9}
    records = [fit(r, d, a, 2, fold=f) for (r, d), a in outer.items() for f in range(5)]
    return records + [
        fit(r, d, a, 2, fold=f, inner=i) for (r, d), a in inner.items() for f in range(5) for i in range(5)
    ]


@pytest.mark.parametrize(("largest_r", "accuracy"), [(None, 70.0), (3, 70.0), (2, 80.0), (1, 90.0)])
def test_nested_selection_is_made_on_the_inner_folds_and_reported_on_the_outer(largest_r, accuracy):
    result = Results(nested_records()).nested("diabetes", "cart-elc", "twoing", largest_r)
    assert result.accuracy.mean == pytest.approx(accuracy)
    assert Results(nested_records()).chosen("diabetes", "cart-elc", "twoing").accuracy.mean == pytest.approx(90.0)


def test_a_grid_point_that_lacks_an_inner_fold_is_not_chosen():
    records = [r for r in nested_records() if (r["r"], r["inner"]) != (3, 4)]
    assert Results(records).nested("diabetes", "cart-elc", "twoing").accuracy.mean == pytest.approx(80.0)


@pytest.mark.parametrize("name", [name for name, algorithm in ALGORITHMS.items() if len(algorithm.depths) > 1])
def test_every_grid_of_the_protocol_can_be_read_off_its_deepest_tree(name):
    algorithm = ALGORITHMS[name]
    X, y = load("iris").matrix.copy(), load("iris").y
    X[::7, 2] = np.nan
    r = 2 if algorithm.searches_r else None
    trees = {
        depth: algorithm.make(algorithm.parameters(algorithm.criteria[0], r, depth, 71)).fit(X, y).tree_
        for depth in algorithm.depths
    }
    for depth, fresh in trees.items():
        cut = truncate(trees[algorithm.depths[-1]], depth)
        for column in DTYPES:
            np.testing.assert_array_equal(getattr(cut, column), getattr(fresh, column), err_msg=column)
