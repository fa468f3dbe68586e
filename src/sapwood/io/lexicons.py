"""Files about words: clusters, and words with their lemmas."""

import os
import re
from typing import NamedTuple

import sapwood._core as _core
from sapwood.errors import DataError
from sapwood.io.source import plain_text, read_bytes, shown

EVERY_WORD = (1 << 64) - 1


def read_clusters(path: str | os.PathLike[str], limit: int | None = None) -> _core.WordClusters:
    """Return word clusters: ``bits TAB word TAB count`` a line, as the `paths` of Percy Liang's program.

    limit : keep so many of the most frequent words, which have the largest third column

    Raises DataError, with the line, if it is not such a file.
    """
    return _core.WordClusters.read(read_bytes(path), shown(path), EVERY_WORD if limit is None else limit)


class LexiconEntry(NamedTuple):
    """A form with a universal part of speech, and the lemmas that it may have."""

    form: str
    upos: str
    lemmas: list[str]


LEXICON_LINES = "form, tag and lemma a line, with tabs or commas between them, or a file of UniMorph"


_UPOS = {"V": "VERB", "N": "NOUN", "PRO": "PRON", "ART": "DET", "COMP": "SCONJ", "CONJ": "CCONJ", "CLF": "NOUN"}


def read_lemma_lexicon(path: str | os.PathLike[str]) -> list[LexiconEntry]:
    """Read words with their lemmas, in the lines of a lexicon, or of UniMorph: ``go TAB went TAB V;PST``.

    Tags are UPOS, in upper or lower case; those of UniMorph become UPOS. The third column has the tags if
    the second one has the form itself more often than it, as lemmas do, or if it has fewer values, all in capitals.
    Several possible lemmas have slashes between them. Raises DataError, with the line, for a line without three values.
    """
    name = shown(path)
    lines = _core.composed(plain_text(read_bytes(path), name)).splitlines()
    separator = "\t" if lines and "\t" in lines[0] else ","
    unimorph = 2 * len(re.findall(r"(?m)^[^\t\n]+\t[^\t\n]+\t[A-Z.]+;", "\n".join(lines))) > sum(map(bool, lines))
    rows = [line.split(separator) for line in lines]
    second, third = ({row[k] for row in rows if len(row) > k} for k in (1, 2))
    is_form = [sum(row[0].lower() == row[k].lower() for row in rows if len(row) > k) for k in (1, 2)]
    in_capitals = all(map(str.isupper, third)) and not all(map(str.isupper, second))
    tags_last = is_form[0] > is_form[1] or (in_capitals and len(third) < len(second))
    tag, lemma = (2, 1) if tags_last else (1, 2)
    entries = []
    for number, (line, values) in enumerate(zip(lines, rows, strict=True), start=1):
        if unimorph and not line.strip():  # between lemmas
            continue
        if len(values) not in (3, 3 + unimorph) or not all(values[:3]):  # the fourth one has the form's segments
            raise DataError(f"{name}:{number}: a line has a form, a tag and a lemma with tabs or commas between them")
        if unimorph:
            kind = re.split("[;.]", values[2])[0]
            entries.append(LexiconEntry(values[1], _UPOS.get(kind, kind), [values[0]]))
        else:
            entries.append(LexiconEntry(values[0], values[tag].upper(), values[lemma].split("/")))
    return entries


def entries_of(lexicon: str | os.PathLike[str] | list[LexiconEntry] | None) -> list[LexiconEntry]:
    """Return the entries of a lexicon, which may be a file. Raises DataError."""
    return read_lemma_lexicon(lexicon) if isinstance(lexicon, (str, os.PathLike)) else lexicon or []
