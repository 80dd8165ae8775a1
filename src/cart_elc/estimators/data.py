"""Checks of data: what `fit` and `best_split` do to X, y and weights before anything is searched."""

from dataclasses import dataclass, replace
from numbers import Complex, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_X_y, validate_data

from cart_elc.categories import BOOLEAN, NUMBER, Table, encoded, is_frame, is_missing, kinds_by_dtype
from cart_elc.columns import CategoricalColumns
from cart_elc.estimators.column_errors import naming_columns
from cart_elc.estimators.parameters import refusal
from cart_elc.targets import Classes, Number, TrainingRows
from cart_elc.tree import FloatArray, IntArray, column_extremes

Column = Any
"""A vector as scikit-learn takes it."""

# Rows may lack values (NaN); C order, because the kernels walk along rows.
REFUSED = object()
"""In place of ``categorical_features`` where a method takes none."""
CHECKS: dict[str, Any] = {"dtype": np.float64, "order": "C", "ensure_all_finite": "allow-nan"}

SMALLEST_RANGE = 1e-300
"""Of a column that is not constant: weights are in units of one over it, and must be finite."""


@dataclass(frozen=True, eq=False)
class TrainingSet(TrainingRows):
    """Checked data: rows, labels, and weights of which some are positive.

    Class codes point into ``classes``, which is empty for numbers. ``categories`` says which columns are codes of
    levels, and of which; None where none may be.
    """

    target: Classes | Number
    classes: NDArray[Any]
    categories: CategoricalColumns | None = None

    @property
    def n_levels(self) -> IntArray | None:
        """The number of levels of each column, as a node has it."""
        return None if self.categories is None else self.categories.n_levels

    @property
    def n_samples(self) -> int:
        """Number of rows with positive weight; the others do not count."""
        return int(np.count_nonzero(self.weights))

    def used_classes(self) -> Self:
        """Return the set with only those classes that have a row of positive weight; numbers stay as they are."""
        if isinstance(self.target, Number):
            return self
        used, codes = np.unique(self.target.y[self.weights > 0], return_inverse=True)
        y = np.zeros_like(self.target.y)
        y[self.weights > 0] = codes
        return replace(self, target=Classes(y, len(used)), classes=self.classes[used])


def check_training_set(
    estimator: BaseEstimator | None,
    X: Table,
    y: Column,
    sample_weight: Column | None,
    class_weight: object = None,
    *,
    numbers: bool = False,
    categorical_features: Any = REFUSED,  # noqa: ANN401
) -> TrainingSet:
    """Return the checked data; with an estimator, its ``n_features_in_`` and feature names are set."""
    if y is None:  # scikit-learn's own message about it
        raise ValueError("requires y to be passed, but the target y is None")
    refuse_missing_labels(y)
    names = getattr(X, "columns", None)
    categories = None
    if categorical_features is REFUSED:
        refuse_categories(X)
    else:
        categories = CategoricalColumns.of(X, categorical_features)
        X = categories.codes(X)
    if estimator is not None or not are_plain(X, y):
        checks = CHECKS | {"y_numeric": numbers}
        with naming_columns(X):
            X, y = check_X_y(X, y, **checks) if estimator is None else validate_data(estimator, X, y, **checks)
    refuse_tiny_ranges(X, names)
    weights = check_weights(sample_weight, X)
    check_total(weights)
    if numbers:
        return TrainingSet(X, Number(np.ascontiguousarray(y, dtype=np.float64)), weights, np.empty(0), categories)
    classes, codes = encoded_labels(y)
    if class_weight is not None:
        with np.errstate(over="ignore"):
            weights = weights * class_factors(class_weight, classes, codes, weights)[codes]
        check_total(weights)
    return TrainingSet(X, Classes(codes, len(classes)), weights, classes, categories)


def are_plain(X: Table, y: Column) -> bool:
    """Whether scikit-learn's checks would return the very arrays: they take as long as a small table's search."""
    if type(X) is not np.ndarray or type(y) is not np.ndarray:
        return False
    fits = X.dtype == np.float64 and X.ndim == 2 and X.flags.c_contiguous and X.size > 0
    return fits and y.dtype.kind in "biu" and y.shape == X.shape[:1] and not np.isinf(X).any()


def refuse_tiny_ranges(X: FloatArray, names: Column | None = None) -> None:
    """Refuse a column whose values differ by so little that float64 cannot hold one over their range."""
    low, high = column_extremes(X)
    half = high / 2 - low / 2
    tiny = np.flatnonzero((low < high) & (half < SMALLEST_RANGE / 2))
    if len(tiny):
        column = int(tiny[0]) if names is None else repr(names[tiny[0]])
        raise ValueError(
            f"the values of a column must be equal or range over at least {SMALLEST_RANGE:g}, got "
            f"{high[tiny[0]] - low[tiny[0]]:g} in column {column}: multiply it by a large number"
        )


def refuse_categories(X: Table) -> None:
    """Refuse categorical and text columns of a DataFrame where the method splits numbers alone."""
    if not is_frame(X):
        return
    dtypes = zip(X.columns, X.dtypes, kinds_by_dtype(X), strict=True)
    names = [name for name, dtype, kind in dtypes if kind != NUMBER and not str(dtype).startswith(BOOLEAN)]
    if names:
        raise TypeError(
            f"X must be numeric, got categorical columns {names!r}: encode them first, with OrdinalEncoder "
            "or OneHotEncoder(sparse_output=False) of scikit-learn in a ColumnTransformer; ELCClassifier and "
            "ELCRegressor take them as they are"
        )


