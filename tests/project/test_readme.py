"""The examples of the README and of docs/tables.md print what these say."""

import contextlib
import io
import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
TABLES = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")
PATTERN = r"```python\n(.*?)```\n\n```text\n(.*?)```"
EXAMPLES = re.findall(PATTERN, README, flags=re.DOTALL)
OF_TABLES = re.findall(PATTERN, TABLES, flags=re.DOTALL)


def run(code):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    return printed.getvalue()


def test_every_python_example_has_its_output():
    assert len(EXAMPLES) == README.count("```python") > 0
    assert len(OF_TABLES) == TABLES.count("```python") > 0


@pytest.mark.parametrize(("code", "output"), EXAMPLES + OF_TABLES)
def test_an_example_prints_what_is_written_below_it(code, output):
    assert run(code) == output


def test_the_first_example_is_short():
    assert len([line for line in EXAMPLES[0][0].splitlines() if line]) <= 10
