"""Outputs that cannot be written: one line on standard error, exit 1 or 2, and before the training."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from bad_files import write_files
from refusals import refuse
from tiny import TINY_CORPUS, train_tiny


@pytest.fixture
def folder(tmp_path, tiny_file, tiny_template, tiny_model, monkeypatch):
    """A working directory with good and bad files by the names that the tables below use."""
    write_files(tmp_path, tiny_file, tiny_template, tiny_model)
    monkeypatch.chdir(tmp_path)
    return tmp_path


TRAIN = "train tag good.txt --template good.tpl -q -o"


@pytest.mark.parametrize(
    ("output", "what"),
    [
        ("directory", "is a directory"),
        ("no/such/folder/m.sap", "no such directory"),
        ("good.txt/m.sap", "cannot be written"),
        ("/proc/m.sap", "cannot be written"),
    ],
)
def test_outputs_that_cannot_be_written_are_refused(run_cli, folder, output, what):
    refuse(run_cli, folder, f"{TRAIN} {output}", 1, f"{output}: ", what)


def test_an_output_is_tried_before_training(run_cli, folder):
    """The training data are not even opened: minutes of work would be lost."""
    refuse(run_cli, folder, "train tag missing.txt -o directory", 1, "directory: ", "is a directory")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_one_line(run_cli, folder):
    refuse(run_cli, folder, f"{TRAIN} /dev/full", 1, "/dev/full: ", "the disk is full")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)  # noqa: PTH116
    refuse(run_cli, folder, "eval good.sap good.txt --json /dev/full", 1, "/dev/full: ", "the disk is full")


@pytest.mark.few(1)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("verb", ["tag good.sap good.txt", "eval good.sap good.txt", "inspect good.sap", "--help"])
def test_standard_output_on_a_full_disk_is_an_error(folder, verb):
    for start in (["-m", "sapwood"], ["-c", "from sapwood.cli import main; main()"]):
        with Path("/dev/full").open("w") as full:
            command = [sys.executable, *start, *verb.split()]
            run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
        assert run.returncode == 1
        assert run.stderr == "sapwood: No space left on device\n"


def test_a_write_protected_place_is_named(run_cli, folder, tiny):
    """Even where the tests run as root, who may write everywhere."""
    root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as name:
        closed = Path(name, "closed")
        closed.mkdir()
        (closed / "m.sap").touch()
        train_tiny(tiny)  # imports what it needs while it may
        (closed / "m.sap").chmod(0o444)
        Path(name).chmod(0o755)
        closed.chmod(0o555)
        data = Path(name, "t.txt")
        data.write_text(TINY_CORPUS)
        try:
            if root:
                os.seteuid(65534)
            for target in ("m.sap", "new.sap"):
                run = run_cli(["train", "tag", data, "-o", closed / target, "--template", "crfsuite-chunking", "-q"])
                assert run.status == 1
                assert run.err.startswith(f"sapwood: {closed / target}: cannot be written: ")
                assert run.err.count("\n") == 1
                run = run_cli(["generate", "treebank", "--sentences", 10, "-o", closed / "corpus"])
                assert run.status == 1
                assert run.err.count("\n") == 1
        finally:
            if root:
                os.seteuid(0)
            closed.chmod(0o755)
        assert [path.name for path in closed.iterdir()] == ["m.sap"]
        assert (closed / "m.sap").read_text() == ""


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        ("eval good.sap good.txt --json directory", "directory: "),
        ("eval good.sap good.txt --json no/such/folder.json", "no/such/folder.json: "),
        ("generate treebank --sentences 10 -o good.txt", "good.txt: "),
        ("generate treebank --sentences 10 -o good.txt/x", "good.txt/x: "),
    ],
)
def test_other_outputs_that_cannot_be_written_are_refused(run_cli, folder, arguments, where):
    refuse(run_cli, folder, arguments, 1, where, "")
