"""scikit-learn's own checks over every registered estimator; none is an expected failure."""

import os
import subprocess
import sys

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from cart_elc.estimators import ESTIMATORS


@parametrize_with_checks([estimator() for estimator in ESTIMATORS.values()])
def test_estimator_keeps_scikit_learns_contract(estimator, check):
    check(estimator)


# SciPy reads its switch for array API input when it is imported, so that check needs a process of its own.
EVERY_CHECK = """
from sklearn.utils.estimator_checks import check_estimator
from cart_elc.estimators import ESTIMATORS
for result in check_estimator(ESTIMATORS["{name}"](), on_skip=None, on_fail=None):
    print(result["status"], result["expected_to_fail"], result["check_name"], result["exception"])
"""


@pytest.mark.parametrize("name", ESTIMATORS)
def test_no_check_fails_is_skipped_or_is_expected_to_fail(name):
    environment = os.environ | {"SCIPY_ARRAY_API": "1"}
    command = [sys.executable, "-W", "ignore", "-c", EVERY_CHECK.format(name=name)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    lines = result.stdout.splitlines()
    assert len(lines) > 50
    assert not [line for line in lines if not line.startswith("passed False ")]
