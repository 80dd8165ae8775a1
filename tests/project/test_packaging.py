"""What the package is made of: its public names, its layers, and what it says without a compiler."""

import ast
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import cart_elc

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "cart_elc"
MODULES = sorted(PACKAGE.rglob("*.py"))
NO_COMPILER = "cart-elc needs a C++17 compiler and found none: install g++ or clang++, or set CXX to one."
SEES_SCIKIT_LEARN = ("estimators", "datasets")


LAYERS = (
    {"_core"},
    {"tree"},
    {"criteria", "targets", "categories", "rounding", "datasets"},
    {"splitters", "inspection", "columns"},
    {"growing", "pruning", "verification"},
    {"compiled_growth", "refining"},
    {"estimators"},
    {"cli"},
    {"__init__", "__main__"},
)
"""The top-level modules and packages from the inside out; within a layer none imports another."""


def imports(path):
    """Yield the names of all modules that a file imports, also inside functions and for types alone."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            # `from cart_elc import storage` imports a module, `from cart_elc.tree import Tree` a name from one.
            targets = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (target if target in NAMES else node.module for target in targets)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def unit(path):
    """The top-level module or package that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def layer_of(name):
    """The position of a top-level module's layer."""
    return next(i for i, layer in enumerate(LAYERS) if name in layer)


def module_name(path):
    """The name that the file is imported by."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(path): path for path in MODULES} | {"cart_elc._core": PACKAGE / "_core.pyi"}


def test_every_public_name_exists():
    assert sorted(cart_elc.__all__) == sorted(set(cart_elc.__all__))
    for name in cart_elc.__all__:
        assert getattr(cart_elc, name).__doc__


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_outer_layers_import_scikit_learn(path):
    assert unit(path) in SEES_SCIKIT_LEARN or not any(name.split(".")[0] == "sklearn" for name in imports(path))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_the_layers_below_its_own(path):
    own = unit(path)
    above = {name for layer in LAYERS[layer_of(own) :] for name in layer} - {own}
    assert not [name for name in imports(path) if name.startswith("cart_elc") and name.split(".")[1] in above]


def test_the_plan_of_the_house_names_every_room():
    plan = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms = {unit(path) for path in MODULES} - {"__init__", "__main__"}
    assert not [room for room in rooms if not re.search(rf"^  {room}(/|\.py) ", plan, re.MULTILINE)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_has_at_most_300_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def test_every_module_has_its_layer():
    named = [name for layer in LAYERS for name in layer]
    assert len(named) == len(set(named))
    assert {unit(path) for path in MODULES} | {"_core"} == set(named)


def test_no_modules_import_each_other_in_a_circle():
    graph = {name: {target for target in imports(path) if target in NAMES} for name, path in NAMES.items()}
    while free := {name for name, targets in graph.items() if not targets}:
        graph = {name: targets - free for name, targets in graph.items() if name not in free}
    assert not graph


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").glob("*.py")), ids=lambda path: path.stem)
def test_the_benchmarks_use_what_is_still_there(path):
    assert importlib.import_module(path.stem).__file__ == str(path)


def test_numpy_and_scikit_learn_are_all_it_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [name.split(">")[0] for name in project["dependencies"]] == ["numpy", "scikit-learn"]


def test_importing_it_imports_no_optional_dependency():
    # scikit-learn may import pandas itself, so what it has loaded is not counted.
    code = "import sys, sklearn.ensemble; before = set(sys.modules); import cart_elc; print(*set(sys.modules) - before)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pandas", "polars", "matplotlib", "onnx", "dask"} & set(loaded)


def test_the_compiled_module_is_typed():
    stub = ast.parse((PACKAGE / "_core.pyi").read_text(encoding="utf-8"))
    names = {node.name for node in stub.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names |= {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
    compiled = importlib.import_module("cart_elc._core")
    assert {name for name in vars(compiled) if not name.startswith("_")} == names


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_says_in_one_sentence_that_a_compiler_is_missing(tmp_path):
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("make", "sh", "bash", "find", "test", "echo", "touch"):
        if found := shutil.which(tool):
            (tools / tool).symlink_to(found)
    command = ["make", "-C", str(ROOT), "run", f"VENV={tmp_path / 'venv'}"]
    environment = {"PATH": str(tools), "HOME": str(tmp_path)}
    result = subprocess.run(command, capture_output=True, text=True, env=environment | {"LC_ALL": "C"})
    said = [line for line in result.stderr.splitlines() if not line.startswith("make")]
    assert result.returncode != 0
    assert said == [NO_COMPILER]


def test_the_sentence_about_the_compiler_is_the_same_everywhere():
    for path in ("Makefile", "CMakeLists.txt", "tools/compiler_first.py"):
        assert (ROOT / path).read_text(encoding="utf-8").count(NO_COMPILER) == 1


@pytest.fixture
def backend():
    pytest.importorskip("scikit_build_core")
    specification = importlib.util.spec_from_file_location("compiler_first", ROOT / "tools" / "compiler_first.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_pip_says_in_one_sentence_that_a_compiler_is_missing(backend, tmp_path):
    command = [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index"]
    command += ["--target", str(tmp_path / "target"), str(ROOT)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CMAKE_", "SKBUILD_"))}
    result = subprocess.run(command, capture_output=True, text=True, env=environment | {"CXX": "/nowhere/c++"})
    lines = [line.strip() for line in (result.stdout + result.stderr).splitlines()]
    assert result.returncode != 0
    assert re.search(r"\[1 lines? of output\]", lines[lines.index(NO_COMPILER) - 1])
    assert lines[lines.index(NO_COMPILER) + 1] == "[end of output]"


def test_a_compiler_is_found_where_cmake_finds_it(backend, tmp_path):
    for name in backend.NAMES:
        folder = tmp_path / name
        folder.mkdir()
        (folder / name).touch(mode=0o755)
        assert backend.has_compiler({"PATH": str(folder)}, ())
        assert backend.has_compiler({"PATH": str(tmp_path)}, (str(folder),))
        assert backend.has_compiler({"PATH": str(tmp_path), "CXX": f"{folder / name} -m64"}, ())
    assert not backend.has_compiler({"PATH": str(tmp_path)}, ())
    assert not backend.has_compiler({"PATH": str(tmp_path / "g++"), "CXX": "clang++"}, ())


@pytest.mark.parametrize(
    ("settings", "environment"),
    [({"cmake.define.CMAKE_CXX_COMPILER": "x"}, {}), (None, {"CMAKE_ARGS": "-D"}), (None, {"SKBUILD_CMAKE_ARGS": ""})],
)
def test_cmake_is_asked_where_it_was_told_of_a_compiler(backend, settings, environment, monkeypatch):
    assert backend.cmake_is_told(settings, environment)
    monkeypatch.setattr(backend.sys, "platform", "linux")
    assert not backend.cmake_is_told({"build-dir": "x"}, {"PATH": "", "CXX": ""})


def test_the_backend_has_every_hook_of_the_one_it_wraps(backend):
    wrapped = importlib.import_module("scikit_build_core.build")
    assert set(wrapped.__all__) <= set(backend.__all__)
    assert all(callable(getattr(backend, name)) for name in backend.__all__)


def test_the_citation_is_the_paper_and_ci_runs_the_tests():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert "CART-ELC: Oblique Decision Tree Induction via Exhaustive Search" in citation
    ci = ROOT / ".ci" / "run"
    assert os.access(ci, os.X_OK)
    assert "make test" in ci.read_text(encoding="utf-8")
