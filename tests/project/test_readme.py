"""The README's examples print what the README says."""

import contextlib
import io
import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, flags=re.DOTALL)


def run(code):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    return printed.getvalue()


def test_every_python_example_has_its_output():
    assert len(EXAMPLES) == README.count("```python") > 0


@pytest.mark.parametrize(("code", "output"), EXAMPLES)
def test_an_example_prints_what_the_readme_says(code, output):
    assert run(code) == output


def test_the_first_example_is_short():
    assert len([line for line in EXAMPLES[0][0].splitlines() if line]) <= 10
