"""A whole run: the protocol's tasks, then the trees that the selection rule takes from their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cart_elc_reproduction.protocol.tasks import Task, TaskData
from cart_elc_reproduction.results.gathering import Results
from cart_elc_reproduction.results.shown_trees import refit_tasks
from cart_elc_reproduction.run.execution import Execution, run_tasks
from cart_elc_reproduction.run.records import RecordFile


def reproduce(
    tasks: Sequence[Task], data_by_name: Mapping[str, TaskData], records: RecordFile, execution: Execution
) -> None:
    """Run the tasks that have no record yet, and fit the chosen trees on all rows of the same data sets."""
    run_tasks(tasks, data_by_name, records, execution)
    refits = [task for task in refit_tasks(Results(records.records)) if task.dataset in data_by_name]
    run_tasks(refits, data_by_name, records, execution)
