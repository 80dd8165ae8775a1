"""One small run with everything that a report can show, made once for all tests."""

import pytest

# Shared by tests; nothing in it is a test.
collect_ignore = ["runs.py"]
QUICK = ("cart-elc", "cart-elc-margin", "cart-elc-default", "hhcart-d", "cart", "c4.5", "cart-grid")


def is_quick(task):
    """Leave out what takes long and shows nothing more: r = 4, r = 3 within inner folds, and large timings."""
    r, inner = getattr(task, "r", None), getattr(task, "inner", None)
    return r != 4 and (r != 3 or inner is None) and getattr(task, "n", 0) <= 1000


@pytest.fixture(scope="session")
def records(tmp_path_factory):
    """Two trials of quick algorithms on iris, and a gap."""
    from cart_elc.datasets import load
    from cart_elc_reproduction.protocol.specification import plan
    from cart_elc_reproduction.protocol.tasks import TaskData
    from cart_elc_reproduction.run.execution import Execution, reproduce
    from cart_elc_reproduction.run.records import RecordFile

    with RecordFile(tmp_path_factory.mktemp("run") / "records.jsonl") as file:
        tasks = [task for task in plan(["all"], ["iris"], QUICK, 2) if is_quick(task)]
        reproduce(tasks, {"iris": TaskData.of(load("iris"))}, file, Execution(jobs=1))
        file.add({"kind": "gap", "dataset": "dim", "reason": "dim is not here: put dim.csv <into> a folder"})
        return file.records


@pytest.fixture(scope="session")
def report(records):
    from cart_elc_reproduction.report.sections import build_report

    return build_report(records)


@pytest.fixture(scope="session")
def page(records, tmp_path_factory):
    from cart_elc_reproduction.report.sections import write_report

    return write_report(records, tmp_path_factory.mktemp("report"))
