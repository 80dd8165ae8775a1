"""Run the paper's whole protocol and write docs/reproduction.md and docs/algorithms.md: no number there is typed.

Every block between ``<!-- name:begin -->`` and ``<!-- name:end -->`` is replaced: a section of the report by its title,
or the output of the script of that name beside this one. The whole report and its figures go to docs/reproduction/.

    python benchmarks/write_reproduction.py --data-dir DATA

The records are kept in build/protocol-<build>, one folder for each build of the package, and so are the outputs of the
scripts: a run that was stopped goes on, and nothing is done twice.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cart_elc import experiments
from cart_elc.estimators.persistence import write_whole
from cart_elc.experiments.environment import build_digest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DOCS = ROOT / "docs"
PAGE = DOCS / "reproduction.md"
SCRIPTS = ("column_order", "side_rule", "tie_rule", "fallback_rule", "seed_spread")
BLOCK = re.compile(r"<!-- ([\w ,:=-]+):begin -->\n.*?<!-- \1:end -->", flags=re.DOTALL)
FIGURE = re.compile(r"!\[[^]]*\]\([^)]*\)\n\n")


def sections(report: str) -> dict[str, str]:
    """Return the text of the report's sections by title."""
    parts = re.split(r"^## (.+)\n", report, flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))


def output_of(script: str, run: Path) -> str:
    """Return what a script prints; it is kept in the run's folder until the script or what it prints with changes."""
    source = HERE / f"{script}.py"
    kept = run / "blocks" / f"{script}-{digest_of(source)}.md"
    if not kept.is_file():
        print(f"{script}.py ...", file=sys.stderr, flush=True)
        done = subprocess.run([sys.executable, source], stdout=subprocess.PIPE, text=True, check=True)
        kept.parent.mkdir(exist_ok=True)
        write_whole(kept, done.stdout)
    return kept.read_text(encoding="utf-8").strip()


def digest_of(source: Path) -> str:
    """Return a digest of a script and of what the build's digest leaves out: formats, verdicts, published numbers."""
    package = Path(experiments.__file__).parent
    others = (path for pattern in ("report/*.py", "published.py", "published/*.csv") for path in package.glob(pattern))
    return hashlib.sha256(b"".join(path.read_bytes() for path in (source, *sorted(others)))).hexdigest()[:12]


def filled(page: str, texts: dict[str, str]) -> str:
    """Return the page with every block filled."""

    def block(found: re.Match[str]) -> str:
        name = found.group(1)
        text = FIGURE.sub("", texts[name])
        return f"<!-- {name}:begin -->\n\n{text}\n\n<!-- {name}:end -->"

    return BLOCK.sub(block, page)


def write_page(run: Path) -> None:
    """Fill docs/reproduction.md and copy the report."""
    report = (run / "report.md").read_text(encoding="utf-8")
    texts = sections(report) | {script: output_of(script, run) for script in SCRIPTS}
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), texts), encoding="utf-8")
    target = DOCS / "reproduction"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(run / "figures", target / "figures")
    (target / "report.md").write_text(report, encoding="utf-8")


def main() -> None:
    """Run what has not been run, and write both pages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data-dir", type=Path, required=True, help="folder with the paper's data files")
    parser.add_argument("--run", type=Path, help="folder of the records (default: build/protocol-<build>)")
    options = parser.parse_args()
    run: Path = options.run or ROOT / "build" / f"protocol-{build_digest()}"
    os.environ["CART_ELC_DATA"] = str(options.data_dir.resolve())
    protocol = [sys.executable, "-m", "cart_elc", "reproduce", "all", "--out", run, "--resume"]
    subprocess.run(protocol, check=True)
    write_page(run)
    subprocess.run([sys.executable, HERE / "write_algorithms.py", run], check=True)
    print(f"written: {PAGE}, {DOCS / 'algorithms.md'}, from {run}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("stopped: the same command goes on") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{error}: the same command goes on") from None
