"""The report is a pure function of records: whole, self-contained, and right about what it compares."""

import random
import re
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import numpy as np
import pytest

pytest.importorskip("cart_elc_reproduction", reason="the package in reproduction/ is not installed")

from cart_elc_reproduction.report.charts import lowest_shown
from cart_elc_reproduction.report.document import NOTHING, Cell, Figure, Report, Section, Table, row
from cart_elc_reproduction.report.formats import compared, duration, share, signed, verdict_of
from cart_elc_reproduction.report.html import render_html
from cart_elc_reproduction.report.markdown import render_markdown
from cart_elc_reproduction.report.paper_tables import table1
from cart_elc_reproduction.report.runs import gap_blocks
from cart_elc_reproduction.report.sections import SECTIONS, build_report, write_report
from cart_elc_reproduction.report.verdicts import verdict_counts
from cart_elc_reproduction.results import published
from cart_elc_reproduction.results.gathering import MeanStd, Results
from cart_elc_reproduction.results.statistics import Comparison


def section(report, title):
    (found,) = (part for part in report.sections if part.title == title)
    return found


def test_the_same_records_in_any_order_give_the_same_report(records, page, tmp_path):
    shuffled = random.Random(0).sample(records, len(records))
    again = write_report(shuffled, tmp_path)
    assert again.read_text() == page.read_text()
    assert (tmp_path / "report.md").read_text() == page.with_name("report.md").read_text()


def test_every_part_is_there(report):
    titles = [part.title for part in report.sections]
    assert titles == [plan.title for plan in SECTIONS]
    for part in ("Table 1", "Table 2", "Tables 3 and 4", "Table 5", "Tuning figures", "Run times", "Environment"):
        assert any(title.startswith(part) for title in titles), part
    text = render_markdown(report)
    for word in ("Nadeau-Bengio", "Wilcoxon", "Nested cross-validation", "The paper chooses r and depth on the folds"):
        assert word in text


def test_the_summary_says_that_the_reading_of_the_paper_was_chosen_by_its_fit(report):
    text = render_markdown(Report("", "", (section(report, "Summary"),)))
    assert "after others had been tried, to fit the published figures best" in text
    assert "partly by construction" in text


def test_the_verdicts_say_what_counts_as_reproduced_and_what_is_counted_twice(report):
    text = render_markdown(report)
    assert "the larger of ours and the published one" in text
    assert "The figures are not independent" in text


def test_what_honest_selection_costs_is_said_and_the_best_honest_figure_is_bold(records, report):
    results = Results(records)
    text, table = section(report, "Honest selection").blocks
    honest = results.nested("iris", "cart-elc", "twoing", 4).accuracy.mean
    assert f"by {signed(honest - results.chosen('iris', 'cart-elc', 'twoing', 4).accuracy.mean)} points" in text
    bold = {line[1].text for line in table.rows if line[1].strong}
    assert bold == {max((line[1].text for line in table.rows), key=lambda figure: float(figure.split()[0]))}


def test_the_default_form_stands_beside_the_others_and_its_figure_is_honest_as_it_is(records, report):
    result = Results(records).chosen("iris", "cart-elc-default", "mdl")
    figure = f"{result.accuracy.mean:.1f} ± {result.accuracy.std:.1f}"
    _, *tables = section(report, "Beyond the paper: r = 3 and margins").blocks
    named = [{line[0].text: line[1].text for line in table.rows} for table in tables]
    assert [rows["CART-ELC, default"] for rows in named[::2]] == [figure] * 3
    _, honest = section(report, "Honest selection").blocks
    assert {line[0].text: line[1].text for line in honest.rows}["CART-ELC, default"] == figure


def test_the_other_tests_are_made_on_the_selected_and_on_the_honest_figures(records, report):
    results = Results(records)
    selected, honest = section(report, "Other tests").blocks
    assert "on the figures of Table 2" in selected.caption
    lines = {line[0].text: line for line in honest.rows}
    assert set(lines) == {"Iris: HHCART(D)", "Iris: CART, by depth"}
    ours, theirs = (results.nested("iris", name, "twoing", 4) for name in ("cart-elc", "hhcart-d"))
    expected = Comparison(ours.accuracies, theirs.accuracies)
    assert [cell.text for cell in lines["Iris: HHCART(D)"][1:4]] == [
        f"{p:.3f}" for p in (expected.welch, expected.wilcoxon, expected.corrected)
    ]


def test_published_figures_without_ours_are_told_and_not_counted(records, report):
    results = Results(records)
    judged = verdict_counts(results).total()
    told = re.search(r"(\d+) more were published for what was not run", render_markdown(report))
    assert judged + int(told[1]) == 96 + 36 + 2 * len(published.grid())


