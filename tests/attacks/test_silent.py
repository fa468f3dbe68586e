"""The attack script runs, and what contradicts itself is refused."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.corpus
def test_what_contradicts_itself_is_refused():
    script = Path(__file__).with_name("silent.py")
    run = subprocess.run([sys.executable, script, "refused"], check=True, capture_output=True, text=True)
    rows = [line.split("\t") for line in run.stdout.splitlines()]
    assert len(rows) > 10
    assert [row for row in rows if row[2] != row[3]] == []
