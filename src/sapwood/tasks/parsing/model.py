"""Dependency parsing: CoNLL-U in, CoNLL-U out.

One parser is one template x one search x one learner, as a tagger is. A parser of raw words has a tagger of its own,
trained on the same treebank and kept in the same file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar, Unpack

import sapwood._core as _core
from sapwood.errors import DataError, OptionError
from sapwood.io import conllu
from sapwood.io.memory import sentences_in
from sapwood.io.source import shown, with_lines
from sapwood.model.answers import Answers
from sapwood.model.base import is_file
from sapwood.model.confidence import Confidence, Numbers
from sapwood.model.explanation import in_batches
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, Observed
from sapwood.tasks.parsing.answers import (
    ParserRecords,
    arc_decisions,
    parser_contents,
    tree_answers,
    tree_report,
    with_arc_confidences,
)
from sapwood.tasks.parsing.data import (
    WANTED,
    Source,
    Trees,
    read_sentences,
    shown_tags,
    tagger_of,
    warn_if_slow,
    with_predicted_tags,
)
from sapwood.tasks.parsing.options import ParserOptions
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.training.learner import Learner
from sapwood.training.nbest import NBest, check_n
from sapwood.training.options import FitKeywords

if TYPE_CHECKING:
    from sapwood.base.candidates import CandidateList
    from sapwood.events import Callback
    from sapwood.metrics.trees import TreeReport
    from sapwood.training.run import Run
    from sapwood.training.suspects import Suspect


A = TypeVar("A")


class Parse(NamedTuple):
    """A sentence's tree."""

    heads: list[int]  # [n] number of each word's head; words count from 1, 0 is the root
    deprels: list[str]  # [n] relation of each word to its head


def _arcs(trees: Trees) -> list[list[str]]:
    return [[f"{head} {deprel}" for head, deprel in zip(*tree, strict=True)] for tree in trees]


