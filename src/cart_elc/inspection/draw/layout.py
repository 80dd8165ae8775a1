"""Where the boxes of a drawn tree go: none overlaps another, whatever their sizes."""

from dataclasses import dataclass

import numpy as np

from cart_elc.tree import BoolArray, FloatArray, IntArray, Tree

Contour = list[tuple[float, float]]
"""From where to where a subtree reaches on each of its levels, from its root's middle."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Centre ``x`` and top ``y`` of each box, in the units of their sizes; y grows downward.

    What the arrays hold for nodes that are not ``shown`` means nothing.
    """

    shown: list[int]
    x: FloatArray
    y: FloatArray
    widths: FloatArray
    heights: FloatArray

    @property
    def size(self) -> tuple[float, float]:
        right, bottom = (self.x + self.widths / 2)[self.shown], (self.y + self.heights)[self.shown]
        return float(np.max(right)), float(np.max(bottom))


@dataclass(frozen=True)
class Spacing:
    """Least distance between neighbours and between levels; levels run to the right if ``rotate``."""

    gap: float
    level_gap: float
    rotate: bool = False


def tidy_layout(tree: Tree, widths: FloatArray, heights: FloatArray, spacing: Spacing, opened: BoolArray) -> Layout:
    """Place the boxes level by level, each parent at the middle of its children.

    Every subtree is laid out by itself and then moved right until it is ``gap`` away from its left neighbour on every
    level that they share (Reingold and Tilford 1981, with box sizes). Costs O(n_nodes x depth). A tree that grows
    to the right is placed as one that grows down, with widths for heights. What is below splits that are not
    ``opened`` gets no place.
    """
    breadths, lengths = (heights, widths) if spacing.rotate else (widths, heights)
    parents, depths = tree.parents(), tree.node_depths()
    shown = shown_nodes(parents, opened)
    middles = np.zeros(tree.n_nodes)
    contours: dict[int, Contour] = {}
    for node in reversed(shown):
        contours[node] = [(-breadths[node] / 2, breadths[node] / 2)]
        if opened[node]:
            left, right = int(tree.children_left[node]), int(tree.children_right[node])
            shift = distance(contours[left], contours[right], spacing.gap) / 2
            middles[left], middles[right] = -shift, shift
            contours[node] += joined(contours.pop(left), contours.pop(right), shift)
    for node in shown[1:]:  # from the distances to the parents
        middles[node] += middles[parents[node]]
    middles -= float(np.min((middles - breadths / 2)[shown]))
    longest = np.zeros(int(depths.max()) + 1)
    np.maximum.at(longest, depths[shown], lengths[shown])
    starts = np.concatenate([[0.0], np.cumsum(longest[:-1] + spacing.level_gap)])[depths]
    if spacing.rotate:
        return Layout(shown, starts + widths / 2, middles - heights / 2, widths, heights)
    return Layout(shown, middles, starts, widths, heights)


def shown_nodes(parents: IntArray, opened: BoolArray) -> list[int]:
    """Return the nodes that are drawn, parents before children."""
    drawn = {0}
    for node in range(1, len(parents)):
        if parents[node] in drawn and opened[parents[node]]:
            drawn.add(node)
    return sorted(drawn)


def distance(left: Contour, right: Contour, gap: float) -> float:
    """Return how far apart two subtrees' roots must be."""
    return max(l_reach[1] - r_reach[0] for l_reach, r_reach in zip(left, right, strict=False)) + gap


def joined(left: Contour, right: Contour, shift: float) -> Contour:
    """Return the extent per level of two subtrees that stand ``shift`` to either side."""
    moved_left = [(low - shift, high - shift) for low, high in left]
    moved_right = [(low + shift, high + shift) for low, high in right]
    shared = min(len(left), len(right))
    both = [(moved_left[i][0], moved_right[i][1]) for i in range(shared)]
    return both + moved_left[shared:] + moved_right[shared:]
