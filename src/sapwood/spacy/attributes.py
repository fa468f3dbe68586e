"""The tokens that spaCy has for an analysis, and their attributes, which columns become and come from."""

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from spacy import attrs
from spacy.morphology import Morphology
from spacy.parts_of_speech import IDS
from spacy.strings import StringStore
from spacy.tokens import Doc as SpacyDoc

from sapwood.parts import COLUMNS, PART_OF
from sapwood.spacy.analysis import Annotation

Unit = tuple[int, int]  # the words of a spaCy token: the first one and how many; space has none, before a word
ROOT = {"root": "ROOT"}  # the relation of a root, in treebanks and in spaCy
_UNSIGNED = 1 << 64  # spaCy keeps negative numbers as those that are congruent to them
_MORPHOLOGY = Morphology(StringStore())
_FEATS = re.compile(r"[^=|]+=[^=|]+(\|[^=|]+=[^=|]+)*")  # morphological features, to spaCy


@lru_cache(maxsize=10_000)
def _feats(value: str) -> str:
    """Return morphological features as spaCy has them: sorted, and none that are not of its kind."""
    return str(_MORPHOLOGY.normalize_features(value)) if _FEATS.fullmatch(value) else "_"


class AttributeRule(NamedTuple):
    """A rule by which spaCy's tokens have the values of a column."""

    there: Callable[[str], str] = str  # a value as spaCy has it; none is empty
    back: Callable[[str], str] = lambda value: value or "_"  # a value of spaCy's as a column has it
    space: str = ""  # the value of space, which is a token
    between: str | None = None  # stands between the values of words that are one token; without, one word speaks for it


_RULES = {  # rules of the columns whose values are an attribute each
    "upos": AttributeRule(lambda value: value if value in IDS else "", space="SPACE"),
    "xpos": AttributeRule(lambda value: "" if value == "_" else value, space="_SP", between="_"),
    "feats": AttributeRule(_feats, space="_"),
    "lemma": AttributeRule(between=" "),
    "deprel": AttributeRule(lambda v: ROOT.get(v, v), lambda v: "root" if v == ROOT["root"] else v or "_", space="dep"),
}
ATTRIBUTES = {"form": attrs.ORTH} | {
    column.name: getattr(attrs, column.spacy[-1]) for column in COLUMNS if column.spacy
}


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
    columns, chiefs = analysis.columns, _chiefs(analysis, units)
    found: dict[int, list[int]] = {}
    for name, rule in _RULES.items():
        if name in columns and PART_OF[name].stage in parts:
            values = _of_units(columns[name], units, chiefs, rule)
            number_of: Callable[[str], int] = strings.add
            if rule.there is not str:
                number_of = {value: strings.add(rule.there(value)) for value in set(values)}.__getitem__
            found[ATTRIBUTES[name]] = list(map(number_of, values))
    if "entities" in parts and "entity" in columns:
        names = _names(columns["entity"], units)
        found[attrs.ENT_IOB] = ["_IOB".index(label[0]) for label in names]
        found[attrs.ENT_TYPE] = [strings.add(label[2:]) for label in names]
    if "parse" in parts and analysis.heads is not None:
        heads, unit_of = analysis.absolute_heads(), [u for u, (_, count) in enumerate(units) for _ in range(count)]
        space = min(1, len(units) - 1)  # hangs on the token before it, at the beginning on the one behind
        at = [(u - 1 if u else space) if w is None else unit_of[heads[w]] for u, w in enumerate(chiefs)]
        found[attrs.HEAD] = [(head - u) % _UNSIGNED for u, head in enumerate(at)]
    elif "segment" in parts:
        begins = {word for _, word, _ in analysis.sentences[:-1]}
        found[attrs.SENT_START] = [1 if w in begins or u == 0 else _UNSIGNED - 1 for u, w in enumerate(chiefs)]
    return found


def columns_in(doc: SpacyDoc, words: Sequence[int]) -> dict[str, list[str]]:
    """Return the columns of those parts that a document has annotations of. words : the tokens that are no space"""
    strings = doc.vocab.strings
    stages = {PART_OF[name].stage for name in _RULES if doc.has_annotation(ATTRIBUTES[name])}
    columns = {}
    for name, rule in _RULES.items():
        if words and PART_OF[name].stage in stages:
            values = doc.to_array([ATTRIBUTES[name]]).tolist()
            columns[name] = [rule.back(strings[values[i]]) for i in words]
    if words and doc.has_annotation("ENT_IOB"):
        columns["entity"] = [f"{doc[i].ent_iob_}-{doc[i].ent_type_}" if doc[i].ent_type_ else "O" for i in words]
    return columns


def is_kept(name: str, column: list[str]) -> bool:
    """Return true if spaCy gives all values of a column back as they are."""
    if name == "entity":
        return column.count("O") == len(column) or _names(column, [(word, 1) for word in range(len(column))]) == column
    if name in _RULES:
        there, back, *_ = _RULES[name]
        return there is str or all(back(there(value)) == value for value in set(column))
    return name == "form"


def _of_units(column: list[str], units: list[Unit], chiefs: Sequence[int | None], rule: AttributeRule) -> list[str]:
    if isinstance(chiefs, range):
        return column
    if rule.between is None:
        return [rule.space if word is None else column[word] for word in chiefs]
    several = (column[first : first + count] for first, count in units)
    return [rule.between.join(v for v in some if v != "_") or "_" if some else rule.space for some in several]


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
