"""CART-ELC: trees of exhaustive oblique splits."""

from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from cart_elc.categories import Table
from cart_elc.columns import positions_of
from cart_elc.criteria import EXACT
from cart_elc.estimators import parameters
from cart_elc.estimators.base import BaseTreeRegressor
from cart_elc.estimators.constraints import checked_constraints
from cart_elc.estimators.data import Column, TrainingSet, as_counts
from cart_elc.estimators.exact_search import GONE, ExactSearch
from cart_elc.estimators.validation_pruned import ValidationPruned, ValidationPrunedClassifier
from cart_elc.growing import Grower
from cart_elc.pruning.pruner import Grow
from cart_elc.refining.refinement import decode_refinement
from cart_elc.refining.starts import Refiner
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.node import Deadline
from cart_elc.splitters.reporting import Progress, ReportingSplitter
from cart_elc.tree.fields import Field, Json

OF_NUMBERS = {"mdl": "mdl_squared_error", "squared_error": "squared_error"}
"""The criteria of a regressor, as it calls them and as `cart_elc.criteria` does."""
MIN_SAVING = 2.0
"""Bits that a split must save beyond its price for each class of its node; chosen on noise alone, docs/stopping.md."""


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
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Which features are categories, whose splits are subsets of levels ("colour in {blue, red}") and never part of a
        sum: the columns of a DataFrame with categories without an order, text or booleans; or positions, names or a
        mask of columns; None for none. Categories with an order are numbers in that order. Levels that the training
        rows of a split did not have go with the missing values.
    excluded_features : array-like or None, default=None
        Positions, names or a mask of features that no split may use: the tree is that of the table without them.
    feature_groups : list of lists or None, default=None
        Features, by position or name, that may stand together in a split: all features of a split are in one group. A
        feature may be in several groups. Those in none form one more group, as in scikit-learn's ``interaction_cst``; a
        feature in a group of its own stands alone. None is one group of all.
    monotonic_cst : array-like of int, dict or None, default=None
        For each feature, or for those named, whether the prediction may not fall (1) or may not rise (-1) as the
        feature rises, other features as they are; 0 is no constraint. The prediction is the mean or the share of the
        second of two classes. Each split is the best of those that keep the directions: its coefficients have the signs
        that they must have, and below it no leaf passes the middle between its two sides. Categories have no
        direction. A split on features with a direction leaves rows that have all values on both sides, and these
        cannot be told apart without any one of those features. Only with ``planes="any"``.
    coefficients : "integer", int or None, default=None
        Whole coefficients in the features' own units, up to 10 in size or up to this number, such as
        ``2·age + 5·stage >= 140``: each split is the proven best of those that have such coefficients, and of equal
        ones that with the fewest features, then with the smallest sum of coefficients. The time grows as the number of
        such vectors, about ``(2 c)^r / 2`` for each set of features. Only with ``planes="any"``.
    time_limit : float or None, default=None
        Seconds for the whole fit, shared out among its nodes by their rows and by the levels still to come (four, if
        ``max_depth`` is None). A search that has used up its share keeps its best split, which is never worse than the
        best one on a single feature; its ``bound`` says how far from optimal it can be. When no time is left, the
        remaining nodes get their best single-feature split, which takes as long as CART would take (with "through" and
        "canonical" they become leaves). A tree so cut short gives way to the one of single-feature splits where that
        errs less on the training rows (under "mdl": saves more bits). A `sklearn.exceptions.ConvergenceWarning` says
        what happened. Without a limit, a fit that will take longer than a minute warns once.
    refine : bool, default=False
        Refine the grown tree, docs/refining.md: pass over its nodes, from the leaves to the root, until none can be
        improved while the others stay as they are. Each gets its best split given the rest, of the fewest features that
        reach it, or none. Under "mdl" the bits that describe the whole tree and the labels in its leaves become fewer,
        under "squared_error" the squared errors, under any other criterion the errors on the training rows.
    n_init : int, default=1
        Starts of the refining, of which the one with the best result is taken: the tree of the criterion, those of the
        other criteria, random trees, and the best tree so far with a split drawn anew. The threads take a start each.
    n_jobs : int or None, default=None
        Threads of the search: -1 is all processors, -2 all but one, and so on. None takes what joblib's active backend
        has: one thread where none is set, so many threads under "threading", and under "loky" or "dask" so many
        workers, which take shares of every search that is long enough. The answer does not depend on it.
    verbose : int, bool or callable, default=0
        If positive, a line per search is printed, and while a search lasts a live line on standard error shows the
        node, the feature sets done, the boxes, the best score, the bound and the time. A callable is called with a
        `SearchProgress` of the same content about twenty times a second, for notebooks and other displays.

    Attributes
    ----------
    categories_ : list of list or None, one for each feature
        The levels of each feature in the order of their codes; None for a feature that is a number.
    is_categorical_ : ndarray of shape (n_features_in_,)
        Mask of the categories without an order, whose splits are subsets of levels.
    refined_ : Refinement or None
        What refining did, if it was asked for: the objective before and after, the passes, and whether every split is
        proven best given the rest of the tree. ``tree_.proven`` then says so of each split, and its ``bound`` is NaN,
        since it need not be the best by itself.
    """

    reports_progress: ClassVar[bool] = True

    r: int = field(default=2, kw_only=False)
    criterion: str = "mdl"
    price: float = 1.0
    planes: str = "any"
    missing: str = "learn"
    categorical_features: Any = "from_dtype"
    refine: bool = False
    n_init: int = 1
    excluded_features: Any = None
    feature_groups: Any = None
    monotonic_cst: Any = None
    coefficients: str | int | None = None
    time_limit: float | None = None
    n_jobs: int | None = None

    def _make_grower(self, data: TrainingSet, deadline: Deadline) -> Grow:
        grower = self._constrained_grower(data, deadline)
        n_init = parameters.check_whole("n_init", self.n_init, 1)
        if not parameters.check_bool("refine", self.refine):
            if n_init > 1:
                raise ValueError(f"n_init must be 1 unless refine is True, got {n_init}")
            return grower
        refuse_refining(self)
        report, splitter = None, grower.splitter
        if isinstance(splitter, ReportingSplitter):
            report, splitter = splitter.report, splitter.inner
        assert isinstance(splitter, ELCSplitter)
        return Refiner(grower, splitter, n_init, splitter.n_threads, report)

    def _constrained_grower(self, data: TrainingSet, deadline: Deadline) -> Grower:
        names = list(getattr(self, "feature_names_in_", range(data.X.shape[1])))
        allowed = None
        if self.excluded_features is not None:
            excluded = positions_of("excluded_features", self.excluded_features, names)
            allowed = np.setdiff1d(np.arange(len(names)), excluded)
            if not len(allowed):
                raise ValueError("excluded_features must leave a feature to split on")
        constraints = checked_constraints(self.feature_groups, self.monotonic_cst, self.planes, names, data)
        features = None if allowed is None else lambda _: allowed
        grower = super()._make_grower(data, deadline)
        assert isinstance(grower, Grower)
        return replace(grower, features=features, constraints=constraints)

    def _note_growth(self, grow: Grow) -> None:
        self.refined_ = grow.done if isinstance(grow, Refiner) else None

    def document(self) -> Json:
        """Return the fitted model as a JSON document, with what refining did."""
        done = getattr(self, "refined_", None)  # a tree of an ensemble has none
        return super().document() | ({} if done is None else {"refined": asdict(done)})

    @classmethod
    def from_document(cls, document: Field) -> Self:
        """Return the model of a document; every field is checked."""
        model = super().from_document(document)
        model.refined_ = decode_refinement(document["refined"]) if "refined" in document else None
        return model

    def _make_splitter(self, n_features: int, progress: Progress | None) -> ELCSplitter:
        names = ("r", "price", "planes", "missing", "n_jobs", "coefficients")
        given = {name: getattr(self, name) for name in names}
        search = ExactSearch(criterion=self.tree_criterion(), **given, fallback=True, min_saving=MIN_SAVING)
        return search.splitter(n_features, progress)

    def _training_set(self, X: Table, y: Column, sample_weight: Column | None) -> TrainingSet:
        data = super()._training_set(X, y, sample_weight)
        return replace(data, weights=as_counts(data.weights)) if self.criterion == "mdl" else data


def refuse_refining(model: ExactTree) -> None:
    """Refuse to refine where not all splits are allowed."""
    for name in ("excluded_features", "feature_groups", "monotonic_cst", "coefficients"):
        if getattr(model, name) is not None:
            raise ValueError(f"refine must be False where {name} is given, which refining does not keep to, got True")


@dataclass(kw_only=True, eq=False, repr=False)
class ELCClassifier(ExactTree, ValidationPrunedClassifier):
    r"""A decision tree whose every split is the proven best of all linear splits on at most ``r`` features.

    At each node the split with the best score is taken among all that a linear rule ``w.x >= b`` on at most ``r``
    features can make; of equally good ones that with the fewest features, then the one with the widest margin between
    its two sides. A branch and bound over boxes of hyperplanes finds it without visiting them all, and ``tree_`` keeps
    the certificate of each split. Each *split* is proven best for its node; the tree is grown greedily.

    Parameters
    ----------
    criterion : {"mdl", "gini", "twoing", "information_gain", "error"}, default="mdl"
        The score of a split. With "mdl" it is the number of bits that the split saves: what it shortens the code of the
        labels by (their weight times the information gain) minus its price, the bits that name it,
        ``log2(C(n, s) C(m, s))`` for ``s`` of ``m`` features in a node of weight ``n``. Where no split saves more than
        2 bits for each class of its node, 4 with two classes, the node is a leaf, so that a tree stops by itself and
        is a single leaf on pure noise. "error" is the share of the weight that errs if each side predicts its heaviest
        class; the others are those of the paper. With them a tree grows until its leaves are pure or another limit
        stops it. Twoing has no node impurity: impurities, pruning and importances then use Gini.
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
        current = {name: value for name, value in params.items() if name not in GONE}
        both = "any" if params["placement"] == "margin" else "through"
        return current | {"planes": "canonical" if params.get("orientation") == "canonical" else both}


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
