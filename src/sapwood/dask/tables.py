"""Parquet files, made of what models write: a row for each word, or each example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

import pyarrow as pa
from pyarrow import parquet

from sapwood.errors import DataError

_ROWS = 100_000  # in a row group, at least
_CONLLU = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")

Row = list[str]


def write_table(file: BinaryIO, blocks: Iterable[bytes], kind: str) -> None:
    """Write a Parquet file of what a model has written, in blocks that end with a line.

    kind : "conllu": columns `sentence`, from 1, and those of CoNLL-U, empty (`_`) cells null but for form and lemma;
        comments are left out. "columns": `sentence` and `c1`, `c2` ...; "labels": `label` and `score`, or `label1`,
        `score1`, `label2` ... of several labels
    """
    rows = _rows(_lines(blocks), kind)
    first = next(rows, None)
    schema = _schema(kind, 0 if first is None else len(first[1]))
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        group: list[tuple[int, Row]] = []
        for row in chain([] if first is None else [first], rows):
            group.append(row)
            if len(group) == _ROWS:
                writer.write_table(_table(group, schema, kind))
                group = []
        if group:
            writer.write_table(_table(group, schema, kind))


def _lines(blocks: Iterable[bytes]) -> Iterator[str]:
    for block in blocks:
        text = block.decode()
        yield from text.removesuffix("\n").split("\n") if text else ()


def _rows(lines: Iterable[str], kind: str) -> Iterator[tuple[int, Row]]:
    """Yield each row with the number of its sentence."""
    sentence, within = 0, False
    for line in lines:
        line = line.removesuffix("\r")
        if kind == "labels":
            yield 0, line.split("\t")
        elif not line.strip():
            within = False
        elif kind != "conllu" or not line.startswith("#"):
            sentence += not within
            within = True
            yield sentence, line.split("\t") if kind == "conllu" else line.split()


def _schema(kind: str, width: int) -> pa.Schema:
    if kind == "labels":
        many = max(width // 2, 1)
        numbers = [""] if many == 1 else [str(n + 1) for n in range(many)]
        pairs = (((f"label{n}", pa.string()), (f"score{n}", pa.float64())) for n in numbers)
        return pa.schema(list(chain.from_iterable(pairs)))
    names = _CONLLU if kind == "conllu" else [f"c{n + 1}" for n in range(width)]
    kinds = {"head": pa.int32()}
    return pa.schema([("sentence", pa.int64()), *((name, kinds.get(name, pa.string())) for name in names)])


def _table(group: list[tuple[int, Row]], schema: pa.Schema, kind: str) -> pa.Table:
    columns: list[list[object]] = [list(column) for column in zip(*(row for _, row in group), strict=True)]
    names = schema.names
    if kind != "labels":
        columns.insert(0, [sentence for sentence, _ in group])
    arrays = []
    for name, column, field in zip(names, columns, schema, strict=True):
        values = column
        if kind == "conllu" and name not in ("sentence", "form", "lemma"):
            values = [None if value == "_" else value for value in column]
        if pa.types.is_integer(field.type):
            values = [None if value is None else _whole(value) for value in values]
        elif pa.types.is_floating(field.type):
            values = [float(str(value)) for value in values]
        arrays.append(pa.array(values, field.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def _whole(value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise DataError(f"the head {value!a} is not a number") from None