def asked(records, *parts):
    return [*(record for record in records if record["kind"] != "part"), *({"kind": "part", "part": p} for p in parts)]


def test_only_the_sections_that_were_asked_for_are_built(records):
    titles = [part.title for part in build_report(asked(records, "table5")).sections]
    assert titles == [
        *("Summary", "Data and gaps", "Reproduced, beaten, not reached", "Table 5: criteria", "Where the choice falls"),
        *("The trees chosen", "Run times", "Environment"),
    ]


@pytest.mark.parametrize(("part", "table"), [("table3", "Table 3."), ("table4", "Table 4.")])
def test_of_two_tables_in_a_section_the_one_that_was_asked_for_is_built(records, part, table):
    (found,) = section(build_report(asked(records, part)), "Tables 3 and 4: significance").blocks
    assert found.caption.startswith(table)


def test_a_report_without_figures_needs_no_matplotlib(records, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name in ("charts", "svg", "tuning"):
        monkeypatch.delitem(sys.modules, f"cart_elc_reproduction.report.{name}", raising=False)
    assert write_report(asked(records, "table2", "table5"), tmp_path).is_file()


def test_the_report_of_no_records_says_so(tmp_path):
    assert "No tree was fitted" in write_report([], tmp_path).read_text()


class References(HTMLParser):
    """Collects what a page asks for, and checks that its elements close."""

    def __init__(self):
        super().__init__()
        self.references, self.scripts, self.open = [], 0, []

    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        self.references += [value for name, value in attributes if name in ("src", "href", "srcset", "data")]
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_asks_for_nothing_from_outside(page):
    parser = References()
    parser.feed(page.read_text())
    assert parser.open == []
    assert parser.scripts == 0
    assert all(reference.startswith(("#", "data:,")) for reference in parser.references)
    assert "url(" not in page.read_text()


def test_the_figures_are_well_formed_and_markdown_links_to_them(page):
    text = page.with_name("report.md").read_text()
    linked = re.findall(r"\]\((figures/[^)]+)\)", text)
    assert linked
    for name in linked:
        assert ElementTree.parse(page.parent / name).getroot().tag.endswith("svg")


def test_every_line_of_a_markdown_table_has_as_many_cells(page):
    blocks = re.findall(r"(?:^\|.*\n)+", page.with_name("report.md").read_text(), flags=re.MULTILINE)
    assert len(blocks) > 10
    for block in blocks:
        assert len({line.count("|") for line in block.splitlines()}) == 1


def test_names_within_the_page_are_unique_and_every_reference_finds_one(page):
    text = page.read_text()
    names = re.findall(r' id="([^"]+)"', text)
    assert len(names) == len(set(names))
    assert set(re.findall(r'aria-labelledby="([^"]+)"', text)) <= set(names)


def test_every_table_and_every_box_that_takes_the_focus_has_a_name(page):
    text = page.read_text()
    assert all("aria-labelledby" in tag for tag in re.findall(r"<table[^>]*>", text))
    boxes = re.findall(r'<\w+[^>]*tabindex="0"[^>]*>', text)
    assert boxes
    assert all('role="region"' in tag and "aria-label" in tag for tag in boxes)


def test_every_tuning_figure_has_the_table_of_its_numbers(records, report):
    part = section(report, "Tuning figures")
    figures, tables = part.blocks[::2], part.blocks[1::2]
    assert len(figures) == len(tables) > 3
    for figure, table in zip(figures, tables, strict=True):
        assert isinstance(figure, Figure)
        assert isinstance(table, Table)
        assert len(table.rows) == 3 * 5
    deepest = next(line for line in tables[0].rows if line[0].text == "r = 1, depth 5")
    result = Results(records).by_point["iris", "cart-elc", "twoing", 1, 5]
    assert deepest[1] == compared(result.accuracy, MeanStd(94.1, 0.9), higher_is_better=True)
    assert "".join(cell.published for cell in tables[-1].rows[0]) == ""


def test_the_gap_is_shown_and_names_are_escaped(page):
    text = page.read_text()
    assert "S/G Dim is missing: dim is not here: put dim.csv &lt;into&gt; a folder." in text


def test_what_was_not_run_is_told(records):
    (items,) = gap_blocks(Results(records))
    assert "Not run: S/G Bright; Cancer; Housing; Diabetes; CART-ELC, both signs; " in " ".join(items.texts)
    assert "Trials, where the paper has 10: 2." in items.texts


def test_trials_that_only_some_grid_points_have_are_not_compared_with_others(records):
    def lost(record):
        return (record["kind"], record.get("algorithm"), record.get("r"), record.get("trial"), record.get("fold")) == (
            *("fit", "cart-elc", 2, 0, 3),
        )

    damaged = Results([record for record in records if not lost(record)])
    whole = Results(records)
    best = damaged.chosen("iris", "cart-elc", "twoing", 2)
    assert (best.point.r, best.trials) == (1, (0, 1))
    halved = damaged.by_point["iris", "cart-elc", "twoing", 2, 3]
    other = whole.by_point["iris", "cart-elc", "twoing", 2, 3]
    assert halved.trials == (1,)
    ours, theirs = halved.paired(other)
    np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(theirs, other.accuracies[1:])


def test_an_unproven_split_is_called_so(records, report):
    splits = [record | {"proven": False} for record in records if record["kind"] == "split"]
    cells = [cell for line in table1(Results(splits))[1].rows for cell in line[1:] if cell.text != NOTHING]
    assert cells
    assert all(cell.difference.endswith(", not proven") for cell in cells)
    assert "not proven" not in render_markdown(report)


def test_names_from_outside_are_escaped():
    wicked = "<script>alert(1)</script>"
    table = Table((wicked,), (row(wicked, Cell(wicked, wicked, wicked)),), wicked, wicked)
    html = render_html(Report(wicked, wicked, (Section(wicked, (wicked, table, Figure("f", (), wicked, ""))),)))
    assert "<script" not in html


def test_table_1_agrees_with_the_published_one_in_every_cell():
    (sentence,) = table1(Results([]))
    assert sentence.startswith("60 of 60 published counts")


def test_a_count_of_table_1_that_differs_is_listed(monkeypatch):
    cells = published.operations() | {(1, 100): 1.23e4}
    monkeypatch.setattr(published, "operations", lambda: cells)
    sentence, listed = table1(Results([]))
    assert sentence.startswith("59 of 60")
    assert listed.texts == ("r = 1, n = 100: 1.01e+04, published 1.23e+04 (ratio 0.8211).",)


@pytest.mark.parametrize(
    ("ours", "higher", "mark", "good", "verdict"),
    [
        (MeanStd(95.0, 0.5), True, "", False, "to the digit"),
        (MeanStd(95.9, 0.5), True, "", False, "reproduced"),
        (MeanStd(96.2, 0.5), True, "above", True, "beaten"),
        (MeanStd(93.8, 0.5), True, "below", False, "not reached"),
        (MeanStd(93.8, 0.5), False, "below", True, "beaten"),
        (MeanStd(96.2, 0.7), True, "", False, "reproduced"),
    ],
)
def test_a_difference_is_marked_beyond_two_deviations(ours, higher, mark, good, verdict):
    published = MeanStd(95.0, 0.5)
    cell = compared(ours, published, higher)
    assert cell.mark == mark
    assert cell.good is good or not mark
    assert verdict_of(ours, published, higher) == verdict


def test_a_figure_without_its_counterpart_stands_alone():
    assert compared(None, MeanStd(95.0, 0.5), True) == Cell("\N{EN DASH}", "95.0 ± 0.5")
    assert compared(MeanStd(95.0, 0.5), None, True) == Cell("95.0 ± 0.5")


@pytest.mark.parametrize(
    ("value", "text"), [(1.24, "+1.2"), (-1.25, "\N{MINUS SIGN}1.2"), (0.01, "±0.0"), (-0.01, "±0.0")]
)
def test_differences_carry_their_sign(value, text):
    assert signed(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.00029, "0.29 ms"),
        (0.0994, "99 ms"),
        (0.0996, "0.10 s"),
        (0.123, "0.12 s"),
        (0.996, "1.0 s"),
        (57.3, "57.3 s"),
        (3672, "61 min"),
    ],
)
def test_times_have_a_fitting_unit_and_no_power_of_ten(seconds, text):
    assert duration(seconds) == text


def test_a_hundred_percent_are_all():
    assert [share(*of) for of in ((12349, 12350), (12350, 12350), (0, 0))] == ["99 %", "100 %", "0 %"]


def test_what_the_tests_compare_and_leave_out_is_told(report):
    text = render_markdown(report)
    for words in (
        "chosen on the test folds: CART-ELC from the largest grid",
        "corrected for the number",
        "the deviation over the trials is the sample's",
    ):
        assert words in text


def test_an_axis_starts_at_the_least_value_unless_it_is_far_off():
    assert lowest_shown([91.7, 93.0, 95.0, 96.0]) == 91.7
    assert lowest_shown([58.0, 61.0, 93.0, 94.0, 94.5, 95.0]) == 93.0
