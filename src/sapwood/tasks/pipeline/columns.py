"""Columns that only a part of a treebank has: XPOS, FEATS and lemmas.

Lemmas are learned from the words that have one, unless these are punctuation alone, FEATS from the sentences that have
some. XPOS is learned together with UPOS, so a word without it teaches that there is none: below a share of the words it
costs more than it gives.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from sapwood import _core
from sapwood.io.conllu import has_values

# Shares of the words that have a value, below which a column is left out. XPOS: on the development parts of treebanks
# with XPOS for a part of the words, or blanked in a part of them, tags and features are worse with it at 0.8 and less,
# and hardly from 0.88 on (docs/training.md). Of FEATS and lemmas a hundredth is enough.
LEAST = {"xpos": 0.85, "feats": 0.01, "lemma": 0.01}
# FEATS of a sentence are missing if fewer sentences like it than these are expected by chance in the whole treebank.
_CHANCE = 0.01

Treebanks = Mapping[str, _core.Conllu]


def columns_of(data: _core.Conllu, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns in which some word has a value."""
    return tuple(name for name in columns if has_values(data, (name,)))


def without_rare_columns(
    data: _core.Conllu, held_out: _core.Conllu | None, own: Treebanks
) -> tuple[_core.Conllu, _core.Conllu | None, Treebanks, dict[str, str]]:
    """Return treebanks without the columns that too few words of the first one have, and for each column the reason."""
    reasons = {}
    for name, least in LEAST.items():
        columns = (chain.from_iterable(data.column(column)) for column in (name, "upos"))
        cells = [value for value, tag in zip(*columns, strict=True) if name != "lemma" or tag != "PUNCT"]
        there = len(cells) - cells.count("_")
        if there < least * len(cells) and has_values(data, (name,)):
            what = "a lemma, punctuation apart" if name == "lemma" else name.upper()
            share = f"{there:,} of {len(cells):,} words have {what}"
            reasons[name] = f"{share}, fewer than {100 * least:.0f} %"
    if not reasons:
        return data, held_out, own, {}
    others = {part: without(each, reasons) for part, each in own.items()}
    return without(data, reasons), None if held_out is None else without(held_out, reasons), others, reasons


def without(data: _core.Conllu, columns: Iterable[str]) -> _core.Conllu:
    """Return a treebank in which no word has a value in some columns."""
    blank = [["_"] * len(sentence) for sentence in data.column("id")]
    return data.with_columns(dict.fromkeys(columns, blank))


def with_feats(data: _core.Conllu) -> _core.Conllu:
    """Return a treebank without the sentences in which FEATS are missing.

    A sentence may well have none: a full stop, an interjection. They are missing where no word has any, although words
    with the same UPOS have them so often that among so many sentences hardly one would be like this by chance.
    """
    feats, upos = data.column("feats"), data.column("upos")
    has_some = [any(value != "_" for value in sentence) for sentence in feats]
    if all(has_some) or not any(has_some):
        return data
    words, without = Counter[str](), Counter[str]()
    for tags, values, known in zip(upos, feats, has_some, strict=True):
        if known:
            words.update(tags)
            without.update(tag for tag, value in zip(tags, values, strict=True) if value == "_")

    def chance(tags: Sequence[str]) -> float:
        """Return the probability that no word with one of these tags has FEATS."""
        return math.prod((without[tag] + 1) / (words[tag] + 2) for tag in tags)

    least = _CHANCE / data.sentences
    return data.select([s for s, known in enumerate(has_some) if known or chance(upos[s]) >= least])
