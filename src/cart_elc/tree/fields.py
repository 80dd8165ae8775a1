"""Values of a document that a stranger may have written: each is checked, and an error names the field."""

import json
import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NoReturn

Json = dict[str, Any]
NOT_JSON = ("nan", "inf", "-inf")
"""The numbers that JSON lacks, which are written as texts."""
SHOWN = 60
"""Characters of a wrong value that an error repeats."""


@dataclass(frozen=True)
class Field:
    """A value and the name by which errors call it, such as ``nodes[3].weights[0]``."""

    value: Any
    name: str = ""

    def refuse(self, expected: str) -> NoReturn:
        text = repr(self.value)
        raise ValueError(f"{self.name} must be {expected}, got {text[:SHOWN]}{'...' * (len(text) > SHOWN)}")

    def __contains__(self, key: str) -> bool:
        return key in self.members()

    def __getitem__(self, key: str) -> "Field":
        """Return a member of an object."""
        name = f"{self.name}.{key}" if self.name else key
        if key not in self.members():
            raise ValueError(f"it lacks {name}")
        return Field(self.value[key], name)

    def members(self) -> Json:
        if not isinstance(self.value, dict):
            self.refuse("an object")
        return self.value

    def items(self, length: int | None = None) -> list["Field"]:
        """Return the entries of a list, which must be so many if a length is given."""
        if not isinstance(self.value, list) or (length is not None and len(self.value) != length):
            self.refuse("a list" if length is None else f"a list of {length} entries")
        return [Field(value, f"{self.name}[{i}]") for i, value in enumerate(self.value)]

    def integer(self, low: int, high: int) -> int:
        if type(self.value) is not int or not low <= self.value <= high:
            self.refuse(f"a whole number in [{low}, {high}]")
        return self.value

    def real(self, low: float = -math.inf, high: float = math.inf) -> float:
        """Return a finite number in the range."""
        if type(self.value) not in (int, float) or not math.isfinite(number := as_float(self.value)):
            self.refuse("a finite number")
        if not low <= number <= high:
            self.refuse(f"a number in [{low:g}, {high:g}]" if math.isfinite(high) else f"a number >= {low:g}")
        return number

    def any_number(self) -> float:
        """Return a number, which may be infinite or NaN."""
        return float(self.value) if self.value in NOT_JSON else self.real()

    def flag(self) -> bool:
        if type(self.value) is not bool:
            self.refuse("true or false")
        return self.value

    def text(self, choices: Collection[str] | None = None) -> str:
        if not isinstance(self.value, str) or (choices is not None and self.value not in choices):
            self.refuse("a text" if choices is None else f"one of {', '.join(choices)}")
        return self.value


def as_float(number: float) -> float:
    """Return a number of JSON as a float, infinite where there is none."""
    try:
        return float(number)
    except OverflowError:
        return math.inf


def parsed(text: str) -> Any:  # noqa: ANN401
    """Return a document from its text; ``ValueError`` if that is no JSON, or has a key twice in one object."""
    return json.loads(text, object_pairs_hook=without_doubles, parse_constant=no_constant)


def without_doubles(pairs: list[tuple[str, Any]]) -> Json:
    members = dict(pairs)
    if len(members) != len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"an object has {twice!r} twice")
    return members


def no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
