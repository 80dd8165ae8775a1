"""A lock on a run's folder: two runs at once would grow every tree twice and drop each other's records."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where two runs into one folder are not told apart
    fcntl = None  # type: ignore[assignment]

WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder; the system ends the lock with the process, however that ends.

    Raises
    ------
    ValueError
        If another run has it.
    """
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        lock(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def lock(descriptor: int, folder: Path) -> None:
    """Take the lock, where the file system has locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ValueError(f"another run is writing to {folder}: wait for it, or choose another --out") from None
    except OSError as error:
        if error.errno not in WITHOUT_LOCKS:
            raise
