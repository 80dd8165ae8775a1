"""A progress bar with the time left, on standard error."""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TextIO

Kind = tuple[str, ...]
WIDTH = 30
SECONDS_BETWEEN = 0.2
SECONDS_BETWEEN_LINES = 30.0


class Progress:
    """Counts tasks by kind and tells how long the rest will take.

    The work done and left is weighed by the mean time of each kind so far (the mean of all for a kind not met yet), so
    that a grid of quick and slow fits gives a steady estimate, whatever the number of workers. The time that workers
    take to start is not work, and is left out.
    """

    def __init__(self, kinds: Iterable[Kind], stream: TextIO | None = None) -> None:
        self.left = Counter(kinds)
        self.total = sum(self.left.values())
        self.done = 0
        self.seconds: dict[Kind, list[float]] = defaultdict(list)
        self.stream = sys.stderr if stream is None else stream
        self.live = self.stream.isatty()
        self.start = time.monotonic()
        self.start_of_work = self.start
        self.shown = self.start if not self.live else 0.0

    def advance(self, kind: Kind, seconds: float) -> None:
        """Count a task as done."""
        self.done += 1
        self.left[kind] -= 1
        self.seconds[kind].append(seconds)
        now = time.monotonic()
        if self.done == 1:
            self.start_of_work = max(self.start, now - seconds)
        pause = SECONDS_BETWEEN if self.live else SECONDS_BETWEEN_LINES
        if now - self.shown >= pause or (self.done == self.total and self.live):
            self.shown = now
            self._show()

    def seconds_left(self) -> float:
        """Return the estimated time until the end."""
        spent = sum(map(sum, self.seconds.values()))
        mean = spent / max(self.done, 1)
        means = {kind: sum(times) / len(times) for kind, times in self.seconds.items()}
        ahead = sum(count * means.get(kind, mean) for kind, count in self.left.items())
        elapsed = time.monotonic() - self.start_of_work
        return elapsed * ahead / spent if spent > 0 else 0.0

    def line(self) -> str:
        """Return the bar as text."""
        filled = WIDTH * self.done // max(self.total, 1)
        bar = "#" * filled + "." * (WIDTH - filled)
        elapsed, left = clock(time.monotonic() - self.start), clock(self.seconds_left())
        return f"[{bar}] {self.done}/{self.total} trees, {elapsed} gone, {left} left"

    def close(self) -> None:
        """End the line of a live bar."""
        if self.live and self.done:
            self.stream.write("\n")
            self.stream.flush()

    def _show(self) -> None:
        self.stream.write(f"\r{self.line()}\x1b[K" if self.live else self.line() + "\n")
        self.stream.flush()


def clock(seconds: float) -> str:
    """Return a duration as m:ss, or h:mm:ss from an hour on."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
