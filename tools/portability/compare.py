"""Whether the search gives the same answers, bit for bit, whatever compiles it and whatever machine runs it.

The driver `answers.cpp` is built by every compiler that is found here: GCC and Clang for this machine, with vectors and
as plain C++17, and for aarch64 (Debian's g++-aarch64-linux-gnu, run by qemu-aarch64-static). Each build answers the
same problems; the first one's answers are what the others must print. Builds for systems that nothing here can run
(macOS, Windows, by the zig compiler of PyPI's `ziglang`) are compiled and no more. Run as `make portability`.
"""

from __future__ import annotations

import importlib.util
import itertools
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine

from cart_elc.criteria import bits_to_name
from cart_elc.estimators.elc import MIN_SAVING

ROOT = Path(__file__).parents[2]
Table = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Values, labels and weights."""
ARM = ("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64")


@dataclass(frozen=True)
class Build:
    """One way to compile the driver, and what runs it here; nothing runs a build without a `runner`."""

    name: str
    compiler: Sequence[str]
    options: Sequence[str] = ()
    flags: str = ""
    runner: Sequence[str] | None = ()

    def missing(self) -> str | None:
        """The first tool that is not here."""
        return next((tool for tool in (self.compiler[0], *(self.runner or ())) if shutil.which(tool) is None), None)

    def folder(self, out: Path) -> Path:
        """Where it is built."""
        return out / self.name.replace(" ", "-").replace(",", "")


def zig(target: str) -> tuple[str, ...]:
    """The command of the zig compiler for a target; a name that is nowhere where `ziglang` is not installed."""
    found = importlib.util.find_spec("ziglang") is not None
    return (sys.executable, "-m", "ziglang", "c++", "-target", target) if found else ("ziglang",)


def builds() -> list[Build]:
    """All builds; the first is what the others are compared with."""
    pedantic = "-DELC_PLAIN_VECTORS -pedantic-errors -Werror"
    static = ("-DCMAKE_EXE_LINKER_FLAGS=-static", *ARM)
    # As by MSVC, without the passes for later x86 machines: zig's runtime for Windows cannot ask which machine it is.
    windows = ("-DCMAKE_SYSTEM_NAME=Windows", "-DCMAKE_SYSTEM_PROCESSOR=any")
    # CMake asks for a tool of Apple's that an executable without libraries of its own does not need.
    darwin = ("-DCMAKE_SYSTEM_NAME=Darwin", "-DCMAKE_SYSTEM_PROCESSOR=arm64", "-DCMAKE_INSTALL_NAME_TOOL=true")
    return [
        Build("GCC", ["g++"]),
        Build("GCC, plain C++17", ["g++"], flags=pedantic),
        Build("Clang", ["clang++"]),
        Build("Clang, plain C++17", ["clang++"], flags=pedantic),
        Build("aarch64, GCC", ["aarch64-linux-gnu-g++"], static, runner=["qemu-aarch64-static"]),
        Build("aarch64, zig", zig("aarch64-linux-musl"), ARM, runner=["qemu-aarch64-static"]),
        Build("macOS arm64, zig", zig("aarch64-macos"), darwin, runner=None),
        Build("Windows x86_64, zig", zig("x86_64-windows-gnu"), windows, runner=None),
    ]


def number_tables() -> Iterator[tuple[str, Table]]:
    """Tables whose labels are numbers: whole ones, and any."""
    X, y = load_diabetes(return_X_y=True)
    yield "diabetes", (X[:, [0, 2, 3, 8]], y, np.ones(len(y)))
    random = np.random.default_rng(1)
    smooth = random.normal(size=(120, 4))
    yield "smooth", (smooth, smooth @ [1.0, -2.0, 0.5, 0.0] + random.normal(size=120), random.random(120) + 0.1)


def tables() -> Iterator[tuple[str, Table]]:
    """Real tables, and made ones with what is hard: lattices, near collinear columns, missing values, weights."""
    for name, loaded in (("iris", load_iris()), ("wine", load_wine()), ("wdbc", load_breast_cancer())):
        columns = np.linspace(0, loaded.data.shape[1] - 1, 4).astype(int)
        yield name, (loaded.data[:, columns], loaded.target, np.ones(len(loaded.target)))
    random = np.random.default_rng(0)
    lattice = random.integers(0, 5, (90, 4)).astype(float)
    y = (lattice[:, 0] + lattice[:, 1] - lattice[:, 2] + random.normal(0, 1, 90) > 2).astype(int)
    yield "lattice", (lattice, y, random.choice([0.5, 1.0, 3.0], 90))
    smooth = random.normal(size=(80, 3))
    collinear = np.column_stack([smooth, smooth[:, 0] + 1e-7 * random.normal(size=80)])
    yield "collinear", (collinear, random.integers(0, 3, 80), np.ones(80))
    holes = np.where(random.random((100, 4)) < 0.15, np.nan, random.normal(size=(100, 4)))
    yield "missing", (holes, (np.nansum(holes, axis=1) > 0).astype(int), random.random(100) + 0.1)


def terms(table: Table, r: int) -> str:
    """What the default criterion tells the search, in bits per row: the rows of numbers, what to beat, and prices."""
    X, y, weights = table
    n = float(weights.sum())
    n_fitted = len(np.unique(y)) if y.dtype.kind == "i" else 2
    prices = [bits_to_name(n, X.shape[1], size) / n for size in range(1, r + 1)]
    bits_of = 0.0 if y.dtype.kind == "i" else n
    return " ".join([bits_of.hex(), (-MIN_SAVING * n_fitted / n).hex(), str(r), *(price.hex() for price in prices)])


def problem(name: str, table: Table, criterion: str, planes: str, missing: str, r: int) -> str:
    """The text of a problem, as the driver reads it."""
    X, y, weights = table
    compiled = {"mdl": "information_gain", "squared_error_bits": "squared_error"}.get(criterion, criterion)
    priced = terms(table, r) if compiled != criterion else "0 inf 0"
    head = f"{name}-{criterion}-{planes}-{missing}-{r} {compiled} {planes} {missing} {r} 2 {priced}"
    rows = (" ".join(float(value).hex() for value in row) for row in np.column_stack([X, y, weights]))
    n_classes = 0 if compiled == "squared_error" else y.max() + 1
    return "\n".join([f"{head} {X.shape[0]} {X.shape[1]} {n_classes}", *rows]) + "\n"


def problems() -> str:
    """All problems: every table with every criterion of its labels and every kind of plane, r = 1, 2 and 3."""
    tasks = [
        *itertools.product(tables(), ("mdl", "gini", "twoing", "information_gain", "error")),
        *itertools.product(number_tables(), ("squared_error_bits", "squared_error")),
    ]
    return "".join(
        problem(name, table, criterion, planes, missing, r)
        for ((name, table), criterion), planes, r in itertools.product(
            tasks, ("any", "through", "canonical"), (1, 2, 3)
        )
        for missing in (("learn", "right") if np.isnan(table[0]).any() else ("learn",))
    )


def compile_driver(build: Build, out: Path) -> Path:
    """Build the driver with CMake, as the module is built; the program."""
    folder = build.folder(out)
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DELC_ANSWERS=ON", *build.options]
    # zig is a program and its arguments; CMake takes them as one list.
    configure += [f"-DCMAKE_CXX_COMPILER={';'.join(build.compiler)}", f"-DCMAKE_CXX_FLAGS={build.flags}"]
    for command in (configure, ["cmake", "--build", str(folder)]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return next(path for path in (folder / "answers", folder / "answers.exe") if path.exists())


def answers_of(build: Build, program: Path, asked: str) -> list[str]:
    """What the program prints about the problems, a line each."""
    command = [*(build.runner or ()), str(program)]
    return subprocess.run(command, input=asked, check=True, capture_output=True, text=True).stdout.splitlines()


def differences(expected: list[str], answers: list[str]) -> list[str]:
    """The names of the problems that are answered otherwise."""
    return [a.split()[0] for a, b in itertools.zip_longest(expected, answers, fillvalue="none") if a != b]


def main(out: Path) -> int:
    """Compare all builds; how many differ."""
    asked = problems()
    expected: list[str] = []
    n_wrong = 0
    for build in builds():
        if missing := build.missing():
            print(f"{build.name}: skipped, {missing} is not here")
            continue
        program = compile_driver(build, out)
        if build.runner is None:
            print(f"{build.name}: compiles; nothing here can run it")
            continue
        answers = answers_of(build, program, asked)
        expected = expected or answers
        wrong = differences(expected, answers)
        n_wrong += bool(wrong)
        print(f"{build.name}: {len(answers)} answers, {len(wrong)} differ {' '.join(wrong[:3])}".rstrip(), flush=True)
    if not expected:
        print(f"no compiler for {platform.machine()} was found", file=sys.stderr)
    return n_wrong or int(not expected)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
