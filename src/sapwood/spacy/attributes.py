"""The tokens that spaCy has for an analysis, and their attributes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import DEP, ENT_IOB, ENT_TYPE, HEAD, LEMMA, MORPH, POS, SENT_START, TAG

from sapwood.spacy.analysis import Annotation
from sapwood.spacy.codes import BEGIN, INSIDE, OUTSIDE, Codes

Unit = tuple[int, int]  # the words of a spaCy token: the first one and how many; space has none, before a word
_OF_SPACE = {  # the values of space, and what stands between those of several words, if it is not one word's
    "upos": ("SPACE", None),
    "xpos": ("_SP", "_"),
    "lemma": ("", " "),
    "deprel": ("dep", None),
}
UNSIGNED = 1 << 64  # spaCy keeps negative numbers as those that are congruent to them


def layout(analysis: Annotation) -> tuple[list[str], list[bool], list[Unit]]:
    """Return the texts of spaCy's tokens, whether a space follows each, and what words they are."""
    text, forms = analysis.text, analysis.columns["form"]
    words: list[str] = [text[begin:end] for begin, end in analysis.tokens]
    spaces: list[bool] = [end < begin for (_, end), (begin, _) in pairwise([*analysis.tokens, (len(text), 0)])]
    if len(words) == len(forms) and "".join([w + " " if s else w for w, s in zip(words, spaces, strict=True)]) == text:
        return words, spaces, [(w, 1) for w in range(len(words))]
    words, spaces = [], []
    units: list[Unit] = []

    def add_gap(gap: str, next_word: int) -> None:
        if gap.startswith(" ") and units:
            spaces[-1] = True
            gap = gap[1:]
        if gap:
            words.append(gap)
            spaces.append(False)
            units.append((next_word, 0))

    at = 0
    for (begin, end), (first, after) in zip(analysis.tokens, pairwise(analysis.first_words), strict=True):
        if at < begin:
            add_gap(text[at:begin], first)
        at = end
        if after - first > 1 and "".join(forms[first:after]) == text[begin:end]:
            words += forms[first:after]
            spaces += [False] * (after - first)
            units += [(w, 1) for w in range(first, after)]
        else:
            words.append(text[begin:end])
            spaces.append(False)
            units.append((first, after - first))
    if at < len(text):
        add_gap(text[at:], len(forms))
    return words, spaces, units


def attribute_values(
    analysis: Annotation, units: list[Unit], codes: Codes, parts: Collection[str]
) -> tuple[list[int], NDArray[np.uint64]]:
    """Return spaCy's attributes of the parts that an analysis has, and their values: [tokens, attributes]."""
    one_each = all(words == 1 for _, words in units)
    chiefs = range(len(units)) if one_each else _chiefs(analysis, units)
    columns = analysis.columns if one_each else _by_token(analysis.columns, units, chiefs)
    found: dict[int, list[int]] = {}
    if "tag" in parts and "upos" in columns:
        found[POS], found[TAG] = codes.upos.of(columns["upos"]), codes.xpos.of(columns["xpos"])
        found[MORPH] = codes.feats.of(columns["feats"])
    if "lemmatize" in parts and "lemma" in columns:
        found[LEMMA] = codes.lemmas(columns["lemma"])
    if "entities" in parts and "entity" in columns:
        if columns["entity"].count("O") == len(units):
            found[ENT_IOB], found[ENT_TYPE] = [OUTSIDE] * len(units), [0] * len(units)
        elif one_each:
            found[ENT_IOB], found[ENT_TYPE] = codes.names.of(columns["entity"])
        else:
            labels = _labels(analysis.columns["entity"], units, chiefs)
            found[ENT_IOB], found[ENT_TYPE] = [iob for iob, _ in labels], codes.kinds.of([kind for _, kind in labels])
    if "parse" in parts and analysis.heads is not None:
        found[DEP] = codes.deprel.of(columns["deprel"])
        if one_each:
            found[HEAD] = [distance % UNSIGNED for distance in analysis.distances()]
        else:
            found[HEAD] = _relative_heads(analysis.absolute_heads(), units, chiefs)
    elif "segment" in parts:
        begins = {word for _, word, _ in analysis.sentences[:-1]}
        found[SENT_START] = [1 if w in begins or u == 0 else UNSIGNED - 1 for u, w in enumerate(chiefs)]
    return list(found), np.array(list(found.values()), dtype=np.uint64).T


def _by_token(columns: dict[str, list[str]], units: list[Unit], chiefs: Sequence[int | None]) -> dict[str, list[str]]:
    """Return the values of tokens: of several words their tags and lemmas, and what else the chief of them has."""
    found = {}
    for name, column in columns.items():
        space, separator = _OF_SPACE.get(name, ("_", None))
        if separator is None:
            found[name] = [space if w is None else column[w] for w in chiefs]
        else:
            values = (column[first : first + words] for first, words in units)
            found[name] = [separator.join(v for v in some if v != "_") or "_" if some else space for some in values]
    return found


def _chiefs(analysis: Annotation, units: list[Unit]) -> Sequence[int | None]:
    """Return for each token the word that speaks for it: of several the one next to the root; of space None."""
    heads: list[int] = []

    def depth(word: int) -> int:
        steps = 0
        while heads[word] != word:
            word, steps = heads[word], steps + 1
        return steps

    chiefs: list[int | None] = []
    for first, count in units:
        if count > 1 and analysis.heads is not None:
            heads = heads or analysis.absolute_heads()
            chiefs.append(min(range(first, first + count), key=depth))
        else:
            chiefs.append(first if count else None)
    return chiefs


def _relative_heads(heads: list[int], units: list[Unit], chiefs: Sequence[int | None]) -> list[int]:
    """Return for each token how far away its head is. Space hangs on the token before it, at the beginning behind."""
    unit_of = [u for u, (_, count) in enumerate(units) for _ in range(count)]
    relative = []
    for u, w in enumerate(chiefs):
        if w is not None:
            relative.append((unit_of[heads[w]] - u) % UNSIGNED)
        else:
            relative.append((-1 if u else min(1, len(units) - 1)) % UNSIGNED)
    return relative


def _labels(labels: list[str], units: list[Unit], chiefs: Sequence[int | None]) -> list[tuple[int, str]]:
    """Return ENT_IOB and the type of each token. Space inside of a name belongs to it; a name begins with B."""
    found = []
    inside = ""
    for (first, count), w in zip(units, chiefs, strict=True):
        if w is None:
            next_one = labels[first] if first < len(labels) else "O"
            inside = inside if next_one == f"I-{inside}" else ""
            found.append((INSIDE, inside) if inside else (OUTSIDE, ""))
            continue
        label = next((label for label in labels[first : first + count] if label != "O"), "O")
        kind = label[2:]
        goes_on = label.startswith("I-") and kind == inside
        found.append((OUTSIDE, "") if label == "O" else (INSIDE if goes_on else BEGIN, kind))
        inside = kind
    return found
