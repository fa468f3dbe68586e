"""Sentences of given words: lists in memory, as documents that a pipeline completes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from itertools import accumulate
from typing import Any, TypeGuard

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.source import encoded

Given = str | Iterable[str] | Iterable[Iterable[str]]  # a text, a sentence of words, or several
_FORBIDDEN = {" ": "a blank", "\t": "a tab", "\n": "a line end", "\r": "a line end", "\0": "NUL"}


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
