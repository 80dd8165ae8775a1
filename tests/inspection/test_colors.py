"""The class colours can be told apart with any kind of colour vision."""

import itertools

import numpy as np
import pytest

from cart_elc.inspection.draw.colors import ON_DARK, PALETTE, class_colors, mixed

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
VISION = {
    "full": np.eye(3),
    "protanopia": np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]),
    "deuteranopia": np.array([[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
    "tritanopia": np.array([[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour, vision):
    """CIELAB under D65."""
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(vision @ linear, 0, 1) / [0.95047, 1.0, 1.08883]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("palette", [PALETTE, ON_DARK], ids=["light", "dark"])
def test_any_two_classes_differ_in_every_kind_of_vision(palette, vision):
    for one, other in itertools.combinations(palette, 2):
        assert np.linalg.norm(lab(one, VISION[vision]) - lab(other, VISION[vision])) > 12


def test_colours_repeat_after_twelve():
    assert class_colors(13)[12] == class_colors(13)[0]
    assert len(set(class_colors(12))) == 12
    assert mixed("#0072B2", 1.0) == "#0072b2"
