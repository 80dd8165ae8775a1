"""Why one sample got its class or its number: the path as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.inspection.explain.changes import Change, Ranges
from cart_elc.inspection.explain.steps import Step, Term, make_step, visits
from cart_elc.inspection.named_tree import FittedTree, NamedTree
from cart_elc.inspection.node_text import summary_text
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import as_text, class_label, number

__all__ = ["Change", "Explanation", "Step", "Term", "explain"]


@dataclass(frozen=True)
class Explanation:
    """A sample's class, its probabilities and its path.

    Attributes
    ----------
    label : object
        The predicted class or number.
    probabilities : dict
        From class to probability, as `predict_proba` gives it; empty where a number is predicted.
    steps : tuple of Step
        The splits passed, from the root; in preorder if a split divided the sample.
    leaves : tuple of int
        The leaf reached, or the leaves.
    written : str
        Where a number is predicted, the number and the standard deviation of the leaf's training rows; else empty.
    """

    label: Any
    probabilities: dict[Any, float]
    steps: tuple[Step, ...]
    leaves: tuple[int, ...]
    written: str = ""

    def __str__(self) -> str:
        lines = [f"{i}. {step}" for i, step in enumerate(self.steps, start=1)]
        return "\n".join([*lines, f"=> {self.verdict()}"])

    def verdict(self) -> str:
        """Return the class and its probability, or the number and the spread around it."""
        if self.written:
            return self.written
        share = number(round(100 * self.probabilities[self.label], 1))
        return f"{class_label(as_text(str(self.label)))} ({share} %)"

    def _repr_html_(self) -> str:
        """Return the path as a table, for notebooks."""
        heads = "".join(f"<th>{head}</th>" for head in ("Split", "Rule", "Answer", "Sum", "Crossed by"))
        rows = "".join(f"<tr>{cells(step)}</tr>" for step in self.steps)
        verdict = f"<caption><b>{escape(self.verdict())}</b></caption>"
        return f"<table>{verdict}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def cells(step: Step) -> str:
    crossed = "" if step.change is None else step.crossing_text(step.change)
    texts = [f"#{step.node}", step.rule, step.answer if not step.missing else step.reason(), step.sum, crossed]
    return "".join(f'<td style="text-align:left">{escape(text)}</td>' for text in texts)


def explain(
    model: FittedTree, x: ArrayLike | Mapping[str, float], *, X: ArrayLike | None = None, decimals: int = 2
) -> Explanation:
    """Return the path of one sample as data.

    Parameters
    ----------
    model : fitted classifier
    x : array-like of shape (n_features,), dict, Series or DataFrame of one row
        NaN or None is a missing value. What has names is read by them, in any order.
    X : array-like of shape (n_samples, n_features), optional
        Rows that say which values are usual: changes that leave their range are left out, and the smallest in standard
        deviations comes first.
    decimals : int, default=2
        Digits of the rules, as in `export_text`.

    Returns
    -------
    Explanation
        Printed, it reads as a list of steps; in a notebook it is a table.

    Examples
    --------
    >>> from cart_elc import ELCClassifier, explain
    >>> model = ELCClassifier(r=1, criterion="gini").fit([[0.0], [1.0], [4.0]], ["no", "no", "yes"])
    >>> explanation = explain(model, [3.25])
    >>> print(explanation)
    1. x0 <= 2.5: no (3.25 > 2.5); 0.5 x margin from the plane; crossed by x0 from 3.25 to 2.5
    => yes (100 %)
    >>> explanation.steps[0].change.by
    -0.75
    """
    named = NamedTree.of(model)
    row = named.sample(x)
    outputs = named.tree.predict_value(row)[0].tolist()
    rules, ranges = Rulebook.of(named, decimals), None if X is None else Ranges.of(named.rows(X))
    walk = list(visits(named, row[0]))
    steps = tuple(make_step(rules, row[0], (node, share, side), ranges) for node, share, side in walk if side)
    leaves = tuple(node for node, _, side in walk if not side)
    if named.bands is not None:
        return Explanation(outputs[0], {}, steps, leaves, summary_text(named, leaves[0]))
    likeliest = named.classes[int(np.argmax(outputs))]
    return Explanation(likeliest, dict(zip(named.classes, outputs, strict=True)), steps, leaves)
