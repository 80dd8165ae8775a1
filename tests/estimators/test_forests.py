"""Forests: what scikit-learn's have, the same for any number of threads and any order of rows."""

import json
import os
import signal
import sys
from dataclasses import fields
from threading import Timer

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import AdaBoostClassifier, BaggingRegressor
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from cart_elc import (
    ELCBoostingClassifier,
    ELCClassifier,
    ELCForestClassifier,
    ELCRegressor,
    explain,
    export_html,
    export_text,
    load,
    plot_importances,
)
from cart_elc.estimators.ensembles.sampling import Bootstrap, row_order
from cart_elc.estimators.registry import ENSEMBLES
from cluster import two_workers
from interrupts import interrupted

X, Y = load_wine(return_X_y=True)
NUMBERS_X, NUMBERS_Y = load_diabetes(return_X_y=True)
NUMBERS_X, NUMBERS_Y = NUMBERS_X[:150], NUMBERS_Y[:150]
WITH_NAN = ("thresholds", "score", "bound", "margin")
DATA = {"ELCForestClassifier": (X, Y), "ELCForestRegressor": (NUMBERS_X, NUMBERS_Y)}


def forest(name, n_estimators=8, **parameters):
    return ENSEMBLES[name](n_estimators, random_state=0, **parameters).fit(*DATA[name])


def outputs(model, rows):
    return model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)


def assert_same_trees(model, other):
    assert len(model.estimators_) == len(other.estimators_)
    for ours, theirs in zip(model.estimators_, other.estimators_, strict=True):
        for field in fields(ours.tree_):
            left, right = getattr(ours.tree_, field.name), getattr(theirs.tree_, field.name)
            assert np.array_equal(left, right, equal_nan=field.name in WITH_NAN), field.name
        assert np.array_equal(ours.feature_importances_, theirs.feature_importances_)


@pytest.mark.parametrize("name", DATA)
def test_the_forest_is_the_same_for_any_number_of_jobs(name):
    assert_same_trees(forest(name), forest(name, n_jobs=3))


@pytest.mark.parametrize("name", DATA)
def test_predictions_are_the_same_to_the_last_bit_for_any_number_of_jobs(name):
    model, rows = forest(name), DATA[name][0]
    assert np.array_equal(outputs(model, rows), outputs(model.set_params(n_jobs=3), rows))


def test_the_forest_does_not_depend_on_the_order_of_rows():
    order = np.random.default_rng(0).permutation(len(X))
    one = ELCForestClassifier(5, random_state=3).fit(X, Y)
    other = ELCForestClassifier(5, random_state=3).fit(X[order], Y[order])
    assert np.array_equal(one.predict_proba(X), other.predict_proba(X))


def test_a_row_of_weight_two_is_two_rows():
    weights = np.random.default_rng(1).integers(0, 3, len(X))
    weighted = ELCForestClassifier(5, random_state=3).fit(X, Y, sample_weight=weights)
    repeated = ELCForestClassifier(5, random_state=3).fit(X.repeat(weights, axis=0), Y.repeat(weights))
    assert np.array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


@pytest.mark.parametrize("name", DATA)
def test_a_forest_predicts_the_mean_of_its_trees(name):
    model, rows = forest(name), DATA[name][0]
    assert outputs(model, rows) == pytest.approx(np.mean([outputs(tree, rows) for tree in model.estimators_], axis=0))


@pytest.mark.parametrize("name", DATA)
def test_a_warm_start_adds_the_trees_that_one_fit_would_have_grown(name):
    growing = forest(name, 3, warm_start=True)
    kept = list(growing.estimators_)
    growing.set_params(n_estimators=8).fit(*DATA[name])
    assert all(ours is theirs for ours, theirs in zip(growing.estimators_, kept, strict=False))
    assert_same_trees(growing, forest(name))
    with pytest.raises(ValueError, match="n_estimators must be at least 8 with warm_start, got 2"):
        growing.set_params(n_estimators=2).fit(*DATA[name])


@pytest.mark.parametrize(("columns", "labels"), [(slice(3), Y), (slice(None), Y % 2), (slice(None), Y + 1)])
def test_a_warm_start_takes_no_other_features_or_classes(columns, labels):
    model = ELCForestClassifier(1, warm_start=True, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="warm_start must be False where X has other features or y other classes"):
        model.set_params(n_estimators=2).fit(X[:, columns], labels)


@pytest.mark.filterwarnings("error")
def test_a_forest_warns_of_the_feature_sets_that_its_nodes_draw_alone():
    rows = np.random.default_rng(0).normal(size=(60, 300))
    ELCForestClassifier(1, r=3, max_depth=1, random_state=0).fit(rows, rows[:, 0] > 0)
    with pytest.warns(UserWarning, match=r"makes C\(300, 3\)") as caught:
        ELCForestClassifier(1, r=3, max_features=None).check_parameters(300, None)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("name", DATA)
