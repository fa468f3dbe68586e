"""Files of words with their lemmas: form, tag and lemma on a line, with tabs or commas between them."""

import os
from typing import NamedTuple

from sapwood.errors import DataError, shown
from sapwood.io.text import plain_text, read_bytes


class LexiconEntry(NamedTuple):
    """A form with a universal part of speech, and the lemmas that it may have."""

    form: str
    upos: str
    lemmas: list[str]


def read_lemma_lexicon(path: str | os.PathLike[str]) -> list[LexiconEntry]:
    """Read a lexicon. Tags are UPOS, in upper or lower case. Several possible lemmas have slashes between them.

    Raises DataError, with the line, for a line that does not have three values.
    """
    name = shown(path)
    lines = plain_text(read_bytes(path), name).splitlines()
    separator = "\t" if lines and "\t" in lines[0] else ","
    entries = []
    for number, line in enumerate(lines, start=1):
        values = line.split(separator)
        if len(values) != 3 or not all(values):
            raise DataError(f"{name}:{number}: a line has a form, a tag and a lemma with tabs or commas between them")
        entries.append(LexiconEntry(values[0], values[1].upper(), values[2].split("/")))
    return entries
