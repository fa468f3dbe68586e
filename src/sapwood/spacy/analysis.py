"""The arrays of a document, as Python has them: what stands between our documents and spaCy's."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from math import nan
from typing import Any, NamedTuple

import sapwood._core as _core
from sapwood.errors import SapwoodError
from sapwood.parts import COLUMNS, ITEMS

_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n")
_COLUMNS = ("form", *(column.name for column in COLUMNS if column.name != "head"))


class Annotation(NamedTuple):
    """A text and what was found in it, word for word; `_core.Doc.build` says what the arrays are."""

    text: str
    tokens: list[tuple[int, int]]  # begin and end, in characters
    first_words: list[int]  # [tokens + 1]
    sentences: list[tuple[int, int, bool]]  # [sentences + 1] first token, first word, whether a paragraph begins
    columns: dict[str, list[str]]  # [words] form, and some of upos, xpos, feats, lemma, deprel, entity
    heads: list[int] | None  # [words] counted from 1 in the sentence; 0 is the root
    confidences: dict[str, list[float | None]]  # [words] by decision; None where nothing was decided

    @classmethod
    def of(cls, doc: _core.Doc) -> Annotation:
        """Return the arrays of a document; one without words has no columns."""
        if not doc.words:
            return cls(doc.text, [], [0], [(0, 0, False)], {"form": []}, None, {})
        found = ((name, doc.column(name)) for name in _COLUMNS)
        columns = {name: values for name, values in found if values is not None}
        confidences = {
            decision: [None if p != p else p for p in values] for decision, values in doc.confidences.items()
        }
        return cls(doc.text, doc.tokens, doc.first_words, doc.sentences, columns, doc.heads, confidences)

    def with_record(self, record: object) -> Annotation | None:
        """Return the analysis with the fields of a record, None if that is no record of it.

        self : what a document says without its record, where each word is a token
        """
        try:
            given: Any = record
            tokens = [(begin, end) for begin, end in given.get("tokens", self.tokens)]
            first_words = list(given.get("first_words", self.first_words))
            token_of = {word: token for token, word in enumerate(first_words)}
            begins = [(token_of[word], word, p) for _, word, p in self.sentences if word in token_of]
            sentences = [(token, word, p) for token, word, p in given.get("sentences", begins)]
            columns = {name: list(values) for name, values in given.get("columns", {}).items()}
            others = {} if "form" in columns else self.columns
            heads = given.get("heads", None if "form" in columns else self.heads)
            sure = {decision: list(values) for decision, values in given.get("confidences", {}).items()}
            heads = None if heads is None else list(heads)
            found = Annotation(self.text, tokens, first_words, sentences, others | columns, heads, sure)
            found.doc()
        except (LookupError, TypeError, ValueError, AttributeError, SapwoodError):
            return None
        return found

    @classmethod
    def joined(cls, text: str, parts: Iterable[tuple[int, Annotation]]) -> Annotation:
        """Return the analysis of a text whose parts have been analysed; each comes with the place where it begins.

        What only some of the parts have is nothing (``_``, ``O``, no head) in the others.
        """
        tokens: list[tuple[int, int]] = []
        first_words, sentences = [0], []
        parts = list(parts)
        names = {name: "O" if name == "entity" else "_" for _, part in parts for name in part.columns}
        decisions = {decision for _, part in parts for decision in part.confidences}
        columns: dict[str, list[str]] = {name: [] for name in names}
        confidences: dict[str, list[float | None]] = {decision: [] for decision in decisions}
        heads: list[int] = []
        for begin, part in parts:
            words = len(part.columns["form"])
            word = len(heads)
            sentences += [(len(tokens) + t, word + w, paragraph) for t, w, paragraph in part.sentences[:-1]]
            tokens += [(begin + first, begin + end) for first, end in part.tokens]
            first_words += [word + w for w in part.first_words[1:]]
            heads += part.heads or [0] * words
            for name, nothing in names.items():
                columns[name] += part.columns.get(name, [nothing] * words)
            for decision in decisions:
                confidences[decision] += part.confidences.get(decision, [None] * words)
        sentences.append((len(tokens), len(heads), False))
        return cls(text, tokens, first_words, sentences, columns, heads if "deprel" in names else None, confidences)

    def with_starts(self, starts: Mapping[int, bool]) -> Annotation:
        """Return the analysis with sentences that begin, or do not begin, at places of the text. Trees are left out."""
        known = {token: paragraph for token, _, paragraph in self.sentences[:-1]}
        sentences = [
            (t, self.first_words[t], known.get(t, False))
            for t, (begin, _) in enumerate(self.tokens)
            if t == 0 or starts.get(begin, t in known)
        ]
        sentences.append((len(self.tokens), self.first_words[-1], False))
        columns = {name: values for name, values in self.columns.items() if name != "deprel"}
        return self._replace(sentences=sentences, columns=columns, heads=None)

    def doc(self, columns: Iterable[str] = _COLUMNS) -> _core.Doc:
        """Return the document, with its forms and some of its other columns. Raises DataError."""
        wanted = {"form", *columns}
        chosen = {name: values for name, values in self.columns.items() if name in wanted}
        heads = self.heads if "deprel" in wanted else None
        doc = _core.Doc.build(self.text, self.tokens, self.first_words, self.sentences, chosen, heads, ITEMS)
        for decision, values in self.confidences.items():
            doc.add_confidences(decision, [nan if p is None else p for p in values])
        return doc

    def absolute_heads(self) -> list[int]:
        """Return for each word the word that is its head, counted from 0 in the document; a root is its own."""
        assert self.heads is not None
        firsts = (first for (_, first, _), (_, last, _) in pairwise(self.sentences) for _ in range(first, last))
        return [
            first + head - 1 if head else word
            for word, (first, head) in enumerate(zip(firsts, self.heads, strict=True))
        ]


def with_paragraphs(analysis: Annotation, among: Collection[int] | None = None) -> Annotation:
    """Return an analysis in which sentences, or those among these, begin paragraphs if an empty line is before them."""
    sentences, end = [], None
    for s, ((first, word, begins), (after, _, _)) in enumerate(pairwise(analysis.sentences)):
        if among is None or s in among:
            begins = end is None or bool(_EMPTY_LINE.search(analysis.text, end, analysis.tokens[first][0]))
        sentences.append((first, word, begins))
        end = analysis.tokens[after - 1][1]
    return analysis._replace(sentences=[*sentences, analysis.sentences[-1]])
