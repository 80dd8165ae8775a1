"""Carrying out a run: joblib is the seam, on this machine's processors or on a Dask cluster."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import joblib
from joblib import Parallel, delayed

from cart_elc_reproduction.protocol.tasks import FitTask, Record, RefitTask, Task, TaskData
from cart_elc_reproduction.results.gathering import Results
from cart_elc_reproduction.run.progress import progress_bar
from cart_elc_reproduction.run.records import RecordFile

SECONDS_BETWEEN_LOOKS = 1.0
# A batch would hand over its first fit only with its last one.
ONE_BY_ONE: Mapping[str, Any] = {"return_as": "generator_unordered", "batch_size": 1}


@dataclass(frozen=True)
class Execution:
    """Where tasks run: on ``jobs`` processors here (-1 for all), or on the Dask cluster at ``scheduler``."""

    jobs: int = -1
    scheduler: str | None = None


def reproduce(
    tasks: Sequence[Task], data_by_name: Mapping[str, TaskData], records: RecordFile, execution: Execution
) -> None:
    """Run the protocol's tasks, then fit the trees that the selection rule takes from their results on all rows."""
    run_tasks(tasks, data_by_name, records, execution)
    shown = (result.point for result in Results(records.records).shown)
    refits = [RefitTask(*point) for point in shown if point.dataset in data_by_name]
    run_tasks(refits, data_by_name, records, execution)


def run_tasks(
    tasks: Sequence[Task], data_by_name: Mapping[str, TaskData], records: RecordFile, execution: Execution
) -> int:
    """Run the tasks that have no record yet and record each as it ends; return their number.

    The records do not depend on the execution, save for times, machine and order.
    """
    pending = records.pending(tasks)
    if not pending:
        return 0
    with progress_bar(len(pending)) as bar, workers(execution) as parallel:
        calls = (delayed(run_task)(task, data_of(task, data_by_name)) for task in pending)
        with interrupts_ignored():
            results = parallel(calls)
        for found in results:
            for record in found:
                records.add(record)
            bar.update()
    return len(pending)


def run_task(task: Task, data: TaskData | None) -> list[Record]:
    """Run one task; this is what a worker is sent."""
    return task.run(data)


def parent_watch_options() -> dict[str, Any]:
    """Return options of joblib's workers that end them with this process.

    They would otherwise wait for one that was killed until they have been idle for five minutes, as they do with a
    joblib older than 1.5, which knows no such options.
    """
    if tuple(int(part) for part in joblib.__version__.split(".")[:2]) < (1, 5):
        return {}
    return {"initializer": end_with, "initargs": (os.getpid(),)}


def end_with(parent: int) -> None:
    """End this process when its parent is gone."""
    threading.Thread(target=watch, args=(parent,), daemon=True).start()


def watch(parent: int) -> None:
    """Look after the parent now and then."""
    while os.getppid() == parent:
        time.sleep(SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def data_of(task: Task, data_by_name: Mapping[str, TaskData]) -> TaskData | None:
    """Return the data that a task needs."""
    return data_by_name[task.dataset] if isinstance(task, FitTask | RefitTask) else None


@contextmanager
def workers(execution: Execution) -> Iterator[Any]:
    """Give a parallel runner that yields results as they come.

    Raises
    ------
    ValueError
        If a worker is killed, or the cluster cannot be had or is lost.
    """
    if execution.scheduler is not None:
        # Imported here, since a run on this machine needs none of it.
        from cart_elc_reproduction.run.cluster import cluster_workers

        with cluster_workers(execution.scheduler, **ONE_BY_ONE) as parallel:
            yield parallel
        return
    try:
        yield Parallel(n_jobs=execution.jobs, **ONE_BY_ONE, **parent_watch_options())
    except BrokenExecutor:
        raise ValueError("a worker process was killed, most often for want of memory: --resume goes on") from None


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C for a moment: processes started meanwhile ignore it for life.

    Ctrl-C reaches every process of a terminal. The one that gives out the work answers it and ends the workers, which
    would otherwise each print a traceback.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    answer = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, answer)
