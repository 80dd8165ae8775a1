"""How the cells of a table are written: what is missing, what is a number, a label, a date."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
