"""The classifiers that ``peers.py`` compares: how each is made, what is chosen for it, and how its size is counted."""

from __future__ import annotations

import importlib.metadata
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import Tags

from cart_elc import ELCClassifier, ELCForestClassifier

N_INNER = 3
TIME_LIMIT = 20
Rows = NDArray[Any]
Model = Any
Count = Callable[[Any], int]


class Adapter:
    """Gives a library without scikit-learn's ways the little that the comparison needs of them."""

    classes_: Rows
    predict_proba: Callable[[Rows], Rows]

    def __init__(self, **params: Model) -> None:
        self.params = params

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return self.params

    def set_params(self, **params: Model) -> Adapter:
        self.params = self.params | params
        return self

    def score(self, X: Rows, y: Rows) -> float:
        return float(np.mean(self.predict(X) == y))

    def predict(self, X: Rows) -> Rows:
        return np.asarray(self.classes_[np.argmax(self.predict_proba(X), axis=1)])

    def __sklearn_tags__(self) -> Tags:
        return DecisionTreeClassifier().__sklearn_tags__()

    def __sklearn_clone__(self) -> Adapter:
        return type(self)(**self.params)


class ObliqueTree(Adapter):
    """obliquetree's classifier: splits on pairs of features."""

    def fit(self, X: Rows, y: Rows) -> ObliqueTree:
        from obliquetree import Classifier

        self.classes_, codes = np.unique(y, return_inverse=True)
        self.model = Classifier(use_oblique=True, n_pair=2, random_state=0, **self.params)
        self.model.fit(np.ascontiguousarray(X), codes)
        return self

    def predict_proba(self, X: Rows) -> Rows:
        return columns(self.model.predict_proba(np.ascontiguousarray(X)))

    def splits(self) -> Iterator[int]:
        """How many features each split uses."""
        nodes = [self.model.__getstate__()["tree"]]
        while nodes:
            node = nodes.pop()
            if not node["is_leaf"]:
                yield int(np.count_nonzero(node["weights"])) if node["is_oblique"] else 1
                nodes += [node["left"], node["right"]]


class Ydf(Adapter):
    """Yggdrasil's CART, which prunes on rows that it holds out; ``split_axis`` as it calls it."""

    def fit(self, X: Rows, y: Rows) -> Ydf:
        import ydf

        ydf.verbose(0)
        self.classes_ = np.unique(y)
        rows = self.named(X) | {"y": np.array([f"c{label}" for label in y])}
        learner = ydf.CartLearner(label="y", random_seed=1, num_threads=1, **self.params)
        self.model = learner.train(rows, verbose=0)
        return self

    def predict_proba(self, X: Rows) -> Rows:
        shares = columns(self.model.predict(self.named(X)))
        names = list(self.model.label_classes())
        result = np.zeros((len(X), len(self.classes_)))
        for position, label in enumerate(self.classes_):
            if f"c{label}" in names:
                result[:, position] = shares[:, names.index(f"c{label}")]
        return result

    def named(self, X: Rows) -> dict[str, Rows]:
        return {f"x{j}": column for j, column in enumerate(X.T)}

    def splits(self) -> Iterator[int]:
        """How many features each split uses."""
        nodes = [self.model.get_tree(0).root]
        while nodes:
            node = nodes.pop()
            if not node.is_leaf:
                yield len(getattr(node.condition, "attributes", "1"))
                nodes += [node.neg_child, node.pos_child]


def columns(shares: Any) -> Rows:  # noqa: ANN401
    """A column for each class, where a library gives only that of the second of two."""
    shares = np.asarray(shares)
    return shares if shares.ndim == 2 else np.column_stack([1 - shares, shares])


