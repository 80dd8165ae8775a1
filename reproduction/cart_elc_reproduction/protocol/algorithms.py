"""The algorithms of the comparison: which estimator, with which parameters, over which grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cart_elc.estimators.base import BaseTreeClassifier
from cart_elc.estimators.elc import ELCClassifier
from cart_elc.estimators.registry import CLASSIFIERS
from cart_elc.splitters.elc import ELCSplitter
from cart_elc.splitters.reporting import Progress
from cart_elc.tree import FloatArray

DEPTHS: tuple[int, ...] = (1, 2, 3, 4, 5)
PAPER_CRITERIA: tuple[str, ...] = ("twoing", "gini", "information_gain")


@dataclass(frozen=True)
class Algorithm:
    """One row of the comparison.

    Attributes
    ----------
    name, title : str
        On the command line and in records; in tables.
    estimator : str
        Class name in `cart_elc.estimators`.
    params : mapping
        Parameters that are not searched over.
    published : str or None
        The row of the paper's tables that it answers to.
    criteria : tuple of str
        The criteria that the method has.
    searches_r : bool
        Whether the grid goes over ``r``.
    depths : tuple of int or None
        The grid over ``max_depth``. A single None is a tree of any depth, limited by its own pruning.
    random : bool
        Whether it has a ``random_state``.
    last_feature_first : bool
        Whether the features are handed over in reverse order, so that rules about the first are about the last.
    """

    name: str
    title: str
    estimator: str
    params: Mapping[str, Any] = field(default_factory=dict)
    published: str | None = None
    criteria: tuple[str, ...] = PAPER_CRITERIA
    searches_r: bool = False
    depths: tuple[int | None, ...] = DEPTHS
    random: bool = False
    last_feature_first: bool = False

    def arranged(self, X: FloatArray) -> FloatArray:
        """Return the features in the order in which the method is given them."""
        return np.ascontiguousarray(X[:, ::-1]) if self.last_feature_first else X

    def recipe(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a record says of how a tree was grown."""
        return dict(parameters) | ({"features": "last first"} if self.last_feature_first else {})

    def parameters(self, criterion: str, r: int | None, max_depth: int | None, seed: int) -> dict[str, Any]:
        """Return all parameters of one fit."""
        chosen: dict[str, Any] = dict(self.params) | {"max_depth": max_depth}
        if len(self.criteria) > 1:
            chosen["criterion"] = criterion
        if r is not None:
            chosen["r"] = r
        if self.random:
            chosen["random_state"] = seed
        return chosen

    def make(self, parameters: Mapping[str, Any]) -> BaseTreeClassifier:
        """Return the unfitted estimator."""
        return MAKERS[self.estimator](**parameters)


class WideMarginClassifier(ELCClassifier):
    """CART-ELC whose planes are found through their samples and then moved to the widest margin.

    The library itself places the planes of one set of candidates in one way; this is the form in between.
    """

    def _make_splitter(self, n_features: int, progress: Progress | None) -> ELCSplitter:
        return replace(super()._make_splitter(n_features, progress), wide=True)

    def document(self) -> dict[str, Any]:
        """Return the model as one of the library's own: the tree says where its planes lie."""
        return super().document() | {"estimator": ELC}


ELC, WIDE = "ELCClassifier", "WideMarginClassifier"
MAKERS: Mapping[str, type[BaseTreeClassifier]] = {**CLASSIFIERS, WIDE: WideMarginClassifier}
# The paper's own reading: the plane stays on its samples, its sign is fixed by a rule, and a missing value is never on
# or above. The author's program takes the sign from its eigen-solver, and the paper names no rule ("one may enforce a
# canonical sign rule"). Of the rules tried, the published figures are nearest to this one: the last coefficient is
# positive, and ties go to the last feature (docs/reproduction.md, "Why some figures differ"). The library's rules are
# about the first feature, so the features are handed over last first.
PAPER_READING = {"planes": "canonical", "missing": "right"}

OWN_PRUNING: tuple[int | None, ...] = (None,)
GAIN_RATIO = ("gain_ratio",)
PRICED = ("mdl",)
DEFAULT = {"planes": "any", "criterion": "mdl"}

