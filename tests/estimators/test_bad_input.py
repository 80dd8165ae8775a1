"""Every bad input gets an error that names the parameter, what was expected and what came."""

import inspect
import math
import re
import subprocess
import sys
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.validation import _check_sample_weight

from cart_elc import C45Classifier, ELCClassifier, _core, best_split, verify

X, Y = load_iris(return_X_y=True)
ENTRIES = {
    "fit": lambda X=X, y=Y, sample_weight=None, **p: ELCClassifier(**p).fit(X, y, sample_weight),
    "best_split": lambda X=X, y=Y, **p: best_split(X, y, **p),
}
both_entries = pytest.mark.parametrize("enter", ENTRIES.values(), ids=ENTRIES)


@both_entries
@pytest.mark.parametrize("r", [0, -1, -(10**20)])
def test_r_below_one_is_refused(enter, r):
    with pytest.raises(ValueError, match=re.escape(f"r must be an int >= 1, got {r}")):
        enter(r=r)


@pytest.mark.parametrize("n_features", [40, 100, 260])
def test_r_may_be_as_large_as_the_number_of_features(n_features):
    """In a process of its own: whatever a plane of so many features does to the kernel, the tests go on."""
    program = (
        "import numpy as np; from cart_elc import best_split\n"
        f"X = np.random.default_rng(0).normal(size=({n_features + 2}, {n_features}))\n"
        f"split = best_split(X, np.arange({n_features + 2}) % 2, {n_features}, planes='through', time_limit=1)\n"
        "print(len(split.features), split.bound <= split.score)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, f"{n_features} True\n"), result.stderr


@both_entries
@pytest.mark.parametrize("r", [2.0, "2", None, True, [2], np.float64(2)])
def test_r_that_is_not_an_int_is_refused(enter, r):
    with pytest.raises(TypeError, match=re.escape(f"r must be an int >= 1, got {r!r}")):
        enter(r=r)


@both_entries
@pytest.mark.parametrize("name", ["criterion", "planes", "missing"])
@pytest.mark.parametrize(
    ("value", "error"), [("nonsense", ValueError), ("", ValueError), (None, TypeError), (3, TypeError)]
)
def test_unknown_choices_are_refused_with_the_choices(enter, name, value, error):
    with pytest.raises(error, match=rf"^{name} must be one of '.*', got {re.escape(repr(value))}$"):
        enter(**{name: value})


@both_entries
@pytest.mark.parametrize("value", [0, 1.5, "all", True, [1]])
def test_nonsense_numbers_of_jobs_are_refused(enter, value):
    error = ValueError if value == 0 else TypeError
    with pytest.raises(error, match=re.escape(f"n_jobs must be None or an int other than 0, got {value!r}")):
        enter(n_jobs=value)


@both_entries
def test_more_jobs_than_any_machine_has_processors_are_refused(enter):
    with pytest.raises(ValueError, match="n_jobs must be at most 1024, got 1025"):
        enter(n_jobs=1025)


@both_entries
@pytest.mark.parametrize("value", [-1, -2, -1000, -(10**20), np.int64(-2), 2, None])
def test_numbers_of_jobs_mean_what_joblib_says(enter, value, monkeypatch):
    asked = []
    search = _core.search
    monkeypatch.setattr(_core, "search", lambda *a: (asked.append(a[-1]["n_threads"]), search(*a))[1])
    enter(n_jobs=value)
    assert set(asked) == {joblib.effective_n_jobs(value)}


@both_entries
@pytest.mark.parametrize(
    ("value", "error"),
    [(0, ValueError), (-1.5, ValueError), (float("nan"), ValueError), ("1s", TypeError), (True, ValueError)],
)
def test_time_limits_that_are_not_positive_are_refused(enter, value, error):
    with pytest.raises(
        error, match=re.escape(f"time_limit must be a positive number of seconds or None, got {value!r}")
    ):
        enter(time_limit=value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_depth": 0}, "max_depth must be an int >= 1 or None, got 0"),
        ({"max_depth": 2.5}, "max_depth must be an int >= 1 or None, got 2.5"),
        ({"min_samples_split": 1}, "min_samples_split must be an int >= 2 or a float in (0, 1], got 1"),
        ({"min_samples_split": 1.5}, "min_samples_split must be an int >= 2 or a float in (0, 1], got 1.5"),
        ({"min_samples_leaf": 0}, "min_samples_leaf must be an int >= 1 or a float in (0, 1], got 0"),
        ({"min_samples_leaf": "a"}, "min_samples_leaf must be an int >= 1 or a float in (0, 1], got 'a'"),
        ({"min_weight_fraction_leaf": 0.6}, "min_weight_fraction_leaf must be a number in [0, 0.5], got 0.6"),
        ({"min_impurity_decrease": -1}, "min_impurity_decrease must be a finite number >= 0, got -1"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes must be an int >= 2 or None, got 1"),
        ({"ccp_alpha": -0.1}, "ccp_alpha must be a finite number >= 0, got -0.1"),
        ({"ccp_alpha": float("nan")}, "ccp_alpha must be a finite number >= 0, got nan"),
        ({"class_weight": "heavy"}, "class_weight must be a dict, 'balanced' or None, got 'heavy'"),
        ({"class_weight": [1, 2]}, "class_weight must be a dict, 'balanced' or None, got [1, 2]"),
        ({"class_weight": {0: -1.0}}, "class_weight must have finite non-negative values, got {0: -1.0}"),
        ({"class_weight": {0: "heavy"}}, "class_weight must have finite non-negative values, got {0: 'heavy'}"),
        ({"class_weight": {0: None}}, "class_weight must have finite non-negative values, got {0: None}"),
        ({"class_weight": {0: [1.0]}}, "class_weight must have finite non-negative values, got {0: [1.0]}"),
        ({"class_weight": {0: float("inf")}}, "class_weight must have finite non-negative values, got {0: inf}"),
        ({"verbose": -1}, "verbose must be an int >= 0, a bool or a callable, got -1"),
        ({"verbose": "yes"}, "verbose must be an int >= 0, a bool or a callable, got 'yes'"),
        ({"verbose": 1.0}, "verbose must be an int >= 0, a bool or a callable, got 1.0"),
    ],
    ids=str,
)
def test_bad_parameters_of_the_classifier_are_refused(parameters, message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        ELCClassifier(**parameters).fit(X, Y)


def test_weights_whose_product_overflows_are_refused():
    with pytest.raises(
        ValueError, match=r"sample_weight must have a finite sum \(after class_weight\), got .* up to inf"
    ):
        ELCClassifier(class_weight={0: 1e200}).fit(X, Y, np.full(150, 1e200))
    with pytest.raises(
        ValueError, match=r"sample_weight must have a finite sum \(after class_weight\), got .* up to 1e\+307"
    ):
        ELCClassifier(class_weight={0: 1e7, 1: 1e7}).fit(X, Y, np.full(150, 1e300))


def test_weights_for_unknown_classes_are_refused():
    with pytest.raises(ValueError, match="class_weight"):
        ELCClassifier(class_weight={"no such": 1.0}).fit(X, Y)


@both_entries
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (X[:, 0], "Expected 2D array, got 1D array"),
        (X.reshape(150, 2, 2), "dim 3"),
        (np.empty((0, 4)), "0 sample"),
        (np.empty((150, 0)), "0 feature"),
        (np.where(X > 7, np.inf, X), "infinity"),
        ([[1.0, 2.0], [1.0]], "."),
        (np.full((150, 2), "word"), "X must be numeric, got the text 'word' in column 0"),
        (X + 1j, "Complex data not supported"),
        ([*X.tolist()[:-1], [1.0]], "."),
        (None, "."),
    ],
    ids=["1d", "3d", "no rows", "no columns", "inf", "ragged", "strings", "complex", "short row", "None"],
)
def test_bad_data_is_refused(enter, data, message):
    with pytest.raises((ValueError, TypeError), match=message):
        enter(X=data)