def refuse_missing_labels(y: Column) -> None:
    """Refuse labels that are None, NaN or a DataFrame library's mark of a missing value.

    A list of words with a NaN in it would otherwise get a class "nan". Arrays of numbers are left to scikit-learn.
    """
    if isinstance(getattr(y, "dtype", None), np.dtype) and y.dtype.kind != "O":
        return
    labels = np.asarray(y, dtype=object)
    if labels.ndim != 1:
        return
    try:
        distinct = set(labels.tolist())
    except TypeError:  # lists as labels, which scikit-learn refuses
        return
    if any(map(is_missing, distinct)):
        row = next(row for row, label in enumerate(labels) if is_missing(label))
        raise ValueError(f"y must have a label for every row, got {labels[row]} in row {row}")


def encoded_labels(y: NDArray[Any]) -> tuple[NDArray[Any], IntArray]:
    if y.dtype == object:
        kinds = sorted(kind.__name__ for kind in set(map(type, y.tolist())))
        if "str" in kinds and len(kinds) > 1:
            raise TypeError(f"y must have labels of one type, got {' and '.join(kinds)}")
    whole = y.dtype.kind in "biu"
    if not whole:
        check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    # Of whole numbers scikit-learn only warns where many differ; its check takes longer than a small table's search.
    if whole and len(classes) > len(y) / 2 - 1:
        check_classification_targets(y)
    return classes, codes.astype(np.int64, copy=False)


def check_weights(sample_weight: Column | None, X: FloatArray) -> FloatArray:
    """Return non-negative, finite weights of the rows; None means ones, a number is the weight of every row."""
    if sample_weight is None:
        return np.ones(len(X))
    if isinstance(sample_weight, Complex):
        if not isinstance(sample_weight, Real):
            raise TypeError(f"sample_weight must be real numbers, got {sample_weight!r}")
        sample_weight = np.full(len(X), float(sample_weight))
    weights = numeric_weights(sample_weight)
    if weights.shape != (len(X),):
        raise ValueError(f"sample_weight must be a number or have shape ({len(X)},), got {weights.shape}")
    if np.any(weights < 0):
        raise ValueError(f"sample_weight must be non-negative, got {weights.min():g}")
    return weights


def check_total(weights: FloatArray) -> None:
    """Refuse weights that leave nothing, or more than float64 can sum."""
    if not np.any(weights > 0):
        raise ValueError("sample_weight must have a positive entry, got only zeros (after class_weight)")
    if weights.max() > np.finfo(np.float64).max / len(weights):
        raise ValueError(
            f"sample_weight must have a finite sum (after class_weight), got weights up to {weights.max():g}"
        )


def numeric_weights(sample_weight: Column) -> FloatArray:
    """Return the weights as finite floats of any shape; what NumPy cannot convert is reported with the name."""
    try:
        weights: FloatArray = check_array(
            sample_weight, dtype=np.float64, ensure_2d=False, allow_nd=True, input_name="sample_weight"
        )
    except (TypeError, ValueError) as error:
        if "sample_weight" in str(error):
            raise
        raise type(error)(
            f"sample_weight must be finite numbers, got {type(sample_weight).__name__}: {error}"
        ) from None
    return weights


def class_factors(class_weight: object, classes: NDArray[Any], codes: IntArray, weights: FloatArray) -> FloatArray:
    """Return the factor of each class.

    "balanced" gives every class that has weight the same total: ``N / (k N_j)``, with ``N_j`` the sum of the weights
    of class ``j``. Without sample weights that is scikit-learn's rule.
    """
    if isinstance(class_weight, str) and class_weight == "balanced":
        totals = np.bincount(codes, weights=weights, minlength=len(classes))
        mean = totals.sum() / max(1, np.count_nonzero(totals))
        balanced: FloatArray = np.divide(mean, totals, out=np.ones(len(classes)), where=totals > 0)
        return balanced
    if class_weight is None:
        return np.ones(len(classes))
    if not isinstance(class_weight, dict):
        raise refusal("class_weight", "a dict, 'balanced' or None", class_weight, isinstance(class_weight, str))
    if not all(isinstance(value, Real) and 0 <= float(value) < np.inf for value in class_weight.values()):
        raise ValueError(f"class_weight must have finite non-negative values, got {class_weight!r}")
    factors: FloatArray = compute_class_weight(class_weight, classes=classes, y=classes[codes])
    return factors.astype(np.float64)


def check_rows(estimator: BaseEstimator, X: Table) -> FloatArray:
    """Return rows to predict; their number of columns and their names must be those of the fit."""
    X = encoded(X, getattr(estimator, "categories_", None))
    with naming_columns(X):
        rows: FloatArray = validate_data(estimator, X, reset=False, **CHECKS)
    return rows


def as_counts(weights: FloatArray) -> FloatArray:
    """Return weights that count rows: whole numbers are copies, others are scaled to sum to the number of rows."""
    if np.array_equal(weights, np.round(weights)):
        return weights
    counts: FloatArray = weights * (np.count_nonzero(weights) / weights.sum())
    return counts


def column_means(X: FloatArray, weights: FloatArray) -> FloatArray:
    """Return each column's weighted mean over its known values; 0 for a column without any."""
    known = ~np.isnan(X)
    mass = np.where(known, weights[:, None], 0.0)
    total = mass.sum(axis=0)
    shares = np.divide(mass, total, out=np.zeros_like(mass), where=total > 0)
    means: FloatArray = (shares * np.where(known, X, 0.0)).sum(axis=0)
    return means


def filled(X: FloatArray, values: FloatArray) -> FloatArray:
    """Return the rows with each missing value replaced by its column's; the same array if nothing is missing."""
    missing = np.isnan(X)
    return np.where(missing, values, X) if missing.any() else X
