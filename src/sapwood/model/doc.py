"""A text with its sentences, tokens, words, trees and names: what a pipeline returns.

A `Doc` holds the core's arrays; sentences and tokens are light views of them, made when they are asked for. A token of
several words (French *du*) is seen as its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import import_module
from itertools import accumulate, pairwise
from math import prod
from typing import Any, NamedTuple, Self

from sapwood import _core
from sapwood.errors import ModelError
from sapwood.model.noun_chunks import LABEL, noun_chunks


class Entity(NamedTuple):
    """A name or noun chunk: its text and label, its place in the text, its first word and the one after the last."""

    text: str
    label: str
    start: int
    end: int
    words: tuple[int, int]
    confidence: float | None = None  # if it was asked for


class Token:
    """A word of a document. What no part of the pipeline gives is None."""

    __slots__ = ("_doc", "_first", "i")

    def __init__(self, doc: Doc, i: int, first: int) -> None:
        self._doc = doc
        self._first = first  # word of the sentence
        self.i = i

    @property
    def text(self) -> str:
        """The word's form."""
        return self._doc.forms[self.i]

    @property
    def id(self) -> int:
        """The number of the word in its sentence, from 1."""
        return self.i - self._first + 1

    @property
    def lemma(self) -> str | None:
        """The form that a dictionary has."""
        return self._doc.value("lemma", self.i)

    @property
    def upos(self) -> str | None:
        """The universal part of speech."""
        return self._doc.value("upos", self.i)

    @property
    def xpos(self) -> str | None:
        """The treebank's own tag."""
        return self._doc.value("xpos", self.i)

    @property
    def feats(self) -> str | None:
        """Morphological features, ``Number=Sing|Person=3``; ``_`` if there are none."""
        return self._doc.value("feats", self.i)

    @property
    def head(self) -> int | None:
        """The number of the head in the sentence, from 1; 0 is the root."""
        heads = self._doc.heads
        return None if heads is None else heads[self.i]

    @property
    def deprel(self) -> str | None:
        """The relation to the head."""
        return self._doc.value("deprel", self.i)

    @property
    def entity(self) -> str | None:
        """The name that the word is part of, in BIO: ``B-PER`` begins one, ``O`` is outside."""
        return self._doc.value("entity", self.i)

    @property
    def confidences(self) -> dict[str, float]:
        """How sure the pipeline is of decisions about the word, from 0 to 1: tag, feats, arc, name. Empty if not asked.

        Of a name it is the confidence in the whole name.
        """
        found = {decision: values[self.i] for decision, values in self._doc.confidences.items()}
        return {decision: confidence for decision, confidence in found.items() if confidence == confidence}  # no NaN

    @property
    def start(self) -> int:
        """Where the word begins in the text, in characters; see `Doc.places`."""
        return self._doc.places[self.i][0]

    @property
    def end(self) -> int:
        """Where the word ends in the text."""
        return self._doc.places[self.i][1]

    def __repr__(self) -> str:
        """Show the word and its tag."""
        return f"<Token {self.text!r}>" if self.upos is None else f"<Token {self.text!r} {self.upos}>"


