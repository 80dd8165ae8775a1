"""help() of an estimator describes every parameter and every fitted attribute, inherited ones included."""

import inspect
import re

import pytest

from cart_elc.estimators import ENSEMBLES
from cart_elc.estimators import ESTIMATORS as TREES

ESTIMATORS = TREES | ENSEMBLES


@pytest.mark.parametrize("name", ESTIMATORS)
def test_help_describes_every_parameter_once_with_its_default(name):
    text = inspect.getdoc(ESTIMATORS[name])
    for parameter, default in ESTIMATORS[name]().get_params().items():
        (found,) = re.findall(rf"^{parameter} : .*default=(.*)$", text, re.MULTILINE)
        assert found.strip('"') == str(default)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_help_describes_every_fitted_attribute_once(name):
    model = ESTIMATORS[name]().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    text = inspect.getdoc(ESTIMATORS[name])
    for attribute in vars(model):
        if attribute.endswith("_") and attribute != "rounding_":
            assert len(re.findall(rf"^{attribute} : ", text, re.MULTILINE)) == 1


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_sections_of_help_stand_in_numpydocs_order(name):
    titles = re.findall(r"^(\w+)\n-+$", inspect.getdoc(ESTIMATORS[name]), re.MULTILINE)
    assert titles == ["Parameters", "Attributes", "Notes", "References", "Examples"]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_help_describes_every_public_method(name):
    methods = {method: getattr(ESTIMATORS[name], method) for method in dir(ESTIMATORS[name]) if method[0] != "_"}
    assert [method for method, function in methods.items() if callable(function) and not function.__doc__] == []
