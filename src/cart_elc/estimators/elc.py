"""CART-ELC: trees of exhaustive oblique splits."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

from cart_elc.criteria import EXACT, EXACT_OF_NUMBERS
from cart_elc.estimators import parameters
from cart_elc.estimators.base import BaseTreeRegressor
from cart_elc.estimators.data import Column, Table, TrainingSet, as_counts
from cart_elc.estimators.user_warnings import warn_if_hopeless
from cart_elc.estimators.validation_pruned import ValidationPruned, ValidationPrunedClassifier
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.reporting import Progress
from cart_elc.tree.storage import Json

OF_NUMBERS = {"mdl": "mdl_squared_error", "squared_error": "squared_error"}
"""The criteria of a regressor, as it calls them and as `cart_elc.criteria` does."""
PLANES = ("any", "through", "canonical")
MISSING = ("learn", "right")
GONE = {
    "placement": "planes: 'any' places by the widest margin, 'through' and 'canonical' through the samples",
    "orientation": "planes: 'canonical' is the canonical orientation, 'through' both of them",
}
"""Parameters of earlier versions, and what has taken their place."""
MIN_SAVING = 2.0
"""Bits that a split must save beyond its price for each class of its node; chosen on noise alone, docs/stopping.md."""


@dataclass(frozen=True, kw_only=True)
class ExactSearch:
    """The parameters of the exact search, as a user gives them to `ELCClassifier` or `best_split`."""

    r: int
    criterion: str
    planes: str
    missing: str
    n_jobs: int | None
    price: float = 1.0
    fallback: bool = False
    min_saving: float = 0.0

    def splitter(self, n_features: int, progress: Progress | None = None) -> ELCSplitter:
        r = min(parameters.check_whole("r", self.r, 1), n_features)
        warn_if_hopeless(n_features, r)
        return ELCSplitter(
            r=r,
            criterion=parameters.check_criterion(self.criterion, (*EXACT, *EXACT_OF_NUMBERS)),
            price=parameters.check_real("price", self.price, 0.0),
            planes=parameters.check_choice("planes", self.planes, PLANES),
            missing=parameters.check_choice("missing", self.missing, MISSING),
            n_threads=parameters.check_n_jobs(self.n_jobs),
            fallback=self.fallback,
            min_saving=self.min_saving,
            progress=progress,
        )


@dataclass(kw_only=True, eq=False, repr=False)
class ExactTree(ValidationPruned):
    """The parameters of trees whose every split is searched for exactly.

    Parameters
    ----------
    r : int, default=2
        The most features of a split; more than there are means all of them. ``r=1`` is CART.
    price : float, default=1.0
        Factor of the price under "mdl", and of the bits that a split must save: larger makes smaller trees.
    planes : {"any", "through", "canonical"}, default="any"
        Which splits are candidates: all linear ones on at most ``r`` features, placed in the widest margin between
        their sides; or the planes through exactly ``r`` samples in exactly ``r`` features, where the samples on the
        plane join the better side together ("through") or the side that the paper's sign rule names ("canonical").
    missing : {"learn", "right"}, default="learn"
        Where rows with a missing value (NaN) on the split's features go, as one block: to the side that scores best,
        or always right.
    time_limit : float or None, default=None
        Seconds for the whole fit, shared out among its nodes by their rows and by the levels still to come (four, if
        ``max_depth`` is None). A search that has used up its share keeps its best split, which is never worse than the
        best one on a single feature; its ``bound`` says how far from optimal it can be. When no time is left, the
        remaining nodes get their best single-feature split, which takes as long as CART would take (with "through" and
        "canonical" they become leaves). A tree so cut short gives way to the one of single-feature splits where that
        errs less on the training rows (under "mdl": saves more bits). A `sklearn.exceptions.ConvergenceWarning` says
        what happened. Without a limit, a fit that will take longer than a minute warns once.
    n_jobs : int or None, default=None
        Threads of the search: None is 1, -1 all processors, -2 all but one, and so on. The answer does not
        depend on it.
    verbose : int, bool or callable, default=0
        If positive, a line per search is printed, and while a search lasts a live line on standard error shows the
        node, the feature sets done, the boxes, the best score, the bound and the time. A callable is called with a
        `SearchProgress` of the same content about twenty times a second, for notebooks and other displays.
    """

    reports_progress: ClassVar[bool] = True

    r: int = field(default=2, kw_only=False)
    criterion: str = "mdl"
    price: float = 1.0
    planes: str = "any"
    missing: str = "learn"
    time_limit: float | None = None
    n_jobs: int | None = None

    def _make_splitter(self, n_features: int, progress: Progress | None) -> ELCSplitter:
        names = ("r", "price", "planes", "missing", "n_jobs")
        parameters = {name: getattr(self, name) for name in names}
        search = ExactSearch(criterion=self.tree_criterion(), **parameters, fallback=True, min_saving=MIN_SAVING)
        return search.splitter(n_features, progress)

    def _training_set(self, X: Table, y: Column, sample_weight: Column | None) -> TrainingSet:
        data = super()._training_set(X, y, sample_weight)
        return replace(data, weights=as_counts(data.weights)) if self.criterion == "mdl" else data


@dataclass(kw_only=True, eq=False, repr=False)
class ELCClassifier(ExactTree, ValidationPrunedClassifier):
    r"""A decision tree whose every split is the proven best of all linear splits on at most ``r`` features.

    At each node the split with the best score is taken among all that a linear rule ``w.x >= b`` on at most ``r``
    features can make; of equally good ones that with the fewest features, then the one with the widest margin between
    its two sides. A branch and bound over boxes of hyperplanes finds it without visiting them all, and ``tree_`` keeps
    the certificate of each split. Each *split* is proven best for its node; the tree is grown greedily.

    Parameters
    ----------
    criterion : {"mdl", "gini", "twoing", "information_gain"}, default="mdl"
        The score of a split. With "mdl" it is the number of bits that the split saves: what it shortens the code of the
        labels by (their weight times the information gain) minus its price, the bits that name it,
        ``log2(C(n, s) C(m, s))`` for ``s`` of ``m`` features in a node of weight ``n``. Where no split saves more than
        2 bits for each class of its node, 4 with two classes, the node is a leaf, so that a tree stops by itself and
        is a single leaf on pure noise. The others are those of the paper; with them a tree grows until its leaves are
        pure or another limit stops it. Twoing has no node impurity: impurities, pruning and importances then use Gini.
        "entropy" and "log_loss" are other names of "information_gain".

    Notes
    -----
    Under "mdl" weights count rows: whole numbers are copies, and any others are scaled to sum to the number of rows
    that have weight. Differs from the paper: with "through" and "canonical", where no set of ``r`` features has a
    candidate, ``r - 1, ..., 1`` are tried.

    References
    ----------
    A. D. Laack, "CART-ELC: Oblique Decision Tree Induction via Exhaustive Search", 2025.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cart_elc import ELCClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ELCClassifier().fit(X, y)
    >>> model.get_n_leaves(), bool(model.tree_.proven[0])
    (3, True)
    """

    def tree_criterion(self) -> str:
        """Return the criterion by its own name."""
        return parameters.check_criterion(self.criterion, EXACT)

    @classmethod
    def _current_params(cls, params: Json) -> Json:
        if "placement" not in params:
            return params
        placement, orientation = params.pop("placement"), params.pop("orientation")
        both = "any" if placement == "margin" else "through"
        return params | {"planes": "canonical" if orientation == "canonical" else both}


ELCClassifier.__init__ = parameters.names_gone(GONE)(ELCClassifier.__init__)  # type: ignore[method-assign]


@dataclass(kw_only=True, eq=False, repr=False)
class ELCRegressor(ExactTree, BaseTreeRegressor):
    r"""A regression tree whose every split is the proven best of all linear splits on at most ``r`` features.

    The tree of `ELCClassifier` for labels that are numbers: a leaf predicts the mean of its training rows. The search
    is the same; of uncertain rows those below some number go to one side and those above it to the other, which bounds
    the squared error of all splits in a box.

    Parameters
    ----------
    criterion : {"mdl", "squared_error"}, default="mdl"
        The score of a split. With "squared_error" it is the mean squared error that is left, and the tree grows until
        its leaves are pure or another limit stops it. With "mdl" it is the number of bits that the split saves. With
        ``n`` the weight of the node and ``q`` the share of its squared error that is left, two means instead of one
        shorten the code of the numbers by ``n/2 log2(1/q)`` bits; the price of the split is that of `ELCClassifier`.
        Where no split saves 4 bits more than it costs, the node is a leaf. The share is never taken for less than
        ``1/n^2``, so that an exact fit of few rows, which is no wonder, saves little: two rows are never divided.

    Notes
    -----
    The impurity of a node is its variance; ``tree_.value`` has the weight, the mean and the sum of squared deviations
    of each node. Under "mdl" weights count rows as in `ELCClassifier`. Of validated pruning the errors are squared, and
    the standard error of a mean squared error ``R`` of ``N`` rows is that of normal errors, ``R sqrt(2 / N)``.

    References
    ----------
    A. D. Laack, "CART-ELC: Oblique Decision Tree Induction via Exhaustive Search", 2025.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from cart_elc import ELCRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ELCRegressor().fit(X, y)
    >>> bool(model.tree_.proven[0])
    True
    """

    def tree_criterion(self) -> str:
        """Return the criterion by its own name."""
        return OF_NUMBERS[parameters.check_choice("criterion", self.criterion, OF_NUMBERS)]