@both_entries
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array, sparse.coo_array, sparse.csc_matrix])
def test_sparse_data_is_refused_with_a_way_out(enter, form):
    with pytest.raises(TypeError, match=r"(?i)sparse data was passed.*dense"):
        enter(X=form(X))


@both_entries
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (Y[:-1], "inconsistent numbers of samples"),
        (Y + 0.5, "Unknown label type"),
        (np.where(Y == 0, np.nan, Y), "NaN"),
        (np.where(Y == 0, np.inf, Y), "infinity"),
        (np.column_stack([Y, Y]), "should be a 1d array"),
        (None, "y"),
    ],
    ids=["length", "continuous", "nan", "inf", "2d", "None"],
)
def test_bad_labels_are_refused(enter, y, message):
    with pytest.raises(ValueError, match=message):
        enter(y=y)


def words(lacking, form):
    """Labels that are words, of which the sixth is lacking."""
    labels = ["a", "b", "c", "a", "b"] * 30
    labels[5] = lacking
    return form(labels)


FORMS = {
    "list": list,
    "array": lambda labels: np.array(labels, dtype=object),
    "series": lambda labels: pd.Series(labels, dtype=object),
    "string series": lambda labels: pd.Series(labels, dtype="string"),
    "categories": lambda labels: pd.Series(labels, dtype="category"),
}


