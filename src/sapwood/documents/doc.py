"""A text with its sentences, tokens, words, trees and names: what a pipeline returns.

A `Doc` holds the core's arrays; sentences and tokens are light views of them, made when they are asked for.
"""

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from importlib import import_module
from itertools import chain, pairwise
from math import nan
from pathlib import Path
from typing import Any, Self, overload

import sapwood._core as _core
from sapwood.documents.columns import Columns
from sapwood.documents.words import Entity, Sentence, Token, share
from sapwood.io.conllu import has_values, read_conllu, read_treebank
from sapwood.io.entities import items_of
from sapwood.io.source import encoded
from sapwood.parts import COLUMNS, ITEMS, TAGS, Column

__all__ = ["Doc", "Entity", "Sentence", "Token"]

_ENDS = frozenset("\n\r\t")  # a string with one of these is CoNLL-U, not the path of a file
_CONFIDENCE = re.compile(r"(?:^|\|)([A-Z][a-z]*)Confidence=(0\.\d+|1\.0+)(?=\||$)")  # as documents write it in MISC


class Doc(Columns):
    """A text with what a pipeline found in it: a sequence of its words."""

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        """The sentences."""
        return [Sentence(self, a, b) for a, b in pairwise(self.sentence_starts)]

    @property
    def familiarity(self) -> float | None:
        """The share of its words that are frequent ones of the pipeline's training data; None if that is not known.

        For English models it is about 0.75 in English texts of their kind, and 0.1 in another language.
        """
        words, known = zip(*self.familiar.values(), strict=True) if self.familiar else ((), ())
        return share((sum(words), sum(known)))

    @cached_property
    def entities(self) -> list[Entity]:
        """The names of all sentences, in their order."""
        return [entity for sentence in self.sentences for entity in sentence.entities]

    @cached_property
    def abstained(self) -> list[Entity]:
        """The names of which a pipeline that abstains is not sure enough; `entities` does not have them."""
        return [name for sentence in self.sentences for name in sentence.abstained]

    @cached_property
    def noun_chunks(self) -> list[Entity]:
        """The base noun phrases of all sentences, in their order. Raises ModelError if there are no trees."""
        return [chunk for sentence in self.sentences for chunk in sentence.noun_chunks]

    def to_conllu(self) -> str:
        """Return the document in CoNLL-U, with names in MISC."""
        return self._core.to_conllu(1).decode()

    def treebank(self) -> _core.Conllu:
        """Return the sentences as a treebank, with names in MISC."""
        return self._core.treebank()

    def to_json(self) -> str:
        """Return the document as a JSON array with an object for each sentence; offsets count characters."""
        lines = self._core.to_json_lines(0).decode().split("\n")[:-1]
        return f"[{', '.join(lines)}]"

    def rows(self) -> list[dict[str, object]]:
        """Return a dict for each word, for ``pandas.DataFrame(doc.rows())``: sentence, from 1, and a token's values."""
        return [
            {"sentence": number, "id": token.id, "text": token.text}
            | {column.name: self.value(column.name, token.i) for column in COLUMNS}
            | {"start": token.start, "end": token.end}
            | {f"{decision}_confidence": token.confidences.get(decision) for decision in self.confidences}
            for number, sentence in enumerate(self.sentences, 1)
            for token in sentence
        ]

    @classmethod
    def from_conllu(cls, source: str | bytes | os.PathLike[str]) -> Self:
        """Return the document that CoNLL-U describes. Comments, DEPS and other parts without a place are left out.

        source : CoNLL-U itself, or a file of it, plain or compressed: a path, or a string without line ends and tabs

        Names are those of ``NER=`` in MISC. Raises DataError with the place of an error, also where only some words
        have heads.
        """
        is_text = isinstance(source, str) and (not source or not _ENDS.isdisjoint(source))
        data = encoded(source) if isinstance(source, str) and is_text else source
        treebank = read_conllu(data, "text") if isinstance(data, bytes) else read_treebank(Path(data))
        return cls(core_doc(treebank))

    def to_spacy(self, vocab: object) -> Any:
        """Return the document as a spaCy `Doc`; `vocab` is a spaCy pipeline or its vocabulary.

        What spaCy has no place for is in its `user_data`, so `from_spacy` loses nothing. Raises OptionError if spaCy is
        not installed.
        """
        docs = import_module("sapwood.spacy.docs")
        return docs.spacy_doc(docs.Annotation.of(self._core), getattr(vocab, "vocab", vocab))

    @classmethod
    def from_spacy(cls, doc: object) -> Self:
        """Return a spaCy `Doc` as a document of its sentences, or of one if spaCy has set none.

        Sentences that a head joins are one sentence with several roots. Raises DataError for a text with a NUL
        character, and OptionError if spaCy is not installed.
        """
        analysis, _ = import_module("sapwood.spacy.docs").read_doc(doc)
        return cls(analysis.doc())

    def draw(self, width: int | None = None) -> str:
        """Return the trees of all sentences as text. Raises ModelError if there are none."""
        return "\n\n".join(sentence.draw(width) for sentence in self.sentences)

    def _repr_html_(self) -> str:
        return "\n".join(sentence._repr_html_() for sentence in self.sentences)

    def __len__(self) -> int:
        return self._core.words

    @overload
    def __getitem__(self, i: int) -> Token: ...
    @overload
    def __getitem__(self, i: slice) -> list[Token]: ...
    def __getitem__(self, i: int | slice) -> Token | list[Token]:
        """Return the word at a place from 0, or the words of a slice; places below 0 count from the end."""
        found = range(len(self))[i]
        if isinstance(found, int):
            return Token(self, found, self.sentence_starts[bisect_right(self.sentence_starts, found) - 1])
        return [self[word] for word in found]

    def __eq__(self, other: object) -> bool:
        """Return true if two documents have the same text, words, values of words and confidences."""
        if not isinstance(other, Doc):
            return NotImplemented
        return self._core is other._core or self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Callable[[object], Self], tuple[object]]:
        return self._restored, (self._core.__getstate__(),)

    @classmethod
    def _restored(cls, state: Any) -> Self:
        core = _core.Doc.__new__(_core.Doc)
        core.__setstate__(state)
        return cls(core)

    def _content(self) -> str:
        return repr(self._core.__getstate__())  # NaN is equal to NaN here

    def __iter__(self) -> Iterator[Token]:
        return (token for sentence in self.sentences for token in sentence)

    def __repr__(self) -> str:
        return f"<Doc: {self._core.sentence_count:,} sentences, {len(self):,} words>"


