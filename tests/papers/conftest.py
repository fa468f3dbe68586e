"""The command line of the papers, run as the other tests run that of the package."""

from functools import partial

import pytest
from commands import run_command

from papers.__main__ import run


@pytest.fixture
def run_papers():
    """run_papers(args): run ``python -m papers`` in this process."""
    return partial(run_command, run=run)
