"""The pages in docs/ hold what was generated, and nothing in their blocks was typed."""

import re
import shutil
from pathlib import Path

import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from cart_elc_reproduction.pages import algorithms, reproduction
from cart_elc_reproduction.pages.blocks import BLOCK, FIGURE, PACKAGE, digest_of, filled, kept, sections
from cart_elc_reproduction.pages.comparing import comparison_lines
from cart_elc_reproduction.report.sections import LEAD, SECTIONS, write_report
from cart_elc_reproduction.report.summary import PROTOCOL, READING
from cart_elc_reproduction.results.gathering import Results
from cart_elc_reproduction.run.records import line_of
from cart_elc_reproduction.sensitivity import STUDIES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "reproduction.md"
REPORT = DOCS / "reproduction" / "report.md"


def blocks(page):
    inside = re.compile(r"-->(.*)<!--", flags=re.DOTALL)
    return {found.group(1): inside.search(found.group(0)).group(1).strip() for found in BLOCK.finditer(page)}


def test_every_block_is_a_section_of_the_report_or_the_outcome_of_a_study():
    found = blocks(PAGE.read_text())
    assert len(found) == PAGE.read_text().count(":begin -->") == PAGE.read_text().count(":end -->")
    assert set(found) - {plan.title for plan in SECTIONS} == set(STUDIES)
    assert all(found.values())


def test_every_block_of_the_page_on_algorithms_is_filled():
    found = blocks((DOCS / "algorithms.md").read_text())
    assert set(found) == set(algorithms.BLOCKS)
    assert all(found.values())


def test_the_report_says_what_the_program_says_of_itself():
    for text in (LEAD, READING, PROTOCOL):
        assert text in REPORT.read_text()


def test_the_tables_of_the_page_are_those_of_the_report():
    report = sections(REPORT.read_text())
    for name, text in blocks(PAGE.read_text()).items():
        if name not in STUDIES:
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


def test_a_page_is_written_from_a_run_and_the_report_is_copied(records, tmp_path, monkeypatch):
    run, docs = tmp_path / "run", tmp_path / "docs"
    run.mkdir(), docs.mkdir()
    write_report(records, run)
    (docs / "reproduction.md").write_text("<!-- Run times:begin -->\n<!-- Run times:end -->\n")
    monkeypatch.setattr(reproduction, "STUDIES", {})
    reproduction.write_page(run, docs)
    assert "Iris: CART-ELC" in (docs / "reproduction.md").read_text()
    assert (docs / "reproduction" / "report.md").read_text() == (run / "report.md").read_text()
    assert list((docs / "reproduction" / "figures").iterdir())


def test_a_run_with_too_few_trials_does_not_fill_the_page_on_algorithms(records):
    with pytest.raises(ValueError, match="10 trials are needed"):
        algorithms.comparison(Results(records))


def test_a_text_is_kept_until_its_source_changes(tmp_path):
    source = tmp_path / "measure.py"
    source.write_text("first")
    made = []

    def make():
        made.append(source.read_text())
        return f"made {len(made)}"

    assert [kept("measure", tmp_path, make, (source,)) for _ in range(2)] == ["made 1", "made 1"]
    source.write_text("second")
    assert kept("measure", tmp_path, make, (source,)) == "made 2"


@pytest.mark.parametrize("changed", ["report/formats.py", "results/published.py", "published/grid.csv"])
def test_a_text_is_not_kept_when_formats_or_published_numbers_change(changed, tmp_path):
    package = tmp_path / "package"
    shutil.copytree(PACKAGE, package)
    before = digest_of((), package)
    assert digest_of((), package) == before == digest_of(())
    with (package / changed).open("a") as file:
        file.write("# changed\n")
    assert digest_of((), package) != before


def written(folder, records):
    folder.mkdir()
    (folder / "records.jsonl").write_text("".join(map(line_of, records)))
    return folder


def test_two_runs_are_compared_fit_by_fit(records, tmp_path):
    fits = [record for record in records if record["kind"] == "fit"]
    first = written(tmp_path / "first", fits)
    other = written(tmp_path / "other", [fits[0] | {"leaves": fits[0]["leaves"] + 1}, *fits[1:-1]])
    assert list(comparison_lines(first, first)) == [f"0 of {len(fits)} fits differ."]
    assert next(comparison_lines(first, other)) == f"1 of {len(fits) - 1} fits differ."
