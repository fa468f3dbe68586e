"""Taggers of rows: what sequence labelling has in common, whatever the rows are made of.

Rows are columns of text (core/text/columns.hpp); a template makes features of them, a search gives each row a label.
A `SequenceTagger` is given its rows by the user; a segmenter, a splitter and a lemmatizer make them of text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sapwood import _core
from sapwood.errors import ModelError, OptionError, TemplateError
from sapwood.events import Started
from sapwood.io.word_lists import read_word_lists
from sapwood.model.base import Output
from sapwood.model.explanation import in_batches
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.options import changed, option
from sapwood.tasks.tagging.lexicon import unpacked_tag_lexicon
from sapwood.templates import find_template, in_columns, shipped_templates
from sapwood.training.learner import TemplateLearner
from sapwood.training.shards.mixing import Shard
from sapwood.training.task import Training

if TYPE_CHECKING:
    from sapwood.training.shards.streams import ColumnStream
    from sapwood.training.task import Training


class RowTagger(TemplateLearner):
    """A learner of labels for rows.

    The averaging clock ticks once a row in argmax, greedy and easiest-first search, once a sequence in Viterbi.
    Template lines that look at labels which the search does not know when it scores a row are left out: labels to the
    right (``%y[+1]``) but in easiest-first search, two labels to the left in Viterbi of order 1, all in argmax.
    """

    extra_arrays: ClassVar[tuple[str, ...]] = ()  # names of arrays that the model file has beside every tagger's

    template: str | os.PathLike[str] = option(
        default="chunking",
        metavar="NAME|FILE",
        help="name of a shipped template (chunking, pos, ner, crfsuite-chunking), path of a CRF++ or Wapiti file, or "
        "the text itself",
    )
    search: Literal["viterbi", "easiest-first", "greedy", "argmax"] = option(
        default="viterbi",
        kept=True,
        help="the best sequence, the surest token first, seeing the labels given on both sides (Shen, Satta & Joshi "
        "2007), left to right, or each token alone",
    )
    order: Literal[1, 2] = option(default=1, kept=True, help="labels of history in Viterbi")
    prune_below: int = option(
        default=1,
        least=1,
        metavar="N",
        kept=True,
        help="drop features that occur less often in the training data, the usual alternative to min_updates",
    )
    history: Literal["gold", "own"] = option(default="gold", kept=True, help="labels to the left in greedy training")
    encoding: Literal["bio", "iobes"] = option(
        default="bio", kept=True, help="learn BIO chunks as they are, or as IOBES and give them back as BIO"
    )
    dictionary: str | None = option(
        default=None,
        metavar="COLUMN+...",
        kept=True,
        help="names of columns; labels are chosen among those that training has with the same values in them (a tag "
        "dictionary, Ratnaparkhi 1996); argmax and greedy search",
    )
    gamma: float = changed(default=20.0, help="cost of a wrong label, for margin and pa")

    @property
    def labels_(self) -> list[str]:
        """The labels that the fitted model gives."""
        self._check_fitted()
        return list(dict.fromkeys(self.tagger_.labels))

    def tables(self) -> list[str]:
        """Return what the weights of each table of the fitted model are about."""
        return ["label", "label pair", "label triple"][: len(self.model_.tables)]

    def outputs(self) -> list[list[Output]]:
        """Return the labels, for each table; before the last one of a pair or triple stand those that go before it."""
        return [[Output(label, label) for label in self.model_.labels]] * len(self.model_.tables)

    def owners(self) -> dict[str, str]:
        """Return whose bytes the arrays of the model file are, by what their names begin with."""
        return super().owners() | {"extra.dictionary": "tag dictionary"}

    def weights(self) -> Iterator[tuple[Output, float, str]]:
        """Yield output, weight and feature of every weight that is not zero."""
        outputs, history = self.outputs(), [*self.model_.labels, "<start>"]
        for table, row, labels, weight in self.tagger_.weights():
            after = f" after {' '.join(history[y] for y in labels[:-1])}" if len(labels) > 1 else ""
            yield outputs[table][labels[-1]], weight, self._feature(table, row) + after

    def explained_rows(self, rows: _core.Columns, asked: _core.Question) -> Iterator[bytes]:
        """Yield why each row has its label, as lines of JSON. Raises OptionError and DataError."""

        def explain(begin: int, end: int) -> bytes:
            return self.tagger_.explain(rows, asked, begin, end, self.threads)

        return in_batches(explain, rows.sentences, asked)

    def check_options(self) -> None:
        """Raise OptionError if an option has a value that it cannot have, or if options contradict each other."""
        super().check_options()
        if self.prune_below > 1 and (self.history == "own" or self.search == "easiest-first"):
            raise OptionError(
                "prune_below needs history 'gold' and not easiest-first search: features of labels that are only known "
                "in training's search cannot be counted beforehand"
            )
        if self.dictionary is not None and self.search not in ("argmax", "greedy"):
            raise OptionError("a tag dictionary needs search 'argmax' or 'greedy'")

    def _begin_rows(
        self,
        data: _core.Columns,
        held_out: _core.Columns | None,
        names: list[str],
        label: int,
        extra: dict[str, Array] | None = None,
        template: str | os.PathLike[str] | None = None,
        lexicon: _core.Lexicon | None = None,
        known: ModelFile | None = None,
        stream: ColumnStream | None = None,
    ) -> Training:
        """Return what is trained on rows whose columns have these names, `label` the number of the labels' column.

        extra : arrays for the model file beside its own
        template : if it is another one than the options say
        lexicon : the tags of words, which the template looks at
        known : the model of a training from which this one goes on
        stream : all rows, of which `data` are the first

        Raises OptionError, TemplateError and DataError.
        """
        gold = held_out.column(label) if held_out is not None else []
        text, where, folder = find_template(template or self.template)
        if (template or self.template) in shipped_templates():
            text = in_columns(text, names)
        try:
            pattern = _core.Template(text, where, names, label)
        except TemplateError as error:
            raise TemplateError(f"{error}{_templates_for(names, label)}") from None
        word_lists = read_word_lists(pattern.word_lists, self.word_lists or folder)
        clusters = self._read_clusters(pattern.uses_clusters)
        if lexicon is not None and not pattern.uses_lexicon:
            raise OptionError("a lexicon is given, but the template has no line that looks at it")
        options: dict[str, Any] = {
            "search": self.search,
            "order": self.order,
            "update": self.update,
            "gamma": self.gamma,
            "min_updates": self.min_updates,
            "average": self.average,
            "false_matches": self.false_matches,
            "prune_below": self.prune_below,
            "own_history": self.history == "own",
            "iobes": self.encoding == "iobes",
            "dictionary": _dictionary_columns(self.dictionary, names, label),
            "names": self.names,
            "batch": self.batch,
            "mixings": self.mixings,
            "key_bits": self.hash_bits or 64,
        }
        trainer = _core.TaggerTrainer(
            data if stream is None else None,
            label,
            pattern,
            [words for _, words in word_lists],
            seed=self.seed,
            batch_threads=self.threads,
            scratch="" if stream is None else stream.scratch,
            clusters=clusters,
            lexicon=lexicon,
            known_labels=[] if known is None else known.labels,
            known_dictionary=_core.TagDictionary() if known is None else _unpacked(known),
            **options,
        )
        if stream is not None:
            stream.feed(trainer)
        sentences, tokens, checksum = trainer.sentences, trainer.tokens, (stream or data).checksum
        model = ModelFile(
            task=self.task,
            labels=trainer.labels,
            template=text,
            columns=names,
            label=label,
            options=self.kept(),
            bits=self.bits,
            word_lists=word_lists,
            clusters=clusters,
            extra=(extra or {}) | ({} if self.dictionary is None else _packed(trainer.dictionary)),
        )

        def score(model: ModelFile, weights: object) -> float:
            assert held_out is not None
            return self._score(gold, build_tagger(model, lexicon).predict(held_out, self.threads))

        return Training(
            trainer,
            model,
            units=tokens,
            facts={"sentences": sentences, "tokens": tokens, "data_checksum": f"{checksum:016x}"},
            started=lambda seconds: Started(sentences, tokens, len(trainer.labels), self.epochs, seconds),
            score=score,
            names=trainer.names,
            examples=None if stream is not None else data.sentences,
            shard=lambda chosen, seed: Shard(
                _shard_trainer, data.select(list(chosen)), {"seed": seed, "model": model, "options": options}
            ),
        )

    def _needs_all_data(self) -> str | None:
        if self.prune_below > 1:
            return "prune_below counts features in all data"
        return super()._needs_all_data()

    def _needs_each_update(self) -> str | None:
        if self.search == "easiest-first" or (self.search == "greedy" and self.history == "own"):
            return "features of labels that the search gives become known one after the other"
        return super()._needs_each_update()

    def _score(self, gold: list[list[str]], guess: list[list[str]]) -> float:
        """Return what held-out data are scored by: F1 where the labels are chunks, accuracy elsewhere; in percent."""
        from sapwood.metrics import chunk_scores, label_scores, looks_like_chunks

        if looks_like_chunks(label for sentence in gold for label in sentence):
            return chunk_scores(gold, guess).f1
        return label_scores(gold, guess).accuracy

    def _install(self, model: ModelFile) -> None:
        wanted = {*self.extra_arrays, *(_PACKED if self.dictionary is not None else ())}
        if foreign := set(model.extra) - wanted:
            raise ModelError(f"it has an array that does not belong there: 'extra.{min(foreign)}'")
        super()._install(model)
        self.tagger_: _core.Tagger = build_tagger(model, self._lexicon_in(model))

    def _lexicon_in(self, model: ModelFile) -> _core.Lexicon | None:
        """Return the tags of words that a model file has for its template. Raises ModelError."""
        return None


def _shard_trainer(data: _core.Columns, seed: int, model: ModelFile, options: Mapping[str, Any]) -> _core.TaggerTrainer:
    """Return what trains on a part of the data of a model, which has all labels."""
    return _core.TaggerTrainer(
        data,
        model.label,
        _core.Template(model.template, "template", model.columns, model.label),
        [words for _, words in model.word_lists],
        seed=seed,
        clusters=model.clusters,
        lexicon=unpacked_tag_lexicon(model),
        known_labels=model.labels,
        known_dictionary=_unpacked(model),
        **options,
    )


def _templates_for(columns: list[str], label: int) -> str:
    """Return which of the shipped templates fit data with such columns, as the end of a message."""
    fitting = []
    for name in shipped_templates():
        text, where, _ = find_template(name)
        try:
            _core.Template(in_columns(text, columns), where, columns, label)
        except TemplateError:
            continue
        fitting.append(name)
    found = f"; of the shipped templates these fit the data: {', '.join(fitting)}" if fitting else ""
    is_named = columns[0] != "0"
    return found + ("; they look at columns named 'word' and 'pos', or else at the first two" if is_named else "")


def _dictionary_columns(names: str | None, columns: list[str], label: int) -> list[int]:
    found = [] if names is None else names.split("+")
    known = [column for c, column in enumerate(columns) if c != label]
    if unknown := [name for name in found if name not in known]:
        raise OptionError(f"the dictionary's columns are some of {', '.join(known)}; got {unknown[0]}")
    return [columns.index(name) for name in found]


_PACKED = {"dictionary.values": "U64", "dictionary.labels": "U32"}  # arrays of the model file


def _packed(dictionary: _core.TagDictionary) -> dict[str, Array]:
    arrays = zip(_PACKED.items(), (dictionary.values, dictionary.labels), strict=True)
    return {name: Array.of(dtype, data) for (name, dtype), data in arrays}


def _unpacked(model: ModelFile) -> _core.TagDictionary:
    """Return the tag dictionary in a model file. Raises ModelError."""
    names = model.options.get("dictionary")
    if names is None:
        return _core.TagDictionary()
    if not isinstance(names, str):
        raise ModelError(f"its option dictionary is {names!a:.60}, not names of columns")
    if any(name not in model.extra or model.extra[name].dtype != dtype for name, dtype in _PACKED.items()):
        raise ModelError("it does not have the tag dictionary that its options speak of")
    try:
        columns = _dictionary_columns(names, model.columns, model.label)
    except OptionError as error:
        raise ModelError(str(error)) from None
    values, labels = (bytes(model.extra[name].data) for name in _PACKED)
    return _core.TagDictionary.unpack(columns, values, labels, len(model.labels))


def build_tagger(model: ModelFile, lexicon: _core.Lexicon | None) -> _core.Tagger:
    """Return the tagger in a model file, with its lexicon. Raises ModelError if it does not hold one."""
    options = model.options
    if missing := [name for name in ("search", "order", "encoding") if name not in options]:
        raise ModelError(f"its options lack {', '.join(missing)}")
    template = _core.Template(model.template, "template", model.columns, model.label)
    if template.word_lists != [name for name, _ in model.word_lists]:
        raise ModelError("its word lists are not those that its template asks for")
    return _core.Tagger(
        options["search"],
        options["order"],
        model.labels,
        options["encoding"] == "iobes",
        template,
        [words for _, words in model.word_lists],
        _unpacked(model),
        [table.packed for table in model.tables],
        model.bits,
        model.scale,
        model.clusters,
        lexicon,
    )
