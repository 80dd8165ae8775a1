"""Types of the compiled module; the kernels trust their input."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

def criterion_loss(criterion: str, totals: list[float], left: list[float]) -> float: ...
def criterion_bound(criterion: str, totals: list[float], certain: list[float], uncertain: list[float]) -> float: ...
def criterion_exceeds(
    criterion: str, totals: list[float], certain: list[float], uncertain: list[float], ceiling: float
) -> bool: ...
def squared_error_bound(
    totals: list[float], low: list[float], high: list[float], side: list[float], open: list[float]
) -> float: ...
def squared_error_loss(totals: list[float], side: list[float]) -> float: ...
def search(
    x: NDArray[np.float64],
    y: NDArray[np.int64],
    rows: NDArray[np.int64],
    weights: NDArray[np.float64],
    n_classes: int,
    options: dict[str, Any],
) -> dict[str, Any]: ...
def search_numbers(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    rows: NDArray[np.int64],
    weights: NDArray[np.float64],
    options: dict[str, Any],
) -> dict[str, Any]: ...
def sides(
    X: NDArray[np.float64],
    rows: NDArray[np.int64],
    features: NDArray[np.int32],
    weights: NDArray[np.float64],
    threshold: float,
    levels: NDArray[np.int8],
) -> NDArray[np.int8]: ...

class TreeView:
    def __new__(
        cls,
        children_left: NDArray[np.int32],
        children_right: NDArray[np.int32],
        indptr: NDArray[np.int64],
        features: NDArray[np.int32],
        weights: NDArray[np.float64],
        thresholds: NDArray[np.float64],
        missing: NDArray[np.int8],
        node_weights: NDArray[np.float64],
        levels: NDArray[np.int8],
    ) -> TreeView: ...
    def apply(self, X: NDArray[np.float64]) -> NDArray[np.int64]: ...
    def mean_value(self, X: NDArray[np.float64], value: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def decision_path(self, X: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

class NodeArrays:
    def __init__(
        self,
        x: NDArray[np.float64],
        y: NDArray[np.int64],
        rows: NDArray[np.int64],
        weights: NDArray[np.float64],
        n_classes: int,
    ) -> None: ...

def axis_search(
    node: NodeArrays, criterion: str, min_rows: float, min_weight: float
) -> tuple[int, float, float, float, bool, int]: ...
def direction_search(
    node: NodeArrays,
    directions: NDArray[np.float64],
    criterion: str,
    min_rows: float,
    min_weight: float,
    gap: float,
) -> tuple[int, float, float, float, bool, int]: ...
def climb(
    node: NodeArrays,
    centre: NDArray[np.float64],
    scale: NDArray[np.float64],
    first: NDArray[np.float64],
    criterion: str,
    min_rows: float,
    min_weight: float,
    restarts: int,
    jumps: int,
    order: str,
    stagnation: float,
    seed: int,
    seconds: float,
) -> tuple[float, NDArray[np.float64], NDArray[np.int8], int]: ...
def combine(
    node: NodeArrays,
    centre: NDArray[np.float64],
    scale: NDArray[np.float64],
    first: NDArray[np.float64],
    criterion: str,
    min_rows: float,
    min_weight: float,
    tolerance: float,
    deletion: float,
) -> tuple[float, NDArray[np.float64], NDArray[np.int8], int]: ...
def feature_tests(node: NodeArrays, min_objects: float, min_rows: float, min_weight: float) -> NDArray[np.float64]: ...
def place_through(
    points: NDArray[np.float64], left: NDArray[np.bool_], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float, float, bool]: ...
def place_widest(
    points: NDArray[np.float64],
    left: NDArray[np.bool_],
    weights: NDArray[np.float64],
    threshold: float,
    half: NDArray[np.float64],
) -> tuple[NDArray[np.float64], float, float, bool]: ...
def grow(
    x: NDArray[np.float64],
    y: NDArray[np.int64],
    rows: NDArray[np.int64],
    weights: NDArray[np.float64],
    n_classes: int,
    options: dict[str, Any],
) -> tuple[dict[str, Any], NDArray[np.float64]]: ...
def grow_numbers(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    rows: NDArray[np.int64],
    weights: NDArray[np.float64],
    options: dict[str, Any],
) -> tuple[dict[str, Any], NDArray[np.float64]]: ...
