"""Views of a document: its sentences, words and names, made when they are asked for.

A `Token` is a word. If a token of the text has several words (French *du*), each names it as its `multiword`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple, overload

from sapwood.documents.columns import Columns
from sapwood.documents.noun_chunks import LABEL, noun_chunks
from sapwood.errors import ModelError

ABSTAINED = "abstained"  # the column of names that are not given


class Entity(NamedTuple):
    """A name or noun chunk: its text and label, its place in the text, its first word and the one after the last."""

    text: str
    label: str
    start: int
    end: int
    words: tuple[int, int]
    confidence: float | None = None  # if it was asked for

    def record(self) -> dict[str, object]:
        """Return text, label and place as records have them."""
        return {"text": self.text, "label": self.label, "start": self.start, "end": self.end}


class Multiword(NamedTuple):
    """A token of several words: its text, where it stands in the text, its first word and the one after the last."""

    text: str
    start: int
    end: int
    words: tuple[int, int]


class Token:
    """A word of a document. A value that no part of the pipeline gives is None."""

    __slots__ = ("_doc", "_first", "i")

    def __init__(self, doc: Columns, i: int, first: int) -> None:
        self._doc = doc
        self._first = first  # first word of the sentence
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
        """The dictionary form."""
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
    def features(self) -> dict[str, str] | None:
        """The morphological features by name, ``{"Number": "Sing", "Person": "3"}``; empty if there are none."""
        feats = self.feats
        return None if feats is None else dict(item.partition("=")[::2] for item in feats.split("|") if item != "_")

    @property
    def head(self) -> int | None:
        """The number of the head in the sentence, from 1; 0 is the root."""
        heads = self._doc.heads
        return None if heads is None else heads[self.i]

    @property
    def head_token(self) -> Token | None:
        """The word that this one depends on; None if it is the root."""
        return self.sentence[self.head - 1] if self.head else None

    @property
    def children(self) -> list[Token]:
        """The words that depend on this one, in their order; none without a parser."""
        heads, sentence = self._doc.heads, self.sentence
        return [] if heads is None else [token for token in sentence if heads[token.i] == self.id]

    @property
    def subtree(self) -> list[Token]:
        """The word and all words below it in the tree, in their order; the word alone without a parser."""
        below: dict[int | None, list[Token]] = {}
        for token in self.sentence:
            below.setdefault(token.head, []).append(token)
        found = [self]
        for token in found:  # the list grows; a word is taken out once, so that a cycle ends
            found += below.pop(token.id, [])
        return sorted(set(found), key=lambda token: token.i)

    @property
    def sentence(self) -> Sentence:
        """The sentence that the word is in."""
        starts = self._doc.sentence_starts
        return Sentence(self._doc, self._first, starts[bisect_right(starts, self.i)])

    @property
    def multiword(self) -> Multiword | None:
        """The token of several words (French *du*: *de*, *le*) that this word is one of; None if it is a token."""
        starts = self._doc.token_starts
        token = bisect_right(starts, self.i) - 1
        first, after = starts[token : token + 2]
        if after == first + 1:
            return None
        start, end = self._doc.tokens[token]
        return Multiword(self._doc.text[start:end], start, end, (first, after))

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
        """The confidences in decisions about the word, from 0 to 1: tag, feats, arc, name. Empty if not asked for.

        The confidence in a name is the same for all of its words.
        """
        found = {decision: values[self.i] for decision, values in self._doc.confidences.items()}
        return {decision: confidence for decision, confidence in found.items() if confidence == confidence}  # no NaN

    @property
    def start(self) -> int:
        """The offset of the word in the text, in characters; see `Doc.places`."""
        return self._doc.places[self.i][0]

    @property
    def end(self) -> int:
        """The offset of the word's end."""
        return self._doc.places[self.i][1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Token) and (self.i, self._doc) == (other.i, other._doc)

    def __hash__(self) -> int:
        return hash((self.i, self._doc))

    def __reduce__(self) -> tuple[type[Token], tuple[Columns, int, int]]:
        return Token, (self._doc, self.i, self._first)

    def __repr__(self) -> str:
        return f"<Token {self.text!r}>" if self.upos is None else f"<Token {self.text!r} {self.upos}>"


