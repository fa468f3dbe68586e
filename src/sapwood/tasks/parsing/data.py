"""What a dependency parser reads: treebanks in files, and words in memory."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence

from sapwood import _core
from sapwood.errors import OptionError, SapwoodWarning
from sapwood.io.conllu import conllu_text, read_treebank
from sapwood.model.base import is_file
from sapwood.tasks.parsing.options import ParserOptions

Source = os.PathLike[str] | _core.Conllu | Iterable[Sequence[str | Sequence[str]]]
Trees = Sequence[tuple[Sequence[int], Sequence[str]]]

WANTED = "sentences, each a list of words"


def read_sentences(source: Source, trees: Trees | None, columns: Sequence[str], name: str) -> _core.Conllu:
    """Return sentences of a file or in memory, with the tags of these columns, as a treebank. Raises DataError."""
    if isinstance(source, _core.Conllu):
        return source
    if not is_file(source, WANTED):
        return _core.Conllu.read(conllu_text(list(source), columns, trees, name), name)  # type: ignore[arg-type]
    if trees is not None:
        raise OptionError("trees beside a file: a file has them in its columns")
    return read_treebank(source)


def warn_if_slow(data: _core.Conllu, options: ParserOptions) -> None:
    """Warn of a sentence that is too long for the search, in the line that called a method of the parser."""
    if warning := _core.slow_sentence(data, options.for_core()):
        warnings.warn(warning, SapwoodWarning, stacklevel=5)
