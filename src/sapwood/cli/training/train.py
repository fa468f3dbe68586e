"""``sapwood train``: data in, a model file or word clusters out. The options of a task are those of its model."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sapwood.base.command.files import Input, OutputFile
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Parser, Verb
from sapwood.cli.base.progress import show_progress
from sapwood.cli.base.verb import add_flags, add_held_out, add_workers, held_out, help_of, option_values
from sapwood.cli.base.workers import connect
from sapwood.errors import OptionError
from sapwood.loading import model_class
from sapwood.model.file.container import check_writable
from sapwood.options import Options, options_of

if TYPE_CHECKING:
    from sapwood.training.shards import Workers

_STOPPING = """Ctrl-C, SIGTERM and SIGHUP let training finish its epoch and keep the model so far; a second
one, or one before the first epoch, stops at once and writes nothing. With --checkpoint the first one saves the state of
training at once; however training ended, --resume goes on with it, and the model is the same as without the stop."""
_ENDING = """Ctrl-C, SIGTERM and SIGHUP end the rounds, and what has been learned is written; a second one stops at
once and writes nothing."""
_STREAMING = ("tag", "classify")  # tasks that can train on a stream
_GOING_ON = ("tag", "parse", "classify")  # tasks that can go on with other data
_IN_SECONDS = ("segmenter", "splitter", "lemmatizer")  # their training takes seconds and has no checkpoints
_NOTED = ("tag", "pipeline", "entities", "parse", "classify")  # models that people put into production by themselves
_OF_FILES = ("tag", "pipeline", "segment", "parse", "lemmatize", "split")  # tasks that read several files as one


def _options_of(verb: str, task: str) -> type[Options]:
    if verb == "entities":
        from sapwood.tasks.pipeline.options import NamesOptions

        return NamesOptions
    return model_class(task)._params_type


def _options(verb: str, task: str, data: str, parser: Parser) -> None:
    """Add the data, the model file, and the options of the verb; `data` says what held-out data are."""

    source = "training data, as they are or compressed (.xz, .gz, .bz2); '-': standard input"
    if task in _OF_FILES:
        source += "; several files are read as one"
    parser.add_argument("source", type=Input, metavar="TRAIN", nargs="+" if task in _OF_FILES else None, help=source)
    first, long = parser.under("first"), parser.under("long")
    first("-o", "--output", type=OutputFile("model"), required=True, metavar="MODEL", help="the model file to write")
    if data:
        parser.epilog = "" if verb in _IN_SECONDS else _STOPPING
        kept = "the last one is kept unless another is better beyond chance"
        add_held_out(first, f"held-out {data}: each epoch is scored, {kept}")
    if data and verb not in _IN_SECONDS:
        state = "save the state of training in this file every five minutes, and at the end"
        long("--checkpoint", type=OutputFile("checkpoint", over=["resume"]), metavar="FILE", help=state)
        resume = "go on from a checkpoint; data and options are the same as then"
        long("--resume", type=Input, metavar="FILE", help=resume)
    if task in _GOING_ON:
        text = "begin with what the training of this checkpoint had learned from other data, with its options"
        long("--from", dest="from_checkpoint", type=Input, metavar="FILE", help=text)
    if task in _STREAMING:
        stream = (
            "read TRAIN once and learn from files on disk, in $TMPDIR or /var/tmp, where the data are larger than "
            "memory; the model is the same"
        )
        long("--stream", action="store_true", default=None, help=stream)
    if verb in _NOTED:
        note = "keep a note of your own in the model, which 'sapwood inspect' shows; may be given several times"
        long("--note", dest="notes", type=_note, action="append", default=[], metavar="NAME=TEXT", help=note)
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    options = _options_of(verb, task)
    add_flags(parser, options)
    if "shards" in options.options() and options.options()["shards"].command:
        add_workers(parser.under("machines"), "train", "--shards")


def _note(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise ArgumentTypeError(f"{text!a} is not a name and a text, such as prompt=v3")
    return name, value


def _train(
    verb: str,
    task: str,
    source: str | list[str],
    output: str,
    quiet: bool,
    notes: Sequence[tuple[str, str]] = (),
    **values: Any,
) -> None:
    names = [name for name, _ in notes]
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise OptionError(f"--note: {twice[0]!a} has two texts; give each name once")
    check_writable(output, alone=values.get("checkpoint") is not None or values.get("resume") is not None)
    cls, options = model_class(task), _options_of(verb, task)
    defaults = {name: each.default for name, each in options.options().items()}
    estimator: Any = cls(**defaults | option_values(options, values))
    if (source_of_weights := values.get("from_checkpoint")) is not None:
        estimator = _as_then(estimator, source_of_weights)
    values |= held_out(values.get("dev"))
    where = values.pop("workers", None)
    if where is not None:
        estimator.params.check_shards()
    values = {name: value for name, value in values.items() if value is not None}
    with _workers(where) as workers, show_progress(quiet) as report:
        if workers is not None:
            values["workers"] = workers
        data = Path(source) if isinstance(source, str) else [*map(Path, source)]
        estimator.fit(data, **values, **({"on_event": report} if task != "grammar" else {}))
        size = estimator.save(output, notes=dict(notes))
    if not quiet:
        show(f"{output}: {estimator.contents.learned}, {size:,} bytes", sys.stderr)
        for line in estimator.contents.remarks:
            show(line, sys.stderr)


@contextmanager
def _workers(where: int | str | None) -> Iterator[Workers | None]:
    """Yield the workers that train the shards, or None if this process does. Raises OptionError."""
    if where is None:
        yield None
        return
    with connect(where) as client:
        from sapwood.dask import ShardWorkers

        yield ShardWorkers(client)


def _as_then(estimator: Any, path: str) -> Any:
    """Return the estimator with the options of a checkpoint's model where it has the defaults. Raises ModelError."""
    from sapwood.training.checkpoints import CheckpointFile
    from sapwood.training.learner import untrained_like

    defaults = {name: declared.default for name, declared in options_of(estimator).items()}
    given = {name: value for name, value in estimator.get_params().items() if value != defaults[name]}
    return untrained_like(type(estimator), CheckpointFile(path).checkpoint().model, given)


