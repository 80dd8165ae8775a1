"""Warnings: each has its numbers and points at the line of the user's program that called the package."""

from __future__ import annotations

import math
import sys
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from cart_elc.splitters.node import Deadline
from cart_elc.tree import Tree

HOPELESS_SUBSETS = 1_000_000
PACKAGE = __name__.partition(".")[0]


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn in the name of the first frame outside the package, however deep inside it the reason was found."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def warn_if_hopeless(n_features: int, r: int) -> None:
    """Warn where there are too many feature subsets to search."""
    n_subsets = math.comb(n_features, r)
    if n_subsets > HOPELESS_SUBSETS:
        warn_user(
            f"r={r} of n_features={n_features} makes C({n_features}, {r}) = {n_subsets:.3g} feature subsets to search "
            "at every node: a proof is out of reach. Choose a smaller r, select features first, or set time_limit and "
            "take the best split found."
        )


def warn_if_cut_short(deadline: Deadline, tree: Tree) -> None:
    """Warn where the time ran out before the tree was grown."""
    if not (deadline.n_unproven or deadline.n_unsearched):
        return
    n_unproven, n_splits = np.count_nonzero(~tree.is_leaf & ~tree.proven), np.count_nonzero(~tree.is_leaf)
    searches = "1 search" if deadline.n_unproven == 1 else f"{deadline.n_unproven} searches"
    leaves = "1 node became a leaf" if deadline.n_unsearched == 1 else f"{deadline.n_unsearched} nodes became leaves"
    warn_user(
        f"time_limit={deadline.seconds:g} cut the fit short: {searches} ended without a proof, {leaves} without a "
        f"search, and {n_unproven} of the tree's {n_splits} splits are unproven. Raise time_limit or make the problem "
        "smaller, for example by max_depth.",
        ConvergenceWarning,
    )
