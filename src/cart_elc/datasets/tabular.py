"""Tables from files: CSV by Python's own reader, compressed or from standard input, and Parquet through pandas.

A table is read as columns by name. Numbers are asked for where numbers are needed, so that an error can name the file,
the row and the column.
"""

import csv
import gzip
import io
import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cart_elc.tree import FloatArray

STANDARD_INPUT = "-"
COMPRESSED = ".gz"
SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
"""What separates values, by the ending of the file's name."""
OTHER_SEPARATORS = {";": "';'", "\t": "tab", "|": "'|'"}
"""What else often separates values, and how it is written on a command line."""
PARQUET = ".parquet"
MISSING_WORDS = ("NA", "N/A", "#N/A", "NaN", "null", "None", "?")
OF_PANDAS = ("", "<na>", "nat")  # how pandas writes its own marks of a missing value
MOST_LEVELS = 20
"""Different texts of a column that may be most of its rows; more of them name the rows."""
TRUTHS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True)
class TableFormat:
    """How a table is written; ``sep`` is None where the ending of the file's name says it.

    ``missing`` has the words that stand for no value, in any case, and numbers that do; an empty cell always does.
    """

    sep: str | None = None
    encoding: str = "utf-8"
    decimal: str = "."
    missing: Sequence[str] = MISSING_WORDS

    @cached_property
    def _missing_words(self) -> frozenset[str]:
        return frozenset((*OF_PANDAS, *(word.strip().lower() for word in self.missing)))

    @cached_property
    def _missing_numbers(self) -> frozenset[float]:
        return frozenset(number for number in map(as_float, self.missing) if number is not None)

    def is_missing(self, value: Any) -> bool:  # noqa: ANN401
        """Whether a cell has no value: a word or number that says so, None, NaN, or one of pandas' own marks."""
        if value is None or value is True or value is False:
            return value is None
        if str(value).strip().lower() in self._missing_words:
            return True
        return bool(self._missing_numbers) and as_float(value) in self._missing_numbers

    def number(self, value: Any) -> float | None:  # noqa: ANN401
        """Return a cell as a number, NaN where it is missing, and None where it is neither."""
        if self.is_missing(value):
            return float("nan")
        if not isinstance(value, str):
            return as_float(value)
        text = value.strip().lower()
        if self.decimal != ".":
            text = "" if "." in text else text.replace(self.decimal, ".")
        return TRUTHS.get(text, as_float(text))


def as_labels(texts: list[str]) -> NDArray[Any]:
    """Return texts as bools or ints if all of them are written so, else as they are."""
    if texts and set(texts) <= {"True", "False"}:
        return np.array([text == "True" for text in texts])
    try:
        numbers = np.array([int(text) for text in texts], dtype=np.int64)
    except (ValueError, OverflowError):
        return np.array(texts)
    return numbers if list(map(str, numbers.tolist())) == texts else np.array(texts)


def is_nearly_a_number(value: Any) -> bool:  # noqa: ANN401
    """Whether a cell spells a number with a decimal comma, or with another mark than the table has."""
    return as_float(str(value).replace(",", ".", 1)) is not None


def is_date(value: Any) -> bool:  # noqa: ANN401
    """Whether a cell is a date, or spells one as ISO 8601 does."""
    if isinstance(value, date):
        return True
    try:
        datetime.fromisoformat(str(value).strip())
    except ValueError:
        return False
    return True


def as_float(value: Any) -> float | None:  # noqa: ANN401
    """Return the number that a cell is or spells, None if it is none; Python's ``1_000`` is none in a table."""
    try:
        return None if isinstance(value, str) and "_" in value else float(value)
    except (TypeError, ValueError):
        return None