@both_entries
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("lacking", [None, float("nan"), np.float64("nan"), pd.NA, pd.NaT], ids=repr)
def test_a_missing_label_is_refused_with_its_row(enter, form, lacking):
    with pytest.raises(ValueError, match=r"^y must have a label for every row, got (None|nan|<NA>|NaT) in row 5$"):
        enter(y=words(lacking, form))


@both_entries
def test_a_missing_label_of_polars_is_refused_with_its_row(enter):
    polars = pytest.importorskip("polars")
    with pytest.raises(ValueError, match=r"^y must have a label for every row, got None in row 5$"):
        enter(y=words(None, polars.Series))


@both_entries
def test_labels_that_have_no_order_are_refused_with_their_types(enter):
    with pytest.raises(TypeError, match=r"^y must have labels of one type, got int and str$"):
        enter(y=words(7, FORMS["array"]))


@both_entries
def test_missing_labels_among_numbers_are_refused(enter):
    numbers = [None, *Y.tolist()[1:]]
    with pytest.raises(ValueError, match=r"^y must have a label for every row, got None in row 0$"):
        enter(y=numbers)
    with pytest.raises(ValueError, match=r"^y must have a label for every row, got <NA> in row 0$"):
        enter(y=pd.Series(numbers, dtype="Int64"))


@both_entries
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.where(Y == 0, -1.0, 1.0), "sample_weight must be non-negative, got -1"),
        (np.where(Y == 0, np.nan, 1.0), "sample_weight contains NaN"),
        (np.where(Y == 0, np.inf, 1.0), "sample_weight contains infinity"),
        (np.zeros(150), "sample_weight must have a positive entry"),
        (
            np.full(150, 1e307),
            r"sample_weight must have a finite sum \(after class_weight\), got weights up to 1e\+307",
        ),
        (np.ones(149), r"sample_weight must be a number or have shape \(150,\), got \(149,\)"),
        (np.ones((150, 1)), r"sample_weight must be a number or have shape \(150,\), got \(150, 1\)"),
        (
            ["a"] * 150,
            "sample_weight must be finite numbers, got list: could not convert string to float",
        ),
        (-2.0, "sample_weight must be non-negative, got -2"),
        (float("nan"), "sample_weight contains NaN"),
        (float("inf"), "sample_weight contains infinity"),
        (0.0, "sample_weight must have a positive entry"),
        (1j, "sample_weight must be real numbers, got 1j"),
        (np.array(2.0), "sample_weight must be finite numbers, got ndarray: .* at least 1 dimension"),
        ("heavy", "sample_weight must be finite numbers, got str: could not convert string to float"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, np.ndarray | list) else repr(value),
)
def test_bad_weights_are_refused(enter, weights, message):
    with pytest.raises((ValueError, TypeError), match=message):
        enter(sample_weight=weights)


@pytest.mark.parametrize("weight", [2, 2.0, np.float32(2), True])
def test_one_number_is_the_weight_of_every_row_as_in_scikit_learn(weight):
    expected = _check_sample_weight(weight, X, dtype=np.float64)
    model, twin = (ELCClassifier(criterion="gini", max_depth=2).fit(X, Y, given) for given in (weight, expected))
    assert np.array_equal(model.tree_.value, twin.tree_.value)
    assert model.tree_.weighted_n_node_samples[0] == 150 * float(weight)
    split, twin_split = (best_split(X, Y, sample_weight=w) for w in (weight, expected))
    assert (split.score, split.threshold) == (twin_split.score, twin_split.threshold)
    assert verify(split, X[:30], Y[:30], sample_weight=weight, r=2).n_candidates == 30 * 4 + math.comb(30, 2) * 6


