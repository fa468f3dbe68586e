"""Texts in, analyses out: in bags, in data frames, and by futures, with any model that annotates."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import islice
from operator import methodcaller
from typing import TYPE_CHECKING, TypeVar

import dask
from distributed import Client, Future, warn

from sapwood.dask.shared import SharedModel, sent
from sapwood.errors import DataError, OptionError, UnfamiliarWarning
from sapwood.io.memory import called
from sapwood.io.source import encoded
from sapwood.model.base import AnyModel, with_listener
from sapwood.model.capabilities import require_capability
from sapwood.model.doc import Doc
from sapwood.model.runs import check_writer_options
from sapwood.parts import COLUMNS
from sapwood.tasks.classifying.model import Classifier
from sapwood.tasks.pipeline.model import Pipeline

if TYPE_CHECKING:
    from dask.bag import Bag
    from dask.dataframe import DataFrame as DaskFrame
    from dask.delayed import Delayed
    from pandas import DataFrame

    AnyFrame = TypeVar("AnyFrame", DaskFrame, DataFrame)

Written = str | list[dict[str, object]]  # about one text

_FOR_EACH = 2  # batches for each thread of the workers under way


def annotate_bag(texts: Bag, model: AnyModel | str = "en", **options: object) -> Bag:
    """Return a dask.bag of what the model writes about each text of a bag, in their order.

    Each text is what the model's verb reads from a file. What comes out is a string; with ``format="json"`` of a
    pipeline a list of records, a sentence each. options : as `annotate_files` has them. Raises OptionError, ModelError;
    computing raises DataError with the number of the text in its partition.
    """
    if not hasattr(texts, "map_partitions"):
        raise DataError(f"texts come in a dask.bag, not in {called(texts)}; dask.bag.from_sequence makes one of a list")
    shared = SharedModel(model)
    check_writer_options(shared.model(), options)
    return texts.map_partitions(_annotated, _delayed(shared), options)


def annotate_texts(
    client: Client, model: AnyModel | str, texts: Iterable[str], *, batch: int = 64, **options: object
) -> Iterator[Written]:
    """Annotate each text of an iterable as `annotate_bag` does, in order; it is read as far as workers are free.

    batch : texts in a task
    """
    shared = SharedModel(model)
    check_writer_options(shared.model(), options)
    rest = iter(texts)
    model_there = sent(client, shared)
    under_way: deque[Future] = deque()
    try:
        while True:
            room = max(2, _FOR_EACH * sum(client.nthreads().values()))
            while len(under_way) < room and (part := list(islice(rest, batch))):
                under_way.append(client.submit(_annotated, part, model_there, options, pure=False, retries=3))
            if not under_way:
                return
            yield from under_way.popleft().result()
    finally:
        client.cancel(list(under_way), force=True)


def annotate_column(
    frame: AnyFrame, column: str, model: AnyModel | str = "en", *, columns: str | Iterable[str] = ()
) -> AnyFrame:
    """Return a frame with columns behind those of a frame: what the model says about a column of texts.

    frame : a dask.dataframe, of which each partition is a task; or one of pandas, which is annotated here
    columns : of a pipeline some of "conllu", "json", "forms", "lemma", "upos", "xpos", "feats", "heads", "deprel",
        "entities"; the first two are strings, the others lists, with an entry for each word or name. Without, "conllu".
        Of a classifier "label" and "score", which are what `sapwood classify` writes: the score is the confidence, or
        the margin to the second label.

    A missing text has missing answers. Raises OptionError.
    """
    import pandas as pd

    is_here = isinstance(frame, pd.DataFrame)
    if not is_here and not hasattr(frame, "map_partitions"):
        raise OptionError(f"a frame of dask.dataframe or pandas is needed, not {type(frame).__name__}")
    shared = SharedModel(model)
    loaded = shared.model()
    dtypes, default, _ = _columns_of(loaded)
    names = [columns] if isinstance(columns, str) else list(columns) or default
    if unknown := [name for name in names if name not in dtypes]:
        raise OptionError(f"columns of a {loaded._noun} are {', '.join(dtypes)}; got {unknown[0]}")
    there = list(frame.columns)
    if there.count(column) != 1:
        how = "several columns" if column in there else "no column"
        raise OptionError(f"the frame has {how} {column!a}; it has {', '.join(map(repr, there))}")
    if taken := [name for name in names if name in there]:
        raise OptionError(f"the frame has a column {taken[0]!a} already; rename it first")
    if is_here:
        return _with_columns(frame, column, shared, names)
    meta = frame._meta.assign(**{name: pd.Series([], dtype=dtypes[name]) for name in names})
    return frame.map_partitions(_with_columns, column, _delayed(shared), names, meta=meta)


def _delayed(shared: SharedModel) -> Delayed:
    """Return the model as one entry of Dask's graphs, on which tasks depend: it is sent to each worker once."""
    return dask.delayed(shared, name=f"sapwood-model-{shared.checksum}", pure=True)


