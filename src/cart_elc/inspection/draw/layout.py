"""Where the boxes of a drawn tree go: none overlaps another, whatever their sizes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cart_elc.tree import FloatArray, Tree


@dataclass(frozen=True, eq=False)
class Layout:
    """Places of the boxes, in the units of their sizes; y grows downward.

    Attributes
    ----------
    x, y : ndarray of n_nodes
        Centre and top of each box.
    widths, heights : ndarray of n_nodes
    """

    x: FloatArray
    y: FloatArray
    widths: FloatArray
    heights: FloatArray

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the whole drawing."""
        return float(np.max(self.x + self.widths / 2)), float(np.max(self.y + self.heights))


@dataclass(frozen=True)
class Spacing:
    """Least distance between neighbours and between levels; levels run to the right if ``rotate``."""

    gap: float
    level_gap: float
    rotate: bool = False


def tidy_layout(tree: Tree, widths: FloatArray, heights: FloatArray, spacing: Spacing) -> Layout:
    """Place the boxes level by level, each parent at the middle of its children.

    Every subtree is laid out by itself and then moved right until it is ``gap`` away from its left neighbour on every
    level that they share (Reingold and Tilford 1981, with box sizes). Costs O(n_nodes x depth). A tree that grows
    to the right is placed as one that grows down, with widths for heights.

    Parameters
    ----------
    tree : Tree
    widths, heights : ndarray of n_nodes
    spacing : Spacing

    Returns
    -------
    Layout
    """
    breadths, lengths = (heights, widths) if spacing.rotate else (widths, heights)
    offsets = np.zeros(tree.n_nodes)
    contours: dict[int, list[tuple[float, float]]] = {}
    for node in range(tree.n_nodes - 1, -1, -1):
        reach = [(-breadths[node] / 2, breadths[node] / 2)]
        if not tree.is_leaf[node]:
            left, right = int(tree.children_left[node]), int(tree.children_right[node])
            shift = distance(contours[left], contours[right], spacing.gap) / 2
            offsets[left], offsets[right] = -shift, shift
            reach += joined(contours.pop(left), contours.pop(right), shift)
        contours[node] = reach
    middles = absolute(tree, offsets)
    middles -= float(np.min(middles - breadths / 2))
    starts = level_starts(tree, lengths, spacing.level_gap)
    if spacing.rotate:
        return Layout(starts + widths / 2, middles - heights / 2, widths, heights)
    return Layout(middles, starts, widths, heights)


def distance(left: list[tuple[float, float]], right: list[tuple[float, float]], gap: float) -> float:
    """Return how far apart two subtrees' roots must be."""
    return max(l_reach[1] - r_reach[0] for l_reach, r_reach in zip(left, right, strict=False)) + gap


def joined(
    left: list[tuple[float, float]], right: list[tuple[float, float]], shift: float
) -> list[tuple[float, float]]:
    """Return the extent per level of two subtrees that stand ``shift`` to either side."""
    moved_left = [(low - shift, high - shift) for low, high in left]
    moved_right = [(low + shift, high + shift) for low, high in right]
    shared = min(len(left), len(right))
    both = [(moved_left[i][0], moved_right[i][1]) for i in range(shared)]
    return both + moved_left[shared:] + moved_right[shared:]


def absolute(tree: Tree, offsets: FloatArray) -> FloatArray:
    """Return positions from the offsets to the parents."""
    x, parents = offsets.copy(), tree.parents()
    for node in range(1, tree.n_nodes):
        x[node] += x[parents[node]]
    return x


def level_starts(tree: Tree, lengths: FloatArray, level_gap: float) -> FloatArray:
    """Return where each node's level begins."""
    depths = tree.node_depths()
    longest = np.zeros(int(depths.max()) + 1)
    np.maximum.at(longest, depths, lengths)
    starts = np.concatenate([[0.0], np.cumsum(longest[:-1] + level_gap)])
    result: FloatArray = starts[depths]
    return result
