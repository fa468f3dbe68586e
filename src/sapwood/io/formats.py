"""Which format a text is in, by its first characters, so that a table or a program is not read as prose unnoticed.

Each format has signs that prose lacks, such as the same number of cells in every line. A text may begin and end in the
middle of a line. Counting the rarest sign of a format first keeps this cheap for prose.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from sapwood.errors import DataError, Listener, warn_unfamiliar
from sapwood.io.source import is_text

LOOKED_AT = 4096  # characters
_FEW = 3  # lines that must agree
# Patterns are compiled when they are needed first, which most never are.
_CONLLU = (
    r"(?m)^\d+(?:[-.]\d+)?\t\S+(?: \S+)*\t[^\t\n]+\t[A-Z_]+\t"
    r"|^# (?:text|sent_id|newdoc id|newpar id|global\.columns) = "
)
_TAG = r"<[/!?]?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>"
_ATTRIBUTE = r"<[A-Za-z][\w:.-]*\s+[\w:.-]+\s*=\s*[\"'][^<>]*>"
_HTML = r"(?i)</?(?:html|head|body|div|span|p|a|br|b|i|li|ul|td|tr|table|script|h[1-6])\b"
_MEMBER = r'(?m)(?:^|[{,])\s*"[\w .-]+"\s*:\s*(?:["\[{]|-?\d|true|false|null)'
_BRACKET = r"\((?:[A-Z][\w$=|:-]*|[$.,:`'#]+|-[A-Z]+-)?\s+(?=[(\w$.,:`'\"#%&*-])|\(\("
_NUMBERED = r"\s*#|\s*[^\s:]*(?:\s+(?:\d+:|[^\s:=]+:(?:[-+.\d]\S*|(?i:nan|inf\w*))))+\s*(?:#.*)?$"
_RTF = r"\\(?:rtf1|ansi|par|pard|plain|tab|cell|row|[bi]0?|f\d+|fs\d+|cf\d+|'[0-9a-f]{2})\b"
_ROW = (  # of CSV, which begins with short cells; 1,000,000 is none
    r'(?ma)^(?!\d{1,3}(?:,\d{3})+\b)(?:[\w.:/+-]{1,30},(?:"\w|[\w.:/+-]{0,30},["\w])|(?:[\w.:/+-]{1,30};){2}["\w])'
)
_OPENING = (  # of a program, behind comments
    r"(?:[ \t]*(?:#.*)?\n)*(?:[ \t]*[rbu]?(?:\"\"\"|''\')|from [\w.]+ import [\w(*]|import [\w.]+(?: as \w+)?\n)|#!"
)
_CODE = (
    r"\s*(?:(?:async def|def|class|if|elif|else|for|while|with|try|except|finally)\b.*:$|import \w+|from \S+ import\b"
    r"|(?: {4}|\t)(?:return|raise|yield|pass|break|continue|assert|del|not|and|or)\b"
    r"|@[\w.]+(?:\(.*)?$|#(?:\W|$)|>>> |[rbu]?\"\"\"|[\w.\[\]]+ [-+*/|]?= \S|[\w.]+\(|[\])}]+,?$)"
    r"|.*(?:[\w)\]]\(\)|self\.|[(\[{]$|[\])}\"'],$|\w\(\w+, \w|\"\"\"$|\w\.\w+\(| == | != |__[a-z]\w*__)"
)
_CODE_WORD = r"(?<!\S)(?!@|http)\S*(?:\w[(=\[]|\w_\w|[\])}'\"][,:)\]}]|\(\))\S*"
# Signs that stand alone in tokenised text, and end or begin a word in prose; a full stop may belong to an abbreviation.
_CLOSING = r"[\])}\"'»”’]*"
_ATTACHED = (
    rf"\w{_CLOSING}[.,;:?!]*[,;:?!]{_CLOSING}(?!\S)|(?<!\S)[\"(\[“«]+\w\w|\w\w[\"\])”»]+(?!\S)|(?<!\S)[,;?!]\w|\w\.\.+\w"
    r"|[^\W\d_],[^\W\d_]|[^\W\d_A-Z]{4}\.+(?!\S)|[^\W\d_A-Z]{3}\.+(?=\s+[A-Z])|\d{3}\.(?=\s+[^\W\d_a-z])"
    r"|['’]\w+\.+(?!\S)|[^\W_]{2}\.+[^\S\n]*(?:\n|\Z)"
)
_CLITIC = r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))(?!\S)"  # of English; a treebank's token may have it, too
_CONTRACTED = rf"\w{_CLITIC}"
_ALONE = rf"(?<!\S)(?:(?:[,.;:?!\"()\[\]“”«»]|``|''|\.\.\.+|-[LR]RB-)(?!\S)|{_CLITIC})"
_SURE_CODE = (  # the head of a function or class, quotes around a docstring, an example with a prompt
    r"(?m)^[ \t]*(?:(?:async )?def \w+\(.*|class \w+(?:\(.*\))?:|[rbu]?(?:\"\"\"|''')|>>> .*)[ \t]*$"
)
_IN_SURE_CODE = ("def ", "class ", '"""', "'''", ">>> ")
_SIGN_OF_CODE = (  # in most languages: brackets and quotes that meet, calls, names with _ or dots, comments
    r"(?m)[{}]|\\[a-z]|\w_\w|[\w)\]]\[|\w\(|\)[;)\]}:.{]|[\"']\)|[\"'][;:\]}=]|[(\[{=][\"']|[\w)\]]\.[A-Za-z_]"
    r"|[\w\"')\]};];[ \t]*$|;$|->|::|&&|\|\||(?<=[\w\])] )[-+*/|&:!=]?==?(?= \S)|\w=[\w\"'(\[{$]|[$&]\w"
    r"|^\s*(?://|/\*|\*/|\*\s)|^#(?:\w|$)"
)
_ADDRESS = (  # or a name of a file, or a row of signs: they have signs of code, and stand in prose
    r"(?<!\S)\S*(?:://|www\.|@\w|&\w+=|\.\w+\.|\.(?:com|org|net|co|edu|gov)\b)\S*|[-=*#+_~<>|]{3,}"
)
_MARKS = r"[\t<{\[\\\"=;(#]|,\S"  # of which a single line of any format has one
_SIGNS = ("(", ")", "[", "]", "=", "#", ":", "@", "',", '",', "import ")  # of programs
_OFTEN_IN_CODE = "([{=_;$<"
_LONGEST_OF_CODE = 200  # characters of a line