@pytest.mark.parametrize("class_weight", [{0: 0.0, 1: 0.0, 2: 0.0}])
def test_class_weights_that_leave_nothing_are_refused(class_weight):
    with pytest.raises(ValueError, match="sample_weight must have a positive entry"):
        ELCClassifier(class_weight=class_weight).fit(X, Y)


@pytest.mark.parametrize(
    "method",
    ["predict", "predict_proba", "predict_log_proba", "apply", "decision_path", "score", "get_depth", "get_n_leaves"],
)
def test_nothing_works_before_fit(method):
    arguments = {"score": (X, Y), "get_depth": (), "get_n_leaves": ()}.get(method, (X,))
    with pytest.raises(NotFittedError):
        getattr(ELCClassifier(), method)(*arguments)


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply", "decision_path"])
def test_other_numbers_of_columns_are_refused(method):
    model = ELCClassifier(r=1, max_depth=1).fit(X, Y)
    with pytest.raises(ValueError, match="X has 3 features, but ELCClassifier is expecting 4 features"):
        getattr(model, method)(X[:, :3])
    with pytest.raises(ValueError, match="Expected 2D array"):
        getattr(model, method)(X[0])
    with pytest.raises(ValueError, match="infinity"):
        getattr(model, method)(np.full((1, 4), np.inf))


@pytest.mark.parametrize(
    "form",
    [
        np.asfortranarray,
        lambda X: np.repeat(X, 2, axis=1)[:, ::2],
        lambda X: np.repeat(X, 3, axis=0)[::3],
        lambda X: X[::-1][::-1],
        lambda X: X.astype(np.float32),
        lambda X: X.astype(">f8"),
        lambda X: X.tolist(),
        lambda X: X.astype(object),
    ],
    ids=["fortran", "column strides", "row strides", "negative strides", "float32", "big endian", "list", "object"],
)
def test_any_layout_of_the_same_numbers_gives_the_same_answer(form):
    numbers = X.astype(np.float32).astype(np.float64)
    expected, split = ELCClassifier(max_depth=2).fit(numbers, Y), best_split(numbers, Y)
    model, other = ELCClassifier(max_depth=2).fit(form(numbers), Y), best_split(form(numbers), Y)
    assert np.array_equal(model.tree_.thresholds, expected.tree_.thresholds, equal_nan=True)
    assert np.array_equal(model.tree_.weights, expected.tree_.weights)
    assert (model.predict_proba(form(numbers)) == expected.predict_proba(numbers)).all()
    assert (other.features, other.threshold, other.score) == (split.features, split.threshold, split.score)


def test_read_only_data_is_read_only_used():
    data, labels, weights = X.copy(), Y.copy(), np.ones(150)
    for array in (data, labels, weights):
        array.flags.writeable = False
    model = ELCClassifier(max_depth=1).fit(data, labels, weights)
    assert (model.predict(data) == ELCClassifier(max_depth=1).fit(X, Y).predict(X)).all()
    assert best_split(data, labels, sample_weight=weights).found


def test_the_data_given_is_not_changed():
    data, labels, weights = X.copy(), Y.copy(), np.arange(150.0)
    ELCClassifier(max_depth=2, class_weight="balanced").fit(data, labels, weights).predict(data)
    assert (data == X).all()
    assert (labels == Y).all()
    assert (weights == np.arange(150.0)).all()


@both_entries
def test_a_hopeless_number_of_feature_subsets_is_warned_about_with_the_numbers(enter):
    generator = np.random.default_rng(0)
    wide, labels = generator.normal(size=(6, 60)), [0, 1, 0, 1, 0, 1]
    message = re.escape("r=5 of n_features=60 makes C(60, 5) = 5.46e+06 feature subsets")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        with pytest.warns(UserWarning, match=message) as warned:
            enter(X=wide, y=labels, r=5, time_limit=0.1)
    assert [warning.filename for warning in warned if warning.category is UserWarning] == [__file__]


