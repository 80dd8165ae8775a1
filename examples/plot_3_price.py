"""
What a split must save
======================

``price`` multiplies what a split costs. Cheap splits make large trees that learn the training patients by heart; dear
ones stop early. The default, 1, needs no tuning: about as accurate as the best price, with a handful of leaves.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_validate

from cart_elc import ELCClassifier

X, y = load_breast_cancer(return_X_y=True)
X = X[:, 20:]  # the ten "worst" measurements
prices = [0.1, 0.25, 0.5, 1, 2, 4]
runs = [
    cross_validate(ELCClassifier(price=price), X, y, return_train_score=True, return_estimator=True) for price in prices
]
leaves = [np.mean([model.get_n_leaves() for model in run["estimator"]]) for run in runs]

figure, (upper, lower) = plt.subplots(2, 1, figsize=(7, 6), sharex=True, layout="constrained")
for part, name in (("train_score", "training"), ("test_score", "held out")):
    upper.plot(prices, [100 * run[part].mean() for run in runs], marker="o", label=name)
upper.set_ylabel("accuracy (%)")
upper.legend()
lower.plot(prices, leaves, marker="o", color="black")
lower.set_ylabel("leaves")
lower.set_xlabel("price")
lower.set_xscale("log", base=2)
for ax in (upper, lower):
    ax.axvline(1, color="grey", linestyle=":")
