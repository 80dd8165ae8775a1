"""
Numbers instead of classes
==========================

How far diabetes has gone after a year, from what was measured at its beginning: 442 patients. The tree finds the line
between two measurements that leaves the least squared error, and stops where another does not pay.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeRegressor

from cart_elc import ELCRegressor, plot_tree

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
model = ELCRegressor().fit(X, y)
plot_tree(model)

# %%
# What trees predict for patients that were held out, beside what came: each point is a patient. The squared errors of a
# tree that is grown to the end are larger than those of three or four leaves.
figure, axes = plt.subplots(1, 2, figsize=(10, 4.5), sharex=True, sharey=True, layout="constrained")
trees = {"cart-elc": ELCRegressor(), "scikit-learn": DecisionTreeRegressor(random_state=0)}
for ax, (name, tree) in zip(axes, trees.items(), strict=True):
    predicted = cross_val_predict(tree, X, y)
    error = ((predicted - y) ** 2).mean()
    ax.scatter(predicted, y, s=9, alpha=0.6)
    ax.axline((150, 150), slope=1, color="grey", linewidth=1)
    ax.set(title=f"{name}: mean squared error {error:,.0f}", xlabel="predicted")
axes[0].set_ylabel("progression after a year")
