"""scikit-learn's own checks over every registered estimator; none fails, is skipped or is expected to fail."""

import os
import subprocess
import sys
from unittest import SkipTest

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from cart_elc.estimators import ENSEMBLES, ESTIMATORS

ALL = ESTIMATORS | ENSEMBLES
OF_ARRAY_API = "SCIPY_ARRAY_API"


@parametrize_with_checks([estimator() for estimator in ALL.values()])
def test_estimator_keeps_scikit_learns_contract(estimator, check):
    try:
        check(estimator)
    except (SkipTest, pytest.skip.Exception) as skipped:
        assert OF_ARRAY_API in str(skipped), f"skipped: {skipped}"  # that one is run below
        raise


# SciPy reads its switch for array API input when it is imported, so the check of it needs a process of its own.
CHECKS_OF_ARRAY_API = """
from sklearn.utils.estimator_checks import estimator_checks_generator
from cart_elc.estimators import ENSEMBLES, ESTIMATORS
for name, estimator in (ESTIMATORS | ENSEMBLES).items():
    for instance, check in estimator_checks_generator(estimator()):
        if "array_api" in check.func.__name__:
            check(instance)
            print(name)
"""


def test_every_estimator_passes_the_check_that_needs_scipys_switch():
    command = [sys.executable, "-W", "ignore", "-c", CHECKS_OF_ARRAY_API]
    environment = os.environ | {OF_ARRAY_API: "1"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert result.stdout.split() == list(ALL)
