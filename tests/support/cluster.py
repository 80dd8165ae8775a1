"""A Dask cluster of two processes on this machine, one of which a test may kill."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

PATIENCE = "5 minutes"
"""A busy machine may take longer to start a process than Dask waits by itself."""


@contextmanager
def two_workers() -> Iterator[Any]:
    """Yield the client of a cluster; the test is skipped where Dask is not installed."""
    dask, distributed = pytest.importorskip("dask"), pytest.importorskip("distributed")
    waits = {f"distributed.comm.timeouts.{name}": PATIENCE for name in ("connect", "tcp")}
    with (
        dask.config.set(waits),
        # On any free port: without an address it is 8787, which the cluster of a test that runs beside this may have.
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster, timeout=PATIENCE) as client,
    ):
        client.wait_for_workers(2, timeout=PATIENCE)
        yield client
