"""The Docker file copies what the build needs: its commands run here as far as they can without Docker."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILE = ROOT / "Dockerfile"

pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="the sources are not here")


def test_what_is_copied_is_there():
    for source in re.findall(r"^COPY (?!--from)(\S+) ", FILE.read_text(), re.MULTILINE):
        assert (ROOT / source).exists(), source


def test_nothing_that_the_build_reads_is_ignored():
    """A wheel is built from files of git, of which .dockerignore may leave out none that the build names."""
    ignored = set((ROOT / ".dockerignore").read_text().split())
    named = re.findall(r"\b(?:core|src|tests|fuzz)/[\w./]+\.(?:cpp|hpp)", (ROOT / "CMakeLists.txt").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for path in {*named, project["readme"], *project["license-files"], "src/sapwood/bundled/en.sap"}:
        assert (ROOT / path).is_file(), path
        assert path.split("/")[0] not in ignored, path


def test_the_entry_point_is_a_command_of_the_package():
    entry = re.search(r'^ENTRYPOINT \["(\S+)"\]$', FILE.read_text(), re.MULTILINE)[1]
    assert entry in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]


def test_python_of_both_stages_is_the_same_and_new_enough():
    stages = re.findall(r"^FROM python:(\d+)\.(\d+)-slim", FILE.read_text(), re.MULTILINE)
    assert len(stages) == 2
    assert len(set(stages)) == 1
    assert tuple(map(int, stages[0])) >= (3, 11)
