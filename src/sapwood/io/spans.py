"""Texts with labelled spans: records of JSON, the exports of annotation tools, and brat's standoff.

Files are told by their members, not by an option. Records have "text" and "spans" or "entities", a list of objects with
"start", "end", "label" and perhaps "text", as Prodigy and `sapwood annotate --to jsonl` write them, too, or spaCy's
"ents", or doccano's "label", "labels" or "entities", lists of [start, end, label], or columns of these values. Label
Studio's tasks have "data" and "annotations". A folder, or a file called .ann, is brat's, with a .txt beside each .ann.
What is no span, such as relations, is counted.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from sapwood.errors import DataError, warn
from sapwood.io.memory import called
from sapwood.io.records import Record, Remarks, json_records
from sapwood.io.source import chunks, paths_in, plain_text, read_bytes, shown
from sapwood.io.span_offsets import CHARACTERS, Annotated, Span, remarks_on_spans, repaired, unit_of

_MEMBERS = ("spans", "entities", "ents", "labels", "label")  # members of a record that may have its spans
_TASK = ("annotations", "completions")  # members of a task of Label Studio
# Names of the members of a span; "entity_group" is that of pipelines of transformers, "type" that of language models.
_NAMES = (("start", "start_offset"), ("end", "end_offset"), ("label", "labels", "entity_group", "type"))
_JSON = (b"{", b"[")


def are_spans(source: object) -> bool:
    """Return true for the path of a file of spans, or for several: folders, .ann, and files that begin as JSON does."""
    paths = paths_in(source)
    return bool(paths) and all(map(_may_have_spans, paths))


def has_spans(path: os.PathLike[str]) -> bool:
    """Return true for a file of spans, by the first span in it: others have records of JSON, too. Raises DataError."""
    if _is_brat(path) or not _may_have_spans(path):
        return _is_brat(path)
    for record in json_records(read_bytes(path), shown(path)):
        given = [_rows(record.values.get(member)) for member in (*_MEMBERS, *_TASK)]
        if first := next((each[0] for each in given if isinstance(each, list) and each), None):
            return isinstance(first, (dict, list))
    return False


def _may_have_spans(path: os.PathLike[str]) -> bool:
    if _is_brat(path):
        return True
    if not Path(path).is_file():
        return False
    if os.fspath(path).endswith(".spacy"):
        other = "its texts with 'spans' as lines of JSON are read here"
        raise DataError(f"{shown(path)}: a DocBin of spaCy teaches the component (docs/spacy.md); {other}")
    start = next(chunks(path, shown(path), at_once=1 << 12, tables=True), b"")
    return start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in _JSON


def _is_brat(path: os.PathLike[str]) -> bool:
    return Path(path).is_dir() or os.fspath(path).endswith(".ann")


def read_spans(source: object) -> list[Annotated]:
    """Return the texts of files with their spans, whose offsets count characters. Warn of what had to be repaired.

    Texts that nobody has annotated are left out, and counted. Raises DataError with the place.
    """
    return [each for path in paths_in(source) for each in _repaired(path)]


def _repaired(path: os.PathLike[str]) -> Iterator[Annotated]:
    name = shown(path)
    with remarks_on_spans() as faults:
        found = list(_standoff(Path(path), faults) if _is_brat(path) else _records(read_bytes(path), name, faults))
        if not found:
            raise DataError(f"{name}: no text in it is annotated")
        unit = unit_of(found)
        if unit != CHARACTERS:
            line_end = ", CR LF as one" if unit.line_end == 1 else ""
            warn(f"{name}: offsets count {unit.name}{line_end}, by which its spans fit best, and are read so")
        for each in found:
            yield each._replace(spans=[*repaired(each.text, each.spans, unit, faults)])


def _records(data: bytes, name: str, faults: Remarks) -> Iterator[Annotated]:
    for record in json_records(data, name):
        if record.is_rejected():
            faults.add("its annotator rejected it or passed over it, and it is left out", record.where)
            continue
        is_task = isinstance(record.values.get("data"), dict) and not isinstance(record.values.get("text"), str)
        text, items = _task(record, faults) if is_task else _plain(record)
        if items is None:
            faults.add("it is not annotated, and is left out", record.where)
            continue
        relations = record.values.get("relations")
        for _ in relations if isinstance(relations, list) else ():
            faults.add("relations are not read", record.where)
        yield Annotated(record, text, [_span(item, record.where) for item in items])


def _plain(record: Record) -> tuple[str, list[Any] | None]:
    """Return the text of a record and its spans; None if these are null."""
    text = record.values.get("text")
    if not isinstance(text, str):
        why = "which is a string" if "text" in record.values else f"and the record has {record.members()}"
        other = "; 'train tag' reads tokens with a list of labels" if "tokens" in record.values else ""
        raise DataError(f"{record.where}: spans need a 'text', {why}{other}")
    there = [member for member in _MEMBERS if member in record.values]
    if not there and "annotation_id" in record.values:  # JSON-MIN: spans stand under the name of their control
        regions = [v for v in record.values.values() if isinstance(v, list) and v and isinstance(v[0], dict)]
        return text, [region for each in regions for region in each if isinstance(region, dict) and "start" in region]
    items = next((found for member in there if isinstance(found := _rows(record.values[member]), list)), None)
    if items is None and not any(record.values[member] is None for member in there):
        raise DataError(f"{record.where}: there are no 'spans'; the record has {record.members()}")
    return text, items


def _rows(spans: object) -> object:
    """Return spans as a list, if they are columns: {"start": [0], "end": [3], "label": ["PER"]}, as of `datasets`."""
    if not isinstance(spans, dict) or not all(spans.keys() & names for names in _NAMES):
        return spans
    sizes = {len(column) if isinstance(column, list) else -1 for column in spans.values()}
    is_table = len(sizes) == 1 and -1 not in sizes
    return [dict(zip(spans, row, strict=True)) for row in zip(*spans.values(), strict=True)] if is_table else spans


def _task(record: Record, faults: Remarks) -> tuple[str, list[Any] | None]:
    """Return the text of a task of Label Studio and its spans; None if nobody has annotated it."""
    given = next((record.values[member] for member in _TASK if member in record.values), None)
    done = [each for each in _objects(given, record) if not each.get("was_cancelled")]
    done.sort(key=lambda each: not each.get("ground_truth"))
    if len(done) > 1:
        faults.add("it has several annotations, of which that marked as true, or the first, counts", record.where)
    spans = []
    for region in _objects(done[0].get("result"), record) if done else ():
        if region.get("type") == "labels" and isinstance(region.get("value"), dict):
            labels = region["value"].get("labels") or [None]
            labels = labels if isinstance(labels, list) else [labels]
            spans += [region["value"] | {"labels": label} for label in labels]
        else:
            faults.add(f"a region of type {region.get('type')!a} is no span, and is not read", record.where)
    texts = {key: text for key, text in record.values["data"].items() if isinstance(text, str)}  # type: ignore[attr-defined]
    quoted = [" ".join(span["text"].split()) for span in spans if isinstance(span.get("text"), str)]
    fitting = [t for t in texts.values() if all(part in " ".join(t.split()) for part in quoted)]
    if not texts:
        raise DataError(f"{record.where}: the task has no text in its data; it has {record.members()}")
    return texts.get("text", next(iter(fitting or texts.values()))), spans if done else None


def _objects(value: object, record: Record) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise DataError(f"{record.where}: annotations and their results are lists of objects, as Label Studio has them")
    return value


def _span(item: object, where: str) -> Span:
    """Return a span of JSON: an object, or [start, end, label]. Raises DataError."""
    if isinstance(item, list) and len(item) == len(_NAMES):
        values = dict(zip(("start", "end", "label"), item, strict=True))
    elif isinstance(item, dict):
        values = {names[0]: next((item[n] for n in names if n in item), None) for names in _NAMES}
        values["text"] = item.get("text")
    else:
        raise DataError(f"{where}: a span is an object or [start, end, label], not {called(item)}")
    quoted = values.get("text")
    start, end = (_offset(values[name], where) for name in ("start", "end"))
    if quoted is not None and not isinstance(quoted, str):
        raise DataError(f"{where}: the 'text' of a span is a string, not {called(quoted)}")
    if (start is None or end is None) and not (quoted and quoted.strip()):
        raise DataError(f"{where}: a span has 'start' and 'end', or else its 'text'")
    label = values["label"]
    return Span(
        start, end, _label(label[0] if isinstance(label, list) and label else label, where), quoted or "", where
    )


def _offset(value: object, where: str) -> int | None:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if value is not None and type(value) is not int:
        raise DataError(f"{where}: an offset is a whole number, not {called(value)}")
    return value


def _label(label: object, where: str) -> str:
    if not isinstance(label, str) or not label.strip():
        raise DataError(f"{where}: a span has a 'label', which is a string")
    if "|" in label or not label.isprintable():
        raise DataError(f"{where}: the label {label!a} has a bar or a line end in it")
    return label.strip()


def _standoff(path: Path, faults: Remarks) -> Iterator[Annotated]:
    """Yield the texts of brat's standoff: of a folder, or of one file. Raises DataError."""
    files = sorted(path.glob("*.ann")) if path.is_dir() else [path]
    if not files:
        raise DataError(f"{shown(path)}: no file in this folder is called .ann, as brat's annotations are")
    for file in sorted(path.glob("*.txt")) if path.is_dir() else ():
        if not file.with_suffix(".ann").exists():
            faults.add("there is no .ann beside it, and it is left out", shown(file))
    for file in files:
        beside = file.with_suffix(".txt")
        text = plain_text(read_bytes(beside, lines=False), shown(beside), lines=False)
        spans: list[Span] = []
        for number, line in enumerate(plain_text(read_bytes(file), shown(file)).split("\n"), 1):
            where = f"{shown(file)}:{number}"
            if line[:1] == "T":
                spans += _textbound(line.rstrip("\r"), text, where, faults)
            elif line.strip():
                faults.add("relations, events, attributes and notes are not read", where)
        yield Annotated(Record(1, shown(beside), {"id": file.stem, "text": text}), text, spans)


def _textbound(line: str, text: str, where: str, faults: Remarks) -> Sequence[Span]:
    """Return the span of a line of brat's, T1, PER 0 3, Ada with tabs between; none if it is in several parts.

    A span over several lines is in as many parts, with nothing but space between them. Raises DataError.
    """
    try:
        _, place, quoted = line.split("\t", 2)
        label, *offsets = place.split(";", 1)[0].rsplit(" ", 2)
        parts = [(int(begin), int(end)) for begin, end in map(str.split, [" ".join(offsets), *place.split(";")[1:]])]
    except ValueError:
        raise DataError(f"{where}: a span is T1, LABEL START END, TEXT, with tabs between") from None
    for (_, end), (begin, _) in pairwise(parts):
        if text[end:begin].strip():
            faults.add("it is in several parts, and is left out", where, quoted)
            return []
    return [Span(parts[0][0], parts[-1][1], _label(label, where), quoted, where)]
