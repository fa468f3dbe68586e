"""spaCy's own tests of pipelines and components, run with sapwood's components in the place of spaCy's.

`tests/shared/spacy_in_place.py` puts them there. A pytest of its own runs the tests, since the names stand for the
whole process.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from spacys_tests import DO_NOT_HOLD, HOLD

pytest.importorskip("spacy")

pytestmark = pytest.mark.slow


def test_spacys_own_tests_hold_or_fail_as_told(tmp_path):
    expected = {f"{file}::test_{name}": None for file, names in HOLD.items() for name in names.split()}
    for file, groups in DO_NOT_HOLD.items():
        expected |= {f"{file}::test_{name}": error for _, error, names in groups for name in names.split()}
    seen = set()
    for test, (outcome, components, found) in _outcomes(expected, tmp_path).items():
        name = test if test in expected else test.partition("[")[0]
        if not components:
            continue  # its parameters name other components
        seen.add(name)
        error = expected[name]
        if error is None:
            assert outcome == "passed", f"{test}: {found}"
        else:
            assert outcome == "failed" and error in found, f"{test} {outcome}: {found}"
    assert seen == expected.keys()


def _outcomes(names, folder):
    shared = Path(__file__).parents[1] / "shared"
    (folder / "pytest.ini").write_text("[pytest]\n")
    modules = [f"spacy.tests.{name.replace('.py', '', 1).replace('/', '.')}" for name in names]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "spacy_in_place", "--assert=plain"]
    command += ["-p", "no:cacheprovider", "-p", "no:randomly"]
    settings = ["-c", folder / "pytest.ini", "--rootdir=/", "--confcutdir=/", "--outcomes", folder / "outcomes"]
    path = os.pathsep.join([str(shared), *filter(None, sys.path)])
    # As spaCy runs them; its tests leave warnings of Python's to others.
    ran = subprocess.run(
        [*command, *settings, "--pyargs", *modules], cwd=folder, env=os.environ | {"PYTHONPATH": path},
        capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    assert ran.returncode == pytest.ExitCode.TESTS_FAILED, ran.stdout + ran.stderr
    lines = (folder / "outcomes").read_text(encoding="utf-8").splitlines()
    return {name: outcome for name, *outcome in map(json.loads, lines)}
