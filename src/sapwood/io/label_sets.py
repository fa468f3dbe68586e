"""Examples that have any number of labels, in files and in lists.

Inside, the labels of an example are one text, with ``|`` between them: ``sport|politics``. So CSV files have them in a
cell, and the command line writes them. Other formats have ways of their own, too:

=========  =========================================================================================================
fasttext   several words: ``__label__sport __label__politics text``
jsonl      a list: ``"label": ["sport", "politics"]``; where there is no label, spaCy's ``"cats": {"sport": 1.0}``, of
           which those from 0.5 up are labels, or Prodigy's ``"accept": ["sport"]``
svmlight   commas, as LIBSVM's collection has them: ``sport,politics 3:1``
=========  =========================================================================================================

A cell of CSV may be a list as another tool writes it: ``["sport", "money"]`` (JSON), ``['sport', 'money']`` (pandas),
``['sport' 'money']`` (numpy), ``{sport,money}`` (Postgres), ``[sport, money]`` (DuckDB), ``c("sport", "money")`` (R),
or Label Studio's ``{"choices": ["sport", "money"]}``. A list of one label is a label where examples have just one.

An example without labels has an empty list in JSON, where null or nothing is refused, and none of these elsewhere.
"""

import ast
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

import sapwood._core as _core
from sapwood.errors import DataError, warn
from sapwood.io.memory import is_missing
from sapwood.io.records import Record

BETWEEN = "|"
_HALF = 0.5  # spaCy's `cats` are labels from this value up
SEVERAL = "give --multi-label (in Python multi_label=True)"  # advice for data with several labels an example


def label_sets(answers: _core.Answers, form: str) -> tuple[list[str], list[list[int]]]:
    """Return the labels in the order of their first appearance, and the rising numbers of those of each example.

    form : the format that the answers were read from. Raises DataError if an example has an empty label
    """
    names: dict[str, int] = {}
    distinct = []
    for y, text in enumerate(answers.labels):
        parts = [part.strip() for part in (text.replace(",", BETWEEN) if form == "svmlight" else text).split(BETWEEN)]
        if "" in parts:
            where = answers.where(answers.gold.index(y))
            raise DataError(f"{where}: one of the labels in {text!a} is empty; {BETWEEN} stands between labels")
        distinct.append(sorted({names.setdefault(part, len(names)) for part in parts}))
    return list(names), [[] if y < 0 else distinct[y] for y in answers.gold]


def warn_of_sets(labels: Sequence[str], answers: _core.Answers, *, several: bool) -> None:
    """Warn if a label is made of others: ``a;b`` beside ``a`` and ``b`` is a set that was not taken apart.

    answers : the examples that have them
    several : whether examples have any number of labels
    """
    known = set(labels)
    for label in labels:
        if re.fullmatch(r"(?s)\w*\(?[\[{].*['\"].*[\]}].*", label):
            message = f"{label!a:.60} counts as a label of its own; a list is read as JSON writes it"
            warn(message)
            return
        for mark in (";", ",", BETWEEN):
            parts = [part.strip() for part in label.split(mark)]
            if len(parts) > 1 and known.issuperset(parts):
                what = f"{label!a} counts as a label of its own, beside {' and '.join(parts)}"
                how = "" if several else f", and {SEVERAL}"
                number = next((y for y, text in enumerate(answers.labels) if label in text), None)
                place = "" if number is None else f"{answers.where(answers.gold.index(number))}: "
                warn(f"{place}{what}; where an example has several labels, put {BETWEEN} between them{how}")
                return


def labels_in(records: Sequence[Record], name: str, *, several: bool) -> list[tuple[str, str]]:
    """Return the label of each record, or several as one text, and the error in it, or an empty text."""
    cells = {cell for record in records if isinstance(cell := record.value(name), str) and cell.strip()}
    lists = {cell: labels for cell in cells if (labels := listed_labels(cell)) is not None}
    sure = any(re.search(r"['\"(]|\d\s+\d", cell) for cell in lists)
    if not sure and (len(lists) < len(cells) or not any("," in cell or not labels for cell, labels in lists.items())):
        lists = {}  # words in brackets, without quotes, are lists where no cell is anything else
    return [_label_in(record, name, lists, several=several) for record in records]


_ITEM = r"""(?s:('(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"%s)(?:(?<=\s)|(?=[\s,)\]}]))[\s,]*+)"""
_QUOTED = _ITEM % ""
_ANY = _ITEM % r"""|-?[\d.]++(?=\s*[-\d,\]}])|[^\s,'"\[\](){}][^,'"\[\](){}]*+"""  # numbers; words without quotes
_LIST = re.compile(rf"\s*(?:[\[{{]\s*+(?:{_ANY})*+[\]}}]|(?:c|set)?\((?:{_QUOTED})*+\)|character\(0\))\s*")
_AROUND = re.compile(
    r"(?s)\A\s*(?:\{['\"]choices['\"]:(.+)\}|(?:array|list|frozenset|deque)\((.+?)(?:,\s*dtype=\S+)?\))\s*\Z"
)
_OPENING = re.compile(r"\s*(?:(?:c|set)?\(|character\(0|[\[{])")
_MISSING = ("None", "null", "NULL", "nan", "...")  # numpy has dots in place of labels where there are many


