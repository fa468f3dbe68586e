"""The types of the public API, from outside: a program as users write it runs, and type checkers find nothing in it."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import outside
import pytest

import sapwood

PACKAGE = Path(sapwood.__file__).parents[1]
WRONG = """
import sapwood
from sapwood import SequenceTagger

sapwood.load("en").nonsense
SequenceTagger().predict(7)
SequenceTagger.load(3)
"""


@pytest.mark.filterwarnings("ignore:the held-out data are the training data")
def test_the_program_runs(tmp_path):
    pytest.importorskip("sklearn")
    outside.use(tmp_path)


@pytest.fixture
def program(tmp_path):
    """The program in a folder of its own, and another one with three errors."""
    (tmp_path / "outside.py").write_text(Path(outside.__file__).read_text())
    (tmp_path / "wrong.py").write_text(WRONG)
    return tmp_path


@pytest.mark.slow
def test_mypy_finds_nothing(program):
    pytest.importorskip("mypy")
    # Nothing is said of the package itself, as of one that is installed.
    (program / "mypy.ini").write_text("[mypy]\nstrict = true\n[mypy-sapwood.*]\nfollow_imports = silent\n")
    # mypy finds an installed package by itself, and refuses a path that leads there.
    environment = {} if PACKAGE.is_relative_to(sys.prefix) else {"MYPYPATH": str(PACKAGE)}
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--no-incremental", "outside.py", "wrong.py"]
    found = subprocess.run(command, cwd=program, env=environment, capture_output=True, text=True)
    errors = [line for line in found.stdout.splitlines() if " error: " in line]
    assert [line.split(":")[0] for line in errors] == ["wrong.py"] * 3, found.stdout + found.stderr


@pytest.mark.slow
@pytest.mark.skipif(find_spec("basedpyright") is None, reason="needs basedpyright, which pip installs with its Node")
@pytest.mark.parametrize("mode", ["standard", "strict"])
def test_pyright_finds_nothing(program, mode):
    prefix = Path(sys.prefix)
    settings = {"typeCheckingMode": mode, "extraPaths": [str(PACKAGE)], "venvPath": str(prefix.parent)}
    (program / "pyrightconfig.json").write_text(json.dumps(settings | {"venv": prefix.name}))
    command = [sys.executable, "-m", "basedpyright", "--outputjson"]
    found = subprocess.run(command, cwd=program, capture_output=True, text=True)
    errors = [each for each in json.loads(found.stdout)["generalDiagnostics"] if each["severity"] == "error"]
    assert {Path(each["file"]).name for each in errors} == {"wrong.py"}, found.stdout
