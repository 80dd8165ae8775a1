"""
How many features a split may use
=================================

The regions of an ordinary tree (``r=1``) have edges along the axes. With ``r=2`` an edge may have any slope, and fewer
of them do. Shown are two measurements of 178 wines from three cultivars.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

from cart_elc import ELCClassifier, plot_boundaries

wine = load_wine(as_frame=True)
X = wine.data[["flavanoids", "color_intensity"]]
y = wine.target.map({0: "Barolo", 1: "Grignolino", 2: "Barbera"})

figure, axes = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
for r, ax in zip((1, 2), axes, strict=True):
    model = ELCClassifier(r, price=0.5).fit(X, y)
    plot_boundaries(model, X, y, ax=ax)
    ax.set_title(f"r={r}: {model.get_n_leaves()} leaves, {model.score(X, y):.1%} of the wines")
