"""What a dependency parser reads: treebanks in files, and words in memory."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import DataError, OptionError, SapwoodWarning
from sapwood.io.conllu import conllu_text, has_values, read_treebank
from sapwood.model.base import is_file
from sapwood.tasks.parsing.jackknife import with_tags
from sapwood.tasks.parsing.options import ParserOptions

if TYPE_CHECKING:
    from sapwood.tasks.tagging.model import SequenceTagger

Word = str | Sequence[str]

Source = os.PathLike[str] | _core.Conllu | Iterable[Sequence[Word]]

Trees = Sequence[tuple[Sequence[int], Sequence[str]]]


WANTED = "sentences, each a list of words"


class ParserInput(ParserOptions):
    """A parser, as far as its input is concerned."""

    tagger_: SequenceTagger | None  # of a fitted parser that brings its own tagger along

    def _seen(self, sentences: Source) -> _core.Conllu:
        """Return words in memory or in a file with the tags that the parser is to see."""
        data = self._treebank(sentences, None, "input")
        return self._file(data) if is_file(sentences, WANTED) else self._input(data)

    def _treebank(self, source: Source, trees: Trees | None, name: str) -> _core.Conllu:
        if isinstance(source, _core.Conllu):
            return source
        if not is_file(source, WANTED):
            return _core.Conllu.read(conllu_text(list(source), self.tag_columns, trees, name), name)  # type: ignore[arg-type]
        if trees is not None:
            raise OptionError("trees beside a file: a file has them in its columns")
        return read_treebank(source)  # type: ignore[arg-type]

    def _input(self, data: _core.Conllu) -> _core.Conllu:
        """Return the data with the tags that the parser is to see."""
        self._warn_if_slow(data)
        return data if self.tagger_ is None else with_tags(data, self.tag_columns, self.tagger_)

    def _file(self, data: _core.Conllu) -> _core.Conllu:
        """Return the data of a file as _input does. Raises DataError if they lack the tags that the parser reads."""
        if self._wants_tags() and data.sentences and not has_values(data, self.tag_columns):
            raise DataError(
                f"{data.where(0)}: the parser reads the tags of the data ({', '.join(self.tag_columns)}), and here are "
                "none; tag the data first, or train the parser with tags='predicted'"
            )
        return self._input(data)

    def _wants_tags(self) -> bool:
        """Whether the parser reads tags that the data must have."""
        return self.tagger_ is None and not self.model_.options.get("untagged")

    def _warn_if_slow(self, data: _core.Conllu) -> None:
        """Warn of a sentence that is too long for the search, in the line that called a method of the parser."""
        if warning := _core.slow_sentence(data, self.search, self.order):
            warnings.warn(warning, SapwoodWarning, stacklevel=5)
