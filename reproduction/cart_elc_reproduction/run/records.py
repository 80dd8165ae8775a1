"""Records: one JSON line for each fit, appended and flushed as it ends, so that a killed run loses nothing.

The file holds each identity once, in the order in which the fits ended.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from filelock import FileLock, Timeout

from cart_elc.estimators.persistence import write_whole
from cart_elc.estimators.stored_values import plain
from cart_elc_reproduction.protocol.environment import versions
from cart_elc_reproduction.protocol.tasks import FitTask, Record, Task
from cart_elc_reproduction.run.record_schema import key_of, parse


def read_records(path: Path) -> tuple[list[Record], list[str]]:
    """Return the records of a file, the last of each identity, and the lines that are none."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    parsed = [(line, parse(line)) for line in text.split("\n") if line.strip()]
    records = {key_of(record): record for _, record in parsed if record is not None}
    return list(records.values()), [line for line, record in parsed if record is None]


def locked(folder: Path) -> FileLock:
    """Keep other runs out of a folder until the lock is released or this process ends, however it ends.

    Two runs at once would grow every tree twice and drop each other's records.

    Raises
    ------
    ValueError
        If another run has it.
    """
    lock = FileLock(folder / "run.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise ValueError(f"another run is writing to {folder}: wait for it, or choose another --out") from None
    return lock


def line_of(record: Record) -> str:
    """Return the line that holds a record."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def ends_with_a_line(path: Path) -> bool:
    """Whether a file is empty, absent or ends with a line break, so that a line can be appended."""
    if not path.is_file() or path.stat().st_size == 0:
        return True
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read() == b"\n"


class RecordFile:
    """The records of a run, in memory and on disk. One process at a time has them.

    Parameters
    ----------
    path : Path
        Made if it is not there. Lines that are not whole records (the last one of a killed run, or damaged ones) are
        moved to a file beside it, named ``.rejected``, and their fits count as not done.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rejected_path = path.with_suffix(".rejected")
        path.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            held.callback(locked(path.parent).release)
            records, self.rejected = read_records(path)
            self._records = {key_of(record): record for record in records}
            if self.rejected or not ends_with_a_line(path):
                self._repair()
            self._file = held.enter_context(path.open("ab", buffering=0))
            self._held = held.pop_all()

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    @property
    def records(self) -> list[Record]:
        """All records."""
        return list(self._records.values())

    def __contains__(self, identity: Record) -> bool:
        return key_of(identity) in self._records

    def pending(self, tasks: Iterable[Task]) -> list[Task]:
        """Return the tasks that lack a record."""
        return [task for task in tasks if not all(identity in self for identity in task.identities())]

    def add(self, record: Record) -> None:
        """Append a record, unless it is there, and hand it to the system at once."""
        if record in self:
            return
        record = plain(record)
        self._write(line_of(record).encode())
        self._records[key_of(record)] = record

    def _write(self, text: bytes) -> None:
        try:
            while text:
                text = text[self._file.write(text) :]
        except OSError as error:
            reason = f"{error.strerror}; when that is mended, --resume goes on"
            raise OSError(error.errno, reason, str(self.path)) from error

    def check_data(self, dataset: str, digest: str) -> None:
        """Refuse to mix records of two copies of a data set."""
        others = {
            record["data"]["digest"]
            for record in self._records.values()
            if record["kind"] == "fit" and record["dataset"] == dataset
        } - {digest}
        if others:
            raise ValueError(f"{self.path} has records of another copy of {dataset}: choose another --out")

    def check_parameters(self, tasks: Iterable[Task]) -> None:
        """Refuse to go on with records of the same fits by other parameters: an algorithm has changed since."""
        for task in tasks:
            if isinstance(task, FitTask):
                recipe, keys = task.recipe(), map(key_of, task.identities())
                if any(self._records[key]["grown_with"] != recipe for key in keys if key in self._records):
                    raise ValueError(
                        f"{self.path} has records of {task.algorithm} with other parameters, by another version of "
                        "cart-elc: choose another --out"
                    )

    def of_other_builds(self) -> int:
        """Return how many records another build of the program made."""
        ours = versions()["build"]
        return sum(record["versions"].get("build") != ours for record in self.records if "versions" in record)

    def _repair(self) -> None:
        """Write the file anew with whole records only."""
        if self.rejected:
            with self.rejected_path.open("a", encoding="utf-8") as file:
                file.writelines(line + "\n" for line in self.rejected)
        write_whole(self.path, "".join(map(line_of, self._records.values())))
