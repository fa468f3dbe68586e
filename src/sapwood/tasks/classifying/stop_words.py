"""Stop words: a file of words that a classifier leaves out of texts before it takes features.

They are a word list of the model, and an S line of its template: ``S:%IN[0,0,"stop.txt"]``.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.io.source import decode_text, read_bytes, shown
from sapwood.templates import read_word_lists

_LINE = re.compile(r'^S:%IN\[0,0,"([^"]+)"\]\s*$', re.MULTILINE)


def with_stop_words(template: str, known: Sequence[str], file: str | os.PathLike[str]) -> str:
    """Return a template's text with a line that leaves the words of a file out.

    known : the names of the template's word lists. Raises OptionError if the file cannot have a name beside them.
    """
    name = Path(file).name
    if name in known:
        raise OptionError(f"stop_words: the template names a word list {name}, too; give the file another name")
    if not name.isprintable() or set(name) & {'"', "\\"}:
        raise OptionError(f"stop_words: a template cannot name the file {shown(file)}; give it a simpler name")
    return f'{template.rstrip()}\nS:%IN[0,0,"{name}"]\n'


def lists_of(template: str, names: Sequence[str], folder: str | os.PathLike[str]) -> list[tuple[str, _core.WordList]]:
    """Return the word lists of a template, as `read_word_lists` does, with stop words in lower case.

    So a model with stop words can be trained again from its template and the same files.
    """
    stopping = set(_LINE.findall(template))
    found = read_word_lists(names, folder, plain_apostrophes=True)  # files outside of the folder are refused
    return [read_stop_words(Path(folder, name)) if name in stopping else (name, words) for name, words in found]


def read_stop_words(file: str | os.PathLike[str]) -> tuple[str, _core.WordList]:
    """Return the name and the words of a file, one word or phrase a line, in lower case. Raises DataError."""
    place = shown(file)
    try:
        text = decode_text(read_bytes(file), place)
    except DataError as error:
        raise DataError(f"stop words {error}") from None
    if not text.strip():
        raise DataError(f"stop words {place}: there is no word in it")
    try:
        return Path(file).name, _core.WordList.read(text.lower().encode(), plain_apostrophes=True)
    except DataError as error:
        raise DataError(f"stop words {place}: {error}") from None