def test_a_million_pairs_of_features_are_not_hopeless():
    wide = np.random.default_rng(0).normal(size=(6, 1500))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert best_split(wide, [0, 1, 0, 1, 0, 1], 2).score == 0


def test_a_warning_points_at_the_line_that_called_fit_or_best_split():
    generator = np.random.default_rng(0)
    wide, labels = generator.normal(size=(6, 60)), [0, 1, 0, 1, 0, 1]
    here = inspect.currentframe().f_lineno
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        ELCClassifier(5, planes="through", criterion="gini", time_limit=0.1).fit(wide, labels)
        best_split(wide, labels, 5, planes="through", time_limit=0.1)
        ELCClassifier(5, planes="through", criterion="gini", time_limit=0.1).cost_complexity_pruning_path(wide, labels)
    lines = [(warning.category, warning.lineno - here) for warning in warned if warning.filename == __file__]
    hopeless, late = UserWarning, ConvergenceWarning
    assert lines == [(hopeless, 3), (late, 3), (hopeless, 4), (hopeless, 5), (late, 5)]
    assert len(warned) == len(lines)


DAYS = np.array(["2020-01-01", "2020-01-02", "2020-02-01", "2020-03-01"], dtype="datetime64[D]")
WORDS = ["m", "f", "m", "f"]


def frames(values):
    """Yield tables whose second column has the values: pandas', polars', an array of objects."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    yield "'b'", pandas.DataFrame({"a": [1, 2, 3, 4], "b": values})
    yield "'b'", pandas.DataFrame({"a": [1, 2, 3, 4], "b": pandas.Series(list(values), dtype=object)})
    yield "'b'", polars.DataFrame({"a": [1, 2, 3, 4], "b": values})
    yield "1", np.array(list(zip([1, 2, 3, 4], values, strict=True)), dtype=object)


def refusals(values):
    """Yield column and message of what fitting, searching and predicting say of the values."""
    numbers = ELCClassifier(categorical_features=[])
    fitted = ELCClassifier().fit([[1, 1], [2, 2], [3, 3], [4, 4]], [0, 0, 1, 1])
    for column, table in frames(values):
        for call in (numbers.fit, lambda X, _: fitted.predict(X)):
            with warnings.catch_warnings(), pytest.raises((TypeError, ValueError)) as caught:
                warnings.simplefilter("ignore")  # names at predict that the fit did not have
                call(table, [0, 0, 1, 1])
            yield column, str(caught.value)


def test_dates_are_refused_with_the_name_of_the_column_and_advice():
    for column, message in refusals(DAYS):
        assert message.startswith(f"X must be numeric, got dates or times in column {column}: turn them into numbers")
        assert "days since a date" in message


def test_spans_of_time_are_refused_whatever_their_unit():
    for unit in "Dhs":
        with pytest.raises(TypeError, match="got dates or times in column 0"):
            ELCClassifier().fit((DAYS - DAYS[0]).astype(f"timedelta64[{unit}]")[:, None], [0, 0, 1, 1])


def test_a_text_is_refused_with_the_name_of_its_column():
    (*frames_of_text, (column, array)) = frames(WORDS)
    for call in (ELCClassifier().fit, best_split):
        with pytest.raises(ValueError, match=f"got the text 'm' in column {column}: leave the column out"):
            call(array, [0, 0, 1, 1])
    for column, frame in frames_of_text:  # a category, where the method has them
        with pytest.raises(TypeError, match=column):
            C45Classifier().fit(frame, [0, 0, 1, 1])
        plain = ELCClassifier(categorical_features=None)
        with pytest.raises(ValueError, match=f"got the text 'm' in column {column}: leave the column out"):
            plain.fit(frame, [0, 0, 1, 1])


def test_numbers_that_are_written_as_text_are_numbers():
    rows = np.array([["1", "a"], ["2", "b"], ["3", "c"], ["4", "d"]], dtype=object)
    assert ELCClassifier(r=1, criterion="gini").fit(rows[:, :1], [0, 0, 1, 1]).get_n_leaves() == 2
