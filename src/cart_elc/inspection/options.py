"""Checks of the options that people pass, and of the packages that these need."""

from importlib import import_module
from numbers import Integral


def check_int_from_zero(name: str, value: object, most: int | None = None) -> None:
    """Refuse anything but an int from 0 on, up to ``most`` if there is such a limit."""
    count = -1 if isinstance(value, bool) or not isinstance(value, Integral) else int(value)
    if count < 0 or (most is not None and count > most):
        limits = "of at least 0" if most is None else f"in [0, {most}]"
        raise ValueError(f"{name} must be an int {limits}, got {value!r}")


def check_option(name: str, value: object, options: tuple[str, ...]) -> None:
    if value not in options:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}, got {value!r}")


def require(package: str, function: str, extra: str) -> None:
    """Refuse where the package is absent, and say which extra to install."""
    try:
        import_module(package)
    except ImportError:
        checkout = f"pip install '.[{extra}]' in a checkout of cart-elc"
        raise ImportError(f"{function} needs {package}: pip install {package}, or {checkout}") from None
