"""What a command writes never takes the place of what it reads, nor of a file that somebody else wrote."""

import os
from pathlib import Path

import pytest

from cart_elc import load
from program import run

ROWS = "a,b,y\n1,2,no\n3,1,yes\n4,,yes\n2,2,no\n"


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    """A folder with a table, a model, and a file of somebody's."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(ROWS)
    (tmp_path / "notes.txt").write_text("mine\n")
    assert run("fit", "t.csv", "--target", "y", "-o", "m.json") == 0
    capsys.readouterr()
    return tmp_path


OUTPUTS = {
    "fit": ["fit", "t.csv", "--target", "y", "-o"],
    "predict": ["predict", "m.json", "t.csv", "-o"],
    "show": ["show", "m.json", "--html"],
    "export": ["export", "m.json", "sql", "-o"],
    "export onnx": ["export", "m.json", "onnx", "-o"],
}


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def refused(capsys, *arguments):
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "forced"])
@pytest.mark.parametrize("way", ["plain", "other spelling", "soft link", "hard link"])
@pytest.mark.parametrize(
    ("command", "read"),
    [
        ("fit", "t.csv"),
        ("predict", "t.csv"),
        ("predict", "m.json"),
        ("show", "m.json"),
        ("export", "m.json"),
        ("export onnx", "m.json"),
    ],
)
def test_an_output_that_is_an_input_is_refused_in_one_line(folder, capsys, command, read, way, force):
    name = {"plain": read, "other spelling": f"../{folder.name}/./{read}"}.get(way, "link")
    if way == "soft link":
        Path(name).symlink_to(read)
    elif way == "hard link":
        os.link(read, name)
    before = contents(folder)
    assert f"{name} is read by this command" in refused(capsys, *OUTPUTS[command], name, *force)
    assert contents(folder) == before


@pytest.mark.parametrize("command", OUTPUTS)
def test_a_file_of_somebody_else_is_replaced_only_by_force(folder, capsys, command):
    if command == "export onnx":
        pytest.importorskip("onnx")
    before = contents(folder)
    message = refused(capsys, *OUTPUTS[command], "notes.txt")
    assert "notes.txt exists, and it does not look like a file of cart-elc: --force replaces it" in message
    assert contents(folder) == before
    assert run(*OUTPUTS[command], "notes.txt", "--force") == 0
    assert (folder / "notes.txt").read_bytes() != b"mine\n"
    assert [name for name in contents(folder) if name not in before] == []


@pytest.mark.parametrize("command", OUTPUTS)
def test_a_file_that_this_program_wrote_is_replaced_without_a_word(folder, command):
    if command == "export onnx":
        pytest.importorskip("onnx")
    for _ in range(2):
        assert run(*OUTPUTS[command], "out") == 0
    first = (folder / "out").read_bytes()
    (folder / "out").write_bytes(b"")  # an empty file is nobody's loss
    assert run(*OUTPUTS[command], "out") == 0
    assert (folder / "out").read_bytes() == first


@pytest.mark.parametrize("language", ["python", "sql", "c", "dot"])
def test_a_program_that_this_program_wrote_is_known_by_its_first_line(folder, language):
    for _ in range(2):
        assert run("export", "m.json", language, "-o", "out") == 0
    (folder / "out").write_text("# mine\n" + (folder / "out").read_text())
    assert run("export", "m.json", language, "-o", "out") == 2


def test_predictions_of_another_form_are_no_file_of_this_command(folder, capsys):
    assert run("predict", "m.json", "t.csv", "-o", "p.csv") == 0
    assert "--force" in refused(capsys, "predict", "m.json", "t.csv", "-o", "p.csv", "--proba")
    assert run("predict", "m.json", "t.csv", "-o", "p.csv", "--proba", "--force") == 0


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs device files")
def test_a_device_is_written_to(folder):
    assert run("fit", "t.csv", "--target", "y", "-o", "/dev/null") == 0


def test_a_model_is_replaced_by_a_model(folder):
    assert run("fit", "t.csv", "--target", "y", "-o", "m.json", "--max-depth", 1) == 0
    assert load("m.json").max_depth == 1
