"""The data of taggers: column files, and sentences or dicts of features in memory."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Any

import sapwood._core as _core
from sapwood.errors import DataError, Listener, OptionError, warn, warn_unfamiliar
from sapwood.io.column_looks import READ, header_in
from sapwood.io.conllu import rows_of
from sapwood.io.formats import named_in_errors, other_format, warn_of_format
from sapwood.io.memory import answers_in, has_parts, sentences_in
from sapwood.io.source import paths_in, read_bytes, shown
from sapwood.io.token_records import columns_of_records
from sapwood.model.base import is_file
from sapwood.model.file.schema import ModelFile

AnyToken = str | Sequence[str] | Mapping[str, Any] | Iterable[str]  # a word, its columns, or its features
Files = os.PathLike[str] | Sequence[os.PathLike[str]]  # several files are read as one
Source = Files | _core.Columns | Iterable[Sequence[AnyToken]]
HeldOut = Source | tuple[Iterable[Sequence[AnyToken]], Sequence[Sequence[str]]]  # with labels in it, or beside

WANTED = "sentences, each a list of tokens"
_MANY = 8  # whoever names so many columns has CoNLL-U read by them
_LOOKED_AT = 20  # sentences in which labels and words are told apart
_FEW = 3  # with fewer rows they are not


def parse_columns(
    data: bytes,
    name: str,
    line: int = 1,
    before: _core.Columns | None = None,
    *,
    names: Sequence[str] = (),
    known: tuple[ModelFile, Collection[str]] | None = None,
    on_warning: Listener = warn_unfamiliar,
) -> _core.Columns:
    """Return the rows of a column file's bytes, or of records with tokens. Raises DataError; names what is neither.

    line, before : number of the first line, and the rows before it; names : of columns, the user's or a model's;
    known : a model and its labels, by which the rows are checked
    """
    of_records = columns_of_records(data, name, named=bool(names)) if before is None else None
    columns = _read_rows(data, name, line, before) if of_records is None else of_records
    if known is not None:
        check_columns(*known, columns, data if of_records is None else b"")
    if of_records is None and before is None and len(names) < _MANY:
        warn_of_format(data, name, "columns", on_warning, names, labelled=known is None)
    return columns


def _read_rows(data: bytes, name: str, line: int, before: _core.Columns | None) -> _core.Columns:
    """Return the rows of a file's bytes. Say once of a file that it has a header, and that lines in it are comments."""
    header = header_in(data[: 4 * READ].decode(errors="ignore")) if before is None else ""
    with named_in_errors(data, "columns"):
        rows = _core.Columns.read(data, name, line, before, bool(header))
    if header:
        warn(f"{name}: the first row has names of columns ({', '.join(header.split())}), and is passed over")
    count, first = rows.comments
    if count > 0 and (before is None or before.comments[0] == 0):
        lines = "1 line in front of a sentence is a comment" if count == 1 else f"{count:,} lines are comments"
        warn(f"{name}:{first}: {lines}, which begin{'s' if count == 1 else ''} with #, and passed over")
    return rows


def with_tokens(data: _core.Columns, purpose: str) -> _core.Columns:
    """Return the sentences that have tokens. Raises DataError if there is none."""
    if data.tokens == 0:
        raise DataError(f"{data.name}: there is no sentence to {purpose}")
    return data.select(range(data.sentences)) if data.has_empty_sentences else data


def read_columns(
    source: Source,
    labels: Sequence[Sequence[str]] | None,
    name: str,
    least: int = 0,
    names: Sequence[str] = (),
    *,
    features: bool | None = None,
) -> _core.Columns:
    """Return data as columns; features of tokens become at least so many columns and one for the labels.

    features : whether tokens that are lists of strings are features. If it is not known, they are where labels stand
    beside, as CRFsuite takes them; where the last value is the label they are columns, as tuples always are.
    """
    if isinstance(source, _core.Columns):
        return source
    if (paths := paths_in(source)) or is_file(source, WANTED):
        if labels is not None:
            raise OptionError("labels beside a file: a file has them in its columns")
        return _of_files(paths, names)
    given = sentences_in(source, name)  # type: ignore[arg-type]
    gold = None if labels is None else answers_in(labels, name)
    if has_features(given, lists=labels is not None if features is None else features):
        counted = [[_counted(token) for token in sentence] for sentence in given]
        if features is None and not has_features(given, lists=False):
            _warn_of_columns(given)
        return _core.Columns.build_features(counted, gold, name, least)
    return _core.Columns.build(given, gold, name)