@dataclass(frozen=True)
class Method:
    """A way to a classifier.

    ``grid`` is what inner cross-validation chooses from; ``leaves`` and ``coefficients`` count those of a fitted model;
    ``complete`` fills missing values with medians, and ``scaled`` scales, both by the training rows alone.
    """

    name: str
    make: Callable[[], Any]
    grid: dict[str, list[Any]] = field(default_factory=dict)
    leaves: Count | None = None
    coefficients: Count | None = None
    complete: bool = True
    scaled: bool = False

    def estimator(self) -> Model:
        steps = [SimpleImputer(strategy="median")] if self.complete else []
        steps += [StandardScaler()] if self.scaled else []
        model = make_pipeline(*steps, self.make())
        if not self.grid:
            return model
        grid = {f"{model.steps[-1][0]}__{name}": values for name, values in self.grid.items()}
        return GridSearchCV(model, grid, cv=StratifiedKFold(N_INNER, shuffle=True, random_state=0), error_score="raise")

    def reason_against(self) -> str | None:
        """Why it cannot be compared here, found by trying it on iris, or None where it can."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.estimator().fit(*load_iris(return_X_y=True))
        except Exception as error:  # any failure of another's library is an answer
            return f"{type(error).__name__}: {str(error).strip().splitlines()[-1]}"
        return None


def own(name: str, make: Callable[[], Any], **grid: list[Any]) -> Method:
    """A tree of this library."""
    return Method(name, make, grid, lambda m: m.get_n_leaves(), lambda m: len(m.tree_.weights), complete=False)


def adapted(name: str, make: Callable[[], Any], grid: dict[str, list[Any]], **given: bool) -> Method:
    return Method(name, make, grid, lambda m: len(list(m.splits())) + 1, lambda m: sum(m.splits()), **given)


def stree() -> Model:
    from stree import Stree

    return Stree(random_state=0)


def treeple() -> Model:
    from treeple import ObliqueDecisionTreeClassifier

    return ObliqueDecisionTreeClassifier(random_state=0)


def linear_tree() -> Model:
    from lineartree import LinearTreeClassifier

    return LinearTreeClassifier(LogisticRegression(max_iter=2000))


def axis_leaves(model: Model) -> int:
    return int(model.get_n_leaves())


ALPHAS = [0.0, 0.002, 0.005, 0.01, 0.02, 0.05]
DEFAULT, FOREST, RANDOM_FOREST = "cart-elc, as it comes (r = 2)", "cart-elc, forest", "random forest"
METHODS = (
    own(DEFAULT, ELCClassifier),
    own("cart-elc, r = 3", lambda: ELCClassifier(3, time_limit=TIME_LIMIT)),
    own("cart-elc, refined", lambda: ELCClassifier(refine=True)),
    own("cart-elc, chosen", ELCClassifier, r=[1, 2], price=[0.5, 1.0, 2.0]),
    Method(
        "scikit-learn's tree, pruned",
        lambda: DecisionTreeClassifier(random_state=0),
        {"ccp_alpha": ALPHAS},
        leaves=axis_leaves,
        coefficients=lambda m: axis_leaves(m) - 1,
        complete=False,
    ),
    Method(
        "STree, scaled",
        stree,
        {"C": [0.1, 1.0, 10.0], "max_depth": [3, None]},
        leaves=lambda m: int(m.nodes_leaves()[1]),
        coefficients=lambda m: int(m.nodes_leaves()[0] - m.nodes_leaves()[1]) * m.n_features_in_,
        scaled=True,
    ),
    adapted("obliquetree, scaled", ObliqueTree, {"max_depth": [3, 6, -1], "ccp_alpha": [0.0, 0.01]}, scaled=True),
    adapted(
        "ydf, axis",
        lambda: Ydf(split_axis="AXIS_ALIGNED"),
        {"max_depth": [3, 6, 16], "min_examples": [1, 5]},
        complete=False,
    ),
    adapted(
        "ydf, sparse oblique",
        lambda: Ydf(split_axis="SPARSE_OBLIQUE"),
        {"max_depth": [4, 16], "sparse_oblique_normalization": ["NONE", "STANDARD_DEVIATION", "MIN_MAX"]},
        complete=False,
    ),
    Method("treeple, oblique", treeple, {"ccp_alpha": ALPHAS}, leaves=axis_leaves),
    Method("linear-tree, scaled", linear_tree, {"max_depth": [1, 2, 3, 4, 6, 8]}, scaled=True),
    Method(
        "logistic regression",
        lambda: LogisticRegression(max_iter=2000),
        {"C": [0.001, 0.01, 0.1, 1.0, 10.0, 100.0]},
        coefficients=lambda m: int(m.coef_.size),
        scaled=True,
    ),
    Method(FOREST, lambda: ELCForestClassifier(random_state=0, n_jobs=1), complete=False),
    Method(RANDOM_FOREST, lambda: RandomForestClassifier(random_state=0, n_jobs=1), complete=False),
)
PACKAGES = ("cart-elc", "scikit-learn", "STree", "obliquetree", "ydf", "treeple", "linear-tree")


def versions() -> str:
    """The versions of what is installed of the compared libraries."""
    found = {dist.metadata["Name"].lower(): dist.version for dist in importlib.metadata.distributions()}
    return ", ".join(f"{name} {found[name.lower()]}" for name in PACKAGES if name.lower() in found)
