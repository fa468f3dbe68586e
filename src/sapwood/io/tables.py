"""Parquet files: read as records, and made of what models write, with a row for each word or each example."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, repeat
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
from pyarrow import compute, parquet

from sapwood.errors import DataError
from sapwood.io.json_text import BadJson, read_json
from sapwood.io.records import Record, TableRows
from sapwood.io.source import check_size
from sapwood.parts import CONLLU

_ROWS = 20_000  # in a row group, at least
_FULL = ("sentence", "form", "lemma")  # columns of CoNLL-U in which "_" is a text
_BLANK = re.compile(rb"\n(?:[ \t]*\n)+")  # between sentences
_COMMENT = re.compile(rb"^#.*\n?", re.MULTILINE)
_CELL = re.compile(rb"[^ \t\n]+")


_ANSWERS = {"label": "string", "confidence": "double", "margin": "double", "abstained": "bool"}


def table_records(data: bytes, name: str) -> TableRows:
    """Return the rows of a Parquet file as records, whose lines are counted from 1. Raises DataError.

    Numbers of class labels, as Hugging Face's datasets write them, become the names that the file has for them. A map
    of names becomes a dict; any other, or one that has a name twice, a list of pairs.
    """
    try:
        file = parquet.ParquetFile(pa.BufferReader(data))
        groups = (file.metadata.row_group(k) for k in range(file.metadata.num_row_groups))
        check_size(sum(group.total_byte_size for group in groups), name)
        table = file.read(use_threads=False)  # its threads may abort a process that ends soon after
        rows = table.to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        why = str(error).partition("\n")[0]
        raise DataError(f"{name}: it cannot be read as Parquet: {why}") from None
    if len({*table.column_names}) < table.num_columns:
        raise DataError(f"{name}: two columns have the same name")
    for field in table.schema:
        if "map<" in str(field.type):
            for row in rows:
                row[field.name] = _with_objects(row[field.name], field.type)
    for column, feature in _class_labels(table.schema).items():
        for row in rows:
            row[column] = _named(row[column], feature)
    found = TableRows(Record(n, f"{name}:{n}", row) for n, row in enumerate(rows, 1))
    found.table = table
    return found


def _with_objects(value: Any, kind: pa.DataType) -> object:
    """Return a value of a type with maps in it, with a dict for each map of names that differ."""
    if value is None:
        return None
    if pa.types.is_map(kind):
        pairs = [(key, _with_objects(item, kind.item_type)) for key, item in value]
        is_named = pa.types.is_string(kind.key_type) or pa.types.is_large_string(kind.key_type)
        return dict(pairs) if is_named and len(dict(pairs)) == len(pairs) else pairs
    if pa.types.is_struct(kind):
        return {field.name: _with_objects(value[field.name], field.type) for field in kind}
    if isinstance(value, list):
        return [_with_objects(item, kind.value_type) for item in value]
    return value


def _class_labels(schema: pa.Schema) -> dict[str, object]:
    """Return the columns that have class labels, each with its type as Hugging Face's datasets have it in a schema."""
    written = (schema.metadata or {}).get(b"huggingface", b"").decode(errors="replace")
    if "ClassLabel" not in written:
        return {}
    with suppress(BadJson):
        match read_json(written):
            case {"info": {"features": dict(features)}}:
                return {name: features[name] for name in schema.names if "ClassLabel" in str(features.get(name))}
    return {}


def _named(value: object, feature: object) -> object:
    """Return a value with the names of its class labels in place of their numbers; -1, an unknown label, is None."""
    match value, feature:
        case int(), {"_type": "ClassLabel", "names": list(names)} if -1 <= value < len(names):
            return names[value] if value >= 0 else None
        case (list(items), {"feature": inner}) | (list(items), [inner]):
            return [_named(item, inner) for item in items]
        case dict(members), dict(inner):
            return {name: _named(member, inner.get(name)) for name, member in members.items()}
    return value