class Sentence:
    """A sentence of a document: a sequence of its words."""

    __slots__ = ("_doc", "_first", "_last")

    def __init__(self, doc: Doc, first: int, last: int) -> None:
        self._doc = doc
        self._first, self._last = first, last  # words

    @property
    def words(self) -> tuple[int, int]:
        """The first word in the document, and the one after the last."""
        return self._first, self._last

    def __len__(self) -> int:
        return self._last - self._first

    def __getitem__(self, i: int) -> Token:
        """Return the word at a place from 0; places below 0 count from the end."""
        if not -len(self) <= i < len(self):
            raise IndexError("word of a sentence")
        return Token(self._doc, (self._last if i < 0 else self._first) + i, self._first)

    def __iter__(self) -> Iterator[Token]:
        return (Token(self._doc, w, self._first) for w in range(self._first, self._last))

    @property
    def start(self) -> int:
        """Where the sentence begins in the text, in characters."""
        return self._doc.places[self._first][0]

    @property
    def end(self) -> int:
        """Where the sentence ends in the text."""
        return self._doc.places[self._last - 1][1]

    @property
    def text(self) -> str:
        """The sentence as it is written."""
        return self._doc.text[self.start : self.end]

    @property
    def entities(self) -> list[Entity]:
        """The names in it, in their order; none if the pipeline does not look for them."""
        from sapwood.metrics.chunks import extract_chunks

        doc, first, found = self._doc, self._first, []
        labels = doc.values("entity") or []
        for label, begin, end in extract_chunks(labels[first : self._last]):
            start, stop = doc.places[first + begin][0], doc.places[first + end - 1][1]
            sure = doc.confidences["name"][first + begin] if "name" in doc.confidences else None
            found.append(Entity(doc.text[start:stop], label, start, stop, (first + begin, first + end), sure))
        return found

    @property
    def noun_chunks(self) -> list[Entity]:
        """The base noun phrases in it, in their order, with the label NP. Raises ModelError if there is no tree."""
        _, *tree = self.tree()
        doc, found = self._doc, []
        for begin, end in noun_chunks(*tree):
            first, after = self._first + begin, self._first + end
            start, stop = doc.places[first][0], doc.places[after - 1][1]
            found.append(Entity(doc.text[start:stop], LABEL, start, stop, (first, after)))
        return found

    @property
    def familiarity(self) -> float | None:
        """The share of its words that are frequent ones of the pipeline's training data; None if that is not known."""
        return _share(self._doc.familiar.get(self._first, (0, 0)))

    @property
    def confidence(self) -> float:
        """How sure the pipeline is of a word of it: the mean of the products of the words' confidences.

        Raises ModelError if confidences were not asked for.
        """
        if not self._doc.confidences:
            raise ModelError("the document has no confidences; ask for them, with confidence=True")
        return sum(prod(token.confidences.values()) for token in self) / len(self)

    def draw(self, width: int | None = None) -> str:
        """Return the tree as text, not wider than so many columns. Raises ModelError if there is none."""
        from sapwood.draw import text_tree

        return text_tree(*self.tree(), width=width)

    def tree(self) -> tuple[list[str], list[int], list[str], list[str]]:
        """Return forms, heads, relations and tags. Raises ModelError if there is no tree."""
        words = slice(self._first, self._last)
        heads, deprels, tags = self._doc.heads, self._doc.values("deprel"), self._doc.values("upos")
        if heads is None or deprels is None or tags is None:
            raise ModelError("the pipeline has no parser, so there are no trees")
        return self._doc.forms[words], heads[words], deprels[words], tags[words]

    def _repr_html_(self) -> str:
        """Show the text, with its names marked, and the tree in a notebook."""
        from sapwood.draw import html_sentence

        names = [(name.start - self.start, name.end - self.start, name.label) for name in self.entities]
        return html_sentence(self.text, names, None if self._doc.heads is None else self.tree())

    def __repr__(self) -> str:
        """Show the beginning of the text."""
        text = self.text
        return f"<Sentence {text if len(text) <= 60 else text[:57] + '...'!r}>"


