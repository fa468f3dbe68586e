"""Sequence labelling: part-of-speech tags, chunks, names.

One task is one template x one search x one learner. The work is done in the core; this file says how sentences are
read, what is trained on them, and what a fitted tagger does.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from sapwood import _core
from sapwood.errors import DataError, ModelError, OptionError, TemplateError, shown
from sapwood.learning.options import changed, option
from sapwood.modelfile.container import Array
from sapwood.modelfile.schema import ModelFile
from sapwood.models.base import Output, TemplateLearner, Training, is_file
from sapwood.models.nbest import Proposer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, Self

    from sapwood.io.lists import CandidateList
    from sapwood.learning.events import Callback
    from sapwood.metrics.evaluation import SequenceEvaluation

    Token = str | Sequence[str]
    Sentences = Iterable[Sequence[Token]]
    Source = os.PathLike[str] | _core.Columns | Sentences


class SequenceTagger(TemplateLearner, Proposer):
    """A tagger trained by the perceptron family, kept small by `min_updates`.

    Options follow scikit-learn's conventions; nothing is checked before `fit`.

    The averaging clock ticks once a token in argmax, greedy and easiest-first search, once a sentence in Viterbi.
    Template lines that look at labels which the search does not know when it scores a token are left out: labels to
    the right (``%y[+1]``) but in easiest-first search, two labels to the left in Viterbi of order 1, all in argmax.

    >>> tagger = SequenceTagger(template="chunking", epochs=3, seed=7)
    >>> tagger
    SequenceTagger(epochs=3, seed=7)
    """

    task = "tag"
    noun = "tagger"

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
    columns: Sequence[str] | None = option(
        default=None,
        metavar="NAME,...",
        help="names of the data's columns, one of them 'label', '_' for one to skip; without, the last is the label",
    )
    history: Literal["gold", "own"] = option(default="gold", kept=True, help="labels to the left in greedy training")
    encoding: Literal["bio", "iobes"] = option(
        default="bio", kept=True, help="learn BIO chunks as they are, or as IOBES and give them back as BIO"
    )
    dictionary: str | None = option(
        default=None,
        metavar="COLUMN",
        kept=True,
        help="name of a column; labels are chosen among those that training has with the same value in it (a tag "
        "dictionary, Ratnaparkhi 1996); argmax and greedy search",
    )
    gamma: float = changed(default=20.0, help="cost of a wrong label, for margin and pa")

    def fit(
        self,
        sentences: Source,
        labels: Sequence[Sequence[str]] | None = None,
        *,
        dev: Source | None = None,
        dev_fraction: float | None = None,
        on_event: Callback | None = None,
    ) -> Self:
        """Train on a column file, whose path is a pathlib.Path, or on sentences in memory.

        Without `labels` the last value of each token (or the column named "label") is its label. `dev`, or
        every k-th sentence (`dev_fraction`), is held out to score each epoch; the best epoch's model is
        kept. Ctrl-C finishes the epoch and keeps the best model so far; a second one raises KeyboardInterrupt.

        Raises OptionError, TemplateError or DataError, each naming the place.
        """

        def read(train: _core.Columns | None) -> _core.Columns:
            if train is None:
                data = self._columns(sentences, labels, "training data")
                _require_sentences(data, "train on")
            else:
                assert dev is not None
                data = self._columns(dev, None, "held-out data")
                _require_sentences(data, "score each epoch on")
            return data

        return self._train(read, self._begin, dev, dev_fraction, on_event)

    def predict(self, sentences: Source) -> list[list[str]]:
        """Return one label a token. Tokens are strings, or tuples of the columns that the model was trained on.

        A sentence without tokens has no labels.
        """
        self._check_fitted()
        if not is_file(sentences, _WANTED) and not isinstance(sentences, _core.Columns):
            given = list(sentences)  # type: ignore[arg-type]
            labels = iter(self.tagger_.predict(self._input([s for s in given if len(s)]), self.threads))
            return [next(labels) if len(sentence) else [] for sentence in given]
        return self.tagger_.predict(self._input(sentences), self.threads)

    def n_best(self, sentences: Source, n: int) -> list[list[tuple[list[str], float]]]:
        """Return for each sentence its n best label sequences with their scores, best first (Viterbi only)."""
        if n < 1:
            raise OptionError(f"n is at least 1, not {n}")
        self._check_fitted()
        return self.tagger_.n_best(self._input(sentences), n)

    def annotate(self, blocks: Iterable[bytes], *, name: str = "input") -> Iterator[bytes]:
        """Yield each block of a column file with the predicted label at the end of every row.

        A block ends with a sentence; `name` goes into errors. Raises DataError at a row with more or fewer columns
        than the first, in whatever block, and for data that the model was not made for.
        """
        self._check_fitted()
        return self._annotated(blocks, shown(name))

    def _annotated(self, blocks: Iterable[bytes], name: str) -> Iterator[bytes]:
        before, line = None, 1
        for block in blocks:
            data = _core.Columns.read(block, name, line, before)
            self._check_columns(data)
            yield self.tagger_.annotate(data, self.threads)
            before, line = data, line + block.count(b"\n")

    def evaluate(self, sentences: Source, labels: Sequence[Sequence[str]] | None = None) -> SequenceEvaluation:
        """Predict labels for data that have gold ones. Raises DataError if they have none."""
        from sapwood.metrics.evaluation import SequenceEvaluation, unseen_labels

        self._check_fitted()
        data = self._columns(sentences, labels, "test data")
        _require_sentences(data, "score")
        gold = data.column(self.model_.label if labels is None else data.width - 1)
        unseen = unseen_labels(gold, self.tagger_.labels)
        return SequenceEvaluation(gold, self.tagger_.predict(data, self.threads), unseen)

    def score(self, sentences: Source, labels: Sequence[Sequence[str]] | None = None) -> float:
        """Return the accuracy on labelled data, a fraction of 1 as scikit-learn wants it."""
        from sapwood.metrics import label_scores

        evaluation = self.evaluate(sentences, labels)
        return label_scores(evaluation.gold, evaluation.guess).accuracy / 100

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

    def _begin(self, data: _core.Columns, held_out: _core.Columns | None, report: Callback) -> Training:
        from sapwood.io.word_lists import read_word_lists
        from sapwood.learning.events import Started
        from sapwood.templates import find_template

        names, label = self._header(data)
        gold = held_out.column(label) if held_out is not None else []
        text, where, folder = find_template(self.template)
        try:
            template = _core.Template(text, where, names, label)
        except TemplateError as error:
            raise TemplateError(f"{error}{_templates_for(names, label)}") from None
        word_lists = read_word_lists(template.word_lists, self.word_lists or folder)
        trainer = _core.TaggerTrainer(
            data,
            label,
            template,
            [words for _, words in word_lists],
            search=self.search,
            order=self.order,
            update=self.update,
            gamma=self.gamma,
            min_updates=self.min_updates,
            average=self.average,
            prune_below=self.prune_below,
            seed=self.seed,
            own_history=self.history == "own",
            iobes=self.encoding == "iobes",
            dictionary=_dictionary_column(self.dictionary, names, label),
            names=self.names,
        )

        def score(model: ModelFile, weights: object) -> float:
            assert held_out is not None
            return _score(gold, _build(model).predict(held_out, self.threads))

        return Training(
            trainer,
            ModelFile(
                task=self.task,
                labels=trainer.labels,
                template=text,
                columns=names,
                label=label,
                options=self.kept(),
                bits=self.bits,
                word_lists=word_lists,
                extra={} if self.dictionary is None else _packed(trainer.dictionary),
            ),
            units=data.tokens,
            facts={"sentences": data.sentences, "tokens": data.tokens, "data_checksum": f"{data.checksum:016x}"},
            started=lambda seconds: Started(data.sentences, data.tokens, len(trainer.labels), self.epochs, seconds),
            score=score,
            names=trainer.names,
        )

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        self.tagger_: _core.Tagger = _build(model)

    def _columns(self, source: Source, labels: Sequence[Sequence[str]] | None, name: str) -> _core.Columns:
        from sapwood.io.text import read_bytes

        if isinstance(source, _core.Columns):
            return source
        if is_file(source, _WANTED):
            if labels is not None:
                raise OptionError("labels beside a file: a file has them in its columns")
            return _core.Columns.read(read_bytes(source), shown(source))  # type: ignore[arg-type]
        return _core.Columns.build(list(source), None if labels is None else list(labels), name)  # type: ignore[arg-type]

    def _input(self, source: Source) -> _core.Columns:
        data = self._columns(source, None, "input")
        if isinstance(source, os.PathLike):
            self._check_columns(data)
        return data

    def _check_columns(self, data: _core.Columns) -> None:
        """Raise DataError if a file seems to be plain text, and the model was made for one word a line.

        What stands behind the words may be gold labels or a placeholder, the same everywhere, but no other words.
        """
        names, label = self.model_.columns, self.model_.label
        if len(names) > 2 or data.width < 2 or data.tokens == 0:
            return
        known = set(self.tagger_.labels)
        if not known.isdisjoint(data.select([0]).column(label)[0]):
            return
        found = {value for sentence in data.column(label) for value in sentence}
        if len(found) > 1 and known.isdisjoint(found):
            raise DataError(
                f"{data.where(0)}: {data.width} columns, and the second one has none of the model's labels; it was "
                "made for one word a line, perhaps with a label: is this plain text?"
            )

    def _header(self, data: _core.Columns) -> tuple[list[str], int]:
        """Return the columns' names and which of them is the label."""
        if data.width < 2:
            raise DataError(f"{data.where(0)}: there is no label column; the data has 1 column")
        if self.columns is None:
            return [str(c) for c in range(data.width)], data.width - 1
        names = list(self.columns)
        if names.count("label") != 1:
            raise OptionError(f"one of the columns is called 'label'; got {','.join(names)}")
        named = [name for name in names if name != "_"]
        if len(set(named)) != len(named) or not all(named):
            raise OptionError(f"columns have distinct names ('_' for one that is not used); got {','.join(names)}")
        if data.width != len(names):
            raise DataError(f"{data.where(0)}: {data.width} columns, but columns names {len(names)}: {','.join(names)}")
        return names, names.index("label")

    def _parsed(self, data: bytes, name: str, *, train: bool) -> _core.Columns:
        columns = _core.Columns.read(data, name)
        if train and columns.width != len(self.model_.columns):
            raise DataError(f"{name}: {columns.width} columns, but the model was trained on {len(self.model_.columns)}")
        return columns

    def _lists(self, data: _core.Columns, n: int) -> list[CandidateList]:
        from sapwood.io.lists import Candidate, CandidateList

        label = self.model_.label
        has_gold = data.width == len(self.model_.columns)
        cells = [data.column(c) for c in range(data.width) if not (has_gold and c == label)]
        gold = data.column(label) if has_gold else [None] * data.sentences
        tokens = [[list(row) for row in zip(*sentence, strict=True)] for sentence in zip(*cells, strict=True)]
        return [
            CandidateList("labels", [Candidate(labels, score) for labels, score in found], rows, answer, data.name)
            for found, rows, answer in zip(self.tagger_.n_best(data, n), tokens, gold, strict=True)
        ]

    def _data_options(self) -> dict[str, Any]:
        names = list(self.model_.columns)
        names[self.model_.label] = "label"
        return {"columns": names}


