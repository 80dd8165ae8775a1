"""One sample's path as data: it is the model's path, and every change it names really crosses the plane."""

import math
import re

import numpy as np
import pytest

from cart_elc import ELCClassifier, explain
from cart_elc.estimators import CLASSIFIERS
from inspection_models import NAMES, fitted, iris

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")


def some_rows(X):
    values = np.asarray(X, dtype=np.float64)
    return values[:: max(1, len(values) // 15)]


@pytest.mark.parametrize("name", NAMES)
def test_path_label_and_probabilities_are_the_models(name):
    model, X, _ = fitted(name)
    for row in some_rows(X):
        explanation = explain(model, row)
        table = X.iloc[:1].copy() if hasattr(X, "iloc") else row[None]
        if hasattr(X, "iloc"):
            table.iloc[0] = row
        path = model.decision_path(table).indices
        assert sorted([step.node for step in explanation.steps] + list(explanation.leaves)) == sorted(path)
        assert explanation.label == model.predict(table)[0]
        assert list(explanation.probabilities.values()) == model.predict_proba(table)[0].tolist()
        assert str(explanation).count("\n") == len(explanation.steps)


@pytest.mark.parametrize("name", NAMES)
def test_every_change_crosses_its_plane_and_half_of_it_does_not(name):
    model, X, _ = fitted(name)
    for row in some_rows(X):
        for step in explain(model, row).steps:
            for change in step.changes:
                assert side(model, step, row, change, 1.0) != (step.side == "left")
                if abs(change.by) > 1e-9:
                    assert side(model, step, row, change, 0.5) == (step.side == "left")
            assert [abs(c.by) for c in step.changes] == sorted(abs(c.by) for c in step.changes)


def side(model, step, row, change, share):
    values = {term.feature: term.value for term in step.terms}
    values[change.feature] = change.new_value if share == 1.0 else change.value + share * change.by
    total = 0.0
    for term in step.terms:
        total += term.weight * values[term.feature]
    return total >= step.threshold


def test_distances_are_in_units_of_the_margin():
    model, X, _ = fitted("any")
    tree = model.tree_
    sides = {"left": [], "right": []}
    for row in X.to_numpy():
        step = explain(model, row).steps[0]
        assert step.distance == (step.value - step.threshold) / tree.margin[0]
        sides[step.side].append(step.distance)
    # The widest margin touches rows on both sides, and no training row is inside it.
    assert min(sides["left"]) == pytest.approx(1.0, rel=1e-6)
    assert max(sides["right"]) == pytest.approx(-1.0, rel=1e-6)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_estimator_knows_its_margins(name):
    X, y = iris()
    model = CLASSIFIERS[name](max_depth=3).fit(X, y)
    splits = [step for row in X.to_numpy() for step in explain(model, row).steps]
    assert {step.node for step in splits} == set(model.tree_.split_nodes())
    for step in splits:
        assert step.margin > 0 and math.isfinite(step.distance)
    nearest = {}
    for step in splits:
        gaps = nearest.setdefault(step.node, {})
        gaps[step.side] = min(gaps.get(step.side, math.inf), abs(step.value - step.threshold))
    for node, gaps in nearest.items():  # the empty band is two margins wide
        assert gaps["left"] + gaps["right"] == pytest.approx(2 * model.tree_.margin[node])


def test_a_rule_never_contradicts_the_answer_that_is_written_with_it():
    X, y = iris()
    model = ELCClassifier(r=3, criterion="gini", max_depth=3).fit(X, y)
    random, full = np.random.default_rng(0), 0
    for row in X.to_numpy()[::2]:
        for change in explain(model, row).steps[-1].changes:
            row = np.where(np.arange(4) == change.feature, change.new_value + random.normal() * 0.01, row)
            for step in explain(model, row).steps:
                total, relation, threshold = re.fullmatch(r"(.*) (>=|<=) (\S+)", step.rule).groups()
                for feature, value in zip(X, row.tolist(), strict=True):
                    total = total.replace(feature, f"({value!r})")
                holds = eval(f"{total} {relation} {threshold}".replace("\u00b7", "*"))
                assert holds == (step.side == "left")
                full += len(threshold) > 8
    assert full > 0  # some of them only when written in full


@pytest.mark.parametrize("name", ["r = 1", "r = 2", "r = 3", "ten features"])
def test_the_sums_are_written_out_and_true(name):
    model, X, _ = fitted(name)
    for row in some_rows(X):
        for step in explain(model, row).steps:
            terms, _, comparison = step.sum.rpartition(" = ")
            assert eval(comparison)
            shown, _, threshold = comparison.split(" ")
            assert len(shown.partition(".")[2]) <= max(15, len(threshold.partition(".")[2]))
            if terms:
                assert eval(terms.replace(" x ", " * ")) == pytest.approx(float(shown), rel=1e-3, abs=0.006)


def test_changes_stay_in_the_range_of_the_rows_and_the_smallest_in_standard_deviations_comes_first():
    model, X, _ = fitted("r = 3")
    left_out = 0
    for row in some_rows(X):
        plain, ranged = explain(model, row).steps, explain(model, row, X=X).steps
        for step, other in zip(ranged, plain, strict=True):
            for change in step.changes:
                assert X.iloc[:, change.feature].min() <= change.new_value <= X.iloc[:, change.feature].max()
                assert change.deviations == pytest.approx(abs(change.by) / X.iloc[:, change.feature].std(ddof=0))
            sizes = [change.deviations for change in step.changes]
            assert sizes == sorted(sizes)
            left_out += len(other.changes) - len(step.changes)
            assert {c.new_value for c in step.changes} <= {c.new_value for c in other.changes}
    assert left_out > 0


def test_in_a_notebook_an_explanation_is_a_table():
    model, X, _ = fitted("hostile names")
    shown = explain(model, X.iloc[5])._repr_html_()
    assert shown.count("<tr>") == len(explain(model, X.iloc[5]).steps) + 1
    assert "<script" not in shown and "<img" not in shown
    assert re.search(r"<td[^>]*>#0</td>", shown) and "&lt;script&gt;" in shown


def test_a_missing_value_is_named_and_decides_by_policy():
    model, X, _ = fitted("missing, learnt")
    row = X.iloc[0].to_numpy(copy=True)
    row[:] = np.nan
    step = explain(model, row).steps[0]
    assert step.missing == tuple(term.name for term in step.terms)
    assert math.isnan(step.value) and math.isnan(step.distance)
    assert step.changes == () and step.change is None
    assert f"missing, so {step.answer}" in str(step)


def test_a_divided_sample_has_shares_that_sum_to_one():
    model, X, _ = fitted("missing, divided")
    explanation = explain(model, np.full(X.shape[1], np.nan))
    assert len(explanation.leaves) > 1
    assert {step.side for step in explanation.steps} == {"both"}
    assert sum(explanation.probabilities.values()) == pytest.approx(1.0)
    assert explanation.steps[0].share == 1.0 > explanation.steps[1].share


@pytest.mark.parametrize("name", NAMES)
def test_the_change_that_is_written_crosses_the_plane(name):
    model, X, _ = fitted(name)
    for row in some_rows(X):
        for step in explain(model, row).steps:
            written = re.search(r"crossed by .* from \S+ (to|past) ([^\s;]+)(;|$)", str(step))
            assert (written is None) == (step.change is None)
            if written:
                value = float(written[2])
                if written[1] == "past":
                    value += math.copysign(1e-9 * abs(value), step.change.by)
                assert crosses(step, value)
                assert (written[1] == "past") <= (step.side == "left")


def crosses(step, value):
    total = 0.0
    for term in step.terms:
        total += term.weight * (value if term.feature == step.change.feature else term.value)
    return (total >= step.threshold) != (step.side == "left")


def test_a_sample_with_names_is_read_by_them():
    model, X, _ = fitted("r = 2")
    expected = explain(model, X.iloc[70].to_numpy())
    turned = X.iloc[70][::-1]
    for sample in (turned, dict(turned), X.iloc[[70], ::-1], pl.from_pandas(X.iloc[[70], ::-1])):
        assert str(explain(model, sample)) == str(expected)
    assert str(explain(model, dict(turned, weight=3.0))) == str(expected)


def test_a_model_without_names_takes_samples_by_position_or_by_the_names_it_writes():
    model, X, _ = fitted("arrays, int labels")
    named = {f"x{j}": value for j, value in enumerate(X[3])}
    assert len({str(explain(model, sample)) for sample in (X[3], pd.Series(X[3]), named)}) == 1
    assert str(explain(model, X[3])).splitlines()[-1].startswith(f"=> class {model.predict(X[3:4])[0]} (")


@pytest.mark.parametrize(
    ("sample", "message"),
    [
        ([1.0, 2.0, 3.0], r"X must have shape \(n_samples, 4\), got \(1, 3\)"),
        ([[1.0, 2.0, 3.0, 4.0]] * 2, "x must be one sample, got 2 rows"),
        ([1.0, 2.0, 3.0, math.inf], "X must be finite or missing, got inf in row 0, column 3"),
        ({"petal_length": 1.0, "petal_width": 1.0, "sepal_width": 1.0}, "x lacks the feature 'sepal_length'"),
    ],
)
def test_a_sample_that_is_not_one_is_refused(sample, message):
    model, _, _ = fitted("r = 2")
    with pytest.raises(ValueError, match=message):
        explain(model, sample)
