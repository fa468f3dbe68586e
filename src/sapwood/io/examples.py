"""Examples for classifiers: texts, marked words in context, or features. From records, or from memory.

A name such as ``output.label`` is that of a value inside of another. All other texts and numbers of records are fields
of the document, which templates call ``%d[NAME]``; lists and objects are passed over. Where an example may have several
labels, they are written as label_sets.py says.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from numbers import Integral
from typing import NamedTuple, TypeGuard

import sapwood._core as _core
from sapwood.errors import DataError
from sapwood.io.label_sets import joined, label_text, labels_in
from sapwood.io.memory import COUNTED, called
from sapwood.io.records import Record

_KEYS = ("tokens", "marked", "features")  # values of records that are no fields
_PLAIN = {str, int, float, bool, type(None)}  # types of values that may be fields

Tokens = str | Sequence[str | Sequence[str]]  # a text, or tokens of one or more columns
Document = tuple[Tokens, int | None, str | None, list[str], int]
Features = Mapping[str, float | str]


class Layout(NamedTuple):
    """The format of examples, and the names of their columns and fields."""

    format: str  # empty: the file's name tells it
    columns: list[str]  # columns of their tokens; ["feature"] for rows of features
    fields: list[str]
    label: str = "label"  # name of the label in records
    text: str = "text"  # name of the text in records
    several: bool = False  # true if an example has any number of labels (label_sets.py)
    asked: Collection[str] | None = None  # fields that a template needs; None: all


class Examples(NamedTuple):
    """Documents, from which a template makes features, or rows of features; the other is None."""

    documents: _core.Documents | None
    rows: _core.FeatureRows | None
    answers: _core.Answers
    layout: Layout
    names: Callable[[], list[str]] = list  # gives the names of the rows' features that are in the data
    flaw: str = ""  # the error in a label, for callers that need the labels
    hint: str = ""  # the place of labels in this format, for the error of one that is missing
    records: Sequence[Record] = ()  # the records, of formats that have some
    null: Collection[int] = ()  # numbers of the examples whose text is null

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def content(self) -> _core.Documents | _core.FeatureRows:
        content = self.documents if self.documents is not None else self.rows
        assert content is not None
        return content

    @property
    def checksum(self) -> int:
        """A hash of the content, equal for equal data."""
        return self.content.checksum


def take_examples(
    examples: Sequence[object],
    labels: Sequence[object] | None,
    layout: Layout | None,
    name: str = "input",
    *,
    several: bool = False,
) -> Examples:
    """Take examples from memory: texts, dicts of features, or (tokens, number of the marked one). Raises DataError."""
    if labels is not None and len(labels) != len(examples):
        raise DataError(f"{name}: {len(examples)} examples and {len(labels)} labels")
    read = joined if several else label_text
    gold = (
        [""] * len(examples) if labels is None else [read(y, f"{name}: example {k}") for k, y in enumerate(labels, 1)]
    )
    if _are_features(examples, layout):
        for number, other in enumerate(examples, 1):
            if not isinstance(other, Mapping):
                raise DataError(f"{name}: example {number} {COUNTED} is {called(other)}, and the first one is a dict")
        rows = _core.FeatureRows.from_dicts(list(map(dict, examples)), name, True)
        answers = _core.Answers.build(gold, [], name)
        layout = Layout("jsonl", ["feature"], [], several=several)
        return Examples(None, rows, answers, layout, partial(_feature_names, examples))
    documents: list[Document] = []
    for number, (example, label) in enumerate(zip(examples, gold, strict=True), 1):
        documents.append((*_text(example, f"{name}: example {number} {COUNTED}"), label, [], 0))
    columns = layout.columns if layout else _columns(next((tokens for tokens, *_ in documents if tokens), ""))
    built = _core.Documents.build(documents, len(columns), 0, name)
    form = "fasttext" if all(isinstance(example, str) for example in examples) else "jsonl"
    return of_documents(built, Layout(form, columns, [], several=several))


def texts_as_examples(texts: Sequence[str], name: str, layout: Layout, first_line: int = 1) -> Examples:
    """Take texts as they are, without labels; their fields are empty. Raises DataError."""
    fields = [""] * len(layout.fields)
    documents: list[Document] = [(text, None, None, fields, line) for line, text in enumerate(texts, first_line)]
    return of_documents(_core.Documents.build(documents, len(layout.columns), len(fields), name), layout)


def _are_features(examples: Sequence[object], layout: Layout | None) -> TypeGuard[Sequence[Features]]:
    if len(examples):
        return isinstance(examples[0], Mapping)
    return layout is not None and layout.columns == ["feature"]


def _columns(tokens: object) -> list[str]:
    match tokens:
        case [[_, *_] as first, *_]:
            width = len(first)
        case _:
            width = 1
    return ["word", "pos"][:width] if width <= 2 else [str(c) for c in range(width)]


def of_documents(documents: _core.Documents, layout: Layout, hint: str = "") -> Examples:
    """Return documents as examples. hint : see `Examples`"""
    return Examples(documents, None, documents.answers, layout, hint=hint)


def _text(example: object, where: str) -> tuple[Tokens, int | None]:
    """Return the text, or the tokens and the number of the marked one; `where` says which example it is of."""
    match example:
        case str():
            return example, None
        case [Sequence() as tokens, marked] if _is_place(marked, tokens):
            return tokens, int(marked)
        case [Sequence(), Integral() as marked]:
            raise DataError(f"{where}: the marked word is not one of its tokens, counted from 0: {marked}")
        case Mapping():
            raise DataError(f"{where} is {called(example)} of features, and the first one is not")
    raise DataError(
        f"{where} is {called(example)}; an example is a text, a dict of features, or (tokens, number of the marked one)"
    )


def _is_place(marked: object, tokens: Sequence[object]) -> TypeGuard[int]:
    return isinstance(marked, Integral) and not isinstance(marked, bool) and 0 <= int(marked) < len(tokens)


def _feature_names(examples: Sequence[Features]) -> list[str]:
    names = {"bias": None}
    for example in examples:
        names |= {f"{name}={value}" if isinstance(value, str) else name: None for name, value in example.items()}
    return list(names)


def layout_of_records(records: Iterable[Record], layout: Layout) -> Layout:
    """Return the layout of records, whose columns and fields all of them tell."""
    fields: dict[str, None] = {}
    no_fields = {layout.label, layout.text, *_KEYS}
    tokens: object = ""
    are_features: bool | None = None
    for record in records:
        fields |= dict.fromkeys(record.values)
        if not _PLAIN.issuperset(map(type, record.values.values())):
            no_fields.update(key for key, value in record.values.items() if type(value) not in _PLAIN)
        tokens = tokens or _tokens_in(record, layout.text)
        if (has_features := _has_features(record, layout)) is not None:
            are_features = are_features is not False and has_features
    if are_features:
        return layout._replace(columns=["feature"])
    return layout._replace(columns=_columns(tokens), fields=[name for name in fields if name not in no_fields])


def is_null(record: Record, text: str) -> bool:
    """Return true for a null text, or one inside of an object that does not have it, without tokens or features."""
    is_there = _may_have(record, text) and all(record.values.get(key) is None for key in _KEYS)
    return is_there and record.value(text) is None


def _may_have(record: Record, text: str) -> bool:
    return text.partition(".")[0] in record.values


def _tokens_in(record: Record, text: str) -> object:
    tokens = record.values.get("tokens")
    return tokens if isinstance(tokens, list) else record.value(text)


def _has_features(record: Record, layout: Layout) -> bool | None:
    """Return true if a record has features for a text; None if what it could have is null, so that others decide."""
    features, has_text = record.values.get("features"), record.value(layout.text) is not None
    if features is None and "features" in record.values and not has_text and record.values.get("tokens") is None:
        return None
    return isinstance(features, dict) or (features is not None and not has_text)


def _are_of_features(records: Sequence[Record], layout: Layout) -> bool:
    none_is_text = all(_has_features(record, layout) is not False for record in records)
    return none_is_text and any(_has_features(record, layout) for record in records)


def of_records(records: list[Record], name: str, layout: Layout, fixed: bool, null: Collection[int] = ()) -> Examples:
    """Turn the rows of a CSV, JSON or Parquet file into documents or features; `null` have an empty text."""
    found = labels_in(records, layout.label, several=layout.several)
    gold, flaw = [label for label, _ in found], next((flaw for _, flaw in found if flaw), "")
    members = next((record.members() for record, label in zip(records, gold, strict=True) if not label), "")
    hint = f"the line has {members}: --label names the label, --text the text"
    if layout.columns == ["feature"] or _are_of_features(records, layout):
        return _of_features(records, gold, name, layout, flaw, hint)
    if not fixed:
        layout = layout_of_records(records[:1] if layout.format == "csv" else records, layout)
    documents: list[Document] = []
    passed_over = set() if layout.asked is None else set(layout.fields).difference(layout.asked)
    empty = {*null}
    for k, (record, label) in enumerate(zip(records, gold, strict=True)):
        tokens, marked = ("", None) if k in empty else _tokens(record, layout.text)
        fields = ["" if field in passed_over else record.text(field) for field in layout.fields]
        documents.append((tokens, marked, label, fields, record.line))
    made = _core.Documents.build(documents, len(layout.columns), len(layout.fields), name)
    return Examples(made, None, made.answers, layout, flaw=flaw, hint=hint, records=records, null=empty)


def _of_features(
    records: list[Record], gold: Sequence[str], name: str, layout: Layout, flaw: str, hint: str
) -> Examples:
    rows: list[Features] = []
    for record in records:
        match record.values:
            case {"features": dict(features)}:
                rows.append(features)
            case {"features": list()} if layout.format == "parquet":
                how = "Parquet's maps are objects if their keys are strings that differ"
                raise DataError(f"{record.where}: there is no object called 'features', but a list; {how}")
            case _:
                raise DataError(f"{record.where}: there is no object called 'features'")
    try:
        built = _core.FeatureRows.from_dicts(rows, name, True)
    except DataError as error:  # in terms of examples, which a file has in lines
        found = re.match(rf"{re.escape(name)}: example (\d+)(?=: )", str(error))
        message = str(error) if found is None else f"{records[int(found[1]) - 1].where}{str(error)[found.end() :]}"
        raise DataError(message) from None
    answers = _core.Answers.build(gold, [record.line for record in records], name)
    layout = layout._replace(columns=["feature"])
    return Examples(None, built, answers, layout, partial(_feature_names, rows), flaw, hint, records)


def _tokens(record: Record, text: str) -> tuple[Tokens, int | None]:
    """Return the tokens and the number of the marked one, or the text."""
    match record.values:
        case {"tokens": list(tokens)}:
            marked = record.values.get("marked")
            if marked is None or _is_place(marked, tokens):
                return tokens, marked
            raise DataError(f"{record.where}: 'marked' is not the number of one of the tokens, counted from 0")
        case {"tokens": tokens} if record.value(text) is None and (tokens is not None or not _may_have(record, text)):
            raise DataError(f"{record.where}: 'tokens' is not a list")
    found = record.value(text)
    if isinstance(found, str):
        return found, None
    null = ", which is null or NaN" if text in record.values else ""
    what = null if found is None else f", which is {called(found)}"
    raise DataError(
        f"{record.where}: there is no text in '{text}'{what}, and no 'tokens' or 'features'; the line has "
        f"{record.members()}: --text names the text, --label the label; lines of text with __label__NAME are read by "
        "--format fasttext"
    )
