"""CART-ELC: trees of exhaustive oblique splits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from cart_elc.criteria import EXACT
from cart_elc.estimators.base import BaseTreeClassifier
from cart_elc.estimators.parameters import check_choice, check_n_jobs, check_r
from cart_elc.estimators.user_warnings import warn_if_hopeless
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.reporting import Progress

ORIENTATIONS = ("both", "canonical")
PLACEMENTS = ("margin", "through")
MISSING = ("learn", "right")


@dataclass(frozen=True, kw_only=True)
class ExactSearch:
    """The parameters of the exact search, as a user gives them to `ELCClassifier` or `best_split`."""

    r: int
    criterion: str
    orientation: str
    placement: str
    missing: str
    n_jobs: int | None
    fallback: bool

    def splitter(self, n_features: int, progress: Progress | None = None) -> ELCSplitter:
        """Check the parameters and return the splitter."""
        r = check_r(self.r, n_features)
        warn_if_hopeless(n_features, r)
        return ELCSplitter(
            r=r,
            criterion=check_choice("criterion", self.criterion, EXACT),
            orientation=check_choice("orientation", self.orientation, ORIENTATIONS),
            placement=check_choice("placement", self.placement, PLACEMENTS),
            missing=check_choice("missing", self.missing, MISSING),
            n_threads=check_n_jobs(self.n_jobs),
            fallback=self.fallback,
            progress=progress,
        )


@dataclass(kw_only=True, eq=False, repr=False)
class ELCClassifier(BaseTreeClassifier):
    r"""A decision tree whose oblique splits are the best of all hyperplanes through ``r`` samples, with a proof.

    At each node, every set of ``r`` features and every choice of ``r`` samples fixes a hyperplane; the split is the one
    with the best score among all ``C(n, r) * C(m, r)`` of them. A branch and bound over boxes of hyperplanes finds it
    without visiting them all, and ``tree_`` keeps the certificate of each split.

    Parameters
    ----------
    r : int, default=2
        Number of features in a split, and of samples that define its plane. ``r=1`` is CART.
    criterion : {"gini", "twoing", "information_gain"}, default="gini"
        The score of a split. Twoing has no node impurity: impurities, pruning and importances then use Gini.
    max_depth : int or None, default=None
        Largest depth of a leaf.
    min_samples_split : int or float, default=2
        Fewest rows of a node that is split; a float is a fraction of the rows.
    min_samples_leaf : int or float, default=1
        Fewest rows on each side of a split; a float is a fraction of the rows. Rows count, not weights.
    min_weight_fraction_leaf : float, default=0.0
        Smallest share of the total weight on each side of a split.
    min_impurity_decrease : float, default=0.0
        Smallest weighted impurity decrease of a split. At 0, splits without gain are made too.
    max_leaf_nodes : int or None, default=None
        Largest number of leaves; the tree is then grown best-first.
    placement : {"margin", "through"}, default="margin"
        "through" keeps the plane through its samples, as in the paper; "margin" moves it to the widest margin that
        keeps the partition. Where float64 is too coarse to express the plane through its samples, "through" takes the
        widest margin too.
    missing : {"learn", "right"}, default="learn"
        Where rows with a missing value (NaN) on the split's features go, as one block: to the side that scores best,
        or always right.
    orientation : {"both", "canonical"}, default="both"
        Whether rows on the plane may go to either side together, or follow the sign rule "first non-zero coefficient
        positive".
    class_weight : dict, "balanced" or None, default=None
        Factors of the rows' weights by class.
    ccp_alpha : float, default=0.0
        Price per leaf in minimal cost-complexity pruning.
    time_limit : float or None, default=None
        Seconds for the whole fit. When they run out, the node at work keeps its best split (its ``bound`` says how far
        from optimal it can be), unopened nodes become leaves, and a `sklearn.exceptions.ConvergenceWarning` says how
        many.
    n_jobs : int or None, default=None
        Threads of the search: None is 1, -1 all processors, -2 all but one, and so on. The answer does not
        depend on it.
    verbose : int, bool or callable, default=0
        If positive, a line per search is printed, and while a search lasts a live line on standard error shows the
        node, the feature sets done, the boxes, the best score, the bound and the time. A callable is called with a
        `SearchProgress` of the same content about twenty times a second, for notebooks and other displays.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X had names, all of them strings.
    tree_ : cart_elc.tree.Tree
        The fitted tree with the certificate of every split.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Each split's weighted impurity decrease is shared among its features in proportion to ``|w_j| s_j``, with
        ``s_j`` the standard deviation of the feature over the node's training rows; normalised to sum to 1.

    Notes
    -----
    Differs from the paper: where no set of ``r`` features has a candidate, ``r - 1, ..., 1`` are tried.

    References
    ----------
    A. D. Laack, "CART-ELC: Oblique Decision Tree Induction via Exhaustive Search", 2025.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cart_elc import ELCClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ELCClassifier(r=2, max_depth=2).fit(X, y)
    >>> model.get_n_leaves(), bool(model.tree_.proven[0])
    (3, True)
    """

    reports_progress: ClassVar[bool] = True

    r: int = field(default=2, kw_only=False)
    criterion: str = "gini"
    placement: str = "margin"
    missing: str = "learn"
    orientation: str = "both"
    time_limit: float | None = None
    n_jobs: int | None = None

    def _make_splitter(self, n_features: int, progress: Progress | None) -> ELCSplitter:
        names = ("r", "criterion", "orientation", "placement", "missing", "n_jobs")
        search = ExactSearch(**{name: getattr(self, name) for name in names}, fallback=True)
        return search.splitter(n_features, progress)
