"""What the package is made of: its public names, its layers, and what it says without a compiler."""

import ast
import importlib
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import cart_elc

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "cart_elc"
MODULES = sorted(PACKAGE.rglob("*.py"))
SEES_SCIKIT_LEARN = ("estimators", "datasets", "experiments")


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_every_public_name_exists():
    assert sorted(cart_elc.__all__) == sorted(set(cart_elc.__all__))
    for name in cart_elc.__all__:
        assert getattr(cart_elc, name).__doc__


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_outer_layers_import_scikit_learn(path):
    outer = path.relative_to(PACKAGE).parts[0].removesuffix(".py") in SEES_SCIKIT_LEARN
    assert outer or not any(name.split(".")[0] == "sklearn" for name in imports(path))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_inner_layers_do_not_import_outer_ones(path):
    layers = {
        "criteria": ("cart_elc.splitters", "cart_elc.growing", "cart_elc.estimators"),
        "tree": ("cart_elc.criteria", "cart_elc.splitters", "cart_elc.growing", "cart_elc.estimators"),
        "splitters": ("cart_elc.growing", "cart_elc.pruning", "cart_elc.estimators"),
        "growing": ("cart_elc.estimators", "cart_elc.experiments"),
        "pruning": ("cart_elc.estimators", "cart_elc.experiments"),
        "inspection": ("cart_elc.estimators", "cart_elc.experiments", "cart_elc.growing"),
        "estimators": ("cart_elc.experiments", "cart_elc.cli"),
    }
    forbidden = layers.get(path.relative_to(PACKAGE).parts[0].removesuffix(".py"), ())
    assert not [name for name in imports(path) if name.startswith(forbidden or ("no such",))]


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
    assert said == ["cart-elc needs a C++17 compiler and found none: install g++ or clang++, or set CXX to one."]


def test_the_citation_is_the_paper_and_ci_runs_the_tests():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert "CART-ELC: Oblique Decision Tree Induction via Exhaustive Search" in citation
    ci = ROOT / ".ci" / "run"
    assert os.access(ci, os.X_OK)
    assert "make test" in ci.read_text(encoding="utf-8")