REGISTRY: tuple[Algorithm, ...] = (
    Algorithm(
        "cart-elc", "CART-ELC", ELC, PAPER_READING, published="CART-ELC", searches_r=True, last_feature_first=True
    ),
    Algorithm("cart-elc-through", "CART-ELC, both signs", ELC, {"planes": "through"}, searches_r=True),
    Algorithm("cart-elc-margin", "CART-ELC, margin", WIDE, {"planes": "through"}, searches_r=True),
    # The library's default, which stops by itself: no grid, so nothing is chosen on any fold.
    Algorithm("cart-elc-default", "CART-ELC, default", ELC, {**DEFAULT, "r": 2}, criteria=PRICED, depths=OWN_PRUNING),
    Algorithm(
        "cart-elc-default-r3",
        "CART-ELC, default with r = 3",
        ELC,
        {**DEFAULT, "r": 3},
        criteria=PRICED,
        depths=OWN_PRUNING,
    ),
    # The default, refined until every split is the best given the others.
    Algorithm(
        "cart-elc-refined",
        "CART-ELC, refined",
        ELC,
        {**DEFAULT, "r": 2, "refine": True},
        criteria=PRICED,
        depths=OWN_PRUNING,
    ),
    Algorithm("hhcart-a", "HHCART(A)", "HHCARTClassifier", {"variant": "A"}, published="HHCART(A)"),
    Algorithm("hhcart-d", "HHCART(D)", "HHCARTClassifier", {"variant": "D"}, published="HHCART(D)"),
    # The five of the study of 1994, pruned as there: OC1, OC1-AP and CART-LC on a held-out tenth, CART by the 0-SE rule
    # on ten folds, C4.5 by its pessimistic estimate (and without the correction that came in 1996). OC1 climbs in the
    # features' own units, as the program of its authors does.
    Algorithm(
        "oc1",
        "OC1",
        "OC1Classifier",
        {"pruning": "holdout", "scale_features": False},
        "OC1",
        depths=OWN_PRUNING,
        random=True,
    ),
    Algorithm(
        "oc1-ap",
        "OC1-AP",
        "OC1Classifier",
        {"axis_parallel": True, "pruning": "holdout"},
        "OC1-AP",
        depths=OWN_PRUNING,
        random=True,
    ),
    Algorithm(
        "cart-lc", "CART-LC", "CARTLCClassifier", {"pruning": "holdout"}, "CART-LC", depths=OWN_PRUNING, random=True
    ),
    Algorithm("cart", "CART", "CARTClassifier", {"pruning": "cv"}, "CART", depths=OWN_PRUNING, random=True),
    Algorithm(
        "c4.5", "C4.5", "C45Classifier", {"mdl_correction": False}, "C4.5", criteria=GAIN_RATIO, depths=OWN_PRUNING
    ),
    # Two of them as the estimators are by default, with the same pruning.
    Algorithm(
        "oc1-scaled",
        "OC1, scaled features",
        "OC1Classifier",
        {"pruning": "holdout"},
        depths=OWN_PRUNING,
        random=True,
    ),
    Algorithm("c4.5-release-8", "C4.5 release 8", "C45Classifier", criteria=GAIN_RATIO, depths=OWN_PRUNING),
    # The same five unpruned, over the depths that the paper gives CART-ELC and HHCART.
    Algorithm("oc1-grid", "OC1, by depth", "OC1Classifier", random=True),
    Algorithm("oc1-ap-grid", "OC1-AP, by depth", "OC1Classifier", {"axis_parallel": True}, random=True),
    Algorithm("cart-lc-grid", "CART-LC, by depth", "CARTLCClassifier"),
    Algorithm("cart-grid", "CART, by depth", "CARTClassifier"),
    Algorithm("c4.5-grid", "C4.5 release 8, by depth", "C45Classifier", {"pruning": None}, criteria=GAIN_RATIO),
)

ALGORITHMS: dict[str, Algorithm] = {algorithm.name: algorithm for algorithm in REGISTRY}
"""The algorithms by name: CART-ELC as the paper has it and in the library's own forms, then the rivals."""

PUBLISHED: tuple[str, ...] = tuple(name for name, algorithm in ALGORITHMS.items() if algorithm.published)
"""Those that have a row in the paper's Table 2."""

VARIANTS: dict[str, str] = {"oc1-scaled": "oc1", "c4.5-release-8": "c4.5"}
"""Rivals as the estimators are by default, where that is not what the study of 1994 ran, and whose row they vary."""

ELC_FORMS: tuple[str, ...] = tuple(name for name, method in ALGORITHMS.items() if method.estimator in (ELC, WIDE))
"""The forms of CART-ELC."""

DEFAULTS: tuple[str, ...] = tuple(name for name in ELC_FORMS if not ALGORITHMS[name].searches_r)
"""The forms that choose nothing: the library's default, at r = 2, at r = 3, and refined."""

BY_DEPTH: tuple[str, ...] = tuple(name for name in ALGORITHMS if name.endswith("-grid"))
"""The five of the study of 1994, by the paper's grid."""
