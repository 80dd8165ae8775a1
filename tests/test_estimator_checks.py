"""scikit-learn's own checks over every registered estimator; none is an expected failure."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from cart_elc import HHCARTClassifier, OC1Classifier
from cart_elc.estimators import ESTIMATORS

VARIANTS = [HHCARTClassifier("D"), OC1Classifier(axis_parallel=True), OC1Classifier(scale_features=False)]


@parametrize_with_checks([estimator() for estimator in ESTIMATORS.values()] + VARIANTS)
def test_estimator_keeps_scikit_learns_contract(estimator, check):
    check(estimator)
