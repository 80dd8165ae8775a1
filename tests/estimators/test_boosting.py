"""Boosting: derivatives by differences, stages that lower the loss, and scikit-learn's ways."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, make_friedman1
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from cart_elc import ELCBoostingClassifier, ELCBoostingRegressor, load
from cart_elc.estimators.ensembles.losses import LogLoss, SquaredLoss, probabilities_of


@parametrize_with_checks(
    [
        ELCBoostingClassifier(n_estimators=5, learning_rate=0.5, subsample=1.0, random_state=0),
        ELCBoostingRegressor(n_estimators=20, learning_rate=0.5, subsample=1.0, random_state=0),
    ]
)
def test_scikit_learn_checks(estimator: object, check: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_steps_of_the_log_loss_are_its_derivatives(n_classes: int) -> None:
    rng = np.random.default_rng(n_classes)
    y, width, small = rng.integers(0, n_classes, 20), 1 if n_classes == 2 else n_classes, 1e-4
    loss, scores = LogLoss(y, n_classes), rng.normal(size=(20, width))
    g, h = loss.steps(scores)
    for row in range(20):
        one, weight = loss.of(np.array([row])), np.ones(1)
        for column in range(width):
            shift = small * (np.arange(width) == column)
            down, here, up = (one.mean(scores[[row]] + turn * shift, weight) for turn in (-1, 0, 1))
            assert g[row, column] == pytest.approx(-(up - down) / (2 * small), abs=1e-6)
            assert h[row, column] == pytest.approx((up - 2 * here + down) / small**2, abs=1e-5)


def test_the_start_is_the_best_constant() -> None:
    rng = np.random.default_rng(0)
    weights = rng.uniform(0.1, 2, 50)
    y = rng.integers(0, 3, 50)
    for loss in (LogLoss(y, 3), LogLoss(y % 2, 2), SquaredLoss(rng.normal(size=50))):
        start = loss.start(weights)
        best = loss.mean(np.tile(start, (50, 1)), weights)
        for shift in rng.normal(scale=0.1, size=(20, len(start))):
            assert loss.mean(np.tile(start + shift, (50, 1)), weights) >= best - 1e-12


def test_probabilities_sum_to_one_at_any_score() -> None:
    for scores in (np.array([[-800.0], [0.0], [800.0]]), np.array([[1e3, 0.0, -1e3]])):
        assert probabilities_of(scores).sum(axis=1) == pytest.approx(1.0)


def test_an_axis_parallel_stage_is_scikit_learns_tree_of_the_residuals() -> None:
    X, y = load_diabetes(return_X_y=True)
    model = ELCBoostingRegressor(
        r=1, n_estimators=5, max_depth=2, learning_rate=0.3, l2_regularization=0.0, subsample=1.0, max_features=None
    ).fit(X, y)
    scores = np.full(len(y), y.mean())
    for loss in model.train_score_:
        scores = scores + 0.3 * DecisionTreeRegressor(max_depth=2, random_state=0).fit(X, y - scores).predict(X)
        assert loss == pytest.approx(np.square(y - scores).mean() / 2)


def test_stages_lower_the_training_loss_and_are_the_staged_predictions() -> None:
    X, y = load_iris(return_X_y=True)
    model = ELCBoostingClassifier(n_estimators=8, subsample=1.0).fit(X, y)
    assert (np.diff(model.train_score_) < 0).all()
    staged = list(model.staged_predict_proba(X))
    assert len(staged) == model.n_estimators_ == 8
    np.testing.assert_array_equal(staged[-1], model.predict_proba(X))
    np.testing.assert_array_equal(list(model.staged_predict(X))[-1], model.predict(X))
    losses = [-np.log(p[np.arange(len(y)), y]).mean() for p in staged]
    np.testing.assert_allclose(losses, model.train_score_)


def test_trees_predict_their_steps() -> None:
    X, y = load_diabetes(return_X_y=True)
    model = ELCBoostingRegressor(n_estimators=4, l2_regularization=3.0, subsample=1.0).fit(X, y)
    steps = sum(tree.predict(X) for tree in model.estimators_.ravel())
    np.testing.assert_allclose(model.start_[0] + model.learning_rate * steps, model.predict(X))
    assert model.apply(X).shape == (len(X), 4, 1)
    residual = y - y.mean()
    first = model.estimators_[0, 0].apply(X)
    for leaf in np.unique(first):
        here = first == leaf
        step = residual[here].sum() / (here.sum() + 3.0)
        assert model.estimators_[0, 0].predict(X)[here] == pytest.approx(step)


def test_early_stopping_holds_rows_out_and_stops() -> None:
    X, y = make_friedman1(300, noise=3, random_state=0)
    model = ELCBoostingRegressor(n_estimators=200, learning_rate=0.5, n_iter_no_change=3, random_state=0).fit(X, y)
    assert model.n_estimators_ < 200
    assert len(model.validation_score_) == len(model.train_score_) == model.n_estimators_
    assert model.validation_score_[-3:].min() > model.validation_score_[:-3].min() - model.tol


def test_rows_of_weight_zero_are_neither_fitted_nor_held_out() -> None:
    X, y = load_iris(return_X_y=True)
    used = np.arange(len(y)) % 2
    settings = {"n_estimators": 20, "n_iter_no_change": 5, "random_state": 0}
    weighted = ELCBoostingClassifier(**settings).fit(X, y, used)
    chosen = ELCBoostingClassifier(**settings).fit(X[used > 0], y[used > 0])
    np.testing.assert_array_equal(weighted.predict_proba(X), chosen.predict_proba(X))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_draws_depend_on_the_seed_alone(n_jobs: int) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    settings = {"n_estimators": 4, "subsample": 0.5, "max_features": "sqrt"}
    one = ELCBoostingClassifier(random_state=3, **settings).fit(X, y)
    two = ELCBoostingClassifier(random_state=3, n_jobs=n_jobs, **settings).fit(X, y)
    other = ELCBoostingClassifier(random_state=4, **settings).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    assert not np.array_equal(one.predict_proba(X), other.predict_proba(X))


def test_missing_values_and_weights() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X, rng = X[:, :5].copy(), np.random.default_rng(0)
    X[rng.random(X.shape) < 0.2] = np.nan
    counts = rng.integers(0, 3, len(X))
    settings = {"n_estimators": 3, "subsample": 1.0, "max_features": None}
    weighted = ELCBoostingClassifier(**settings).fit(X, y, counts)
    repeated = ELCBoostingClassifier(**settings).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-9)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_estimators", 0),
        ("learning_rate", 0.0),
        ("subsample", 1.5),
        ("max_features", "all"),
        ("max_features", 0),
        ("l2_regularization", -1),
        ("n_iter_no_change", 0),
        ("tol", -1.0),
        ("max_depth", 0),
        ("r", 0),
    ],
)
def test_bad_parameters_are_named(name: str, value: object) -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises((TypeError, ValueError), match=name):
        ELCBoostingClassifier(**{name: value}).fit(X, y)


def test_a_line_tells_the_stage(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = make_friedman1(400, random_state=0)
    model = ELCBoostingRegressor(n_estimators=300, verbose=1, n_iter_no_change=300, random_state=0).fit(X, y)
    told = capsys.readouterr()
    assert "stage" in told.err
    last = f"[ELCBoostingRegressor] stage 300/300: loss {model.train_score_[-1]:.5g}, on held-out rows "
    assert told.out == last + f"{model.validation_score_[-1]:.5g}\n"


@pytest.mark.parametrize("name", ["model.json", "model.npz"])
@pytest.mark.parametrize("n_classes", [2, 3, None])
def test_a_saved_model_predicts_the_same(name: str, n_classes: int | None, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4))
    y = X[:, 0] + X[:, 1] if n_classes is None else np.array(["a", "b", "c"])[rng.integers(0, n_classes, 120)]
    kind = ELCBoostingRegressor if n_classes is None else ELCBoostingClassifier
    model = kind(n_estimators=6, n_iter_no_change=6, random_state=0).fit(X, y)
    model.save(tmp_path / name)
    again = load(tmp_path / name)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.validation_score_, model.validation_score_)
    np.testing.assert_array_equal(again.feature_importances_, model.feature_importances_)
    assert again.get_params() == model.get_params()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    X, y = load_iris(return_X_y=True)
    path = tmp_path / "model.json"
    ELCBoostingClassifier(n_estimators=3, random_state=0).fit(X, y).save(path)
    path.write_text(path.read_text().replace('"start": [', '"start": [0.0, '))
    with pytest.raises(ValueError, match="start must be a list of 3 entries"):
        load(path)


def test_another_fit_forgets_the_one_before_even_if_it_is_refused() -> None:
    X, y = load_iris(return_X_y=True)
    model = ELCBoostingClassifier(n_estimators=3, n_iter_no_change=3, random_state=0).fit(X, y)
    assert not hasattr(model.set_params(n_iter_no_change=None).fit(X, y), "validation_score_")
    with pytest.raises(ValueError, match="subsample"):
        model.set_params(subsample=2.0).fit(X, y)
    assert not hasattr(model, "estimators_")
