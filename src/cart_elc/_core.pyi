"""Types of the compiled module; the kernels trust their input."""

import numpy as np
from numpy.typing import NDArray

def sides(
    X: NDArray[np.float64],
    rows: NDArray[np.int64],
    features: NDArray[np.int32],
    weights: NDArray[np.float64],
    threshold: float,
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
    ) -> TreeView: ...
    def apply(self, X: NDArray[np.float64]) -> NDArray[np.int64]: ...
    def mean_value(self, X: NDArray[np.float64], value: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def decision_path(self, X: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
