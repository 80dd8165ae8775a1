"""ELCClassifier: what a scikit-learn user expects of a tree, and what the paper's tree adds."""

import signal
import threading
import time
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from cart_elc import ELCClassifier, best_split
from cart_elc.criteria import CRITERIA, EXACT, PAPERS
from cart_elc.estimators import CLASSIFIERS
from cart_elc.tree import Tree

X, Y = load_iris(return_X_y=True)
SPLITS = {"planes": ("any", "through", "canonical"), "missing": ("learn", "right")}


def with_gaps(X, share=0.1, seed=0):
    gaps = np.random.default_rng(seed).random(X.shape) < share
    return np.where(gaps, np.nan, X)


@pytest.mark.parametrize("r", [1, 2, 3, 4])
@pytest.mark.parametrize("criterion", PAPERS)
def test_a_full_tree_fits_the_training_data_with_proven_splits(r, criterion):
    model = ELCClassifier(r, criterion=criterion).fit(X, Y)
    inner = ~model.tree_.is_leaf
    assert model.score(X, Y) == 1.0
    assert model.tree_.proven[inner].all()
    assert np.array_equal(model.tree_.bound[inner], model.tree_.score[inner])


@pytest.mark.parametrize("r", [1, 2, 3])
@pytest.mark.parametrize("option", [(name, value) for name, values in SPLITS.items() for value in values], ids=str)
@pytest.mark.parametrize("gaps", [0.0, 0.15], ids=["complete", "with gaps"])
def test_the_training_partition_equals_apply(r, option, gaps):
    data = with_gaps(X, gaps)
    tree = ELCClassifier(r, criterion="gini", **{option[0]: option[1]}).fit(data, Y).tree_
    counts = np.zeros_like(tree.value)
    np.add.at(counts, (tree.apply(data), Y), 1.0)
    assert np.array_equal(counts[tree.is_leaf], tree.value[tree.is_leaf])


@pytest.mark.parametrize("criterion", EXACT)
@pytest.mark.parametrize("gaps", [0.0, 0.15], ids=["complete", "with gaps"])
def test_the_stored_score_is_the_score_of_the_stored_partition(criterion, gaps):
    tree = ELCClassifier(2, criterion=criterion).fit(with_gaps(X, gaps), Y).tree_
    inner = ~tree.is_leaf
    left, right = tree.value[tree.children_left[inner]], tree.value[tree.children_right[inner]]
    score = CRITERIA[criterion].score(left, right)
    if (price := CRITERIA[criterion].price) is not None:
        sizes = np.diff(tree.indptr)[inner]
        weights = tree.weighted_n_node_samples[inner]
        score = score - [price(float(n), 4, int(size)) for n, size in zip(weights, sizes, strict=True)]
    assert score == pytest.approx(tree.score[inner], abs=1e-9)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize(("criterion", "theirs"), [("gini", "gini"), ("information_gain", "entropy")])
def test_r_one_scores_as_scikit_learns_stump_at_every_node(load, criterion, theirs):
    data, labels = load(return_X_y=True)
    data = data.astype(np.float32).astype(np.float64)
    tree = ELCClassifier(1, criterion=criterion).fit(data, labels).tree_
    paths = tree.decision_path(data).toarray()
    for node in tree.split_nodes():
        rows = paths[:, node]
        stump = DecisionTreeClassifier(criterion=theirs, max_depth=1).fit(data[rows], labels[rows]).tree_
        after = stump.impurity[1:] @ stump.weighted_n_node_samples[1:] / stump.weighted_n_node_samples[0]
        expected = after if criterion == "gini" else stump.impurity[0] - after
        assert tree.score[node] == pytest.approx(expected, abs=1e-9)


def test_the_root_is_best_split():
    for r in (1, 2, 3):
        tree = ELCClassifier(r, criterion="gini", max_depth=1).fit(X, Y).tree_
        split = best_split(X, Y, r)
        features, weights, threshold = tree.split(0)
        assert tuple(features) == split.features
        assert np.array_equal(weights, split.weights)
        assert (threshold, tree.score[0]) == (split.threshold, split.score)


def test_importances_sum_to_one_and_do_not_depend_on_units():
    model = ELCClassifier(3, max_depth=3).fit(X, Y)
    rescaled = ELCClassifier(3, max_depth=3).fit(X * [1.0, 1024.0, 2.0**-20, 1.0], Y)
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert (model.feature_importances_ >= 0).all()
    assert rescaled.feature_importances_ == pytest.approx(model.feature_importances_, abs=1e-6)


