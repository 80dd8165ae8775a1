"""Tables from files: CSV by Python's own reader, Parquet through pandas.

A table is read as columns by name. Numbers are asked for where numbers are needed, so that an error can name the file,
the row and the column.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cart_elc.tree import FloatArray

MISSING_VALUES = frozenset({"", "na", "<na>", "nan", "nat", "null", "none", "?"})


@dataclass(frozen=True)
class Table:
    """Named columns of equal length; ``path`` is for messages."""

    path: Path
    columns: dict[str, Sequence[Any]]

    @property
    def names(self) -> list[str]:
        return list(self.columns)

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.columns.values())))

    def without(self, name: str) -> list[str]:
        """Return the names of all columns but one, which must be there beside others.

        A column without a name is refused: it is most often the row numbers that pandas writes unless told not to.
        """
        if name not in self.columns:
            raise ValueError(f"{self.path} has no column {name!r}; its columns are {shortened(self.names)}")
        if len(self.columns) == 1:
            raise ValueError(f"{self.path} has no column beside {name!r}")
        if "" in self.columns:
            place = self.names.index("") + 1
            raise ValueError(f"{self.path}: column {place} has no name; if it numbers the rows, leave it out")
        return [other for other in self.names if other != name]

    def numbers(self, names: Sequence[str]) -> FloatArray:
        """Return columns as a matrix of finite numbers, NaN where a value is missing."""
        absent = [name for name in names if name not in self.columns]
        if absent:
            raise ValueError(f"{self.path} lacks the columns {shortened(absent)}")
        matrix = np.empty((self.n_rows, len(names)))
        for j, name in enumerate(names):
            matrix[:, j] = [self._number(name, i, value) for i, value in enumerate(self.columns[name])]
        return matrix

    def labels(self, name: str) -> NDArray[Any]:
        """Return a column as labels: ints if all of them are and 64 bits hold them, else strings."""
        self.without(name)
        texts = [str(value).strip() for value in self.columns[name]]
        lost = next((i for i, value in enumerate(self.columns[name]) if is_missing(value)), None)
        if lost is not None:
            raise ValueError(f"{self.path}, row {lost + 1}: the label {name!r} is missing")
        try:
            return np.array([int(text) for text in texts], dtype=np.int64)
        except (ValueError, OverflowError):
            return np.array(texts)

    def _number(self, name: str, row: int, value: Any) -> float:  # noqa: ANN401
        if is_missing(value):
            return float("nan")
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"{self.path}, row {row + 1}: column {name!r} must be a number, got {value!r}") from None
        if np.isinf(number):
            raise ValueError(f"{self.path}, row {row + 1}: column {name!r} must be finite, got {value!r}")
        return number


def is_missing(value: Any) -> bool:  # noqa: ANN401
    """Whether a cell is empty: a word that says so, None, NaN, or one of pandas' own (``<NA>``, ``NaT``)."""
    if isinstance(value, float):
        return value != value
    return value is None or str(value).strip().lower() in MISSING_VALUES


def shortened(names: Sequence[str], at_most: int = 8) -> str:
    """Return names in one line, the rest counted."""
    rest = len(names) - at_most
    return ", ".join(map(repr, names[:at_most])) + (f" and {rest} more" if rest > 0 else "")


def read_csv(path: Path) -> Table:
    """Read comma-separated values with a header line; tabs separate in a ``.tsv``."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ",")
        header = [name.strip() for name in next(lines, [])]
        rows = [row for row in lines if row]
    for i, row in enumerate(rows):
        if len(row) != len(header):
            raise ValueError(f"{path}, row {i + 1}: {len(header)} values are expected, got {len(row)}")
    check_header(path, header, len(rows))
    return Table(path, dict(zip(header, zip(*rows, strict=True), strict=True)))


def check_header(path: Path, header: Sequence[str], n_rows: int) -> None:
    if not n_rows:
        raise ValueError(f"{path} has no rows")
    if len(set(header)) != len(header):
        raise ValueError(f"{path}: the header names a column twice")


def read_parquet(path: Path) -> Table:
    try:
        import pandas as pd

        frame = pd.read_parquet(path)
    except ImportError:
        raise ValueError(f"{path}: Parquet needs pandas and pyarrow: pip install cart-elc[pandas] pyarrow") from None
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()  # pandas hides a column that it once wrote as the index
    header = [str(name) for name in frame.columns]
    check_header(path, header, len(frame))
    return Table(path, {name: frame.iloc[:, j].tolist() for j, name in enumerate(header)})


READERS = {".csv": read_csv, ".tsv": read_csv, ".txt": read_csv, ".parquet": read_parquet}


def read_table(path: str | Path) -> Table:
    """Read a table by the ending of its name; whatever is wrong with the file is a ``ValueError`` that names it."""
    path = Path(path)
    if path.suffix.lower() not in READERS:
        raise ValueError(f"{path}: the name must end in one of {', '.join(READERS)}")
    if not path.is_file():
        raise ValueError(f"{path}: no such file")
    try:
        return READERS[path.suffix.lower()](path)
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8") from None
    except csv.Error as error:
        raise ValueError(f"{path} is not a table of comma-separated values: {error}") from None
