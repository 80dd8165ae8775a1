"""How fast the exact search is: against brute force, on degenerate tables, with threads, and as tables grow.

    make bench                            # writes docs/performance.md
    python benchmarks/search.py --quick   # the short cases only, nothing written

The paper's data come from the folder CART_ELC_DATA, or ../shared/data.

Every ratio compares two measurements of one run, in processor time on one thread, so that a busy machine counts on both
sides. Brute force is vectorised NumPy at its measured planes per second, times the number of planes.
"""

from __future__ import annotations

import argparse
import inspect
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tables
from brute_force import n_planes, planes_per_second
from sklearn.tree import DecisionTreeClassifier
from tables import Table

from cart_elc import ELCClassifier, Split, best_split
from cart_elc.datasets import load

ROOT = Path(__file__).resolve().parents[1]
REPORT = ROOT / "docs" / "performance.md"


@dataclass(frozen=True)
class Case:
    """A root split with the ratio to brute force that it must reach."""

    name: str
    table: Callable[[], Table]
    r: int
    bar: float
    quick: bool = True


def paper(name: str) -> Callable[[], Table]:
    """One of the paper's tables, without the rows that have missing values."""

    def read() -> Table:
        data = load(name)
        X = np.asarray(data.X, dtype=float)
        complete = ~np.isnan(X).any(axis=1)
        return np.ascontiguousarray(X[complete]), np.unique(np.asarray(data.y)[complete], return_inverse=True)[1]

    return read


def complete_housing() -> Table:
    """The complete Boston table, from the folder of the paper's data."""
    table = np.genfromtxt(Path(os.environ["CART_ELC_DATA"]) / "housing.csv", delimiter=",", skip_header=1)
    return np.ascontiguousarray(table[:, :-1]), table[:, -1].astype(np.int64) - 1


CASES = (
    Case("diabetes 768x8", paper("diabetes"), 2, 5e3),
    Case("diabetes 768x8", paper("diabetes"), 3, 1e5),
    Case("diabetes 768x8", paper("diabetes"), 4, 5e5, quick=False),
    Case("cancer 683x9", paper("cancer"), 3, 1e6),
    Case("cancer 683x9", paper("cancer"), 4, 1.2e7),
    Case("housing 506x13", complete_housing, 3, 5e4),
    Case("synthetic 4192x14", lambda: tables.synthetic(4192), 2, 4e5),
    Case("synthetic 4192x14", lambda: tables.synthetic(4192), 3, 1.4e8),
)


def timed(table: Table, r: int, repeats: int = 3, planes: str = "any") -> tuple[float, Split]:
    """Least processor time of a few searches for the root split, and the split."""
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        split = best_split(*table, r, planes=planes)
        best = min(best, time.process_time() - start)
        if best > 2:
            break
    assert split.proven
    return best, split


def row(*cells: object) -> str:
    """A line of a Markdown table."""
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def head(*names: str) -> Iterator[str]:
    """The first two lines of a Markdown table."""
    yield row(*names)
    yield row(*("---" for _ in names))


def root_splits(quick: bool) -> Iterator[str]:
    """The root splits of the paper's tables and a synthetic one, against brute force over the same planes.

    The last column is the default, all linear splits on at most `r` features, of which brute force has no count.
    """
    yield from head(
        "root split, Gini", "r", "planes", "brute force", "search", "boxes", "ratio", "asked for", "reached", "default"
    )
    for case in CASES:
        if quick and not case.quick:
            continue
        X, y = case.table()
        rate = planes_per_second(X, y, case.r)
        seconds, split = timed((X, y), case.r, planes="through")
        default, _ = timed((X, y), case.r)
        planes = n_planes(X, case.r)
        ratio = planes / rate / seconds
        reached = "yes" if ratio >= case.bar else "**no**"
        times = (f"{planes / rate:.3g} s", f"{seconds:.3g} s")
        bar = (f"{ratio:.2g}", f"{case.bar:.2g}", reached)
        yield row(case.name, case.r, f"{planes:.2g}", *times, split.n_boxes, *bar, f"{default:.3g} s")