def test_trees_are_estimators_with_proven_splits_and_pure_leaves(name):
    rows, labels = DATA[name]
    for tree in forest(name).estimators_:
        assert isinstance(tree, ELCClassifier | ELCRegressor)
        assert tree.tree_.proven[~tree.tree_.is_leaf].all()
        assert tree.tree_.impurity[tree.tree_.is_leaf] == pytest.approx(0.0, abs=1e-9)
        assert np.diff(tree.tree_.indptr).max() == 2
        assert "x" in export_text(tree)
        assert "<html" in export_html(tree, rows, labels)
        assert explain(tree, rows[0])


def test_a_tree_with_all_rows_and_features_is_the_classifiers():
    rows, labels = X[::6, :4], Y[::6]
    model = ELCForestClassifier(1, bootstrap=False, max_features=None, max_depth=1).fit(rows, labels)
    alone = ELCClassifier(criterion="gini", max_depth=1).fit(rows, labels)
    assert np.array_equal(model.estimators_[0].tree_.thresholds, alone.tree_.thresholds, equal_nan=True)
    assert model.estimators_[0].tree_.proven[0]


def test_out_of_bag_predictions_are_those_of_the_trees_that_have_not_drawn_the_row():
    model = ELCForestClassifier(40, oob_score=True, random_state=0).fit(X, Y)
    expected = np.zeros((len(X), 3))
    for tree, drawn in zip(model.estimators_, drawn_rows(model), strict=True):
        expected += np.where(drawn[:, None] == 0, tree.predict_proba(X), 0.0)
        assert tree.tree_.weighted_n_node_samples[0] == drawn.sum() == len(X)
    expected /= expected.sum(axis=1, keepdims=True)
    assert model.oob_decision_function_ == pytest.approx(expected)
    assert model.oob_score_ == accuracy_score(Y, model.oob_decision_function_.argmax(axis=1)) > 0.9


def drawn_rows(model):
    """How often each tree has drawn each row, found by the leaves' counts: a leaf with weight holds drawn rows."""
    from cart_elc.estimators.ensembles.forest_growth import tree_seed

    seed = int(np.random.RandomState(0).randint(2**31))
    draws = Bootstrap(np.ones(len(X)), row_order(X, Y), len(X))
    return [draws.counts(tree_seed(seed, number)) for number in range(len(model.estimators_))]


def test_out_of_bag_scores_of_numbers_and_by_another_metric():
    model = forest("ELCForestRegressor", 30, oob_score=True)
    assert model.oob_score_ == r2_score(NUMBERS_Y, model.oob_prediction_)
    worst = forest("ELCForestRegressor", 30, oob_score=lambda y, predicted: float(np.abs(y - predicted).max()))
    assert worst.oob_score_ == np.abs(NUMBERS_Y - model.oob_prediction_).max()


def test_rows_that_every_tree_has_drawn_are_told_of():
    with pytest.warns(UserWarning, match="no out-of-bag prediction"):
        model = ELCForestClassifier(1, oob_score=True, random_state=0).fit(X, Y)
    assert np.isnan(model.oob_decision_function_).any()


@pytest.mark.parametrize("name", DATA)
def test_leaves_and_paths_agree(name):
    model, rows = forest(name), DATA[name][0]
    leaves, (paths, ends) = model.apply(rows), model.decision_path(rows)
    assert leaves.shape == (len(rows), 8)
    assert paths.shape == (len(rows), ends[-1])
    for number in range(8):
        own = paths[:, ends[number] : ends[number + 1]].toarray()
        assert [np.flatnonzero(row).max() for row in own] == leaves[:, number].tolist()


def test_importances_are_the_mean_of_the_trees_and_find_the_signal():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 6))
    model = ELCForestClassifier(20, random_state=0).fit(rows, rows[:, 2] + rows[:, 4] > 0)
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert set(np.argsort(model.feature_importances_)[-2:]) == {2, 4}
    assert model.feature_importances_ == pytest.approx(
        np.mean([tree.feature_importances_ for tree in model.estimators_], axis=0)
    )


