"""Decision regions: the model's own, to the line."""

import os

import numpy as np
import pytest

from cart_elc import CARTClassifier, ELCClassifier, plot_boundaries
from inspection_models import iris

os.environ.setdefault("MPLBACKEND", "Agg")
pd = pytest.importorskip("pandas")
pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def test_boundaries_take_names_or_positions_and_say_what_is_held():
    X, y = iris()
    model = ELCClassifier(r=2, criterion="gini", planes="through").fit(X, y)
    by_name = plot_boundaries(model, X, y, ("petal_length", "petal_width"))
    by_position = plot_boundaries(model, X, y, (2, 3))
    assert polygons(by_name) == polygons(by_position)
    assert by_name.get_title().startswith("at the medians sepal_length = 5.8, sepal_width = 3\n")
    with pytest.raises(ValueError, match="features"):
        plot_boundaries(model, X, y, ("petal_length", "nose"))
    with pytest.raises(ValueError, match="features must be a pair"):
        plot_boundaries(model, X, y, (1, 2, 3))


def test_long_names_stay_inside_the_figure():
    X, y = iris()
    X = X.set_axis([f"a_property_of_the_flower_with_a_long_name_{j}" for j in range(4)], axis=1)
    ax = plot_boundaries(CARTClassifier().fit(X, y), X, y, (0, 1))
    ax.figure.canvas.draw()
    title = ax.title.get_window_extent()
    assert title.x0 >= 0 and title.x1 <= ax.figure.bbox.width
    assert ax.get_title().count("a_property") == 2


def collection(ax, name):
    return next(drawn for drawn in ax.collections if drawn.get_gid() == name)


def polygons(ax):
    regions = collection(ax, "regions")
    drawn = zip(regions.get_paths(), regions.get_facecolors(), strict=True)
    return [(path.vertices.tolist(), color.tolist()) for path, color in drawn]


@pytest.mark.parametrize("r", [1, 2, 3])
def test_boundaries_are_the_models_predictions_to_the_line(r):
    from matplotlib.path import Path as Outline

    X, y = iris()
    model = ELCClassifier(r=r, criterion="gini").fit(X, y)
    ax = plot_boundaries(model, X, y, (0, 2))
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    places = np.random.default_rng(0).uniform((x0, y0), (x1, y1), size=(500, 2))
    rows = np.tile(X.median().to_numpy(), (500, 1))
    rows[:, [0, 2]] = places
    leaves = model.apply(X.iloc[:0].reindex(range(500)).assign(**dict(zip(X, rows.T, strict=True))))
    owners = [[i for i, (corners, _) in enumerate(polygons(ax)) if Outline(corners).contains_point(p)] for p in places]
    assert all(len(found) == 1 for found in owners)
    assert len({(leaf, found[0]) for leaf, found in zip(leaves, owners, strict=True)}) == len(set(leaves))
    for (ax0, ay0), (bx, by) in collection(ax, "lines").get_segments():
        between = rows[:1].copy()
        between[0, [0, 2]] = (ax0 + bx) / 2, (ay0 + by) / 2
        sums = [between[0, f] @ w - t for f, w, t in map(model.tree_.split, model.tree_.split_nodes())]
        assert min(map(abs, sums)) < 1e-9


def test_boundaries_show_the_roots_features_unless_others_are_asked_for():
    X, y = iris()
    for r in (1, 2, 3):
        model = ELCClassifier(r=r, criterion="gini", max_depth=2).fit(X, y)
        ax = plot_boundaries(model, X, y)
        drawn, features = {ax.get_xlabel(), ax.get_ylabel()}, {X.columns[j] for j in model.tree_.split(0)[0]}
        assert features <= drawn or drawn <= features
    with pytest.raises(ValueError, match="but the model has 1"):
        plot_boundaries(CARTClassifier().fit(X[["petal_width"]], y), X[["petal_width"]], y)


def test_rows_far_from_the_slice_are_faint():
    X, y = iris()
    model = ELCClassifier(r=2, criterion="gini").fit(X, y)
    near = X.median().to_frame().T
    rows = pd.concat([near, near.assign(sepal_width=near.sepal_width + 3 * X.sepal_width.std()), X])
    ax = plot_boundaries(model, rows, model.predict(rows), (0, 2))
    strengths = np.concatenate([np.atleast_1d(p.get_alpha()) for p in ax.collections if p.get_gid() is None])
    assert strengths.max() == 0 + 1.0 and strengths.min() < 0.2
    ax = plot_boundaries(ELCClassifier(r=2, criterion="gini").fit(X[["petal_length", "petal_width"]], y), X, y)
    assert all((p.get_alpha() == 1).all() for p in ax.collections if p.get_gid() is None)
