"""An input that a model has read: what it says about it, unit by unit, to be shown or written; and why.

A page and a server ask `Model.reading` for this, and need not know the task. A unit is a sentence, or an example with
one decision. Blocks are whole units, and only one of them is in memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

from sapwood import _core
from sapwood.errors import ModelError, OptionError
from sapwood.io.columns import given_tokens
from sapwood.io.conllu import conllu_text
from sapwood.io.examples import Examples
from sapwood.model.doc import Doc, Sentence
from sapwood.model.file.parts import PART_OF

Tree = tuple[list[int], list[str]]  # heads and relations


class Origin(NamedTuple):
    """The decision that made a word: the part of a pipeline, and the numbers that explanations have for it."""

    part: str
    sentence: int
    token: int


class Layer(NamedTuple):
    """What is said about each word of a sentence, or about an example."""

    name: str  # such as "upos"
    values: list[str]
    part: str = ""  # of a pipeline: the part that decides it
    decided: bool = True  # by the model; otherwise it was given
    sure: Sequence[float] = ()  # how sure the model is, from 0 to 1, NaN where that is not known; () if not asked


class Unit(NamedTuple):
    """A sentence, or an example."""

    text: str
    words: list[str]  # of a sentence; an example has none
    layers: list[Layer]
    spans: Sequence[tuple[int, int, str]] = ()  # names or chunks: begin and end in the text, and the label
    tree: Tree | None = None
    tags: list[str] | None = None  # to be drawn under the tree
    scores: Sequence[tuple[str, float]] = ()  # of an example: its best labels, with margins or confidences
    origins: Sequence[Origin | None] = ()  # of the words, where the model made them


INPUTS = {  # what a model may read -> what it is called
    "text": "plain text",
    "tokens": "a sentence a line, its tokens between spaces",
    "conllu": "CoNLL-U",
    "columns": "a token a line, with its columns",
    "examples": "an example a line",
}
_AT_ONCE = 2000  # words of a block
_BYTES_AT_ONCE = 1 << 15  # of a column file
_SHOWN = ("lemma", "upos", "xpos", "head", "deprel", "entity", "feats")  # columns of a document; the last are long


@dataclass
class Block:
    """Some units of an input, and `file`: what the model's own command would write about them."""

    units: list[Unit]
    file: bytes

    def json_lines(self) -> bytes:
        """Return a line of JSON for each unit."""
        return b"".join(json.dumps(_record(unit), ensure_ascii=False).encode() + b"\n" for unit in self.units)


class DocBlock(Block):
    """The sentences of a document, made when they are asked for."""

    def __init__(
        self,
        doc: _core.Doc,
        first: int = 1,  # the number of the first sentence
        characters: int = 0,  # that stand before the document
        file: bytes | None = None,  # CoNLL-U, if the document does not tell all of it
        parts: Collection[str] = (),  # of the pipeline; none of a segmenter alone
        segmenter: _core.Segmenter | None = None,  # which had choices in the text, unless words were given
        paragraphs: int = 0,  # with a choice, before this document
    ) -> None:
        self._doc, self._first, self._characters, self._file = doc, first, characters, file
        self._parts, self._segmenter, self._paragraphs = parts, segmenter, paragraphs

    @cached_property
    def units(self) -> list[Unit]:  # type: ignore[override]
        """The sentences."""
        doc, origins = Doc(self._doc), self._origins()
        return [_of_sentence(doc, sentence, self._parts, origins) for sentence in doc.sentences]

    @cached_property
    def file(self) -> bytes:  # type: ignore[override]
        """CoNLL-U."""
        return self._doc.to_conllu(self._first) if self._file is None else self._file

    def json_lines(self) -> bytes:
        """Return a line of JSON for each sentence; offsets count characters."""
        return self._doc.to_json_lines(self._characters)

    @cached_property
    def choices(self) -> list[list[int]]:
        """The characters before which the segmenter had a choice, of each paragraph that has such places."""
        return [] if self._segmenter is None else self._segmenter.places(self._doc.text.encode())

    def _origins(self) -> list[Origin | None]:
        """Return the origins of all words; none if the words were given."""
        if self._segmenter is None:
            return []
        part = "segmenter" if self._parts else ""
        begins = {
            at: Origin(part, self._paragraphs + p, k)
            for p, paragraph in enumerate(self.choices, start=1)
            for k, at in enumerate(paragraph, start=1)
        }
        tokens, words = self._doc.tokens, self._doc.first_words
        found: list[Origin | None] = []
        for s, (first, last) in enumerate(pairwise(token for token, _, _ in self._doc.sentences), start=self._first):
            for t in range(first, last):
                count = words[t + 1] - words[t]
                split = Origin("splitter", s, t - first + 1) if count > 1 else begins.get(tokens[t][0])
                found += [split] * count
        return found


