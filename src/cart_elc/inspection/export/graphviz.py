"""A tree in the DOT language of Graphviz."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import numpy as np

from cart_elc.inspection.draw.colors import is_dark, mixed
from cart_elc.inspection.model_source import FittedTree
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.options import check_int_from_zero, check_option
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import as_text, number, one_line
from cart_elc.rounding.table import LEVELS

LABELS = ("all", "root", "none")


def export_graphviz(
    model: FittedTree,
    out_file: str | os.PathLike[str] | TextIO | None = None,
    *,
    max_depth: int | None = None,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | bool | None = None,
    label: str = "all",
    filled: bool = False,
    leaves_parallel: bool = False,
    impurity: bool = True,
    node_ids: bool = False,
    proportion: bool = False,
    rotate: bool = False,
    rounded: bool = False,
    special_characters: bool = False,
    precision: int = 3,
    fontname: str = "helvetica",
) -> str | None:
    r"""Return the tree as DOT or, as scikit-learn does, write it if there is a file; with its styling options.

    Parameters
    ----------
    model : fitted classifier
    out_file : path or text file, optional
        Where the text is written; a path in UTF-8.
    max_depth : int, optional
        Deepest level that is drawn; the nodes below it are drawn as "...".
    feature_names, class_names : sequence of str, optional
        Names instead of the model's own. ``class_names=False`` leaves the classes out.
    label : {"all", "root", "none"}, default="all"
        At which nodes the words "gini", "samples", "value" and "class" are written.
    filled : bool, default=False
        Paint nodes in the colour of their majority class, the more strongly the purer.
    leaves_parallel : bool, default=False
        Draw all leaves at the bottom.
    impurity, node_ids : bool
        Show the impurity; show the node's id.
    proportion : bool, default=False
        Show shares instead of counts.
    rotate : bool, default=False
        From left to right instead of top to bottom.
    rounded : bool, default=False
        Round the boxes' corners.
    special_characters : bool, default=False
        Write ``≥`` and ``≤``.
    precision : int, default=3
        Digits of impurities, values and rules. Rules get more where fewer would move a training row.
    fontname : str, default="helvetica"

    Returns
    -------
    str

    Examples
    --------
    >>> from cart_elc import ELCClassifier, export_graphviz
    >>> model = ELCClassifier(r=1, criterion="gini").fit([[0.0], [1.0], [4.0]], ["no", "no", "yes"])
    >>> print(export_graphviz(model, impurity=False))
    digraph Tree {
    node [shape=box, fontname="helvetica"];
    edge [fontname="helvetica"];
    0 [label="x0 <= 2.5\nsamples = 3\nvalue = [2, 1]\nclass = no"];
    1 [label="samples = 2\nvalue = [2, 0]\nclass = no"];
    0 -> 1 [labeldistance=2.5, labelangle=45, headlabel="yes"];
    2 [label="samples = 1\nvalue = [0, 1]\nclass = yes"];
    0 -> 2 [labeldistance=2.5, labelangle=-45, headlabel="no"];
    }
    """
    check_option("label", label, LABELS)
    check_int_from_zero("precision", precision, LEVELS - 1)
    if max_depth is not None:
        check_int_from_zero("max_depth", max_depth)
    given = None if isinstance(class_names, bool) else class_names
    named = NamedTree.of(model, feature_names=feature_names, class_names=given)
    writer = DotWriter(
        named,
        Rulebook.of(named, precision),
        with_class=class_names is not False and named.bands is None,
        max_depth=named.tree.max_depth if max_depth is None else max_depth,
        label=label,
        filled=filled,
        leaves_parallel=leaves_parallel,
        impurity=impurity,
        node_ids=node_ids,
        proportion=proportion,
        rotate=rotate,
        special_characters=special_characters,
    )
    defaults = writer.defaults(rounded, one_line(fontname))
    text = "\n".join(["digraph Tree {", *defaults, *writer.lines(), "}"])
    if out_file is None:
        return text
    if isinstance(out_file, str | os.PathLike):
        Path(out_file).write_text(text + "\n", encoding="utf-8")
    else:
        out_file.write(text + "\n")
    return None


def quoted(text: str) -> str:
    """Return a DOT string, in which a newline is a line break and everything else stands for itself.

    Graphviz reads backslashes and entities such as ``&lt;`` inside labels, so both are escaped.
    """
    escapes = str.maketrans({"&": "&amp;", "\\": "\\\\", '"': '\\"'})
    return '"' + "\\n".join(line.translate(escapes) for line in text.split("\n")) + '"'


@dataclass(frozen=True, eq=False)
class DotWriter:
    """Writes the statements of a graph; the meaning of the styling options is scikit-learn's."""

    named: NamedTree
    rules: Rulebook
    with_class: bool
    max_depth: int
    label: str
    filled: bool
    leaves_parallel: bool
    impurity: bool
    node_ids: bool
    proportion: bool
    rotate: bool
    special_characters: bool

    def lines(self) -> Iterator[str]:
        tree, depths, parents = self.named.tree, self.named.tree.node_depths(), self.named.tree.parents()
        for node in np.flatnonzero(depths <= self.max_depth + 1).tolist():
            cut = depths[node] > self.max_depth
            fill = self.paint("#C0C0C0" if cut else self.fill(node)) if self.filled else ""
            text = "..." if cut else "\n".join(self.facts(node))
            yield f"{node} [label={quoted(text)}{fill}];"
            if node:
                yield self.edge(int(parents[node]), node)
        if self.leaves_parallel:
            leaves = np.flatnonzero(tree.is_leaf & (depths <= self.max_depth))
            yield f"{{ rank=same; {' '.join(f'{node};' for node in leaves)} }}"

    def defaults(self, rounded: bool, fontname: str) -> Iterator[str]:
        looks = [look for look, wanted in (("filled", self.filled), ("rounded", rounded)) if wanted]
        style = f', style="{", ".join(looks)}", color="black"' if looks else ""
        yield f"node [shape=box{style}, fontname={quoted(fontname)}];"
        if self.leaves_parallel:
            yield "graph [ranksep=equally, splines=polyline];"
        yield f"edge [fontname={quoted(fontname)}];"
        if self.rotate:
            yield "rankdir=LR;"

    def edge(self, parent: int, node: int) -> str:
        """Return an edge; those of the root say which side is which."""
        if parent:
            return f"{parent} -> {node};"
        left = node == self.named.tree.children_left[0]
        angle = 45 if left != self.rotate else -45
        return f'0 -> {node} [labeldistance=2.5, labelangle={angle}, headlabel="{"yes" if left else "no"}"];'

    def facts(self, node: int) -> Iterator[str]:
        tree = self.named.tree
        words = self.label == "all" or (self.label == "root" and node == 0)
        if self.node_ids:
            yield f"node #{node}" if words else f"#{node}"
        if not tree.is_leaf[node]:
            *terms, comparison = self.rules.written(node).parts(self.named.features)
            if self.special_characters and not tree.is_categorical[node]:
                comparison = comparison.replace(">=", "≥").replace("<=", "≤")
            yield " ".join([*terms, comparison])
        if self.impurity:
            yield (f"{self.named.impurity_name} = " if words else "") + self.short(float(tree.impurity[node]))
        yield ("samples = " if words else "") + self.samples(node)
        if self.named.bands is None:
            values = tree.proportions[node] if self.proportion else tree.value[node]
            value = f"[{', '.join(map(self.short, values.tolist()))}]"
        else:
            value = self.short(self.named.output(node))
        yield ("value = " if words else "") + value
        if self.with_class:
            yield ("class = " if words else "") + as_text(self.named.class_names[self.named.majority(node)])

    def samples(self, node: int) -> str:
        count = int(self.named.tree.n_node_samples[node])
        share = 100.0 * count / int(self.named.tree.n_node_samples[0])
        return f"{number(round(share, 1))}%" if self.proportion else str(count)

    def short(self, value: float) -> str:
        return number(round(value, self.rules.decimals) + 0.0)

    def paint(self, color: str) -> str:
        """Return the attributes of a painted node: on a dark ground the text is white."""
        return f', fillcolor="{color}"' + (', fontcolor="white"' if is_dark(color) else "")

    def fill(self, node: int) -> str:
        """Return the majority's colour: pale where the classes are even, full where there is one."""
        proportions = np.sort(self.named.shares[node])[::-1]
        lead = proportions[0] - (proportions[1] if len(proportions) > 1 else 0.0)
        return mixed(self.named.colors()[self.named.majority(node)], 0.1 + 0.7 * float(lead))
