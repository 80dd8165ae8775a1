"""Models that version 0.1.0 saved load and predict to the last bit what they predicted then."""

import json
from pathlib import Path

import numpy as np
import pytest

from cart_elc import load

FOLDER = Path(__file__).parent / "saved_by_0_1_0"
PREDICTIONS = json.loads((FOLDER / "predictions.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PREDICTIONS)
def test_a_saved_model_predicts_as_it_did(name):
    model, then = load(FOLDER / f"{name}.json"), PREDICTIONS[name]
    X = np.array(then["X"], dtype=np.float64)
    assert model.predict(X).tolist() == then["predict"]
    assert model.predict_proba(X).tolist() == then["predict_proba"]
