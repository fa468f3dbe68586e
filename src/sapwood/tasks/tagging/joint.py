"""Tags of a word that are predicted together as one label: those of several columns, with a space between."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.conllu import rows_of

_JOINT = " "  # a tag has no space in it


def joint_tags(data: _core.Conllu, columns: Sequence[str]) -> list[list[str]]:
    """Return the label of each word: its tags in these columns."""
    return [list(map(_JOINT.join, sentence)) for sentence in rows_of(data, columns)]


def learnable_tags(data: _core.Conllu, columns: Sequence[str]) -> list[list[str]]:
    """Return the label of each word. Raises DataError if a tag has a space."""
    for word, values in enumerate(chain.from_iterable(rows_of(data, columns))):
        if any(_JOINT in value for value in values):
            raise DataError(f"{data.where(word)}: a tag has a space in it: {' | '.join(values)!a}")
    return joint_tags(data, columns)


def split_tags(label: str) -> list[str]:
    """Return the tags of a label."""
    return label.split(_JOINT)


def with_joint_tags(data: _core.Conllu, columns: Sequence[str], labels: list[list[str]]) -> _core.Conllu:
    """Return a treebank with the tags of labels in these columns."""
    split = [list(map(split_tags, sentence)) for sentence in labels]
    return data.with_columns({name: [[tags[k] for tags in s] for s in split] for k, name in enumerate(columns)})
