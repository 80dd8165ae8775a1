"""Types of the arrays that the package passes around, and the range of their columns."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

FITS_CACHE = 1 << 16
"""Values of an array that is quicker to turn, so that its columns are contiguous, than to walk along its rows."""


def column_extremes(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return each column's lowest and highest known value; NaN for a column without any.

    Examples
    --------
    >>> low, high = column_extremes(np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, np.nan]]))
    >>> low, high
    (array([ 1., nan]), array([ 3., nan]))
    """
    columns = np.asfortranarray(X) if X.size <= FITS_CACHE else X
    return np.fmin.reduce(columns, axis=0), np.fmax.reduce(columns, axis=0)