def format_of(text: str) -> str | None:
    """Return the format that a text seems to be in, such as "CSV", or None for prose. It looks at LOOKED_AT characters.

    >>> format_of('name,year\\nAda,1843\\nGrace,1952\\n')
    'CSV'
    >>> format_of("Hello Bob. Bye.")
    """
    start, lines = _start(text)
    return next((name for name, fits in _FORMATS.items() if fits(start, lines)), None)


def other_format(text: str | bytes, wanted: str, *, failed: bool = False) -> str | None:
    """Say what a text looks like, and what reads it, if that is not what is wanted: one of _READ.

    failed : it could not be read as that

    >>> other_format("# text = Hello\\n1\\tHello\\t_\\tINTJ\\t_\\t_\\t0\\troot\\t_\\t_\\n", "columns")
    "this looks like CoNLL-U; 'sapwood annotate --input conllu' and parsers read it"
    """
    start, lines = _start(text if isinstance(text, str) else text[: 4 * LOOKED_AT].decode(errors="ignore"))
    if wanted == "text" and len(lines) < 2 and not re.search(_MARKS, start):
        return None  # at once, as for most short texts
    _, fitting = _READ[wanted]
    known = _SURE if wanted in _OF_ROWS and not failed and _are_rows(start, lines) else _FORMATS
    found = next((name for name, fits in known.items() if fits(start, lines)), None)
    if found is None and (failed or wanted in ("tokens", *_OF_ROWS)) and _is_prose(start, lines, wanted):
        found = _PROSE
    if found is None or found in fitting:
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


def _start(text: str) -> tuple[str, list[str]]:
    """Return the beginning of a text, and its lines that are not blank; the last of many may be cut."""
    start = text[:LOOKED_AT].lstrip("\ufeff")
    lines = [line for line in start.splitlines() if line.strip()]
    if len(lines) > _FEW and not start.endswith("\n"):
        lines.pop()
    return start, lines


def _are_rows(start: str, lines: list[str]) -> bool:
    """Whether all lines have the same number of cells, two or more."""
    mark = "\t" if "\t" in start else None
    widths = {len(line.strip().split(mark)) for line in lines}
    return len(widths) == 1 and widths != {1}


def _is_prose(start: str, lines: list[str], wanted: str) -> bool:
    """Whether this is running text. Where rows or lines of tokens are read without an error, it must be sure."""
    words = start.split()
    if wanted == "tokens":
        attached, alone = len(re.findall(_ATTACHED, start)), len(re.findall(_ALONE, start))
        return attached > 0 and attached + len(re.findall(_CONTRACTED, start)) >= alone
    if wanted in _OF_ROWS and len(words) < 5 * len(lines):
        return False
    small = sum(word.strip("\"'(.,;:?!)").islower() for word in words)
    return len(words) > len(lines) > 0 and (2 if wanted in _OF_ROWS else 3) * small > len(words)


