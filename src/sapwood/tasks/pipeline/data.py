"""Words and tags, as the taggers of a pipeline learn from them and give them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.io.conllu import rows_of
from sapwood.parts import PART_NAMED, TAGS
from sapwood.tasks.tagging.joint import learnable_tags, split_tags

if TYPE_CHECKING:
    from sapwood.tasks.tagging.model import SequenceTagger

TAGGER, MORPHOLOGY = PART_NAMED["tagger"], PART_NAMED["morphology"]
TAGGED = tuple(column.name for column in TAGGER.columns)
NO_FEATS = "no word has morphological features"  # the reason for which there is no model of them

Tags = list[list[tuple[str, ...]]]  # by sentence and word: UPOS, XPOS, FEATS
Rows = list[list[tuple[str, ...]]]  # by sentence and word: form and tags


def joint_tags_of(data: _core.Conllu) -> tuple[Rows, list[list[str]]]:
    """Return the rows of a tagger of UPOS and XPOS, and their labels."""
    return rows_of(data, TAGGER.reads), learnable_tags(data, TAGGED)


def tag_rows(forms: Iterable[Sequence[str]], tags: Iterable[Sequence[Sequence[str]]]) -> Rows:
    """Return the rows of a tagger: the form of each word and its tags."""
    pairs = zip(forms, tags, strict=True)
    return [[(form, *of_word) for form, of_word in zip(*sentence, strict=True)] for sentence in pairs]


def with_labels(rows: Rows, labels: Sequence[Sequence[str]]) -> Rows:
    """Return rows with their labels behind them."""
    pairs = zip(rows, labels, strict=True)
    return [[(*row, label) for row, label in zip(*sentence, strict=True)] for sentence in pairs]


def with_tags(data: _core.Conllu, tags: Sequence[Sequence[tuple[str, ...]]]) -> _core.Conllu:
    """Return a treebank with other tags."""
    columns = {name: [[of_word[k] for of_word in s] for s in tags] for k, name in enumerate(TAGS)}
    return data.with_columns(columns)


def tagged(forms: Sequence[list[str]], tagger: SequenceTagger, morphology: SequenceTagger | None) -> Tags:
    """Return the tags of words: UPOS, XPOS and FEATS. Equal ones are one object, as a treebank has many words."""
    rows = [[(form,) for form in sentence] for sentence in forms]
    split = cache(lambda label: tuple(split_tags(label)))
    tags: Tags = [list(map(split, sentence)) for sentence in tagger.predict(rows)]
    joined = cache(lambda of_word, feats: (*of_word, feats))
    if morphology is None:
        return [[joined(of_word, "_") for of_word in sentence] for sentence in tags]
    of_each = zip(tags, morphology.predict(tag_rows(forms, tags)), strict=True)
    return [list(map(joined, *sentence)) for sentence in of_each]
