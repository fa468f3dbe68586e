"""What taggers of rows are trained on: template, word lists, clusters, and the trainer that has the rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import OptionError, TemplateError
from sapwood.events import Started
from sapwood.io.lexicons import WordLists, read_word_lists
from sapwood.model.familiarity import familiar_in
from sapwood.model.file.container import Array
from sapwood.model.file.records import Familiar
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.tagging.lexicon import dictionary_columns, packed, unpacked, unpacked_tag_lexicon
from sapwood.tasks.tagging.options import RowOptions
from sapwood.tasks.tagging.row_tagger import build_tagger
from sapwood.templates import find_template, in_columns, shipped_templates
from sapwood.training.looking import first_of
from sapwood.training.options import word_clusters
from sapwood.training.shards.mixing import Shard
from sapwood.training.task import Training

if TYPE_CHECKING:
    from sapwood.options import Values
    from sapwood.training.shards.streams import ColumnStream

Labels = Sequence[list[str]]  # by sentence


def accuracy_or_f1(gold: Labels, guess: Labels) -> float:
    """Return F1 where the labels are chunks, accuracy elsewhere; in percent."""
    from sapwood.metrics import chunk_scores, label_scores, looks_like_chunks

    if looks_like_chunks(label for sentence in gold for label in sentence):
        return chunk_scores(gold, guess).f1
    return label_scores(gold, guess).accuracy


@dataclass(kw_only=True)
class Rows:
    """Rows with labels that are learned, and what is known of them."""

    task: str  # as the model file has it
    data: _core.Columns
    held_out: _core.Columns | None
    names: list[str]  # of the columns
    label: int  # number of the labels' column
    template: str | os.PathLike[str] = ""  # if it is another one than the options say
    extra: dict[str, Array] = field(default_factory=dict)  # arrays for the model file beside its own
    lexicon: _core.Lexicon | None = None  # the tags of words, which the template looks at
    known: ModelFile | None = None  # the model of a training from which this one goes on
    stream: ColumnStream | None = None  # all rows; `data` are its first ones
    words: Callable[[], _core.Conllu] | None = None  # the text, where rows are not its words
    score: Callable[[Labels, Labels], float] = accuracy_or_f1  # of gold labels and guesses, in percent


def begin_rows(rows: Rows, options: RowOptions) -> Training:
    """Return what is trained on rows. Raises OptionError, TemplateError and DataError."""
    text, pattern, word_lists = _template_of(rows, options)
    clusters = word_clusters(options, pattern.uses_clusters)
    if rows.lexicon is not None and not pattern.uses_lexicon:
        raise OptionError("a lexicon is given, but the template has no line that looks at it")
    trainer = _trainer(rows, options, pattern, word_lists, clusters)
    model = ModelFile(
        task=rows.task,
        labels=trainer.labels,
        template=text,
        columns=rows.names,
        label=rows.label,
        options=options.kept(),
        bits=options.bits,
        word_lists=word_lists,
        clusters=clusters,
        extra=rows.extra | ({} if options.dictionary is None else packed(trainer.dictionary)),
    )
    return _training(rows, options, trainer, model)


def _template_of(rows: Rows, options: RowOptions) -> tuple[str, _core.Template, WordLists]:
    """Return the text of the template, the template, and the word lists that it names."""
    chosen = rows.template or options.template
    text, where, folder = find_template(chosen)
    if chosen in shipped_templates():
        text = in_columns(text, rows.names, rows.label)
    try:
        pattern = _core.Template(text, where, rows.names, rows.label)
    except TemplateError as error:
        raise TemplateError(f"{error}{_templates_for(rows.names, rows.label)}") from None
    return text, pattern, read_word_lists(pattern.word_lists, options.word_lists or folder)


def _trainer(
    rows: Rows,
    options: RowOptions,
    pattern: _core.Template,
    word_lists: WordLists,
    clusters: _core.WordClusters | None,
) -> _core.TaggerTrainer:
    known, stream = rows.known, rows.stream
    trainer = _core.TaggerTrainer(
        rows.data if stream is None else None,
        rows.label,
        pattern,
        [words for _, words in word_lists],
        options.for_core(),
        dictionary=dictionary_columns(options.dictionary, rows.names, rows.label),
        clusters=clusters,
        lexicon=rows.lexicon,
        known_labels=[] if known is None else known.labels,
        known_dictionary=None if known is None else unpacked(known),
        scratch="" if stream is None else stream.scratch,
    )
    if stream is not None:
        stream.feed(trainer, rows.label)
    return trainer


def _training(rows: Rows, options: RowOptions, trainer: _core.TaggerTrainer, model: ModelFile) -> Training:
    gold = [] if rows.held_out is None else rows.held_out.column(rows.label)
    sentences, tokens, checksum = trainer.sentences, trainer.tokens, (rows.stream or rows.data).checksum

    def score(model: ModelFile, weights: object) -> float:
        assert rows.held_out is not None
        return rows.score(gold, build_tagger(model, rows.lexicon).predict(rows.held_out, options.threads))

    def familiar() -> Familiar | None:
        if rows.stream is not None:
            return rows.stream.familiar
        return familiar_in([rows.data], rows.label) if rows.words is None else familiar_in([rows.words()], 1)

    return Training(
        trainer,
        model,
        units=tokens,
        facts={"sentences": sentences, "tokens": tokens, "data_checksum": f"{checksum:016x}"},
        started=lambda seconds: Started(sentences, tokens, len(trainer.labels), options.epochs, seconds),
        score=score,
        names=trainer.names,
        familiar=familiar,
        where=lambda label: first_of(rows.data.column(rows.label), rows.data.where, label),
        examples=None if rows.stream is not None else rows.data.sentences,
        shard=lambda chosen, seed: Shard(
            _shard_trainer,
            rows.data.select(list(chosen)),
            {"model": model, "options": options.for_core(seed=seed, threads=1)},
        ),
    )


def _shard_trainer(data: _core.Columns, model: ModelFile, options: Values) -> _core.TaggerTrainer:
    """Return what trains on a part of the data of a model, which has all labels."""
    return _core.TaggerTrainer(
        data,
        model.label,
        _core.Template(model.template, "template", model.columns, model.label),
        [words for _, words in model.word_lists],
        options,
        dictionary=dictionary_columns(model.options["dictionary"], model.columns, model.label),
        clusters=model.clusters,
        lexicon=unpacked_tag_lexicon(model),
        known_labels=model.labels,
        known_dictionary=unpacked(model),
    )


def _templates_for(columns: list[str], label: int) -> str:
    """Return which of the shipped templates fit data with such columns, as the end of a message."""
    fitting = []
    for name in shipped_templates():
        text, where, _ = find_template(name)
        with suppress(TemplateError):
            _core.Template(in_columns(text, columns, label), where, columns, label)
            fitting.append(name)
    found = f"; of the shipped templates these fit the data: {', '.join(fitting)}" if fitting else ""
    is_named = columns[0] != "0"
    return found + ("; they look at columns named 'word' and 'pos', or else at the first two" if is_named else "")
