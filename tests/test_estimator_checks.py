"""scikit-learn's own checks over every registered estimator; none is an expected failure."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from cart_elc.estimators import ESTIMATORS


@parametrize_with_checks([estimator() for estimator in ESTIMATORS.values()])
def test_estimator_keeps_scikit_learns_contract(estimator, check):
    check(estimator)
