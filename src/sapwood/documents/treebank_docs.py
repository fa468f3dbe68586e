"""Documents made of treebanks in CoNLL-U."""

from __future__ import annotations

import re
from itertools import chain
from math import nan

from sapwood import _core
from sapwood.io.conllu import has_values
from sapwood.io.entities import items_of
from sapwood.parts import COLUMNS, ITEMS, TAGS, Column

_CONFIDENCE = re.compile(r"(?:^|\|)([A-Z][a-z]*)Confidence=(0\.\d+|1\.0+)(?=\||$)")  # as documents write it in MISC


def core_doc(treebank: _core.Conllu) -> _core.Doc:
    """Return a treebank as a document: its text, tokens, words, tags, lemmas, trees, names and confidences.

    Raises DataError with the place where only some words have heads, or heads are no tree.
    """
    bare = _core.Doc.of_words(treebank)
    found = {column.name: _values(treebank, column) for column in COLUMNS}
    heads = None
    if found.pop("head") is None:
        found["deprel"] = None
    else:
        trees = treebank.trees(False)
        heads = [head for tree, _ in trees for head in tree]
        found["deprel"] = [relations for _, relations in trees]
    columns = {name: [*chain.from_iterable(values)] for name, values in found.items() if values is not None}
    columns["form"] = bare.column("form") or []
    doc = _core.Doc.build(bare.text, bare.tokens, bare.first_words, bare.sentences, columns, heads, ITEMS)
    for decision, values in _confidences(treebank, doc.words).items():
        doc.add_confidences(decision, values)
    return doc


def _values(treebank: _core.Conllu, column: Column) -> list[list[str]] | None:
    """Return the values of a column; None if no word has one. A tag column counts if any tag column has values."""
    if column.item:
        return items_of(treebank, column)
    together = TAGS if column.name in TAGS else (column.name,)
    return treebank.column(column.name) if has_values(treebank, together) else None


def _confidences(treebank: _core.Conllu, words: int) -> dict[str, list[float]]:
    """Return the confidences in MISC, for all words, by decision."""
    found: dict[str, list[float]] = {}
    for word, misc in enumerate(chain.from_iterable(treebank.column("misc"))):
        for decision, confidence in _CONFIDENCE.findall(misc):
            found.setdefault(decision.lower(), [nan] * words)[word] = float(confidence)
    return found