def _clusters_options(parser: Parser) -> None:
    from sapwood.tasks.clustering.model import WordClusterer

    parser.epilog = _ENDING
    text = "text, as it is or compressed (.xz, .gz, .bz2); '-': standard input"
    parser.add_argument("texts", type=Input, metavar="TEXT", nargs="+", help=text)
    file = "the file of clusters to write"
    parser.under("first")("-o", "--output", type=OutputFile("text"), required=True, metavar="FILE", help=file)
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    add_flags(parser, WordClusterer)


def _train_clusters(texts: list[str], output: str, quiet: bool, **values: Any) -> None:
    from sapwood.tasks.clustering.model import WordClusterer

    clusterer = WordClusterer(**values)
    with show_progress(quiet) as report:
        clusterer.fit([Path(text) for text in texts], on_event=report)
        size = clusterer.save(output)
    if not quiet:
        words = clusterer.words_
        classes = len({word.bits for word in words})
        show(f"{output}: {len(words):,} words in {classes:,} classes, {size:,} bytes", sys.stderr)


VERBS = {
    f"train {word}": Verb(help_of(f"train {word}"), partial(_options, word, task, data), partial(_train, word, task))
    for word, task, data in (
        ("tag", "tag", "column file"),
        ("pipeline", "pipeline", "treebank"),
        ("entities", "pipeline", "spans"),
        ("segmenter", "segment", "treebank"),
        ("parse", "parse", "treebank"),
        ("lemmatizer", "lemmatize", "treebank"),
        ("splitter", "split", "treebank"),
        ("classify", "classify", "examples"),
        ("grammar", "grammar", ""),
        ("rank", "rank", "lists"),
    )
} | {"train clusters": Verb(help_of("train clusters"), _clusters_options, _train_clusters)}
