"""What a release is made of: one version, a changelog that has it, one address, and the files that a project owes."""

import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import cart_elc

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def tool(name):
    specification = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def files():
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("needs the repository")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def test_the_version_stands_in_one_place():
    assert cart_elc.__version__ == importlib.metadata.version("cart-elc") == PROJECT["project"]["version"]
    typed = f'"{PROJECT["project"]["version"]}"'
    places = [path for path in files() if path.suffix in {".py", ".toml", ".cff", ".txt", ".yml"}]
    assert [p.name for p in places if typed in p.read_text(encoding="utf-8")] == ["pyproject.toml"]


def test_the_newest_release_of_the_changelog_is_the_version():
    notes = tool("release_notes")
    assert next(iter(notes.sections())) == notes.version()
    assert notes.notes(f"v{notes.version()}") == notes.sections()[notes.version()]


def test_a_tag_of_another_version_is_no_release():
    with pytest.raises(SystemExit, match=r"the tag is v9\.9\.9"):
        tool("release_notes").notes("v9.9.9")


def test_every_address_of_the_project_has_the_same_owner():
    owner = re.search(r"github\.com/([\w-]+)/cart-elc", PROJECT["project"]["urls"]["Homepage"])[1]
    pattern = re.compile(r"github(?:usercontent)?\.com/([\w-]+)/cart-elc|//([\w-]+)\.github\.io/cart-elc")
    texts = [path.read_text(encoding="utf-8") for path in files() if path.suffix in {".md", ".toml", ".yml", ".cff"}]
    assert {a or b for text in texts for a, b in pattern.findall(text)} == {owner}


def test_on_the_package_index_the_pictures_of_the_readme_are_absolute():
    described = importlib.metadata.metadata("cart-elc")["Description"]
    images = re.findall(r"!\[[^]]*\]\(([^)]+)\)", described)
    assert images
    assert all(image.startswith("https://raw.githubusercontent.com/") for image in images)
    assert f"v{cart_elc.__version__}" in images[0]


@pytest.mark.parametrize("name", ["LICENSE", "CITATION.cff", "CODE_OF_CONDUCT.md", "SECURITY.md", "CONTRIBUTING.md"])
def test_the_project_says_what_it_owes(name):
    assert (ROOT / name).stat().st_size > 200


def test_a_wheel_is_tried_with_tests_that_are_there():
    wheel = tool("wheel")
    assert all((ROOT / name).exists() for name in (*wheel.TRIED, *wheel.IN_SDIST))
    assert PROJECT["tool"]["cibuildwheel"]["test-requires"] == list(wheel.TRIED_WITH)
