"""docs/reproduction.md and docs/reproduction/: the report of a run, and how far its figures can be moved."""

from __future__ import annotations

import shutil
from pathlib import Path

from cart_elc_reproduction.pages.blocks import filled, kept, sections
from cart_elc_reproduction.sensitivity import STUDIES


def write_page(run: Path, docs: Path) -> None:
    """Fill the page with the sections of the run's report and the outcome of the studies, and copy the report."""
    report = (run / "report.md").read_text(encoding="utf-8")
    texts = sections(report) | {name: kept(name, run, study.text) for name, study in STUDIES.items()}
    page = docs / "reproduction.md"
    page.write_text(filled(page.read_text(encoding="utf-8"), texts), encoding="utf-8")
    target = docs / "reproduction"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(run / "figures", target / "figures")
    (target / "report.md").write_text(report, encoding="utf-8")
