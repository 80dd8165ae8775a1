"""Records: one JSON line for each fit, appended and flushed as it ends, so that a killed run loses nothing.

A record's identity says what was run (its ``kind`` and the fields that `IDENTITY` lists for it). The file holds each
identity once, in the order in which the fits ended.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from cart_elc.experiments.tasks import Record, Task
from cart_elc.storage import plain

FIT = ("dataset", "algorithm", "criterion", "r", "max_depth", "trial", "fold", "inner")
IDENTITY: dict[str, tuple[str, ...]] = {
    "fit": FIT,
    "model": ("dataset", "algorithm", "criterion", "r", "max_depth"),
    "split": ("n", "r"),
    "gap": ("dataset",),
}
RESULTS: dict[str, tuple[str, ...]] = {
    "fit": ("accuracy", "leaves", "depth", "seconds", "proven", "seed", "data", "versions", "machine"),
    "model": ("model", "seconds"),
    "split": ("seconds", "n_boxes"),
    "gap": ("reason",),
}
Key = tuple[object, ...]


def key_of(record: Record) -> Key:
    """Return a record's identity as a key."""
    kind = record["kind"]
    return (kind, *(record[name] for name in IDENTITY[kind]))


def parse(line: str) -> Record | None:
    """Return the record of a line, or None if it is not a whole record."""
    try:
        record = json.loads(line)
    except ValueError:
        return None
    if not isinstance(record, dict) or record.get("kind") not in IDENTITY:
        return None
    kind: str = record["kind"]
    complete = all(name in record for name in (*IDENTITY[kind], *RESULTS[kind]))
    return record if complete else None


def read_records(path: Path) -> tuple[list[Record], list[str]]:
    """Return the records of a file, the last of each identity, and the lines that are none."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    parsed = [(line, parse(line)) for line in text.splitlines() if line.strip()]
    records = {key_of(record): record for _, record in parsed if record is not None}
    return list(records.values()), [line for line, record in parsed if record is None]


class RecordFile:
    """The records of a run, in memory and on disk.

    Parameters
    ----------
    path : Path
        Made if it is not there. Lines that are not whole records (the last one of a killed run, or damaged ones) are
        moved to a file beside it, named ``.rejected``, and their fits count as not done.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rejected_path = path.with_suffix(".rejected")
        records, self.rejected = read_records(path)
        self._records = {key_of(record): record for record in records}
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.rejected:
            self._repair()
        self._file = path.open("a", encoding="utf-8")

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

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

    def _repair(self) -> None:
        """Write the file anew with whole records only; it is put in place when complete."""
        with self.rejected_path.open("a", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in self.rejected)
        draft = self.path.with_suffix(".part")
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in self._records.values())
        draft.write_text("".join(lines), encoding="utf-8")
        draft.replace(self.path)
