"""A progress bar on standard error: redrawn on a terminal, now and then a line in a log."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from tqdm import tqdm

SECONDS_BETWEEN = 0.2
SECONDS_BETWEEN_LINES = 30.0


def progress_bar(total: int, stream: TextIO | None = None) -> tqdm[Any]:
    """Return a bar that counts tasks and tells the time left."""
    stream = sys.stderr if stream is None else stream
    pause = SECONDS_BETWEEN if stream.isatty() else SECONDS_BETWEEN_LINES
    # A smoothing of 0 takes the mean rate so far: quick and slow tasks alternate, so the latest ones tell little.
    return tqdm(total=total, unit=" tasks", file=stream, mininterval=pause, maxinterval=pause, smoothing=0)
