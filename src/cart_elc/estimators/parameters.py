"""Checks of parameters: each error names the parameter, what was expected and what came."""

import math
import sys
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from numbers import Integral, Real
from typing import Any, ParamSpec, TypeVar

import joblib
import numpy as np

from cart_elc.criteria import SYNONYMS
from cart_elc.splitters.node import Deadline

LARGEST = sys.float_info.max
P = ParamSpec("P")
T = TypeVar("T")


def is_int(value: object) -> bool:
    """Whether the value is an integer, NumPy's included, and not a bool."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_real(value: object) -> bool:
    """Whether the value is a real number other than NaN, and not a bool."""
    return isinstance(value, Real) and not isinstance(value, bool) and value == value


def is_share(value: object) -> bool:
    """Whether the value is a number in (0, 1] that is no integer: a part of a whole, where an int is a number."""
    return is_real(value) and not is_int(value) and 0.0 < value <= 1.0  # type: ignore[operator]


def refusal(name: str, expected: str, value: object, right_type: bool) -> Exception:
    """Return the error for a parameter: ``ValueError`` if the value has the right type, else ``TypeError``."""
    return (ValueError if right_type else TypeError)(f"{name} must be {expected}, got {value!r}")


def check_choice(name: str, value: Any, choices: Collection[str]) -> str:  # noqa: ANN401
    if not isinstance(value, str) or value not in choices:
        raise refusal(name, "one of " + ", ".join(map(repr, choices)), value, isinstance(value, str))
    return value


def check_criterion(value: Any, choices: Collection[str]) -> str:  # noqa: ANN401
    """Return the criterion's own name; "entropy" and "log_loss" are scikit-learn's names of information gain."""
    name = SYNONYMS.get(value, value) if isinstance(value, str) else value
    return check_choice("criterion", name, choices)


def check_int(name: str, value: Any, low: int, *, optional: bool = False) -> int | None:  # noqa: ANN401
    """Return the value if it is an int of at least ``low``, or None where that is allowed."""
    if value is None and optional:
        return None
    if not is_int(value) or value < low:
        raise refusal(name, f"an int >= {low}{' or None' if optional else ''}", value, is_int(value))
    return int(value)


def check_whole(name: str, value: Any, low: int) -> int:  # noqa: ANN401
    return check_int(name, value, low) or 0


def check_bool(name: str, value: Any) -> bool:  # noqa: ANN401
    """Return the value if it is True or False, NumPy's included."""
    if not isinstance(value, bool | np.bool_):
        raise refusal(name, "True or False", value, False)
    return bool(value)


def check_real(name: str, value: Any, low: float, high: float = math.inf) -> float:  # noqa: ANN401
    """Return the value if it is a finite number in ``[low, high]``."""
    if not is_real(value) or not low <= value <= min(high, LARGEST):
        expected = f"a number in [{low:g}, {high:g}]" if math.isfinite(high) else f"a finite number >= {low:g}"
        raise refusal(name, expected, value, isinstance(value, Real))
    return float(value)


def check_positive(name: str, value: Any, high: float = math.inf) -> float:  # noqa: ANN401
    """Return the value if it is a finite number in ``(0, high]``."""
    if not is_real(value) or not 0 < value <= min(high, LARGEST):
        expected = f"a number in (0, {high:g}]" if math.isfinite(high) else "a positive number"
        raise refusal(name, expected, value, isinstance(value, Real))
    return float(value)


def check_count(name: str, value: Any, low: int, n_samples: int) -> int:  # noqa: ANN401
    """Return a number of rows that is given as an int of at least ``low`` or as a fraction of the rows."""
    if is_int(value) and value >= low:
        return int(value)
    if is_share(value):
        return max(low, math.ceil(float(value) * n_samples))
    raise refusal(name, f"an int >= {low} or a float in (0, 1]", value, isinstance(value, Real))


MOST_THREADS = 1024


def check_n_jobs(n_jobs: Any) -> int:  # noqa: ANN401
    """Return the number of threads, as joblib counts: None is 1, -1 all processors, -2 all but one, and so on."""
    if n_jobs is None:
        return 1
    if not is_int(n_jobs) or n_jobs == 0:
        raise refusal("n_jobs", "None or an int other than 0", n_jobs, is_int(n_jobs))
    if n_jobs > MOST_THREADS:
        raise refusal("n_jobs", f"at most {MOST_THREADS}", n_jobs, True)
    return int(n_jobs) if n_jobs > 0 else max(1, joblib.cpu_count() + 1 + int(n_jobs))


def check_workers(n_jobs: Any) -> tuple[int, int]:  # noqa: ANN401
    """Return the threads of a search, and joblib's workers that take shares of it.

    Where ``n_jobs`` is None, joblib's active backend says: as many threads as it has, or as many workers where they
    are processes or other machines.
    """
    if n_jobs is not None:
        return check_n_jobs(n_jobs), 1
    n_active = joblib.effective_n_jobs(None)
    backend, _ = joblib.parallel.get_active_backend()
    return (n_active, 1) if getattr(backend, "supports_sharedmem", False) else (1, n_active)


def check_verbose(verbose: Any, *, or_callable: bool) -> bool:  # noqa: ANN401
    """Return whether a line per search is wanted; scikit-learn's ``verbose`` is an int or a bool."""
    if not isinstance(verbose, bool | np.bool_) and (not is_int(verbose) or verbose < 0):
        expected = "an int >= 0, a bool or a callable" if or_callable else "an int >= 0 or a bool"
        raise refusal("verbose", expected, verbose, is_int(verbose))
    return bool(verbose)


def check_time_limit(time_limit: Any) -> Deadline:  # noqa: ANN401
    """Return the deadline of a limit in seconds from now; one that never comes where there is no limit."""
    if time_limit is None:
        return Deadline()
    if not is_real(time_limit) or time_limit <= 0:
        raise refusal("time_limit", "a positive number of seconds or None", time_limit, isinstance(time_limit, Real))
    return Deadline.within(float(time_limit))


def names_gone(gone: Mapping[str, str]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Make a function answer a parameter that it had once with the name of the one that has taken its place."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def call(*arguments: P.args, **named: P.kwargs) -> T:
            for name in named:
                if name in gone:
                    raise TypeError(f"{name} is gone, use {gone[name]}")
            return function(*arguments, **named)

        return call

    return decorate