def _is_rtf(start: str, lines: list[str]) -> bool:
    return "\\" in start and (start.startswith("{\\rtf") or len(re.findall(_RTF, start)) > 1)


def _is_conllu(start: str, lines: list[str]) -> bool:
    return ("\t" in start or "# " in start) and bool(re.search(_CONLLU, start))


def _is_crfsuite(start: str, lines: list[str]) -> bool:
    """Whether few labels stand in front of attributes such as w=dog, of which the first has always the same name."""
    rows = [line.split("\t") for line in lines]
    names = Counter(row[1].partition("=")[0] for row in rows if len(row) > 1 and "=" in row[1])
    labels = {row[0] for row in rows}
    return len(rows) >= _FEW and max(names.values(), default=0) >= 0.9 * len(rows) and 2 * len(labels) <= len(rows)


def _is_tagged(start: str, lines: list[str]) -> bool:
    """Whether nearly each word has a tag behind it, as in word/TAG, word_TAG or word|TAG."""
    words = start.split()
    for mark in "/_|":
        tags = [word.rpartition(mark)[2] for word in words if mark in word[1:-1]] if start.count(mark) >= _FEW else []
        tags = [tag for tag in tags if tag == tag.upper() and not tag[:1].isdigit()]
        if len(words) >= _FEW and len(tags) >= 0.95 * len(words):
            return True
    return False


def _is_json(start: str, lines: list[str]) -> bool:
    member = ('":' in start or '" :' in start) and bool(re.search(_MEMBER, start))
    return member or ('"' in start and start.startswith(("[[", '["', "[{")))


def _is_html(start: str, lines: list[str]) -> bool:
    return start.lstrip()[:14].lower() == "<!doctype html" or (_is_xml(start, lines) and bool(re.search(_HTML, start)))


def _is_xml(start: str, lines: list[str]) -> bool:
    """Whether there is a tag with an attribute, or tags of which one ends another; and many of them for the words."""
    if "<" not in start:
        return False
    tags: list[str] = re.findall(_TAG, start)
    closes = any("/" in tag[:2] + tag[-2:] for tag in tags)
    words, first = len(start.split()), start.lstrip()
    if re.search(_ATTRIBUTE, start):
        return 60 * len(tags) > words
    least = 2 if first.startswith("<") else 3
    return (closes and len(tags) >= least and 30 * len(tags) > words) or first.startswith("<?xml")


def _is_trees(start: str, lines: list[str]) -> bool:
    found = re.findall(_BRACKET, start) if start.count("(") >= _FEW else []
    return len(found) >= _FEW and 3 * len(found) > len(start.split())


def _is_tab_separated(start: str, lines: list[str]) -> bool:
    """Whether most lines have tabs between words; a single line has two or more."""
    if "\t" not in start:
        return False
    inner = [line.strip().count("\t") for line in lines]
    return sum(map(bool, inner)) > 0.6 * len(lines) and sum(inner) > 1


def _is_svm_light(start: str, lines: list[str]) -> bool:
    """Whether most lines have a label and values by number; comments and a line that is wrong may be among them."""
    if ":" not in start or lines[-1][0] == "#":
        return False
    return 2 * sum(re.match(_NUMBERED, f" {line}") is not None for line in lines) > len(lines)


def _is_csv(start: str, lines: list[str]) -> bool:
    """Whether lines have the same number of cells. In prose a space follows a comma, so such lines do not count."""

    def cells(line: str) -> int:
        try:
            row = next(csv.reader([line], delimiter=mark), [])
        except csv.Error:
            return 0
        return len(row) if not any(cell.startswith(" ") for cell in row) else 0

    for mark in (",", ";"):
        if start.count(mark) - start.count(f"{mark} ") - start.count(f"{mark}\n") > 0.5 * len(lines):
            return _same_number(lines, cells, 1000) or (" " in start and 2 * len(re.findall(_ROW, start)) > len(lines))
    return False


def _is_columns(start: str, lines: list[str]) -> bool:
    """Whether these are words with labels: two to four cells in each line, and more than a handful of lines."""
    many = len(lines) > 2 * _FEW and start.count(" ") < 5 * len(lines)
    return many and _same_number(lines, lambda line: len(line.split(" ")), 4)


def _is_vertical(start: str, lines: list[str]) -> bool:
    """Whether a word or sign stands in each of many lines, or of a few with full stops or commas among them."""
    if len(lines) <= 2 * _FEW or start.count(" ") > len(lines):
        return False
    signs = {line.strip() for line in lines} & {".", ",", "?", "!", ";", ":", '"', "``", "''"}
    alone = sum(len(line.split()) == 1 for line in lines)
    return (bool(signs) or len(lines) > 6 * _FEW) and alone >= 0.95 * len(lines)


