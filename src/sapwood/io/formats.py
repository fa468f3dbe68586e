"""The format of a text, by sure signs in its first characters, so that a table is not read as prose unnoticed.

A text without such signs, as one of another language or a program, is left to the familiarity of a model; a table that
is read, to the looks of its columns (column_looks.py). A text may begin and end in the middle of a line.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from sapwood.errors import DataError, Listener, warn_unfamiliar
from sapwood.io.column_looks import READ, are_words_and_labels, header_in, is_even, odd_column
from sapwood.io.decompression import is_text

LOOKED_AT = 4096  # characters


class Sign(NamedTuple):
    """A regular expression by which a format is recognised.

    It must match at least `times` times, `per_word` times the words and `per_line` times the lines.
    """

    pattern: str
    needs: str  # characters, without all of which a text does not have the pattern
    times: int = 1
    per_word: float = 0
    per_line: float = 0
    sure: bool = False  # true if lines with as many cells each have it, too

    def is_in(self, text: str, lines: int) -> bool:
        if not any(map(text.__contains__, self.needs)):
            return False
        found = sum(1 for _ in re.finditer(self.pattern, text))
        return found >= self.times and found >= self.per_line * lines and found >= self.per_word * len(text.split())


_CRFSUITE, _TAGGED, _PROSE = "CRFsuite's format", "word/TAG, a sentence a line", "plain text"
_VERTICAL = "vertical text, with tags around its sentences"
_JSON = r'(?m)^[ \t]*(?:[\[{]+[ \t]*(?:$|["\[{])|"[^"\n]*"[ \t]*(?::|,?$)|[\]}]+,?$)'
_TREE = r"\((?:[A-Z][\w$=|:-]*|[$.,:`'#]+|-[A-Z]+-)?\s+(?=[(\w$.,:`'\"#%&*-])|\(\("
_VALUES = r"(?m)^[^\s:#]*(?:[^\S\n]+(?:\d+:|[^\s:=]+:(?:[-+.\d]\S*|(?i:nan|inf\w*))))+[^\S\n]*(?:#.*)?$"
_WORD_TAG = r"(?<!\S)\S{1,60}%s(?![a-z\d])[^a-z\s]{1,20}(?!\S)"
_SMALL_TAG = r"(?<!\S)\S{1,60}/(?:[a-z]{1,4}[$*]?(?:[-+][a-z]{1,4}[$*]?)*|[^\w\s]{1,3})(?!\S)"  # as in Brown
_VOWPAL_WABBIT = r"(?m)^[-+]?\d[-+\d.:e]*(?: \d[\d.]*)*(?: '?[\w-]+)? ?\|\w[\w:.]* +[^\s|]"
_CSV = r'(?ma)^(?!\d{1,3}(?:,\d{3})+\b|\d+,\d+ )(?:[\w.:/+-]{1,30}|"[^"\n]*")'
_MECAB = "MeCab's output, with EOS behind each sentence"
_CONLL_2009 = r"(?m)^\d+\t[^\t\n]+(?:\t[^\t\n]+){6}\t\d+\t(?:\d+|_)(?:\t[^\t\n]+){2}\t[Y_]\t[^\t\n]"  # heads, twice
_ANNOTATED = {  # formats of annotation that nobody here reads -> a sign
    "CG3's output": Sign(r'(?m)^"<.+>"[ \t]*\n;?[ \t]+"|^\S+[ \t]+\[[^\]\n]+\][ \t].*#\d+->\d+', "<[", times=2),
    "Apertium's stream": Sign(r"\^[^\s^$]{1,60}<[a-z][\w-]*>[^\s^$]{0,200}\$", "^", times=3),
    "AMR": Sign(r"(?m)^\(\w+ / [^\s()]+\s+:[A-Za-z]", "("),
    "M2": Sign(r"(?m)^A -?\d+ -?\d+\|\|\|", "|"),
    "a TextGrid of Praat": Sign(r'\A\s*File type = "oo', "="),
    "CHAT": Sign(r"(?m)^\*[A-Z\d]{2,7}:\t\S", "*", times=2),
    "Turtle": Sign(r"(?im)^@?prefix [\w-]*: *<\S*[:/#]", "<"),
    "subtitles": Sign(r"(?m)^(?:\d+:)?\d\d:\d\d[.,]\d{3} --> \d", ">"),
}
_MARKUP = {  # the same of markup, whose lines may stand in the cells of other formats
    "LaTeX": Sign(r"(?m)^[ \t]*\\(?:documentclass|usepackage|begin|(?:sub)*section|item)\b", "\\", times=2),
    "Toolbox's markers": Sign(r"(?m)^\\_?[a-z]{1,4} ", "\\", times=3, per_line=0.6),
    "parallel text": Sign(r"(?m)\S \|\|\| \S", "|", times=3, per_line=0.75),
    "wiki markup": Sign(r"\[\[[^\W\d_][^\[\]\n]*\]\]", "[", times=4),
}
SIGNS = {  # format -> its signs, one of which is enough
    "RTF or PostScript": (Sign(r"\A\s*(?:\{\\rtf|%!PS)", "\\%", sure=True),),
    "WebAnno TSV": (Sign(r"\A\s*#(?:FORMAT=WebAnno| (?:webanno\.|de\.tudarmstadt\.)\S+ \|)", "#", sure=True),),
    "CoNLL-2012": (Sign(r"(?m)^#begin document \(.*\n *\S+(?:[ \t]+\S+){9}", "#", sure=True),),
    "brat's standoff": (Sign(r"(?m)^(?:[TREAMN]\d+|#\d+|\*)\t\S+ [^\t\n]+", "\t", per_line=0.9, sure=True),),
    "NEGRA's export format": (Sign(r"(?m)^#BOS \d+.*\n[^\t\n]+\t", "#", sure=True),),
    "ARFF": (Sign(r"(?im)\A(?:%.*\n|\s)*@relation\s.*\n(?:[^@\n]*\n)*@attribute\s", "@", sure=True),),
    "Vowpal Wabbit's format": (Sign(_VOWPAL_WABBIT, "|", per_line=0.9, sure=True),),
    _VERTICAL: (Sign(r"(?m)^<s(?:ent|entence)?\b[^<>\t]*>\s*\n(?:<[^\t\n]*>\s*\n)*[^\t\n<]+\t\S", "<", sure=True),),
    **{name: (sign._replace(sure=True),) for name, sign in _ANNOTATED.items()},
    _MECAB: (Sign(r"(?m)^[^\t\n]+\t.*\nEOS$", "\t", sure=True),),
    "CoNLL-2009": (Sign(_CONLL_2009, "\t", per_line=0.75, sure=True),),
    "CoNLL-U": (
        Sign(r"(?m)^\d+(?:[-.]\d+)?\t[^\t\n]+(?:\t[^\t\n]*){8}\r?$", "\t", per_line=0.3, sure=True),
        Sign(r"(?m)^# (?:text|sent_id|newdoc id|newpar id|global\.columns) = ", "#"),
    ),
    _CRFSUITE: (Sign(r"(?m)^[^\s=]+\t\w[^\s=]*=", "=", times=3, per_line=0.9, sure=True),),
    _TAGGED: (
        *(Sign(_WORD_TAG % mark, mark[-1], times=3, per_word=0.95, sure=True) for mark in ("/", "_", r"\|")),
        Sign(_SMALL_TAG, "/", times=3, per_word=0.95, sure=True),
    ),
    "JSON": (Sign(_JSON, '"', per_line=0.75, sure=True), Sign(r'\A\[(?:\[|"|\s*\{)', '"')),
    "HTML or XML": (
        Sign(r"(?i)\A\s*<(?:!doctype html|html|\?xml)\b", "<", sure=True),
        Sign(r"(?m)^\s*<[!?/]?[A-Za-z]", "<", per_line=0.75),
    ),
    "discontinuous trees, whose words have numbers": (Sign(r"\([^\s()]+ \d+=[^\s()]+\)", "=", times=2, sure=True),),
    "bracketed trees": (Sign(_TREE, "(", times=3, per_word=1 / 3, sure=True),),
    "SVM-light": (Sign(_VALUES, ":", per_line=0.5),),
    "columns between tabs": (Sign(r"\S\t+(?=\S)", "\t", times=2, per_line=0.6),),
    "CSV": (
        Sign(_CSV + r'(?:,[\w.:/+-]{1,30}){0,9},"\w', ","),
        Sign(r"(?m)^(?=.*(?:(?<!\d),|,(?!\d)))[^,\n]{0,30}(?:,(?! )[^,\n]{0,30})+$", ",", times=3, per_line=0.9),
        Sign(_CSV + r'(?:,(?:["\w.+-]|,|$)|;["\w.+-].*\n)', ",;", times=2, per_line=0.75),
    ),
    "a token a line": (Sign(r"(?m)^\S+$", "\n", times=12, per_line=0.95),),
    **{name: (sign,) for name, sign in _MARKUP.items()},
    "columns of words and labels": tuple(
        Sign(rf"(?m)^\S+(?: \S+){{{n}}}$", " ", times=7, per_line=0.9) for n in (1, 2, 3)
    ),
}
_ROWS = ("columns between tabs", "columns of words and labels", "a token a line")
_OF_ROWS = ("columns", "names")  # readers of rows, which take whatever has as many cells in every line
_READ = {  # kind of input -> its name in messages, and the formats that it may look like
    "text": (_PROSE, ()),
    "tokens": ("a sentence a line, its tokens between spaces", ()),
    "columns": ("a token a line, with its columns", _ROWS),
    "names": ("a word a line, with its label", (*_ROWS, "CoNLL-U")),  # its sentences may have comments
    "labels": ("a label a line", (*_ROWS, "HTML or XML", "SVM-light")),
    "conllu": ("CoNLL-U", ("CoNLL-U",)),
    "trees": ("trees in brackets", ("bracketed trees",)),
    "lists": ("lists of candidates", ("JSON", "bracketed trees")),
    "fasttext": ("an example a line", ("HTML or XML", *_MARKUP, _TAGGED, *_ROWS[1:])),  # texts may be names
    "svmlight": ("SVM-light's format", ("SVM-light",)),
    "jsonl": ("lines of JSON", ("JSON",)),
    "csv": ("CSV", ("CSV", *_MARKUP, _ROWS[0])),
    "senseval": ("Senseval's format", ("HTML or XML",)),
}
_READERS = {  # format -> who reads it
    "CoNLL-U": "'sapwood annotate --input conllu' and parsers read it",
    "CoNLL-2009": "parsers read CoNLL-X, which has its columns 1, 2, 3, 5, 5, 7, 9 and 11; taggers read its 2 and 5",
    _CRFSUITE: "put a word first and its label last, or give SequenceTagger dicts of attributes in Python",
    _VERTICAL: "leave the lines of tags out, with a blank line for each </s>, and put the label last",
    _MECAB: "put a blank line in place of each EOS, and the label last, behind a tab",
    _TAGGED: "put each word on a line of its own, its tag behind it after a space, and a blank line after a sentence",
    **dict.fromkeys(_ROWS, "'sapwood tag' labels it"),
    _PROSE: "'sapwood annotate --input text' reads it",
    "bracketed trees": "grammars read them",
    "CSV": "classifiers read it by --format csv",
    "JSON": "classifiers read lines of it by --format jsonl, and 'train entities' reads texts with spans, from a file",
    "SVM-light": "classifiers read it by --format svmlight",
}
_WORDLESS = {"RTF or PostScript", "JSON", "HTML or XML", "bracketed trees", "SVM-light", "CSV", *_ANNOTATED, *_MARKUP}
_ADVICE = {  # kind of input -> what to do with formats that have neither text nor words with labels
    **dict.fromkeys(("text", "tokens"), "take the text out of it first"),
    **dict.fromkeys(_OF_ROWS, "taggers read a word and its label between tabs, with a blank line after each sentence"),
}
_WIDE = 5  # tokens in a line
_MARKS = r"[\t<{\[\\\"=;(#%@]|,\S"  # a single line of any format has one
# Signs of punctuation stand alone in tokenised text, and end or begin a word in prose; many abbreviations have a stop.
_ATTACHED = r"\w[\])}\"'»”’]*[,;:?!](?!\S)|(?<!\S)[,;?!]\w|[^\W\d_A-Z]{4}\.(?!\S)|(?<!\S)[\"“«]\w\w|\w\w[\"”»](?!\S)"
_ALONE = r"(?<!\S)(?:[,.;:?!\"()\[\]“”«»]|``|''|\.\.\.+|-[LR]RB-|n['’]t|['’](?:s|m|d|re|ve|ll))(?!\S)"


def other_format(text: str | bytes, wanted: str, *, failed: bool = False) -> str | None:
    """Return a message with the format of a text and its readers, if it is none that is wanted: one of _READ.

    failed : it could not be read as that

    >>> other_format("# text = Hello\\n1\\tHello\\t_\\tINTJ\\t_\\t_\\t0\\troot\\t_\\t_\\n", "columns")
    "this looks like CoNLL-U; 'sapwood annotate --input conllu' and parsers read it"
    """
    start = _text(text)[:LOOKED_AT].lstrip("\ufeff")
    lines = [line for line in start.splitlines() if line.strip()]
    if len(lines) > 3 and not start.endswith("\n"):
        lines.pop()  # it may be cut
    if wanted == "text" and len(lines) < 2 and not re.search(_MARKS, start):
        return None  # at once, as for most short texts
    is_table = wanted in _OF_ROWS and not failed and is_even("\n".join(lines))
    found = next(
        (name for name in SIGNS if any(s.is_in(start, len(lines)) for s in SIGNS[name] if s.sure or not is_table)), None
    )
    if found in _ROWS[1:] and not are_words_and_labels(start):
        found = None
    is_wide = "\t" not in start and len(start.split()) >= _WIDE * len(lines)
    if found is None and (wanted == "tokens" or (wanted in _OF_ROWS and is_wide)) and _has_attached_punctuation(start):
        found = _PROSE
    if found is None or found in _READ[wanted][1]:
        return None
    how = (_ADVICE.get(wanted) if found in _WORDLESS else None) or _READERS.get(found)
    return f"this looks like {found}" + ("" if how is None else f"; {how}")


def warn_of_format(
    text: str | bytes,
    name: str,
    wanted: str,
    on_warning: Listener = warn_unfamiliar,
    names: Sequence[str] = (),
    *,
    labelled: bool = True,
) -> bool:
    """Warn if the text of this name is in another format than the one it is read as, and return true.

    Where rows are wanted, the looks of their columns are warned of, too, and another format but CoNLL-U, whose rows are
    rows, is refused. names, labelled : of columns, see odd_column. Raises DataError.
    """
    found, text = other_format(text, wanted), _text(text)
    is_read = found is None or (wanted == "columns" and found.startswith("this looks like CoNLL-U"))
    odd = odd_column(text, name, names, labelled=labelled) if is_read and wanted in _OF_ROWS else ""
    if wanted == "names" and (header := header_in(text)):
        odd = f"the first row has names of columns ({', '.join(header.split())}); leave it out"
    if odd:
        odd, advice, names_of_columns = odd.partition("; --columns ")
        how = "; a word comes first, its label last" if advice and wanted == "names" else advice + names_of_columns
        on_warning(f"{name}: {odd}{how}")
    if found is None:
        return False
    looks, _, how = found.partition("; ")
    if wanted in _OF_ROWS and not looks.endswith("CoNLL-U"):
        raise DataError(f"{name}: {found}")
    on_warning(f"{name}: {looks}, and is read as {_READ[wanted][0]}" + (f"; {how}" if how else ""))
    return True


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
        found = other_format(text, wanted, failed=True) if isinstance(text, str) or is_text(text) else ""
        if found is None and wanted == "columns":
            found = odd_column(_text(text), "", labelled=False)
        if not found:
            raise
        raise DataError(f"{error}; {found}") from None


def _text(text: str | bytes) -> str:
    return text if isinstance(text, str) else text[: 4 * READ].decode(errors="ignore")


def _has_attached_punctuation(start: str) -> bool:
    """Return true if punctuation stands beside words, as in prose, and not apart, as among tokens."""
    start = re.sub(r"&#?\w+;", "&", start)  # escapes have no punctuation
    return len(re.findall(_ATTACHED, start)) >= max(len(re.findall(_ALONE, start)), len(start.split()) / 60, 1)