class Doc:
    """A text with what a pipeline found in it."""

    def __init__(self, core: _core.Doc) -> None:
        self._core = core
        self._columns: dict[str, list[str] | None] = {}

    @cached_property
    def text(self) -> str:
        """The text, as it was given."""
        return self._core.text

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        """The sentences."""
        firsts = [word for _, word, _ in self._core.sentences]
        return [Sentence(self, a, b) for a, b in pairwise(firsts)]

    @cached_property
    def forms(self) -> list[str]:
        """The forms of all words."""
        return self._core.column("form") or []

    @cached_property
    def heads(self) -> list[int] | None:
        """The heads of all words, counted from 1 in their sentences, 0 for the root; None without a parser."""
        return self._core.heads

    @cached_property
    def confidences(self) -> dict[str, list[float]]:
        """How sure the pipeline is of tag, feats, arc and name of each word, NaN where none; empty if not asked for."""
        return self._core.confidences

    @cached_property
    def familiar(self) -> dict[int, tuple[int, int]]:
        """For each sentence, by its first word, how many words it has and how many of them the pipeline knows."""
        return dict(zip((word for _, word, _ in self._core.sentences), self._core.familiar, strict=False))

    @property
    def familiarity(self) -> float | None:
        """The share of its words that are frequent ones of the pipeline's training data; None if that is not known.

        English has about three of four in any text that English models were made for; another language one of ten.
        """
        words, known = zip(*self.familiar.values(), strict=True) if self.familiar else ((), ())
        return _share((sum(words), sum(known)))

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Where each word begins and ends in the text, in characters.

        Words of a token that do not stand in the text (French *du*: *de*, *le*) have the place of their token.
        """
        found: list[tuple[int, int]] = []
        for (begin, end), (first, after) in zip(self._core.tokens, pairwise(self._core.first_words), strict=True):
            forms = self.forms[first:after]
            if after - first > 1 and "".join(forms) == self.text[begin:end]:
                found += pairwise(accumulate(map(len, forms), initial=begin))
            else:
                found += [(begin, end)] * (after - first)
        return found

    @cached_property
    def entities(self) -> list[Entity]:
        """The names of all sentences, in their order."""
        return [entity for sentence in self.sentences for entity in sentence.entities]

    @cached_property
    def noun_chunks(self) -> list[Entity]:
        """The base noun phrases of all sentences, in their order. Raises ModelError if there are no trees."""
        return [chunk for sentence in self.sentences for chunk in sentence.noun_chunks]

    def values(self, column: str) -> list[str] | None:
        """Return the values of all words: lemma, upos, xpos, feats, deprel or entity; None if there are none."""
        if column not in self._columns:
            self._columns[column] = self._core.column(column)
        return self._columns[column]

    def value(self, column: str, word: int) -> str | None:
        """Return the value of one word, or None."""
        values = self.values(column)
        return None if values is None else values[word]

    def to_conllu(self) -> str:
        """Return the document in CoNLL-U, with names in MISC."""
        return self._core.to_conllu(1).decode()

    def to_json(self) -> str:
        """Return the document as a JSON array with an object for each sentence; offsets count characters."""
        lines = self._core.to_json_lines(0).decode().split("\n")[:-1]
        return f"[{', '.join(lines)}]"

    def to_spacy(self, vocab: object) -> Any:
        """Return the document as a spaCy `Doc`; `vocab` is a spaCy pipeline or its vocabulary.

        What spaCy has no place for is in its `user_data`, so `from_spacy` loses nothing. Raises OptionError if spaCy is
        not installed.
        """
        docs, codes = import_module("sapwood.spacy.docs"), import_module("sapwood.spacy.codes")
        return docs.spacy_doc(docs.Analysis.of(self._core), codes.Codes(getattr(vocab, "vocab", vocab)))

    @classmethod
    def from_spacy(cls, doc: object) -> Self:
        """Return what a spaCy `Doc` has as a document; it is one sentence if spaCy knows of none.

        Raises DataError for a text with a NUL character and for a head in another sentence, and OptionError if spaCy
        is not installed.
        """
        analysis, _ = import_module("sapwood.spacy.docs").read(doc)
        return cls(analysis.doc())

    def draw(self, width: int | None = None) -> str:
        """Return the trees of all sentences as text. Raises ModelError if there are none."""
        return "\n\n".join(sentence.draw(width) for sentence in self.sentences)

    def _repr_html_(self) -> str:
        """Show the sentences in a notebook: their texts, names and trees."""
        return "\n".join(sentence._repr_html_() for sentence in self.sentences)

    def __len__(self) -> int:
        """Return the number of words."""
        return self._core.words

    def __iter__(self) -> Iterator[Token]:
        return (token for sentence in self.sentences for token in sentence)

    def __repr__(self) -> str:
        """Say how much there is in it."""
        return f"<Doc: {self._core.sentence_count:,} sentences, {len(self):,} words>"


def _share(counts: tuple[int, int]) -> float | None:
    words, known = counts
    return known / words if words else None
