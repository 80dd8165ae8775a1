"""Pipelines: rules in the units of the data where the steps can be undone, and a word about it everywhere."""

import re

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, QuantileTransformer, RobustScaler, StandardScaler

from cart_elc import (
    CARTClassifier,
    ELCClassifier,
    ELCRegressor,
    explain,
    export_code,
    export_html,
    export_onnx,
    export_text,
)
from cart_elc.inspection.named_tree import NamedTree

IRIS = load_iris(as_frame=True)
X, Y = IRIS.data.rename(columns=lambda name: name.removesuffix(" (cm)").replace(" ", "_")), IRIS.target
GAPS = X.mask(np.random.default_rng(0).random(X.shape) < 0.1)
UNDONE = {
    "standard": [StandardScaler()],
    "mean only": [StandardScaler(with_std=False)],
    "scale only": [StandardScaler(with_mean=False)],
    "range": [MinMaxScaler((-3, 5))],
    "largest": [MaxAbsScaler()],
    "quartiles": [RobustScaler()],
    "two scalers": [RobustScaler(), MinMaxScaler()],
    "chosen": [StandardScaler(), SelectKBest(k=2)],
    "chosen before": [VarianceThreshold(0.3), StandardScaler()],
    "filled": [SimpleImputer(strategy="median"), StandardScaler()],
    "filled later": [StandardScaler(), SimpleImputer(), SelectKBest(k=3)],
    "inside": [make_pipeline(SimpleImputer(), MinMaxScaler()), StandardScaler()],
    "passed through": ["passthrough", StandardScaler()],
}


@pytest.mark.parametrize("steps", UNDONE.values(), ids=UNDONE)
@pytest.mark.parametrize("estimator", [ELCClassifier(max_depth=3), CARTClassifier(max_depth=3)], ids=["elc", "cart"])
def test_the_tree_in_the_units_of_the_data_predicts_what_the_pipeline_does(steps, estimator):
    has_gaps = any(isinstance(step, SimpleImputer) or hasattr(step, "steps") for step in steps)
    rows = GAPS if has_gaps else X
    model = make_pipeline(*steps, estimator).fit(rows, Y)
    named = NamedTree.of(model)
    assert named.features == list(X.columns)
    sides = np.argmax(named.tree.predict_value(named.rows(rows)), axis=1)
    assert np.mean(named.classes == model.classes_) == 1
    np.testing.assert_array_equal(np.array(named.classes)[sides], model.predict(rows))
    assert "Rules are in the units of the data: " in export_text(model)
    assert "not checked on data" in export_text(model)
    assert export_text(model, X=rows).endswith("Every rule keeps all 150 rows of X on their sides.")


def test_rules_are_those_of_the_tree_without_a_scaler():
    scaled, plain = make_pipeline(StandardScaler(), ELCClassifier()).fit(X, Y), ELCClassifier().fit(X, Y)
    note = "Rules are in the units of the data: StandardScaler is undone.\n"
    assert export_text(scaled, X=X).replace(note, "") == export_text(plain, X=X)
    assert export_text(scaled).splitlines()[:6] == export_text(plain).splitlines()[:6]


def test_a_step_that_cannot_be_undone_is_named():
    model = make_pipeline(QuantileTransformer(n_quantiles=20), ELCClassifier()).fit(X, Y)
    text = export_text(model)
    assert "Rules are in the units that QuantileTransformer makes, which cannot be undone." in text
    assert "petal_length" in text
    assert export_text(model, X=X).endswith("Every rule keeps all 150 rows of X on their sides.")
    assert str(explain(model, X.iloc[[70]])).count("\n") == 2
    clipped = make_pipeline(MinMaxScaler(clip=True), ELCClassifier()).fit(X, Y)
    assert "MinMaxScaler makes, which cannot be undone" in export_text(clipped)
    marked = make_pipeline(SimpleImputer(add_indicator=True), ELCClassifier()).fit(GAPS, Y)
    assert "SimpleImputer makes, which cannot be undone" in export_text(marked)


@pytest.mark.parametrize("steps", [[StandardScaler()], [QuantileTransformer(n_quantiles=20)]], ids=["undone", "not"])
def test_the_page_says_in_which_units_its_rules_are(steps):
    model = make_pipeline(*steps, ELCClassifier()).fit(X, Y)
    page = export_html(model, X, Y)
    note = re.search(r'"units":"(.*?)"', page)[1]
    assert note in export_text(model)
    assert '"units":""' in export_html(model[-1])


def test_what_an_imputer_fills_in_is_said():
    model = make_pipeline(SimpleImputer(strategy="constant", fill_value=1.5), CARTClassifier(max_depth=1)).fit(GAPS, Y)
    assert "A missing value counts as petal_length 1.5." in export_text(model).replace("petal_width", "petal_length")


def test_explanations_are_in_the_units_of_the_data():
    model = make_pipeline(StandardScaler(), ELCClassifier()).fit(X, Y)
    sample = dict(X.iloc[70])
    assert "petal_length <= 2.45: no (4.8 > 2.45)" in str(explain(model, sample))
    assert explain(model, sample).label == model.predict(X.iloc[[70]])[0]


def test_programs_are_of_the_tree_alone():
    model = make_pipeline(StandardScaler(), ELCClassifier()).fit(X, Y)
    for export in (export_code, export_onnx):
        with pytest.raises(ValueError, match="got Pipeline without tree_; pass its last step"):
            export(model)


def test_a_pipeline_of_numbers_is_written_too():
    rows = X[["sepal_length", "petal_length"]]
    model = make_pipeline(StandardScaler(), ELCRegressor(max_depth=1)).fit(rows, X["petal_width"])
    assert export_text(model).startswith("if ")
    assert isinstance(export_html(model, rows, X["petal_width"]), str)
