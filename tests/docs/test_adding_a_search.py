"""The page that adds a search to the core: its code is put into a copy of the sources, which is built and tested."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from os import environ, pathsep
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "adding-a-search.md"
BLOCK = re.compile(r"^```\{code-block\} (\w+)\n:caption: (\S+)\n\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are not here")


def blocks() -> list[tuple[str, str, str]]:
    """Return language, file and code of each block, in their order."""
    return BLOCK.findall(PAGE.read_text(encoding="utf-8"))


def sides(diff: str) -> tuple[str, str]:
    """Return the lines before and after a change."""
    lines = diff.splitlines(keepends=True)
    return tuple("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))


def put_into(folder: Path) -> None:
    """Put the code of the page into a copy of the sources: blocks of a file follow each other, or change it."""
    for language, name, code in blocks():
        path = folder / name
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if language == "diff":
            old, new = sides(code)
            assert before.count(old) == 1, f"{name} is not as the page has it:\n{old}"
            path.write_text(before.replace(old, new), encoding="utf-8")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(before + ("\n" if before else "") + code, encoding="utf-8")


def sources(folder: Path) -> Path:
    """Return a copy of what the core is built from."""
    for name in ("core", "src"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "_core*"))
    for name in ("CMakeLists.txt", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def test_the_changes_of_the_page_fit_the_core(tmp_path):
    shutil.copytree(ROOT / "core" / "tagging", tmp_path / "core" / "tagging")
    put_into(tmp_path)
    files = {name for _, name, _ in blocks()}
    assert len(files) == 3
    assert "right_to_left" in (tmp_path / "core" / "tagging" / "label_searches.hpp").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_search_of_the_page_is_built_and_learns(tmp_path):
    copy = sources(tmp_path)
    put_into(copy)
    target = tmp_path / "installed"
    settings = ["cmake.build-type=Debug", "install.strip=false", f"build-dir={tmp_path / 'build'}"]
    build = [f"--config-settings={each}" for each in settings]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--target", str(target), *build, str(copy)], check=True)
    test = copy / "tests" / "tasks" / "tagging" / "test_right_to_left.py"
    # Without `site`, whose hook of an editable installation would come before the path.
    python = [sys.executable, "-S"]
    libraries = [each for each in sys.path if each.endswith("site-packages")]
    path = {**environ, "PYTHONPATH": pathsep.join([str(target), *libraries])}
    pytest_alone = [*python, "-m", "pytest", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", tmp_path]
    subprocess.run([*pytest_alone, test], check=True, env=path)
    where = "from sapwood import _core; print(_core.__file__)"
    found = subprocess.run([*python, "-c", where], check=True, env=path, capture_output=True, text=True)
    assert found.stdout.startswith(str(target))
