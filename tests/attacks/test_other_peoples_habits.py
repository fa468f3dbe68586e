"""Other people's files, habits and machines: what sapwood does with each variation of each kind is right."""

import warnings

import pytest
from kinds import all_variations

VARIATIONS = all_variations()


@pytest.mark.parametrize(
    "variation", VARIATIONS, ids=[f"{each.subject}: {each.kind}: {each.name}" for each in VARIATIONS]
)
def test_variation(variation, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("always")  # a check looks itself at what is warned of
        assert variation.right(tmp_path)