def degenerate_tables(quick: bool) -> Iterator[str]:
    """Degenerate tables against Gaussian ones of the same size: nothing may take more than ten times as long."""
    yield from head("table", "r", "degenerate", "generic", "ratio (at most 10)", "ratio through samples")
    for name in tables.DEGENERATE:
        for r in (2, 3) if quick else (2, 3, 4):
            X, y = tables.degenerate(name)
            seconds, _ = timed((X, y), r)
            generic, _ = timed(tables.generic_like(X), r)
            through = timed((X, y), r, planes="through")[0] / timed(tables.generic_like(X), r, planes="through")[0]
            times = (f"{seconds:.3g} s", f"{generic:.3g} s")
            yield row(f"{name}, {len(X)} rows", r, *times, f"{seconds / generic:.2f}", f"{through:.2f}")


def nearly_degenerate_tables(quick: bool) -> Iterator[str]:
    """Tables with structure on several scales, against Gaussian ones of the same size; ended after twenty seconds."""
    yield from head("table", "r", "nearly degenerate", "generic", "ratio")
    for name in tables.NEARLY_DEGENERATE | tables.EXTREME:
        for r in (2,) if quick else (2, 3):
            X, y = tables.degenerate(name)
            start = time.process_time()
            split = best_split(X, y, r, time_limit=20)
            seconds = time.process_time() - start
            generic, _ = timed(tables.generic_like(X), r)
            taken = f"{seconds:.3g} s" if split.proven else f"not proven in {seconds:.3g} s"
            yield row(f"{name}, {len(X)} rows", r, taken, f"{generic:.3g} s", f"{seconds / generic:.1f}")


def thread_gain(quick: bool) -> Iterator[str]:
    """Wall time of one and two threads, taken in turn; the answers must be identical."""
    yield from head("root split", "r", "one thread", "two threads", "gain")
    cases = [("synthetic 4192x14", tables.synthetic(4192), 3), ("the same", tables.synthetic(4192), 4)]
    cases.append(("one feature set, 10000x4, 40 % noise", tables.synthetic(10000, 4, noise=0.4), 4))
    for name, (X, y), r in cases[: 1 if quick else None]:
        wall = {1: np.inf, 2: np.inf}
        found: dict[int, Split] = {}
        for _ in range(3):
            for n_jobs in wall:
                found[n_jobs] = best_split(X, y, r, n_jobs=n_jobs)
                wall[n_jobs] = min(wall[n_jobs], found[n_jobs].seconds)
        assert found[1].samples == found[2].samples and found[1].threshold == found[2].threshold
        yield row(name, r, f"{wall[1]:.3g} s", f"{wall[2]:.3g} s", f"{wall[1] / wall[2]:.2f}")


def whole_fits(quick: bool) -> Iterator[str]:
    """Whole fits at depth 3 against scikit-learn's tree."""
    yield from head("fit, max_depth 3", "r", "ELCClassifier", "DecisionTreeClassifier", "ratio")
    for name in ("diabetes", "cancer"):
        X, y = paper(name)()
        reference = _fit_time(DecisionTreeClassifier(max_depth=3), X, y)
        for r in (1, 2) if quick else (1, 2, 3):
            seconds = _fit_time(ELCClassifier(r, max_depth=3), X, y)
            yield row(name, r, f"{seconds:.3g} s", f"{reference:.3g} s", f"{seconds / reference:.0f}")


def _fit_time(model: ELCClassifier | DecisionTreeClassifier, X: tables.Floats, y: tables.Labels) -> float:
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        model.fit(X, y)
        best = min(best, time.process_time() - start)
    return best


def growth(quick: bool) -> Iterator[str]:
    """How the time of a root split at r = 2 grows with rows, features, classes and label noise."""
    yield from head("what grows (r = 2)", "values", "seconds", "exponent")
    sizes = (1000, 4000, 16000) if quick else (1000, 4000, 16000, 64000, 256000)
    series: list[tuple[str, Iterable[float], Callable[[float], Table]]] = [
        ("rows n, of 6 features", sizes, lambda n: tables.synthetic(int(n), 6)),
        ("features m, 2000 rows", (6, 12, 24, 48), lambda m: tables.synthetic(2000, int(m))),
        ("classes k, 2000 x 8", (2, 4, 8, 16), lambda k: tables.synthetic(2000, 8, int(k))),
        ("label noise in %, 2000 x 8", (0, 5, 20, 40), lambda p: tables.synthetic(2000, 8, noise=p / 100)),
    ]
    for name, values, make in series:
        seconds = [timed(make(v), 2)[0] for v in values]
        positive = all(v > 0 for v in values)
        slope = f"{np.polyfit(np.log(list(values)), np.log(seconds), 1)[0]:.2f}" if positive else ""
        yield row(name, ", ".join(f"{v:g}" for v in values), ", ".join(f"{s:.3g}" for s in seconds), slope)