def _of_files(paths: Sequence[os.PathLike[str]], names: Sequence[str]) -> _core.Columns:
    from sapwood.io.example_files import format_by_name

    read = [read_bytes(path, lines=format_by_name(path) != "parquet") for path in paths]
    files = [parse_columns(data, shown(path), names=names) for data, path in zip(read, paths, strict=True)]
    if len(files) == 1:
        return files[0]
    for data in files:
        if data.tokens == 0:
            raise DataError(f"{data.name}: there is no sentence in it")
    return _core.Columns.joined(files)


def header(columns: Sequence[str] | str | None, data: _core.Columns) -> tuple[list[str], int]:
    """Return the columns' names and which of them is the label."""
    if data.width < 2:
        raise DataError(f"{data.where(0)}: there is no label column; the data has 1 column")
    if columns is None:
        return [str(c) for c in range(data.width)], data.width - 1
    names = names_of(columns)
    if names.count("label") != 1:
        raise OptionError(f"one of the columns is called 'label'; got {','.join(names)}")
    named = [name for name in names if name != "_"]
    if len(set(named)) != len(named) or not all(named):
        raise OptionError(f"columns have distinct names ('_' for one that is not used); got {','.join(names)}")
    if data.width != len(names):
        raise DataError(f"{data.where(0)}: {data.width} columns, but columns names {len(names)}: {','.join(names)}")
    return names, names.index("label")


def names_of(columns: Sequence[str] | str | None) -> list[str]:
    """Return the names of columns that the option gives; none without it."""
    return columns.split(",") if isinstance(columns, str) else list(columns or ())


def check_columns(model: ModelFile, labels: Collection[str], data: _core.Columns, text: bytes = b"") -> None:
    """Raise DataError if a file of words seems to be plain text, or to have labels in the place of the words.

    What stands behind the words may be gold labels or a placeholder, the same everywhere, but no other words. `text` is
    that of the file, if it is at hand.
    """
    names, label = model.columns, model.label
    if not data.has_gaps and names[:1] == ["feature 1"]:
        raise DataError(
            f"{data.name}: the model was trained on features of tokens and reads no files; use it from Python"
        )
    if len(names) > 2 or data.width < 2 or data.tokens == 0:
        return
    known = set(labels)
    if label == 1 and _are_swapped(data.select(range(min(data.sentences, _LOOKED_AT))), known):
        raise DataError(
            f"{data.where(0)}: the first column has the model's labels, and the second one none of them; a word comes "
            "before its label"
        )
    if not known.isdisjoint(data.select([0]).column(label)[0]):
        return
    # A placeholder is the same in every row; a single row has one if all of its cells behind the word are the same.
    columns = [label] if data.tokens > 1 else range(label, data.width)
    found = {value for column in columns for sentence in data.column(column) for value in sentence}
    if len(found) > 1 and known.isdisjoint(found):
        looks = other_format(text, "columns", failed=True) or "is this plain text?"
        raise DataError(
            f"{data.where(0)}: {data.width} columns, and the second one has none of the model's labels; it was "
            f"made for one word a line, perhaps with a label: {looks}"
        )


def _are_swapped(data: _core.Columns, labels: Collection[str]) -> bool:
    """Return true if nearly all of the first cells, and hardly any of the second ones, are labels.

    A row of two equal cells, such as a full stop with the label ".", tells nothing.
    """
    pairs = (zip(*cells, strict=True) for cells in zip(data.column(0), data.column(1), strict=True))
    rows = [(a in labels, b in labels) for sentence in pairs for a, b in sentence if a != b]
    return len(rows) >= _FEW and 10 * sum(a for a, _ in rows) >= 9 * len(rows) >= 90 * sum(b for _, b in rows)