class Reading(NamedTuple):
    """What a model says about an input."""

    formats: Sequence[str]  # what it can be written as: json, and conllu, columns or labels; svg where there are trees
    # Yields blocks of units; takes whether they have confidences. Raises ModelError if there are none.
    blocks: Callable[[bool], Iterable[Block]]
    # Yields, as lines of JSON, why the model decided so; takes a question, and of a pipeline one of its parts.
    explain: Callable[[_core.Question, str], Iterator[bytes]]
    calibrated: bool = False  # whether there are confidences
    answers: Callable[[str], Sequence[str]] = lambda part: ()  # of the model or a part: what `why_not` may name


def no_confidences(noun: str) -> ModelError:
    """Return the error for confidences of a model that never has any."""
    return ModelError(f"a {noun} does not say how sure it is; taggers, parsers, classifiers and pipelines do")


def without_parts(
    explain: Callable[[_core.Question], Iterator[bytes]],
) -> Callable[[_core.Question, str], Iterator[bytes]]:
    """Return the explanations of a model that has no parts."""

    def of_part(asked: _core.Question, part: str) -> Iterator[bytes]:
        if part:
            raise OptionError(f"the model has no parts, so none that is called '{part}'")
        return explain(asked)

    return of_part


def doc_blocks(docs: Iterable[_core.Doc], segmenter: _core.Segmenter, parts: Collection[str] = ()) -> Iterator[Block]:
    """Yield the blocks of the documents of a text that a segmenter has cut; `parts` are the parts of the pipeline."""
    first, characters, paragraphs = 1, 0, 0
    for doc in docs:
        block = DocBlock(doc, first, characters, None, parts, segmenter, paragraphs)
        yield block
        first, characters = first + doc.sentence_count, characters + doc.characters
        paragraphs += len(block.choices)


