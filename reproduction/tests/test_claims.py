"""The report opens with the paper's claims, and each verdict follows from the records by a rule that the text names."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from cart_elc_reproduction.report.claims import (
    CLAIMS,
    Evidence,
    Rivalry,
    is_competitive,
    is_frequently_smaller,
    is_often_better,
)
from cart_elc_reproduction.report.sections import build_report
from cart_elc_reproduction.report.verdicts import verdict_counts
from cart_elc_reproduction.results.gathering import Result, Results
from cart_elc_reproduction.results.selection import GridPoint


def test_the_report_opens_with_the_claims_and_what_speaks_against_them_first(records):
    first = build_report(records).sections[0]
    assert first.title == "Claims of the paper"
    opening, claims = first.blocks
    assert re.match(r"\d+ of \d+ published verdicts of significance flip", opening)
    lacking = 552 - verdict_counts(Results(records)).total()
    assert f"{lacking} of 552 published accuracies and sizes have nothing of ours beside them" in opening
    assert len(claims.texts) == len(CLAIMS)


def rivalry(p, d, elc_leaves=(2.0, 2.0), honest=None):
    def result(leaves, name):
        point = GridPoint("iris", name, "twoing", 2, 2)
        return Result(point, np.full((2, 5), 90.0), np.full((2, 5), leaves), (0, 1))

    test = SimpleNamespace(welch=p, cohens_d=d)
    return Rivalry("iris", "cart", result(elc_leaves[0], "cart-elc"), result(elc_leaves[1], "cart"), test, honest)


def evidence(*rivalries):
    found = Evidence(Results([]))
    found.rivalries = list(rivalries)
    return found


HONEST = SimpleNamespace(corrected=0.01, better=0.99)
CHANCE = SimpleNamespace(corrected=0.6, better=0.7)


@pytest.mark.parametrize(
    ("pairs", "verdict"),
    [
        ([], "not run"),
        ([rivalry(0.5, 1.0)] * 3 + [rivalry(0.01, 1.0)], "does not hold"),
        ([rivalry(0.01, -1.0)] * 4, "does not hold"),
        ([rivalry(0.01, 1.0, honest=CHANCE)] * 3, "holds by the paper's test only"),
        ([rivalry(0.01, 1.0)] * 3, "holds by the paper's test only"),
        ([rivalry(0.01, 1.0, honest=HONEST)] * 3, "holds"),
    ],
)
def test_often_better_is_a_third_of_the_comparisons_by_a_test_that_fits_the_protocol(pairs, verdict):
    assert is_often_better(evidence(*pairs))[0] == verdict


@pytest.mark.parametrize(("leaves", "verdict"), [((2.0, 3.0), "holds"), ((3.0, 2.0), "does not hold")])
def test_frequently_smaller_is_half_of_the_comparisons(leaves, verdict):
    assert is_frequently_smaller(evidence(rivalry(0.5, 0.0, leaves)))[0] == verdict


def test_competitive_is_within_two_points_of_the_best_rival():
    near, far = evidence(), evidence()
    near.gaps, far.gaps = {"iris": -1.9}, {"iris": 1.0, "cancer": -2.1}
    assert is_competitive(near)[0] == "holds"
    assert is_competitive(far)[0] == "does not hold"
