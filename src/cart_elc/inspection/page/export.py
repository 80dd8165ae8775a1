"""The interactive page: one file that needs no network, and its frame in a notebook.

The page is a template with holes for style, script and data. The data are JSON in an element that browsers
do not run; the script puts every name into the page as text, never as markup. A content security policy in the page
forbids all requests.
"""

import json
import os
import re
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.inspection.model_source import FittedTree, fitted_tree
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.options import check_int_from_zero
from cart_elc.inspection.page.data import about, page_data
from cart_elc.inspection.pipelines import last_step
from cart_elc.inspection.wording import one_line

MAX_POINTS = 2000
SCRIPTS = """
base rules shapes copying sums cards layout folding nodes help drawing view map search plots scatter histogram levels
bars panel sample table about saving printing size main
"""
"""The files of the page's script, each before those that use it."""
MOST_LEAVES_IN_NOTEBOOK = 500


def export_html(
    model: FittedTree,
    X: ArrayLike | os.PathLike[str] | str | None = None,
    y: ArrayLike | None = None,
    path: str | os.PathLike[str] | None = None,
    *,
    title: str | None = None,
    decimals: int = 2,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    max_points: int = MAX_POINTS,
) -> str | None:
    """Return the tree as an interactive page or, if there is a path, write it to a file.

    The page draws the tree with class bars; a click on a node shows its rule, counts, certificate and, with data, its
    split plot; a sample that is typed or picked lights its path, with the sum at every node written out. Below it are
    all leaves as rules, and accuracy, importances and parameters of the model. It works offline, by keyboard and with
    screen readers, on phones and on paper, in light and dark.

    Parameters
    ----------
    model : fitted estimator, or a pipeline that ends in one
        The page of a pipeline says in which units its rules are, see `export_text`.
    X : array-like of shape (n_samples, n_features), optional
        Rows to draw and to pick from. They are written into the page: mind who may read it. A path in its place is that
        of the page, so that ``export_html(model, "tree.html")`` writes one without rows.
    y : array-like of shape (n_samples,), optional
        Their labels; without it, points have the colours of their predictions, and there is no confusion matrix.
    path : path, optional
    title : str, optional
        Heading; the estimator's name by default.
    decimals : int, default=2
        Digits of the rules, as in `export_text`.
    feature_names, class_names : sequence of str, optional
        Names instead of the model's own.
    max_points : int, default=2000
        Most rows in the page; of more, an even choice from every leaf is taken, and the page says so.

    Returns
    -------
    str, or None if the page was written

    Examples
    --------
    >>> from cart_elc import ELCClassifier, export_html
    >>> model = ELCClassifier(r=1, criterion="gini").fit([[0.0], [1.0], [4.0]], ["no", "no", "yes"])
    >>> export_html(model)[:15]
    '<!doctype html>'
    """
    check_int_from_zero("max_points", max_points)
    if isinstance(X, str | os.PathLike):
        if path is not None:
            raise ValueError(f"X must be rows where there is a path, got {X!r}")
        X, path = None, X
    named = NamedTree.of(model, feature_names=feature_names, class_names=class_names)
    if y is not None and X is None:
        raise ValueError("y must come with X, the rows that it labels")
    rows = None if X is None else named.rows(X)
    labels = None if y is None or rows is None else np.asarray(y)
    codes = None if labels is None or rows is None else named.codes(labels, len(rows))
    whole = about(last_step(model), named, rows, labels if named.bands is not None else codes)
    data = page_data(named, rows, codes, decimals, max_points) | {"about": whole}
    if named.bands is not None and labels is not None:
        data["samples"]["numbers"] = labels[data["samples"]["rows"]].tolist()
    page = render(title or named.title, data)
    if path is None:
        return page
    Path(path).write_text(page, encoding="utf-8")
    return None


def notebook_frame(model: FittedTree) -> str:
    """Return the page in a frame of its own, so that neither styles the other; notebooks show it below the diagram."""
    leaves = fitted_tree(model).n_leaves
    if leaves > MOST_LEAVES_IN_NOTEBOOK:  # 5,000 of them are 5 MB in the notebook's file and ten seconds to show
        return f'<p>The tree has {leaves:,} leaves. <code>export_html(model, path="tree.html")</code> draws it.</p>'
    return filled("frame.html", {"page": escape(export_html(model) or "")}).rstrip()


def render(title: str, data: dict[str, Any]) -> str:
    holes = {
        "title": escape(one_line(title)),
        "style": part("page.css") + part("print.css"),
        "script": "\n".join(part(f"{name}.js") for name in SCRIPTS.split()),
        "data": script_safe(json.dumps(data | {"title": one_line(title)}, separators=(",", ":"), allow_nan=False)),
    }
    return filled("page.html", holes)


def filled(template: str, holes: dict[str, str]) -> str:
    """Return the template, its holes filled in one pass, so that what fills a hole is never searched for holes."""
    return re.sub(r"\{\{(\w+)\}\}", lambda hole: holes[hole[1]], part(template))


@cache
def part(name: str) -> str:
    return files("cart_elc.inspection.page").joinpath("web", name).read_text(encoding="utf-8")


def script_safe(text: str) -> str:
    r"""Return JSON that cannot end the element that it stands in.

    >>> print(script_safe('"</script>"'))
    "\u003c/script>"
    """
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
