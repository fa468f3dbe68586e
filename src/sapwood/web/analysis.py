"""The analysis of an input by a model of any task, as the bytes that the model writes or as JSON, and its reasons."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from sapwood import _core
from sapwood.errors import OptionError
from sapwood.io.columns import given_tokens, read_rows
from sapwood.io.conllu import read_conllu, treebank_in_memory
from sapwood.io.examples import Examples, texts_as_examples
from sapwood.io.source import plain_text
from sapwood.model.base import AnyModel
from sapwood.model.capabilities import require_capability
from sapwood.tasks.classifying.data import layout_of
from sapwood.tasks.pipeline.output import FORMATS, PIECE, pieces
from sapwood.web.words import INPUT

Record = dict[str, Any]  # a sentence or an example, as JSON has it

_BLOCK = 1 << 15  # bytes of a column file or of CoNLL-U that are annotated together
_BEST = 5  # labels of an example that are written with their scores


def formats_of(model: AnyModel) -> tuple[str, ...]:
    """Return the formats in which a model's analysis is written: JSON, its own, and SVG where there are trees."""
    own = {"tag": "columns", "classify": "labels"}.get(model.task, "conllu")
    trees = model.task == "parse" or "parser" in model.model_.parts
    return ("json", own, "svg") if trees else ("json", own)


def is_calibrated(model: AnyModel) -> bool:
    """Return true if the model has confidences."""
    return model.confidence is not None and model.confidence.calibrated


def labels_of(model: AnyModel, part: str) -> Sequence[str]:
    """Return the answers that `against` may name, of the model or a part of it; none if there is no list of them."""
    if model.task == "pipeline":
        return model.models_[part].labels_ if part else ()  # type: ignore[attr-defined]
    return model.labels_ if model.task in ("tag", "parse", "classify") else ()


def written(model: AnyModel, data: bytes, kind: str, format: str, confidence: bool) -> Iterator[bytes]:
    """Yield the analysis of an input of this kind, piece by piece; JSON has a line for each sentence or example.

    Raises ModelError if there are no confidences and should be, and DataError with the place.
    """
    if confidence:
        require_capability(model, "confidence").check()
    match model.task:
        case "pipeline" | "segment":
            return _of_documents(model, data, kind, format, confidence)
        case "classify":
            return _of_examples(model, data, kind, format)
    found = _annotated(model, _with_words_apart(model, data, kind), confidence)
    if format != "json":
        return found
    records = _column_records if model.task == "tag" else _conllu_records
    return (_as_lines(records(model, piece, confidence)) for piece in found)


def reason_lines(model: AnyModel, data: bytes, kind: str, asked: _core.Question, part: str) -> Iterator[bytes]:
    """Yield explanations of the model's decisions, or of those of a part of it, as lines of JSON."""
    if model.task == "pipeline":
        return model.reasons.of_bytes(data, INPUT, asked, input=kind, part=part)  # type: ignore[no-any-return]
    if part:
        raise OptionError(f"the model has no parts, so none that is called '{part}'")
    if model.task == "classify":
        return model.reasons.of_encoded(_examples(model, data, kind), asked)  # type: ignore[no-any-return]
    return model.reasons.of_bytes(_with_words_apart(model, data, kind), INPUT, asked)  # type: ignore[no-any-return]


def _with_words_apart(model: AnyModel, data: bytes, kind: str) -> bytes:
    """Return sentences, one a line with tokens between spaces, in the format of the model's files."""
    if kind != "tokens":
        return data
    lines = given_tokens(data, INPUT)
    if model.task == "parse":
        return treebank_in_memory([line for line in lines if line], (), None, INPUT).to_bytes()
    return "".join("".join(f"{token}\n" for token in line) + "\n" for line in lines).encode()


def _of_documents(model: Any, data: bytes, kind: str, format: str, confidence: bool) -> Iterator[bytes]:
    if model.task == "segment":
        docs = model.familiarity_.monitor(iter(model.documents(data, INPUT)), INPUT)
    elif kind == "text" and len(data) <= PIECE:  # is read in one go
        docs = model.familiarity_.monitor(iter(model.pipeline_.read(data, INPUT)), INPUT)
        docs = model.writer.with_confidences(docs, confidence)
    else:
        yield from model.writer.written(pieces(data), name=INPUT, format=format, input=kind, confidence=confidence)
        return
    yield from map(FORMATS[format].writer(), docs)


def _annotated(model: Any, data: bytes, confidence: bool) -> Iterator[bytes]:
    if model.task == "lemmatize":
        treebank = read_conllu(data, INPUT)
        yield treebank.replace({"lemma": model.predict(treebank)})
        return
    (read_rows if model.task == "tag" else read_conllu)(data, INPUT)  # an error of any line comes before all answers
    yield from model.annotate(_blocks(data), name=INPUT, confidence=confidence)


