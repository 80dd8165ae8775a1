"""Class colours that people with any kind of colour vision can tell apart."""

from __future__ import annotations

# Okabe and Ito (2008), without yellow and black, which fail on light and dark grounds; then Tol's "muted" scheme.
PALETTE = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#882255",
    "#999933",
    "#44AA99",
    "#332288",
    "#DDCC77",
    "#AA4499",
)
GREY = "#8A8F98"


def class_colors(n_classes: int) -> list[str]:
    """Return a colour per class; they repeat after twelve, which is why labels never rely on colour alone."""
    return [PALETTE[code % len(PALETTE)] for code in range(n_classes)]


def mixed(color: str, share: float) -> str:
    """Return the colour thinned with white: ``share`` 0 is white, 1 the colour itself.

    Examples
    --------
    >>> mixed("#0072B2", 0.5)
    '#80b9d9'
    """
    channels = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{int(255 - share * (255 - channel) + 0.5):02x}" for channel in channels)
