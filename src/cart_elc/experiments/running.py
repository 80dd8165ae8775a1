"""Carrying out tasks: joblib is the seam, on this machine's processors or on a Dask cluster."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import joblib
from joblib import Parallel, delayed, parallel_config

from cart_elc.experiments.progress import Progress
from cart_elc.experiments.records import RecordFile
from cart_elc.experiments.tasks import Growth, Material, Record, Refit, Task

SECONDS_TO_CONNECT = 10
SECONDS_BETWEEN_LOOKS = 1.0
# They would tell the stacks of a lost connection beside the one line that says so.
LOGS_OF_CONNECTIONS = ("distributed", "distributed.client", "tornado.application", "asyncio")
# A batch would hand over its first fit only with its last one.
ONE_BY_ONE: Mapping[str, Any] = {"return_as": "generator_unordered", "batch_size": 1}


@dataclass(frozen=True)
class Execution:
    """Where tasks run: on ``jobs`` processors here (-1 for all), or on the Dask cluster at ``scheduler``."""

    jobs: int = -1
    scheduler: str | None = None


def run_tasks(
    tasks: Sequence[Task], materials: Mapping[str, Material], records: RecordFile, execution: Execution
) -> int:
    """Run the tasks that have no record yet and record each as it ends; return their number.

    The records do not depend on the execution, save for times, machine and order.
    """
    pending = records.pending(tasks)
    progress = Progress(task.kind for task in pending)
    if not pending:
        return 0
    try:
        with workers(execution) as parallel:
            calls = (delayed(run_task)(task, material_of(task, materials)) for task in pending)
            with interrupts_ignored():
                results = parallel(calls)
            for task, found in results:
                for record in found:
                    records.add(record)
                progress.advance(task.kind, found[-1]["seconds"])
    finally:
        progress.close()
    return len(pending)


def run_task(task: Task, material: Material | None) -> tuple[Task, list[Record]]:
    """Run one task; this is what a worker is sent."""
    return task, task.run(material)


def dying_with_us() -> dict[str, Any]:
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


def material_of(task: Task, materials: Mapping[str, Material]) -> Material | None:
    """Return the data that a task needs."""
    return materials[task.dataset] if isinstance(task, Growth | Refit) else None


@contextmanager
def workers(execution: Execution) -> Iterator[Any]:
    """Give a parallel runner that yields results as they come.

    Raises
    ------
    ValueError
        If Dask is not installed, its scheduler does not answer, or workers die.
    """
    if execution.scheduler is None:
        try:
            yield Parallel(n_jobs=execution.jobs, **ONE_BY_ONE, **dying_with_us())
        except BrokenExecutor:
            raise ValueError("a worker process was killed, most often for want of memory: --resume goes on") from None
        return
    with connected(execution.scheduler) as client, parallel_config(backend="dask", client=client):
        print(f"on the cluster at {execution.scheduler}, dashboard {client.dashboard_link}", file=sys.stderr)
        try:
            yield Parallel(n_jobs=-1, **ONE_BY_ONE)
        except import_module("distributed").scheduler.KilledWorker as error:
            raise ValueError(f"the cluster gave a task up, --resume goes on: {error}") from None
        except CancelledError:
            raise ValueError(f"the scheduler at {execution.scheduler} is gone: --resume goes on") from None


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


def connected(address: str) -> Any:  # noqa: ANN401
    """Return a client of the Dask cluster at the address."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ValueError("--scheduler needs Dask: pip install cart-elc[cluster]") from None
    for name in LOGS_OF_CONNECTIONS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        return distributed.Client(address, timeout=SECONDS_TO_CONNECT)
    except (OSError, ValueError, MemoryError) as error:
        # Dask reads the first bytes of another service's answer as a length, and asks for that much memory.
        raise ValueError(f"no Dask scheduler answers at {address}: {error}") from None
