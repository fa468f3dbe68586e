"""The format of a text, by signs in its first characters, so that a table is not read as prose unnoticed.

The signs are those that prose lacks: tags, brackets, columns. A text of another kind without such signs, as one of
another language, is left to the familiarity of a model. A text may begin and end in the middle of a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sapwood.errors import DataError, Listener, warn_unfamiliar
from sapwood.io.no_text import is_text

LOOKED_AT = 4096  # characters


class Sign(NamedTuple):
    """A pattern that texts of a format have so often: `times` in all, and for each word or line that is not blank."""

    pattern: str
    needs: str  # characters, without all of which a text does not have the pattern
    times: int = 1
    per_word: float = 0
    per_line: float = 0

    def is_in(self, text: str, lines: int) -> bool:
        """Return true if a text of so many lines has the sign."""
        if not any(map(text.__contains__, self.needs)):
            return False
        found = sum(1 for _ in re.finditer(self.pattern, text))
        return found >= self.times and found >= self.per_line * lines and found >= self.per_word * len(text.split())


_CRFSUITE, _TAGGED, _CODE, _PROSE = "CRFsuite's format", "word/TAG, a sentence a line", "program code", "plain text"
_NAME = r"[A-Za-z][\w:.-]*"  # the name of a tag
_CELL = r"[\w.:/+-]{1,30}"
SIGNS = {  # format -> its signs, one of which is enough
    "RTF": (Sign(r"\\(?:rtf1|par|pard|plain|tab|cell|row|fs\d+|'[0-9a-f]{2})\b", times=2, needs="\\"),),
    "CoNLL-U": (
        Sign(r"(?m)^\d+(?:[-.]\d+)?\t\S+(?: \S+)*\t[^\t\n]+\t[A-Z_]+\t", needs="\t"),
        Sign(r"(?m)^# (?:text|sent_id|newdoc id|newpar id|global\.columns) = ", needs="#"),
    ),
    _CRFSUITE: (Sign(r"(?m)^[^\s=]+\t\w[^\s=]*=", times=3, per_line=0.9, needs="="),),
    _TAGGED: tuple(
        Sign(rf"(?<!\S)\S{{1,60}}{mark}(?![a-z\d])[^a-z\s]{{1,20}}(?!\S)", times=3, per_word=0.95, needs=mark[-1])
        for mark in ("/", "_", r"\|")
    ),
    "JSON": (
        Sign(r'(?m)(?:^|[{,])\s*"[\w .-]+"\s*:\s*(?:["\[{]|-?\d|true|false|null)', needs='"'),
        Sign(r'\A\[(?:\[|"|\{)', needs='"'),
    ),
    "HTML": (
        Sign(r"(?i)\A\s*<!doctype html", needs="<"),
        Sign(
            r"(?i)</?(?:html|head|body|div|span|p|a|br|b|i|li|ul|td|tr|table|script|h[1-6])\b",
            times=2,
            per_word=1 / 30,
            needs="<",
        ),
    ),
    "XML": (
        Sign(
            rf"<\?xml|</{_NAME}>|<{_NAME}\s[^<>]*/>|<{_NAME}\s+{_NAME}\s*=\s*[\"'][^<>]*>", per_word=1 / 60, needs="<"
        ),
    ),
    "bracketed trees": (
        Sign(
            r"\((?:[A-Z][\w$=|:-]*|[$.,:`'#]+|-[A-Z]+-)?\s+(?=[(\w$.,:`'\"#%&*-])|\(\(",
            times=3,
            per_word=1 / 3,
            needs="(",
        ),
    ),
    "SVM-light": (
        Sign(
            r"(?m)^[^\s:#]*(?:[^\S\n]+(?:\d+:|[^\s:=]+:(?:[-+.\d]\S*|(?i:nan|inf\w*))))+[^\S\n]*(?:#.*)?$",
            per_line=0.5,
            needs=":",
        ),
    ),
    "columns between tabs": (Sign(r"\S\t+(?=\S)", times=2, per_line=0.6, needs="\t"),),
    "CSV": (
        Sign(rf'(?ma)^(?!\d{{1,3}}(?:,\d{{3}})+\b){_CELL}(?:,{_CELL}){{0,9}},"\w', needs=","),
        Sign(
            rf'(?ma)^(?!\d{{1,3}}(?:,\d{{3}})+\b)(?:{_CELL}|"[^"\n]*")(?:,(?:["\w.+-]|,|$))',
            times=2,
            per_line=0.75,
            needs=",",
        ),
        Sign(rf'(?ma)^(?:{_CELL}|"[^"\n]*");["\w.+-]', times=3, per_line=0.75, needs=";"),
    ),
    "columns of words and labels": tuple(
        Sign(rf"(?m)^\S+(?: \S+){{{n}}}$", times=7, per_line=0.9, needs=" ") for n in (1, 2, 3)
    ),
    "a token a line": (Sign(r"(?m)^\S+$", times=12, per_line=0.95, needs="\n"),),
    _CODE: (
        Sign(  # the head of a function or class, quotes around a docstring, an example with a prompt
            r"(?m)^[ \t]*(?:(?:async )?def \w+\(.*|class \w+(?:\(.*\))?:|[rbu]?(?:\"\"\"|''')|>>> .*)[ \t]*$",
            needs="(:\"'>",
        ),
        Sign(r"\A(?:[ \t]*(?:#.*)?\n)*[ \t]*[rbu]?(?:\"\"\"|''')", needs="\"'"),
        Sign(  # statements of most languages: imports, branches, assignments, calls, brackets that begin and end blocks
            r"(?m)^[ \t]*(?:from \S+ import\b|import [\w.]+(?: as \w+)?$|#include\b|(?:return|raise|yield)\b.*[\w)\]]$"
            r"|(?:if|elif|for|while|with|try|except|else|finally)\b.*:$|@\w[\w.]*(?:\(.*)?$"
            r"|[\w.\[\]]+ [-+*/|]?= \S|[\w.]+\(.*\)?[,;:]?$|.*[{(\[]$|(?=.*[=({:<]).*;$|(?=.*\{).*\}$|[\])}]+[,;:]?$)",
            needs="=({;",
            times=2,
            per_line=0.25,
        ),
    ),
}
_ROWS = ("columns between tabs", "columns of words and labels", "a token a line")
_OF_ROWS = ("columns", "names")  # readers of rows, which take whatever has as many cells in every line
_SURE = ("RTF", "CoNLL-U", _CRFSUITE, _TAGGED, "bracketed trees")  # whatever cells lines have
_READ = {  # kind of input -> its name in messages, and the formats that it may look like
    "text": (_PROSE, ()),
    "tokens": ("a sentence a line, its tokens between spaces", ()),
    "columns": ("a token a line, with its columns", _ROWS),
    "names": ("a word a line, with its label", (*_ROWS, "CoNLL-U")),  # its sentences may have comments
    "labels": ("a label a line", (*_ROWS, "HTML", "XML", _CODE, "SVM-light", _PROSE)),
    "conllu": ("CoNLL-U", ("CoNLL-U",)),
    "trees": ("trees in brackets", ("bracketed trees",)),
    "lists": ("lists of candidates", ("JSON", "bracketed trees")),
    # Documents may be names, programs or bits of HTML, so only what is surely something else is told.
    "fasttext": ("an example a line", ("HTML", "XML", _CODE, _TAGGED, *_ROWS[1:], _PROSE)),
    "svmlight": ("SVM-light's format", ("SVM-light",)),
    "jsonl": ("lines of JSON", ("JSON",)),
    "csv": ("CSV", ("CSV", _ROWS[0])),
    "senseval": ("Senseval's format", ("HTML", "XML")),
}
_READERS = {  # the readers of each format that is no running text
    "CoNLL-U": "'sapwood annotate --input conllu' and parsers read it",
    _CRFSUITE: "put a word first and its label last, or give SequenceTagger dicts of attributes in Python",
    _TAGGED: "put each word on a line of its own, its tag behind it after a space, and a blank line after a sentence",
    **dict.fromkeys(_ROWS, "'sapwood tag' labels it"),
    _PROSE: "'sapwood annotate --input text' reads it",
    "bracketed trees": "grammars read them",
    "CSV": "classifiers read it by --format csv",
    "JSON": "classifiers read lines of it by --format jsonl",
    "SVM-light": "classifiers read it by --format svmlight",
}
_ANALYSED = ("CoNLL-U", *_ROWS, _PROSE)  # formats whose readers say of them what is wanted of text
_MARKS = r"[\t<{\[\\\"=;(#]|,\S"  # a single line of any format has one
# Signs of punctuation stand alone in tokenised text, and end or begin a word in prose; many abbreviations have a stop.
_ATTACHED = (
    r"\w[\])}\"'»”’]*[,;:?!](?!\S)|(?<!\S)[\"(\[“«]\w\w|\w\w[\"\])”»](?!\S)|(?<!\S)[,;?!]\w|[^\W\d_A-Z]{4}\.(?!\S)"
)
_ALONE = r"(?<!\S)(?:[,.;:?!\"()\[\]“”«»]|``|''|\.\.\.+|-[LR]RB-|n['’]t|['’](?:s|m|d|re|ve|ll))(?!\S)"


def other_format(text: str | bytes, wanted: str, *, failed: bool = False) -> str | None:
    """Return a message with the format of a text and its readers, if it is none that is wanted: one of _READ.

    failed : it could not be read as that

    >>> other_format("# text = Hello\\n1\\tHello\\t_\\tINTJ\\t_\\t_\\t0\\troot\\t_\\t_\\n", "columns")
    "this looks like CoNLL-U; 'sapwood annotate --input conllu' and parsers read it"
    """
    if isinstance(text, bytes):
        text = text[: 4 * LOOKED_AT].decode(errors="ignore")
    start = text[:LOOKED_AT].lstrip("\ufeff")
    lines = [line for line in start.splitlines() if line.strip()]
    if len(lines) > 3 and not start.endswith("\n"):
        lines.pop()  # it may be cut
    if wanted == "text" and len(lines) < 2 and not re.search(_MARKS, start):
        return None  # at once, as for most short texts
    sure = wanted in _OF_ROWS and not failed and _are_rows(start, lines)
    formats = _SURE if sure else SIGNS
    found = next((name for name in formats if any(sign.is_in(start, len(lines)) for sign in SIGNS[name])), None)
    if found is None and (failed or wanted in ("tokens", *_OF_ROWS)) and _is_prose(start, lines, wanted):
        found = _PROSE
    if found is None or found in _READ[wanted][1]:
        return None
    analysed = wanted not in ("text", "tokens") or found in _ANALYSED
    how = _READERS.get(found) if analysed else "take the text out of it first"
    return f"this looks like {found}" + ("" if how is None else f"; {how}")


def warn_of_format(text: str | bytes, name: str, wanted: str, on_warning: Listener = warn_unfamiliar) -> bool:
    """Warn if the text of this name is in another format than the one it is read as, and return true."""
    found = other_format(text, wanted)
    if found is not None:
        looks, _, how = found.partition("; ")
        on_warning(f"{name}: {looks}, and is read as {_READ[wanted][0]}" + (f"; {how}" if how else ""))
    return found is not None


def check_format(
    chunks: Iterable[bytes], name: str, wanted: str, on_warning: Listener = warn_unfamiliar
) -> Iterator[bytes]:
    """Yield the chunks of a text. Warn if its beginning is in another format than text or tokens, which are wanted."""
    start, looking = b"", wanted in ("text", "tokens")
    for chunk in chunks:
        if looking:
            start += chunk[: 4 * LOOKED_AT]
            looking = not warn_of_format(start, name, wanted, on_warning) and len(start) < 4 * LOOKED_AT
        yield chunk


@contextmanager
def named_in_errors(text: str | bytes, wanted: str) -> Iterator[None]:
    """Add to a DataError what the text looks like, if it is in another format than the one that is wanted."""
    try:
        yield
    except DataError as error:
        found = other_format(text, wanted, failed=True) if isinstance(text, str) or is_text(text) else None
        if found is None:
            raise
        raise DataError(f"{error}; {found}") from None


def _are_rows(start: str, lines: list[str]) -> bool:
    """Return true if all lines have the same number of cells, two or more."""
    mark = "\t" if "\t" in start else None
    widths = {len(line.strip().split(mark)) for line in lines}
    return len(widths) == 1 and widths != {1}


def _is_prose(start: str, lines: list[str], wanted: str) -> bool:
    """Return true for running text. Where rows or lines of tokens are read without an error, it must be sure."""
    words = start.split()
    if wanted == "tokens":
        return 0 < len(re.findall(_ATTACHED, start)) >= len(re.findall(_ALONE, start))
    if wanted in _OF_ROWS and len(words) < 5 * len(lines):
        return False
    small = sum(word.strip("\"'(.,;:?!)").islower() for word in words)
    return len(words) > len(lines) > 0 and (2 if wanted in _OF_ROWS else 3) * small > len(words)
