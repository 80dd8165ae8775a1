"""Rules in text: readable, rounded without moving a training row, and honest about it."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris

from cart_elc import CARTLCClassifier, ELCClassifier, export_code, export_graphviz, export_text, load
from cart_elc.estimators import CLASSIFIERS
from cart_elc.inspection.intervals import wilson
from cart_elc.inspection.named_tree import NamedTree
from cart_elc.inspection.rules import Rulebook
from cart_elc.inspection.wording import one_line
from cart_elc.rounding.rule import ScaledSplit, by_effort, effort
from cart_elc.rounding.table import LEVELS, MOVES, SURE, rounding_table, rule_of_entry, split_offsets
from cart_elc.tree import weighted_sums
from cart_elc.tree.building import truncate
from inspection_models import NAMES, fitted, iris

pd = pytest.importorskip("pandas")
HEBREW, YES = "\u05d0\u05d5\u05e8\u05da", "\u05db\u05df"
GOLDEN = Path(__file__).parents[1] / "golden"
SAVED = Path(__file__).parents[1] / "estimators" / "saved_by_0_1_0"


@pytest.fixture(scope="module")
def golden_model():
    return load(GOLDEN / "model.json")


def rows_at(model, X, node):
    named = NamedTree.of(model)
    data = named.rows(X)
    at_node = model.tree_.decision_path(data)[:, [node]].toarray()[:, 0]
    features, weights, threshold = model.tree_.split(node)
    points = data[at_node]
    complete = ~np.isnan(points[:, features]).any(axis=1)
    return points[complete], weighted_sums(points[complete][:, features], weights) >= threshold


@pytest.mark.parametrize("decimals", [0, 2, 4])
@pytest.mark.parametrize("name", NAMES)
def test_every_rounded_rule_keeps_every_training_row_on_its_side(name, decimals):
    model, X, _ = fitted(name)
    rules = Rulebook.of(NamedTree.of(model), decimals)
    for node in model.tree_.split_nodes():
        points, left = rows_at(model, X, node)
        assert (rules.written(node).rule.holds(points) == left).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_digits_are_the_fewest_from_those_asked_for(name):
    model, X, _ = fitted(name)
    rules = Rulebook.of(NamedTree.of(model), 0)
    for node in model.tree_.split_nodes():
        written = rules.written(node)
        points, left = rows_at(model, X, node)
        for digits in range(LEVELS if written.digits is None else written.digits):
            split = model.tree_.split(node)
            for scale in ScaledSplit.of(*split[1:]).scales():
                for offset in range(-3, 4):
                    assert (scale.rule(split[0], digits, offset).holds(points) != left).any()


def test_a_rule_that_needs_more_digits_says_so():
    X = [[1.001], [1.002], [1.003], [5.0]]
    text = export_text(ELCClassifier(r=1, criterion="gini", max_depth=1).fit(X, ["a", "a", "b", "b"]))
    assert "x0 <= 1.0025:" in text or "x0 <= 1.002:" in text
    assert re.search(r"\d digits: 2 digits would move a training row", text)


def test_one_digit_is_one_digit():
    model = ELCClassifier(r=1, criterion="gini").fit([[1.15], [1.35]], ["a", "b"])
    assert "[gini of sides 0.0000; proven; 1 digit: 0 digits would move a training row]" in export_text(
        model, decimals=0
    )


def test_a_rule_that_no_rounding_keeps_is_written_in_full():
    low = 1 / 3
    X = [[low], [np.nextafter(low, 2)], [9.0]]
    model = ELCClassifier(r=1, criterion="gini", max_depth=1).fit(X, ["a", "b", "b"])
    assert "exact: 2 digits would move a training row" in export_text(model)
    written = Rulebook.of(NamedTree.of(model), 2).written(0)
    assert written.rule.holds(np.array(X)).sum() in (1, 2)


def test_rules_that_were_not_checked_say_so():
    model = ELCClassifier(r=2, criterion="gini").fit(*iris())
    del model.rounding_
    assert export_text(model).endswith("pass X to check them.")
    assert export_text(model, X=iris()[0]).endswith("Every rule keeps all 150 rows of X on their sides.")


def test_a_loaded_model_writes_the_same_rules(tmp_path):
    model, _, _ = fitted("missing, learnt")
    model.save(tmp_path / "model.json")
    assert export_text(load(tmp_path / "model.json")) == export_text(model)


def test_a_tree_that_was_cut_after_fitting_is_not_called_checked():
    model, X, _ = fitted("r = 3")
    model.tree_ = truncate(model.tree_, 1)
    assert export_text(model).endswith("pass X to check them.")
    assert export_text(model, X=X).endswith("Every rule keeps all 150 rows of X on their sides.")


def test_checking_on_the_training_rows_again_finds_what_fitting_found():
    for name in NAMES:
        model, X, _ = fitted(name)
        rows = NamedTree.of(model).rows(X)
        table = rounding_table(model.tree_, rows, model.tree_.node_rows(rows))
        assert (table == model.rounding_).all()


def test_rules_take_the_scale_that_has_the_fewest_digits():
    X, y = load_breast_cancer(as_frame=True, return_X_y=True)
    model = ELCClassifier(r=2, criterion="gini", max_depth=1).fit(X[["worst area", "worst smoothness"]], y)
    assert re.match(r"if worst area \+ 7\d{3}·worst smoothness >= 18\d\d:", export_text(model))
    rule = Rulebook.of(NamedTree.of(model), 2).written(0).rule
    points, left = rows_at(model, X[["worst area", "worst smoothness"]], 0)
    assert (rule.holds(points) == left).all()
    lone = ELCClassifier(r=1, criterion="gini", max_depth=1).fit(X[["worst area"]] * 1e-7, y)
    assert re.match(r"if worst area >= 8\.\d+e-05:", export_text(lone))


@pytest.mark.parametrize("decimals", [0, 2, 5])
@pytest.mark.parametrize("name", NAMES)
def test_no_other_scale_that_keeps_the_rows_has_fewer_digits(name, decimals):
    model, X, _ = fitted(name)
    rules = Rulebook.of(NamedTree.of(model), decimals)
    for node in model.tree_.split_nodes():
        written, split = rules.written(node), model.tree_.split(node)
        points, left = rows_at(model, X, node)
        for scale in () if written.digits is None else ScaledSplit.of(*split[1:]).scales():
            other = scale.rule(split[0], written.digits)
            if (other.holds(points) == left).all():
                assert effort(written.rule) <= effort(other) + 1  # a moved threshold may have one more


@pytest.mark.parametrize("name", ["ELCClassifier-0-iris-0", "CARTLCClassifier-0-iris-1", "CARTClassifier-1-iris-0"])
def test_the_rules_of_a_model_that_was_saved_by_0_1_0_keep_its_rows(name):
    model, X = load(SAVED / f"{name}.json"), np.array(load_iris().data)
    rules = Rulebook.of(NamedTree.of(model), 2)
    assert export_text(model).endswith("Every rule keeps all training rows on their sides.")
    for node in model.tree_.split_nodes():
        points, left = rows_at(model, X, node)
        assert (rules.written(node).rule.holds(points) == left).all()
        assert 0 <= model.rounding_[node, rules.written(node).digits] < 100


def test_names_that_read_from_right_to_left_leave_the_rules_as_they_are():
    X = pd.DataFrame([[0.0, 1.0], [1.0, 3.0], [4.0, 2.0], [5.0, 0.0]], columns=[HEBREW, "width"])
    model = ELCClassifier(r=2, criterion="gini").fit(X, ["no", "no", YES, YES])
    lines = export_text(model).splitlines()
    assert lines[0].startswith(f"if \u2068{HEBREW}\u2069 ")
    assert sorted(line.strip().split(" (")[0] for line in (lines[1], lines[3])) == ["no", f"\u2068{YES}\u2069"]
    for drawn in (export_graphviz(model), export_code(model), export_code(model, "c"), lines[0]):
        assert drawn.count("\u2068") == drawn.count("\u2069") > 0
        assert not re.search(f"(?<!\u2068){HEBREW}(?!\u2069)", drawn.replace(f"x[0]  {HEBREW}", ""))


def test_no_rule_has_two_signs_in_a_row_and_one_coefficient_is_one():
    for name in NAMES:
        model, _, _ = fitted(name)
        rules = Rulebook.of(NamedTree.of(model), 2)
        for node in model.tree_.split_nodes():
            written = rules.written(node)
            if written.digits is not None:
                assert not re.search(r"[+-] -|^\+", written.text(["x"] * model.n_features_in_))
                assert any(math.log10(abs(c)).is_integer() for c in written.rule.coefficients)


def test_standard_units_need_the_data_and_keep_its_rows():
    X, y = iris()
    model = ELCClassifier(r=3, criterion="gini").fit(X, y)
    with pytest.raises(ValueError, match="units='standard' needs X"):
        export_text(model, units="standard")
    rules = Rulebook.of(NamedTree.of(model), 1, "standard", X)
    z = ((X - X.mean()) / X.std(ddof=0)).to_numpy()
    for node in model.tree_.split_nodes():
        at_node = model.decision_path(X)[:, [node]].toarray()[:, 0]
        features, weights, threshold = model.tree_.split(node)
        left = weighted_sums(X.to_numpy()[np.ix_(at_node, features)], weights) >= threshold
        assert (rules.written(node).rule.holds(z[at_node]) == left).all()
    assert "standard deviations" in export_text(model, units="standard", X=X)


@pytest.mark.parametrize("bad", [{"decimals": -1}, {"decimals": 2.0}, {"decimals": 16}, {"units": "feet"}])
def test_bad_options_are_refused(golden_model, bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        export_text(golden_model, **bad)


def test_an_unfitted_model_is_refused():
    with pytest.raises(ValueError, match="model must be a fitted estimator of cart_elc, got ELCClassifier"):
        export_text(ELCClassifier())


def test_names_cannot_break_a_line():
    model, _, _ = fitted("hostile names")
    text = export_text(model)
    assert len(text.splitlines()) == model.tree_.n_nodes + np.count_nonzero(~model.tree_.is_leaf) + 2
    assert one_line("a\r\nb\u2028c\x1b") == "a\\r\\nb\\u2028c\\x1b"


def test_the_golden_rendering(golden_model):
    assert export_text(golden_model, missing=True) + "\n" == (GOLDEN / "text.txt").read_text(encoding="utf-8")


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False, width=32), st.integers(0, LEVELS - 1))
def test_a_rounded_number_prints_as_few_digits(value, digits):
    split = ScaledSplit(np.ones(1), value, True)
    text = repr(abs(split.rounded(value, digits)))
    significant = text.partition("e")[0].replace(".", "").strip("0")
    assert len(significant) <= max(1, digits) + 5
    assert split.rounded(value, LEVELS - 1) == pytest.approx(value, rel=1e-10)


def least_to_read(scales, digits, kept):
    """The scales whose rule is shortest, each with its threshold moved as little as keeps the rows."""
    efforts, columns = {}, np.arange(len(scales[0].coefficients), dtype=np.int32)
    for number in by_effort([scale.rule(columns, digits) for scale in scales]):
        if kept[number]:
            shifts = [shift for shift in kept[number] if abs(shift) == min(map(abs, kept[number]))]
            efforts[number] = min(effort(scales[number].rule(columns, digits, shift)) for shift in shifts)
        if 0 in kept[number]:
            break
    return [number for number in efforts if efforts[number] == min(efforts.values())]


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(0, 6))
def test_the_table_of_offsets_is_what_trying_every_level_gives(seed, r, decimals):
    random = np.random.default_rng(seed)
    points = random.normal(size=(40, r)).round(decimals) * 10.0 ** random.integers(-3, 5)
    weights = random.normal(size=r)
    threshold = float(np.median(weighted_sums(points, weights)))
    left = weighted_sums(points, weights) >= threshold
    columns = np.arange(r, dtype=np.int32)
    for digits, entry in enumerate(split_offsets(weights, threshold, points, left).tolist()):
        scales = ScaledSplit.of(weights, threshold).scales()
        kept = {
            number: [
                shift for shift in range(-8, 9) if (scale.rule(columns, digits, shift).holds(points) == left).all()
            ]
            for number, scale in enumerate(scales)
        }
        if entry == MOVES:
            assert not any(kept.values())
        elif entry == SURE:
            assert all(0 in shifts for shifts in kept.values())
        elif abs(offset := (entry + 128) % 256 - 128) <= 8:
            assert (entry - offset) // 256 in least_to_read(scales, digits, kept)
            assert abs(offset) == min(map(abs, kept[(entry - offset) // 256]))
        if entry != MOVES:
            assert (rule_of_entry(columns, weights, threshold, digits, entry).holds(points) == left).all()


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_the_text_names_what_the_splits_are_scored_by(name):
    model = CLASSIFIERS[name](max_depth=2).fit(*load_iris(return_X_y=True))
    word = "gain ratio" if name == "C45Classifier" else {"gini": "gini of sides"}.get(model.criterion, model.criterion)
    score = "saves 137.7 bits, costs 9.2" if word == "mdl" else f"{word} {model.tree_.score[0]:.4f}"
    assert f"[{score}; " in export_text(model)


def with_gaps(columns):
    X, y = iris()
    gaps = X.copy()
    gaps.loc[::6, columns] = np.nan
    return gaps, y


def test_splits_say_where_missing_values_go_if_their_features_lacked_any():
    X, y = with_gaps(["petal_length"])
    model = ELCClassifier(r=1, criterion="gini", max_depth=4).fit(X, y)
    heads = [line for line in export_text(model).splitlines() if line.lstrip().startswith("if ")]
    assert any("petal_length" in head for head in heads)
    assert any("petal_length" not in head for head in heads)
    for head in heads:
        assert ("missing goes " in head) == ("petal_length" in head)
    assert "missing goes" not in export_text(model, missing=False)
    assert export_text(model, missing=True).count("missing goes") == len(heads)


def test_complete_rows_need_no_word_about_missing_values_and_an_unknown_model_has_it():
    model = ELCClassifier(r=1).fit(*iris())
    assert "missing" not in export_text(model)
    del model.saw_missing_
    assert export_text(model).count("missing goes") == np.count_nonzero(~model.tree_.is_leaf)


def test_a_model_that_fills_missing_values_says_with_what(tmp_path):
    X, y = with_gaps(["petal_width", "sepal_width"])
    model = CARTLCClassifier(max_depth=3).fit(X, y)
    assert 3 in model.tree_.features
    assert f"petal_width {model.fill_values_[3]:.4g}" in export_text(model)
    assert "sepal_length " not in export_text(model).partition("A missing value counts as ")[2]
    assert "counts as" not in export_text(model, missing=False)
    model.save(tmp_path / "model.json")
    assert export_text(load(tmp_path / "model.json")) == export_text(model)


def test_a_row_of_weight_zero_lacks_nothing():
    X, y = with_gaps(["petal_length"])
    model = ELCClassifier(r=1).fit(X, y, sample_weight=X["petal_length"].notna().astype(float))
    assert not model.saw_missing_.any()


def test_a_leaf_has_its_counts_and_the_interval_of_its_share():
    X = np.repeat([[0.0], [1.0]], [197, 3], axis=0)
    y = np.array([0] * 195 + [1] * 2 + [1, 1, 0])
    text = export_text(ELCClassifier(r=1, criterion="gini", max_depth=1).fit(X, y))
    assert "class 0 (195 of 197, 99 %; 96.4 to 99.7 %)" in text
    assert "class 1 (2 of 3, 66.7 %; 20.8 to 93.9 %)" in text


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_an_interval_has_the_share_in_it_and_solves_its_equation(n, share):
    low, high = wilson(share, n)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:  # where the share is 1.96 standard errors of the end away from it
            assert abs(share - end) == pytest.approx(1.959963984540054 * math.sqrt(end * (1 - end) / n), rel=1e-6)


def test_the_interval_counts_rows_and_not_weights():
    X, y = iris()
    model = ELCClassifier(r=1, criterion="gini", max_depth=1)
    plain, heavy = model.fit(X, y).tree_, ELCClassifier(r=1, criterion="gini", max_depth=1).fit(X, y, np.full(150, 7.0))
    assert plain.n_node_samples.tolist() == heavy.tree_.n_node_samples.tolist()
    assert "(350 of 350, 100 %; 92.9 to 100 %)" in export_text(heavy)