def listed_labels(cell: str) -> list[str | None] | None:
    """Return the labels of a cell that is a list as another tool writes it; None of any other."""
    cell = _AROUND.sub(lambda match: match[1] or match[2], cell)
    if _LIST.fullmatch(cell) is None:
        return None
    labels: list[str | None] = []
    for item in map(str.strip, re.findall(_ANY, _OPENING.sub("", cell, count=1))):
        text = item
        if item[0] in "'\"":
            with suppress(SyntaxError):
                text = ast.literal_eval(item.replace("\n", "\\n"))
        labels.append(None if item in _MISSING else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return labels


def _label_in(record: Record, name: str, lists: dict[str, list[str | None]], *, several: bool) -> tuple[str, str]:
    """Return the label of a record, or several as one text, and the error in it, or an empty text.

    A wrong label is empty. Only callers that need labels raise the error.
    """
    if name != "answer" and record.is_rejected():
        return "", ""
    cell, where = record.value(name), record.where
    found = lists.get(cell, cell) if isinstance(cell, str) else cell
    chosen = _chosen(found, name, record)
    try:
        if isinstance(cell, str) and isinstance(found, list) and len({*found}) < len(found):
            raise DataError(f"{where}: '{name}' has a label twice: {cell!a:.60}; zeros and ones name no labels")
        match found if chosen is None else chosen:
            case str(label):
                return label, ""
            case None if several and "annotation_id" not in record.values:  # Label Studio leaves it out
                raise DataError(
                    f"{where}: there is no '{name}'; an example without labels has an empty list or cell there; the "
                    f"line has {record.members()}: --label names the label"
                )
            case list(labels) if several:
                return joined(labels, where), ""
            case [label]:
                return label_text(label, where), ""
            case list() if chosen is not None:
                many = "none" if not chosen else "more than one"
                raise DataError(f"{where}: {many} of its labels is chosen; leave such lines out, or {SEVERAL}")
            case list():
                raise DataError(f"{where}: '{name}' is a list; where examples have several labels, {SEVERAL}")
        return record.text(name), ""
    except DataError as error:
        return "", str(error)


def _chosen(found: object, name: str, record: Record) -> list[object] | None:
    """Return the labels that a line of JSON names in spaCy's, Prodigy's or Label Studio's way; None if it does not.

    found : what it has where its label is looked for, by this name
    """
    if isinstance(found, dict) and isinstance(labels := found.get("choices"), list):
        return labels
    match record.values.get("cats") if found is None else found if name.endswith("cats") else None:
        case dict(cats) if all(share is None or isinstance(share, (bool, int, float)) for share in cats.values()):
            return [name for name, share in cats.items() if share is not None and share >= _HALF]
    accepted = record.values.get("accept")
    return list(accepted) if found is None and isinstance(accepted, list) else None


def label_text(label: object, where: str) -> str:
    """Return a label in memory, or in a line of JSON, as text. Raises DataError if it is several, or missing."""
    if not isinstance(label, str) and hasattr(label, "__iter__"):
        raise DataError(
            f"{where}: a label is a string or a number, not a {type(label).__name__}; "
            "with multi_label an example has a list of them"
        )
    if is_missing(label):
        raise DataError(f"{where}: the label is missing ({label}); leave such examples out")
    return "" if label is None else str(label)


def joined(labels: object, where: str) -> str:
    """Return the labels of an example in memory, or of a line of JSON, as one text.

    Raises DataError if they are not a list, tuple, set or the like, or one cannot be told from others in the text.
    """
    match labels:
        case Iterable() if any(each is None or isinstance(each, (list, tuple, dict, set)) for each in labels):
            raise DataError(f"{where}: one of its labels is neither a text nor a number: {labels!r:.40}")
        case set() | frozenset():
            given = sorted(labels, key=str)
        case Iterable() if not isinstance(labels, (str, bytes, dict)):
            given = list(labels)
        case _:
            raise DataError(f"{where}: its labels are a list or set of strings or numbers, not {labels!r:.40}")
    if any(label is None or is_missing(label) for label in given):
        raise DataError(f"{where}: one of its labels is missing, None or NaN")
    texts = list(map(str, given))
    for text in texts:
        if not text.strip() or text != text.strip() or BETWEEN in text:
            raise DataError(f"{where}: {text!a:.40} is no label: empty, or with {BETWEEN} in it or spaces around it")
    return BETWEEN.join(texts)