@pytest.mark.parametrize("estimator", CLASSIFIERS.values(), ids=CLASSIFIERS)
def test_a_fit_sends_the_rows_down_the_tree_once(estimator, monkeypatch):
    descents = []
    decision_path = Tree.decision_path
    monkeypatch.setattr(Tree, "decision_path", lambda tree, rows: (descents.append(tree), decision_path(tree, rows))[1])
    model = estimator().fit(X, Y)
    assert len(descents) == 1
    assert descents[0] is model.tree_


def test_weightless_rows_do_not_change_importances_and_rounding_at_all():
    weights = (np.arange(150) % 3 > 0).astype(float)
    kept = weights > 0
    model, expected = ELCClassifier(3).fit(X, Y, weights), ELCClassifier(3).fit(X[kept], Y[kept])
    assert model.feature_importances_.tobytes() == expected.feature_importances_.tobytes()
    assert model.rounding_.tobytes() == expected.rounding_.tobytes()


def test_importances_of_a_tree_without_splits_are_zero():
    assert ELCClassifier(1).fit([[1.0, 2.0]] * 3, [0, 1, 1]).feature_importances_.tolist() == [0.0, 0.0]


def test_weights_are_repetitions():
    repeats = np.random.default_rng(0).integers(0, 3, 150)
    weighted = ELCClassifier(2).fit(X, Y, sample_weight=repeats)
    repeated = ELCClassifier(2).fit(np.repeat(X, repeats, axis=0), np.repeat(Y, repeats))
    assert weighted.predict_proba(X) == pytest.approx(repeated.predict_proba(X))
    assert weighted.feature_importances_ == pytest.approx(repeated.feature_importances_)


def test_a_class_of_weightless_rows_stays_known():
    model = ELCClassifier(2).fit(X, Y, sample_weight=(Y != 1).astype(float))
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.predict_proba(X).shape == (150, 3)
    assert not (model.predict(X) == 1).any()


def test_weightless_rows_count_for_nothing():
    weights = (np.arange(150) % 3 > 0).astype(float)
    kept = weights > 0
    parameters = {"min_samples_leaf": 0.1, "min_samples_split": 0.3, "class_weight": "balanced"}
    model = ELCClassifier(2, **parameters).fit(X, Y, sample_weight=weights)
    expected = ELCClassifier(2, **parameters).fit(X[kept], Y[kept])
    assert np.array_equal(model.tree_.thresholds, expected.tree_.thresholds, equal_nan=True)


def test_balanced_classes_have_equal_weight():
    rows = np.r_[0:50, 50:60, 100:120]
    model = ELCClassifier(2, class_weight="balanced", max_depth=1).fit(X[rows], Y[rows])
    assert model.tree_.value[0] == pytest.approx([80 / 3] * 3)
    by_dict = ELCClassifier(2, class_weight={0: 80 / 150, 1: 80 / 30, 2: 80 / 60}, max_depth=1).fit(X[rows], Y[rows])
    assert by_dict.tree_.value[0] == pytest.approx([80 / 3] * 3)
    weighted = ELCClassifier(2, class_weight={1: 3}, max_depth=1).fit(X[rows], Y[rows], sample_weight=[2.0] * 80)
    assert weighted.tree_.value[0].tolist() == [100.0, 60.0, 40.0]


@pytest.mark.parametrize(
    ("parameters", "holds"),
    [
        ({"max_depth": 2}, lambda t: t.max_depth == 2),
        ({"min_samples_split": 40}, lambda t: t.n_node_samples[~t.is_leaf].min() >= 40),
        ({"min_samples_split": 0.5}, lambda t: t.n_node_samples[~t.is_leaf].min() >= 75),
        ({"min_samples_leaf": 20}, lambda t: t.n_node_samples.min() >= 20),
        ({"min_samples_leaf": 0.2}, lambda t: t.n_node_samples.min() >= 30),
        ({"min_weight_fraction_leaf": 0.3}, lambda t: t.weighted_n_node_samples.min() >= 45),
        ({"max_leaf_nodes": 3}, lambda t: t.n_leaves == 3),
        ({"min_impurity_decrease": 0.2}, lambda t: t.n_leaves == 3),
        ({"ccp_alpha": 0.1}, lambda t: t.n_leaves == 3),
        ({"ccp_alpha": 1.0}, lambda t: t.n_leaves == 1),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else None,
)
@pytest.mark.parametrize("r", [1, 2])
def test_stopping_rules_hold(parameters, holds, r):
    assert holds(ELCClassifier(r, **parameters).fit(X, Y).tree_)


def test_the_pruning_path_leaves_the_estimator_alone():
    model = ELCClassifier(2)
    path = model.cost_complexity_pruning_path(X, Y, sample_weight=np.ones(150))
    assert path.ccp_alphas[0] == 0.0
    assert vars(model) == vars(ELCClassifier(2))


@pytest.mark.parametrize("labels", [["x", "y", "z"], [True, False, True], [-1.0, 5.0, 7.0], [10, 20, 30]], ids=str)
def test_labels_may_be_of_any_type(labels):
    y = np.array(labels)[Y]
    model = ELCClassifier(2, criterion="gini").fit(X, y)
    assert model.classes_.tolist() == sorted(set(labels))
    assert (model.predict(X) == y).all()
    assert model.predict(X).dtype == y.dtype
    assert (ELCClassifier(2, criterion="gini").fit(X, y.tolist()).predict(X) == y).all()


def test_probabilities_and_their_logarithms_agree():
    model = ELCClassifier(2, max_depth=2).fit(X, Y)
    probabilities = model.predict_proba(X)
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(150))
    assert np.exp(model.predict_log_proba(X)) == pytest.approx(probabilities)
    assert (model.classes_[probabilities.argmax(axis=1)] == model.predict(X)).all()


