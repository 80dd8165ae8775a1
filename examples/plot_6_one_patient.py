"""
Why this patient?
=================

The path of one patient through the tree, as words and in the plots of the splits.
"""

from sklearn.datasets import load_breast_cancer

from cart_elc import ELCClassifier, explain, plot_splits

data = load_breast_cancer(as_frame=True)
y = data.target.map(dict(enumerate(data.target_names)))
model = ELCClassifier().fit(data.data, y)
patient = data.data.iloc[89]
explanation = explain(model, patient, X=data.data)
print(explanation)

# %%
# The splits on the patient's path, with the patient as a star.
nodes = [step.node for step in explanation.steps]
figure = plot_splits(model, data.data, y, nodes=nodes, columns=2)
for ax, node in zip(figure.axes, nodes, strict=False):
    names = [data.feature_names[feature] for feature in model.tree_.rule(node).features]
    if len(names) == 2:
        ax.plot(*patient[names], marker="*", markersize=18, color="black")
