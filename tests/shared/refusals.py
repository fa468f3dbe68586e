"""What a command that refuses its input has to say and to leave alone."""

import tempfile
from pathlib import Path


def snapshot(folder):
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def refuse(run_cli, folder, arguments, status, where, what, stdin=b""):
    """Run the command; hold it to one line, the right status, and an untouched folder."""
    before = snapshot(folder)
    scratch = set(Path(tempfile.gettempdir()).glob("sapwood-*"))
    run = run_cli(arguments, stdin=stdin)
    assert run.status == status, run.err
    assert run.err.startswith(f"sapwood: {where}"), run.err
    assert what in run.err
    assert run.err.count("\n") == 1
    assert run.err.endswith("\n")
    assert snapshot(folder) == before
    assert set(Path(tempfile.gettempdir()).glob("sapwood-*")) <= scratch
    return run
