"""Refined trees: never worse, the same every time, within the limits, and best at every node given the rest."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, make_classification, make_friedman1

import oracle
from cart_elc import ELCClassifier, ELCRegressor, export_text, load
from cart_elc.criteria import bits_to_name
from oracle.answer import candidates

CRITERIA = ("mdl", "gini", "twoing", "information_gain", "error")


def noisy(n: int = 300, seed: int = 0, n_classes: int = 2):
    return make_classification(
        n, 4, n_informative=3, n_redundant=0, n_classes=n_classes, flip_y=0.2, class_sep=0.6, random_state=seed
    )


def errors(model: ELCClassifier, X: np.ndarray, y: np.ndarray) -> int:
    return int((model.predict(X) != y).sum())


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_refining_never_raises_the_objective(criterion, n_classes):
    X, y = noisy(n_classes=n_classes)
    options = {"r": 2, "criterion": criterion, "max_depth": 3}
    greedy, refined = ELCClassifier(**options).fit(X, y), ELCClassifier(**options, refine=True).fit(X, y)
    done = refined.refined_
    assert done.after <= done.before
    assert done.proven
    assert refined.tree_.proven[~refined.tree_.is_leaf].all()
    if criterion != "mdl":
        assert errors(refined, X, y) <= errors(greedy, X, y)
        assert done.before == pytest.approx(errors(greedy, X, y), rel=1e-6)
        assert done.after == pytest.approx(errors(refined, X, y), rel=1e-6)


@pytest.mark.parametrize("criterion", ["mdl", "squared_error"])
def test_refining_a_regressor_never_raises_its_objective(criterion):
    X, y = make_friedman1(200, n_features=5, noise=1.0, random_state=0)
    options = {"r": 2, "criterion": criterion, "max_depth": 3}
    greedy, refined = ELCRegressor(**options).fit(X, y), ELCRegressor(**options, refine=True).fit(X, y)
    assert refined.refined_.after < refined.refined_.before
    assert refined.refined_.proven
    if criterion == "squared_error":
        before, after = (np.square(model.predict(X) - y).sum() for model in (greedy, refined))
        assert refined.refined_.before == pytest.approx(before, rel=1e-6)
        assert refined.refined_.after == pytest.approx(after, rel=1e-6)


def test_what_pruning_changes_is_no_longer_proven_given_the_rest():
    X, y = noisy()
    options = {"criterion": "gini", "max_depth": 3, "refine": True}
    whole, pruned = ELCClassifier(**options).fit(X, y), ELCClassifier(**options, ccp_alpha=0.01).fit(X, y)
    assert 1 < pruned.get_n_leaves() < whole.get_n_leaves()
    assert whole.tree_.proven[~whole.tree_.is_leaf].all()
    assert not pruned.tree_.proven.any()


# --- every node against enumeration -----------------------------------------------------------------------------------


def shares(tree, node):
    """The leaf's shares of the classes, as description length takes them."""
    counts = tree.value[node] + 1 / tree.n_classes
    return counts / counts.sum()


def row_costs(tree, node, X, y, bits):
    """What each row costs below the node, and what the subtree costs beside the rows, by the definition."""
    if tree.is_leaf[node]:
        if not bits:
            return (y != np.argmax(tree.value[node])).astype(float), 0.0
        code = -np.log2(shares(tree, node))
        return code[y], float(code.mean())
    features, weights, threshold = tree.split(node)
    left = (X[:, features] * weights).sum(axis=1) >= threshold
    (low, below_left), (high, below_right) = (
        row_costs(tree, child, X, y, bits) for child in (tree.children_left[node], tree.children_right[node])
    )
    n, size = tree.weighted_n_node_samples[node], len(features)
    slope = sum(1 / ((n - i) * np.log(2)) for i in range(size)) if bits else 0.0
    price = bits_to_name(n, X.shape[1], size) if bits else 0.0
    return np.where(left, low, high) + slope, below_left + below_right + price - slope * n


