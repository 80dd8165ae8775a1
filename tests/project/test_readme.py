"""The programs of the README and of the guide print what the pages say."""

import pytest

import page_examples


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")


@pytest.mark.parametrize(
    "path", page_examples.pages(), ids=lambda path: path.relative_to(page_examples.ROOT).as_posix()
)
def test_the_programs_of_a_page_print_what_it_says(path):
    text = path.read_text(encoding="utf-8")
    assert [example.output for example in page_examples.examples(text)] == list(page_examples.outputs(text))


def test_the_programs_of_the_readme_stand_alone():
    examples = page_examples.examples(page_examples.pages()[0].read_text(encoding="utf-8"))
    assert [page_examples.printed(example.code, {}) for example in examples] == [e.output for e in examples]
    assert all(example.output for example in examples)


def test_the_first_example_is_short():
    first = page_examples.examples(page_examples.pages()[0].read_text(encoding="utf-8"))[0]
    assert len([line for line in first.code.splitlines() if line]) <= 10
