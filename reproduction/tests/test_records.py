"""Records survive a kill, a half-written line and damage; tasks are done once."""

import json

import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from cart_elc.datasets import load
from cart_elc.estimators.registry import from_document
from cart_elc_reproduction.protocol.tasks import FitTask, RefitTask, TaskData, TimingTask
from cart_elc_reproduction.run.execution import Execution, run_tasks
from cart_elc_reproduction.run.records import RecordFile, read_records
from runs import content

IRIS = {"iris": TaskData.of(load("iris"))}
TASKS = [FitTask("iris", "cart-elc", "twoing", r, 0, fold) for r in (1, 2) for fold in range(5)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run" / "records.jsonl"


@pytest.fixture(scope="module")
def undamaged(tmp_path_factory):
    """The text of a run's file."""
    path = tmp_path_factory.mktemp("undamaged") / "records.jsonl"
    run(path)
    return path.read_text()


@pytest.fixture
def whole(path, undamaged):
    """The records of a run whose file is in place."""
    path.parent.mkdir()
    path.write_text(undamaged)
    return read_records(path)[0]


def run(path, tasks=TASKS, **execution):
    with RecordFile(path) as records:
        n_run = run_tasks(tasks, IRIS, records, Execution(**{"jobs": 1} | execution))
        return n_run, records.records


def test_a_fit_task_gives_a_record_for_each_depth_of_the_grid(path):
    _, records = run(path, TASKS[:1])
    assert [record["max_depth"] for record in records] == [1, 2, 3, 4, 5]
    assert [record["leaves"] for record in records] == sorted(record["leaves"] for record in records)
    record = records[0]
    assert (record["seed"], record["n_train"], record["n_test"]) == (71, 120, 30)
    assert record["proven"] is True
    assert len(record["versions"]["build"]) == 12
    assert {"accuracy", "depth", "seconds", "versions", "machine", "data"} <= set(record)


def test_the_folds_are_the_authors(path):
    from sklearn.model_selection import KFold, cross_val_score

    from cart_elc_reproduction.protocol.algorithms import WideMarginClassifier

    _, records = run(path, [FitTask("iris", "cart-elc-margin", "gini", 2, 3, fold) for fold in range(5)])
    found = [record["accuracy"] for record in records if record["max_depth"] == 2]
    folds = KFold(5, shuffle=True, random_state=71 + 3)
    model = WideMarginClassifier(r=2, criterion="gini", planes="through", max_depth=2)
    assert found == cross_val_score(model, IRIS["iris"].X, IRIS["iris"].y, cv=folds).tolist()


def test_inner_folds_stay_within_the_outer_training_rows():
    train, test = FitTask("iris", "cart-elc", "twoing", 1, 0, 0).rows(150)
    inner_train, inner_test = FitTask("iris", "cart-elc", "twoing", 1, 0, 0, inner=2).rows(150)
    assert sorted([*inner_train, *inner_test]) == sorted(train)
    assert not set(test) & {*inner_train, *inner_test}


def test_what_is_done_is_not_done_again(path):
    assert run(path)[0] == len(TASKS)
    before = path.read_text()
    assert run(path)[0] == 0
    assert path.read_text() == before


def test_the_records_do_not_depend_on_the_number_of_jobs(path, tmp_path):
    _, alone = run(path)
    _, together = run(tmp_path / "two.jsonl", jobs=2)
    assert content(alone) == content(together)


def test_a_half_written_last_line_is_repaired_and_its_fit_run_again(path, whole):
    text = path.read_text()
    path.write_text(text[: len(text) - 200])
    n_run, repaired = run(path)
    assert n_run == 1
    assert content(repaired) == content(whole)
    assert all(json.loads(line) for line in path.read_text().splitlines())


@pytest.mark.parametrize("damage", ["{}", "not json", '{"kind": "fit", "dataset": "iris"}', "\x00\x00", "[1, 2]"])
def test_a_damaged_line_is_set_aside_and_its_fit_run_again(path, whole, damage):
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:7], damage, *lines[8:]]) + "\n")
    n_run, repaired = run(path)
    assert n_run == 1
    assert content(repaired) == content(whole)
    assert path.with_suffix(".rejected").read_text() == damage + "\n"
    assert read_records(path)[1] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("accuracy", "0.9"),
        ("accuracy", 95.0),
        ("accuracy", None),
        ("leaves", 0),
        ("leaves", 2.5),
        ("seconds", -1.0),
        ("proven", "yes"),
        ("fold", "0"),
        ("dataset", "irix"),
        ("dataset", ["iris"]),
        ("algorithm", "cart-elk"),
        ("data", {}),
        ("versions", "1.0"),
        ("machine", {"system": "Linux"}),
        ("kind", ["fit"]),
        ("seed", 5),
        ("fold", 5),
        ("inner", 7),
        ("r", 7),
        ("r", None),
        ("max_depth", 6),
        ("max_depth", None),
        ("criterion", "gain_ratio"),
    ],
)
def test_a_record_with_a_value_that_cannot_be_is_set_aside_and_its_fit_run_again(path, whole, field, value):
    lines = path.read_text().splitlines()
    lines[7] = json.dumps(json.loads(lines[7]) | {field: value})
    path.write_text("\n".join(lines) + "\n")
    n_run, repaired = run(path)
    assert n_run == 1
    assert content(repaired) == content(whole)
    assert path.with_suffix(".rejected").read_text() == lines[7] + "\n"


