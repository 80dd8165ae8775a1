"""One sample's path as data: it is the model's path, and every change it names really crosses the plane."""

import math

import numpy as np
import pytest

from cart_elc import explain
from inspection_models import NAMES, fitted


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
    model, X, _ = fitted("r = 2")
    tree = model.tree_
    sides = {"left": [], "right": []}
    for row in X.to_numpy():
        step = explain(model, row).steps[0]
        assert step.distance == (step.value - step.threshold) / tree.margin[0]
        sides[step.side].append(step.distance)
    # The widest margin touches rows on both sides, and no training row is inside it.
    assert min(sides["left"]) == pytest.approx(1.0, rel=1e-6)
    assert max(sides["right"]) == pytest.approx(-1.0, rel=1e-6)


def test_a_missing_value_is_named_and_decides_by_policy():
    model, X, _ = fitted("missing, learnt")
    row = X.iloc[0].to_numpy(copy=True)
    row[:] = np.nan
    step = explain(model, row).steps[0]
    assert step.missing == tuple(term.name for term in step.terms)
    assert math.isnan(step.value) and math.isnan(step.distance)
    assert step.changes == () and step.change is None
    assert f"missing, so {step.side}" in str(step)


def test_a_divided_sample_has_shares_that_sum_to_one():
    model, X, _ = fitted("missing, divided")
    explanation = explain(model, np.full(X.shape[1], np.nan))
    assert len(explanation.leaves) > 1
    assert {step.side for step in explanation.steps} == {"both"}
    assert sum(explanation.probabilities.values()) == pytest.approx(1.0)
    assert explanation.steps[0].share == 1.0 > explanation.steps[1].share


def test_a_row_of_another_width_is_refused():
    model, _, _ = fitted("r = 2")
    with pytest.raises(ValueError, match=r"X must have shape \(n_samples, 4\), got \(1, 3\)"):
        explain(model, [1.0, 2.0, 3.0])
