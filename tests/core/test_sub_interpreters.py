"""In a sub-interpreter the import is refused, by every Python: there some calls would never return."""

import subprocess
import sys

import pytest
from processes import HANG, guarded

INTERPRETERS = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
number = interpreters.create({how})
try:
    said = interpreters.run_string(number, {code!r})
except Exception as error:
    said = error
print(said)
"""
HOW = ['"legacy"', '"isolated"'] if sys.version_info >= (3, 13) else ["isolated=0", "isolated=1"]


@pytest.mark.few(1)
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    "code",
    [
        "import sapwood._core",
        "import sapwood; sapwood.load('en')",
        "from sapwood import SequenceTagger",
        "from sapwood import Classifier; Classifier().fit(['a', 'b'] * 9, ['x', 'y'] * 9)",
        "from sapwood.cli import run; import sys; sys.argv = ['sapwood']; run(['inspect', 'en'])",
    ],
)
def test_the_import_is_refused(how, code):
    command = [sys.executable, "-c", INTERPRETERS.format(how=how, code=code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, preexec_fn=guarded)
    assert "ImportError" in done.stdout
    assert "sub-interpreter" in done.stdout or "does not support loading in subinterpreters" in done.stdout
