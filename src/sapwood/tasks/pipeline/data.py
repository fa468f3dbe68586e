"""The data of a pipeline's parts: words and tags, as taggers learn and give them, and sentences of given words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeGuard

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.conllu import rows_of
from sapwood.io.source import encoded
from sapwood.parts import PART_NAMED, TAGS
from sapwood.tasks.tagging.data import learnable_tags, split_tags

if TYPE_CHECKING:
    from sapwood.tasks.tagging.model import SequenceTagger

TAGGER, MORPHOLOGY = PART_NAMED["tagger"], PART_NAMED["morphology"]
TAGGED = tuple(column.name for column in TAGGER.columns)
NO_FEATS = "no word has morphological features"  # the reason for which there is no model of them

Tags = list[list[tuple[str, ...]]]  # by sentence and word: UPOS, XPOS, FEATS
Rows = list[list[tuple[str, ...]]]  # by sentence and word: form and tags
Given = str | Iterable[str] | Iterable[Iterable[str]]  # a text, a sentence of words, or several
_FORBIDDEN = {" ": "a blank", "\t": "a tab", "\n": "a line end", "\r": "a line end", "\0": "NUL"}


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


def are_words(given: object) -> TypeGuard[Iterable[Any]]:
    """Return true for a list or the like, which is no text."""
    return isinstance(given, Iterable) and not isinstance(given, str | bytes | bytearray | Mapping | Set)


def doc_of_words(given: Iterable[Any]) -> _core.Doc:
    """Return a sentence of words, or a list of sentences, as a document: a sentence a line, blanks between words.

    Raises DataError for a word that is no string, is empty or has a blank in it, and for a sentence without words.
    """
    items: list[Any] = list(given)
    several = bool(items) and all(map(are_words, items))
    sentences: list[list[Any]] = [list(item) for item in items] if several else [items] if items else []
    for s, sentence in enumerate(sentences, 1):
        if not sentence:
            raise DataError(f"sentence {s} has no words; leave it out")
        for w, word in enumerate(sentence, 1):
            _check(word, f"sentence {s}, word {w}" if several else f"word {w}")
    lines = [" ".join(sentence) for sentence in sentences]
    words = [word for sentence in sentences for word in sentence]
    begins = [0, *accumulate(len(word) + 1 for word in words)]  # a blank or a line end is behind each word
    places = [(begin, begin + len(word)) for begin, word in zip(begins, words, strict=False)]
    firsts = [0, *accumulate(map(len, sentences))]
    ends = [(first, first, False) for first in firsts]
    return _core.Doc.build("\n".join(lines), places, [*range(len(words) + 1)], ends, {"form": words}, None)


def _check(word: object, where: str) -> None:
    if not isinstance(word, str):
        raise DataError(f"{where}: a word is a string, not {type(word).__name__}")
    if not word:
        raise DataError(f"{where} is empty; leave it out")
    if found := next((c for c in word if c in _FORBIDDEN), None):
        texts = "; a list is a sentence of words, and 'pipe' takes a list of texts" if found in " \n" else ""
        raise DataError(f"{where}: {word[:40]!r} has {_FORBIDDEN[found]} in it{texts}")
    encoded(word)
