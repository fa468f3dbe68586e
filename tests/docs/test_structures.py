"""The examples of structures run, and print what the page says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["morse", "aligner", "sudoku_row"])
def test_an_example_prints_what_the_page_says(name):
    command = [sys.executable, ROOT / "examples" / "structures" / f"{name}.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"```text\n{done.stdout}```\n" in (ROOT / "docs" / "structures.md").read_text(encoding="utf-8")