def test_depth_leaves_and_paths_agree_with_the_tree():
    model = ELCClassifier(2).fit(X, Y)
    assert model.get_depth() == model.tree_.max_depth
    assert model.get_n_leaves() == len(np.unique(model.apply(X)))
    assert model.decision_path(X).shape == (150, model.tree_.n_nodes)


def test_missing_values_are_learned_and_predicted():
    data = with_gaps(X, 0.2)
    model = ELCClassifier(2, criterion="gini").fit(data, Y)
    assert model.score(data, Y) > 0.97
    assert model.predict([[np.nan] * 4]).shape == (1,)
    assert ELCClassifier(2, criterion="gini", missing="right").fit(data, Y).score(data, Y) > 0.9


@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_the_answer_does_not_depend_on_the_number_of_threads(n_jobs):
    data, labels = load_wine(return_X_y=True)
    expected, model = (ELCClassifier(2, n_jobs=jobs).fit(data, labels).tree_ for jobs in (None, n_jobs))
    for name in ("features", "weights", "thresholds", "value", "score"):
        assert getattr(expected, name).tobytes() == getattr(model, name).tobytes()


def test_a_fit_with_a_time_limit_ends_and_says_what_is_proven():
    generator = np.random.default_rng(0)
    data, labels = generator.normal(size=(400, 8)), generator.integers(0, 3, 400)
    start = time.monotonic()
    with pytest.warns(ConvergenceWarning, match=r"^time_limit=0\.5 cut the fit short: ") as warned:
        tree = ELCClassifier(4, criterion="gini", time_limit=0.5).fit(data, labels).tree_
    assert time.monotonic() - start < 3.0
    unproven = ~tree.is_leaf & ~tree.proven
    assert unproven.any()
    assert (tree.bound[unproven] <= tree.score[unproven]).all()
    inner = np.count_nonzero(~tree.is_leaf)
    assert f"{unproven.sum()} of the tree's {inner} splits are unproven" in str(warned[0].message)
    assert warned[0].filename == __file__


def test_the_pruning_path_of_a_tree_that_time_cut_short_is_warned_about():
    generator = np.random.default_rng(0)
    data, labels = generator.normal(size=(400, 8)), generator.integers(0, 3, 400)
    with pytest.warns(ConvergenceWarning, match=r"^time_limit=0\.2 cut the fit short: ") as warned:
        ELCClassifier(4, time_limit=0.2).cost_complexity_pruning_path(data, labels)
    assert warned[0].filename == __file__


def test_nodes_that_time_left_unsearched_are_counted_in_the_warning():
    with pytest.warns(ConvergenceWarning, match="1 node was made a leaf without a search") as warned:
        model = ELCClassifier(2, planes="through", time_limit=1e-9).fit(X, Y)
    assert model.get_n_leaves() == 1
    assert "0 of the tree's 0 splits are unproven" in str(warned[0].message)


@pytest.mark.parametrize("time_limit", [60.0, float("inf"), None])
def test_a_fit_that_ends_in_time_warns_of_nothing(time_limit):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ELCClassifier(2, time_limit=time_limit).fit(X, Y)


