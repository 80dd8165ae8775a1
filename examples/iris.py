"""Default trees on iris at r = 1, 2, 3: the rules, their proofs, and the accuracy beside scikit-learn's CART."""

from __future__ import annotations

import time

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from cart_elc import ELCClassifier, best_split, export_text

DEPTH = 3
FOLDS = RepeatedStratifiedKFold(n_splits=5, n_repeats=5, random_state=0)


def accuracy(model: ClassifierMixin, X: np.ndarray, y: np.ndarray) -> str:
    """Cross-validated accuracy as "mean ± standard deviation", in per cent."""
    scores = 100 * cross_val_score(model, X, y, cv=FOLDS)
    return f"{scores.mean():.1f} ± {scores.std():.1f} %"


def show(r: int, X: np.ndarray, y: np.ndarray, names: list[str], labels: np.ndarray) -> None:
    """Fit and print one tree."""
    start = time.perf_counter()
    model = ELCClassifier(r).fit(X, labels[y])
    seconds = time.perf_counter() - start
    tree = model.tree_
    splits = ~tree.is_leaf
    root = best_split(X, y, r)
    print(f"\nr = {r}: {tree.n_leaves} leaves, depth {tree.max_depth}, fitted in {seconds:.3f} s\n")
    print(export_text(model, feature_names=names))
    print(
        f"\nProof: {np.count_nonzero(tree.proven[splits])} of {np.count_nonzero(splits)} splits proven optimal, "
        f"{tree.n_candidates.sum():,.0f} candidate planes covered;\n"
        f"       the root's {root.n_candidates:,} candidates took {root.n_boxes:,} boxes and {root.seconds:.4f} s."
    )
    print(f"Accuracy (5 x 5-fold): {accuracy(ELCClassifier(r), X, y)}")


def main() -> None:
    """Print the trees, then CART's accuracy."""
    iris = load_iris()
    names = [name.removesuffix(" (cm)") for name in iris.feature_names]
    print(f"Iris: {len(iris.data)} flowers, {len(names)} features, 3 species; trees that stop by themselves")
    for r in (1, 2, 3):
        show(r, iris.data, iris.target, names, iris.target_names)
    cart = DecisionTreeClassifier(max_depth=DEPTH, random_state=0)
    print(f"\nscikit-learn's CART of depth {DEPTH}, same folds: {accuracy(cart, iris.data, iris.target)}")


if __name__ == "__main__":
    main()
