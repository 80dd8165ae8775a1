"""
Beside scikit-learn's tree
==========================

Accuracy on held-out rows against the number of leaves, the same folds for all. scikit-learn's tree is drawn for every
strength of its pruning (``ccp_alpha``); each model of cart-elc is one point, as nothing is tuned. On iris, where two
features tell nearly all, there is nothing to win but leaves; with many features that must be weighed there is more.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier

from cart_elc import ELCClassifier

folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


def point(model, X, y):
    """Return mean leaves and accuracy over the folds."""
    run = cross_validate(model, X, y, cv=folds, return_estimator=True)
    return np.mean([tree.get_n_leaves() for tree in run["estimator"]]), 100 * run["test_score"].mean()


figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
for ax, (name, load) in zip(
    axes, {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}.items(), strict=True
):
    X, y = load(return_X_y=True)
    pruned = [
        point(DecisionTreeClassifier(ccp_alpha=a, random_state=0), X, y) for a in (0.05, 0.03, 0.02, 0.01, 0.005, 0)
    ]
    ax.plot(*zip(*pruned, strict=True), marker=".", color="grey", label="scikit-learn, pruned more or less")
    for r, color in ((1, "tab:orange"), (2, "tab:blue")):
        ax.plot(*point(ELCClassifier(r), X, y), "o", color=color, markersize=9, label=f"cart-elc, r={r}")
    ax.set(title=name, xlabel="leaves", ylabel="held-out accuracy (%)")
axes[0].legend()
