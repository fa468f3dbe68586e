"""Fixtures that the tests of good and bad examples share."""

from shutil import copytree

import pytest
from reviews import write_models


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder with examples in every format, and their models."""
    write_models(folder := tmp_path_factory.mktemp("models"))
    return folder


@pytest.fixture
def folder(tmp_path, models, monkeypatch):
    """A working directory with good files and models; bad ones are written by the tests."""
    copytree(models, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path