def test_importances_are_drawn_from_the_largest_with_their_spread_over_the_trees():
    frame = load_iris(as_frame=True)
    model = ELCForestClassifier(10, random_state=0).fit(frame.data, frame.target)
    axes = plot_importances(model, max_features=3)
    largest = np.argsort(-model.feature_importances_)[:3]
    assert [bar.get_width() for bar in axes.patches] == pytest.approx(model.feature_importances_[largest])
    assert [label.get_text() for label in axes.get_yticklabels()] == [frame.data.columns[j] for j in largest]
    assert len(axes.collections) == 1
    tree = plot_importances(model.estimators_[0], feature_names=list("abcd"))
    assert not tree.collections
    assert len(tree.patches) == 4
    boosted = ELCBoostingClassifier(3, random_state=0).fit(frame.data, frame.target)
    assert plot_importances(boosted).patches[0].get_width() == boosted.feature_importances_.max()
    scaled = make_pipeline(StandardScaler(), model).fit(frame.data, frame.target)
    labels = [label.get_text() for label in plot_importances(scaled).get_yticklabels()]
    assert sorted(labels) == sorted(frame.data.columns)
    with pytest.raises(ValueError, match="model must be a fitted estimator of cart_elc, got ELCClassifier without"):
        plot_importances(ELCClassifier())


@pytest.mark.parametrize("estimator", ENSEMBLES.values(), ids=ENSEMBLES)
def test_a_tree_can_be_saved_alone(estimator, tmp_path):
    tree = np.ravel(estimator(2, random_state=0).fit(X, Y).estimators_)[0]
    tree.save(tmp_path / "tree.json")
    assert np.array_equal(load(tmp_path / "tree.json").predict(X), tree.predict(X))


def test_draws_follow_max_samples_and_weights():
    model = ELCForestClassifier(4, max_samples=0.25, random_state=0).fit(X, Y)
    assert {tree.tree_.weighted_n_node_samples[0] for tree in model.estimators_} == {np.ceil(len(X) / 4)}
    weights = np.where(Y == 0, 0.0, 1.0)
    none = ELCForestClassifier(4, random_state=0).fit(X, Y, sample_weight=weights)
    assert not none.predict_proba(X)[:, 0].any()


def test_classes_are_balanced_in_all_rows_or_in_the_drawn_ones():
    rows, labels = X, np.where(Y == 0, 0, 1)
    for weighting in ("balanced", "balanced_subsample"):
        model = ELCForestClassifier(4, class_weight=weighting, random_state=0).fit(rows, labels)
        roots = np.array([tree.tree_.value[0] for tree in model.estimators_])
        exact = weighting == "balanced_subsample"
        assert roots[:, 0] / roots[:, 1] == pytest.approx(np.ones(4), rel=1e-9 if exact else 0.6)
        assert exact or not np.allclose(roots[:, 0], roots[:, 1])
    given = ELCForestClassifier(4, class_weight={0: 3.0, 1: 1.0}, random_state=0, bootstrap=False).fit(rows, labels)
    assert given.estimators_[0].tree_.value[0].tolist() == [3.0 * (labels == 0).sum(), (labels == 1).sum()]


def test_a_score_out_of_the_bag_is_asked_for_by_a_bool_or_a_metric():
    with pytest.raises(TypeError, match="oob_score must be True or False, got 'yes'"):
        ELCForestClassifier(2, oob_score="yes").fit(X, Y)
    with pytest.raises(TypeError, match="class_weight must be a dict"):
        ELCForestClassifier(2, class_weight=np.ones(3)).fit(X, Y)


def test_rows_that_every_tree_has_drawn_are_warned_of_where_the_fit_was_called():
    with pytest.warns(UserWarning, match="Some rows were drawn by every tree") as caught:
        ELCForestClassifier(1, oob_score=True, random_state=0).fit(X, Y)
    assert caught[0].filename == __file__


def test_missing_values_are_learnt():
    rng = np.random.default_rng(0)
    holes = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    assert ELCForestClassifier(30, oob_score=True, random_state=0).fit(holes, Y).oob_score_ > 0.9


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_estimators": 0}, "n_estimators must be an int >= 1, got 0"),
        ({"max_features": "all"}, "max_features must be 'sqrt', 'log2', an int"),
        ({"max_features": 0}, "max_features must be 'sqrt', 'log2', an int"),
        ({"max_samples": 1.5}, "max_samples must be an int >= 1, a float in"),
        ({"bootstrap": False, "max_samples": 5}, "max_samples must be None where bootstrap is False, got 5"),
        ({"bootstrap": False, "oob_score": True}, "oob_score must be False where bootstrap is False"),
        ({"criterion": "squared"}, "criterion must be one of 'mdl'|criterion must be one of 'gini'"),
        ({"class_weight": "even"}, "class_weight must be a dict, 'balanced'"),
    ],
)
def test_a_bad_parameter_is_refused_by_name(parameters, message):
    with pytest.raises(ValueError, match=message):
        ELCForestClassifier(**parameters).fit(X, Y)


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("file", ["forest.json", "forest.npz"])
def test_a_saved_forest_is_the_same_forest(tmp_path, name, file):
    model = forest(name, oob_score=True, n_estimators=30)
    model.save(tmp_path / file)
    loaded = load(tmp_path / file)
    assert_same_trees(model, loaded)
    assert np.array_equal(outputs(model, DATA[name][0]), outputs(loaded, DATA[name][0]))
    assert loaded.get_params() == model.get_params()
    assert loaded.oob_score_ == model.oob_score_
    assert np.array_equal(loaded.feature_importances_, model.feature_importances_)


