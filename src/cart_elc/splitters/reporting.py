"""What a search reports while it runs and when it ends: a live line, a line a split, or a callback."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from cart_elc.splitters.node import Node
from cart_elc.splitters.split import Split, Splitter


@dataclass(frozen=True)
class SearchProgress:
    """Where a running search stands.

    Attributes
    ----------
    n_rows, depth : int
        The node at work.
    subsets_done, n_subsets : int
        Feature sets that are finished, and all of them.
    n_boxes : int
        Boxes of hyperplanes opened so far.
    score, bound : float
        The best split so far and the proven bound, in the criterion's units.
    seconds : float
        Time since the search of this node began.
    dives_done : int
        Feature sets in which a first split has been looked for greedily; none is finished before all have been.
    """

    n_rows: int
    depth: int
    subsets_done: int
    n_subsets: int
    n_boxes: int
    score: float
    bound: float
    seconds: float
    dives_done: int = 0

    def __str__(self) -> str:
        return (
            f"depth {self.depth}, {self.n_rows} rows: {self.subsets_done}/{self.n_subsets} feature sets, "
            f"{self.n_boxes:.3g} boxes, best {self.score:.6g}, bound {self.bound:.6g}, {self.seconds:.1f} s"
        )


Progress = Callable[[SearchProgress], None]
"""What is told how far a search is."""


class LiveLine:
    """Rewrites one line of standard error with the state of a long search, every so many seconds; `clear` wipes it."""

    def __init__(self, every: float = 0.25) -> None:
        self.every = every
        self._last = time.monotonic()
        self._width = 0

    def __call__(self, progress: object) -> None:
        now = time.monotonic()
        if now - self._last < self.every:
            return
        self._last = now
        self._write(str(progress))

    def clear(self) -> None:
        if self._width:
            self._write("")
            sys.stderr.write("\r")
        self._width = 0

    def _write(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)


@dataclass(frozen=True)
class ReportingSplitter:
    """Calls ``inner`` and tells ``report`` about each split in one line; wipes the live line before it."""

    inner: Splitter
    report: Callable[[str], None]
    live: LiveLine

    @property
    def criterion(self) -> str:
        return self.inner.criterion

    @property
    def goes_on_without_time(self) -> bool:
        return self.inner.goes_on_without_time

    def __call__(self, node: Node) -> Split:
        try:
            split = self.inner(node)
        finally:
            self.live.clear()
        self.report(f"depth {node.depth}, {len(node.rows)} rows: {describe(split)}")
        return split


def describe(split: Split) -> str:
    if not split.found:
        return f"no admissible split ({split.seconds:.3g} s)"
    proof = "proven" if split.proven else f"not proven, bound {split.bound:.6g}"
    return (
        f"features {list(split.features)}, {split.criterion} {split.score:.6g}, {proof}, "
        f"{split.n_candidates:.3g} candidates in {split.n_boxes} boxes, {split.seconds:.3g} s"
    )
