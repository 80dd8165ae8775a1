"""Class colours that people with any kind of colour vision can tell apart."""

# Okabe and Ito (2008), without yellow and black, which fail on light and dark grounds. The other six were searched for:
# simulated protanopia, deuteranopia and tritanopia leave at least 12 units of CIELAB between any two of a palette.
OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
PALETTE = (*OKABE_ITO, "#661100", "#8F3FFF", "#241571", "#7A3F6B", "#B0123A", "#2447B8")
ON_DARK = (*OKABE_ITO, "#FFF3B0", "#A05CFF", "#BFF5E6", "#D9BC66", "#F2476A", "#A896FF")
GREY = "#8A8F98"
BANDS = ("#0B3C6F", "#3573A8", "#7FA9C9", "#D9A15C", "#C46A1F", "#7A3B06")
BANDS_ON_DARK = ("#4F8FD0", "#7FB2DE", "#B7D0E4", "#F0C58F", "#E39A4E", "#C8751F")


def class_colors(n_classes: int, palette: tuple[str, ...] = PALETTE) -> list[str]:
    """Return a colour per class; they repeat after twelve, which is why labels never rely on colour alone."""
    return [palette[code % len(palette)] for code in range(n_classes)]


def band_colors(n_bands: int, palette: tuple[str, ...] = PALETTE) -> list[str]:
    """Return a colour per band of numbers, from blue for the smallest to orange for the largest.

    Examples
    --------
    >>> band_colors(2)
    ['#0B3C6F', '#7A3B06']
    """
    colors = BANDS_ON_DARK if palette is ON_DARK else BANDS
    step = (len(colors) - 1) / max(n_bands - 1, 1)
    return [colors[round(band * step)] for band in range(n_bands)]


def is_dark(color: str) -> bool:
    """Whether white text has more contrast on the colour than black text.

    >>> is_dark("#241571"), is_dark("#E69F00")
    (True, False)
    """
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] < 0.179


def mixed(color: str, share: float) -> str:
    """Return the colour thinned with white: ``share`` 0 is white, 1 the colour itself.

    >>> mixed("#0072B2", 0.5)
    '#80b9d9'
    """
    channels = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{int(255 - share * (255 - channel) + 0.5):02x}" for channel in channels)
