"""Phrase-structure parsing by a grammar that is read off a treebank: a base parser for rerankers.

There is no learner: rules and words are counted (Charniak 1996; markovised as in Klein & Manning 2003), and CKY finds
the most probable trees.

>>> from sapwood.tasks.parsing.grammar import PhraseParser
>>> trees = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"]
>>> PhraseParser().fit(trees).parse([["the", "cat", "barks"]])
['(TOP (S (NP (DT the) (NN cat)) (VP (VBZ barks))))']
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Self

import sapwood._core as _core
from sapwood.base.candidates import CandidateList
from sapwood.errors import DataError, ModelError
from sapwood.io.columns import given_tokens
from sapwood.io.formats import named_in_errors, other_format, warn_of_format
from sapwood.io.memory import COUNTED, called, check_list, has_parts
from sapwood.io.source import read_bytes, shown
from sapwood.model.answers import Answers
from sapwood.model.base import Model, is_file
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents
from sapwood.options import THREADS, Options, option
from sapwood.tasks.parsing.answers import bracket_answers
from sapwood.training.nbest import NBest, check_n, proposed_lists
from sapwood.version import __version__

if TYPE_CHECKING:
    from sapwood.metrics.brackets import BracketReport


NO_TREE = -1e6  # log probability of the flat tree of a sentence for which the grammar has no tree
_NOT_IN_WORDS = re.compile(r"[ \t\r\n\0]")
_BRACKETS = str.maketrans({"(": "-LRB-", ")": "-RRB-"})  # as treebanks write them


class PhraseTreebank:
    """The sentences of a file: their words and, unless it is a text, their normalised trees."""

    def __init__(self, name: str, words: list[list[str]], gold: list[str] | None) -> None:
        self.name, self.words, self.gold = name, words, gold

    def __len__(self) -> int:
        return len(self.words)

    def select(self, chosen: Sequence[int], /) -> PhraseTreebank:
        return PhraseTreebank(self.name, [self.words[k] for k in chosen], self.gold and [self.gold[k] for k in chosen])


class GrammarOptions(Options):
    """The options of a grammar."""

    vertical: int = option(command=False, default=2, least=1, metavar="V", kept=True).described(
        "labels that a category knows from itself upwards, 2: itself and its parent (NP^S)"
    )
    horizontal: int = option(command=False, default=2, least=0, metavar="H", kept=True).described(
        "children to the left that the next child of a category knows"
    )
    threads: int = THREADS.changed(command=False)


class PhraseParser(Model[GrammarOptions]):
    """A probabilistic context-free grammar with its parser.

    A sentence of more than 200 words, or without a tree, gets a flat one of log probability -1,000,000.
    """

    _params_type = GrammarOptions
    task = "grammar"
    _noun = "grammar"

    def fit(self, trees: os.PathLike[str] | PhraseTreebank | Iterable[str]) -> Self:
        """Read the grammar off a treebank's file, whose path is a pathlib.Path, or off trees in brackets.

        Functional tags and traces are taken out first. Raises DataError with name and line, OptionError.
        """
        self.params.check_options()
        if isinstance(trees, PhraseTreebank):
            name, normalised = trees.name, trees.gold or []
        elif is_file(trees, "trees in brackets, a list of strings"):
            name = shown(trees)  # type: ignore[arg-type]
            normalised = _normalised(read_bytes(trees), name)  # type: ignore[arg-type]
        else:
            name, normalised = "trees", _core.normalised_trees("\n".join(trees).encode(), "trees")  # type: ignore[arg-type]
        if not normalised:
            raise DataError(f"{name}: there is no tree with words in it to read a grammar off")
        context = min(self.params.vertical, 1000), min(self.params.horizontal, 1000)
        counts = _core.TreebankGrammar.of_trees(normalised, *context)
        self._install(
            ModelFile(
                task=self.task,
                labels=_core.PhraseParser(counts).labels,
                template="",
                columns=["word"],
                label=0,
                options=self.params.kept(),
                bits=32,
                extra={"grammar": Array.of("U8", counts.to_text())},
                provenance={"sapwood": __version__, "trees": len(normalised)},
            )
        )
        return self

    def parse(self, sentences: Iterable[Sequence[str]]) -> list[str]:
        """Return the most probable tree of each sentence, in brackets. Raises DataError with a sentence's number."""
        return [best[0][0] for best in self.n_best(sentences, 1)]

    def n_best(self, sentences: Iterable[Sequence[str]], n: int) -> list[list[tuple[str, float]]]:
        """Return the n most probable trees of each sentence with their log probabilities, best first, all different.

        Raises DataError with the number of a sentence that is empty or has a word that cannot be one, and OptionError.
        """
        self.params.check_options()
        n = check_n(n)
        self.check_fitted()
        check_list(sentences, "sentences")
        checked = [_words(sentence, number) for number, sentence in enumerate(sentences, 1)]
        return self.parser_.parse(checked, n, self.threads)

    def evaluate(self, file: os.PathLike[str]) -> BracketReport:
        """Parse the words of a file of trees, and score the brackets. Raises DataError with the place."""
        from sapwood.metrics.brackets import bracket_scores

        return bracket_scores(*self._gold_and_guess(file))

    def _answers(self, file: os.PathLike[str]) -> list[Answers]:
        return [bracket_answers(*self._gold_and_guess(file))]

    def _gold_and_guess(self, file: os.PathLike[str]) -> tuple[list[str], list[str]]:
        is_file(file, "a file of trees in brackets")
        data = read_bytes(file)
        if not _begins_with_bracket(data):
            with named_in_errors(data, "trees"):
                raise DataError(f"{shown(file)}: scores need a file of trees in brackets")
        trees = words_or_trees(data, shown(file))
        assert trees.gold is not None
        return trees.gold, self.parse(trees.words)

    @property
    def contents(self) -> Contents:
        self.check_fitted()
        learned = f"{self.parser_.rules:,} rules, {self.parser_.states:,} states"
        return Contents(self.model_, learned=learned, arrays={"extra": "rules"})

    def _install(self, model: ModelFile) -> None:
        rules = model.extra.get("grammar")
        if rules is None or rules.dtype != "U8":
            raise ModelError("it has no grammar")
        super()._install(model)
        self.parser_: _core.PhraseParser = _core.PhraseParser(_core.TreebankGrammar.of_text(bytes(rules.data)))

    @property
    def lists(self) -> NBest[PhraseTreebank]:
        """The lists of the most probable trees, for a reranker."""
        self.check_fitted()

        def read(data: bytes, name: str, train: bool, line: int, _: object) -> PhraseTreebank:
            return _of_trees(_normalised(data, name), name) if train else words_or_trees(data, name, line)

        return NBest(read, self._propose, lambda trees: type(self)(**self.get_params()).fit(trees).lists, "line")

    def _propose(self, data: PhraseTreebank, n: int) -> list[CandidateList]:
        gold = data.gold if data.gold is not None else [None] * len(data)
        return proposed_lists("tree", self.n_best(data.words, n), [data.words], gold, data.name)


