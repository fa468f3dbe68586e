"""What sapwood says of its laboratory, which is a package of its own: where the old names lead."""

import subprocess
import sys

import pytest

import sapwood
import sapwood_lab


def test_both_have_one_version():
    assert sapwood_lab.__version__ == sapwood.__version__


def test_the_old_name_leads_to_the_laboratory():
    code = "import sapwood.lab as old, sapwood_lab; from sapwood.lab.viterbi import Trellis; print(old is sapwood_lab)"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_without_the_laboratory_the_old_name_says_what_to_install():
    code = "import sys; sys.modules['sapwood_lab'] = None; import sapwood.lab"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: sapwood.lab is sapwood_lab now")
    assert last.endswith("pip install ./lab")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("steps --example chunking", "sapwood-lab steps"),
        ("reproduce steps --example chunking", "sapwood-lab steps"),
        ("reproduce averaging", "sapwood-lab averaging"),
        ("help reproduce steps", "sapwood-lab steps"),
    ],
)
def test_commands_that_moved_name_the_new_ones(run_cli, old, new):
    run = run_cli(old)
    assert (run.status, run.out) == (2, "")
    assert f"is '{new}' now, of the package sapwood-lab" in run.err
    assert run.err.endswith("pip install ./lab\n")
    assert run.err.count("\n") == 1