@contextmanager
def _warning_the_client(model: AnyModel) -> Iterator[AnyModel]:
    """Warn the client of what a task's model was not made for: once, however many of its texts are strange."""
    warned: list[str] = []
    yield with_listener(model, warned.append)
    if warned:
        warn(warned[0] + (f" (one of {len(warned):,} such texts of a task)" if warned[1:] else ""), UnfamiliarWarning)


def _annotated(texts: Iterable[str], shared: SharedModel, options: Mapping[str, object]) -> list[Written]:
    found: list[Written] = []
    with _warning_the_client(shared.model()) as model:
        writer = require_capability(model, "writer")
        as_records = writer.output_format(**options) == "json"
        for number, text in enumerate(texts, 1):
            name = f"text {number}"
            written = b"".join(writer.written([encoded(text, name)], name=name, **options)).decode()
            found.append([json.loads(line) for line in written.splitlines()] if as_records else written)
    return found


_Answer = Callable[[list[str], list[str]], dict[str, list[object]]]  # texts, names of columns -> values
_SEVERAL = {"head": "heads", "entity": "entities"}  # names of columns for texts
_STRINGS: dict[str, Callable[[Doc], object]] = {"conllu": Doc.to_conllu, "json": Doc.to_json}
_OF_DOCS = _STRINGS | {
    "forms": lambda doc: doc.forms,
    **{_SEVERAL.get(column.name, column.name): methodcaller("values", column.name) for column in COLUMNS},
    "entities": lambda doc: [{"text": e.text, "label": e.label, "start": e.start, "end": e.end} for e in doc.entities],
}


def _columns_of(model: AnyModel) -> tuple[dict[str, str], list[str], _Answer]:
    """Return the columns that a model gives for texts, each with its dtype, the default ones, and what fills them."""
    match model:
        case Pipeline():
            dtypes = {name: "string" if name in _STRINGS else "object" for name in _OF_DOCS}
            return dtypes, ["conllu"], partial(_pipeline_answers, model)
        case Classifier():
            dtypes = {"label": "string", "score": "float64"}
            return dtypes, list(dtypes), partial(_classifier_answers, model)
    raise OptionError(f"a {model._noun} does not read texts; pipelines and classifiers do")


def _pipeline_answers(model: Pipeline, texts: list[str], names: list[str]) -> dict[str, list[object]]:
    docs = list(model.pipe(texts))
    return {name: [_OF_DOCS[name](doc) for doc in docs] for name in names}


def _classifier_answers(model: Classifier, texts: list[str], names: list[str]) -> dict[str, list[object]]:
    said = model.writer.of_texts(texts)
    answers: dict[str, list[object]] = {"label": [label for label, _ in said], "score": [number for _, number in said]}
    return {name: answers[name] for name in names}


def _with_columns(part: DataFrame, column: str, shared: SharedModel, names: list[str]) -> DataFrame:
    import pandas as pd

    there = [not missing for missing in part[column].isna()]
    with _warning_the_client(shared.model()) as model:
        dtypes, _, answers = _columns_of(model)
        answered = answers([text for text, given in zip(part[column], there, strict=True) if given], names)
    found = {}
    for name in names:
        values = iter(answered[name])
        cells = [next(values) if given else None for given in there]
        found[name] = pd.Series(cells, index=part.index, dtype=dtypes[name])
    return part.assign(**found)
