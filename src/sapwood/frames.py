"""Columns of texts in data frames of pandas and Polars, and the columns that models fill beside them."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import methodcaller
from typing import Any, NamedTuple, TypeVar

from sapwood.documents.doc import Doc
from sapwood.errors import OptionError
from sapwood.io.memory import is_missing
from sapwood.loading import load_model
from sapwood.model.base import AnyModel
from sapwood.parts import COLUMNS
from sapwood.tasks.classifying.model import Classifier
from sapwood.tasks.pipeline.model import Pipeline

Frame = TypeVar("Frame")  # pandas.DataFrame or polars.DataFrame


class FilledColumns(NamedTuple):
    """The columns that a model fills for texts."""

    dtypes: Mapping[str, str]  # names of pandas dtypes
    default: list[str]
    answers: Callable[[list[str], list[str]], dict[str, list[object]]]  # texts, names of columns -> values


def annotate_frame(
    frame: Frame, column: str, model: AnyModel | str | os.PathLike[str] = "en", *, columns: str | Iterable[str] = ()
) -> Frame:
    """Return a frame with columns behind those of a frame: what the model says about a column of texts.

    frame : a DataFrame of pandas or Polars; those of Dask have `sapwood.dask.annotate_column`
    columns : of a pipeline some of "conllu", "json", "forms", "lemma", "upos", "xpos", "feats", "heads", "deprel",
        "entities"; the first two are strings, the others lists, with an entry for each word or name. Without, "conllu".
        Of a classifier "label" and "score", which are what `sapwood classify` writes: the score is the confidence, or
        the margin to the second label.

    The other columns, their types and the index stay. A missing text has missing answers. Raises OptionError.
    """
    known: Any = frame
    if not (hasattr(known, "assign") or hasattr(known, "with_columns")) or hasattr(known, "map_partitions"):
        raise OptionError(f"a frame of pandas or Polars is needed, not {type(frame).__name__}")
    loaded = load_model(model) if isinstance(model, (str, os.PathLike)) else model
    names = checked_columns(loaded, list(known.columns), column, columns)
    dtypes, _, answers = columns_of(loaded)
    texts = list(known[column])
    there = [text is not None and not is_missing(text) for text in texts]
    answered = answers([text for text, given in zip(texts, there, strict=True) if given], names)
    found = {name: _cells(answered[name], there) for name in names}
    if hasattr(known, "with_columns"):
        import polars

        kinds = {"string": polars.String, "float64": polars.Float64, "object": None}
        made = [polars.Series(name, found[name], kinds[dtypes[name]]) for name in names]
        return known.with_columns(*made)  # type: ignore[no-any-return]
    import pandas as pd

    series = {name: pd.Series(found[name], index=known.index, dtype=dtypes[name]) for name in names}
    return known.assign(**series)  # type: ignore[no-any-return]


def checked_columns(model: AnyModel, there: Sequence[str], column: str, columns: str | Iterable[str]) -> list[str]:
    """Return the names of the columns that the model is to fill. Raises OptionError if it cannot, or they are taken.

    there : the columns of the frame; column : that of the texts
    """
    dtypes, default, _ = columns_of(model)
    names = [columns] if isinstance(columns, str) else list(columns) or default
    if unknown := [name for name in names if name not in dtypes]:
        raise OptionError(f"columns of a {model._noun} are {', '.join(dtypes)}; got {unknown[0]}")
    if there.count(column) != 1:
        how = "several columns" if column in there else "no column"
        raise OptionError(f"the frame has {how} {column!a}; it has {', '.join(map(repr, there))}")
    if taken := [name for name in names if name in there]:
        raise OptionError(f"the frame has a column {taken[0]!a} already; rename it first")
    return names


_SEVERAL = {"head": "heads", "entity": "entities"}  # names of columns for texts
_STRINGS: dict[str, Callable[[Doc], object]] = {"conllu": Doc.to_conllu, "json": Doc.to_json}
_OF_DOCS = _STRINGS | {
    "forms": lambda doc: doc.forms,
    **{_SEVERAL.get(column.name, column.name): methodcaller("values", column.name) for column in COLUMNS},
    "entities": lambda doc: [entity.record() for entity in doc.entities],
}


def columns_of(model: AnyModel) -> FilledColumns:
    """Return the columns that a model fills. Raises OptionError if it does not read texts."""
    match model:
        case Pipeline():
            dtypes = {name: "string" if name in _STRINGS else "object" for name in _OF_DOCS}
            return FilledColumns(dtypes, ["conllu"], partial(_pipeline_answers, model))
        case Classifier():
            dtypes = {"label": "string", "score": "float64"}
            return FilledColumns(dtypes, list(dtypes), partial(_classifier_answers, model))
    raise OptionError(f"a {model._noun} does not read texts; pipelines and classifiers do")


def _cells(values: Sequence[object], there: Sequence[bool]) -> list[object]:
    """Return a cell for each text, None for those that are not there."""
    rest = iter(values)
    return [next(rest) if given else None for given in there]


def _pipeline_answers(model: Pipeline, texts: list[str], names: list[str]) -> dict[str, list[object]]:
    docs = list(model.pipe(texts))
    return {name: [_OF_DOCS[name](doc) for doc in docs] for name in names}


def _classifier_answers(model: Classifier, texts: list[str], names: list[str]) -> dict[str, list[object]]:
    said = model.writer.of_texts(texts)
    answers: dict[str, list[object]] = {"label": [label for label, _ in said], "score": [number for _, number in said]}
    return {name: answers[name] for name in names}
