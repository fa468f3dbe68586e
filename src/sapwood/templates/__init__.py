"""The shipped feature templates, and how a template and its word lists are found.

A template is given by the name of a shipped one, by the path of a file, or as its text: any string with a line end, or
one line such as ``U00:%x[0,0]`` that names no file.

Templates of taggers have the syntax of CRF++ or Wapiti. Those of parsers, in the folder ``parsing``, are conjunctions
of atoms. Those of classifiers, in ``classify``, also have lines for whole texts.
"""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import sapwood._core as _core
from sapwood.errors import DataError, TemplateError
from sapwood.io.source import plain_text, read_bytes, shown

__all__ = ["TemplateText", "find_template", "in_columns", "read_word_lists", "shipped_templates"]

_FOLDERS = {
    "tag": Path(__file__).parent,
    "parse": Path(__file__).parent / "parsing",
    "classify": Path(__file__).parent / "classify",
}

_WORD, _TAG = ("word", "form", "token"), ("pos", "tag", "upos", "xpos")  # usual names of columns of words and of tags
_OF_TAGS = re.compile(r"^# Tags\n(?:.+\n)*", re.MULTILINE)
_CELL = re.compile(r"(%\w+\[[^\],]*,)([01])(?=[\],])")  # a macro up to its column, if that is a number

_NAMES_TAGS = re.compile(r"^.*%\w+\[[^\],]*,(?:upos|xpos|feats)\b.*\n", re.MULTILINE)

_LINE = re.compile(r"[A-Z*]\w*:|.*%\w+\[")  # a line of a template for taggers or classifiers
WordLists = list[tuple[str, _core.WordList]]  # by name


class TemplateText(NamedTuple):
    """The text of a template, its name in messages, and the folder of its word lists."""

    text: str
    name: str
    folder: Path


def shipped_templates(task: str = "tag") -> list[str]:
    """Return the names of the shipped templates of a task, "tag", "parse" or "classify".

    >>> "chunking" in shipped_templates()
    True
    """
    return sorted(path.stem for path in _FOLDERS[task].glob("*.tpl"))


def find_template(template: str | os.PathLike[str], task: str = "tag") -> TemplateText:
    """Return the text of a template for a task, "tag", "parse" or "classify".

    Raises TemplateError if there is no such template or its file cannot be read.
    """
    name = os.fspath(template)
    path = Path(name)
    if "\n" in name or "\r" in name or (_LINE.match(name) and not os.path.exists(name)):  # noqa: PTH110
        return TemplateText(_lf(name), "template", Path())
    if name in shipped_templates(task):
        path = _FOLDERS[task] / f"{name}.tpl"
    elif not path.exists():
        shipped = ", ".join(shipped_templates(task))
        raise TemplateError(f"{shown(name)}: there is no such template file, and the shipped ones are {shipped}")
    try:
        return TemplateText(_lf(plain_text(read_bytes(path), shown(name))), shown(name), path.parent)
    except DataError as error:
        raise TemplateError(str(error)) from None


def without_tags(template: str) -> str:
    """Return a template without the lines that name a column of tags.

    >>> without_tags("U00:%x[0,form]\\nU01:%x[0,form]/%x[1,upos]\\n")
    'U00:%x[0,form]\\n'
    """
    return _NAMES_TAGS.sub("", template)


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_word_lists(
    names: Iterable[str], folder: str | os.PathLike[str], *, plain_apostrophes: bool = False
) -> WordLists:
    """Return the word lists of these names in a folder, one word or phrase a line; what lies outside is not opened.

    A template may come from a stranger, and what it reads becomes part of the model. Raises DataError.

    plain_apostrophes : whether they are for texts in which apostrophes between letters are read as straight ones
    """
    return [(name, _word_list(name, Path(folder), plain_apostrophes)) for name in names]


def _word_list(name: str, folder: Path, plain_apostrophes: bool) -> _core.WordList:
    path = folder / name
    inside = Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
    if not inside or Path(name).is_absolute() or ".." in Path(name).parts:
        why = f"it does not lie in {shown(folder)}, the folder for word lists; the option word_lists names another"
        raise DataError(f"word list {shown(name)}: {why}")
    try:
        data = read_bytes(path)
    except DataError as error:
        raise DataError(f"word list {error}") from None
    try:
        return _core.WordList.read(data, plain_apostrophes)
    except DataError as error:
        raise DataError(f"word list {shown(path)}: {error}") from None


def in_columns(text: str, columns: Sequence[str], label: int) -> str:
    """Return a shipped template for data with these columns, of which `label` is the number of the labels.

    Shipped taggers' templates look at words in column 0 and at tags in column 1. If columns with such names (word, form
    or token; pos, tag, upos or xpos) are elsewhere, the template looks there. Where words are all that there is, lines
    under "# Tags" are left out, if no others look at tags.

    >>> in_columns("U00:%x[0,0]/%suffix[-1,1,2]", ["id", "label", "word", "pos"], 1)
    'U00:%x[0,word]/%suffix[-1,pos,2]'
    >>> in_columns("U00:%x[0,0]\\n\\n# Tags\\nU01:%x[0,1]\\n", ["word", "label"], 1)
    'U00:%x[0,0]\\n\\n'
    """
    if sum(number != label and name != "_" for number, name in enumerate(columns)) == 1:
        of_words = _OF_TAGS.sub("", text)
        text = of_words if all(cell[2] == "0" for cell in _CELL.finditer(of_words)) else text
    word = next((name for name in _WORD if name in columns), None)
    if (word is None and columns[0] not in ("_", "id", "label")) or (word == columns[0] and columns[1] in _TAG):
        return text
    tag = next((name for name in _TAG if name in columns), None)
    if word == columns[0] and tag is None:
        return text
    at = {"0": word or "word", "1": tag or "pos"}
    return _CELL.sub(lambda match: match[1] + at[match[2]], text)