def best_given_the_rest(tree, node, X, y, r, bits):
    """The least cost of the node's subtree over all linear splits of its rows and both names of their sides."""
    (low, left_fixed), (high, right_fixed) = (
        row_costs(tree, child, X, y, bits) for child in (tree.children_left[node], tree.children_right[node])
    )
    least = min(low.sum() + left_fixed, high.sum() + right_fixed)
    table = oracle.make_table(X, y, r, None)
    for partitions in table.partitions:
        size = len(partitions.features)
        own = bits_to_name(len(X), X.shape[1], size) if bits else 0.0
        for sides, _ in candidates(partitions, oracle.Problem("error")):
            costs = [np.where(side, low, high).sum(axis=1).min() for side in (sides, ~sides)]
            least = min(least, *(cost + left_fixed + right_fixed + own for cost in costs))
    return least


@pytest.mark.parametrize("criterion", ["gini", "mdl"])
@pytest.mark.parametrize("seed", range(6))
def test_every_node_is_best_given_the_rest_by_enumeration(criterion, seed):
    X, y = noisy(60, seed)
    X = X[:, :3]
    if seed % 2:
        X = np.round(2 * X)
    bits = criterion == "mdl"
    model = ELCClassifier(r=2, criterion=criterion, price=0.1 if bits else 1.0, max_depth=3, refine=True)
    tree = model.set_params(price=1.0).fit(X, y).tree_ if bits else model.fit(X, y).tree_
    assert model.refined_.proven
    reached = tree.decision_path(X).toarray()
    for node in tree.split_nodes():
        rows = reached[:, node].astype(bool)
        costs, fixed = row_costs(tree, node, X[rows], y[rows], bits)
        assert costs.sum() + fixed <= best_given_the_rest(tree, node, X[rows], y[rows], 2, bits) + 1e-6


def test_a_leaf_or_a_child_in_its_place_is_no_better_than_a_split():
    X, y = noisy(400, 3)
    model = ELCClassifier(r=2, criterion="gini", max_depth=4, refine=True).fit(X, y)
    tree = model.tree_
    leaves = tree.apply(X)
    predicted = np.argmax(tree.value, axis=1)
    for node in tree.split_nodes():
        pair = tree.children_left[node], tree.children_right[node]
        if tree.is_leaf[list(pair)].all():
            assert predicted[pair[0]] != predicted[pair[1]]
    assert set(leaves) == set(np.flatnonzero(tree.is_leaf))


# --- the same every time, within the limits ---------------------------------------------------------------------------


def same_tree(one, other):
    names = ("children_left", "features", "weights", "thresholds", "value")
    return all(np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True) for name in names)


@pytest.mark.parametrize("criterion", ["mdl", "gini"])
def test_the_tree_depends_on_the_rows_alone(criterion):
    X, y = noisy()
    options = {"r": 2, "criterion": criterion, "max_depth": 3, "refine": True, "n_init": 8}
    tree = ELCClassifier(**options).fit(X, y).tree_
    assert same_tree(tree, ELCClassifier(**options).fit(X, y).tree_)
    assert same_tree(tree, ELCClassifier(**options, n_jobs=2).fit(X, y).tree_)


@pytest.mark.parametrize("criterion", ["mdl", "gini"])
def test_a_weight_of_two_is_a_repeated_row(criterion):
    X, y = noisy(150)
    weights = np.random.default_rng(0).integers(0, 3, len(y))
    options = {"r": 2, "criterion": criterion, "max_depth": 2, "refine": True}
    weighted = ELCClassifier(**options).fit(X, y, sample_weight=weights)
    repeated = ELCClassifier(**options).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.refined_.after == pytest.approx(repeated.refined_.after, rel=1e-9)
    assert weighted.predict(X).tolist() == repeated.predict(X).tolist()