def core_doc(treebank: _core.Conllu) -> _core.Doc:
    """Return a treebank as a document: its text, tokens, words, tags, lemmas, trees, names and confidences.

    Raises DataError with the place where only some words have heads, or heads are no tree.
    """
    bare = _core.Doc.of_words(treebank)
    found = {column.name: _values(treebank, column) for column in COLUMNS}
    heads = None
    if found.pop("head") is None:
        found["deprel"] = None
    else:
        trees = treebank.trees(False)
        heads = [head for tree, _ in trees for head in tree]
        found["deprel"] = [relations for _, relations in trees]
    columns = {name: [*chain.from_iterable(values)] for name, values in found.items() if values is not None}
    columns["form"] = bare.column("form") or []
    doc = _core.Doc.build(bare.text, bare.tokens, bare.first_words, bare.sentences, columns, heads, ITEMS)
    for decision, values in _confidences(treebank, doc.words).items():
        doc.add_confidences(decision, values)
    return doc


def _values(treebank: _core.Conllu, column: Column) -> list[list[str]] | None:
    """Return the values of a column; None if no word has one. A tag column counts if any tag column has values."""
    if column.item:
        return items_of(treebank, column)
    together = TAGS if column.name in TAGS else (column.name,)
    return treebank.column(column.name) if has_values(treebank, together) else None


def _confidences(treebank: _core.Conllu, words: int) -> dict[str, list[float]]:
    """Return the confidences in MISC, for all words, by decision."""
    found: dict[str, list[float]] = {}
    for word, misc in enumerate(chain.from_iterable(treebank.column("misc"))):
        for decision, confidence in _CONFIDENCE.findall(misc):
            found.setdefault(decision.lower(), [nan] * words)[word] = float(confidence)
    return found
