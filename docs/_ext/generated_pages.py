"""What is made when the site is built: the reference of all public names, and the interactive pages."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cart_elc

Test = Callable[[Any], bool]


def is_estimator(thing: Any) -> bool:  # noqa: ANN401
    """Whether it is a class that can be fitted."""
    return inspect.isclass(thing) and hasattr(thing, "fit")


def is_elc(thing: Any) -> bool:  # noqa: ANN401
    """Whether it is one of the package's own estimators, whose splits are proven."""
    return is_estimator(thing) and thing.__name__.startswith("ELC")


def is_inspection(thing: Any) -> bool:  # noqa: ANN401
    """Whether it is a function that shows or exports a model."""
    return inspect.isfunction(thing) and thing.__module__.startswith("cart_elc.inspection")


GROUPS: tuple[tuple[str, str, Test], ...] = (
    ("Estimators with proven splits", "Grown by the exact search.", is_elc),
    ("The paper's rivals", "Published methods on the same tree, with the same interface.", is_estimator),
    ("Looking at a model", "Rules, pages, pictures, programs and explanations.", is_inspection),
    ("Splits, proofs and files", "The node problem on its own, its certificate, and saved models.", inspect.isfunction),
    ("Structures", "What these return.", inspect.isclass),
)
"""Titles, what they say, and what belongs there; a name is in the first group that takes it."""


def grouped_names() -> dict[str, list[str]]:
    """Every public name, by group."""
    groups: dict[str, list[str]] = {title: [] for title, _, _ in GROUPS}
    for name in cart_elc.__all__:
        thing = getattr(cart_elc, name)
        groups[next(title for title, _, belongs in GROUPS if belongs(thing))].append(name)
    return groups


def reference() -> str:
    """The page of all public names, as Markdown."""
    parts = ["# Reference", f"Every public name of `cart_elc` {cart_elc.__version__}."]
    names = grouped_names()
    for title, text, _ in GROUPS:
        listed = "\n".join(f"   {name}" for name in names[title])
        table = (
            f".. currentmodule:: cart_elc\n\n.. autosummary::\n   :toctree: generated\n   :nosignatures:\n\n{listed}"
        )
        parts += [f"## {title}", text, f"```{{eval-rst}}\n{table}\n```"]
    datasets = ".. currentmodule:: cart_elc\n\n.. autosummary::\n   :toctree: generated\n\n   datasets.load"
    parts += ["## Data sets", "What the paper and the examples use.", f"```{{eval-rst}}\n{datasets}\n```"]
    return "\n\n".join(parts) + "\n"


def write_live_pages(folder: Path) -> None:
    """Write the interactive pages that the guide shows."""
    from sklearn.datasets import load_breast_cancer, load_iris

    folder.mkdir(parents=True, exist_ok=True)
    for name, data in (("iris", load_iris(as_frame=True)), ("breast_cancer", load_breast_cancer(as_frame=True))):
        X = data.data.rename(columns=lambda column: column.removesuffix(" (cm)"))
        y = data.target.map(dict(enumerate(data.target_names)))
        cart_elc.export_html(cart_elc.ELCClassifier().fit(X, y), X, y, folder / f"{name}.html")


def write_all(app: Any, config: Any) -> None:  # noqa: ANN401
    """Write what the pages include, before Sphinx looks for pages."""
    source = Path(app.srcdir)
    page = source / "reference.md"
    if not page.exists() or page.read_text(encoding="utf-8") != reference():
        page.write_text(reference(), encoding="utf-8")
    write_live_pages(source / "_live" / "live")


def plain_docstring(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:  # noqa: ANN401
    """Take out what refers to scikit-learn's own site, and quote fitted names in shapes, which would be links."""
    for i, line in enumerate(lines):
        line = re.sub(r":(?:ref|term):`([^`<]+?)(?: <[^`>]*>)?`", r"\1", line)
        lines[i] = re.sub(r"(?<=[( ])(\w+_)(?=[,)])(?=[^(]*\))", r"``\1``", line)


def setup(app: Any) -> dict[str, bool]:  # noqa: ANN401
    """Hook into Sphinx, before it looks for pages."""
    app.connect("config-inited", write_all)
    app.connect("autodoc-process-docstring", plain_docstring, priority=100)  # before numpydoc
    return {"parallel_read_safe": True, "parallel_write_safe": True}
