"""Warnings: each has its numbers and points at the line of the user's program that called the package."""

import math
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from cart_elc.splitters.node import Deadline
from cart_elc.splitters.reporting import SearchProgress
from cart_elc.tree import Tree

HOPELESS_SUBSETS, HOPELESS_PAIRS = 1_000_000, 100_000_000
"""Feature subsets from which on a node may take hours; a million pairs of features take seconds."""
LONG = 60.0
"""Seconds from which on a fit is long."""
PACKAGE = __name__.partition(".")[0]


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn in the name of the first frame outside the package, however deep inside it the reason was found."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def warn_if_hopeless(n_features: int, r: int) -> None:
    n_subsets = math.comb(n_features, r)
    if n_subsets > (HOPELESS_SUBSETS if r > 2 else HOPELESS_PAIRS):
        warn_user(
            f"r={r} of n_features={n_features} makes C({n_features}, {r}) = {n_subsets:.3g} feature subsets to search "
            "at every node, and a proof may take hours. Choose a smaller r, select features first, or set time_limit "
            "and take the best split found."
        )


def warn_if_cut_short(deadline: Deadline, tree: Tree) -> None:
    if not (deadline.n_unproven or deadline.n_unsearched):
        return
    n_unproven, n_splits = np.count_nonzero(~tree.is_leaf & ~tree.proven), np.count_nonzero(~tree.is_leaf)
    facts = [f"{_counted(deadline.n_unproven, 'search', 'searches')} ended without a proof"]
    if deadline.n_untimed:
        facts.append(f"{deadline.n_untimed} of them looked at single features alone because no time was left")
    if deadline.n_unsearched:
        facts.append(
            f"{_counted(deadline.n_unsearched, 'node was made a leaf', 'nodes were made leaves')} without a search"
        )
    if deadline.n_replaced:
        facts.append("the tree of the best single-feature splits took its place as it fits the training rows better")
    warn_user(
        f"time_limit={deadline.seconds:g} cut the fit short: {', '.join(facts)}, and {n_unproven} of the tree's "
        f"{n_splits} splits are unproven. Raise time_limit or make the problem smaller, for example by max_depth.",
        ConvergenceWarning,
    )


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


@dataclass
class LongFitNotice:
    """Warns once when a fit will take longer than a minute, or has; told of a search's progress while it runs.

    The estimate is that of one node, from the feature sets done in the later half of the time so far: the hardest sets
    come first. It waits for a second and for enough sets, and has to stand for another second, so that a few hard ones
    raise no false alarm. Before any set is finished there is a greedy dive in each; where these alone take a minute, so
    does the search.
    """

    clock: Callable[[], float] = time.monotonic
    _start: float = field(init=False)
    _phase: tuple[int, ...] = ()
    _history: list[tuple[float, int]] = field(default_factory=list)
    _long_since: float = math.inf
    _warned: bool = False

    def __post_init__(self) -> None:
        self._start = self.clock()

    def __call__(self, progress: SearchProgress) -> None:
        if self._warned:
            return
        estimate = self.estimate(progress)
        self._long_since = min(self._long_since, progress.seconds) if estimate > LONG else math.inf
        if progress.seconds - self._long_since >= 1.0:
            self._warn(f"a node of {progress.n_rows} rows alone needs about {_duration(estimate)} at the rate so far")
        elif self.clock() - self._start > LONG:
            self._warn(f"it is at a node of {progress.n_rows} rows in depth {progress.depth}")

    def estimate(self, progress: SearchProgress) -> float:
        """Return the seconds that the search will take in all; 0 while too little is known."""
        searching = progress.subsets_done > 0
        done = progress.subsets_done if searching else progress.dives_done
        phase = (progress.n_rows, progress.depth, progress.n_subsets, searching)
        if phase != self._phase:
            self._phase, self._history, self._long_since = phase, [], math.inf
        self._history.append((progress.seconds, done))
        enough = max(10, progress.n_subsets // 100) if searching else 10
        return self._extrapolated(progress.n_subsets, enough)

    def _extrapolated(self, n_subsets: int, enough: int) -> float:
        (first, _), (now, done) = self._history[0], self._history[-1]
        middle, done_by_then = next(mark for mark in self._history if mark[0] >= (first + now) / 2)
        if now - first < 1.0 or done < enough or done == done_by_then:
            return 0.0
        return now + (n_subsets - done) * (now - middle) / (done - done_by_then)

    def _warn(self, reason: str) -> None:
        self._warned = True
        warn_user(
            f"this fit takes longer than a minute: {reason}. Set time_limit to get the best tree found by then, "
            "choose a smaller r, or set verbose=1 to see how far it is."
        )


def _duration(seconds: float) -> str:
    """Return a time in the unit that fits it.

    Examples
    --------
    >>> _duration(90.0), _duration(600.0), _duration(7200.0), _duration(1e6)
    ('90 seconds', '10 minutes', '2 hours', '12 days')
    """
    for limit, unit, name in ((120.0, 1.0, "seconds"), (7200.0, 60.0, "minutes"), (172800.0, 3600.0, "hours")):
        if seconds < limit:
            return f"{seconds / unit:.0f} {name}"
    return f"{seconds / 86400:.0f} days"
