"""OC1: trees of oblique splits found by hill climbing."""

from dataclasses import dataclass, field
from typing import ClassVar

from cart_elc.criteria import OF_OC1
from cart_elc.estimators.parameters import check_bool, check_choice, check_criterion, check_real, check_whole
from cart_elc.estimators.validation_pruned import ValidationPrunedClassifier, random_seed
from cart_elc.splitters.axis import AxisSplitter
from cart_elc.splitters.oc1 import OC1Splitter
from cart_elc.splitters.reporting import Progress
from cart_elc.splitters.split import Splitter

ORDERS = ("sequential", "best", "random")


@dataclass(kw_only=True, eq=False, repr=False)
class OC1Classifier(ValidationPrunedClassifier):
    """OC1: perturb the coefficients of a plane one at a time, jump out of local optima, start again.

    Parameters
    ----------
    axis_parallel : bool, default=False
        Search axis-parallel splits only: the system that its authors call OC1-AP.
    criterion : str, default="twoing"
        One of "information_gain", "gini", "twoing", "max_minority", "sum_minority", "sum_of_variances".
    restarts : int, default=20
        Climbs per node: one from the best axis-parallel split, the others from random planes.
    jumps : int, default=5
        Random directions that are tried at a local optimum.
    order : {"sequential", "best", "random"}, default="sequential"
        The coefficient to perturb next: all in turn, the one that helps most, or 50 random choices (R-50).
    stagnation : float, default=1.0
        Probability of taking a perturbation that leaves the score as it is; it falls by a tenth of itself with each and
        is restored by every improvement.
    scale_features : bool, default=True
        Climb in features scaled to [0, 1] over the node's rows, so that their units do not matter. Otherwise in their
        own units, as in the authors' program, which only shifts features with negative values to begin at zero.
    pruning : {"holdout", "cv"} or None, default=None
        "holdout" is what the authors' program does: grow on nine tenths of the rows and choose the subtree on the rest.
        The default is none, so that a weight of two is the same as a repeated row.
    time_limit : float or None, default=None
        Seconds for the whole fit. When they run out, the node at work keeps its best plane, unopened nodes become
        leaves, and a `sklearn.exceptions.ConvergenceWarning` says how many.
    random_state : int, RandomState or None, default=None
        Fixes the random planes, jumps and the held-out part.

    Notes
    -----
    ``sample_weight`` and ``class_weight`` enter all scores; a weight of two is a repeated row, save under ``pruning``.
    ``docs/algorithms.md`` lists where this differs from the paper.

    References
    ----------
    S. Murthy, S. Kasif, S. Salzberg, "A System for Induction of Oblique Decision Trees", Journal of Artificial
    Intelligence Research 2 (1994), 1-32.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cart_elc import OC1Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OC1Classifier(max_depth=2, random_state=0).fit(X, y)
    >>> model.get_n_leaves(), bool(model.score(X, y) > 0.96)
    (3, True)
    """

    imputes: ClassVar[bool] = True

    axis_parallel: bool = field(default=False, kw_only=False)
    criterion: str = "twoing"
    restarts: int = 20
    jumps: int = 5
    order: str = "sequential"
    stagnation: float = 1.0
    scale_features: bool = True
    time_limit: float | None = None

    def _make_splitter(self, n_features: int, progress: Progress | None) -> Splitter:
        climb = OC1Splitter(
            criterion=check_criterion(self.criterion, OF_OC1),
            restarts=check_whole("restarts", self.restarts, 1),
            jumps=check_whole("jumps", self.jumps, 0),
            order=check_choice("order", self.order, ORDERS),
            stagnation=check_real("stagnation", self.stagnation, 0.0, 1.0),
            scaled=check_bool("scale_features", self.scale_features),
            seed=random_seed(self.random_state),
        )
        return AxisSplitter(climb.criterion) if check_bool("axis_parallel", self.axis_parallel) else climb
