"""Dependency parsing: CoNLL-U in, CoNLL-U out.

One parser is one template x one search x one learner, as a tagger is (sapwood.tag). A parser that is to read
raw words brings its own tagger along, trained on the same treebank and kept in the same file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from sapwood import __version__, _core
from sapwood.errors import DataError, ModelError, OptionError, shown
from sapwood.io.text import read_bytes
from sapwood.learning.options import changed, option
from sapwood.modelfile.schema import ModelFile
from sapwood.models.base import Learner
from sapwood.models.jackknife import fit_tagger, jackknife, tagger_of, with_tags

if TYPE_CHECKING:
    from sapwood.learning.events import Callback
    from sapwood.metrics.trees import TreeReport

__all__ = ["DependencyParser", "Parse"]

Word = str | Sequence[str]
Source = str | os.PathLike[str] | Sequence[Sequence[Word]]

_TAG_COLUMNS = ("upos", "xpos", "feats")
_LABEL_SETS = ("root_labels", "left_labels", "right_labels")


class Parse(NamedTuple):
    """A sentence's tree."""

    heads: list[int]  # [n] number of each word's head; words count from 1, 0 is the root
    deprels: list[str]  # [n] relation of each word to its head


class DependencyParser(Learner):
    """A dependency parser trained by the perceptron family, kept small by `min_updates`.

    Parameters follow scikit-learn's conventions; nothing is checked before `fit`.

    The averaging clock ticks once a sentence, in greedy and easy-first parsing once a decision.

    >>> DependencyParser(search="eisner", order=2)
    DependencyParser(search='eisner', order=2)
    """

    search: Literal["beam", "easy-first", "eisner"] = option(
        default="beam",
        kept=True,
        help="arc-hybrid transitions with a beam (Zhang & Clark 2011), the surest attachment first (Goldberg & Elhadad "
        "2010), or the best of all trees (McDonald et al. 2005)",
    )
    order: Literal[1, 2] = option(default=1, kept=True, help="2 scores neighbouring children, too (eisner)")
    beam: int = option(
        default=8,
        least=1,
        most=4096,
        metavar="N",
        kept=True,
        help="configurations kept; 1 is greedy, fast, and learns from its own mistakes by a dynamic oracle (Goldberg & "
        "Nivre 2012)",
    )
    labelling: Literal["joint", "second-stage", "none"] | None = option(
        default=None,
        kept=True,
        help="labels given by the search (not in eisner) or by a classifier behind it; without, joint in beam search "
        "and second-stage in the others",
    )
    tags: Literal["gold", "predicted", "jackknife"] = option(
        default="gold",
        kept=True,
        help="read from the data, predicted by a tagger that is trained first and comes with the parser, or the same "
        "with training data tagged in ten folds, so that they are tagged as well as new data will be",
    )
    tag_columns: Sequence[str] = option(
        default=("xpos", "upos", "feats"),
        metavar="COLUMN,...",
        help="the columns of tags that are read, of xpos, upos and feats, the one that most features use first",
    )
    template: str | os.PathLike[str] | None = option(
        default=None,
        metavar="NAME|FILE",
        help="name of a shipped template, path of a file, or the text itself; without, the one shipped for the search",
    )
    k_best: int = option(
        default=1,
        least=1,
        metavar="K",
        kept=True,
        help="trees of a sentence to learn from at once, for pa in eisner of order 1 (k-best MIRA, McDonald et al. "
        "2005)",
    )
    update_strategy: Literal["max", "early"] = option(
        default="max",
        kept=True,
        help="where a beam is updated: at its max violation, or early, when it loses the gold tree",
    )
    non_projective: Literal["lift", "skip"] = option(
        default="lift",
        kept=True,
        help="lift crossing arcs for training and put them back in parsing (Nivre & Nilsson 2005), or skip their "
        "sentences",
    )
    single_root: bool = option(
        default=True,
        kept=True,
        off="--multiple-roots",
        help="the root has exactly one child; --multiple-roots allows several, as treebanks other than UD do",
    )
    gamma: float = changed(default=10.0, help="cost of a wrong arc, for margin and pa")
    min_updates: int = 10
    shrink: float = 0.012

    def fit(
        self,
        sentences: Source,
        trees: Sequence[tuple[Sequence[int], Sequence[str]]] | None = None,
        *,
        dev: Source | None = None,
        dev_fraction: float | None = None,
        on_event: Callback | None = None,
    ) -> Self:
        """Train on a CoNLL-U file, or on sentences in memory with their trees: (heads, relations) of each.

        A word in memory is its form or (form, tag, ...) with the tags in the order of `tag_columns`. `dev` (a
        file), or every k-th sentence (`dev_fraction`), is held out to score each epoch by LAS (UAS without labels);
        the best epoch's model is kept. Ctrl-C finishes the epoch and keeps the best model so far.

        Raises OptionError, TemplateError or DataError, each naming the place.
        """
        from sapwood.learning.epochs import run_epochs
        from sapwood.learning.events import Started, ignore
        from sapwood.templates import find_template

        self._check_training(dev, dev_fraction)
        started = time.perf_counter()
        data = self._treebank(sentences, trees, "training data")
        held_out = None if dev is None else self._treebank(dev, None, "held-out data")
        if dev_fraction is not None:
            data, held_out = data.split(dev_fraction)
            if held_out.sentences == 0 or data.sentences == 0:
                raise DataError("there are too few sentences to hold out a fraction of them; give more, or dev")
        gold = None if held_out is None else [Parse(*tree) for tree in held_out.trees(False)]
        labelling = self.labelling or ("joint" if self.search == "beam" else "second-stage")
        text = find_template(self.template or self.search, "parse").text
        if labelling == "second-stage" and "[labels]" not in text:
            text += "\n" + find_template("arc-labels", "parse").text
        report = on_event or ignore
        tagger = None
        if self.tags != "gold":
            own: dict[str, Any] = {"seed": self.seed, "bits": self.bits, "threads": self.threads}
            tagger = fit_tagger(data, self.tag_columns, report, **own)
            if self.tags == "jackknife":
                data = jackknife(data, self.tag_columns, report, **own)
            else:
                data = with_tags(data, self.tag_columns, tagger)
            held_out = held_out and with_tags(held_out, self.tag_columns, tagger)
        trainer = _core.ParserTrainer(
            data,
            search=self.search,
            order=self.order,
            beam=self.beam,
            single_root=self.single_root,
            labelling=labelling,
            template=text,
            tags=list(self.tag_columns),
            update=self.update,
            gamma=self.gamma,
            min_updates=self.min_updates,
            average=self.average,
            early=self.update_strategy == "early",
            k_best=self.k_best,
            skip_non_projective=self.non_projective == "skip",
            names=self.names,
            seed=self.seed,
        )
        options = {name: getattr(self, name) for name in self.kept_options()} | {"labelling": labelling}
        options.update({name: getattr(trainer, name) for name in _LABEL_SETS})
        columns = [*self.tag_columns, "head"]
        model = ModelFile("parse", trainer.labels, text, columns, len(columns) - 1, options, self.bits, 1.0, [])
        if tagger is not None:
            model.parts["tagger"] = tagger.model_

        seconds = time.perf_counter() - started
        report(Started(trainer.sentences, trainer.words, len(trainer.labels), self.epochs, seconds))

        def dev_score(weights: _core.PackedModel) -> float:
            assert gold is not None and held_out is not None
            guess = _build(model.with_weights(weights)).predict(held_out, self.threads)
            scores = _report(gold, [Parse(*tree) for tree in guess], held_out)
            return scores.uas if scores.las is None else scores.las

        trained = run_epochs(
            trainer,
            tokens=trainer.words,
            epochs=self.epochs,
            patience=self.patience,
            bits=self.bits,
            shrink=self.shrink,
            score=dev_score if gold is not None else None,
            report=report,
        )
        model = model.with_weights(trained.weights)
        if self.names:
            for table, texts in zip(model.tables, trainer.names(trained.weights), strict=True):
                table.names = texts
        model.provenance = {
            "sapwood": __version__,
            "seed": self.seed,
            "sentences": trainer.sentences,
            "words": trainer.words,
            "non_projective_sentences": trainer.non_projective_sentences,
            "lifted_arcs": trainer.lifted_arcs,
            "data_checksum": f"{data.checksum:016x}",
            **trained.provenance(),
        }
        self._install(model)
        return self

    def predict(self, sentences: Source) -> list[Parse]:
        """Return the tree of each sentence of a CoNLL-U file, or of words in memory (see `fit`)."""
        data = self._input(self._treebank(sentences, None, "input"))
        return [Parse(*tree) for tree in self._parser().predict(data, self.threads)]

    def n_best(self, sentences: Source, n: int) -> list[list[tuple[Parse, float]]]:
        """Return for each sentence its n best trees with their scores, best first (eisner, order 1)."""
        if not isinstance(n, int) or not 1 <= n < 1 << 32:
            raise OptionError(f"n is a whole number from 1 to {(1 << 32) - 1}, not {n!r}")
        data = self._input(self._treebank(sentences, None, "input"))
        return [[(Parse(*tree), score) for tree, score in best] for best in self._parser().n_best(data, n)]

    def annotate(self, blocks: Iterable[bytes], *, name: str = "input") -> Iterator[bytes]:
        """Yield each block of a CoNLL-U file with heads and relations, everything else as it was.

        A block ends with a sentence; `name` goes into errors. A parser with a tagger of its own also writes the tags.
        """
        parser, line = self._parser(), 1
        for block in blocks:
            data = self._input(_core.Conllu.read(block, shown(name), line))
            yield parser.annotate(data, self.threads)
            line += block.count(b"\n")

    def evaluate(self, sentences: str | os.PathLike[str]) -> TreeReport:
        """Parse a CoNLL-U file and compare with its trees. Raises DataError if they are not valid."""
        data = self._treebank(sentences, None, "test data")
        gold = [Parse(*tree) for tree in data.trees(False)]
        guess = self._parser().predict(self._input(data), self.threads)
        return _report(gold, [Parse(*tree) for tree in guess], data)

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write the model to one file, whole or not at all; return its bytes. Raises ModelError."""
        self._parser()
        return self.model_.save(path)

    @property
    def labels_(self) -> list[str]:
        """The relations that the fitted parser gives."""
        self._parser()
        return self.model_.labels

    @classmethod
    def _of_model(cls, model: ModelFile) -> Self:
        """Return the parser that a model file holds. Raises SapwoodError if it holds none."""
        parser = cls._with_options_of(model).set_params(tag_columns=model.columns[: model.label])
        parser.check_options()
        parser._install(model)
        return parser

    def _parser(self) -> _core.Parser:
        if not hasattr(self, "parser_"):
            raise ModelError("this parser is not fitted yet; call fit, or load a model")
        return self.parser_

    def _install(self, model: ModelFile) -> None:
        self.model_ = model
        self.parser_ = _build(model)
        if set(model.parts) != (set() if self.tags == "gold" else {"tagger"}):
            raise ModelError("it does not have the tagger that its options speak of")
        self.tagger_ = tagger_of(model.parts["tagger"], self.tag_columns) if model.parts else None

    def _treebank(
        self, source: Source, trees: Sequence[tuple[Sequence[int], Sequence[str]]] | None, name: str
    ) -> _core.Conllu:
        if not isinstance(source, (str, os.PathLike)):
            from sapwood.io.conllu import conllu_text

            return _core.Conllu.read(conllu_text(source, self.tag_columns, trees, name), name)
        if trees is not None:
            raise OptionError("trees beside a file: a file has them in its columns")
        data = _core.Conllu.read(read_bytes(source), shown(source))
        if data.sentences == 0:
            raise DataError(f"{data.name}: there is no sentence in it")
        return data

    def _input(self, data: _core.Conllu) -> _core.Conllu:
        """Return the data with the tags that the parser is to see."""
        self._parser()
        return data if self.tagger_ is None else with_tags(data, self.tag_columns, self.tagger_)

    def check_options(self) -> None:
        """Raise OptionError if an option has a value that it cannot have, or if options contradict each other."""
        super().check_options()
        columns = list(self.tag_columns)
        if not columns or len(set(columns)) != len(columns) or not set(columns) <= set(_TAG_COLUMNS):
            raise OptionError(f"tag_columns are some of {', '.join(_TAG_COLUMNS)}; got {','.join(columns) or 'none'}")
        if self.search == "eisner" and self.labelling == "joint":
            raise OptionError("Eisner search scores arcs without labels; labelling is second-stage or none")
        if self.k_best > 1 and (self.search, self.order, self.update) != ("eisner", 1, "pa"):
            raise OptionError("k_best above 1 needs search eisner, order 1 and update pa")


def _build(model: ModelFile) -> _core.Parser:
    options = model.options
    for name in ("search", "order", "beam", "single_root", "labelling", *_LABEL_SETS):
        if options.get(name) is None:
            raise ModelError(f"its options have no {name}")
    for name in _LABEL_SETS:
        if not isinstance(options[name], list) or not all(isinstance(label, str) for label in options[name]):
            raise ModelError(f"{name} in its options are not a list of strings")
    return _core.Parser(
        search=options["search"],
        order=options["order"],
        beam=options["beam"],
        single_root=options["single_root"],
        labelling=options["labelling"],
        template=model.template,
        tags=model.columns[: model.label],
        labels=model.labels,
        **{name: options[name] for name in _LABEL_SETS},
        tables=[table.packed for table in model.tables],
        bits=model.bits,
        scale=model.scale,
    )


def _report(gold: list[Parse], guess: list[Parse], data: _core.Conllu) -> TreeReport:
    from sapwood.metrics import tree_scores

    tags = data.column("upos")
    if all(tag == "_" for sentence in tags for tag in sentence):
        tags = data.column("xpos")
    return tree_scores(gold, guess, tags)
