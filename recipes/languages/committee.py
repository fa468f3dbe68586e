"""Trees of raw text by a committee of parsers, from which the parser of a pipeline learns beside its treebank.

The parsers differ in their search, in the tags that they read and in the direction in which they read, so they make
different mistakes. A sentence gets the tree that has most in common with those of the others. It is left out if they
agree in too few of its words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sapwood import _core
from sapwood.options import Values
from sapwood.parts import TAGS
from sapwood.tasks.parsing.committee import turned
from sapwood.tasks.parsing.model import DependencyParser, Parse
from sapwood.tasks.pipeline.model import Pipeline
from sapwood.training.cross_validation import folds_in_turn, splits

_FOLDS = 5
_LENGTHS = range(5, 61)  # words of a sentence that is learned from
_AGREEMENT = 0.9  # the least fraction of the words of all trees with the head and relation of the chosen tree


class _Member(NamedTuple):
    options: Values
    is_backward: bool = False  # true if the parser reads sentences from their end


_BEAM: Values = {"search": "beam", "epochs": 12, "min_updates": 3, "drop_below": 0.0}
_OTHER: Values = {"epochs": 10, "min_updates": 2, "drop_below": 0.0}
_COMMITTEE = (
    _Member(_BEAM),
    _Member(_BEAM | {"seed": 5}),
    _Member(_BEAM | {"tag_columns": ("upos", "feats"), "fill_tags": False}),
    _Member(_BEAM, is_backward=True),
    _Member(_OTHER | {"search": "easy-first"}),
    _Member(_OTHER | {"search": "eisner"}),
    _Member(_OTHER | {"search": "eisner", "order": 2}),
)


def trees_by_committee(
    texts: Sequence[str], taught: _core.Conllu, model_options: Mapping[str, Values]
) -> list[_core.Conllu]:
    """Return the sentences of texts that the committee agrees on, with tags and trees; nothing without texts.

    taught : the treebank that the committee learns from; model_options : of the pipeline that finds words and tags
    """
    if not texts:
        return []
    reader = Pipeline(parts=("segment", "tag")).fit(taught, model_options=model_options)
    words = _core.Conllu.read(reader("\n\n".join(texts)).to_conllu().encode(), "raw text")
    words = words.select([s for s, forms in enumerate(words.column("form")) if len(forms) in _LENGTHS])
    tagged = tagged_in_folds(taught, model_options)
    fills: Values = {"fill_tags": model_options["parser"]["fill_tags"]}
    answers = [_answers(member._replace(options=fills | member.options), tagged, words) for member in _COMMITTEE]
    chosen = [_chosen(trees) for trees in zip(*answers, strict=True)]
    columns = {
        "head": [[str(head) for head in tree.heads] for tree, _ in chosen],
        "deprel": [tree.deprels for tree, _ in chosen],
    }
    agreed = [s for s, (_, agreement) in enumerate(chosen) if agreement >= _AGREEMENT]
    return [words.with_columns(columns).select(agreed)]


def tagged_in_folds(data: _core.Conllu, model_options: Mapping[str, Values]) -> _core.Conllu:
    """Return a treebank with the tags that taggers give to each fold, which have learned from the others."""
    tags: dict[str, list[list[str]]] = {name: [[] for _ in range(data.sentences)] for name in TAGS}
    for others, inside in splits(folds_in_turn(data.sentences, _FOLDS)):
        tagger = Pipeline(parts=("tag",)).fit(data.select(others), model_options=model_options)
        tagged = tagger._filled(data.select(inside))
        for name, column in tags.items():
            for s, cells in zip(inside, tagged.column(name), strict=True):
                column[s] = cells
    return data.with_columns(tags)


def _answers(member: _Member, taught: _core.Conllu, words: _core.Conllu) -> list[Parse]:
    """Return the trees that a parser finds after it has learned from a treebank."""
    parser = DependencyParser(**member.options)
    if not member.is_backward:
        return parser.fit(taught).predict(words)
    trees = parser.fit(turned(taught)).predict(turned(words))
    return [Parse(_turned(tree.heads), tree.deprels[::-1]) for tree in trees]


def _turned(heads: Sequence[int]) -> list[int]:
    """Return the heads of a sentence that is turned round: 0 stays, and the others count from the other end."""
    return [head and len(heads) + 1 - head for head in reversed(heads)]


def _chosen(trees: Sequence[Parse]) -> tuple[Parse, float]:
    """Return the tree that agrees most with all trees of a sentence, and the fraction of words in which it does."""
    arcs = [list(zip(*tree, strict=True)) for tree in trees]
    agreeing = [sum(a == b for other in arcs for a, b in zip(own, other, strict=True)) for own in arcs]
    most = max(agreeing)
    return trees[agreeing.index(most)], most / (len(arcs) * len(arcs[0]))