def _blocks(data: bytes) -> Iterator[bytes]:
    begin = 0
    while begin < len(data):
        end = data.find(b"\n\n", begin + _BLOCK)
        end = len(data) if end < 0 else end + 2
        yield data[begin:end]
        begin = end


def _of_examples(model: Any, data: bytes, kind: str, format: str) -> Iterator[bytes]:
    examples = _examples(model, data, kind)
    lines, best = model.writer.of_examples(examples, INPUT, 0, _BEST)
    if format != "json":
        yield lines
        return
    texts = [plain_text(data, INPUT)] if kind == "text" else []
    yield _as_lines(_example_records(examples, best, lines, texts))


def _examples(model: Any, data: bytes, kind: str) -> Examples:
    if kind == "text":
        return texts_as_examples([plain_text(data, INPUT)], INPUT, layout_of(model.model_))
    return model.reasons.read(data, INPUT)  # type: ignore[no-any-return]


def _example_records(examples: Examples, best: bytes, lines: bytes, texts: Sequence[str]) -> Iterator[Record]:
    """Yield examples with their labels.

    best : a line for each: its best labels, each with a score, with tabs between
    lines : a line for each that begins with its label, or with several
    texts : of the examples; without, they are made of their words or numbers
    """
    for k, (scored, line) in enumerate(zip(best.decode().split("\n"), lines.decode().split("\n"), strict=True)):
        if not scored:
            continue
        cells = scored.split("\t")
        scores = [{"label": y, "score": float(score)} for y, score in zip(cells[::2], cells[1::2], strict=True)]
        if texts:
            text = texts[k]
        else:
            text = f"example {k + 1}" if examples.documents is None else " ".join(examples.documents.words(k))
        yield {"text": text, "label": line.partition("\t")[0] or "no label", "best": scores}


def _column_records(model: Any, annotated: bytes, confidence: bool) -> Iterator[Record]:
    rows, names = _core.Columns.read(annotated, INPUT), model.model_.columns
    label = rows.width - 1 - confidence
    if label < 0:  # no text has no column
        return
    gold = model.model_.label if label == len(names) else None
    first, *others = (c for c in range(label) if c != gold)
    columns = {_column_name(names, c): rows.column(c) for c in others} | {"label": rows.column(label)}
    sure = rows.column(label + 1) if confidence else None
    for s, words in enumerate(rows.column(first)):
        said = None if sure is None else [{"label": float(number)} for number in sure[s]]
        yield _record(" ".join(words), words, {name: column[s] for name, column in columns.items()}, said)


def _column_name(names: Sequence[str], column: int) -> str:
    name = names[column] if column < len(names) else str(column)
    return f"column {column + 1}" if name.isdigit() or name in ("_", "id", "text", "label", "confidence") else name


def _conllu_records(model: Any, annotated: bytes, confidence: bool) -> Iterator[Record]:
    data = _core.Conllu.read(annotated, INPUT)
    names = ["upos", "lemma"] if model.task == "lemmatize" else [*model.params.tag_columns, "head", "deprel"]
    columns: dict[str, list[list[Any]]] = {name: data.column(name) for name in names}
    if "head" in columns:
        columns["head"] = [[int(head) for head in sentence] for sentence in columns["head"]]
    sure, written_text = data.column("misc") if confidence else None, data.text()
    places = pairwise(written_text.sentences)
    for s, (words, (first, last)) in enumerate(zip(data.column("form"), places, strict=True)):
        text = written_text.text[written_text.tokens[first][0] : written_text.tokens[last - 1][1]].decode()
        said = None if sure is None else [{"arc": _arc_confidence(misc)} for misc in sure[s]]
        yield _record(text, words, {name: column[s] for name, column in columns.items()}, said)


def _arc_confidence(misc: str) -> float:
    return float(next(item for item in misc.split("|") if item.startswith("ArcConfidence=")).partition("=")[2])


def _record(
    text: str, words: Sequence[str], columns: dict[str, Sequence[Any]], confidences: list[dict[str, float]] | None
) -> Record:
    tokens: list[Record] = [{"id": k, "text": word} for k, word in enumerate(words, start=1)]
    for name, values in columns.items():
        for token, value in zip(tokens, values, strict=True):
            token[name] = value
    for token, confidence in zip(tokens, confidences or (), strict=False):
        token["confidence"] = confidence
    return {"text": text, "tokens": tokens}


def _as_lines(records: Iterable[Record]) -> bytes:
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)
