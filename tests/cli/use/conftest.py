"""Fixtures that the tests of classify share."""

import pytest
from reviews import write_models


@pytest.fixture(scope="module")
def _folder(tmp_path_factory):
    write_models(path := tmp_path_factory.mktemp("cli"))
    return path


@pytest.fixture
def folder(_folder, monkeypatch):
    """A working directory with examples in every format, and their models."""
    monkeypatch.chdir(_folder)
    return _folder
