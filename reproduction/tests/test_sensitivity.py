"""A variation changes what it says and nothing else, and what came out is told as in the docs."""

import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from cart_elc.datasets import load
from cart_elc_reproduction.protocol.specification import MAIN_CRITERION, PAPER_R, Study
from cart_elc_reproduction.protocol.tasks import FitTask, TaskData
from cart_elc_reproduction.sensitivity import COLUMN_ORDERS, SEEDS, STUDIES, seeds_text, verdicts_text

PAGE = (Path(__file__).parents[2] / "docs" / "reproduction.md").read_text(encoding="utf-8")
IRIS = TaskData.of(load("iris"))


def block(name):
    return re.search(rf"<!-- {name}:begin -->\n\n(.*?)\n\n<!-- {name}:end -->", PAGE, flags=re.DOTALL)[1]


@pytest.mark.parametrize("variation", COLUMN_ORDERS, ids=lambda variation: variation.name)
def test_an_order_moves_columns_and_keeps_rows_and_labels(variation):
    data = variation.data(IRIS)
    assert data.y is IRIS.y
    assert sorted(map(tuple, data.X.T)) == sorted(map(tuple, IRIS.X.T))


def test_the_orders_differ_and_the_first_is_that_of_the_tables():
    orders = [tuple(variation.columns(13)) for variation in COLUMN_ORDERS]
    assert len(set(orders)) == len(orders)
    assert orders[0] == tuple(range(13))


def test_seeds_are_those_that_their_name_says():
    task = FitTask("cancer", "oc1", MAIN_CRITERION, None, 0, 0)
    for variation in SEEDS:
        assert f"seeds {task.seed + variation.first_trial} to" in variation.name


def test_a_variation_runs_the_study_with_its_own_trials():
    study = Study(("cart-elc",), (MAIN_CRITERION,), PAPER_R | {"iris": 1})
    results = SEEDS[1].results(study, {"iris": IRIS}, 1, jobs=1)
    (grid_point, *_), (result, *_) = zip(*results.by_point.items(), strict=True)
    assert (grid_point.dataset, result.trials) == ("iris", (SEEDS[1].first_trial,))
    task = FitTask("iris", "cart-elc", MAIN_CRITERION, 1, SEEDS[1].first_trial, 0)
    expected = [record["accuracy"] for record in task.run(IRIS)]
    found = [r["accuracy"] for r in results.of_kind("fit") if r["fold"] == 0]
    np.testing.assert_array_equal(found, expected)


def test_the_verdicts_are_told_as_in_the_docs():
    study = Study(("cart-elc",), (MAIN_CRITERION,), PAPER_R | {"iris": 1})
    by_order = {v.name: v.results(study, {"iris": IRIS}, 1, jobs=1) for v in COLUMN_ORDERS[:2]}
    lines, told = verdicts_text(by_order).splitlines(), block("column_order").splitlines()
    assert lines[:2] == told[:2]
    assert [line.split("|")[1] for line in lines[2:4]] == [line.split("|")[1] for line in told[2:4]]
    assert re.fullmatch(
        r"Of \d+ published figures of CART-ELC, \d+ change .* of the 2 orders. Those that change:", lines[5]
    )


def test_the_docs_have_every_study_and_every_variation():
    for name, study in STUDIES.items():
        assert all(variation.name in block(name) for variation in study.variations)
    assert seeds_text({}).splitlines()[:2] == block("seed_spread").splitlines()[:2]