def _same_number(lines: list[str], cells: Callable[[str], int], most: int) -> bool:
    """Whether nearly all lines have the same number of cells, two or more."""
    [(number, times)] = Counter(map(cells, lines)).most_common(1) or [(0, 0)]
    return 1 < number <= most and times >= max(0.9 * len(lines), _FEW if number == 2 else 2)


def _is_code(start: str, lines: list[str]) -> bool:
    if re.match(_OPENING, start) or (any(map(start.__contains__, _IN_SURE_CODE)) and re.search(_SURE_CODE, start)):
        return True
    if len(lines) >= _FEW and all(line.split(None, 1)[0] == "#" for line in lines):
        return True  # a comment
    return _has_lines_of_code(start, lines) or _has_many_signs(start)


def _has_lines_of_code(start: str, lines: list[str]) -> bool:
    """Whether many lines, or many words, look like Python."""
    signs = sum(map(start.count, _SIGNS))
    if signs < max(0.4 * len(lines), _FEW):
        return False
    if 4 * len(re.findall(_CODE_WORD, start)) > max(len(start.split()), 4 * _FEW):
        return True
    found = sum(map(bool, map(re.compile(_CODE).match, (line for line in lines if len(line) < _LONGEST_OF_CODE))))
    indented = sum(line.startswith(("    ", "\t")) for line in lines)
    if 2 * indented > len(lines):
        return 5 * found > len(lines)
    return len(lines) > _FEW and 2.5 * found > len(lines)


def _has_many_signs(start: str) -> bool:
    """Whether there are many signs of code for the letters, and of several kinds: references such as [1] are one."""
    if 80 * sum(map(start.count, _OFTEN_IN_CODE)) < len(start):
        return False  # most prose ends here, before the slower search
    text = re.sub(_ADDRESS, " ", start)
    signs = re.findall(_SIGN_OF_CODE, text)
    kinds = {re.sub(r"\w", "x", sign.strip()) for sign in signs}
    return len(kinds) >= _FEW and 28 * len(signs) > max(len("".join(text.split())), 100)


_CRFSUITE, _TAGGED = "CRFsuite's format", "word/TAG, a sentence a line"
_FORMATS = {
    "RTF": _is_rtf,
    "CoNLL-U": _is_conllu,
    _CRFSUITE: _is_crfsuite,
    _TAGGED: _is_tagged,
    "JSON": _is_json,
    "HTML": _is_html,
    "XML": _is_xml,
    "bracketed trees": _is_trees,
    "SVM-light": _is_svm_light,
    "columns between tabs": _is_tab_separated,
    "CSV": _is_csv,
    "columns of words and labels": _is_columns,
    "a token a line": _is_vertical,
    "program code": _is_code,
}
_SURE = {
    name: _FORMATS[name] for name in ("RTF", "CoNLL-U", _CRFSUITE, _TAGGED, "bracketed trees")
}  # whatever cells lines have
_PROSE = "plain text"
_ROWS = ("columns between tabs", "columns of words and labels", "a token a line")
_READ = {  # what is read -> what it is called, and the formats that it may look like
    "text": (_PROSE, ()),
    "tokens": ("a sentence a line, its tokens between spaces", ()),
    "columns": ("a token a line, with its columns", _ROWS),
    "names": ("a word a line, with its label", (*_ROWS, "CoNLL-U")),  # whose sentences may have comments
    "labels": ("a label a line", (*_ROWS, "HTML", "XML", "program code", "SVM-light", _PROSE)),
    "conllu": ("CoNLL-U", ("CoNLL-U",)),
    "trees": ("trees in brackets", ("bracketed trees",)),
    "lists": ("lists of candidates", ("JSON", "bracketed trees")),
    # Documents may be names, programs or bits of HTML, so only what is surely something else is told.
    "fasttext": ("an example a line", ("HTML", "XML", "program code", _TAGGED, *_ROWS[1:], _PROSE)),
    "svmlight": ("SVM-light's format", ("SVM-light",)),
    "jsonl": ("lines of JSON", ("JSON",)),
    "csv": ("CSV", ("CSV", _ROWS[0])),
    "senseval": ("Senseval's format", ("HTML", "XML")),
}
_OF_ROWS = ("columns", "names")
_READERS = {  # of each format that is no running text, but has a reader
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
_ANALYSED = ("CoNLL-U", *_ROWS, _PROSE)  # what has a reader that says of it what is wanted of text
