"""Sequence labelling: part-of-speech tags, chunks, names.

One task is one template x one search x one learner. The work is done in the core; this file joins its
parts, runs the epochs and keeps the best model.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

from sapwood import __version__, _core
from sapwood.errors import DataError, ModelError, OptionError, shown
from sapwood.io.text import read_bytes
from sapwood.io.word_lists import read_word_lists
from sapwood.learning.options import changed, option
from sapwood.modelfile.schema import ModelFile
from sapwood.models.base import TemplateLearner

if TYPE_CHECKING:
    from sapwood.learning.events import Callback

__all__ = ["Evaluation", "SequenceTagger"]

Token = str | Sequence[str]
Sentences = Sequence[Sequence[Token]]
Source = str | os.PathLike[str] | Sentences


class Evaluation(NamedTuple):
    """Gold and guessed labels of a test set, and what training never saw of the gold ones."""

    gold: list[list[str]]
    guess: list[list[str]]
    unseen: dict[str, int]  # labels that the model does not have -> tokens


class SequenceTagger(TemplateLearner):
    """A tagger trained by the perceptron family, kept small by `min_updates`.

    Parameters follow scikit-learn's conventions; nothing is checked before `fit`.

    The averaging clock ticks once a token in argmax, greedy and easiest-first search, once a sentence in Viterbi.
    Template lines that look at labels which the search does not know when it scores a token are left out: labels to
    the right (``%y[+1]``) but in easiest-first search, two labels to the left in Viterbi of order 1, all in argmax.

    >>> tagger = SequenceTagger(template="chunking", epochs=3, seed=7)
    >>> tagger
    SequenceTagger(epochs=3, seed=7)
    """

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
        """Train on a column file or on sentences in memory.

        Without `labels` the last value of each token (or the column named "label") is its label. `dev`, or
        every k-th sentence (`dev_fraction`), is held out to score each epoch; the best epoch's model is
        kept. Ctrl-C finishes the epoch and keeps the best model so far; a second one raises KeyboardInterrupt.

        Raises OptionError, TemplateError or DataError, each naming the place.
        """
        from sapwood.learning.epochs import run_epochs
        from sapwood.learning.events import Started, ignore
        from sapwood.templates import find_template

        self._check_training(dev, dev_fraction)
        started = time.perf_counter()
        data = self._columns(sentences, labels, "training data")
        held_out = None if dev is None else self._columns(dev, None, "held-out data")
        if dev_fraction is not None:
            data, held_out = data.split(dev_fraction)
            if held_out.sentences == 0 or data.sentences == 0:
                raise DataError("there are too few sentences to hold out a fraction of them; give more, or --dev")
        _require_sentences(data, "train on")
        names, label = self._header(data)
        gold = None
        if held_out is not None:
            _require_sentences(held_out, "score each epoch on")
            gold = held_out.column(label)
        text, where, folder = find_template(self.template)
        template = _core.Template(text, where, names, label)
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
        )
        model = ModelFile(
            task="tag",
            labels=trainer.labels,
            template=text,
            columns=names,
            label=label,
            options={name: getattr(self, name) for name in self.kept_options()},
            bits=self.bits,
            scale=1.0,
            tables=[],
            word_lists=word_lists,
        )

        report = on_event or ignore
        report(Started(data.sentences, data.tokens, len(trainer.labels), self.epochs, time.perf_counter() - started))

        def dev_score(weights: _core.PackedModel) -> float:
            assert gold is not None and held_out is not None
            return _score(gold, _build(model.with_weights(weights)).predict(held_out, self.threads))

        trained = run_epochs(
            trainer,
            tokens=data.tokens,
            epochs=self.epochs,
            patience=self.patience,
            bits=self.bits,
            shrink=self.shrink,
            score=dev_score if gold is not None else None,
            report=report,
        )
        model = model.with_weights(trained.weights)
        if self.names:
            for table, texts in zip(model.tables, trainer.names(trained.weights, data), strict=True):
                table.names = texts
        model.provenance = {
            "sapwood": __version__,
            "seed": self.seed,
            "sentences": data.sentences,
            "tokens": data.tokens,
            "data_checksum": f"{data.checksum:016x}",
            **trained.provenance(),
        }
        self._install(model)
        return self

    def predict(self, sentences: Source) -> list[list[str]]:
        """Return one label a token. Tokens are strings, or tuples of the columns that the model was trained on."""
        return self._tagger().predict(self._columns(sentences, None, "input"), self.threads)

    def n_best(self, sentences: Source, n: int) -> list[list[tuple[list[str], float]]]:
        """Return for each sentence its n best label sequences with their scores, best first (Viterbi only)."""
        if n < 1:
            raise OptionError(f"n is at least 1, not {n}")
        return self._tagger().n_best(self._columns(sentences, None, "input"), n)

    def annotate(self, blocks: Iterable[bytes], *, name: str = "input") -> Iterator[bytes]:
        """Yield each block of a column file with the predicted label at the end of every row.

        A block ends with a sentence; `name` goes into errors. Raises DataError at a row with more or fewer columns
        than the first, in whatever block.
        """
        return _annotated(self._tagger(), blocks, shown(name), self.threads)

    def evaluate(self, sentences: Source, labels: Sequence[Sequence[str]] | None = None) -> Evaluation:
        """Predict labels for data that have gold ones. Raises DataError if they have none."""
        tagger = self._tagger()
        data = self._columns(sentences, labels, "test data")
        _require_sentences(data, "score")
        gold = data.column(self.model_.label if labels is None else data.width - 1)
        known = set(tagger.labels)
        unseen: dict[str, int] = {}
        for label in (label for sentence in gold for label in sentence if label not in known):
            unseen[label] = unseen.get(label, 0) + 1
        return Evaluation(gold, tagger.predict(data, self.threads), unseen)

    def score(self, sentences: Source, labels: Sequence[Sequence[str]] | None = None) -> float:
        """Return the accuracy on labelled data, a fraction of 1 as scikit-learn wants it."""
        from sapwood.metrics import label_scores

        evaluation = self.evaluate(sentences, labels)
        return label_scores(evaluation.gold, evaluation.guess).accuracy / 100

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write the model to one file, whole or not at all; return its bytes. Raises ModelError."""
        self._tagger()
        return self.model_.save(path)

    @property
    def labels_(self) -> list[str]:
        """The labels that the fitted model gives."""
        return list(dict.fromkeys(self._tagger().labels))

    @classmethod
    def _of_model(cls, model: ModelFile) -> Self:
        """Return the tagger that a model file holds. Raises SapwoodError if it holds none."""
        if missing := [name for name in ("search", "order", "encoding") if name not in model.options]:
            raise ModelError(f"its options lack {', '.join(missing)}")
        tagger = cls._with_options_of(model)
        tagger._install(model)
        return tagger

    def _tagger(self) -> _core.Tagger:
        if not hasattr(self, "tagger_"):
            raise ModelError("this tagger is not fitted yet; call fit, or load a model")
        return self.tagger_

    def _install(self, model: ModelFile) -> None:
        self.model_ = model
        self.tagger_ = _build(model)

    def _columns(self, source: Source, labels: Sequence[Sequence[str]] | None, name: str) -> _core.Columns:
        if isinstance(source, (str, os.PathLike)):
            if labels is not None:
                raise OptionError("labels beside a file: a file has them in a column")
            return _core.Columns.read(read_bytes(source), shown(source))
        return _core.Columns.build(source, labels, name)

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

    def check_options(self) -> None:
        """Raise OptionError if an option has a value that it cannot have, or if options contradict each other."""
        super().check_options()
        if self.prune_below > 1 and (self.history == "own" or self.search == "easiest-first"):
            raise OptionError(
                "prune_below needs history 'gold' and not easiest-first search: features of labels that are only known "
                "in training's search cannot be counted beforehand"
            )


def _annotated(tagger: _core.Tagger, blocks: Iterable[bytes], name: str, threads: int) -> Iterator[bytes]:
    before, line = None, 1
    for block in blocks:
        data = _core.Columns.read(block, name, line, before)
        yield tagger.annotate(data, threads)
        before, line = data, line + block.count(b"\n")


def _build(model: ModelFile) -> _core.Tagger:
    template = _core.Template(model.template, "template", model.columns, model.label)
    if template.word_lists != [name for name, _ in model.word_lists]:
        raise ModelError("its word lists are not those that its template asks for")
    return _core.Tagger(
        model.options["search"],
        model.options["order"],
        model.labels,
        model.options["encoding"] == "iobes",
        template,
        [words for _, words in model.word_lists],
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