@dataclass(frozen=True)
class Table:
    """Named columns of equal length; ``name`` is the file's, for messages.

    ``places`` are the positions of the rows among the lines below the header, of which there are ``n_places``: a blank
    line is no row.
    """

    name: str
    columns: Mapping[str, Sequence[Any]]
    places: Sequence[int]
    n_places: int
    format: TableFormat = TableFormat()

    @property
    def names(self) -> list[str]:
        return list(self.columns)

    @property
    def n_rows(self) -> int:
        return len(self.places)

    def require(self, names: Sequence[str]) -> None:
        absent = [name for name in names if name not in self.columns]
        if len(absent) == 1:
            raise ValueError(f"{self.name} has no column {absent[0]!r}; its columns are {shortened(self.names)}")
        if absent:
            raise ValueError(f"{self.name} lacks the columns {shortened(absent)}")

    def without(self, *names: str) -> list[str]:
        """Return the names of all columns but some, which must be there beside others.

        A column without a name is refused: it is most often the row numbers that pandas writes unless told not to.
        """
        self.require(names)
        others = [other for other in self.names if other not in names]
        if not others:
            raise ValueError(f"{self.name} has no column beside {shortened(names)}")
        if "" in others:
            place = self.names.index("") + 1
            raise ValueError(
                f"{self.name}: column {place} has no name; if it numbers the rows, leave it out: --drop ''"
            )
        return others

    def numbers(self, names: Sequence[str]) -> FloatArray:
        """Return columns as a matrix of finite numbers, NaN where a value is missing."""
        self.require(names)
        matrix = np.empty((self.n_rows, len(names)))
        for j, name in enumerate(names):
            matrix[:, j] = [self._number(name, i, value) for i, value in enumerate(self.columns[name])]
        return matrix

    def target_numbers(self, name: str) -> FloatArray:
        """Return a column as finite numbers, all of them there."""
        numbers = self.numbers([name])[:, 0]
        self._refuse_missing(name, np.isnan(numbers))
        return numbers

    def labels(self, name: str) -> NDArray[Any]:
        """Return a column as labels: ints or bools if all are written as such and 64 bits hold them, else strings.

        A number that is written in another way than Python's, such as ``007``, stays a text of its own.
        """
        self.require([name])
        self._refuse_missing(name, [self.format.is_missing(cell) for cell in self.columns[name]])
        return as_labels([str(cell).strip() for cell in self.columns[name]])

    def is_category(self, name: str) -> bool:
        """Whether a column holds words: none of its cells is a number, or would be one with another decimal mark.

        Dates and names of the rows are no categories, and refused.
        """
        self.require([name])
        cells = [cell for cell in self.columns[name] if not self.format.is_missing(cell)]
        if not cells or any(self.format.number(cell) is not None or is_nearly_a_number(cell) for cell in cells):
            return False
        if all(map(is_date, cells)):
            raise ValueError(f"{self.name}: column {name!r} has dates: give days since one that matters, or --drop it")
        if len(set(cells)) > max(MOST_LEVELS, len(cells) // 2):
            raise ValueError(
                f"{self.name}: column {name!r} has {len(set(cells))} texts in {len(cells)} rows: --drop it"
            )
        return True

    def levels(self, name: str) -> list[Any]:
        """Return a column as levels of a category, written as labels are, and None where one is missing."""
        self.require([name])
        texts = [None if self.format.is_missing(cell) else str(cell).strip() for cell in self.columns[name]]
        known = iter(as_labels([text for text in texts if text is not None]).tolist())
        return [None if text is None else next(known) for text in texts]

    def codes(self, name: str, levels: Sequence[Any]) -> FloatArray:
        """Return the position of each cell of a column among levels; NaN for one that is missing or none of them."""
        position = {str(level): float(code) for code, level in enumerate(levels)}
        self.require([name])
        texts = [str(cell).strip() for cell in self.columns[name]]
        missing = [self.format.is_missing(cell) for cell in self.columns[name]]
        return np.array([np.nan if no else position.get(text, np.nan) for text, no in zip(texts, missing, strict=True)])

    def _refuse_missing(self, name: str, missing: Sequence[Any] | NDArray[np.bool_]) -> None:
        lost = next((i for i, is_lost in enumerate(missing) if is_lost), None)
        if lost is None:
            return
        word = str(self.columns[name][lost]).strip()
        hint = f" ({word!r}; --na says which words mean that)" if word and word.lower() not in OF_PANDAS else ""
        raise ValueError(f"{self._row(lost)}: the label {name!r} is missing{hint}")

    def _row(self, i: int) -> str:
        return f"{self.name}, row {self.places[i] + 1}"

    def _number(self, name: str, row: int, value: Any) -> float:  # noqa: ANN401
        number = self.format.number(value)
        if number is None:
            comma = self._has_decimal_comma(value)
            hint = "; if decimals stand after a comma: --decimal ," if comma else "; --drop leaves the column out"
            raise ValueError(f"{self._row(row)}: column {name!r} must be a number, got {value!r}{hint}")
        if np.isinf(number):
            raise ValueError(f"{self._row(row)}: column {name!r} must be finite, got {value!r}")
        return number

    def _has_decimal_comma(self, value: Any) -> bool:  # noqa: ANN401
        return self.format.decimal == "." and is_nearly_a_number(value)


def shortened(names: Sequence[str], at_most: int = 8) -> str:
    """Return names in one line, the rest counted."""
    rest = len(names) - at_most
    return ", ".join(map(repr, names[:at_most])) + (f" and {rest} more" if rest > 0 else "")


def read_csv(name: str, content: bytes, sep: str, table_format: TableFormat) -> Table:
    """Read separated values with a header line."""
    reader = csv.reader(io.StringIO(decoded(name, content, table_format.encoding), newline=""), delimiter=sep)
    header = [column.strip() for column in next(reader, [])]
    if table_format.sep is None:
        hint_at_separator(name, header)
    lines = list(reader)
    rows = {i: row for i, row in enumerate(lines) if not is_blank(row, len(header))}
    for i, row in rows.items():
        if len(row) != len(header):
            raise ValueError(f"{name}, row {i + 1}: {len(header)} values are expected, got {len(row)}")
    check_header(name, header, len(rows))
    columns = dict(zip(header, zip(*rows.values(), strict=True), strict=True))
    return Table(name, columns, list(rows), len(lines), table_format)


def is_blank(row: list[str], width: int) -> bool:
    """Whether a line has nothing in it; in a table of one column, spaces are a missing value."""
    return not row or (width > 1 and len(row) == 1 and not row[0].strip())


def decoded(name: str, content: bytes, encoding: str) -> str:
    """Return the text; the mark that some programs put before text in UTF-8 is no part of it."""
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except LookupError:
        raise ValueError(f"--encoding must name an encoding of text, got {encoding!r}") from None
    except UnicodeError:
        advice = "" if encoding != "utf-8" else ": name its encoding, for example --encoding latin-1"
        raise ValueError(f"{name} is not text in {encoding.upper()}{advice}") from None


def hint_at_separator(name: str, header: Sequence[str]) -> None:
    """Refuse a header of one column that has in it what often separates several."""
    found = [text for sep, text in OTHER_SEPARATORS.items() if len(header) == 1 and sep in header[0]]
    if found:
        raise ValueError(f"{name} has one column, {header[0]!r}: if {found[0]} separates values, say --sep {found[0]}")


def check_header(name: str, header: Sequence[str], n_rows: int) -> None:
    if not n_rows:
        raise ValueError(f"{name} has no rows")
    twice = next((column for i, column in enumerate(header) if column in header[:i]), None)
    if twice is not None:
        raise ValueError(f"{name}: the header names a column twice: {twice!r}")


def read_parquet(name: str, table_format: TableFormat) -> Table:
    check_there(name)
    try:
        import pandas as pd

        frame = pd.read_parquet(name)
    except ImportError:
        raise ValueError(f"{name}: Parquet needs pandas and pyarrow: pip install pandas pyarrow") from None
    if any(level is not None for level in frame.index.names):
        frame = frame.reset_index()  # pandas hides a column that it once wrote as the index
    header = [str(column) for column in frame.columns]
    check_header(name, header, len(frame))
    columns = {column: frame.iloc[:, j].tolist() for j, column in enumerate(header)}
    return Table(name, columns, range(len(frame)), len(frame), table_format)


def check_there(name: str) -> None:
    if not Path(name).exists() or Path(name).is_dir():
        raise ValueError(f"{name}: no such file")


def read_bytes(name: str) -> bytes:
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    check_there(name)
    content = Path(name).read_bytes()
    if not name.lower().endswith(COMPRESSED):
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{name} is not a complete gzip file: {error}") from None


def read_table(path: str | Path, table_format: TableFormat | None = None) -> Table:
    """Read a table by the ending of its name, or ``-``, standard input, as CSV.

    Whatever is wrong with the file is a ``ValueError`` that names it.
    """
    name, written = str(path), table_format or TableFormat()
    kind = ".csv" if name == STANDARD_INPUT else Path(name.lower().removesuffix(COMPRESSED)).suffix
    sep = written.sep or SEPARATORS.get(kind)
    if kind == PARQUET:
        return read_parquet(name, written)
    if sep is None:
        known = ", ".join([*SEPARATORS, *(end + COMPRESSED for end in SEPARATORS), PARQUET])
        raise ValueError(f"{name}: the name must end in one of {known}, unless --sep says what separates values")
    content = read_bytes(name)
    name = "standard input" if name == STANDARD_INPUT else name
    try:
        return read_csv(name, content, sep, written)
    except csv.Error as error:
        raise ValueError(f"{name} is not a table of comma-separated values: {error}") from None