def first_token(source: object) -> object:
    """Return the first token of sentences in memory, an empty string if there is none."""
    match source:
        case [*sentences]:
            lists: list[Any] = [sentence for sentence in sentences if has_parts(sentence)]
            return next((sentence[0] for sentence in lists if len(sentence)), "")
    return ""


def has_features(source: object, *, lists: bool) -> bool:
    """Return true if the tokens of sentences are features, by the first one: dicts, sets, or maybe `lists`."""
    first = first_token(source)
    return lists if isinstance(first, list) else _is_bag(first)


def split_held_out(held_out: HeldOut, *, beside: bool) -> tuple[Any, Any]:
    """Return held-out data and, if these are a pair with the labels beside, the labels.

    beside : whether the labels of the training data stand beside them, so that those of held-out data do
    """
    pair = isinstance(held_out, tuple) and len(held_out) == 2
    if pair and (beside or not isinstance(first_token(held_out[0]), str)):  # type: ignore[index]
        return held_out  # type: ignore[return-value]
    return held_out, None


def _is_bag(token: object) -> bool:
    """Return true if a token is a dict, or features in no order: a set, the keys of a dict, a generator."""
    return not isinstance(token, (str, bytes, Sequence)) and isinstance(token, Iterable) and not hasattr(token, "ndim")


def _counted(token: Any) -> Any:
    """Return the features of a token that is a list or set of them as a dict: how often each stands there."""
    if isinstance(token, dict) or not (isinstance(token, list) or _is_bag(token)):
        return token
    if isinstance(token, Mapping):
        return dict(token)
    features = list(token)
    if not all(isinstance(each, (str, bytes)) for each in features):
        return token
    return Counter(sorted(features, key=_as_bytes) if isinstance(token, Set) else features)


def _as_bytes(feature: str | bytes) -> bytes:
    return feature if isinstance(feature, bytes) else feature.encode(errors="surrogatepass")


def _warn_of_columns(sentences: list[Any]) -> None:
    """Warn if lists of features look like columns: as many strings everywhere, and none that says what it is about."""
    tokens = [token for sentence in sentences for token in sentence if isinstance(token, list)]
    if len({len(token) for token in tokens}) == 1 and not any(
        mark in _as_bytes(text)
        for token in tokens
        for text in token
        if isinstance(text, (str, bytes))
        for mark in b"=:["
    ):
        warn(
            "tokens that are lists, with labels beside, are features wherever they stand in the list; if these are "
            "columns, such as a word and its tag, make each token a tuple"
        )


_JOINT = " "  # a tag has no space in it


def joint_tags(data: _core.Conllu, columns: Sequence[str]) -> list[list[str]]:
    """Return the label of each word: its tags in these columns."""
    return [list(map(_JOINT.join, sentence)) for sentence in rows_of(data, columns)]


def learnable_tags(data: _core.Conllu, columns: Sequence[str]) -> list[list[str]]:
    """Return the label of each word. Raises DataError if a tag has a space."""
    for word, values in enumerate(chain.from_iterable(rows_of(data, columns))):
        if any(_JOINT in value for value in values):
            raise DataError(f"{data.where(word)}: a tag has a space in it: {' | '.join(values)!a}")
    return joint_tags(data, columns)


def split_tags(label: str) -> list[str]:
    """Return the tags of a label."""
    return label.split(_JOINT)


def with_joint_tags(data: _core.Conllu, columns: Sequence[str], labels: list[list[str]]) -> _core.Conllu:
    """Return a treebank with the tags of labels in these columns."""
    split = [list(map(split_tags, sentence)) for sentence in labels]
    return data.with_columns({name: [[tags[k] for tags in s] for s in split] for k, name in enumerate(columns)})
