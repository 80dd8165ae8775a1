"""Which trees a reader is shown: the grid points that the selection rule takes for CART-ELC by the main criterion."""

from __future__ import annotations

from cart_elc_reproduction.protocol.specification import MAIN_CRITERION
from cart_elc_reproduction.protocol.tasks import RefitTask
from cart_elc_reproduction.results.gathering import Result, Results

SHOWN = ("cart-elc", "cart-elc-margin")


def shown_results(results: Results) -> list[Result]:
    """Return the results whose trees are shown, chosen among every r that was run."""
    found = (results.chosen(dataset, form, MAIN_CRITERION) for dataset in results.datasets_run for form in SHOWN)
    return [result for result in found if result is not None]


def refit_tasks(results: Results) -> list[RefitTask]:
    """Return the fits on all rows that give these trees."""
    return [RefitTask(*result.point) for result in shown_results(results)]
