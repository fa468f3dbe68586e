"""Other people's files, habits and machines: what sapwood does with each variation of each kind is right."""

import warnings
from itertools import groupby

import pytest
from kinds import all_variations


def variations():
    """Return all variations as parameters; of each kind, the first one is a fast test."""
    for (subject, kind), found in groupby(all_variations(), key=lambda each: (each.subject, each.kind)):
        for k, each in enumerate(found):
            marks = [pytest.mark.slow] if k else []
            yield pytest.param(each, marks=marks, id=f"{subject}: {kind}: {each.name}")


@pytest.mark.parametrize("variation", list(variations()))
def test_variation(variation, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("always")  # a check looks itself at what is warned of
        assert variation.right(tmp_path)
