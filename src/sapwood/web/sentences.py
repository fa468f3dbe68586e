"""Sentences and examples as the page shows them, made of the JSON of an analysis."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from markupsafe import Markup

from sapwood.base.drawing.sentence import marked
from sapwood.base.drawing.svg import svg_inline
from sapwood.metrics.chunks import extract_chunks, looks_like_chunks
from sapwood.model.base import AnyModel
from sapwood.parts import PART_OF
from sapwood.web.analysis import Record
from sapwood.web.words import INPUT

Tree = tuple[list[str], list[int], list[str], list[str] | None]  # words, heads, relations, tags

_NO_COLUMNS = ("id", "text", "start", "end", "confidence")
_DECIDED = {"tag": ("label",), "parse": ("head", "deprel"), "lemmatize": ("lemma",)}  # columns, by the model's task


class ShownColumn(NamedTuple):
    """A column of a sentence's words."""

    name: str
    decided: bool  # by the model; otherwise it was in the input
    part: str = ""  # the part of a pipeline that decides it


class Origin(NamedTuple):
    """The decision that made a word: the part of a pipeline, and the numbers that explanations have for it."""

    part: str
    sentence: int
    token: int


class Shown(NamedTuple):
    """A sentence or example: its text in pieces, of which some are names, its words and its tree."""

    number: int
    record: Record
    tokens: list[Record]  # none of an example
    columns: list[ShownColumn]
    runs: list[tuple[str, str]]  # text, and the label of a name or chunk
    has_tree: bool
    tree: Markup  # empty if the sentence is too long
    origins: Sequence[Origin | None]  # the decisions that made the words, where the model did


def shown_sentences(model: AnyModel, data: bytes, kind: str, records: Sequence[Record], longest: int) -> list[Shown]:
    """Return the first sentences or examples of an analysis; trees of up to `longest` words are drawn."""
    origins = _Origins(model, data) if kind == "text" and model.task in ("pipeline", "segment") else None
    chunks = "entity" if model.task == "pipeline" else "label" if looks_like_chunks(model.labels_) else ""
    found = []
    for number, record in enumerate(records, start=1):
        tokens, tree, drawn = record.get("tokens", []), tree_of(model, record), Markup("")
        if tree is not None and len(tokens) <= longest:
            drawn = Markup(svg_inline(*tree, (), f"Tree of sentence {number}", f"#a{number}-"))
        columns, runs = _columns(model, tokens), marked(record["text"], _spans(record, chunks))
        of_words = [] if origins is None else origins.of(number, tokens)
        found.append(Shown(number, record, tokens, columns, runs, tree is not None, drawn, of_words))
    return found


def tree_of(model: AnyModel, record: Record) -> Tree | None:
    """Return the tree of a sentence, to be drawn; None if it has none."""
    tokens = record.get("tokens", ())
    if not tokens or not {"head", "deprel"} <= tokens[0].keys():
        return None
    tags = "upos" if model.task == "pipeline" else model.model_.columns[0]  # the first of a parser's tag columns
    words, heads, relations = ([token[name] for token in tokens] for name in ("text", "head", "deprel"))
    return words, heads, relations, [token[tags] for token in tokens] if tags in tokens[0] else None


def confidence_of(token: Record, column: ShownColumn) -> float | None:
    """Return the model's confidence in the value of a column; None if it is not known."""
    decision = PART_OF[column.name].decision if column.name in PART_OF else column.name
    return token.get("confidence", {}).get(decision)  # type: ignore[no-any-return]


def _columns(model: AnyModel, tokens: Sequence[Record]) -> list[ShownColumn]:
    names = [name for name in tokens[0] if name not in _NO_COLUMNS] if tokens else []
    if model.task != "tag":
        names.sort(key="feats".__eq__)
    if model.task != "pipeline":
        return [ShownColumn(name, name in _DECIDED.get(model.task, ())) for name in names]
    parts = model.model_.parts
    return [
        ShownColumn(name, True, PART_OF[name].name) for name in names if name in PART_OF and PART_OF[name].name in parts
    ]


def _spans(record: Record, name: str) -> Iterator[tuple[int, int, str]]:
    """Yield begin, end and label of the names or chunks in a sentence, whose column has this name."""
    tokens = record.get("tokens", ())
    if not tokens or name not in tokens[0]:
        return
    if "start" in tokens[0]:
        places = [(token["start"] - record["start"], token["end"] - record["start"]) for token in tokens]
    else:  # the text is the words with blanks between
        ends = accumulate(len(token["text"]) + 1 for token in tokens)
        places = [(end - 1 - len(token["text"]), end - 1) for token, end in zip(tokens, ends, strict=True)]
    for label, begin, end in extract_chunks([token[name] for token in tokens]):
        yield places[begin][0], places[end - 1][1], label


class _Origins:
    """The places of a text at which its segmenter had a choice, and the tokens that it made."""

    def __init__(self, model: Any, data: bytes) -> None:
        segmenter = model if model.task == "segment" else model.models_["segmenter"]
        self._part = "" if model.task == "segment" else "segmenter"
        self._tokens: list[int] = []  # characters at which tokens begin
        self._begins: dict[int, tuple[int, int]] = {}  # character -> numbers of its paragraph and place
        characters = paragraphs = 0
        for doc in segmenter.documents(data, INPUT):
            self._tokens += [characters + begin for begin, _ in doc.tokens]
            for places in segmenter.segmenter_.places(doc.text.encode()):
                paragraphs += 1
                self._begins |= {characters + at: (paragraphs, place) for place, at in enumerate(places, start=1)}
            characters += doc.characters

    def of(self, number: int, words: Sequence[Record]) -> list[Origin | None]:
        """Return the decision that made each word of a sentence, None where there was no choice."""
        tokens = [bisect_right(self._tokens, word["start"]) - 1 for word in words]
        sizes = Counter(tokens)
        found: list[Origin | None] = []
        for token in tokens:
            if sizes[token] > 1:
                found.append(Origin("splitter", number, token - tokens[0] + 1))
            else:
                place = self._begins.get(self._tokens[token])
                found.append(None if place is None else Origin(self._part, *place))
        return found
