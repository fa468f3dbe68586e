"""Fixtures of the laboratory's tests: two ways to run its command line."""

import contextlib
import subprocess
import sys

import pytest
from commands import run_command

from sapwood_lab.command import run


@pytest.fixture
def run_lab():
    """run_lab(args, stdin=b""): run `sapwood-lab` in this process (`run_command` of tests/shared/commands.py)."""
    return lambda args, stdin=b"": run_command(args, stdin, run)


@pytest.fixture
def spawn_lab():
    """spawn_lab(args, **popen): start `sapwood-lab` as a process of its own."""
    with contextlib.ExitStack() as stack:

        def spawn(args, **options):
            process = subprocess.Popen([sys.executable, "-m", "sapwood_lab", *map(str, args)], **options)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        yield spawn