def million_rows(quick: bool) -> Iterator[str]:
    """A million rows of ten features at r = 2 on two threads, in a process of its own that tells its memory."""
    yield from head("rows x features", "r", "threads", "seconds", "peak memory")
    n = 100_000 if quick else 1_000_000
    code = (
        "import resource, tables; from cart_elc import best_split; X, y = tables.synthetic({n}, 10);"
        "s = best_split(X, y, 2, n_jobs=2); assert s.proven;"
        "print(s.seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code.format(n=n)], capture_output=True, text=True, check=True, cwd=Path(__file__).parent
    )
    seconds, memory = map(float, done.stdout.split())
    yield row(f"{n:,} x 10", 2, 2, f"{seconds:.3g} s", f"{memory:.2f} GiB")


def _root_seconds(r: int) -> Callable[[Table], float]:
    def run(table: Table) -> float:
        split = best_split(*table, r, n_jobs=2)
        assert split.proven
        return split.seconds

    return run


def _tree_seconds(table: Table) -> float:
    start = time.perf_counter()
    ELCClassifier(2, max_depth=6, n_jobs=2).fit(*table)
    return time.perf_counter() - start


LARGE: tuple[tuple[str, Callable[[], Table], Callable[[Table], float], float, bool], ...] = (
    ("root split, 1,000,000 x 50, r = 2", lambda: tables.synthetic(1_000_000, 50), _root_seconds(2), 12, False),
    ("root split, 100 x 2,000, r = 2", lambda: tables.synthetic(100, 2000), _root_seconds(2), 8, True),
    ("the same of noise", lambda: tables.noise(100, 2000), _root_seconds(2), 8, False),
    (
        "tree of depth 6, 50,000 x 20, 4 classes, r = 2",
        lambda: tables.synthetic(50_000, 20, 4),
        _tree_seconds,
        1.5,
        True,
    ),
    ("root split, digits, r = 2", tables.digits, _root_seconds(2), 0.41, True),
    ("root split, digits, r = 3", tables.digits, _root_seconds(3), 40, False),
)


def large_tables(quick: bool) -> Iterator[str]:
    """Many rows, features and classes on two threads, against what was asked for."""
    yield from head("what", "seconds", "asked for", "reached")
    for name, make, run, bar, is_quick in LARGE:
        if quick and not is_quick:
            continue
        seconds = run(make())
        yield row(name, f"{seconds:.3g} s", f"{bar:g} s", "yes" if seconds <= bar else "**no**")


SECTIONS: dict[str, Callable[[bool], Iterator[str]]] = {
    "Root splits against brute force": root_splits,
    "Degenerate tables": degenerate_tables,
    "Nearly degenerate tables": nearly_degenerate_tables,
    "Threads": thread_gain,
    "Whole fits": whole_fits,
    "How time grows": growth,
    "A million rows": million_rows,
    "Many rows, features and classes": large_tables,
}


def machine() -> str:
    """The machine, in a sentence."""
    python, load_average = platform.python_version(), os.getloadavg()[0]
    return f"Measured on {platform.machine()}, {os.cpu_count()} processors, Python {python}, load {load_average:.1f}."


def main() -> None:
    """Run all sections, print them and (unless quick) write the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="short cases only; writes nothing")
    quick = parser.parse_args().quick
    os.environ.setdefault("CART_ELC_DATA", str(ROOT.parent / "shared" / "data"))
    lines = ["# Performance", "", "Written by `make bench` (`benchmarks/search.py`), never by hand.", "", machine(), ""]
    for title, section in SECTIONS.items():
        lines += [f"## {title}", "", inspect.getdoc(section) or "", ""]
        print(f"\n## {title}\n", flush=True)
        for line in section(quick):
            print(line, flush=True)
            lines.append(line)
        lines.append("")
    if not quick:
        REPORT.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
