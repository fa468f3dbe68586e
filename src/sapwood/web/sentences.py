"""Sentences and examples for the page and for clients: which members an answer has, and the unit of its offsets."""

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from markupsafe import Markup

from sapwood.base.drawing.sentence import Tree, marked
from sapwood.base.drawing.svg import svg_inline
from sapwood.metrics.chunks import extract_chunks
from sapwood.model.base import AnyModel
from sapwood.model.records import AnswerRecord, Origin, Records
from sapwood.parts import PART_NAMED, PART_OF
from sapwood.web.inputs import records_of

_NO_COLUMNS = ("id", "text", "start", "end", "confidence")
_TWO_UNITS = re.compile("[\U00010000-\U0010ffff]")  # characters of two code units in UTF-16
_OFFSETS = "start", "end"

Shape = Callable[[bytes], bytes]


class ShownColumn(NamedTuple):
    """A column of a sentence's words."""

    name: str
    decided: bool  # by the model; otherwise it was in the input
    part: str = ""  # the part of a pipeline that decides it


class Shown(NamedTuple):
    """A sentence or example: its text in pieces, of which some are names, its words and its tree."""

    number: int
    record: AnswerRecord
    tokens: list[AnswerRecord]  # none of an example
    columns: list[ShownColumn]
    runs: list[tuple[str, str]]  # text, and the label of a name or chunk
    has_tree: bool
    tree: Markup  # empty if the sentence is too long
    origins: Sequence[Origin | None]  # the decisions that made the words, where the model did


def shown_sentences(
    model: AnyModel, data: bytes, kind: str, records: Sequence[AnswerRecord], longest: int
) -> list[Shown]:
    """Return the first sentences or examples of an analysis; trees of up to `longest` words are drawn."""
    answering = records_of(model)
    origins = answering.origins(data, kind)
    found = []
    for number, record in enumerate(records, start=1):
        tokens, tree, drawn = record.get("tokens", []), tree_of(model, record), Markup("")
        if tree is not None and len(tokens) <= longest:
            drawn = Markup(svg_inline(tree, (), f"Tree of sentence {number}", f"#a{number}-"))
        columns, runs = _columns(answering, tokens), marked(record["text"], spans_of(record, answering.chunks))
        of_words = [] if origins is None else origins(number, tokens)
        found.append(Shown(number, record, tokens, columns, runs, tree is not None, drawn, of_words))
    return found


class Name(NamedTuple):
    """A name or chunk in the list of all."""

    text: str
    label: str
    first: int  # number of the first sentence that has it
    times: int


def names_in(units: Sequence[Shown]) -> list[Name]:
    """Return the names in sentences, each once, in the order of their appearance."""
    found: dict[tuple[str, str], Name] = {}
    for unit in units:
        for text, label in unit.runs:
            if label:
                before = found.get((text, label), Name(text, label, unit.number, 0))
                found[text, label] = before._replace(times=before.times + 1)
    return list(found.values())


def tree_of(model: AnyModel, record: AnswerRecord) -> Tree | None:
    """Return the tree of a sentence, to be drawn; None if it has none."""
    tokens = record.get("tokens", ())
    if not tokens or not {"head", "deprel"} <= tokens[0].keys():
        return None
    tags = records_of(model).tags
    words, heads, relations = ([token[name] for token in tokens] for name in ("text", "head", "deprel"))
    return words, heads, relations, [token[tags] for token in tokens] if tags in tokens[0] else None


def confidence_of(token: AnswerRecord, column: ShownColumn) -> float | None:
    """Return the model's confidence in the value of a column; None if it is not known."""
    part = PART_NAMED.get(column.part) or PART_OF.get(column.name)  # XPOS are decided with UPOS or with features
    decision = column.name if part is None else part.decision
    return token.get("confidence", {}).get(decision)  # type: ignore[no-any-return]


def _columns(answering: Records, tokens: Sequence[AnswerRecord]) -> list[ShownColumn]:
    decided = answering.decided
    names = [name for name in tokens[0] if name not in _NO_COLUMNS] if tokens else []
    if "label" not in decided:
        names.sort(key="feats".__eq__)
    return [
        ShownColumn(name, name in decided, decided.get(name, ""))
        for name in names
        if name in decided or answering.shows_given
    ]


def spans_of(record: AnswerRecord, name: str | None) -> Iterator[tuple[int, int, str]]:
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


def shape_of(model: AnyModel, text: bytes, fields: Collection[str] | None, offsets: str) -> Shape:
    """Return a function that cuts lines of JSON, a sentence or example each, down to the wanted members.

    fields : members that are kept, of sentences and of their tokens; None: all but `entities`
    offsets : characters, or utf16
    """
    wide = [found.start() for found in _TWO_UNITS.finditer(text.decode())] if offsets == "utf16" else []
    if fields is None and not wide:
        return lambda lines: lines
    with_entities = fields is not None and "entities" in fields
    chunks = records_of(model).chunks

    def shaped(line: bytes) -> bytes:
        record: AnswerRecord = json.loads(line)
        if with_entities:
            before = record.get("start", 0)  # offsets are those of the text that the sentence has its own in
            record["entities"] = [
                {"label": label, "text": record["text"][begin:end], "start": before + begin, "end": before + end}
                for begin, end, label in spans_of(record, chunks)
            ]
        for part in (record, *record.get("tokens", ()), *record.get("entities", ())):
            part |= {name: part[name] + bisect_left(wide, part[name]) for name in _OFFSETS if name in part}
        if fields is not None:
            record = _kept(record, fields)
        return json.dumps(record, ensure_ascii=False).encode()

    return lambda lines: b"".join(shaped(line) + b"\n" for line in lines.splitlines())


def _kept(record: AnswerRecord, fields: Collection[str]) -> AnswerRecord:
    kept = {name: value for name, value in record.items() if name in fields}
    tokens = [{n: v for n, v in token.items() if n in fields} for token in record.get("tokens", ())]
    if any(tokens):
        kept["tokens"] = tokens
    return kept
