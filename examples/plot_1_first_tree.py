"""
The first tree
==============

Iris, with nothing tuned: two splits, both proven to be the best of all linear splits on at most two features.
"""

from sklearn.datasets import load_iris

from cart_elc import ELCClassifier, export_text, plot_splits, plot_tree

iris = load_iris(as_frame=True)
X = iris.data.rename(columns=lambda name: name.removesuffix(" (cm)"))
y = iris.target.map(dict(enumerate(iris.target_names)))
model = ELCClassifier().fit(X, y)
print(export_text(model))

# %%
# Each box has its rule, the classes that reach it as a bar, and what the split saves in bits.
plot_tree(model)

# %%
# Every split in a view of its own: one feature as a histogram, two as a scatter plot. The band around the line is
# empty: of the equally good lines the one in the middle of the widest band is taken.
figure = plot_splits(model, X, y)
