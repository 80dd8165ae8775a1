"""The whole chain on iris: run, kill, go on, run on a cluster; the same numbers every time."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from cart_elc_reproduction.run.records import read_records
from program import command, run
from runs import fits, wait_for_lines

PART = ("table5", "--dataset", "iris", "--trials", 1)
N_RECORDS = 5 * 4 * 3 * 5  # folds, r, criteria, depths
A_FEW = 25  # records after which a run is disturbed, with most of its trees ahead of it


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Records of a run by one process."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert run("reproduce", *PART, "--jobs", 1, "--out", folder) == 0
    return folder


def test_the_whole_chain_runs_and_ends_with_the_reports_path(undisturbed, capsys):
    assert run("reproduce", *PART, "--resume", "--jobs", 1, "--out", undisturbed) == 0
    assert capsys.readouterr().out.strip() == f"report: {undisturbed / 'report.html'}"
    assert len(fits(undisturbed)) == N_RECORDS
    assert (undisturbed / "report.md").read_text().startswith("# CART-ELC, reproduced")
    assert len(list((undisturbed / "figures").glob("tree-*.svg"))) == 1


def test_records_are_not_overwritten_without_resume(undisturbed, capsys):
    assert run("reproduce", *PART, "--out", undisturbed) == 2
    assert "add --resume to go on with them" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc to find the workers")
def test_a_killed_run_leaves_no_workers_behind_goes_on_where_it_stopped_and_loses_nothing(undisturbed, tmp_path):
    path = tmp_path / "records.jsonl"
    arguments = command("reproduce", *PART, "--jobs", 2, "--out", tmp_path)
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for_lines(path, A_FEW, process)
        workers = workers_of(process.pid)
        process.kill()
    survived = read_records(path)[0]
    assert A_FEW <= len(survived) < N_RECORDS
    wait_for_the_end(workers)
    assert read_records(path)[0] == survived
    path.write_bytes(path.read_bytes() + b'{"kind": "fit", "dataset": "ir')
    assert run("reproduce", *PART, "--jobs", 1, "--out", tmp_path, "--resume") == 0
    assert fits(tmp_path) == fits(undisturbed)
    assert read_records(path)[0][: len(survived)] == survived


def wait_for_the_end(pids):
    """Wait until none of the processes goes on."""
    for _ in range(600):
        left = [pid for pid in pids if Path(f"/proc/{pid}").is_dir() and "Z" not in state_of(pid)]
        if not left:
            return
        time.sleep(0.05)
    raise AssertionError(f"{left} go on")


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_an_interrupted_run_says_how_to_go_on(tmp_path):
    arguments = command("reproduce", *PART, "--jobs", 2, "--out", tmp_path)
    with subprocess.Popen(
        arguments,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A test runner in the background may have told its children to ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        wait_for_lines(tmp_path / "records.jsonl", A_FEW, process)
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command with --resume goes on" in stderr
    assert "Traceback" not in stderr


def state_of(pid):
    """Return the state of a process, Z for one that has ended and not been asked after."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_full_disk_is_one_line_and_the_run_goes_on(undisturbed, tmp_path):
    arguments = command("reproduce", *PART, "--jobs", 1, "--out", tmp_path)
    process = subprocess.run(
        arguments, capture_output=True, text=True, preexec_fn=limit_files, timeout=120, check=False
    )
    assert process.returncode == 2
    last = process.stderr.splitlines()[-1]
    assert re.fullmatch(r"cart-elc: \S*records\.jsonl: .+; when that is mended, --resume goes on", last)
    assert run("reproduce", *PART, "--jobs", 1, "--out", tmp_path, "--resume") == 0
    assert fits(tmp_path) == fits(undisturbed)


