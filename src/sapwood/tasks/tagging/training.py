"""Training of taggers of rows: data that may be a stream, template, word lists, and the trainer that has the rows."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import sapwood._core as _core
from sapwood.errors import DataError, OptionError, TemplateError, warn
from sapwood.events import Started
from sapwood.io.source import paths_in
from sapwood.model.familiarity import familiarity_learner, frequent_words
from sapwood.model.file.container import Array
from sapwood.model.file.records import Familiar
from sapwood.model.file.schema import ModelFile
from sapwood.options import Values
from sapwood.tasks.tagging import feature_dicts
from sapwood.tasks.tagging.data import HeldOut, header, parse_columns, read_columns, split_held_out, with_tokens
from sapwood.tasks.tagging.options import SEARCHES, RowOptions, TaggerOptions
from sapwood.tasks.tagging.row_tagger import packed_tag_lexicon, tag_lexicon
from sapwood.templates import WordLists, find_template, in_columns, read_word_lists, shipped_templates
from sapwood.training.odd_data import first_of
from sapwood.training.run import Run
from sapwood.training.shards import Shard
from sapwood.training.silver import SilverFilter, labels_of, read_silver, silver_source
from sapwood.training.streams import StreamedText, check_streamed
from sapwood.training.task import HeldOutScore, InMemory, Parts, Trainer

Labels = Sequence[list[str]]  # by sentence


def accuracy_or_f1(gold: Labels, guess: Labels) -> float:
    """Return F1 where the labels are chunks, accuracy elsewhere; in percent."""
    from sapwood.metrics import chunk_scores, label_scores, looks_like_chunks

    if looks_like_chunks(label for sentence in gold for label in sentence):
        return chunk_scores(gold, guess).f1
    return label_scores(gold, guess).accuracy


class ColumnStream(Parts[_core.Columns]):
    """Column files that are read in parts of whole sentences, as one. Raises DataError while they are read.

    names : the columns' names, if the user gives them
    """

    def __init__(self, source: Any, scratch: str, names: Sequence[str]) -> None:
        self.scratch, self._names = scratch, names
        self._texts: list[StreamedText] = []
        for path in paths_in(source):
            self._texts.append(StreamedText(path, scratch, self._texts[-1] if self._texts else None))
        self._parts = self._read()

    @cached_property
    def first(self) -> _core.Columns:
        for part in self._parts:
            if part.tokens:
                return part
        raise DataError(f"{self._texts[0].name}: there is no sentence to train on")

    def feed(self, trainer: _core.TaggerTrainer, columns: Mapping[str, int]) -> None:
        """Add all parts to a trainer, and count the words and values of the columns that it reads."""
        self._learner = familiarity_learner(columns)
        for part in chain([self.first], self._parts):
            trainer.add(part)
            self._learner.add(part)
        trainer.finish()

    def familiar(self, columns: Mapping[str, int]) -> Familiar:
        """Return the frequent words and values, once the data are read."""
        return frequent_words(self._learner, columns)

    @cached_property
    def checksum(self) -> int:
        return self._texts[0].checksum

    def _read(self) -> Iterator[_core.Columns]:
        of_other: _core.Columns | None = None  # a part of the file before
        for file in self._texts:
            before = None
            for text, line in file.parts("sentence"):
                before = parse_columns(text, file.name, line, before, names=self._names)
                if line == 1 and of_other is not None:
                    _core.Columns.joined([of_other, before])
                yield before
            if len(self._texts) > 1 and (before is None or before.width == 0):
                raise DataError(f"{file.name}: there is no sentence in it")
            of_other = before


@dataclass(kw_only=True)
class Rows:
    """Rows with labels that are learned, and what is known of them."""

    task: str  # as the model file has it
    data: InMemory[_core.Columns] | ColumnStream
    held_out: _core.Columns | None = None
    names: list[str]  # names of the columns
    label: int  # number of the labels' column
    template: str | os.PathLike[str] = ""  # if it is another one than the options say
    extra: dict[str, Array] = field(default_factory=dict)  # arrays for the model file beside its own
    lexicon: _core.Lexicon | None = None  # the tags of words, which the template looks at
    known: ModelFile | None = None  # the model of a training from which this one goes on
    read: dict[str, int] = field(default_factory=dict)  # names and numbers of the columns that the template looks at
    score: Callable[[Labels, Labels], float] = accuracy_or_f1  # percent, by gold labels and guesses


def read_training(
    sentences: Any,
    labels: Sequence[Sequence[str]] | None,
    dev: HeldOut | None,
    columns: Sequence[str],
    scratch: str | None = None,
) -> InMemory[_core.Columns] | ColumnStream:
    """Return the sentences to train on, a stream if there is a folder for scratch files. Raises DataError, OptionError.

    dev : held-out data, which may have more features than those
    columns : names of columns, if they are given
    """
    if scratch is not None:
        check_streamed(sentences, labels)
        return ColumnStream(sentences, scratch, columns)
    least = 0
    if isinstance(dev, tuple) and (held_out := _read_dev(dev, labels, 0, columns)).has_gaps:
        least = held_out.width - 1
    return InMemory(with_tokens(read_columns(sentences, labels, "training data", least, columns), "train on"))


def label_column(options: TaggerOptions, data: _core.Columns) -> int:
    """Return the number of the column of the labels."""
    return data.width - 1 if data.has_gaps else header(options.columns, data)[1]


def read_held_out(
    dev: HeldOut, labels: Sequence[Sequence[str]] | None, data: _core.Columns, columns: Sequence[str]
) -> _core.Columns:
    """Return the held-out sentences, which have to be like those to train on. Raises DataError."""
    held_out = _read_dev(dev, labels, data.width - 1 if data.has_gaps else 0, columns)
    held_out = with_tokens(held_out, "score each epoch on")
    if held_out.has_gaps != data.has_gaps:
        raise DataError("held-out data: for features of tokens, with labels beside, dev is (X_dev, y_dev)")
    return held_out


def _read_dev(
    dev: HeldOut, labels: Sequence[Sequence[str]] | None, least: int, columns: Sequence[str]
) -> _core.Columns:
    return read_columns(*split_held_out(dev, beside=labels is not None), "held-out data", least, columns)


def read_silver_rows(
    options: TaggerOptions, label: int, gold: _core.Columns, held_out: _core.Columns | None, run: Run
) -> _core.Columns | None:
    """Return the silver sentences that a tagger learns from beside gold ones, as `read_silver` does.

    label : number of the labels' column. The last column, where it is not the label's, may say how sure the labeller
    was, as MISC of CoNLL-U does
    """

    def read(source: Any) -> _core.Columns:
        if gold.has_gaps:
            raise OptionError("silver data are rows of columns; these data are features of tokens")
        silver = with_tokens(read_columns(source, None, "silver data", names=["_"] * gold.width), "learn from")
        if silver.width != gold.width:
            raise DataError(f"{silver.where(0)}: {silver.width} columns, the training data have {gold.width}")
        return silver

    def choose(choice: SilverFilter[_core.Columns]) -> None:
        silver = choice.silver
        if label != silver.width - 1:
            choice.sure(silver.column(silver.width - 1), options.least_sureness)
        labels = labels_of(gold.column(label)).union([] if run.known is None else run.known.labels)
        choice.known(silver.column(label), labels, "labels")

    return read_silver(silver_source(options.silver, _core.Columns), read, run, "tagger", gold, held_out, choose, label)


def tagger_trainer(
    options: TaggerOptions, data: InMemory[_core.Columns] | ColumnStream, held_out: _core.Columns | None, run: Run
) -> Trainer:
    """Return the trainer of a sequence tagger. Raises OptionError, TemplateError and DataError."""
    first = data.first
    options = options.chosen(features=first.has_gaps)
    rows = Rows(task="tag", data=data, held_out=held_out, names=[], label=first.width - 1, known=run.known)
    if first.has_gaps:
        feature_dicts.forbid_column_options(options)
        order = options.order if SEARCHES[options.search].whole else 1
        rows.template = feature_dicts.template_of(rows.label, order)
        rows.names = feature_dicts.feature_columns(rows.label)
    else:
        rows.names, rows.label = header(options.columns, first)
        if options.template is None and sum(c != rows.label and name != "_" for c, name in enumerate(rows.names)) == 1:
            rows.template = _template_for_words(first, rows.label) if run.known is None else run.known.template
        if options.lexicon is not None:
            words = first.column(0 if rows.label else 1)
            rows.lexicon = tag_lexicon(options.lexicon, chain.from_iterable(words))
        rows.extra = {} if rows.lexicon is None else packed_tag_lexicon(rows.lexicon)
    if options.silver != () and (silver := read_silver_rows(options, rows.label, first, held_out, run)) is not None:
        rows.data = InMemory(first, silver, options.gold_times)
    return row_trainer(rows, options)


def row_trainer(rows: Rows, options: RowOptions) -> Trainer:
    """Return the trainer of a tagger of rows. Raises OptionError, TemplateError and DataError."""
    text, pattern, word_lists = _template_of(rows, options)
    clusters = options.word_clusters(pattern.uses_clusters)
    if rows.lexicon is not None and not pattern.uses_lexicon:
        raise OptionError("a lexicon is given, but the template has no line that looks at it")
    looked_up = (options.dictionary or "").split("+")
    read = {*pattern.columns_read, *(k for k, name in enumerate(rows.names) if name in looked_up)}
    rows.read = {rows.names[k]: k for k in sorted(read - {rows.label}) if rows.names[k] != "_"}
    model = ModelFile(
        task=rows.task,
        template=text,
        columns=rows.names,
        label=rows.label,
        options=options.kept(),
        bits=options.bits,
        word_lists=word_lists,
        clusters=clusters,
        extra=rows.extra,
    )
    core = _core.TaggerTrainer(model, options.for_core(), rows.known, rows.data.scratch)
    rows.data.feed(core, rows.read)
    values, labels = core.dictionary
    dictionary = {"dictionary.values": Array.of("U64", values), "dictionary.labels": Array.of("U32", labels)}
    extra = rows.extra | ({} if options.dictionary is None else dictionary)
    return _trainer(rows, options, core, model.replaced(labels=core.labels, extra=extra))


def _template_of(rows: Rows, options: RowOptions) -> tuple[str, _core.Template, WordLists]:
    """Return the text of the template, the template, and the word lists that it names."""
    chosen = rows.template or options.template or "chunking"
    text, where, folder = find_template(chosen)
    if chosen in shipped_templates():
        text = in_columns(text, rows.names, rows.label)
    try:
        pattern = _core.Template(text, where, rows.names, rows.label)
    except TemplateError as error:
        raise TemplateError(f"{error}{_templates_for(rows.names, rows.label)}") from None
    return text, pattern, read_word_lists(pattern.word_lists, options.word_lists or folder)


def _trainer(rows: Rows, options: RowOptions, core: _core.TaggerTrainer, model: ModelFile) -> Trainer:
    data, learned = rows.data.first, rows.data.learned
    gold = [] if rows.held_out is None else rows.held_out.column(rows.label)

    def score(model: ModelFile, weights: object) -> HeldOutScore:
        assert rows.held_out is not None
        guess = _core.Tagger(model).predict(rows.held_out, options.threads)
        return HeldOutScore.of(rows.score(gold, guess), gold, guess)

    return Trainer(
        core,
        model,
        Started(core.sentences, core.tokens, len(core.labels), options.epochs, 0),
        facts=rows.data.facts({"sentences": core.sentences, "tokens": core.tokens}),
        score=None if rows.held_out is None else score,
        names=core.names,
        familiar=lambda: rows.data.familiar(rows.read),
        where=lambda label: first_of(data.column(rows.label), data.where, label),
        examples=learned.sentences,
        shard=lambda chosen, seed: Shard(
            _shard_trainer,
            learned.select(list(chosen)),
            {"model": model, "options": options.for_core(seed=seed, threads=1)},
        ),
    )


def _shard_trainer(data: _core.Columns, model: ModelFile, options: Values) -> _core.TaggerTrainer:
    trainer = _core.TaggerTrainer(model, options, model)
    trainer.add(data)
    trainer.finish()
    return trainer


def _template_for_words(data: _core.Columns, label: int) -> str:
    """Return the template for data that have words alone, without tags, and say so."""
    from sapwood.metrics import looks_like_chunks

    chosen = "ner" if looks_like_chunks(chain.from_iterable(data.column(label))) else "pos"
    warn(f"{data.name}: there are no tags for the template chunking, so {chosen} is taken; --template names another")
    return chosen


def _templates_for(columns: list[str], label: int) -> str:
    """Return the shipped templates that fit data with such columns, as the end of a message."""
    fitting = []
    for name in shipped_templates():
        text, where, _ = find_template(name)
        with suppress(TemplateError):
            _core.Template(in_columns(text, columns, label), where, columns, label)
            fitting.append(name)
    found = f"; of the shipped templates these fit the data: {', '.join(fitting)}" if fitting else ""
    is_named = columns[0] != "0"
    return found + ("; they look at columns named 'word' and 'pos', or else at the first two" if is_named else "")
