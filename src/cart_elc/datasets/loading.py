"""Loading a data set: found, prepared as the paper prepared it, and checked against what the paper says of it."""

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from cart_elc.datasets import sources
from cart_elc.datasets.catalogue import CATALOGUE, Facts
from cart_elc.tree import FloatArray, IntArray

NAMES: tuple[str, ...] = tuple(CATALOGUE)


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set, prepared and checked.

    Attributes
    ----------
    name, title : str
        What `load` calls it, and what the paper's tables do.
    X : DataFrame or ndarray
        The features; a DataFrame where pandas is installed. NaN is a missing value.
    y : int64 array
        Class codes: positions in ``target_names``.
    feature_names, target_names : tuple of str
    description, source, licence : str
    place : str
        Where this copy was found: a file, scikit-learn or OpenML.
    copy : str
        Which copy it is, where there are several; else empty.
    """

    name: str
    title: str
    X: Any
    y: IntArray
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]
    description: str
    source: str
    licence: str
    place: str
    copy: str = ""

    @property
    def matrix(self) -> FloatArray:
        """The features as a plain matrix."""
        return np.ascontiguousarray(self.X, dtype=np.float64)


def load(name: str, data_dir: str | os.PathLike[str] | None = None) -> Dataset:
    """Load one of the paper's data sets, or wine or wdbc.

    It is looked for in ``data_dir`` (else in the folder that the environment variable ``CART_ELC_DATA`` names), then in
    scikit-learn's own files, then on OpenML (cached by scikit-learn).

    Parameters
    ----------
    name : {"bright", "dim", "cancer", "iris", "housing", "diabetes", "wine", "wdbc"}
    data_dir : path, optional
        Folder with ``cancer.csv``, ``pima.csv``, ``housing_nan.csv``, ``bright.csv``, ``dim.csv``: a header, the
        features, and the class in the last column, ``target``.

    Raises
    ------
    ValueError
        If the name is unknown, the folder does not exist, or what was found is not the paper's data set.
    DatasetUnavailableError
        If the set is nowhere to be had.

    Examples
    --------
    >>> from cart_elc.datasets import load
    >>> iris = load("iris")
    >>> iris.X.shape, iris.target_names
    ((150, 4), ('setosa', 'versicolor', 'virginica'))
    """
    if name not in CATALOGUE:
        raise ValueError(f"name must be one of {', '.join(map(repr, CATALOGUE))}, got {name!r}")
    facts = CATALOGUE[name]
    return prepared(facts, found(facts, data_dir))


def found(facts: Facts, data_dir: str | os.PathLike[str] | None) -> sources.RawData:
    path = sources.file_in(facts, sources.data_folder(data_dir))
    if path is not None:
        return sources.from_file(path)
    in_scikit_learn = facts.name in sources.IN_SCIKIT_LEARN
    return sources.from_scikit_learn(facts) if in_scikit_learn else sources.from_openml(facts)


def prepared(facts: Facts, raw: sources.RawData) -> Dataset:
    """Drop rows and encode classes as the paper did, and check the result."""
    X, labels = raw.X, raw.labels
    if facts.drop_incomplete:
        complete = ~np.isnan(X).any(axis=1)
        X, labels = X[complete], labels[complete]
    y, target_names = encoded(facts, labels, raw.place)
    check_against_paper(facts, X, y, raw.place)
    return Dataset(
        name=facts.name,
        title=facts.title,
        X=as_frame(X, raw.feature_names),
        y=y,
        feature_names=raw.feature_names,
        target_names=target_names,
        description=facts.description,
        source=facts.source,
        licence=facts.licence,
        place=raw.place,
        copy=copy_label(facts, X),
    )


def encoded(facts: Facts, labels: Any, place: str) -> tuple[IntArray, tuple[str, ...]]:  # noqa: ANN401
    """Return class codes and class names; the files' spellings are known from the catalogue."""
    spellings = facts.classes or tuple((label,) for label in sorted(set(labels.tolist())))
    codes = {spelling: code for code, names in enumerate(spellings) for spelling in names}
    unknown = sorted(set(labels.tolist()) - set(codes))
    if unknown:
        raise ValueError(f"{facts.name} from {place}: the classes must be among {list(codes)}, got {unknown[0]!r}")
    return np.array([codes[label] for label in labels.tolist()], dtype=np.int64), tuple(names[0] for names in spellings)


def check_against_paper(facts: Facts, X: FloatArray, y: IntArray, place: str) -> None:
    """Refuse data whose shape, class counts or missing cells are not those of the paper."""
    counts, n_missing = np.bincount(y).tolist(), int(np.isnan(X).sum())
    wrong = [
        f"{what} {got}, expected {' or '.join(map(str, expected))}"
        for what, got, expected in (
            ("shape", X.shape, [(facts.n_rows, facts.n_features)]),
            ("rows per class", counts, [list(facts.class_counts or counts)]),
            ("number of classes", len(counts), [len(facts.classes) or 2]),
            ("missing cells", n_missing, list(facts.n_missing)),
        )
        if got not in expected
    ]
    if wrong:
        raise ValueError(f"{facts.name} from {place} is not the paper's data: {'; '.join(wrong)}")


def copy_label(facts: Facts, X: FloatArray) -> str:
    """Say which copy this is, where the paper's differs from others in its missing cells."""
    if len(facts.n_missing) == 1:
        return ""
    n_missing = int(np.isnan(X).sum())
    if n_missing == facts.n_missing[0]:
        return f"the paper's copy, {n_missing} values missing"
    return f"the complete copy; the paper's lacks {facts.n_missing[0]} values"


def as_frame(X: FloatArray, names: tuple[str, ...]) -> Any:  # noqa: ANN401
    try:
        import pandas as pd
    except ImportError:
        return X
    return pd.DataFrame(X, columns=list(names))