class DependencyParser(Learner[ParserOptions]):
    """A dependency parser trained by the perceptron family, kept small by `min_updates`.

    Options follow scikit-learn's conventions; nothing is checked before `fit`.

    The averaging clock ticks once a sentence, in greedy and easy-first parsing once a decision.

    The time of Eisner search grows with the cube of a sentence's length. A sentence of more than 1,300 words (600 with
    order 2) may take more than five seconds; there is a SapwoodWarning before it begins, and Ctrl-C ends it.

    >>> DependencyParser(search="eisner", order=2)
    DependencyParser(search='eisner', order=2)
    """

    _params_type = ParserOptions
    task = "parse"
    _noun = "parser"
    _annotates = "conllu"
    _records_type = ParserRecords

    def fit(self, sentences: Source, trees: Trees | None = None, **how: Unpack[FitKeywords]) -> Self:
        """Train on CoNLL-U, a file or several, or sentences in memory; `Learner.fit` describes the keywords.

        A tree is (heads, relations). A word in memory is its form or (form, tag, ...) with the tags in the order of
        `tag_columns`. `dev` is a file; epochs are scored by LAS, UAS without labels.
        """
        return self._fit_to(None, sentences, trees, **how)

    def _learn(self, run: Run, sentences: Source, trees: Trees | None = None, *, dev: Source | None = None) -> Self:
        from sapwood.tasks.parsing.committee import other_members, run_of_member
        from sapwood.tasks.parsing.training import parser_trainer
        from sapwood.training.odd_data import warn_of_odd_sentences

        options = self.params
        usable = partial(conllu.with_trees, skip_bad=options.skip_bad)
        data = usable(
            conllu.with_words(self._treebank(sentences, trees, "training data")), single_root=options.single_root
        )
        held_out = None
        if dev is not None:
            held_out = usable(conllu.with_words(self._treebank(dev, None, "held-out data")), single_root=False)
        if run.monitors_data:
            conllu.warn_of_old_relations(data)
        is_slow = _core.slow_sentence(data, options.for_core())  # `parser_trainer` warns of these
        look = None if is_slow else warn_of_odd_sentences
        run = run_of_member(run) if options.committee else run
        fitted = self._train(run, parser_trainer, data, held_out, look=look, label_hint="")
        if options.committee:
            self._install(self.model_.replaced(parts=other_members(self, fitted, run)))
        return self

    def _suspects(self, run: Run, folds: int, sentences: Source, trees: Trees | None = None) -> list[Suspect]:
        """Return wrong arcs, each as "head relation"."""
        from sapwood.training.suspects import SentenceAnswers, sentence_suspects

        data = conllu.with_words(self._treebank(sentences, trees, "training data"))
        gold = data.trees(self.params.single_root)

        def answer(parser: DependencyParser, part: _core.Conllu, inside: list[int]) -> SentenceAnswers:
            tagged = parser._tagged_file(part)
            guess, margins = parser._guess_and_margins(tagged)
            stages = arc_decisions([gold[k] for k in inside], guess, margins, parser.model_.options["labelling"])
            return SentenceAnswers(_arcs(guess), stages)

        return sentence_suspects(self, data, _arcs(gold), data.column("form"), answer, folds, run)

    def partial_fit(self, sentences: Source, trees: Trees | None = None, *, on_event: Callback | None = None) -> Self:
        """Make one pass over a file or sentences with trees, as `fit` takes them, and go on from the calls before.

        Copies and pickles go on, too. Later calls may have new relations. The option `tags` is "gold".
        Raises ModelError for a parser that was trained by `fit`, OptionError if options have changed, and what `fit`
        raises.
        """
        return self._pass(sentences, trees, on_event=on_event)

    def predict(self, sentences: Source) -> list[Parse]:
        """Return the tree of each sentence of a CoNLL-U file, or of words in memory (see `fit`).

        A sentence without words has an empty tree.
        """

        def trees(data: _core.Conllu) -> list[Parse]:
            return [Parse(*tree) for tree in self.parser_.predict(data, self.threads)]

        return self._of_each(sentences, trees, Parse([], []))

    def _of_each(self, sentences: Source, answer: Callable[[_core.Conllu], list[A]], empty: A) -> list[A]:
        """Return the answer about each sentence, or `empty` for one in memory without words."""
        self.check_fitted()
        if isinstance(sentences, _core.Conllu) or is_file(sentences, WANTED):
            return answer(self._encode_input(sentences))
        given = sentences_in(sentences, "input", "words")  # type: ignore[arg-type]
        found = iter(answer(self._encode_input([sentence for sentence in given if len(sentence)])))
        return [next(found) if len(sentence) else empty for sentence in given]

    def n_best(self, sentences: Source, n: int) -> list[list[tuple[Parse, float]]]:
        """Return for each sentence its n best trees with their scores, best first (eisner, order 1)."""
        n = check_n(n)

        def best(data: _core.Conllu) -> list[list[tuple[Parse, float]]]:
            return [[(Parse(*tree), score) for tree, score in each] for each in self.parser_.n_best(data, n)]

        return self._of_each(sentences, best, [(Parse([], []), 0.0)])

    @property
    def lists(self) -> NBest[_core.Conllu]:
        """The lists of the best trees, for a reranker."""
        from sapwood.tasks.parsing.answers import read_trees, tree_lists

        self.check_fitted()

        def propose(data: _core.Conllu, n: int) -> list[CandidateList]:
            return tree_lists(self.parser_, self.model_, self._tagged_file(data), n)

        read = partial(read_trees, single_root=self.params.single_root)
        return NBest(read, propose, lambda treebank: self.recipe.untrained().fit(treebank).lists)

    def margins(self, sentences: Source) -> Numbers:
        """Return the margin of each word's arc, with joint labels of arc and relation, over the best other one.

        `explain` shows the same margins. The margin of a word without an alternative is infinite. In a committee it is
        the number of other members with the arc, plus a number from 0 to 1 that grows with the first one's margin.
        """
        return self._of_each(sentences, lambda data: self.confidence.margins(data, self.threads)[0], [])

    def confidences(self, sentences: Source) -> Numbers:
        """Return the confidence in each head and relation, from 0 to 1. Raises ModelError without calibration."""
        return self._of_each(sentences, lambda data: self.confidence.of(data, self.threads), [])

    def calibrate(self, sentences: Source, trees: Trees | None = None) -> Self:
        """Fit confidences on data that training did not see, in a file or in memory as `fit` takes them.

        They are kept with the model; `calibration_error_` says how far they are from the truth (0 to 1), by
        cross-validation in five folds. Raises DataError if there are too few words.
        """
        self.check_fitted()
        data = self._treebank(sentences, trees, "held-out data")
        self.familiarity_.warn_if_seen(data, data.name)
        gold, (guess, margins) = data.trees(False), self._guess_and_margins(self._tagged_file(data))
        return self._calibrated(arc_decisions(gold, guess, margins, self.model_.options["labelling"]))

    def _guess_and_margins(self, tagged: _core.Conllu) -> tuple[Trees, Sequence[Numbers]]:
        return self.parser_.predict(tagged, self.threads), self.confidence.margins(tagged, self.threads)

    def fit_gap(self, sentences: Source, share: float = 0.99) -> Self:
        """Set the option `gap` to the least with which this share of sentences, from 0 to 1, keep their trees.

        A beam then drops what is further behind its best configuration, which saves time; such a sentence may get
        another tree (as in selectional branching; Choi & McCallum 2013). `sentences`, a file or words in memory as
        `predict` takes them, are not those of training. Raises OptionError for another search or a share that is none.
        """
        self.check_fitted()
        if not 0 < share <= 1:
            raise OptionError(f"share lies between 0 and 1, not {share!r}")
        whole = _core.Parser(self.model_.replaced(options=self.model_.options | {"gap": 0.0}))
        gaps = sorted(whole.gaps(self._encode_input(sentences), self.threads))
        if not gaps:
            raise DataError("there are no sentences to find a gap by")
        gap = max(gaps[ceil(share * len(gaps)) - 1], self.model_.scale)  # 0 would be the whole beam
        self._install(self.model_.replaced(options=self.model_.options | {"gap": gap}))
        return self.set_params(gap=gap)

    def annotate(self, blocks: Iterable[bytes], *, name: str = "input", confidence: bool = False) -> Iterator[bytes]:
        """Yield each block of a CoNLL-U file with heads and relations, without an earlier graph, all else as it was.

        confidence : with the confidence in each arc as ArcConfidence= in MISC; raises ModelError if the model is not
            calibrated

        A block ends with a sentence; `name` goes into errors. A parser with a tagger of its own also writes the tags.
        """
        self.check_fitted()
        if confidence:
            self.confidence.check()
        return self._written(self._read_blocks(blocks, shown(name)), confidence)

    def _read_blocks(self, blocks: Iterable[bytes], name: str) -> Iterator[_core.Conllu]:
        def read() -> Iterator[_core.Conllu]:
            before = None
            for block, line in with_lines(blocks):
                before = conllu.read_conllu(block, name, line, before)
                yield conllu.without_graph(self._tagged_file(before))

        return self.familiarity_.monitor(read(), name)

    def _written(self, blocks: Iterable[_core.Conllu], confidence: bool) -> Iterator[bytes]:
        for data in blocks:
            if confidence:
                trees = self.parser_.predict(data, self.threads)
                yield with_arc_confidences(data, trees, self.confidence.of(data, self.threads)).to_bytes()
            else:
                yield self.parser_.annotate(data, self.threads)

    def _parsed(self, data: bytes, name: str) -> _core.Conllu:
        return self._tagged_file(conllu.read_conllu(data, name))

    def _explain(self, data: _core.Conllu, asked: _core.Question) -> Iterator[bytes]:
        explain = partial(self.parser_.explain, data, asked, threads=self.threads)
        return in_batches(explain, data.sentences, asked)

    def evaluate(self, sentences: os.PathLike[str] | _core.Conllu, *, skip_bad: bool = False) -> TreeReport:
        """Parse a CoNLL-U file and compare with its trees. Raises DataError if they are not valid.

        skip_bad : leave out sentences without a usable tree, with a warning that counts them
        """
        from dataclasses import replace

        from sapwood.metrics.evaluation import unseen_labels, warn_of_tagset

        self.check_fitted()
        data = conllu.with_trees(self._treebank(sentences, None, "test data"), single_root=False, skip_bad=skip_bad)
        conllu.checked_text(data)
        self.familiarity_.check(data, data.name)
        warn_of_tagset(f"{data.name}, relations", chain.from_iterable(data.column("deprel")), self.labels_, "the model")
        found = tree_report(data.trees(False), self.parser_.predict(self._tagged_file(data), self.threads), data)
        return replace(found, unseen=unseen_labels(data.column("deprel"), self.labels_))

    def _answers(self, source: os.PathLike[str] | _core.Conllu) -> list[Answers]:
        self.check_fitted()
        data = self._treebank(source, None, "test data")
        gold, tagged = data.trees(False), self._tagged_file(data)
        guess = [Parse(*tree) for tree in self.parser_.predict(tagged, self.threads)]
        explain = partial(self._explain, tagged)
        answers = tree_answers(data.column("form"), shown_tags(data), gold, guess, explain)
        if self.confidence.calibrated:
            answers = answers._replace(confidences=self.confidence.of(tagged, self.threads))
        return [answers]

    def _observed(self, sentences: Source) -> Observed:
        data = self._encode_input(sentences)
        sure = self.confidence.of(data, self.threads) if self.confidence.calibrated else []
        relations = [deprels for _, deprels in self.parser_.predict(data, self.threads)]
        words = data.column("form")
        return Observed(self.familiarity_.count_each(data), relations, lambda k, place: words[k][place], sure)

    @property
    def contents(self) -> Contents:
        self.check_fitted()
        inside = {name: type(self)._of_file(part) for name, part in self.model_.parts.items() if name != "tagger"}
        tagger = {} if self.tagger_ is None else {"tagger": self.tagger_}
        return parser_contents(self.model_, self.params, self.parser_, tagger | inside)

    @classmethod
    def _with_options_of(cls, model: ModelFile, **others: object) -> Self:
        return super()._with_options_of(model, tag_columns=model.columns[: model.label], **others)

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        self.parser_: _core.Parser = _core.Parser(model)
        curves = _core.Curve.of_model(model)  # raises ModelError if they are those of another model
        apply = partial(_core.Curve.confidences, curves) if curves else None
        self._confidence = Confidence(self.parser_.margins, apply)
        self.tagger_: SequenceTagger | None = (
            tagger_of(model.parts["tagger"], model.columns[: model.label]) if "tagger" in model.parts else None
        )

    def _encode_input(self, sentences: Source) -> _core.Conllu:
        """Return words in memory or in a file with the tags that the parser reads; warn if they are unfamiliar."""
        data = self._treebank(sentences, None, "input")
        self.familiarity_.check(data, data.name)
        return self._tagged_file(data) if isinstance(sentences, os.PathLike) else self._tagged(data)

    def _treebank(self, source: Source, trees: Trees | None, name: str) -> _core.Conllu:
        return read_sentences(source, trees, self.params.tag_columns, name)

    def _tagged(self, data: _core.Conllu) -> _core.Conllu:
        warn_if_slow(data, self.params)
        return data if self.tagger_ is None else with_predicted_tags(data, self.params.tag_columns, self.tagger_)

    def _tagged_file(self, data: _core.Conllu) -> _core.Conllu:
        """Return `_tagged` data of a file. Raises DataError if they lack the tags that the parser reads."""
        columns = self.params.tag_columns
        needs_tags = self.tagger_ is None and not self.model_.options.get("untagged")
        if needs_tags and data.sentences and not conllu.has_values(data, columns):
            raise DataError(
                f"{data.where(0)}: the parser reads the tags of the data ({', '.join(columns)}), and here are "
                "none; tag the data first, or train the parser with tags='predicted'"
            )
        return self._tagged(data)
