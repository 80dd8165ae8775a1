"""HHCART: the reflected axes, their best cut, and the cases in which there is nothing to reflect."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

import naive_splits as naive
from cart_elc import CARTClassifier, HHCARTClassifier, load
from cart_elc.splitters.householder import HouseholderSplitter, householder_axes, oriented, reflected_axes


def clouds(seed, n=60, m=3, k=2):
    """Stretched Gaussian clouds, one per class."""
    rng = np.random.default_rng(seed)
    X, y = [], []
    for label in range(k):
        mixing = rng.normal(size=(m, m)) * rng.uniform(0.2, 3, size=m)
        X.append(rng.normal(size=(n // k, m)) @ mixing + rng.normal(size=m))
        y += [label] * (n // k)
    return np.concatenate(X), np.array(y)


def best_in_reflected_spaces(X, y, variant, criterion):
    """HHCART as its paper describes it: reflect the data, then search axis-parallel splits there."""
    weights = np.ones(len(X))
    best = naive.best_axis_cut(X, y, weights, criterion)
    for label in np.unique(y):
        values, vectors = np.linalg.eigh(np.cov(X[y == label].T))
        for index in np.argsort(values)[::-1][: 1 if variant == "D" else None]:
            d = vectors[:, index]
            d = d * np.sign(d[np.argmax(np.abs(d))])
            u = np.eye(len(d))[0] - d
            reflection = np.eye(len(d)) - 2 * np.outer(u, u) / (u @ u)
            np.testing.assert_allclose(reflection @ d, np.eye(len(d))[0], atol=1e-12)
            best = min(best, naive.best_axis_cut(X @ reflection, y, weights, criterion))
    return best


@pytest.mark.parametrize("criterion", ["gini", "twoing", "information_gain"])
@pytest.mark.parametrize("variant", ["A", "D"])
@pytest.mark.parametrize("seed", range(6))
def test_the_split_is_the_best_of_the_reflected_spaces(variant, criterion, seed):
    X, y = clouds(seed, m=2 + seed % 3, k=2 + seed % 2)
    split = HouseholderSplitter(variant, criterion)(naive.node_of(X, y))
    expected = best_in_reflected_spaces(X, y, variant, criterion)
    assert split.score == pytest.approx(naive.in_units(expected, criterion), abs=1e-12)
    left = sum(w * X[:, j] for j, w in zip(split.features, split.weights, strict=True)) >= split.threshold
    assert naive.loss(left, y, np.ones(len(X)), criterion) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_candidates_of_d_are_among_those_of_a(seed):
    X, y = clouds(seed, m=4, k=3)
    node = naive.node_of(X, y)
    every, dominant = reflected_axes(node, "A"), reflected_axes(node, "D")
    assert len(every) == 4 + 3 * 4 * 4 and len(dominant) == 4 + 3 * 4
    assert {row.tobytes() for row in dominant} <= {row.tobytes() for row in every}
    assert HouseholderSplitter("A")(node).score <= HouseholderSplitter("D")(node).score


@pytest.mark.parametrize("seed", range(10))
def test_it_is_never_worse_than_an_axis_parallel_split(seed):
    X, y = clouds(seed, m=3, k=3)
    node = naive.node_of(X, y)
    assert HouseholderSplitter("D")(node).score <= naive.best_axis_cut(X, y, node.weights, "gini") + 1e-12


def test_the_vector_is_the_first_reflected_axis_and_the_axes_are_orthonormal():
    vector = np.array([2.0, -1.0, 2.0]) / 3
    axes = householder_axes(vector)
    np.testing.assert_allclose(axes[0], vector, atol=1e-15)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-15)


def test_a_vector_on_the_first_axis_is_not_reflected():
    assert householder_axes(np.array([1.0, 0.0])) is None
    np.testing.assert_allclose(householder_axes(np.array([0.0, 1.0])), [[0, 1], [1, 0]], atol=1e-15)


def test_the_sign_of_a_vector_does_not_hang_on_rounding():
    assert oriented(np.array([-1e-17, 0.6, 0.8]))[2] > 0
    assert oriented(np.array([np.sqrt(0.5), -np.sqrt(0.5) * (1 + 1e-15)]))[0] > 0


@pytest.mark.parametrize(
    "X",
    [
        [[0, 0], [1, 0], [2, 0], [5, 1]],  # stretched along the first axis; one class of a single sample
        [[1, 1], [1, 1], [1, 1], [2, 3]],  # no variance at all
        [[0, 0], [1, 1], [2, 2], [7, 7]],  # on a line
        [[1e200, 0], [2e200, 1], [3e200, 2], [4e200, 9]],  # the covariance overflows
    ],
    ids=["on the axis", "no variance", "a line", "overflow"],
)
@pytest.mark.parametrize("variant", ["A", "D"])
def test_degenerate_classes_are_split_without_a_reflection(X, variant):
    y = [0, 0, 0, 1]
    model = HHCARTClassifier(variant).fit(np.array(X, dtype=float), y)
    assert model.score(X, y) == 1.0
    assert model.get_n_leaves() == 2


def test_equal_rows_of_different_classes_stay_together():
    model = HHCARTClassifier().fit([[1.0, 2.0]] * 4, [0, 1, 0, 1])
    assert model.get_n_leaves() == 1


@pytest.fixture
def holes():
    X, y = load_wine(return_X_y=True)
    X = X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.05] = np.nan
    return X, y


def test_missing_values_are_the_means_of_the_fit(holes, tmp_path):
    X, y = holes
    means = np.nanmean(X, axis=0)
    filled = np.where(np.isnan(X), means, X)
    model = HHCARTClassifier("D", max_depth=3).fit(X, y)
    np.testing.assert_allclose(model.fill_values_, means)
    np.testing.assert_array_equal(model.predict(X), model.predict(filled))
    np.testing.assert_array_equal(model.apply(X), model.apply(filled))
    model.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_means_are_weighted():
    X = np.array([[0.0], [4.0], [np.nan], [9.0]])
    model = HHCARTClassifier().fit(X, [0, 1, 0, 1], sample_weight=[3, 1, 1, 0])
    assert model.fill_values_[0] == 1.0


def test_a_column_without_values_is_filled_with_zero():
    X = np.array([[np.nan, 0.0], [np.nan, 1.0], [np.nan, 2.0], [np.nan, 3.0]])
    assert HHCARTClassifier().fit(X, [0, 0, 1, 1]).score(X, [0, 0, 1, 1]) == 1.0


def test_iris_needs_fewer_leaves_than_cart():
    X, y = load_iris(return_X_y=True)
    assert HHCARTClassifier("A").fit(X, y).get_n_leaves() < CARTClassifier().fit(X, y).get_n_leaves()


@pytest.mark.parametrize(("value", "error"), [("B", ValueError), ("a", ValueError), (None, TypeError)])
def test_unknown_variants_are_refused(value, error):
    with pytest.raises(error, match=r"^variant must be one of 'A', 'D', got"):
        HHCARTClassifier(value).fit([[0.0], [1.0]], [0, 1])
