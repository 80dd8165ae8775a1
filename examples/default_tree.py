"""The default tree of the breast cancer data: its rules, their proofs, and how it does beside scikit-learn's."""

from __future__ import annotations

import time

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier

from cart_elc import ELCClassifier, export_text

FOLDS = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


def judged(model: ClassifierMixin, X: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Accuracy in per cent, its standard deviation over the folds, and leaves."""
    runs = cross_validate(model, X, y, cv=FOLDS, return_estimator=True)
    accuracies = 100 * runs["test_score"]
    leaves = [tree.get_n_leaves() for tree in runs["estimator"]]
    return accuracies.mean(), accuracies.std(), float(np.mean(leaves))


def verdict(ours: float, theirs: float) -> str:
    """The comparison in words, whichever way it went."""
    if ours == theirs:
        return "The two are equally accurate here."
    better, worse = ("cart-elc", "scikit-learn") if ours > theirs else ("scikit-learn", "cart-elc")
    return f"Here {better}'s tree is {abs(ours - theirs):.1f} points more accurate than {worse}'s."


def main() -> None:
    """Print the tree, then both accuracies and what they mean."""
    data = load_breast_cancer()
    start = time.perf_counter()
    model = ELCClassifier().fit(data.data, data.target_names[data.target])
    seconds = time.perf_counter() - start
    tree = model.tree_
    proven = tree.proven[~tree.is_leaf]
    print(
        f"Breast cancer: {len(data.data)} patients, {data.data.shape[1]} features; ELCClassifier() with nothing tuned\n"
    )
    print(export_text(model, feature_names=list(data.feature_names)))
    print(
        f"\n{proven.sum()} of {len(proven)} splits are proven the best of all linear splits on at most {model.r} "
        f"features:\n{tree.n_candidates.sum():,.0f} candidate planes covered in {seconds:.2f} s."
    )
    print("\nOn patients that were held out (5-fold cross-validation, twice):")
    models = {"cart-elc": ELCClassifier(), "scikit-learn": DecisionTreeClassifier(random_state=0)}
    figures = {name: judged(candidate, data.data, data.target) for name, candidate in models.items()}
    for name, (accuracy, deviation, leaves) in figures.items():
        print(f"  {name:12} {accuracy:.1f} ± {deviation:.1f} % right, {leaves:.1f} leaves")
    print(
        verdict(figures["cart-elc"][0], figures["scikit-learn"][0]),
        "docs/peers.md has other data sets and libraries, and what is lost.",
    )


if __name__ == "__main__":
    main()
