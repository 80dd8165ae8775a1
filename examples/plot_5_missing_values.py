"""
Missing values
==============

Holes are punched into the breast cancer data, more and more of them. A tree that learns where rows with holes belong is
compared with the same tree after the holes are filled with medians. These holes are made by chance and tell nothing, so
that filling them does as well or better; learning sides needs no such step, and gains where a hole tells something.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from cart_elc import ELCClassifier

X, y = load_breast_cancer(return_X_y=True)
X = X[:, 20:]  # the ten "worst" measurements
holes = np.random.default_rng(0).random(X.shape)
shares = [0, 0.1, 0.2, 0.3, 0.4, 0.5]
models = {
    "sides are learned": ELCClassifier(),
    "filled with medians": make_pipeline(SimpleImputer(strategy="median"), ELCClassifier()),
}

figure, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
for name, model in models.items():
    scores = np.array([cross_val_score(model, np.where(holes < share, np.nan, X), y) for share in shares])
    ax.errorbar(
        shares, 100 * scores.mean(axis=1), 100 * scores.std(axis=1) / np.sqrt(5), marker="o", label=name, capsize=3
    )
ax.set(xlabel="share of values that are missing", ylabel="held-out accuracy (%), with standard errors")
ax.legend()
