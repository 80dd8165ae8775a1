"""The regressors: trees of numbers on the growth loop, pruning and files of the classifiers."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.ensemble import AdaBoostRegressor, BaggingRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.tree import DecisionTreeRegressor

import cart_elc
from cart_elc import CARTRegressor, ELCRegressor, best_split
from cart_elc.cli.main import main
from cart_elc.estimators import REGRESSORS

X, Y = load_diabetes(return_X_y=True)
X = X.astype(np.float32).astype(np.float64)  # scikit-learn's trees see single precision
every = pytest.mark.parametrize("estimator", REGRESSORS.values(), ids=REGRESSORS)


@pytest.mark.parametrize(
    "limits",
    [
        {"max_depth": 3},
        {"max_depth": 6, "min_samples_leaf": 7},
        {"max_leaf_nodes": 9},
        {"min_samples_split": 60},
        {"min_impurity_decrease": 40.0},
        {"ccp_alpha": 30.0, "max_depth": 6},
        {"min_weight_fraction_leaf": 0.05},
    ],
    ids=str,
)
def test_cart_predicts_what_scikit_learns_tree_predicts(limits):
    ours, theirs = CARTRegressor(**limits).fit(X, Y), DecisionTreeRegressor(random_state=0, **limits).fit(X, Y)
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    assert ours.score(X, Y) == pytest.approx(theirs.score(X, Y), rel=1e-9)
    assert ours.predict(X) == pytest.approx(theirs.predict(X))


def test_weights_count_as_scikit_learn_counts_them():
    weights = np.random.default_rng(0).integers(0, 4, size=len(Y)).astype(float)
    ours = CARTRegressor(max_depth=4).fit(X, Y, weights)
    theirs = DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, Y, weights)
    assert ours.predict(X[weights > 0]) == pytest.approx(theirs.predict(X[weights > 0]))


@pytest.mark.parametrize("criterion", ["mdl", "squared_error"])
def test_a_weight_of_two_is_a_repeated_row(criterion):
    weights = np.random.default_rng(1).integers(0, 3, size=150)
    X_, y = X[:150, :5], Y[:150]
    model = ELCRegressor(criterion=criterion, max_depth=2)
    weighted = copy.copy(model).fit(X_, y, weights).predict(X_)
    assert model.fit(X_.repeat(weights, axis=0), y.repeat(weights)).predict(X_) == pytest.approx(weighted)


def test_pure_noise_is_a_leaf_and_a_step_is_two():
    rng = np.random.default_rng(2)
    points, noise = rng.normal(size=(300, 4)), rng.normal(size=300)
    assert ELCRegressor().fit(points, noise).get_n_leaves() == 1
    step = np.where(points[:, 0] + points[:, 1] > 0.2, 3.0, 0.0)
    model = ELCRegressor().fit(points, step + 0.1 * noise)
    assert model.get_n_leaves() == 2
    assert model.tree_.features.tolist() == [0, 1]
    assert sorted(np.round(model.tree_.outputs[1:, 0])) == [0, 3]


def test_an_exact_fit_ends_in_exact_leaves():
    points = np.random.default_rng(3).normal(size=(200, 3))
    step = np.where(points[:, 0] - points[:, 2] > 0.3, 7.5, -2.0)
    model = ELCRegressor().fit(points, step)
    assert model.get_n_leaves() == 2
    assert (model.predict(points) == step).all()
    assert model.tree_.impurity[1:].tolist() == [0.0, 0.0]


def test_two_rows_are_never_divided_by_bits():
    assert ELCRegressor().fit([[0.0], [1.0]], [0.0, 1e6]).get_n_leaves() == 1
    assert ELCRegressor(criterion="squared_error").fit([[0.0], [1.0]], [0.0, 1e6]).get_n_leaves() == 2


def test_the_unit_and_the_origin_of_the_numbers_do_not_matter():
    here = ELCRegressor().fit(X, Y)
    for unit, origin in [(1e-100, 0.0), (1e100, 0.0), (1.0, 1e7)]:
        there = ELCRegressor().fit(X, unit * Y + origin)
        assert there.tree_.features.tolist() == here.tree_.features.tolist()
        assert (there.apply(X) == here.apply(X)).all()


def test_bits_find_a_better_tree_than_cross_validation_does_for_cart():
    folds = KFold(5, shuffle=True, random_state=0)
    ours = cross_val_score(ELCRegressor(), X, Y, cv=folds).mean()
    theirs = cross_val_score(CARTRegressor(pruning="cv", random_state=0), X, Y, cv=folds).mean()
    assert ours > theirs


@pytest.mark.parametrize("pruning", ["cv", "holdout"])
def test_pruning_by_validation_cuts_a_noisy_tree_back(pruning):
    points, y = make_friedman1(300, noise=3.0, random_state=0)
    whole = CARTRegressor().fit(points, y).get_n_leaves()
    pruned = CARTRegressor(pruning=pruning, holdout_fraction=0.3, random_state=0).fit(points, y).get_n_leaves()
    smaller = CARTRegressor(pruning=pruning, holdout_fraction=0.3, random_state=0, standard_errors=2.0).fit(points, y)
    assert 1 < pruned < whole / 3
    assert smaller.get_n_leaves() <= pruned


@every
def test_a_loaded_model_is_the_same_to_the_last_bit(estimator, tmp_path):
    model = estimator(max_depth=3).fit(X, Y)
    model.save(tmp_path / "model.json")
    loaded = cart_elc.load(tmp_path / "model.json")
    assert type(loaded) is estimator
    assert (loaded.predict(X) == model.predict(X)).all()
    for name in ("value", "impurity", "score", "thresholds"):
        assert np.array_equal(getattr(loaded.tree_, name), getattr(model.tree_, name), equal_nan=True)
    assert loaded.tree_.criterion == model.tree_.criterion
    assert (pickle.loads(pickle.dumps(model)).predict(X) == model.predict(X)).all()


def test_a_file_with_a_negative_squared_error_is_refused(tmp_path):
    path = tmp_path / "model.json"
    CARTRegressor(max_depth=1).fit(X, Y).save(path)
    text = path.read_text()
    value = f'"value": [{text.split(chr(34) + "value" + chr(34) + ": [")[1].split("]")[0]}]'
    path.write_text(text.replace(value, '"value": [442.0, 1.0, -1.0]'))
    with pytest.raises(ValueError, match="damaged"):
        cart_elc.load(path)


@every
def test_it_works_inside_other_estimators(estimator):
    for outer in (
        AdaBoostRegressor(estimator(max_depth=2), n_estimators=3, random_state=0),
        BaggingRegressor(estimator(), n_estimators=3, random_state=0),
        GridSearchCV(estimator(), {"max_depth": [1, 2]}, cv=3),
    ):
        assert outer.fit(X, Y).score(X, Y) > 0.3


def test_missing_values_are_learnt():
    holes = X.copy()
    holes[np.random.default_rng(4).random(X.shape) < 0.2] = np.nan
    holes[Y > 200, 0] = np.nan
    model = ELCRegressor().fit(holes, Y)
    assert model.score(holes, Y) > 0.4
    assert np.isfinite(model.predict(np.full((1, X.shape[1]), np.nan))).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_time_limit_gives_a_tree_with_honest_bounds():
    points, y = make_friedman1(1000, noise=2.0, random_state=0)
    split = best_split(points, y, r=4, criterion="squared_error", time_limit=0.3)
    single = best_split(points, y, r=1, criterion="squared_error")
    assert split.bound <= split.score <= single.score
    with pytest.warns(ConvergenceWarning):
        model = ELCRegressor(r=4, criterion="squared_error", max_depth=2, time_limit=0.3).fit(points, y)
    assert model.score(points, y) > 0


def test_the_answer_does_not_depend_on_threads_or_on_the_order_of_rows():
    order = np.random.default_rng(5).permutation(len(Y))
    one = best_split(X, Y, r=3, criterion="mdl_squared_error")
    two = best_split(X, Y, r=3, criterion="mdl_squared_error", n_jobs=2)
    other = best_split(X[order], Y[order], r=3, criterion="mdl_squared_error")
    for split in (two, other):
        assert (split.features, split.threshold, split.score) == (one.features, one.threshold, one.score)
        assert split.weights.tolist() == one.weights.tolist()


@every
@pytest.mark.parametrize("y", [["a", "b"], [1.0, np.nan], [1.0, np.inf], [1 + 1j, 2.0]], ids=str)
def test_labels_that_are_no_numbers_are_refused(estimator, y):
    with pytest.raises((ValueError, TypeError)):
        estimator().fit([[0.0], [1.0]], y)


@pytest.mark.parametrize("criterion", ["gini", "mse", "mdl_squared_error", None])
def test_other_criteria_are_refused_by_name(criterion):
    with pytest.raises((ValueError, TypeError), match="criterion must be one of 'mdl', 'squared_error'"):
        ELCRegressor(criterion=criterion).fit(X, Y)


def test_the_command_line_predicts_numbers(tmp_path, capsys):
    model = CARTRegressor(max_depth=2).fit(X, Y)
    model.save(tmp_path / "model.json")
    header = ",".join(f"x{j}" for j in range(X.shape[1]))
    np.savetxt(tmp_path / "rows.csv", X[:20], delimiter=",", header=header, comments="", fmt="%.17g")
    assert main(["predict", str(tmp_path / "model.json"), str(tmp_path / "rows.csv")]) in (None, 0)
    heading, *lines = capsys.readouterr().out.split()
    assert heading == "prediction"
    assert [float(line) for line in lines] == model.predict(X[:20]).tolist()
