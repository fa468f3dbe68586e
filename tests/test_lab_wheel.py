"""The wheel sapwood-lab, in an environment that has nothing else: all of it runs, and it says what it does not have.

In Pyodide, too, where SAPWOOD_PYODIDE names the folder of its distribution (pyodide.mjs and what lies beside it).
"""

import os
import re
import shutil
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

import sapwood

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "packaging" / "lab"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
STRICT = ("-W", "error", "-X", "warn_default_encoding")  # the encoding of files is named, as it differs on Windows
PYODIDE = os.environ.get("SAPWOOD_PYODIDE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from these sources."""
    if find_spec("hatchling") is None:
        pytest.skip("hatchling, which builds the wheel, is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder, FOLDER], check=True)
    [path] = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """A function that runs Python in an environment that has the wheel alone."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    program = folder / "bin" / "python"
    subprocess.run([*PIP, "--python", program, "install", "--no-deps", "--no-index", wheel], check=True)

    def run(*arguments, **environment):
        plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(
            [program, *arguments], capture_output=True, text=True, cwd=folder, env=plain | environment, encoding="utf-8"
        )

    return run


def test_it_is_for_every_system_and_has_the_version_of_sapwood(wheel):
    assert wheel.name == f"sapwood_lab-{sapwood.__version__}-py3-none-any.whl"
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()
    assert len(names) == len(set(names))
    assert not [name for name in names if name.endswith((".so", ".pyc", ".pyd"))]
    assert all("extra ==" in line for line in metadata.splitlines() if line.startswith("Requires-Dist"))
    kept = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src/sapwood/lab").rglob("*")}
    assert {name for name in kept if name.endswith((".py", ".txt", ".md"))} <= set(names)


def test_all_of_it_runs_where_nothing_else_is_installed(python, tmp_path):
    done = python(*STRICT, FOLDER / "check.py", tmp_path)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.endswith("the laboratory is whole\n")
    version = python("-c", "import sapwood; print(sapwood.__version__)")
    assert version.stdout.strip() == sapwood.__version__


def test_the_steps_are_those_of_sapwood(python, run_cli):
    words = ["reproduce", "steps", "--example", "parsing", "--updates", "3"]
    done = python("-m", "sapwood", *words)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout == run_cli(words).out


def test_output_that_has_no_box_characters_is_escaped(python):
    done = python("-m", "sapwood", "reproduce", "steps", "--example", "parsing", PYTHONIOENCODING="cp1252")
    assert (done.stderr, done.returncode) == ("", 0)
    assert r"\u250c" in done.stdout


def test_it_says_what_it_does_not_have(python):
    for code in ("import sapwood; sapwood.SequenceTagger", "from sapwood import load", "import sapwood._core"):
        done = python("-c", code)
        assert done.stderr.splitlines()[-1].startswith("ImportError: ")
        assert "the fast models need the package sapwood" in done.stderr.splitlines()[-1]
    for words in (["tag", "model.sap"], ["reproduce", "table1"], ["--help"]):
        done = python("-m", "sapwood", *words)
        assert done.returncode == 1
        assert re.fullmatch("sapwood: sapwood-lab has .*the fast models need the package sapwood.*\n", done.stderr)


CELLS = """
import json, sys
names = {}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]), names)
"""


def test_the_lessons_are_written_as_notebooks_which_run(python, tmp_path):
    done = python(*STRICT, "-m", "sapwood.lab.lessons", "--solutions", tmp_path)
    assert (done.stderr, done.returncode) == ("", 0)
    first, *others = sorted(tmp_path.glob("lesson_*.ipynb"))
    assert len(others) == 5
    done = python("-c", CELLS, first)
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.skipif(
    PYODIDE is None or shutil.which("node") is None, reason="needs node, and Pyodide in the folder SAPWOOD_PYODIDE"
)
def test_all_of_it_runs_in_pyodide(wheel):
    done = subprocess.run(
        ["node", FOLDER / "pyodide.mjs", PYODIDE, wheel], capture_output=True, text=True, encoding="utf-8"
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.endswith("the laboratory is whole\n")