def test_the_compact_form_is_much_smaller_and_names_are_kept(tmp_path):
    frame = load_iris(as_frame=True)
    model = ELCForestClassifier(20, random_state=0).fit(frame.data, frame.target)
    for file in ("forest.json", "forest.npz"):
        model.save(tmp_path / file)
        assert load(tmp_path / file).feature_names_in_.tolist() == list(frame.data.columns)
    assert (tmp_path / "forest.npz").stat().st_size < (tmp_path / "forest.json").stat().st_size / 3


def test_a_damaged_forest_is_refused(tmp_path):
    path, model = tmp_path / "forest.json", forest("ELCForestClassifier", 2)
    model.save(path)
    document = json.loads(path.read_text())
    document["trees"][1]["nodes"][0]["right"] = 0
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match="damaged"):
        load(path)
    archive = tmp_path / "forest.npz"
    model.save(archive)
    archive.write_bytes(archive.read_bytes()[:-40])
    with pytest.raises(ValueError, match="not a complete cart-elc model file"):
        load(archive)


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("features", lambda values: values + 1000),
        ("sizes", lambda values: values[:-1]),
        ("value", lambda values: values * np.nan),
        ("n_nodes", lambda values: values + 1),
        ("feature_importances", lambda values: values[:, 1:]),
        ("header", lambda values: values[::-1]),
    ],
)
def test_a_damaged_archive_is_refused(tmp_path, column, change):
    path = tmp_path / "forest.npz"
    forest("ELCForestClassifier", 2).save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    np.savez(path, **arrays | {column: change(arrays[column])})
    with pytest.raises(ValueError, match=r"forest\.npz is "):
        load(path)


def test_an_interrupted_fit_leaves_no_forest(monkeypatch):
    from cart_elc.estimators.ensembles import base_forest

    model = ELCForestClassifier(3, random_state=0).fit(X, Y)
    monkeypatch.setattr(base_forest, "grow_forest_tree", lambda *arguments: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, Y)
    assert not hasattr(model, "estimators_")


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_ends_a_forest_within_a_second_whatever_its_trees_take_and_the_process_ends_well(n_jobs):
    before = (
        "import numpy as np; from cart_elc import ELCForestClassifier\n"
        "rng = np.random.default_rng(0); X, y = rng.normal(size=(100_000, 6)), rng.integers(0, 2, 100_000)"
    )
    # After so long the root is divided, and searches of small nodes are too short to look for Ctrl-C themselves.
    interrupted(before, f"ELCForestClassifier(4, n_jobs={n_jobs}).fit(X, y)", after=1.5)


def test_a_forest_is_better_than_a_tree_on_real_data():
    rows, labels = load_breast_cancer(return_X_y=True)
    forest_score = cross_val_score(ELCForestClassifier(30, random_state=0), rows, labels, cv=3).mean()
    assert forest_score > 0.95


@pytest.mark.skipif(sys.platform != "linux", reason="a worker is killed by its number")
def test_a_cluster_grows_the_same_forest_though_a_worker_is_killed():
    from joblib import parallel_config

    rows, labels = np.tile(X, (6, 1)) + np.random.default_rng(0).normal(size=(6 * len(X), X.shape[1])), np.tile(Y, 6)
    alone = ELCForestClassifier(40, random_state=0).fit(rows, labels)
    with two_workers() as client:
        victim = next(iter(client.run(os.getpid).values()))
        assert victim != os.getpid()
        killing = Timer(0.3, os.kill, (victim, signal.SIGKILL))
        killing.start()
        with parallel_config(backend="dask"):
            together = ELCForestClassifier(40, random_state=0).fit(rows, labels)
        assert killing.finished.is_set()
    assert_same_trees(alone, together)


def test_scikit_learns_ensembles_take_the_trees():
    boosted = AdaBoostClassifier(ELCClassifier(max_depth=1, criterion="gini"), n_estimators=10, random_state=0)
    assert boosted.fit(X, Y).score(X, Y) > 0.9
    bagged = BaggingRegressor(ELCRegressor(), n_estimators=5, random_state=0).fit(NUMBERS_X, NUMBERS_Y)
    reference = DecisionTreeRegressor(max_depth=1).fit(NUMBERS_X, NUMBERS_Y)
    assert bagged.score(NUMBERS_X, NUMBERS_Y) > reference.score(NUMBERS_X, NUMBERS_Y)