@pytest.mark.parametrize("model", [{}, {"estimator": "ELCClassifier"}, {"estimator": ["ELCClassifier"]}, [1], "tree"])
def test_a_model_that_is_not_whole_is_set_aside_and_fitted_again(path, model):
    task = RefitTask("iris", "cart-elc-margin", "twoing", 2, 2)
    _, (whole,) = run(path, [task])
    path.write_text(json.dumps(whole | {"model": model}) + "\n")
    n_run, repaired = run(path, [task])
    assert n_run == 1
    assert content(repaired) == content([whole])


def test_a_gap_may_say_more_than_it_must(path):
    gap = {"kind": "gap", "dataset": "dim", "reason": "not here", "algorithm": "unheard of"}
    path.parent.mkdir()
    path.write_text(json.dumps(gap) + "\n")
    assert read_records(path) == ([gap], [])


def test_a_file_that_lost_its_last_line_break_is_not_written_on(path):
    run(path, TASKS[:1])
    path.write_text(path.read_text().removesuffix("\n"))
    n_run, records = run(path, TASKS[:2])
    assert n_run == 1
    assert len(records) == 10
    assert read_records(path) == (records, [])
    assert not path.with_suffix(".rejected").exists()


def test_records_behind_a_link_are_repaired_where_they_are(path, tmp_path):
    elsewhere = tmp_path / "kept.jsonl"
    path.parent.mkdir()
    path.symlink_to(elsewhere)
    run(path, TASKS[:1])
    elsewhere.write_text(elsewhere.read_text()[:-40])
    n_run, records = run(path, TASKS[:1])
    assert (n_run, len(records)) == (1, 5)
    assert path.is_symlink()
    assert len(elsewhere.read_text().splitlines()) == 5


def test_a_text_may_hold_any_sign(path):
    with RecordFile(path) as records:
        records.add({"kind": "gap", "dataset": "dim", "reason": "a folder named \u2028 \x85 \n"})
    assert len(read_records(path)[0]) == 1
    assert read_records(path)[1] == []


def test_two_runs_do_not_write_to_one_folder(path):
    with RecordFile(path), pytest.raises(ValueError, match=r"another run is writing to .*choose another --out"):
        RecordFile(path)
    with RecordFile(path):
        pass


def test_records_of_another_copy_of_the_data_are_not_mixed(path):
    run(path, TASKS[:1])
    with RecordFile(path) as records, pytest.raises(ValueError, match="has records of another copy of iris"):
        records.check_data("iris", "0123")


def test_records_of_an_algorithm_that_has_changed_since_are_not_mixed(path):
    run(path, TASKS[:1])
    path.write_text(path.read_text().replace('"missing": "right"', '"missing": "learn"'))
    with RecordFile(path) as records, pytest.raises(ValueError, match="has records of cart-elc with other parameters"):
        records.check_parameters(TASKS)


def test_records_that_changed_at_a_larger_depth_alone_are_not_mixed(path):
    _, records = run(path, TASKS[:1])
    records[-1]["grown_with"] = {"r": 7}
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    with RecordFile(path) as records, pytest.raises(ValueError, match="other parameters"):
        records.check_parameters(TASKS[:1])


def test_records_of_another_build_are_counted(path):
    run(path, TASKS[:1])
    lines = path.read_text().splitlines()
    lines[0] = lines[0].replace(json.loads(lines[0])["versions"]["build"], "0" * 12)
    path.write_text("\n".join(lines) + "\n")
    with RecordFile(path) as records:
        assert records.of_other_builds() == 1


def test_a_refit_keeps_the_whole_model(path):
    _, (record,) = run(path, [RefitTask("iris", "cart-elc-margin", "twoing", 2, 2)])
    model = from_document(json.loads(json.dumps(record["model"])))
    assert model.get_n_leaves() == 3
    assert list(model.classes_) == ["setosa", "versicolor", "virginica"]


def test_a_timing_task_measures_one_proven_split(path):
    _, (record,) = run(path, [TimingTask(100, 2)])
    assert record["proven"] is True
    assert record["n_candidates"] == 4950