def with_columns(
    records: Sequence[Record], members: Sequence[str], answers: Sequence[Mapping[str, object]], name: str
) -> bytes:
    """Return a Parquet file of records and their answers; the columns of a Parquet file stay as they were.

    members : the names of all members of the records. Raises DataError for one with values of several types.
    """
    at = ""
    try:
        table = records.table if isinstance(records, TableRows) else None
        if table is None:
            columns = {}
            for at in members:
                columns[at] = pa.array([record.values.get(at) for record in records])
            table = pa.table(columns)
        for at in dict.fromkeys(chain.from_iterable(answers)):
            values = [answer.get(at) for answer in answers]
            kind = _ANSWERS.get(at.removeprefix("predicted_")) if values.count(None) == len(values) else None
            table = table.append_column(at, pa.array(values, kind and pa.type_for_alias(kind)))
    except (pa.ArrowException, OverflowError) as error:
        why = str(error).partition("\n")[0]
        raise DataError(f"{name}: the values of {at!a} are of no one type of Parquet's ({why}); write jsonl") from None
    out = pa.BufferOutputStream()
    parquet.write_table(table, out, compression="zstd")
    written: bytes = out.getvalue().to_pybytes()
    return written


class _Rows(NamedTuple):
    """Rows of a table: the cells of one row after another, and how many rows each sentence has."""

    cells: list[bytes]
    lengths: list[int]


def write_table(file: BinaryIO, blocks: Iterable[bytes], kind: str) -> None:
    """Write a Parquet file of what a model has written, in blocks that end with a sentence or a line.

    kind : "conllu": columns `sentence`, from 1, and those of CoNLL-U, empty (`_`) cells null but for form and lemma;
        comments are left out. "columns": `sentence` and `c1`, `c2` ...; "labels": `label` and `score`, or `label1`,
        `score1`, `label2` ... of several labels
    """
    groups = _groups(blocks, kind)
    first = next(groups, None)
    width = 0 if first is None else len(first.cells) // sum(first.lengths)
    schema = _schema(kind, width)
    sentences = 0
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        for rows in chain([] if first is None else [first], groups):
            writer.write_table(_table(rows, schema, width, sentences))
            sentences += len(rows.lengths)


def _groups(blocks: Iterable[bytes], kind: str) -> Iterator[_Rows]:
    rows, count = _Rows([], []), 0
    for sentence in _sentences(blocks, kind):
        cells = _CELL.findall(sentence) if kind == "columns" else sentence.replace(b"\n", b"\t").split(b"\t")
        rows.cells.extend(cells)
        rows.lengths.append(sentence.count(b"\n") + 1)
        count += rows.lengths[-1]
        if count >= _ROWS:
            yield rows
            rows, count = _Rows([], []), 0
    if count > 0:
        yield rows


def _sentences(blocks: Iterable[bytes], kind: str) -> Iterator[bytes]:
    for block in blocks:
        text = block.replace(b"\r\n", b"\n")
        if kind == "labels":
            yield from text.removesuffix(b"\n").split(b"\n") if text else ()
            continue
        for sentence in _BLANK.split(text):
            lines = (_COMMENT.sub(b"", sentence) if kind == "conllu" else sentence).strip(b"\n")
            if lines.strip():
                yield lines


def _schema(kind: str, width: int) -> pa.Schema:
    if kind == "labels":
        many = max(width // 2, 1)
        numbers = [""] if many == 1 else [str(n + 1) for n in range(many)]
        pairs = (((f"label{n}", pa.string()), (f"score{n}", pa.float64())) for n in numbers)
        return pa.schema(list(chain.from_iterable(pairs)))
    names = CONLLU if kind == "conllu" else [f"c{n + 1}" for n in range(width)]
    kinds = {"head": pa.int32()}
    return pa.schema([("sentence", pa.int64()), *((name, kinds.get(name, pa.string())) for name in names)])


def _table(rows: _Rows, schema: pa.Schema, width: int, sentences: int) -> pa.Table:
    arrays = [pa.array(rows.cells[k::width], pa.binary()).cast(pa.string()) for k in range(width)]
    if "sentence" in schema.names:
        numbers = (repeat(n, length) for n, length in enumerate(rows.lengths, sentences + 1))
        arrays.insert(0, pa.array(chain.from_iterable(numbers), pa.int64()))
    if "feats" in schema.names:
        empty = pa.scalar(None, pa.string())
        for k, name in enumerate(schema.names):
            if name not in _FULL:
                arrays[k] = compute.if_else(compute.equal(arrays[k], "_"), empty, arrays[k])
    arrays = [array.cast(kind) for array, kind in zip(arrays, schema.types, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
