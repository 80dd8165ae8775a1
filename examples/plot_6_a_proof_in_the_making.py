"""
A proof in the making
=====================

A search has two numbers: the best split so far, and the bound that no split can be better than. Where they meet, the
split is proven. Here they are for the digits 3 and 8 and splits on two of 64 pixels, a hundred million planes and
more. A search that is stopped before the lines meet still knows how far apart they are.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

from cart_elc import ELCClassifier

digits = load_digits()
chosen = (digits.target == 3) | (digits.target == 8)
X, y = digits.data[chosen], digits.target[chosen]

states = []
model = ELCClassifier(2, criterion="gini", max_depth=1, verbose=states.append).fit(X, y)
print(f"{model.tree_.n_candidates[0]:,.0f} planes, proven: {bool(model.tree_.proven[0])}")

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
boxes = [state.n_boxes for state in states]
ax.plot(boxes, [state.score for state in states], label="best split so far", drawstyle="steps-post")
ax.plot(boxes, [state.bound for state in states], label="no split is below", drawstyle="steps-post")
ax.set(xlabel="boxes of planes opened", ylabel="Gini impurity of the sides")
ax.legend()
