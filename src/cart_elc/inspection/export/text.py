"""A tree as readable rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cart_elc.inspection.model_source import FittedTree
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.node_text import leaf_line, score_text
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import as_text
from cart_elc.tree import MissingPolicy

MISSING_WORDS = {
    MissingPolicy.LEFT: "missing goes here",
    MissingPolicy.RIGHT: "missing goes to else",
    MissingPolicy.BOTH: "missing goes both ways",
}


def export_text(
    model: FittedTree,
    decimals: int = 2,
    units: str = "original",
    *,
    X: ArrayLike | None = None,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    missing: bool | None = None,
) -> str:
    """Return the fitted tree as indented rules, with the proof of each split.

    A rule is rounded to the fewest digits, from ``decimals`` on, with which every training row stays on its side; where
    that takes more than ``decimals``, the line says so. It is scaled so that there is least to read: one of its
    coefficients is 1, or the largest is a power of ten. Fitting finds out which digits are safe (`cart_elc.rounding`),
    so the data are not needed here; with ``X`` the rules are checked on those rows instead. The last line says what was
    checked.

    Parameters
    ----------
    model : fitted estimator, or a pipeline that ends in one
        The rules of a pipeline are in the units of the data where its steps scale, select or impute; the text says so.
    decimals : int, default=2
        Digits after the point of weights and thresholds where the largest weight is 1. Numbers below 0.1 get as many
        significant digits, numbers of 10,000 and more fewer decimals. In a larger scale every number has fewer.
    units : {"original", "standard"}, default="original"
        The features' own units, or standard deviations from the mean over ``X``, which make coefficients comparable.
    X : array-like of shape (n_samples, n_features), optional
        Rows to check the rounded rules on, instead of the training rows.
    feature_names, class_names : sequence of str, optional
        Names instead of the model's own.
    missing : bool or None, default=None
        Whether to write where splits send rows with a missing value: to the lines below it, to its "else", or both ways
        in proportion. None: at the splits on a feature that lacked values in training, or of which that is not known.

    Returns
    -------
    str

    Examples
    --------
    >>> from cart_elc import ELCClassifier, export_text
    >>> model = ELCClassifier(r=1, criterion="gini").fit([[0.0], [1.0], [4.0]], ["no", "no", "yes"])
    >>> print(export_text(model))
    if x0 <= 2.5:  [gini of sides 0.0000; proven]
      no (2 of 2, 100 %; 34.2 to 100 %)
    else:
      yes (1 of 1, 100 %; 20.7 to 100 %)
    A range is the 95 % interval (Wilson) of the share before it, from the number of rows.
    Every rule keeps all training rows on their sides.
    """
    named = NamedTree.of(model, X, feature_names, class_names)
    writer = TextWriter(named, Rulebook.of(named, decimals, units, X), missing)
    return "\n".join([*writer.lines(), *writer.footer()])


@dataclass(frozen=True, eq=False)
class TextWriter:
    """Writes the nodes of a tree in preorder."""

    named: NamedTree
    rules: Rulebook
    missing: bool | None = None

    def lines(self) -> Iterator[str]:
        tree = self.named.tree
        pending: list[int | str] = [0]
        depths = tree.node_depths()
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                yield item
            elif tree.is_leaf[item]:
                yield "  " * depths[item] + leaf_line(self.named, item)
            else:
                indent = "  " * depths[item]
                yield indent + self.head(item)
                pending.extend([int(tree.children_right[item]), indent + "else:", int(tree.children_left[item])])

    def head(self, node: int) -> str:
        written = self.rules.written(node)
        facts = [score_text(self.named, node), self.named.proof(node)]
        if self.named.may_meet_missing(node) if self.missing is None else self.missing:
            facts.append(MISSING_WORDS[MissingPolicy(self.named.tree.missing[node])])
        if written.moved:
            facts.append(written.note(self.rules.decimals))
        return f"if {written.text(self.named.features)}:  [{'; '.join(facts)}]"

    def footer(self) -> Iterator[str]:
        """Yield the lines that say what was checked and what the numbers are; nothing for a lone leaf."""
        if self.named.tree.n_nodes == 1:
            return
        if self.named.bands is None:
            yield "A range is the 95 % interval (Wilson) of the share before it, from the number of rows."
        yield from self.fills()
        if self.rules.units == "standard":
            yield "Features are in standard deviations from their means over X."
        if self.named.source.note:
            yield self.named.source.note
        if self.named.rounding is None and self.rules.X is None:
            yield "Rules are rounded and were not checked on data: pass X to check them."
        else:
            rows = "training rows" if self.rules.X is None else f"{len(self.rules.X)} rows of X"
            yield f"Every rule keeps all {rows} on their sides."

    def fills(self) -> Iterator[str]:
        """Yield what missing values count as, for the features in rules that lacked values in training."""
        fill, saw = self.named.fill, self.named.source.saw_missing
        used = [j for j in np.unique(self.named.tree.features).tolist() if saw is None or saw[j]]
        if fill is not None and used and self.missing is not False:
            values = ", ".join(f"{as_text(self.named.features[j])} {fill[j]:.4g}" for j in used)
            yield f"A missing value counts as {values}."