def limit_files():
    """Let no file of this process grow beyond 20,000 bytes."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc to find the workers")
def test_a_worker_that_is_killed_ends_the_run_with_one_line_and_it_goes_on(undisturbed, tmp_path):
    arguments = command("reproduce", *PART, "--jobs", 2, "--out", tmp_path)
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_lines(tmp_path / "records.jsonl", A_FEW, process)
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        _, stderr = process.communicate(timeout=120)
    assert process.returncode == 2
    # joblib's own watcher of resources, a process apart, may have its say after ours.
    (said,) = (line for line in stderr.splitlines() if line.startswith("cart-elc: "))
    assert said.startswith("cart-elc: a worker process was killed")
    assert "Traceback" not in stderr
    assert run("reproduce", *PART, "--jobs", 1, "--out", tmp_path, "--resume") == 0
    assert fits(tmp_path) == fits(undisturbed)


def workers_of(pid):
    """Return the processes that a run has started to grow trees."""
    children = [
        child for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]
    workers = [int(child) for child in children if "popen_loky" in Path(f"/proc/{child}/cmdline").read_text()]
    assert workers
    return workers


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers, each a process of its own; gives the address and the three."""
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    address_file = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    start = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--no-show"]
    work = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    processes = [subprocess.Popen([*start, "--scheduler-file", str(address_file)], **quiet)]
    try:
        for _ in range(600):
            if address_file.is_file() and address_file.read_text().strip().endswith("}"):
                break
            time.sleep(0.05)
        processes += [subprocess.Popen([*work, "--scheduler-file", str(address_file)], **quiet) for _ in range(2)]
        yield json.loads(address_file.read_text())["address"], processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_cluster_that_loses_a_process_half_way_gives_the_same_numbers(undisturbed, tmp_path, cluster):
    address, (_, worker, _) = cluster
    out = tmp_path / "out"
    arguments = command("reproduce", *PART, "--scheduler", address, "--out", out)
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_lines(out / "records.jsonl", N_RECORDS // 3, process)
        worker.kill()
        stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stderr
    assert stdout.startswith("report: ")
    assert "on the cluster at" in stderr
    assert fits(out) == fits(undisturbed)


def test_a_scheduler_that_is_killed_ends_the_run_with_one_line_and_it_goes_on(undisturbed, tmp_path, cluster):
    address, (scheduler, *_) = cluster
    out = tmp_path / "out"
    arguments = command("reproduce", *PART, "--scheduler", address, "--out", out)
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_lines(out / "records.jsonl", A_FEW, process)
        scheduler.kill()
        _, stderr = process.communicate(timeout=120)
    assert process.returncode == 2
    assert stderr.splitlines()[-1] == f"cart-elc: the scheduler at {address} is gone: --resume goes on"
    assert "Traceback" not in stderr
    assert run("reproduce", *PART, "--jobs", 1, "--out", out, "--resume") == 0
    assert fits(out) == fits(undisturbed)


def test_a_set_that_cannot_be_had_is_skipped_with_one_line_and_shown_as_a_gap(tmp_path, capsys):
    assert run("reproduce", "table5", "--dataset", "iris", "bright", "--trials", 1, "--jobs", 1, "--out", tmp_path) == 0
    err = capsys.readouterr().err
    assert err.count("skipped: bright is not here: put bright.csv") == 1
    text = (tmp_path / "report.md").read_text()
    assert "S/G Bright is missing: bright is not here" in text
    assert "98.9 ± 0.2" in text  # the published figure stands alone


def test_a_part_that_has_nothing_to_run_says_so(tmp_path, capsys):
    assert run("reproduce", "figures", "--algorithm", "cart", "c4.5", "--dataset", "iris", "--out", tmp_path) == 2
    assert capsys.readouterr().err == "cart-elc: figures does not run cart or c4.5\n"


def test_a_data_folder_with_wrong_files_stops_the_run(tmp_path, capsys):
    (tmp_path / "pima.csv").write_text("a,target\n1,0\n2,1\n")
    assert run("reproduce", "table5", "--dataset", "diabetes", "--data-dir", tmp_path, "--out", tmp_path / "out") == 2
    assert "diabetes from" in capsys.readouterr().err


def test_a_run_is_not_mixed_with_records_of_other_data(undisturbed, tmp_path, capsys):
    path = tmp_path / "records.jsonl"
    text = (undisturbed / "records.jsonl").read_text()
    digest = next(iter(fits(undisturbed).values()))["data"]["digest"]
    path.write_text(text.replace(digest, "0" * 16))
    assert run("reproduce", *PART, "--out", tmp_path, "--resume") == 2
    assert "has records of another copy of iris" in capsys.readouterr().err


def test_an_address_where_another_service_answers_is_refused_in_one_line(tmp_path, capsys):
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:
        server.settimeout(60)
        pool.submit(answer_as_a_web_server, server)
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        assert run("reproduce", *PART, "--scheduler", address, "--out", tmp_path) == 2
    assert f"cart-elc: no Dask scheduler answers at {address}" in capsys.readouterr().err.splitlines()[-1]


def answer_as_a_web_server(server):
    connection, _ = server.accept()
    with connection:
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        connection.recv(1)


def test_without_dask_the_scheduler_option_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run("reproduce", *PART, "--scheduler", "tcp://127.0.0.1:1", "--out", tmp_path) == 2
    assert "pip install cart-elc-reproduction[cluster]" in capsys.readouterr().err


def test_nothing_to_run_is_an_error(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("CART_ELC_DATA", raising=False)
    assert run("reproduce", "table5", "--dataset", "bright", "--trials", 1, "--jobs", 1, "--out", tmp_path) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "cart-elc: nothing to run: none of bright is here; cart-elc datasets says how to get them"
