"""The options of lemmatizers and splitters."""

from __future__ import annotations

import os
from typing import Literal

from sapwood.errors import OptionError
from sapwood.io.lexicons import LEXICON_LINES, LexiconEntry
from sapwood.options import option
from sapwood.parts import TAGS
from sapwood.tasks.tagging.options import PYTHON_ONLY, SEARCHES, RowOptions

LEMMA_COLUMNS = ("form", *TAGS, "next", "tags")  # core/rewriting/next_words.hpp

# Each script is chosen by itself, so the search and what goes with it are not to be chosen.
_SEARCH = option(default="argmax")


def _check_search(options: RowOptions, noun: str) -> None:
    if SEARCHES[options.search].joins or SEARCHES[options.search].whole:
        raise OptionError(f"a {noun} chooses each script by itself: its search is argmax, not {options.search}")


class LemmatizerOptions(RowOptions):
    """The options of a lemmatizer."""

    first = ("lexicon", "min_updates", "epochs")
    python_only = (*PYTHON_ONLY, "min_words")

    template: str | os.PathLike[str] = option(default="lemma").described(
        "name of a shipped template (lemma), path of a file, or the text itself; its columns are form, upos, xpos "
        "and feats"
    )
    dictionary: str = option(default="upos")
    lexicon: str | os.PathLike[str] | list[LexiconEntry] | None = option(
        group="reading", default=None, metavar="FILE"
    ).described(
        f"words with their lemmas: {LEXICON_LINES}; the model keeps those that it would get wrong and training "
        "data do not have"
    )
    min_words: int = option(default=1, least=1, core=False, metavar="N", kept=True).described(
        "leave out words whose edit script changes letters and is that of fewer words of the training data; with "
        "2, most misspelled ones"
    )
    search: str = _SEARCH
    gamma: float = option(default=1.0)
    min_updates: int = option(default=2)

    def check_options(self) -> None:
        super().check_options()
        _check_search(self, "lemmatizer")


class SplitterOptions(RowOptions):
    """The options of a splitter."""

    python_only = (*PYTHON_ONLY, "known_words")

    template: str | os.PathLike[str] = option(default="split").described(
        "name of a shipped template (split; in its place split-words where words are known), path of a file, or "
        "the text itself; its columns are form and known"
    )
    known_words: Literal["auto", "always", "never"] = option(kept="training", default="auto", core=False).described(
        "keep the treebank's words, so that parts of tokens are known to be words; auto: where at least one token "
        "in twenty is several words"
    )
    gamma: float = option(default=5.0)
    min_updates: int = option(default=3)
    search: str = _SEARCH

    def check_options(self) -> None:
        super().check_options()
        _check_search(self, "splitter")