class Sentence:
    """A sentence of a document: a sequence of its words."""

    __slots__ = ("_after", "_doc", "_first")

    def __init__(self, doc: Columns, first: int, after: int) -> None:
        self._doc = doc
        self._first, self._after = first, after  # first word, and the one after the last

    @property
    def words(self) -> tuple[int, int]:
        """The first word in the document, and the one after the last."""
        return self._first, self._after

    def __len__(self) -> int:
        return self._after - self._first

    @overload
    def __getitem__(self, i: int) -> Token: ...
    @overload
    def __getitem__(self, i: slice) -> list[Token]: ...
    def __getitem__(self, i: int | slice) -> Token | list[Token]:
        """Return the word at a place from 0, or the words of a slice; places below 0 count from the end."""
        found = range(self._first, self._after)[i]
        if isinstance(found, int):
            return Token(self._doc, found, self._first)
        return [Token(self._doc, word, self._first) for word in found]

    def __iter__(self) -> Iterator[Token]:
        return (Token(self._doc, w, self._first) for w in range(self._first, self._after))

    def values(self, column: str) -> list[Any]:
        """Return the values of its words in a column, such as lemma; None for each word without a part for it."""
        values = self._doc.values(column)
        return [None] * len(self) if values is None else values[self._first : self._after]

    @property
    def start(self) -> int:
        """The offset of the sentence in the text, in characters."""
        return self._doc.places[self._first][0]

    @property
    def end(self) -> int:
        """The offset of the sentence's end."""
        return self._doc.places[self._after - 1][1]

    @property
    def text(self) -> str:
        """The sentence as it is written."""
        return self._doc.text[self.start : self.end]

    @property
    def entities(self) -> list[Entity]:
        """The names in it, in their order; none if the pipeline does not look for them."""
        return self._names("entity")

    @property
    def abstained(self) -> list[Entity]:
        """The names of which the pipeline is not sure enough, where it abstains."""
        return self._names(ABSTAINED)

    def _names(self, column: str) -> list[Entity]:
        from sapwood.metrics.chunks import extract_chunks

        labels, sure = self._doc.values(column) or [], self._doc.confidences.get("name")
        chunks = extract_chunks(labels[self._first : self._after])
        return [self._entity(label, a, b, sure[self._first + a] if sure else None) for label, a, b in chunks]

    def _entity(self, label: str, begin: int, end: int, confidence: float | None = None) -> Entity:
        """Return the words of the sentence from one place to another as a name or chunk."""
        doc, first, after = self._doc, self._first + begin, self._first + end
        start, stop = doc.places[first][0], doc.places[after - 1][1]
        return Entity(doc.text[start:stop], label, start, stop, (first, after), confidence)

    @property
    def noun_chunks(self) -> list[Entity]:
        """The base noun phrases in it, in their order, with the label NP. Raises ModelError if there is no tree."""
        _, *tree = self.tree()
        return [self._entity(LABEL, *chunk) for chunk in noun_chunks(*tree)]  # type: ignore[arg-type]

    @property
    def familiarity(self) -> float | None:
        """The share of its words that are frequent ones of the pipeline's training data; None if that is not known."""
        return share(self._doc.familiar.get(self._first, (0, 0)))

    @property
    def confidence(self) -> float:
        """The mean confidence in a word of it, which is the product of the confidences in the word's decisions.

        Raises ModelError if confidences were not asked for.
        """
        if not self._doc.confidences:
            raise ModelError("the document has no confidences; ask for them, with confidence=True")
        return sum(prod(token.confidences.values()) for token in self) / len(self)

    def draw(self, width: int | None = None) -> str:
        """Return the tree as text, not wider than so many columns. Raises ModelError if there is none."""
        from sapwood.base.drawing.terminal import text_tree

        return text_tree(*self.tree(), width=width)

    def tree(self) -> tuple[list[str], list[int], list[str], list[str]]:
        """Return forms, heads, relations and tags. Raises ModelError if there is no tree."""
        words = slice(self._first, self._after)
        heads, deprels, tags = self._doc.heads, self._doc.values("deprel"), self._doc.values("upos")
        if heads is None or deprels is None or tags is None:
            raise ModelError("the pipeline has no parser, so there are no trees")
        return self._doc.forms[words], heads[words], deprels[words], tags[words]

    def _repr_html_(self) -> str:
        from sapwood.base.drawing.html import html_sentence

        names = [(name.start - self.start, name.end - self.start, name.label) for name in self.entities]
        return html_sentence(self.text, names, None if self._doc.heads is None else self.tree())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sentence) and (self.words, self._doc) == (other.words, other._doc)

    def __hash__(self) -> int:
        return hash((self.words, self._doc))

    def __reduce__(self) -> tuple[type[Sentence], tuple[Columns, int, int]]:
        return Sentence, (self._doc, self._first, self._after)

    def __repr__(self) -> str:
        text = self.text
        return f"<Sentence {text if len(text) <= 60 else text[:57] + '...'!r}>"


def share(counts: tuple[int, int]) -> float | None:
    """Return the share of familiar words, from the numbers of words and familiar ones; None if there are no words."""
    words, familiar = counts
    return familiar / words if words else None
