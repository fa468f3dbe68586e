"""Multiword tokens: the words that a token consists of, learned from a treebank."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from sapwood import _core
from sapwood.learning.options import changed
from sapwood.models.base import is_file
from sapwood.models.rewriting import TreebankRewriter, read_treebank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sapwood.metrics.words import SplitReport


class Splitter(TreebankRewriter):
    """Splits tokens into words: French *du* is *de* and *le*, English *don't* is *do* and *n't*.

    The words are made by an edit script, so that tokens which training data do not have are split, too.

    >>> Splitter(min_updates=5)
    Splitter(min_updates=5)
    """

    task = "split"
    noun = "splitter"
    row_columns = ("form",)
    most_words = 64

    template: str | os.PathLike[str] = changed(
        default="split",
        help="name of a shipped template (split), path of a file, or the text itself; its column is form",
    )
    gamma: float = changed(default=5.0)
    min_updates: int = changed(default=3)

    def predict(self, tokens: os.PathLike[str] | _core.Conllu | Iterable[Sequence[str]]) -> list[list[list[str]]]:
        """Return the words of each token of a CoNLL-U file, or of sentences in memory. Raises DataError."""
        self._check_fitted()
        if isinstance(tokens, _core.Conllu) or is_file(tokens, "sentences, each a list of tokens"):
            rows = _core.token_rows(read_treebank(tokens), labelled=False)  # type: ignore[arg-type]
            return self.rewriter_.words(rows, self.threads)
        given = [[(token,) for token in sentence] for sentence in tokens]  # type: ignore[union-attr]
        rows = _core.Columns.build([sentence for sentence in given if sentence], None, "input")
        found = iter(self.rewriter_.words(rows, self.threads))
        return [next(found) if sentence else [] for sentence in given]

    def evaluate(self, source: os.PathLike[str] | _core.Conllu) -> SplitReport:
        """Split the tokens of a CoNLL-U file, and compare with its words. Raises DataError."""
        from sapwood.metrics.words import split_scores

        self._check_fitted()
        data = read_treebank(source)
        return split_scores(_core.token_words(data), self.predict(data))

    def _examples(self, data: _core.Conllu) -> _core.Columns:
        return _core.token_rows(data, labelled=True)

    def _score_of(self, data: _core.Conllu) -> float:
        return self.evaluate(data).words.f1
