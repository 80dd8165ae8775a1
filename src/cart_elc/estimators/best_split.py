"""`best_split`: the node problem on its own."""

from dataclasses import replace
from typing import Any

import numpy as np

from cart_elc.categories import Table
from cart_elc.criteria import CRITERIA, EXACT_OF_NUMBERS
from cart_elc.estimators.data import Column, as_counts, check_training_set
from cart_elc.estimators.exact_search import GONE, ExactSearch
from cart_elc.estimators.parameters import check_time_limit, names_gone
from cart_elc.splitters.node import Node
from cart_elc.splitters.split import Split
from cart_elc.tree import LEFT


@names_gone(GONE)
def best_split(
    X: Table,
    y: Column,
    r: int = 2,
    *,
    criterion: str = "gini",
    sample_weight: Column | None = None,
    planes: str = "any",
    missing: str = "learn",
    categorical_features: Any = "from_dtype",  # noqa: ANN401
    n_jobs: int | None = None,
    time_limit: float | None = None,
) -> Split:
    """Return the best of all linear splits on at most ``r`` features.

    The search is a branch and bound over boxes of hyperplanes; it covers all of them. Ties go to the fewest features,
    then to the widest margin, then to the smallest tuple of features, whatever the number of threads.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_samples, n_features)
        Numbers; NaN is a missing value.
    y : array-like of shape (n_samples,)
        Class labels or, where the criterion is one of numbers, numbers.
    r : int, default=2
        The most features of the split; more than there are means all of them.
    criterion : str, default="gini"
        "gini", "twoing", "information_gain", "mdl" and "error" are those of `ELCClassifier`; "squared_error" and
        "mdl_squared_error" take ``y`` for numbers and are the "squared_error" and "mdl" of `ELCRegressor`. The default
        is Gini and not "mdl": asked for one split, a caller wants the best one and not the answer that none pays for
        itself. Under "mdl" a split must save more bits than it costs; a tree asks for two more bits for each class of
        its node, or for four with numbers.
    sample_weight : array-like of shape (n_samples,) or a number, optional
        Non-negative; one number is the weight of every row. Rows of weight zero are left out.
    planes : {"any", "through", "canonical"}, default="any"
        As in `ELCClassifier`. Where float64 is too coarse to express the plane through the samples (a column whose
        spread is tiny for its magnitude), "through" and "canonical" take the widest margin too; if that cannot express
        the partition either, the split has the score of its own rule and ``proven=False``.
    missing : {"learn", "right"}, default="learn"
        Where the rows with a missing value go.
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Which features are categories, as in `ELCClassifier`. The split's ``levels`` have the side of each level, and
        ``left_levels`` the ones that go left.
    n_jobs : int or None, default=None
        Threads: None is 1, -1 all processors, -2 all but one, and so on.
    time_limit : float or None, default=None
        Seconds; the best split found by then is returned with its proven bound. With "any" it is never worse than the
        best split on one feature, whatever the limit; otherwise a limit that is too small for any split to be found
        gives ``features=()`` with ``proven=False``.

    Returns
    -------
    Split
        With ``features=()`` if there is no admissible candidate (``proven=True``), or if the time limit ran out before
        one was found (``proven=False``); ``reason`` then says why.

    Notes
    -----
    With "error" and two classes the split is the linear classifier on at most ``r`` features that errs least, exactly.
    It also solves the directed problem, in which each row wants one of two sides with a weight of its own: the labels
    are the sides that the rows want, and a row that does not care has weight zero. No split then has less weight on the
    wrong side, whichever side is which.

    Examples
    --------
    >>> from cart_elc import best_split
    >>> split = best_split([[0, 0], [1, 0], [0, 1], [1, 1], [2, 1], [1, 2]], [0, 0, 0, 1, 1, 1])
    >>> split.features, split.score, split.proven, split.n_candidates
    ((0, 1), 0.0, True, 27)
    """
    deadline = check_time_limit(time_limit)
    numbers = criterion in EXACT_OF_NUMBERS
    data = check_training_set(None, X, y, sample_weight, numbers=numbers, categorical_features=categorical_features)
    data = data.used_classes()
    search = ExactSearch(r=r, criterion=criterion, planes=planes, missing=missing, n_jobs=n_jobs)
    priced = criterion in CRITERIA and CRITERIA[criterion].price is not None
    weights = as_counts(data.weights) if priced else data.weights
    rows = np.flatnonzero(weights > 0).astype(np.int64, copy=False)
    table = (data.X, data.target, rows, weights[rows])
    node = Node(*table, seconds=deadline.seconds_left, n_levels=data.n_levels)
    split = search.splitter(data.X.shape[1])(node)
    if not split.found:
        return replace(split, reason=why_none(split, node, priced))
    if split.levels is None or data.categories is None:
        return split
    levels = data.categories.levels[split.features[0]] or []
    return replace(split, left_levels=tuple(levels[code] for code in split.levels_of(LEFT)))


def why_none(split: Split, node: Node, priced: bool) -> str:
    """Return in a sentence why a search found no split."""
    rows = node.X[node.rows]
    if not split.proven:
        return "The time limit ran out before a split was found."
    if len(rows) < 2:
        return f"There is {len(rows)} row of positive weight, and two sides need at least two."
    missing = np.isnan(rows)
    constant = np.nanmax(np.where(missing, -np.inf, rows), axis=0) <= np.nanmin(np.where(missing, np.inf, rows), axis=0)
    if np.all(constant & (missing.all(axis=0) | ~missing.any(axis=0))):
        return "Every column is constant over the rows of positive weight, so that no rule tells two of them apart."
    if priced:
        return "No split saves more bits than it takes to name it."
    return f"No candidate of planes={split.planes!r} has rows on both sides."
