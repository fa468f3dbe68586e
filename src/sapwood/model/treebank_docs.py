"""Documents made of treebanks in CoNLL-U."""

from __future__ import annotations

import re
from itertools import chain
from math import nan

from sapwood import _core
from sapwood.io.conllu import has_values
from sapwood.io.entities import names_of

_TAGS = ("upos", "xpos", "feats")
_CONFIDENCE = re.compile(r"(?:^|\|)([A-Z][a-z]*)Confidence=(0\.\d+|1\.0+)(?=\||$)")  # as documents write it in MISC


def core_doc(treebank: _core.Conllu) -> _core.Doc:
    """Return a treebank as a document: its text, tokens, words, tags, lemmas, trees, names and confidences.

    Raises DataError with the place where only some words have heads, or heads are no tree.
    """
    bare = _core.Doc.of_words(treebank)
    given = {name: treebank.column(name) for name in (*_TAGS, "lemma") if has_values(treebank, [name])}
    if not given.keys().isdisjoint(_TAGS):
        given |= {name: treebank.column(name) for name in _TAGS}
    heads = None
    if has_values(treebank, ["head"]):
        trees = treebank.trees(False)
        heads = [head for tree, _ in trees for head in tree]
        given["deprel"] = [relations for _, relations in trees]
    if names := names_of(treebank):
        given["entity"] = names
    columns = {name: [*chain.from_iterable(values)] for name, values in given.items()}
    columns["form"] = bare.column("form") or []
    doc = _core.Doc.build(bare.text, bare.tokens, bare.first_words, bare.sentences, columns, heads)
    for decision, values in _confidences(treebank, doc.words).items():
        doc.add_confidences(decision, values)
    return doc


def _confidences(treebank: _core.Conllu, words: int) -> dict[str, list[float]]:
    """Return the confidences in MISC, for all words, by decision."""
    found: dict[str, list[float]] = {}
    for word, misc in enumerate(chain.from_iterable(treebank.column("misc"))):
        for decision, confidence in _CONFIDENCE.findall(misc):
            found.setdefault(decision.lower(), [nan] * words)[word] = float(confidence)
    return found
