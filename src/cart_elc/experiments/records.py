"""Records: one JSON line for each fit, appended and flushed as it ends, so that a killed run loses nothing.

A record's identity says what was run (its ``kind`` and the fields that `IDENTITY` lists for it). The file holds each
identity once, in the order in which the fits ended.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where two runs into one folder are not told apart
    fcntl = None  # type: ignore[assignment]

from cart_elc import storage
from cart_elc.datasets import CATALOGUE
from cart_elc.estimators.registry import from_document
from cart_elc.experiments.algorithms import ALGORITHMS
from cart_elc.experiments.environment import versions
from cart_elc.experiments.tasks import Growth, Record, Task

FIT = ("dataset", "algorithm", "criterion", "r", "max_depth", "trial", "fold", "inner")
IDENTITY: dict[str, tuple[str, ...]] = {
    "fit": FIT,
    "model": ("dataset", "algorithm", "criterion", "r", "max_depth"),
    "split": ("n", "r"),
    "gap": ("dataset",),
}
RESULTS: dict[str, tuple[str, ...]] = {
    "fit": (
        *("accuracy", "leaves", "depth", "proven", "seconds", "seed", "grown_with"),
        *("data", "versions", "machine", "finished"),
    ),
    "model": ("model", "seconds", "versions", "machine", "finished"),
    "split": ("seconds", "n_boxes", "n_candidates", "versions", "machine", "finished"),
    "gap": ("reason",),
}
Key = tuple[object, ...]


def is_text(value: object) -> bool:
    """Whether a value is a text that says something."""
    return isinstance(value, str) and value != ""


def is_count(value: object) -> bool:
    """Whether a value is a whole number from 0 on."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_count_or_none(value: object) -> bool:
    """Whether a value is a whole number from 0 on, or absent."""
    return value is None or is_count(value)


def is_amount(value: object) -> bool:
    """Whether a value is a finite number from 0 on."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")


def is_share(value: object) -> bool:
    """Whether a value is a number from 0 to 1."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def is_mapping(value: object) -> bool:
    """Whether a value is a mapping that holds something."""
    return isinstance(value, dict) and bool(value)


def is_machine(value: object) -> bool:
    """Whether a value tells what `machine` tells."""
    return isinstance(value, dict) and {"system", "processor", "processors"} <= set(value)


def is_model(value: object) -> bool:
    """Whether a value is a whole model."""
    if not isinstance(value, dict):
        return False
    try:
        storage.parse("the record", value, from_document)
    except ValueError:
        return False
    return True


CHECKS: dict[str, Callable[[object], bool]] = {
    "dataset": lambda value: isinstance(value, str) and value in CATALOGUE,
    "algorithm": lambda value: isinstance(value, str) and value in ALGORITHMS,
    "criterion": is_text,
    "r": is_count_or_none,
    "n": is_count,
    "max_depth": is_count_or_none,
    "trial": is_count,
    "fold": is_count,
    "inner": is_count_or_none,
    "accuracy": is_share,
    "leaves": lambda value: is_count(value) and value != 0,
    "depth": is_count,
    "seconds": is_amount,
    "proven": lambda value: isinstance(value, bool),
    "seed": is_count,
    "data": lambda value: isinstance(value, dict) and is_text(value.get("digest")) and "copy" in value,
    "grown_with": is_mapping,
    "versions": is_mapping,
    "machine": is_machine,
    "finished": is_text,
    "model": is_model,
    "n_boxes": is_count,
    "n_candidates": is_amount,
    "reason": is_text,
}
"""What each field must be, so that a damaged line is told from a record before a report is made of it."""


def key_of(record: Record) -> Key:
    """Return a record's identity as a key."""
    kind = record["kind"]
    return (kind, *(record[name] for name in IDENTITY[kind]))


def parse(line: str) -> Record | None:
    """Return the record of a line, or None if it is not a whole record."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    kind = record.get("kind") if isinstance(record, dict) else None
    if not isinstance(kind, str) or kind not in IDENTITY:
        return None
    names = (*IDENTITY[kind], *RESULTS[kind])
    whole = all(name in record and CHECKS[name](record[name]) for name in names)
    return record if whole else None


def read_records(path: Path) -> tuple[list[Record], list[str]]:
    """Return the records of a file, the last of each identity, and the lines that are none."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    parsed = [(line, parse(line)) for line in text.split("\n") if line.strip()]
    records = {key_of(record): record for _, record in parsed if record is not None}
    return list(records.values()), [line for line, record in parsed if record is None]


def ends_with_a_line(path: Path) -> bool:
    """Whether a file is empty, absent or ends with a line break, so that a line can be appended."""
    if not path.is_file() or path.stat().st_size == 0:
        return True
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read() == b"\n"


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
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise ValueError(f"another run is writing to {folder}: wait for it, or choose another --out") from None
    except OSError:
        pass  # a file system without locks
    try:
        yield
    finally:
        os.close(descriptor)


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
            held.enter_context(locked(path.parent))
            records, self.rejected = read_records(path)
            self._records = {key_of(record): record for record in records}
            if self.rejected or not ends_with_a_line(path):
                self._repair()
            self._file = held.enter_context(path.open("a", encoding="utf-8"))
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
        record = storage.plain(record)
        self._file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        self._file.flush()
        self._records[key_of(record)] = record

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
            if isinstance(task, Growth):
                record = self._records.get(key_of(task.identities()[0]))
                if record is not None and record["grown_with"] != task.recipe():
                    raise ValueError(
                        f"{self.path} has records of {task.algorithm} with other parameters, by another version of "
                        "cart-elc: choose another --out"
                    )

    def of_other_builds(self) -> int:
        """Return how many records another build of the program made."""
        ours = versions()["build"]
        return sum(record["versions"].get("build") != ours for record in self.records if "versions" in record)

    def _repair(self) -> None:
        """Write the file anew with whole records only; it is put in place when complete."""
        if self.rejected:
            with self.rejected_path.open("a", encoding="utf-8") as file:
                file.writelines(line + "\n" for line in self.rejected)
        draft = self.path.with_suffix(".part")
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in self._records.values())
        draft.write_text("".join(lines), encoding="utf-8")
        draft.replace(self.path)
