"""Workers on a Dask cluster: joblib hands the tasks over, and a cluster that is lost is told in one line."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from joblib import Parallel, parallel_config

SECONDS_TO_CONNECT = 10
# They would tell the stacks of a lost connection beside the one line that says so.
LOGS_OF_CONNECTIONS = ("distributed", "distributed.client", "tornado.application", "asyncio")


@contextmanager
def cluster_workers(address: str, **options: Any) -> Iterator[Any]:  # noqa: ANN401
    """Give joblib's parallel runner, with its options, on the cluster whose scheduler is at the address.

    Raises
    ------
    ValueError
        If Dask is not installed, its scheduler does not answer or goes away, or workers die.
    """
    with connected(address) as client, parallel_config(backend="dask", client=client):
        print(f"on the cluster at {address}, dashboard {client.dashboard_link}", file=sys.stderr)
        try:
            yield Parallel(n_jobs=-1, **options)
        except import_module("distributed").scheduler.KilledWorker as error:
            raise ValueError(f"the cluster gave a task up, --resume goes on: {error}") from None
        except CancelledError:
            raise ValueError(f"the scheduler at {address} is gone: --resume goes on") from None


def connected(address: str) -> Any:  # noqa: ANN401
    """Return a client of the Dask cluster at the address."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ValueError("--scheduler needs Dask: pip install cart-elc-reproduction[cluster]") from None
    for name in LOGS_OF_CONNECTIONS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        return distributed.Client(address, timeout=SECONDS_TO_CONNECT)
    except (OSError, ValueError, MemoryError) as error:
        # Dask reads the first bytes of another service's answer as a length, and asks for that much memory.
        raise ValueError(f"no Dask scheduler answers at {address}: {error}") from None
