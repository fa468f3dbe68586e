"""Files of one's own as examples to walk through: columns with labels, trees in CoNLL-U, points of two classes."""

import re
from collections.abc import Sized
from typing import Any

from sapwood_lab.errors import DataError
from sapwood_lab.parsing import is_projective
from sapwood_lab.readers import read_columns, read_conllu, read_trees

_is_number = re.compile(r"[-+]?(\d{1,15}\.?\d*|\.\d+)(e[-+]?\d{1,2})?", re.IGNORECASE | re.ASCII).fullmatch
MOST = {"words": 40, "sentences": 200, "points": 200}  # the most that an eye can follow


def read_example(file: str, as_labels: bool) -> tuple[str, tuple[Any, ...]]:
    """Return the example of `sapwood_lab.walks.walk.EXAMPLES` that is like a file, and the file's data.

    CoNLL-U, by its name or its first word, has trees; two or three numbers and a label a line are points; other columns
    end in a label. as_labels : label the words of CoNLL-U with their universal tags, in place of trees

    Raises DataError for what cannot be read, is too long, or is not projective.
    """
    rows = [] if file.endswith(".conllu") else read_columns(file)
    first = rows[0][0] if rows else ()
    is_treebank = file.endswith(".conllu") or (len(first) == 10 and re.fullmatch(r"1(-\d+)?", first[0]))
    if not is_treebank and len(first) in (3, 4) and all(map(_is_number, first[:-1])):
        return "plane", _points(file, [row for sentence in rows for row in sentence])
    if not is_treebank and rows and len(first) < 2:
        raise DataError(f"{file}: a line has a word and, in its last column, a label; one column is too few")
    sentences = read_conllu(file, ("form", "xpos", "upos")) if is_treebank else rows
    if not sentences:
        raise DataError(f"{file}: there is no sentence in it")
    _check_most(sentences, "sentences", f"{file} has", "give a file of the first ones")
    for k, sentence in enumerate(sentences, start=1):
        _check_most(sentence, "words", f"{file}: sentence {k} has", "cut it, or leave it out")
    if not is_treebank:
        return "chunking", (rows,)
    if as_labels:
        return "chunking", ([[(form, upos) for form, _, upos in sentence] for sentence in sentences],)
    trees = read_trees(file)
    if crossing := [k for k, (heads, _) in enumerate(trees, start=1) if not is_projective(heads)]:
        message = f"{file}: sentence {crossing[0]} has arcs that cross, which the laboratory's parsers cannot build"
        raise DataError(f"{message}: leave it out, or give --algorithm viterbi for its tags")
    return "parsing", ([[(f, upos if xpos == "_" else xpos) for f, xpos, upos in s] for s in sentences], trees)


def _points(file: str, rows: list[tuple[str, ...]]) -> tuple[list[tuple[float, ...]], list[str]]:
    _check_most(rows, "points", f"{file} has", "leave some out")
    for k, row in enumerate(rows, start=1):
        if not all(map(_is_number, row[:-1])) or row[2:-1] != rows[0][2:-1]:
            line = "x1 x2 LABEL, or x1 x2 b LABEL with the same b for all points"
            raise DataError(f"{file}: point {k} is {' '.join(row)!a}; a line is {line}")
    labels = [row[-1] for row in rows]
    if len(different := dict.fromkeys(labels)) != 2:
        raise DataError(f"{file}: the labels are {', '.join(different)!a:.60}; a line parts points of two")
    return [tuple(map(float, row[:-1])) for row in rows], labels


def _check_most(found: Sized, what: str, place: str, advice: str) -> None:
    if len(found) > MOST[what]:
        raise DataError(f"{place} {len(found):,} {what}; at most {MOST[what]} can be walked through: {advice}")
