"""What the laboratory needs is plain Python: it runs without sapwood, and without what Windows and browsers lack."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[1] / "check.py"
BARRED = """
import sys

class Barred:
    def find_spec(self, name, path=None, target=None):
        if name in {"fcntl", "resource", "termios", "pwd", "grp", "sapwood"}:
            raise ModuleNotFoundError(f"{name} is barred", name=name)

sys.meta_path.insert(0, Barred())
"""
WINDOWS = """
import shutil  # Python's own, which on the real Windows imports what is there alone
import signal
del signal.SIGHUP
sys.platform = "win32"
"""


def run(code, **environment):
    return subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", code], capture_output=True, text=True, env=os.environ | environment
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("system", ["", WINDOWS], ids=["here", "windows"])
def test_all_of_it_runs_without_sapwood(system, tmp_path):
    code = (
        BARRED
        + system
        + f"import runpy\nsys.argv[1:] = [{str(tmp_path)!r}]\nrunpy.run_path({str(CHECK)!r}, run_name='__main__')"
    )
    done = run(code, PYTHONIOENCODING="cp1252")
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.endswith("the laboratory is whole\n")