def in_blocks(sentences: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """Yield the numbers of sentences, from 0, as many at a time as make a block."""
    some: list[int] = []
    room = _AT_ONCE
    for number, words in enumerate(sentences):
        if some and room < len(words):
            yield some
            some, room = [], _AT_ONCE
        some.append(number)
        room -= len(words)
    if some:
        yield some


def sentence_blocks(data: bytes) -> Iterator[bytes]:
    """Yield a column file in pieces of whole sentences with about so many bytes."""
    begin = 0
    while begin < len(data):
        end = data.find(b"\n\n", begin + _BYTES_AT_ONCE)
        end = len(data) if end < 0 else end + 2
        yield data[begin:end]
        begin = end


def row_units(
    rows: _core.Columns,
    names: Sequence[str],
    label: int,
    guess: Sequence[list[str]],
    chunks: bool,
    sure: Sequence[Sequence[float]],
) -> list[Unit]:
    """Return the sentences of a column file with the labels that a tagger gives.

    names : of the columns that the tagger was trained on, of which `label` is the label's number
    chunks : whether labels are chunks, in BIO
    sure : confidences in the labels, or nothing
    """
    from sapwood.metrics.chunks import extract_chunks

    cells = {c: rows.column(c) for c in range(rows.width) if not (c == label and rows.width == len(names))}
    first, *others = cells or [0]  # no text has no column
    units = []
    for s, labels in enumerate(guess):
        words = cells[first][s]
        given = [Layer(_column_name(names, c), cells[c][s], decided=False) for c in others]
        begins = [0, *accumulate(len(word) + 1 for word in words)]  # [n + 1] of the words in the text
        pieces = extract_chunks(labels) if chunks else []
        spans = [(begins[begin], begins[end] - 1, kind) for kind, begin, end in pieces]
        found = Layer("label", labels, sure=sure[s] if sure else ())
        units.append(Unit(" ".join(words), words, [*given, found], spans))
    return units


def tree_units(data: _core.Conllu, tags: Sequence[str], sure: Sequence[Sequence[float]]) -> list[Unit]:
    """Return the sentences of CoNLL-U with their trees; the first of the tag columns is drawn.

    sure : confidences in the arcs, or nothing
    """
    forms, columns = data.column("form"), {name: data.column(name) for name in tags}
    units, texts = [], _texts(data)
    for s, (heads, deprels) in enumerate(data.trees(False)):
        words = forms[s]
        given = [Layer(name, values[s], decided=False) for name, values in columns.items()]
        arcs = sure[s] if sure else ()
        found = [Layer("head", list(map(str, heads)), sure=arcs), Layer("deprel", list(deprels), sure=arcs)]
        drawn = columns[tags[0]][s] if tags else None
        layers = sorted([*given, *found], key=lambda layer: layer.name == "feats")  # which are long
        units.append(Unit(texts[s], words, layers, [], (list(heads), list(deprels)), drawn))
    return units


def lemma_units(data: _core.Conllu, lemmas: Sequence[list[str]]) -> list[Unit]:
    """Return the sentences of CoNLL-U with the lemmas that a model gives."""
    forms, tags, texts = data.column("form"), data.column("upos"), _texts(data)
    return [
        Unit(texts[s], words, [Layer("upos", tags[s], decided=False), Layer("lemma", lemmas[s])])
        for s, words in enumerate(forms)
    ]


def example_units(data: Examples, best: bytes, said: bytes, texts: Sequence[str] = ()) -> list[Unit]:
    """Return examples; `best` has a line for each: its best labels, each with a score, with tabs between.

    said : a line for each that begins with its label, or with several
    texts : what the examples are called; without, by their words or numbers
    """
    units = []
    for k, (line, answer) in enumerate(zip(best.decode().split("\n"), said.decode().split("\n"), strict=True)):
        if not line:
            continue
        cells = line.split("\t")
        scores = [(label, float(score)) for label, score in zip(cells[::2], cells[1::2], strict=True)]
        if texts:
            text = texts[k]
        else:
            text = f"example {k + 1}" if data.documents is None else " ".join(data.documents.words(k))
        units.append(Unit(text, [], [Layer("label", [answer.partition("\t")[0] or "no label"])], scores=scores))
    return units


def lines_as_conllu(data: bytes, name: str) -> bytes:
    """Return sentences, one a line with tokens between spaces, as CoNLL-U. Raises DataError."""
    return conllu_text([line for line in given_tokens(data, name) if line], (), None, name)


def lines_as_columns(data: bytes, name: str) -> bytes:
    """Return sentences, one a line with tokens between spaces, as a column file. Raises DataError."""
    lines = given_tokens(data, name)
    return "".join("".join(f"{token}\n" for token in line) + "\n" for line in lines).encode()


def _texts(data: _core.Conllu) -> list[str]:
    """Return how each sentence of CoNLL-U is written, with spaces where it has them."""
    written = data.text()
    ends = [(written.tokens[first][0], written.tokens[last - 1][1]) for first, last in pairwise(written.sentences)]
    return [written.text[begin:end].decode() for begin, end in ends]


def _column_name(names: Sequence[str], column: int) -> str:
    name = names[column] if column < len(names) else str(column)
    return f"column {column + 1}" if name.isdigit() or name == "_" else name


def _of_sentence(doc: Doc, sentence: Sentence, parts: Collection[str], origins: Sequence[Origin | None]) -> Unit:
    first, last = sentence.words
    words = doc.forms[first:last]
    layers = []
    for name in _SHOWN:
        part, values = PART_OF[name], map(str, doc.heads or ()) if name == "head" else doc.values(name)
        if values is not None and part.name in parts:
            sure = doc.confidences.get(part.decision, ())
            layers.append(Layer(name, list(values)[first:last], part.name, True, sure[first:last]))
    start = sentence.start
    spans = [(entity.start - start, entity.end - start, entity.label) for entity in sentence.entities]
    relations = doc.values("deprel")
    tree = None if doc.heads is None or relations is None else (doc.heads[first:last], relations[first:last])
    tags = doc.values("upos")
    drawn = None if tags is None else tags[first:last]
    return Unit(sentence.text, words, layers, spans, tree, drawn, origins=origins[first:last])


def _record(unit: Unit) -> dict[str, object]:
    """Return what a unit is as JSON, as documents have it."""
    if not unit.words:
        best = [{"label": label, "score": score} for label, score in unit.scores]
        return {"text": unit.text, **{layer.name: layer.values[0] for layer in unit.layers}, "best": best}
    tokens: list[dict[str, object]] = [{"id": k, "text": word} for k, word in enumerate(unit.words, start=1)]
    for layer in unit.layers:
        for token, value in zip(tokens, layer.values, strict=True):
            token[layer.name] = int(value) if layer.name == "head" else value
        if layer.sure and layer.name != "deprel":  # which has that of its head
            decision = PART_OF[layer.name].decision if layer.name in PART_OF else layer.name
            for token, confidence in zip(tokens, layer.sure, strict=True):
                token["confidence"] = {decision: round(confidence, 4)}
    return {"text": unit.text, "tokens": tokens}
