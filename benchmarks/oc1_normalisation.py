"""What normalising the features does to OC1: roots that become pure, of 100, where a plane separates the classes.

200 points, uniform in a cube, in two classes on either side of a random plane, with an empty band of a tenth of the
cube's side around it; a tree of depth 1 with 20 restarts.

    python benchmarks/oc1_normalisation.py
"""

from __future__ import annotations

import numpy as np
from tables import Table

from cart_elc import OC1Classifier

N_SEEDS = 100
N_POINTS = 200
GAP = 0.1
DIMENSIONS = (2, 3, 4, 5)
CUBES = ((0.0, 1.0), (-1.0, 1.0), (0.0, 10.0), (100.0, 101.0))


def separated(seed: int, n_features: int, low: float, high: float) -> Table:
    """Points of a cube and their side of a random plane that passes within a quarter of the side from its middle."""
    random = np.random.default_rng(seed)
    normal = random.normal(size=n_features)
    normal /= np.linalg.norm(normal)
    threshold = 0.5 * normal.sum() + random.uniform(-0.25, 0.25)
    X = random.random((20 * N_POINTS, n_features))
    X = X[np.abs(X @ normal - threshold) >= GAP / 2][:N_POINTS]
    return low + (high - low) * X, (X @ normal > threshold).astype(np.int64)


def n_pure(n_features: int, cube: tuple[float, float], scaled: bool) -> int:
    """Number of seeds whose root split separates the classes."""
    tables = (separated(seed, n_features, *cube) for seed in range(N_SEEDS))
    models = (OC1Classifier(max_depth=1, scale_features=scaled, random_state=seed) for seed in range(N_SEEDS))
    return sum(model.fit(X, y).score(X, y) == 1.0 for model, (X, y) in zip(models, tables, strict=True))


def main() -> None:
    """Print the counts, in scaled features and in their own units."""
    print("| features | points in | " + " | ".join(f"{m} dimensions" for m in DIMENSIONS) + " |")
    print("|---|---" + "|---" * len(DIMENSIONS) + "|")
    for scaled in (True, False):
        for low, high in CUBES:
            counts = [n_pure(m, (low, high), scaled) for m in DIMENSIONS]
            name = "scaled" if scaled else "own units"
            print(f"| {name} | [{low:g}, {high:g}] | " + " | ".join(map(str, counts)) + " |")


if __name__ == "__main__":
    main()
