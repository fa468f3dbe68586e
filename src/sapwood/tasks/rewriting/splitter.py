"""Multiword tokens: the words that a token consists of, learned from a treebank."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from sapwood import _core
from sapwood.errors import ModelError, OptionError
from sapwood.io.conllu import read_treebank
from sapwood.model.base import is_file
from sapwood.model.file.container import Array
from sapwood.model.structure_answers import word_answers
from sapwood.options import changed, option
from sapwood.tasks.rewriting.model import TreebankRewriter

if TYPE_CHECKING:
    from sapwood.metrics.words import SplitReport
    from sapwood.model.answers import Answers
    from sapwood.model.file.schema import ModelFile
    from sapwood.training.checkpoints import Run
    from sapwood.training.task import Training


_OFTEN = 0.05  # share of multiword tokens from which on words are known


class Splitter(TreebankRewriter):
    """Splits tokens into words: French *du* is *de* and *le*, English *don't* is *do* and *n't*.

    The words are made by an edit script, so that tokens which training data do not have are split, too.

    >>> Splitter(min_updates=5)
    Splitter(min_updates=5)
    """

    task = "split"
    noun = "splitter"
    row_columns = ("form", "known")
    extra_arrays = ("known",)

    template: str | os.PathLike[str] = changed(
        default="split",
        help="name of a shipped template (split; in its place split-words where words are known), path of a file, or "
        "the text itself; its columns are form and known",
    )
    known_words: Literal["auto", "always", "never"] = option(
        default="auto",
        help="keep the treebank's words, so that parts of tokens are known to be words; auto: where at least one token "
        "in twenty is several words",
    )
    gamma: float = changed(default=5.0)
    min_updates: int = changed(default=3)

    def _check_known(self, known: ModelFile) -> None:
        raise OptionError(f"a {self.noun} cannot go on with other data, by which it chose what it decides; train anew")

    def predict(self, tokens: os.PathLike[str] | _core.Conllu | Iterable[Sequence[str]]) -> list[list[list[str]]]:
        """Return the words of each token of a CoNLL-U file, or of sentences in memory. Raises DataError."""
        self._check_fitted()
        if isinstance(tokens, _core.Conllu) or is_file(tokens, "sentences, each a list of tokens"):
            rows = _core.token_rows(read_treebank(tokens))  # type: ignore[arg-type]
            return self.splitter_.words(rows, self.threads)
        given = [[(token,) for token in sentence] for sentence in tokens]  # type: ignore[union-attr]
        rows = _core.Columns.build([sentence for sentence in given if sentence], None, "input")
        found = iter(self.splitter_.words(rows, self.threads))
        return [next(found) if sentence else [] for sentence in given]

    def evaluate(self, source: os.PathLike[str] | _core.Conllu) -> SplitReport:
        """Split the tokens of a CoNLL-U file, and compare with its words. Raises DataError."""
        from sapwood.metrics.words import split_scores

        self._check_fitted()
        data = read_treebank(source)
        return split_scores(_core.token_words(data), self.predict(data))

    def answers(self, source: os.PathLike[str] | _core.Conllu) -> list[Answers]:
        """Return the words of each token of a CoNLL-U file, and the splitter's. Raises DataError."""
        self._check_fitted()
        data = read_treebank(source)
        return [word_answers(_core.token_words(data), self.predict(data), self, self._explained_of(data))]

    def owners(self) -> dict[str, str]:
        """Return whose bytes the arrays of the model file are, by what their names begin with."""
        return super().owners() | {"extra.known": "known words"}

    def _begin_treebank(self, data: _core.Conllu, run: Run) -> Training:
        known = self.known_words == "always" or (self.known_words == "auto" and _share(data) >= _OFTEN)
        names = [*self.row_columns, "label"]
        extra = {"known": Array.of("U32", _core.known_words(data))} if known else {}
        template = "split-words" if known and self.template == "split" else self.template
        return self._begin_rows(_core.split_examples(data, known), None, names, len(names) - 1, extra, template)

    def _explained_of(self, data: _core.Conllu) -> _core.Columns:
        return self.splitter_.rows(_core.token_rows(data))

    def _score_of(self, data: _core.Conllu) -> float:
        return self.evaluate(data).words.f1

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        known = model.extra.get("known", Array.of("U32", b""))
        if known.dtype != "U32":
            raise ModelError("its known words are not hashes of 32 bits")
        self.splitter_: _core.Splitter = _core.Splitter(self.tagger_, bytes(known.data))


def _share(data: _core.Conllu) -> float:
    """Return how many of the tokens are several words, a fraction of 1."""
    tokens = [words for sentence in _core.token_words(data) for words in sentence]
    return sum(len(words) > 1 for words in tokens) / len(tokens)
