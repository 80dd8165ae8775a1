"""The exact regions of a tree in the plane of two features: polygons, cut by the splits' own lines."""

import numpy as np

from cart_elc.tree import LEFT, UNKNOWN, FloatArray, Tree

Corner = tuple[float, float]
Polygon = list[Corner]


def cut_plane(
    tree: Tree, frame: Polygon, pair: tuple[int, int], held: FloatArray
) -> tuple[dict[int, Polygon], list[tuple[Corner, Corner]]]:
    """Return the polygons of the leaves that are seen inside a frame, and the parts of the splits' lines between them.

    The features that are not drawn are held at ``held``; a split then is a line in the plane, or decides for all of it.
    A polygon stays convex when a line cuts it, so the cost is that of one pass over the splits that are seen.
    """
    regions: dict[int, Polygon] = {}
    segments, pending = [], [(0, frame)]
    while pending:
        node, polygon = pending.pop()
        if tree.is_leaf[node]:
            regions[node] = polygon
            continue
        normal, level = line_of(tree, node, pair, held)
        left, right = clipped(polygon, normal, level), clipped(polygon, -normal, -level)
        pending += [
            (int(child), side)
            for child, side in ((tree.children_right[node], right), (tree.children_left[node], left))
            if len(side) > 2
        ]
        ends = [corner for corner in left if corner in set(right)]
        if len(left) > 2 and len(right) > 2 and len(ends) == 2:
            segments.append((ends[0], ends[1]))
    return regions, segments


def line_of(tree: Tree, node: int, pair: tuple[int, int], held: FloatArray) -> tuple[FloatArray, float]:
    """Return a split in the plane: the rows with ``normal . (x, y) >= level`` go left.

    A split on a category, which is never drawn, decides for the whole plane.
    """
    features, weights, threshold = tree.split(node)
    if tree.is_categorical[node]:
        rule = tree.rule(node)
        side = rule.sides(held[None, :], np.zeros(1, dtype=np.int64))[0]
        return np.zeros(2), -1.0 if (rule.missing_left if side == UNKNOWN else side == LEFT) else 1.0
    normal = np.array([float(weights[features == feature].sum()) for feature in pair])
    others = ~np.isin(features, pair)
    return normal, float(threshold - weights[others] @ held[features[others]])


def clipped(polygon: Polygon, normal: FloatArray, level: float) -> Polygon:
    """Return the part of a convex polygon on and above a line; corners are kept or replaced by crossings of edges."""
    heights = [float(normal[0] * x + normal[1] * y - level) for x, y in polygon]
    kept: Polygon = []
    for i, corner in enumerate(polygon):
        j = (i + 1) % len(polygon)
        if heights[i] >= 0:
            kept.append(corner)
        if (heights[i] < 0 < heights[j]) or (heights[j] < 0 < heights[i]):
            kept.append(crossing(corner, polygon[j], heights[i], heights[j]))
    return kept


def crossing(one: Corner, other: Corner, height: float, other_height: float) -> Corner:
    """Return where an edge meets the line; the same point whichever end comes first."""
    if one > other:
        one, other, height, other_height = other, one, other_height, height
    part = height / (height - other_height)
    return one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1])
