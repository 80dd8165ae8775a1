"""Every estimator works inside scikit-learn's tools, with DataFrames, and survives copying."""

import io
import pickle

import joblib
import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, VotingClassifier
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from cart_elc.estimators import CLASSIFIERS

X, Y = load_iris(return_X_y=True)
NAMES = ["sepal length", "sepal width", "petal length", "petal width"]


@pytest.fixture(params=["pandas", "polars"])
def frames(request):
    """A library of DataFrames whose column names scikit-learn reads: its 1.6 cannot read those of polars 2."""
    library = pytest.importorskip(request.param)
    model = DecisionTreeClassifier().fit(library.DataFrame({"x": [0.0, 1.0]}), [0, 1])
    if not hasattr(model, "feature_names_in_"):
        pytest.skip(
            f"scikit-learn {sklearn.__version__} does not read the names of {request.param} {library.__version__}"
        )
    return library


@pytest.fixture(params=CLASSIFIERS.values(), ids=CLASSIFIERS)
def estimator(request):
    model = request.param(max_depth=2)
    # Two fits of a method that draws are compared, so they must draw alike.
    return model.set_params(random_state=0) if "random_state" in model.get_params() else model


def through_pickle(model):
    return pickle.loads(pickle.dumps(model))


def through_joblib(model):
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    return joblib.load(file)


@pytest.mark.parametrize("copier", [through_pickle, through_joblib])
def test_copies_of_a_fitted_model_predict_the_same(estimator, copier):
    model = estimator.fit(X, Y)
    copied = copier(model)
    assert copied.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    assert not copied.tree_.value.flags.writeable


def test_a_clone_has_the_parameters_and_nothing_else(estimator):
    copied = clone(estimator.fit(X, Y))
    assert copied.get_params() == estimator.get_params()
    assert not hasattr(copied, "tree_")


def test_grid_search_finds_a_depth(estimator):
    search = GridSearchCV(estimator, {"max_depth": [1, 2]}, cv=3).fit(X, Y)
    assert search.best_params_ == {"max_depth": 2}
    assert search.score(X, Y) > 0.9


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model: make_pipeline(StandardScaler(), model),
        lambda model: BaggingClassifier(model, n_estimators=5, random_state=0),
        lambda model: BaggingClassifier(model, n_estimators=4, n_jobs=2, max_features=3, random_state=0),
        lambda model: AdaBoostClassifier(model, n_estimators=5, random_state=0),
        lambda model: CalibratedClassifierCV(model, cv=3),
        lambda model: VotingClassifier([("a", model), ("b", clone(model))], voting="soft"),
    ],
    ids=["pipeline", "bagging", "bagging in threads", "adaboost", "calibration", "voting"],
)
def test_it_works_inside_other_estimators(estimator, wrap):
    model = wrap(estimator).fit(X, Y)
    assert model.score(X, Y) > 0.9
    assert model.predict_proba(X).shape == (150, 3)


def test_cross_validation_and_permutation_importance_run(estimator):
    assert cross_val_score(estimator, X, Y, cv=3).mean() > 0.85
    assert cross_val_predict(estimator, X, Y, cv=3, n_jobs=2).shape == (150,)
    importance = permutation_importance(estimator.fit(X, Y), X, Y, n_repeats=2, random_state=0)
    assert importance.importances_mean.max() > 0


def test_frames_give_names_and_the_answer_of_the_array(estimator, frames):
    frame = frames.DataFrame({name: X[:, j] for j, name in enumerate(NAMES)})
    expected = clone(estimator).fit(X, Y)
    model = estimator.fit(frame, Y)
    assert model.feature_names_in_.tolist() == NAMES
    assert (model.predict_proba(frame) == expected.predict_proba(X)).all()


def test_columns_of_other_names_or_order_are_refused(estimator, frames):
    model = estimator.fit(frames.DataFrame({name: X[:, j] for j, name in enumerate(NAMES)}), Y)
    for names in (["a", *NAMES[1:]], NAMES[::-1]):
        with pytest.raises(ValueError, match="The feature names should match those that were passed during fit"):
            model.predict(frames.DataFrame(dict.fromkeys(names, X[:, 0])))
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        model.predict(X)


def test_pandas_columns_of_any_numeric_kind_are_numbers(estimator):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=NAMES)
    frame["sepal length"] = (X[:, 0] * 10).round().astype(int)
    frame["sepal width"] = pandas.array(X[:, 1], dtype="Float64")
    frame.loc[3, "sepal width"] = pandas.NA
    frame["petal width"] = X[:, 3] > 1
    model = estimator.fit(frame, pandas.Series(Y, index=range(10, 160)))
    assert model.predict(frame).shape == (150,)


@pytest.mark.parametrize("dtype", ["str", "object", "category"])
def test_pandas_labels_are_labels(estimator, dtype):
    pandas = pytest.importorskip("pandas")
    labels = pandas.Series(np.array(["setosa", "versicolor", "virginica"])[Y]).astype(dtype)
    model = estimator.fit(X, labels)
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert model.score(X, labels) > 0.9


def test_polars_labels_are_labels(estimator):
    polars = pytest.importorskip("polars")
    labels = polars.Series("species", np.array(["setosa", "versicolor", "virginica"])[Y])
    assert estimator.fit(X, labels).score(X, labels) > 0.9
