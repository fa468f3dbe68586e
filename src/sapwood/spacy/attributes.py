"""The tokens that spaCy has for an analysis, and their attributes."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from spacy.attrs import DEP, ENT_IOB, ENT_TYPE, HEAD, LEMMA, MORPH, POS, SENT_START, TAG
from spacy.morphology import Morphology
from spacy.parts_of_speech import IDS, NAMES
from spacy.strings import StringStore

from sapwood.spacy.analysis import Annotation

Unit = tuple[int, int]  # the words of a spaCy token: the first one and how many; space has none, before a word
ROOT = {"root": "ROOT"}  # the relation of a root, in treebanks and in spaCy
_UNSIGNED = 1 << 64  # spaCy keeps negative numbers as those that are congruent to them
_UPOS = {*NAMES.values(), "_"} - {"", "SPACE", "EOL"}
_MORPHOLOGY = Morphology(StringStore())
_FEATS = re.compile(r"[^=|]+=[^=|]+(\|[^=|]+=[^=|]+)*")  # morphological features, to spaCy


def layout(analysis: Annotation) -> tuple[list[str], list[bool], list[Unit]]:
    """Return the texts of spaCy's tokens, whether a space follows each, and what words they are."""
    text, forms = analysis.text, analysis.columns["form"]
    words: list[str] = []
    spaces: list[bool] = []
    units: list[Unit] = []

    def add(word: str, first: int, count: int) -> None:
        words.append(word)
        spaces.append(False)
        units.append((first, count))

    at = 0
    of_tokens = zip(analysis.tokens, pairwise(analysis.first_words), strict=True)
    for (begin, end), (first, after) in [*of_tokens, ((len(text), len(text)), (len(forms), len(forms)))]:
        if at < begin:
            if spaces and text[at] == " ":
                spaces[-1] = True
                at += 1
            if at < begin:
                add(text[at:begin], first, 0)
        at = end
        if after > first + 1 and "".join(forms[first:after]) == text[begin:end]:
            for word in range(first, after):
                add(forms[word], word, 1)
        elif begin < end:
            add(text[begin:end], first, after - first)
    return words, spaces, units


def attribute_values(
    analysis: Annotation, units: list[Unit], parts: Collection[str], strings: StringStore
) -> dict[int, list[int]]:
    """Return spaCy's attributes of the parts that an analysis has, with the value of each token.

    A token of several words has their tags and lemmas, and what else the one next to the root has. spaCy's constructor
    of documents takes the same as texts, in twice the time.
    """
    if not units:
        return {}
    columns, chiefs, number = analysis.columns, _chiefs(analysis, units), strings.add

    def of_chiefs(name: str, space: str) -> list[str]:
        column = columns[name]
        return [space if w is None else column[w] for w in chiefs]

    def joined(name: str, space: str, separator: str) -> list[str]:
        if isinstance(chiefs, range):
            return columns[name]
        several = (columns[name][first : first + count] for first, count in units)
        return [separator.join(v for v in some if v != "_") or "_" if some else space for some in several]

    found: dict[int, list[int]] = {}
    if "tag" in parts and "upos" in columns:
        found[POS] = [IDS.get(value, 0) for value in of_chiefs("upos", "SPACE")]
        found[TAG] = [0 if value == "_" else number(value) for value in joined("xpos", "_SP", "_")]
        found[MORPH] = [number(_feats(value)) for value in of_chiefs("feats", "_")]
    if "lemmatize" in parts and "lemma" in columns:
        found[LEMMA] = list(map(number, joined("lemma", "", " ")))
    if "entities" in parts and "entity" in columns:
        names = _names(columns["entity"], units)
        found[ENT_IOB] = ["_IOB".index(label[0]) for label in names]
        found[ENT_TYPE] = [number(label[2:]) for label in names]
    if "parse" in parts and analysis.heads is not None:
        found[DEP] = [number(ROOT.get(value, value)) for value in of_chiefs("deprel", "dep")]
        heads, unit_of = analysis.absolute_heads(), [u for u, (_, count) in enumerate(units) for _ in range(count)]
        space = min(1, len(units) - 1)  # hangs on the token before it, at the beginning on the one behind
        at = [(u - 1 if u else space) if w is None else unit_of[heads[w]] for u, w in enumerate(chiefs)]
        found[HEAD] = [(head - u) % _UNSIGNED for u, head in enumerate(at)]
    elif "segment" in parts:
        begins = {word for _, word, _ in analysis.sentences[:-1]}
        found[SENT_START] = [1 if w in begins or u == 0 else _UNSIGNED - 1 for u, w in enumerate(chiefs)]
    return found


def is_kept(name: str, column: list[str]) -> bool:
    """Return true if spaCy gives all values of a column back as they are."""
    match name:
        case "upos":
            return _UPOS.issuperset(column)
        case "feats":
            return all(_feats(value) == value for value in set(column))
        case "deprel":
            return ROOT["root"] not in column
        case "entity":
            return column.count("O") == len(column) or all(map(_goes_on, pairwise(["O", *column])))
    return name in ("form", "xpos", "lemma")


@lru_cache(maxsize=10_000)
def _feats(value: str) -> str:
    """Return morphological features as spaCy has them: sorted, and none that are not of its kind."""
    return str(_MORPHOLOGY.normalize_features(value)) if _FEATS.fullmatch(value) else "_"


def _goes_on(labels: tuple[str, str]) -> bool:
    """Return true for labels of which the second is O, begins a name, or goes on with that of the first."""
    before, label = labels
    return label == "O" or (len(label) > 2 and (label[:2] == "B-" or (label[:2] == "I-" and label[1:] == before[1:])))


def _chiefs(analysis: Annotation, units: list[Unit]) -> Sequence[int | None]:
    """Return for each token the word that speaks for it: of several the one next to the root; of space None."""
    if all(count == 1 for _, count in units):
        return range(len(units))
    heads = analysis.absolute_heads() if analysis.heads is not None else range(len(analysis.columns["form"]))

    def depth(word: int) -> int:
        steps = 0
        while heads[word] != word:
            word, steps = heads[word], steps + 1
        return steps

    return [min(range(first, first + count), key=depth, default=None) for first, count in units]


def _names(labels: list[str], units: list[Unit]) -> list[str]:
    """Return the label of each token. Space inside of a name belongs to it; a name begins with B."""
    if labels.count("O") == len(labels):
        return ["O"] * len(units)
    found = []
    before = "O"
    for first, count in units:
        words = labels[first : first + count] or [label for label in labels[first : first + 1] if label[:2] == "I-"]
        label = next((label for label in words if label[:2] in ("B-", "I-") and label[2:]), "O")
        if label[:2] == "I-" and label[1:] != before[1:]:
            label = f"B{label[1:]}" if count else "O"
        found.append(label)
        before = label
    return found