def words_or_trees(data: bytes, name: str, line: int = 1) -> PhraseTreebank:
    """Return the sentences of a file of trees, normalised, or of text with a sentence a line, words between spaces.

    Raises DataError with name and line.
    """
    if line == 1 and _begins_with_bracket(data):
        try:
            gold = _normalised(data, name)
        except DataError as error:
            raise DataError(f"{error}; what begins with a bracket is read as trees, in text write -LRB-") from None
        return _of_trees(gold, name)
    if line == 1:
        warn_of_format(data, name, "tokens")
    return PhraseTreebank(name, [words for words in given_tokens(data, name, line) if words], None)


def _begins_with_bracket(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"(")


def _normalised(data: bytes, name: str) -> list[str]:
    if (looks := other_format(data, "trees")) and "discontinuous" in looks:
        raise DataError(f"{name}: {looks}, and grammars read trees whose words stand in the order of the text")
    with named_in_errors(data, "trees"):
        return _core.normalised_trees(data, name)


def _of_trees(trees: list[str], name: str) -> PhraseTreebank:
    return PhraseTreebank(name, [[word for _, word in _core.read_tree(tree, name)[1]] for tree in trees], trees)


def _words(sentence: Sequence[str], number: int) -> list[str]:
    if not has_parts(sentence) or len(sentence) == 0:
        came = "" if has_parts(sentence) else f", not {called(sentence)}"
        raise DataError(f"sentence {number}: a list of words is needed, with one word at least{came} {COUNTED}")
    for word in sentence:
        if not isinstance(word, str) or not word or _NOT_IN_WORDS.search(word):
            raise DataError(f"sentence {number}: {word!a} is no word: it is empty or has a space in it")
        if any("\ud800" <= c <= "\udfff" for c in word):
            raise DataError(f"sentence {number}: {word!a} is not a string of valid Unicode")
    return [word.translate(_BRACKETS) for word in sentence]
