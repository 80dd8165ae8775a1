"""Tables whose rows lie within tolerances of each other, and what is found in them however they are turned.

Where many rows are on one plane together, brute force leaves most splits in doubt. What the search finds must still not
depend on the order and the signs of the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

import oracle
from agreement import Case, Floats

Random = np.random.Generator


def cluster(random: Random, r: int) -> Floats:
    """Rows that are on one plane together, with others so near to them that it can be tilted much elsewhere."""
    size, n_far = 10.0 ** random.uniform(-12, -9), random.integers(6, 12)
    near = 10.0 ** random.uniform(-6.9, -5) * random.normal(size=(r, r))
    far = random.uniform(-1, 1, (n_far, r)) * np.append(np.ones(r - 1), 1000 * size / np.abs(near).max())
    return np.vstack([size * random.normal(size=(12, r)), near, far, -np.ones((1, r)), np.ones((1, r))])


def near_a_line(random: Random, r: int) -> Floats:
    """Rows within tolerances of one line, but for three."""
    X = np.outer(random.normal(size=18), random.normal(size=r))
    X += 10.0 ** random.uniform(-11, -6) * random.normal(size=X.shape)
    X[:3] = random.normal(size=(3, r))
    return X


def heavy_tails(random: Random, r: int) -> Floats:
    """Log-normal columns: half of the rows are within tolerances of one place."""
    return np.exp(random.uniform(3, 9) * random.normal(size=(24, r)))


FAMILIES: tuple[Callable[[Random, int], Floats], ...] = (cluster, near_a_line, heavy_tails)


def draw_turned(random: Random, family: Callable[[Random, int], Floats], r: int) -> Case:
    X = family(random, r)
    return Case(X, random.permutation(np.arange(len(X)) % 2), None, r)


def turning_complaints(random: Random, case: Case, planes: str = "any", **options: object) -> Iterator[str]:
    """What changes when columns are put in another order or multiplied by -1."""
    problem, r = oracle.Problem("gini", planes), case.X.shape[1]
    bound = case.split(problem, **options).bound
    for _ in range(4):
        order, signs = random.permutation(r), random.choice([-1, 1], r)
        turned = replace(case, X=case.X[:, order] * signs)
        other = turned.split(problem, **options).bound
        if abs(other - bound) > 1e-12:
            yield f"planes={planes!r}: bound {bound!r}, but {other!r} with X[:, {order.tolist()}] * {signs.tolist()}"
