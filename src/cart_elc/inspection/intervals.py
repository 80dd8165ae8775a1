"""How sure a share is: the interval of Wilson, which is wide where there are few rows."""

import math

from cart_elc.inspection.named_tree import NamedTree

NORMAL_95 = 1.959963984540054
"""The standard normal deviate that leaves 2.5 % on each side."""


def wilson(share: float, n_rows: int) -> tuple[float, float]:
    """Return the interval that covers the true share in 95 % of samples of so many rows.

    With ``z`` the normal deviate, its middle is ``(p + z²/2n) / (1 + z²/n)`` and its half width
    ``z sqrt(p(1-p)/n + z²/4n²) / (1 + z²/n)``. Unlike ``p ± z sqrt(p(1-p)/n)`` it stays in [0, 1], and it has a width
    where all rows agree.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), 209-212.

    Examples
    --------
    >>> [round(end, 3) for end in wilson(2 / 3, 3)], [round(end, 3) for end in wilson(195 / 197, 197)]
    ([0.208, 0.939], [0.964, 0.997])
    """
    pull = NORMAL_95**2 / n_rows
    middle = (share + pull / 2) / (1 + pull)
    half = math.sqrt(pull * (share * (1 - share) + pull / 4)) / (1 + pull)
    return max(0.0, middle - half), min(1.0, middle + half)


def share_interval(named: NamedTree, node: int) -> tuple[float, float]:
    """Return the interval of the share that the predicted class has among the rows of a node.

    Rows are counted, not weights. The tree was chosen to suit these rows, so the interval tells how few they are, and
    not how the tree does on others.
    """
    share = float(named.tree.proportions[node, named.majority(node)])
    return wilson(share, int(named.tree.n_node_samples[node]))


def interval_text(interval: tuple[float, float]) -> str:
    """Return an interval of shares in per cent.

    >>> interval_text(wilson(2 / 3, 3))
    '20.8 to 93.9 %'
    """
    low, high = (f"{100 * end:.3g}" for end in interval)
    return f"{low} to {high} %"
