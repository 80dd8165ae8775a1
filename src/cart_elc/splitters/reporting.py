"""A splitter that reports what another one finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cart_elc.splitters.split import Node, Split, Splitter


@dataclass(frozen=True)
class ReportingSplitter:
    """Calls ``inner`` and tells ``report`` about each split in one line."""

    inner: Splitter
    report: Callable[[str], None]

    @property
    def criterion(self) -> str:
        """Name of the criterion of the inner splitter."""
        return self.inner.criterion

    def __call__(self, node: Node) -> Split:
        """Return the inner splitter's split."""
        split = self.inner(node)
        self.report(f"depth {node.depth}, {len(node.rows)} rows: {describe(split)}")
        return split


def describe(split: Split) -> str:
    """Return the split's features, score and proof in one line."""
    if not split.found:
        return f"no admissible split ({split.seconds:.3g} s)"
    proof = "proven" if split.proven else f"not proven, bound {split.bound:.6g}"
    return (
        f"features {list(split.features)}, {split.criterion} {split.score:.6g}, {proof}, "
        f"{split.n_candidates:.3g} candidates in {split.n_boxes} boxes, {split.seconds:.3g} s"
    )