@pytest.mark.parametrize("criterion", ["mdl", "gini"])
def test_limits_hold_after_refining(criterion):
    X, y = noisy(500, 1)
    model = ELCClassifier(
        r=2, criterion=criterion, max_depth=4, max_leaf_nodes=6, min_samples_leaf=25, refine=True, n_init=7
    ).fit(X, y)
    tree = model.tree_
    assert tree.max_depth <= 4
    assert tree.n_leaves <= 6
    assert tree.n_node_samples[tree.is_leaf].min() >= 25


@pytest.mark.parametrize("missing", ["learn", "right"])
def test_rows_with_missing_values_are_refined_too(missing):
    X, y = noisy(300, 2)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    options = {"r": 2, "criterion": "gini", "max_depth": 3, "missing": missing}
    greedy, refined = ELCClassifier(**options).fit(X, y), ELCClassifier(**options, refine=True).fit(X, y)
    assert refined.refined_.proven
    assert errors(refined, X, y) == round(refined.refined_.after) <= errors(greedy, X, y)


def test_statistics_are_those_of_the_rows_that_reach_a_node():
    X, y = load_breast_cancer(return_X_y=True)
    tree = ELCClassifier(r=2, criterion="gini", max_depth=3, refine=True).fit(X[:, :6], y).tree_
    paths = tree.decision_path(X[:, :6]).toarray()
    assert paths.sum(axis=0).tolist() == tree.n_node_samples.tolist()
    assert (paths.T @ np.eye(2)[y]).tolist() == tree.value.tolist()


def test_without_time_the_tree_is_the_grown_one_and_not_proven():
    X, y = noisy(400)
    with pytest.warns(match="time_limit"):
        model = ELCClassifier(r=3, criterion="gini", max_depth=4, refine=True, time_limit=1e-6).fit(X, y)
    assert not model.refined_.proven
    assert model.refined_.n_passes == 0
    assert model.refined_.after == model.refined_.before


def test_a_saved_model_knows_that_it_was_refined(tmp_path):
    X, y = noisy()
    for refine in (True, False):
        model = ELCClassifier(refine=refine).fit(X, y)
        model.save(tmp_path / "model.json")
        loaded = load(tmp_path / "model.json")
        assert loaded.refined_ == model.refined_
        assert same_tree(loaded.tree_, model.tree_)


def test_the_text_says_what_is_proven():
    X, y = noisy()
    assert "proven given the rest" in export_text(ELCClassifier(refine=True, criterion="gini", max_depth=2).fit(X, y))


def test_more_starts_are_never_worse():
    X, y = noisy(400, 4)
    options = {"r": 2, "criterion": "gini", "max_depth": 3, "refine": True}
    afters = [ELCClassifier(**options, n_init=n).fit(X, y).refined_.after for n in (1, 4, 10)]
    assert afters == sorted(afters, reverse=True)


def test_several_starts_need_refining():
    with pytest.raises(ValueError, match="n_init must be 1 unless refine is True"):
        ELCClassifier(n_init=2).fit(*load_iris(return_X_y=True))
    with pytest.raises(ValueError, match="n_init must be an int >= 1"):
        ELCClassifier(n_init=0, refine=True).fit(*load_iris(return_X_y=True))
    with pytest.raises(TypeError, match="refine must be True or False"):
        ELCClassifier(refine=1).fit(*load_iris(return_X_y=True))


def test_passes_are_reported(capsys):
    ELCClassifier(r=2, criterion="gini", max_depth=3, refine=True, verbose=1).fit(*noisy())
    printed = capsys.readouterr().out
    assert "refining, pass 1: errors" in printed


@pytest.mark.parametrize("planes", ["through", "canonical"])
def test_planes_through_samples_can_be_refined(planes):
    X, y = noisy(200)
    options = {"r": 2, "criterion": "gini", "planes": planes, "max_depth": 3}
    greedy, refined = ELCClassifier(**options).fit(X, y), ELCClassifier(**options, refine=True).fit(X, y)
    assert errors(refined, X, y) <= errors(greedy, X, y)
