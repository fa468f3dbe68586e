"""Tests and benchmarks lie in the folders of what they are about; a table has every benchmark."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BENCH = ROOT / "bench"

pytestmark = pytest.mark.skipif(not BENCH.is_dir(), reason="the sources are not here")


def folders(root):
    found = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_dir()}
    return {name for name in found if not {"__pycache__", "shared"} & set(name.split("/"))}


def test_folders_of_tests_are_those_of_the_package_and_the_core():
    places = folders(ROOT / "src" / "sapwood") | {"core", "docs"} | {f"core/{name}" for name in folders(ROOT / "core")}
    beside = {"model/file/attacks", "attacks", "papers", "recipes"}
    assert folders(ROOT / "tests") <= places | beside


def test_folders_of_benchmarks_are_those_of_the_package_the_laboratory_and_the_core():
    assert folders(BENCH) <= folders(ROOT / "src" / "sapwood") | {"core", "lab"}


def test_a_folder_of_tests_or_benchmarks_has_at_most_14_files():
    for top in (ROOT / "tests", BENCH):
        for name in folders(top):
            files = [path for path in (top / name).iterdir() if path.is_file()]
            assert len(files) <= 14, f"{top.name}/{name}"


def test_every_benchmark_stands_in_the_table_with_what_it_measures():
    page = (BENCH / "README.md").read_text()
    table = re.findall(r"^\| `python -m (bench[\w.]+)[^`]*` \| [^|]+ \|$", page, re.MULTILINE)
    files = [path.relative_to(ROOT) for path in BENCH.rglob("*.py") if path.parent.name != "shared"]
    assert sorted(table) == sorted(".".join(path.with_suffix("").parts) for path in files)


def test_the_tests_that_the_checks_name_are_there():
    scripts = [path.read_text() for path in (ROOT / ".ci").iterdir()]
    named = {name for text in scripts for name in re.findall(r"(?:lab/)?tests/[\w/*]+(?:\.py)?", text)}
    assert named and [name for name in named if not list(ROOT.glob(name))] == []
