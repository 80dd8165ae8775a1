"""What tests of whole runs share: records without their accidents, and runs that are watched from outside."""

import time

import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from cart_elc_reproduction.run.record_schema import key_of
from cart_elc_reproduction.run.records import read_records

ACCIDENTAL = {"seconds", "finished", "machine", "versions"}


def content(records):
    """What must not depend on who made the records, when and on what."""
    return {key_of(record): {k: v for k, v in record.items() if k not in ACCIDENTAL} for record in records}


def fits(folder):
    records, rejected = read_records(folder / "records.jsonl")
    assert rejected == []
    return content(record for record in records if record["kind"] == "fit")


def wait_for_lines(path, n, process):
    """Wait until the file has some lines; the process must not have ended before."""
    for _ in range(1200):
        if path.is_file() and path.read_text().count("\n") >= n:
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    raise AssertionError(f"{path} does not grow")
