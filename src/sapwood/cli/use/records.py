"""Records for ``sapwood tag`` and ``annotate``: their tokens or texts are analysed, and all members stay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sapwood.base.command.terminal import write_out
from sapwood.documents.words import ABSTAINED, Entity
from sapwood.errors import DataError, OptionError
from sapwood.io.example_files import BYTES, format_by_name, has_tabs, records_in
from sapwood.io.memory import called
from sapwood.io.record_writer import TO, Answer, RecordWriter
from sapwood.io.records import CsvReader, Record, Remarks, json_records
from sapwood.io.source import STANDARD_INPUT, read_blocks, read_bytes, shown, with_lines

if TYPE_CHECKING:
    from sapwood.tasks.pipeline.languages import Languages
    from sapwood.tasks.pipeline.model import Pipeline
    from sapwood.tasks.tagging.model import SequenceTagger

Answers = Callable[[list[Any]], Iterable["Answer"]]  # about the values of records that have some


def write_records(files: Sequence[str], member: str, answers: Answers, empty: Answer, to: str) -> None:
    """Write the records of files with answers about a member; standard input is JSON, answered line by line.

    empty : the answer where the member is null, of which there is a warning

    Raises OptionError for a file that has no records, DataError for a record without the member.
    """
    for path in files or ("-",):
        name = STANDARD_INPUT if path == "-" else shown(path)
        writer = RecordWriter(to, name)
        with Remarks() as remarks:
            parts = _parts(path, name, member, remarks)
            if to == "parquet":
                parts = iter([[record for part in parts for record in part]] if path == "-" else parts)
            for records in parts:
                values = [_value(record, member, remarks) for record in records]
                found = iter(answers([value for value in values if value is not None]))
                write_out(writer.written(records, [empty if value is None else next(found) for value in values]))


def _parts(path: str, name: str, member: str, remarks: Remarks) -> Iterator[Sequence[Record]]:
    if path == "-":
        [(_, blocks)] = read_blocks(["-"], "line")
        for block, line in with_lines(blocks):
            yield list(json_records(block, name, line))
        return
    if (form := format_by_name(path, "")) not in TO:
        raise OptionError(f"{name}: --to is for records, in a file that is called .jsonl, .csv, .tsv or .parquet")
    data = read_bytes(path, lines=form not in BYTES)
    yield records_in(data, name, form, CsvReader(name, member, has_tabs(path), remarks))


def _value(record: Record, member: str, remarks: Remarks) -> object:
    value = record.value(member)
    if value is None and member.partition(".")[0] not in record.values:
        raise DataError(f"{record.where}: there is no '{member}'; the record has {record.members()}")
    if value is None:
        remarks.add(f"'{member}' is null, so that there is no answer", record.where)
    return value


def tag_answers(tagger: SequenceTagger, *, confidence: bool) -> Answers:
    """Return the answers of a tagger about lists of tokens: `labels`, and perhaps `confidences`."""

    def answers(values: list[Any]) -> Iterator[Answer]:
        for value in values:
            if not isinstance(value, list):
                raise DataError(f"tokens are a list, not {called(value)}")
        tokens = [[tuple(token) if isinstance(token, list) else token for token in value] for value in values]
        labels = tagger.predict(tokens, abstain=bool(tagger.confidence.least))
        sure = tagger.confidences(tokens) if confidence else [[]] * len(labels)
        for of_sentence, numbers in zip(labels, sure, strict=True):
            more = {"confidences": [round(number, 4) for number in numbers]} if confidence else {}
            yield {"labels": of_sentence, **more}

    return answers


def document_answers(pipeline: Pipeline | Languages, *, confidence: bool) -> Answers:
    """Return the answers of a pipeline about texts: `entities`, with offsets in the text, and `sentences`."""

    def answers(values: list[Any]) -> Iterator[Answer]:
        for value in values:
            if not isinstance(value, str):
                raise DataError(f"a text is a string, not {called(value)}")
        for doc in pipeline.pipe(values, confidence=confidence):
            unsure = {"abstained": list(map(Entity.record, doc.abstained))} if doc.values(ABSTAINED) is not None else {}
            yield {"entities": list(map(Entity.record, doc.entities)), **unsure, "sentences": json.loads(doc.to_json())}

    return answers
