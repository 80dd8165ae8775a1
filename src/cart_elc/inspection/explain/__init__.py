"""Why one sample got its class or its number: the path as data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.inspection.explain.changes import Change, Ranges
from cart_elc.inspection.explain.shapley import shap_values
from cart_elc.inspection.explain.steps import Step, Term, make_step, visits
from cart_elc.inspection.intervals import interval_text, share_interval
from cart_elc.inspection.model_source import FittedTree
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.node_text import counted_rows, summary_text
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import as_text, class_label, number
from cart_elc.tree import FloatArray

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
    interval : tuple of float or None
        The 95 % interval (Wilson) of the label's share in the leaf, from the number of its rows; None where a number is
        predicted or several leaves are reached.
    rows : int
        Training rows of the leaf or leaves.
    base_values, values : ndarray or None
        SHAP values, if asked for: the mean output over the rows ``X``, and what each feature adds to it, of shape
        (n_features, n_classes) or, for numbers, (n_features,).
    written : str
        Where a number is predicted, the number and the standard deviation of the leaf's training rows; else empty.
    """

    label: Any
    probabilities: dict[Any, float]
    steps: tuple[Step, ...]
    leaves: tuple[int, ...]
    written: str = ""
    interval: tuple[float, float] | None = None
    rows: int = 0
    base_values: FloatArray | None = field(default=None, compare=False)
    values: FloatArray | None = field(default=None, compare=False)
    features: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"{i}. {step}" for i, step in enumerate(self.steps, start=1)]
        return "\n".join([*lines, f"=> {self.verdict()}", *self.contributions()])

    def verdict(self) -> str:
        """Return the class and its probability, or the number and the spread around it."""
        if self.written:
            return self.written
        share = f"{number(round(100 * self.probabilities[self.label], 1))} %"
        if self.interval is not None:
            share += f" of {counted_rows(self.rows)}; {interval_text(self.interval)}"
        return f"{class_label(as_text(str(self.label)))} ({share})"

    def contributions(self) -> Iterator[str]:
        """Yield a line with what features add to the mean output, the largest first; none if that was not asked for."""
        if self.values is None or self.base_values is None:
            return
        code = 0 if self.written else list(self.probabilities).index(self.label)
        added, base = np.reshape(self.values, (len(self.values), -1))[:, code], float(np.ravel(self.base_values)[code])
        order = [j for j in np.argsort(-np.abs(added), kind="stable").tolist() if added[j]]
        terms = [f"{as_text(self.features[j])} {added[j]:+.4g}" for j in order]
        yield f"from {base:.4g} on average: {', '.join(terms)}" if terms else f"{base:.4g} on average, whatever x is"

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
    model: FittedTree,
    x: ArrayLike | Mapping[str, float],
    *,
    X: ArrayLike | None = None,
    decimals: int = 2,
    values: bool = False,
) -> Explanation:
    """Return the path of one sample as data.

    Parameters
    ----------
    model : fitted estimator, or a pipeline that ends in one
        Steps before it are undone where they scale, select or impute, as in `export_text`.
    x : array-like of shape (n_features,), dict, Series or DataFrame of one row
        NaN or None is a missing value. What has names is read by them, in any order.
    X : array-like of shape (n_samples, n_features), optional
        Rows that say which values are usual: changes that leave their range are left out, and the smallest in standard
        deviations comes first.
    decimals : int, default=2
        Digits of the rules, as in `export_text`.
    values : bool, default=False
        Also compute SHAP values, exactly, with the rows ``X`` as what features are without the sample's values: see
        `cart_elc.inspection.explain.shapley`.

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
    => yes (100 % of 1 row; 20.7 to 100 %)
    >>> explanation.steps[0].change.by
    -0.75
    """
    named = NamedTree.of(model)
    row, given = named.sample(x), None if X is None else named.rows(X)
    outputs = named.tree.predict_value(row)[0].tolist()
    rules, ranges = Rulebook.of(named, decimals), None if given is None else Ranges.of(given)
    walk = list(visits(named, row[0]))
    leaves = tuple(node for node, _, side in walk if not side)
    explanation = Explanation(
        label=outputs[0],
        probabilities={},
        steps=tuple(make_step(rules, row[0], (node, share, side), ranges) for node, share, side in walk if side),
        leaves=leaves,
        rows=int(named.tree.n_node_samples[list(leaves)].sum()),
        features=tuple(named.features),
    )
    if values:
        explanation = with_values(explanation, named, row[0], given)
    if named.bands is not None:
        return replace(explanation, written=summary_text(named, leaves[0]))
    return replace(
        explanation,
        label=named.classes[int(np.argmax(outputs))],
        probabilities=dict(zip(named.classes, outputs, strict=True)),
        interval=share_interval(named, leaves[0]) if len(leaves) == 1 else None,
    )


def with_values(explanation: Explanation, named: NamedTree, row: FloatArray, given: FloatArray | None) -> Explanation:
    """Return the explanation with SHAP values; of numbers, without an axis for outputs."""
    if given is None or not len(given):
        raise ValueError("values=True needs X, the rows that say what features are without the sample's values")
    base, values = shap_values(named, row, given)
    if named.bands is not None:
        base, values = base[0], values[:, 0]
    return replace(explanation, base_values=base, values=values)
