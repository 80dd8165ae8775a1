"""Where data sets come from: the user's folder, scikit-learn's own files, OpenML."""

import os
import socket
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import datasets as sklearn_datasets

from cart_elc.datasets.catalogue import Facts
from cart_elc.datasets.tabular import read_table
from cart_elc.tree import FloatArray

ENVIRONMENT_VARIABLE = "CART_ELC_DATA"
TARGET = "target"
IN_SCIKIT_LEARN: dict[str, Callable[[], Any]] = {
    "iris": sklearn_datasets.load_iris,
    "wine": sklearn_datasets.load_wine,
    "wdbc": sklearn_datasets.load_breast_cancer,
}
MEDV_LIMIT = 21.0
SECONDS_TO_ANSWER = 30.0


class DatasetUnavailableError(LookupError):
    """A data set is nowhere to be had; the message says in one line how to get it."""


@dataclass(frozen=True, eq=False)
class RawData:
    """A data set as it was found: labels as text, rows unprepared; ``place`` says where."""

    X: FloatArray
    labels: NDArray[np.str_]
    feature_names: tuple[str, ...]
    place: str


def data_folder(data_dir: str | os.PathLike[str] | None) -> Path | None:
    """Return the folder to look in: ``data_dir``, else the environment variable's, else none."""
    named = data_dir if data_dir is not None else os.environ.get(ENVIRONMENT_VARIABLE) or None
    if named is None:
        return None
    folder = Path(named)
    if not folder.is_dir():
        origin = "data_dir" if data_dir is not None else ENVIRONMENT_VARIABLE
        raise ValueError(f"{origin} must be an existing folder, got {str(folder)!r}")
    return folder


def file_in(facts: Facts, folder: Path | None) -> Path | None:
    names = [name for name in (facts.file, *facts.other_files) if name is not None]
    paths = [] if folder is None else [folder / name for name in names]
    return next((path for path in paths if path.is_file()), None)


def from_file(path: Path) -> RawData:
    """Read a file with the features first and the column ``target``."""
    table = read_table(path)
    names = table.without(TARGET)
    return RawData(table.numbers(names), as_text(table.labels(TARGET)), tuple(names), str(path))


def from_scikit_learn(facts: Facts) -> RawData:
    bunch = IN_SCIKIT_LEARN[facts.name]()
    names = tuple(str(name).removesuffix(" (cm)").replace(" ", "_") for name in bunch.feature_names)
    return RawData(np.asarray(bunch.data, dtype=np.float64), as_text(bunch.target), names, "scikit-learn")


def from_openml(facts: Facts) -> RawData:
    """Fetch a set from OpenML, or from scikit-learn's cache of it.

    It is unavailable if OpenML cannot be reached or answers otherwise than expected, or if the cache is damaged.
    """
    if facts.openml is None:
        raise DatasetUnavailableError(how_to_get(facts))
    try:
        with warnings.catch_warnings(), answers_within(SECONDS_TO_ANSWER):
            warnings.simplefilter("ignore")  # about retries and the cache; what matters is said below
            bunch = sklearn_datasets.fetch_openml(
                data_id=facts.openml, as_frame=False, parser="liac-arff", n_retries=1, delay=0.2
            )
    except (OSError, ValueError, LookupError, EOFError, HTTPException, zlib.error) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise DatasetUnavailableError(f"{how_to_get(facts)} (OpenML: {reason})") from error
    labels = classes_of_medv(bunch.target) if facts.name == "housing" else as_text(bunch.target)
    return RawData(decoded(bunch), labels, tuple(bunch.feature_names), f"OpenML {facts.openml}")


@contextmanager
def answers_within(seconds: float) -> Iterator[None]:
    """Let no connection wait longer for an answer: `fetch_openml` itself would wait for ever."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


def how_to_get(facts: Facts) -> str:
    network = f"a network connection fetches it from OpenML (data set {facts.openml}), or " if facts.openml else ""
    return (
        f"{facts.name} is not here: {network}put {facts.file} ({facts.n_features} feature columns, then {TARGET}) "
        f"into a folder and name it with --data-dir or {ENVIRONMENT_VARIABLE}"
    )


def decoded(bunch: Any) -> FloatArray:  # noqa: ANN401
    """Return OpenML's features as numbers: nominal columns come as positions in their list of values."""
    X = np.array(bunch.data, dtype=np.float64)
    for name, values in (bunch.categories or {}).items():
        if name in bunch.feature_names:
            column = X[:, list(bunch.feature_names).index(name)]
            known = ~np.isnan(column)
            column[known] = np.array(values, dtype=np.float64)[column[known].astype(np.int64)]
    return X


def classes_of_medv(values: Sequence[Any]) -> NDArray[np.str_]:
    """Return the paper's two classes of the median value in thousands of dollars: 1 below 21, else 2."""
    return np.where(np.asarray(values, dtype=np.float64) < MEDV_LIMIT, "1", "2")


def as_text(labels: Sequence[Any] | NDArray[Any]) -> NDArray[np.str_]:
    """Return labels as text; ``1.0`` is ``1``."""
    return np.array([str(label).removesuffix(".0") for label in np.asarray(labels).tolist()], dtype=np.str_)
