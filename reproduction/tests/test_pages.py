"""docs/reproduction.md holds what was generated, and nothing in its blocks was typed."""

import re
import shutil
from pathlib import Path

import pytest
import write_algorithms
import write_reproduction
from write_reproduction import BLOCK, FIGURE, HERE, PAGE, SCRIPTS, digest_of, filled, output_of, sections

from cart_elc import experiments
from cart_elc_reproduction.report import LEAD, PROTOCOL, READING, build_report

REPORT = PAGE.parent / "reproduction" / "report.md"


def blocks(page):
    inside = re.compile(r"-->(.*)<!--", flags=re.DOTALL)
    return {found.group(1): inside.search(found.group(0)).group(1).strip() for found in BLOCK.finditer(page)}


def test_every_block_is_a_section_of_the_report_or_the_output_of_a_script():
    titles = {section.title for section in build_report([]).sections}
    found = blocks(PAGE.read_text())
    assert len(found) == PAGE.read_text().count(":begin -->") == PAGE.read_text().count(":end -->")
    assert set(found) - titles == set(SCRIPTS)
    assert all((HERE / f"{script}.py").is_file() for script in SCRIPTS)
    assert all(found.values())


def test_every_block_of_the_page_on_algorithms_is_filled():
    found = blocks(write_algorithms.PAGE.read_text())
    assert set(found) == {"comparison", "by depth", *write_algorithms.SCRIPTS}
    assert all(found.values())


def test_the_report_says_what_the_program_says_of_itself():
    for text in (LEAD, READING, PROTOCOL):
        assert text in REPORT.read_text()


def test_the_tables_of_the_page_are_those_of_the_report():
    report = sections(REPORT.read_text())
    for name, text in blocks(PAGE.read_text()).items():
        if name not in SCRIPTS:
            assert text == FIGURE.sub("", report[name]), name


def test_the_figures_that_the_pages_show_are_there():
    for page in (PAGE, REPORT):
        for address in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text()):
            assert (page.parent / address).is_file(), address


def test_blocks_are_filled_and_the_rest_is_left():
    page = "before\n<!-- Run times:begin -->\nold\n<!-- Run times:end -->\nafter\n"
    assert filled(page, {"Run times": "new"}) == (
        "before\n<!-- Run times:begin -->\n\nnew\n\n<!-- Run times:end -->\nafter\n"
    )
    with pytest.raises(KeyError):
        filled(page, {})


def test_the_output_of_a_script_is_kept_until_the_script_changes(tmp_path, monkeypatch):
    counter = tmp_path / "counter"
    script = tmp_path / "measure.py"
    program = f"from pathlib import Path\np = Path({str(counter)!r})\n" + (
        "p.write_text(p.read_text() + 'x' if p.is_file() else 'x')\nprint('runs', len(p.read_text()))\n"
    )
    script.write_text(program)
    monkeypatch.setattr(write_reproduction, "HERE", Path(tmp_path))
    assert [output_of("measure", tmp_path) for _ in range(2)] == ["runs 1", "runs 1"]
    script.write_text(program + "# changed\n")
    assert output_of("measure", tmp_path) == "runs 2"


@pytest.mark.parametrize("changed", ["report/formats.py", "published.py", "published/grid.csv"])
def test_the_output_of_a_script_is_not_kept_when_formats_or_published_numbers_change(changed, tmp_path, monkeypatch):
    package = tmp_path / "experiments"
    shutil.copytree(Path(experiments.__file__).parent, package)
    monkeypatch.setattr(write_reproduction.experiments, "__file__", str(package / "__init__.py"))
    before = digest_of(HERE / "tie_rule.py")
    assert digest_of(HERE / "tie_rule.py") == before
    with (package / changed).open("a") as file:
        file.write("# changed\n")
    assert digest_of(HERE / "tie_rule.py") != before
