"""Put the generated tables into docs/reproduction.md: no number there is typed.

Every block between ``<!-- name:begin -->`` and ``<!-- name:end -->`` is replaced: a section of the report by its title,
and the output of the scripts beside this one. The whole report and its figures are copied to docs/reproduction/.

    cart-elc reproduce all --data-dir DATA --out RUN --resume
    python benchmarks/write_reproduction.py RUN OTHER_RUN

OTHER_RUN is one by another build of the search; the page says what differs between the two.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
PAGE = DOCS / "reproduction.md"
SCRIPTS = ("tie_rule", "fallback_rule", "seed_spread")
BLOCK = re.compile(r"<!-- ([\w ,:=-]+):begin -->\n.*?<!-- \1:end -->", flags=re.DOTALL)
FIGURE = re.compile(r"!\[[^]]*\]\([^)]*\)\n\n")


def sections(report: str) -> dict[str, str]:
    """Return the text of the report's sections by title."""
    parts = re.split(r"^## (.+)\n", report, flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))


def output_of(script: str, *arguments: Path) -> str:
    """Return what a script prints."""
    command = [sys.executable, HERE / f"{script}.py", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def filled(page: str, texts: dict[str, str]) -> str:
    """Return the page with every block filled."""

    def block(found: re.Match[str]) -> str:
        name = found.group(1)
        text = FIGURE.sub("", texts[name])
        return f"<!-- {name}:begin -->\n\n{text}\n\n<!-- {name}:end -->"

    return BLOCK.sub(block, page)


def main() -> None:
    """Fill the page and copy the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("run", type=Path, help="folder of a finished run")
    parser.add_argument("other_run", type=Path, help="folder of a run by another build")
    options = parser.parse_args()
    run: Path = options.run
    report = (run / "report.md").read_text(encoding="utf-8")
    texts = sections(report) | {script: output_of(script) for script in SCRIPTS}
    texts["compare_runs"] = output_of("compare_runs", run, options.other_run)
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), texts), encoding="utf-8")
    target = DOCS / "reproduction"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(run / "figures", target / "figures")
    (target / "report.md").write_text(report, encoding="utf-8")


if __name__ == "__main__":
    main()
