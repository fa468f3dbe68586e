"""Multiword tokens: the words that a token consists of, learned from a treebank."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from sapwood import _core
from sapwood.errors import OptionError
from sapwood.io.conllu import read_treebank
from sapwood.model.answers import Answers
from sapwood.model.base import is_file
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.model.structure_answers import word_answers
from sapwood.tasks.rewriting import training as scripts
from sapwood.tasks.rewriting.options import SplitterOptions
from sapwood.tasks.tagging.row_tagger import RowTagger
from sapwood.tasks.tagging.training import Rows, begin_rows
from sapwood.training.checkpoints import Run
from sapwood.training.task import Training

if TYPE_CHECKING:
    from sapwood.metrics.words import SplitReport


_OFTEN = 0.05  # share of multiword tokens from which on words are known


class Splitter(RowTagger[SplitterOptions]):
    """Splits tokens into words: French *du* is *de* and *le*, English *don't* is *do* and *n't*.

    The words are made by an edit script, so that tokens which training data do not have are split, too.

    >>> Splitter(min_updates=5)
    Splitter(min_updates=5)
    """

    params_type = SplitterOptions
    task = "split"
    noun = "splitter"
    fit, reasons, explain_lines = scripts.fit, scripts.reasons, scripts.explain_lines
    row_columns = ("form", "known")
    extra_arrays: ClassVar = {"known": "known words"}

    def check_known(self, known: ModelFile) -> None:
        """Raise OptionError: it chose what it decides by the first data."""
        raise OptionError(f"a {self.noun} cannot go on with other data, by which it chose what it decides; train anew")

    def predict(self, tokens: os.PathLike[str] | _core.Conllu | Iterable[Sequence[str]]) -> list[list[list[str]]]:
        """Return the words of each token of a CoNLL-U file, or of sentences in memory. Raises DataError."""
        self.check_fitted()
        if isinstance(tokens, _core.Conllu) or is_file(tokens, "sentences, each a list of tokens"):
            rows = _core.token_rows(read_treebank(tokens))  # type: ignore[arg-type]
            return self.splitter_.words(rows, self.params.threads)
        given = [[(token,) for token in sentence] for sentence in tokens]  # type: ignore[union-attr]
        rows = _core.Columns.build([sentence for sentence in given if sentence], None, "input")
        found = iter(self.splitter_.words(rows, self.params.threads))
        return [next(found) if sentence else [] for sentence in given]

    def evaluate(self, source: os.PathLike[str] | _core.Conllu) -> SplitReport:
        """Split the tokens of a CoNLL-U file, and compare with its words. Raises DataError."""
        from sapwood.metrics.words import split_scores

        self.check_fitted()
        data = read_treebank(source)
        return split_scores(_core.token_words(data), self.predict(data))

    def answers(self, source: os.PathLike[str] | _core.Conllu) -> list[Answers]:
        """Return the words of each token of a CoNLL-U file, and the splitter's. Raises DataError."""
        self.check_fitted()
        data = read_treebank(source)
        rows = self.rows_of(data)
        explain = partial(self.explained_rows, rows)
        return [word_answers(rows.column(0), _core.token_words(data), self.predict(data), explain)]

    def begin_treebank(self, data: _core.Conllu, run: Run) -> Training:
        """Return what is trained on a treebank. Raises SapwoodError."""
        known = self.params.known_words == "always" or (self.params.known_words == "auto" and _share(data) >= _OFTEN)
        names = [*self.row_columns, "label"]
        extra = {"known": Array.of("U32", _core.known_words(data))} if known else {}
        template = "split-words" if known and self.params.template == "split" else self.params.template
        examples = _core.split_examples(data, known)
        rows = Rows(
            task=self.task,
            data=examples,
            held_out=None,
            names=names,
            label=len(names) - 1,
            extra=extra,
            template=template,
        )
        return begin_rows(rows, self.params)

    def complete(self, data: _core.Conllu) -> None:
        """Add nothing."""

    def rows_of(self, data: _core.Conllu) -> _core.Columns:
        """Return the rows that the tagger labels. Raises DataError."""
        return self.splitter_.rows(_core.token_rows(data))

    def score_of(self, data: _core.Conllu) -> float:
        """Return what held-out data are scored by, in percent."""
        return self.evaluate(data).words.f1

    def install(self, model: ModelFile) -> None:
        """Take what a model file holds. Raises SapwoodError if it does not hold it."""
        super().install(model)
        self.splitter_: _core.Splitter = _core.Splitter(self.tagger_, model.extra_bytes("known", "U32") or b"")


def _share(data: _core.Conllu) -> float:
    """Return how many of the tokens are several words, a fraction of 1."""
    tokens = [words for sentence in _core.token_words(data) for words in sentence]
    return sum(len(words) > 1 for words in tokens) / len(tokens)
