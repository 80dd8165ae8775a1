"""Builds the source distribution and from it a wheel, and tries the wheel where no compiler is.

`make wheel` runs `wheel.py make`: sdist, wheel, repair (auditwheel, on Linux), a look at what is in both, and then, for
every Python that is named, a fresh environment with nothing else on its path, in which the wheel is installed and
`wheel.py try`, unpacked from the sdist, runs the sdist's tests of the kernel, the trees and the estimators against it.
cibuildwheel runs `wheel.py try --here` in an environment that it has made itself.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUT = ROOT / "dist"
WORK = ROOT / "build" / "wheel"
TRIED = (
    "tests/core/test_search.py", "tests/core/test_verify.py", "tests/tree", "tests/estimators/test_elc_classifier.py",
    "tests/estimators/test_storage.py", "tests/inspection/test_text.py", "tests/inspection/test_code.py",
)  # fmt: skip
"""What a wheel is tried with: the tests that need nothing but the package and these."""
TRIED_WITH = ("pytest", "pytest-xdist", "hypothesis", "pandas", "matplotlib")
IN_SDIST = (
    "LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "CMakeLists.txt", "Makefile", "pyproject.toml",
    "tools/compiler_first.py", "src/core/exact/search.hpp", "src/cart_elc/__init__.py", "tests/conftest.py",
    "tests/core/test_search.py", "reproduction/pyproject.toml", "examples/default_tree.py", "docs/exact_search.md",
)  # fmt: skip
IN_WHEEL = ("cart_elc/__init__.py", "cart_elc/py.typed", "cart_elc/_core.pyi", "cart_elc/inspection/page/web/page.html")
COMPILERS = ("c++", "g++", "clang++", "cc", "gcc", "clang", "cl")


def make(pythons: Iterable[str]) -> None:
    """Build, repair, look and try."""
    shutil.rmtree(WORK, ignore_errors=True)
    built = build()
    wheel = repair(built)
    sdist = next(OUT.glob("*.tar.gz"))
    look(sdist, wheel)
    tests = unpacked(sdist)
    for python in pythons:
        try_fresh(python, wheel, tests)
    print(f"{sdist.relative_to(ROOT)}\n{wheel.relative_to(ROOT)}")


def build() -> Path:
    """The sdist, and the wheel that is built from it: what the sdist lacks, the wheel cannot have."""
    shutil.rmtree(OUT, ignore_errors=True)
    run([sys.executable, "-m", "build", "--outdir", str(WORK), str(ROOT)])
    OUT.mkdir()
    shutil.move(next(WORK.glob("*.tar.gz")), OUT)
    return next(WORK.glob("*.whl"))


def repair(wheel: Path) -> Path:
    """The wheel with the tag of the oldest systems that it runs on; elsewhere than on Linux as it is."""
    if sys.platform == "linux":
        run([sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", str(OUT), str(wheel)])
    else:
        shutil.move(wheel, OUT)
    return next(OUT.glob("*.whl"))


def look(sdist: Path, wheel: Path) -> None:
    """Fail where a file is missing, or where the wheel has what it should not have."""
    with tarfile.open(sdist) as archive:
        in_sdist = {name.split("/", 1)[-1] for name in archive.getnames()}
    in_wheel = set(zipfile.ZipFile(wheel).namelist())
    missing = [*(name for name in IN_SDIST if name not in in_sdist), *(n for n in IN_WHEEL if n not in in_wheel)]
    strangers = {name.split("/")[0] for name in in_wheel if not name.startswith("cart_elc")}
    if missing or strangers:
        raise SystemExit(f"missing: {missing}; should not be in the wheel: {sorted(strangers)}")
    print(f"{len(in_sdist)} files in the sdist, {len(in_wheel)} in the wheel of {wheel.stat().st_size / 1e6:.1f} MB")


def unpacked(sdist: Path) -> Path:
    """Unpack the sdist; the folder that it has."""
    with tarfile.open(sdist) as archive:
        archive.extractall(WORK, filter="data")
    return WORK / sdist.name.removesuffix(".tar.gz")


def try_fresh(python: str, wheel: Path, tests: Path) -> None:
    """Install the wheel into a fresh environment, and run the sdist's tests there with nothing else on the path."""
    venv = WORK / f"venv-{Path(python).name}"
    run([python, "-m", "venv", str(venv)])
    folder = venv / ("Scripts" if os.name == "nt" else "bin")
    own = str(folder / Path(sys.executable).with_stem("python").name)
    run([own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel), *TRIED_WITH])
    run([own, str(tests / "tools" / "wheel.py"), "try"], environment={"PATH": str(folder), "HOME": str(venv)})


def try_here(allow_compiler: bool) -> int:
    """Run the tests against the installed wheel; its exit code."""
    compilers = [name for name in COMPILERS if shutil.which(name)]
    if compilers and not allow_compiler:
        raise SystemExit(f"to be tried without a compiler, and here is {compilers[0]}")
    import cart_elc

    if ROOT in Path(cart_elc.__file__).parents and "site-packages" not in cart_elc.__file__:
        raise SystemExit(f"{cart_elc.__file__} is no installed wheel")
    print(f"cart-elc {cart_elc.__version__} of {Path(cart_elc.__file__).parent}, Python {sys.version.split()[0]}")
    tests = [str(ROOT / name) for name in TRIED]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--rootdir", str(ROOT), *tests]
    ).returncode


def run(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Run a command; end with its exit code where it fails."""
    if code := subprocess.run(command, env=environment).returncode:
        raise SystemExit(code)


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("make").add_argument("pythons", nargs="+", help="the interpreters that the wheel is tried with")
    commands.add_parser("try").add_argument("--here", action="store_true", help="also where a compiler is")
    arguments = parser.parse_args()
    if arguments.command == "try":
        return try_here(arguments.here)
    make(arguments.pythons)
    return 0


if __name__ == "__main__":
    sys.exit(main())
