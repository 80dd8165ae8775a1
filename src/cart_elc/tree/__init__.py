"""The fitted tree: its structure, its one writer, its rules, importances, and its form in a file."""

from cart_elc.tree.arrays import BoolArray, FloatArray, IntArray, column_extremes
from cart_elc.tree.rule import LEFT, RIGHT, UNKNOWN, MissingPolicy, Rule, Sides, weighted_sums
from cart_elc.tree.structure import COLUMNS, NO_CHILD, Tree

__all__ = [
    "COLUMNS",
    "LEFT",
    "NO_CHILD",
    "RIGHT",
    "UNKNOWN",
    "BoolArray",
    "FloatArray",
    "IntArray",
    "MissingPolicy",
    "Rule",
    "Sides",
    "Tree",
    "column_extremes",
    "weighted_sums",
]