@pytest.fixture
def heard_interrupts():
    """An interrupt is heard even in a shell's background job, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.filterwarnings("ignore:this fit takes longer than a minute")  # said where the machine is busy
def test_an_interrupted_fit_leaves_the_estimator_unfitted(heard_interrupts):
    generator = np.random.default_rng(0)
    data, labels = generator.normal(size=(2000, 12)), generator.integers(0, 3, 2000)
    model = ELCClassifier(1, max_depth=1).fit(X, Y).set_params(r=5, max_depth=None)
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        model.fit(data, labels)
    assert time.monotonic() - start < 2.5
    with pytest.raises(NotFittedError):
        check_is_fitted(model)
    assert not hasattr(model, "n_features_in_")


def test_a_refused_fit_leaves_the_estimator_unfitted():
    model = ELCClassifier(2).fit(X, Y)
    with pytest.raises(ValueError, match="r must be"):
        model.set_params(r=0).fit(X, Y)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_verbose_fits_print_a_line_per_search(capsys):
    model = ELCClassifier(2, verbose=1, max_depth=2).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == np.count_nonzero(~model.tree_.is_leaf)
    assert all(line.startswith("[ELCClassifier] depth ") and "proven" in line for line in lines)
    ELCClassifier(2, max_depth=2).fit(X, Y)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("estimator", CLASSIFIERS.values(), ids=CLASSIFIERS)
def test_verbose_may_be_a_bool_as_in_scikit_learn(estimator, capsys):
    for loud in (True, np.True_):
        estimator(verbose=loud, max_depth=1).fit(X, Y)
        assert capsys.readouterr().out.startswith(f"[{estimator.__name__}] depth 0, 150 rows: ")
    for quiet in (False, np.False_):
        estimator(verbose=quiet, max_depth=1).fit(X, Y)
        assert capsys.readouterr().out == ""


def test_r_ten_works_on_twenty_rows():
    generator = np.random.default_rng(0)
    data, labels = generator.normal(size=(20, 10)), np.arange(20) % 2
    assert best_split(data, labels, r=10, planes="through").proven
    assert best_split(data[:, :6], labels, r=6).proven
    assert ELCClassifier(10, criterion="gini", planes="through").fit(data, labels).score(data, labels) == 1.0


def test_where_no_plane_through_r_samples_exists_fewer_features_are_used():
    data = np.column_stack([np.arange(6.0), np.arange(6.0)])
    labels = [0, 0, 1, 1, 0, 0]
    assert not best_split(data, labels, r=2, planes="through").found
    model = ELCClassifier(2, criterion="gini", planes="through").fit(data, labels)
    assert model.score(data, labels) == 1.0


@pytest.mark.parametrize(("data", "labels"), [([[1.0]], [0]), ([[1.0], [1.0]], [0, 1]), ([[1.0], [2.0]], [0, 1])])
def test_the_smallest_tables_are_fitted(data, labels):
    model = ELCClassifier(1).fit(data, labels)
    assert model.predict(data).shape == (len(labels),)


def test_a_time_limit_too_small_for_any_split_gives_one_that_says_so():
    split = best_split(X, Y, r=3, planes="through", time_limit=1e-9)
    assert (split.features, split.found, split.proven, split.score) == ((), False, False, np.inf)
    assert split.bound <= best_split(X, Y, r=3, planes="through").score


def test_no_candidate_gives_a_split_that_says_so():
    for criterion, worst in (("gini", np.inf), ("twoing", -np.inf), ("information_gain", -np.inf)):
        split = best_split([[1.0, 1.0]] * 4, [0, 1, 0, 1], criterion=criterion)
        assert (split.features, split.score, split.proven, split.found) == ((), worst, True, False)


@pytest.mark.parametrize(
    ("X", "y", "options", "reason"),
    [
        (np.ones((5, 2)), [0, 0, 1, 1, 1], {}, "Every column is constant over the rows of positive weight"),
        (np.full((5, 2), np.nan), [0, 0, 1, 1, 1], {}, "Every column is constant over the rows of positive weight"),
        ([[1.0], [2.0]], [0, 1], {"sample_weight": [1.0, 0.0]}, "There is 1 row of positive weight"),
        (np.arange(20.0)[:, None], [0, 1] * 10, {"criterion": "mdl"}, "No split saves more bits than it takes to name"),
        (
            [[1, 1], [2, 2], [3, 3]],
            [0, 1, 0],
            {"planes": "through"},
            "No candidate of planes='through'",
        ),
    ],
)
def test_best_split_says_why_there_is_none(X, y, options, reason):
    split = best_split(X, y, **options)
    assert not split.found
    assert split.reason.startswith(reason)


def test_best_split_has_no_reason_where_there_is_a_split():
    assert best_split([[1.0], [np.nan], [1.0]], [0, 1, 0]).reason == ""
