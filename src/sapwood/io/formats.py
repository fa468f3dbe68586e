"""Which format a text is in, by its first characters, so that a table or a program is not read as prose unnoticed.

Each format has signs that prose lacks, such as the same number of cells in every line. A text may begin and end in the
middle of a line.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable

LOOKED_AT = 4096  # characters
_FEW = 3  # lines that must agree
_CONLLU = re.compile(r"^\d+(?:[-.]\d+)?\t\S+(?: \S+)*\t[^\t\n]+\t[A-Z_]+\t", re.MULTILINE)
_TAG = re.compile(r"<[/!?]?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>")
_HTML = re.compile(r"</?(?:html|head|body|div|span|p|a|br|b|i|li|ul|td|tr|table|script|h[1-6])\b", re.IGNORECASE)
_MEMBER = re.compile(r'(?:^|[{,])\s*"[\w .-]+"\s*:\s*(?:["\[{]|-?\d|true|false|null)', re.MULTILINE)
_BRACKET = re.compile(r"\((?:[A-Z$.,:`'#-][\w$.,:|=`'-]*)?\s*(?=[(\w$.,:`'\"#%&*-])[^()\s]*")
_RTF = re.compile(r"\\(?:rtf1|ansi|par|pard|plain|tab|cell|row|[bi]0?|f\d+|fs\d+|cf\d+|'[0-9a-f]{2})\b")
_CODE = re.compile(
    r"\s*(?:(?:async def|def|class|if|elif|else|for|while|with|try|except|finally)\b.*:$|import \w+|from \S+ import\b"
    r"|(?: {4}|\t)(?:return|raise|yield|pass|break|continue|assert|del|not|and|or)\b"
    r"|@\w+|#|>>> |\"\"\"|[\w.\[\]]+ [-+*/|]?= \S|[\w.]+\(|[\])}]+,?$)|.*(?:[\w)\]]\(\)|self\.|[(\[{,]$|\w\(\w+, \w)"
)


def format_of(text: str) -> str | None:
    """Return the format that a text seems to be in, such as "CSV", or None for prose. It looks at LOOKED_AT characters.

    >>> format_of('name,year\\nAda,1843\\nGrace,1952\\n')
    'CSV'
    >>> format_of("Hello Bob. Bye.")
    """
    start = text[:LOOKED_AT].lstrip("\ufeff")
    lines = [line for line in start.splitlines() if line.strip()]
    if len(lines) > _FEW:
        lines.pop()  # which may be cut
    return next((name for name, fits in _FORMATS.items() if fits(start, lines)), None)


def _is_rtf(start: str, lines: list[str]) -> bool:
    return start.startswith("{\\rtf") or len(_RTF.findall(start)) > 1


def _is_conllu(start: str, lines: list[str]) -> bool:
    return bool(_CONLLU.search(start))


def _is_json(start: str, lines: list[str]) -> bool:
    return bool(_MEMBER.search(start)) or (start.startswith(("[[", '["', "[{")) and '"' in start)


def _is_html(start: str, lines: list[str]) -> bool:
    return start.lstrip()[:14].lower() == "<!doctype html" or (_is_xml(start, lines) and bool(_HTML.search(start)))


def _is_xml(start: str, lines: list[str]) -> bool:
    """Whether there are three tags or more, one of them an end tag, and at least one tag for every thirty words."""
    tags: list[str] = _TAG.findall(start)
    closes = any("/" in tag[:2] + tag[-2:] for tag in tags)
    return start.lstrip().startswith("<?xml") or (closes and len(tags) > 2 and 30 * len(tags) > len(start.split()))


def _is_trees(start: str, lines: list[str]) -> bool:
    return 3 * len(_BRACKET.findall(start)) > len(start.split()) and start.count("(") > 2 * _FEW


def _is_tab_separated(start: str, lines: list[str]) -> bool:
    """Whether most lines have tabs between words."""
    inner = sum("\t" in line.strip() for line in lines)
    return inner > 1 and inner > 0.6 * len(lines)


def _is_csv(start: str, lines: list[str]) -> bool:
    """Whether lines have the same number of cells. In prose a space follows a comma, so such lines do not count."""

    def cells(line: str) -> int:
        try:
            row = next(csv.reader([line]), [])
        except csv.Error:
            return 0
        return len(row) if not any(cell.startswith(" ") for cell in row) else 0

    return _same_number(lines, cells, 1000)


def _is_columns(start: str, lines: list[str]) -> bool:
    """Whether these are words with labels: two to four cells in each line, and more than a handful of lines."""
    return len(lines) > 2 * _FEW and _same_number(lines, lambda line: len(line.split(" ")), 4)


def _is_vertical(start: str, lines: list[str]) -> bool:
    """Whether a word or sign stands in each line, with full stops or commas among them."""
    signs = {line.strip() for line in lines} & {".", ",", "?", "!", ";", ":", '"', "``", "''"}
    alone = sum(len(line.split()) == 1 for line in lines)
    return len(lines) > 2 * _FEW and bool(signs) and alone >= 0.95 * len(lines)


def _same_number(lines: list[str], cells: Callable[[str], int], most: int) -> bool:
    """Whether nearly all lines have the same number of cells, two or more."""
    [(number, times)] = Counter(map(cells, lines)).most_common(1) or [(0, 0)]
    return 1 < number <= most and times >= max(0.9 * len(lines), _FEW if number == 2 else 2)


def _is_code(start: str, lines: list[str]) -> bool:
    return len(lines) > _FEW and 2.5 * sum(bool(_CODE.match(line)) for line in lines) > len(lines)


_FORMATS = {
    "RTF": _is_rtf,
    "CoNLL-U": _is_conllu,
    "JSON": _is_json,
    "HTML": _is_html,
    "XML": _is_xml,
    "bracketed trees": _is_trees,
    "columns between tabs": _is_tab_separated,
    "columns of words and labels": _is_columns,
    "a token a line": _is_vertical,
    "CSV": _is_csv,
    "program code": _is_code,
}
