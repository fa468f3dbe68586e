"""The wheel sapwood-lab, in an environment that has nothing else: all of it runs; and beside sapwood's wheel.

In Pyodide, too, where SAPWOOD_PYODIDE names the folder of its distribution (pyodide.mjs and what lies beside it).
"""

import os
import shutil
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

import sapwood

pytestmark = pytest.mark.slow
LAB = Path(__file__).parents[1]
BASE = LAB.parent / "src" / "sapwood" / "base"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
STRICT = ("-W", "error", "-X", "warn_default_encoding")  # the encoding of files is named, as it differs on Windows
PYODIDE = os.environ.get("SAPWOOD_PYODIDE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from these sources."""
    if find_spec("hatchling") is None:
        pytest.skip("hatchling, which builds the wheel, is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder, LAB], check=True)
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
    tops = {name.split("/")[0] for name in names}
    assert tops == {"sapwood_lab", f"sapwood_lab-{sapwood.__version__}.dist-info"}
    sources = {path.relative_to(LAB / "src").as_posix() for path in files_in(LAB / "src/sapwood_lab")}
    shared = {f"sapwood_lab/base/{path.relative_to(BASE).as_posix()}" for path in files_in(BASE)}
    assert {name for name in names if name.startswith("sapwood_lab/")} == sources | shared | {"sapwood_lab/errors.py"}


def files_in(folder):
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc" and not path.is_symlink()]


def test_all_of_it_runs_where_nothing_else_is_installed(python, tmp_path):
    done = python(*STRICT, LAB / "check.py", tmp_path)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.endswith("the laboratory is whole\n")


def test_it_has_a_command(python, run_lab):
    words = ["steps", "--example", "parsing", "--updates", "3"]
    done = python("-m", "sapwood_lab", *words)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout == run_lab(words).out
    version = python("-m", "sapwood_lab", "--version")
    assert version.stdout == f"sapwood-lab {sapwood.__version__}\n"


def test_output_that_has_no_box_characters_is_escaped(python):
    done = python("-m", "sapwood_lab", "steps", "--example", "parsing", PYTHONIOENCODING="cp1252")
    assert (done.stderr, done.returncode) == ("", 0)
    assert r"\u250c" in done.stdout


CELLS = """
import json, sys
names = {}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]), names)
"""


def test_the_lessons_are_written_as_notebooks_which_run(python, tmp_path):
    done = python(*STRICT, "-m", "sapwood_lab", "lessons", "--solutions", tmp_path)
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
        ["node", LAB / "pyodide.mjs", PYODIDE, wheel], capture_output=True, text=True, encoding="utf-8"
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.endswith("the laboratory is whole\n")


# Beside sapwood

TRIED = {
    "sapwood": ("-m", "sapwood", "annotate", "en", "--format", "table"),
    "sapwood_lab": ("-m", "sapwood_lab", "steps"),
}


@pytest.mark.parametrize("order", [("sapwood", "sapwood_lab"), ("sapwood_lab", "sapwood")], ids="-".join)
def test_beside_sapwood_each_is_installed_and_removed_by_itself(wheel, tmp_path, order):
    built = sorted((LAB.parent / "build" / "wheel").glob("sapwood-*.whl"))
    if not built:
        pytest.skip("the wheel of sapwood was not built: make wheel")
    wheels = {"sapwood": built[-1], "sapwood_lab": wheel}
    venv.create(tmp_path)
    program = tmp_path / "bin" / "python"
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def pip(*words):
        subprocess.run([*PIP, "--python", program, *words], check=True)

    def files(name):
        with ZipFile(wheels[name]) as archive:
            return {each for each in archive.namelist() if not each.endswith("/RECORD")}

    def works(name):
        [site] = (tmp_path / "lib").glob("python*/site-packages")
        assert [each for each in files(name) if ".data/" not in each and not (site / each).is_file()] == []
        done = subprocess.run(
            [program, *TRIED[name]], input="A dog barks.", capture_output=True, text=True, cwd=tmp_path, env=plain
        )
        assert (done.stderr, done.returncode) == ("", 0)

    assert not files("sapwood") & files("sapwood_lab")
    for name in order:
        pip("install", "--no-deps", "--no-index", wheels[name])
    for name in order:
        works(name)
    pip("uninstall", "--yes", order[0].replace("_", "-"))
    works(order[1])
    assert not (tmp_path / "bin" / order[0].replace("_", "-")).exists()
    assert (tmp_path / "bin" / order[1].replace("_", "-")).exists()
