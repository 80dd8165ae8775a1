"""``cart-elc reproduce`` as a command of the library's program: its help, its one-line errors, and what it loads."""

import argparse
import subprocess
import sys

import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from cart_elc_reproduction.command import add_arguments
from program import run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["table9"], "PART must be one of table1"),
        (["--trials", "0"], "--trials must be at least 1, got 0"),
        (["--jobs", "0"], "--jobs must be a positive number or -1"),
        (["--data-dir", "nowhere"], "data_dir must be an existing folder"),
        (["table5", "--dataset", "iris", "--scheduler", "tcp://127.0.0.1:9"], "no Dask scheduler answers"),
    ],
)
def test_an_error_is_one_line_and_exit_code_2(arguments, message, tmp_path, monkeypatch, capsys):
    if "--scheduler" in arguments:
        pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cart_elc_reproduction.run.cluster.SECONDS_TO_CONNECT", 1)
    assert run("reproduce", *arguments) == 2
    err = capsys.readouterr().err
    lines = [line for line in err.splitlines() if line.startswith("cart-elc:")]
    assert len(lines) == 1
    assert message in lines[0]
    assert "Traceback" not in err


def test_wrong_usage_is_one_line_too(capsys):
    assert run("reproduce", "--dataset", "irix") == 2
    err = capsys.readouterr().err
    assert err.startswith("cart-elc reproduce: argument --dataset: invalid choice")
    assert err.count("\n") == 1


def test_help_explains_every_option(capsys):
    assert run("reproduce", "--help") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith("usage: cart-elc reproduce")
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    for action in parser._actions:
        assert all(name in out for name in action.option_strings)
        assert " ".join(action.help.split()) in out


def test_the_library_and_its_other_commands_load_none_of_it():
    code = """if True:
        import sys
        from cart_elc.cli import main
        for arguments in (["datasets"], ["--help"], ["predict", "--help"]):
            try:
                main(arguments)
            except SystemExit as end:
                assert end.code == 0
        names = ("cart_elc_reproduction", "tqdm", "filelock", "jinja2", "matplotlib")
        print("loaded:", *(name for name in sys.modules if name.split(".")[0] in names))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded:"