_WANTED = "sentences, each a list of tokens"


def _templates_for(columns: list[str], label: int) -> str:
    """Return which of the shipped templates fit data with such columns, as the end of a message."""
    from sapwood.templates import find_template, shipped_templates

    fitting = []
    for name in shipped_templates():
        text, where, _ = find_template(name)
        try:
            _core.Template(text, where, columns, label)
        except TemplateError:
            continue
        fitting.append(name)
    return f"; of the shipped templates these fit the data: {', '.join(fitting)}" if fitting else ""


def _dictionary_column(name: str | None, columns: list[str], label: int) -> int | None:
    if name is None:
        return None
    if name not in columns or columns.index(name) == label:
        known = [column for c, column in enumerate(columns) if c != label]
        raise OptionError(f"the dictionary's column is one of {', '.join(known)}; got {name}")
    return columns.index(name)


_PACKED = {"dictionary.values": "U64", "dictionary.labels": "U32"}  # arrays of the model file


def _packed(dictionary: _core.TagDictionary) -> dict[str, Array]:
    arrays = zip(_PACKED.items(), (dictionary.values, dictionary.labels), strict=True)
    return {name: Array.of(dtype, data) for (name, dtype), data in arrays}


def _unpacked(model: ModelFile) -> _core.TagDictionary:
    """Return the tag dictionary in a model file. Raises ModelError."""
    column = model.options.get("dictionary")
    wanted = {} if column is None else _PACKED
    if {name: array.dtype for name, array in model.extra.items()} != wanted:
        raise ModelError("it does not have the tag dictionary that its options speak of")
    if column is None:
        return _core.TagDictionary()
    if column not in model.columns:
        raise ModelError("its tag dictionary is for a column that it does not have")
    values, labels = (bytes(model.extra[name].data) for name in _PACKED)
    return _core.TagDictionary.unpack(model.columns.index(column), values, labels, len(model.labels))


def _build(model: ModelFile) -> _core.Tagger:
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
    )


def _score(gold: list[list[str]], guess: list[list[str]]) -> float:
    """Return F1 where the labels are chunks, accuracy elsewhere; in percent."""
    from sapwood.metrics import chunk_scores, label_scores, looks_like_chunks

    if looks_like_chunks(label for sentence in gold for label in sentence):
        return chunk_scores(gold, guess).f1
    return label_scores(gold, guess).accuracy


def _require_sentences(data: _core.Columns, purpose: str) -> None:
    if data.tokens == 0:
        raise DataError(f"{data.name}: there is no sentence to {purpose}")
