"""The words of spaCy's English pipelines for relations and names, where they have one for ours.

The relations are those of the CLEAR scheme, as far as the heads stay: a word that has another head there, such as the
noun behind a preposition, keeps the relation of Universal Dependencies.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import cache
from pathlib import Path

from sapwood.metrics.chunks import extract_chunks
from sapwood.spacy.analysis import Annotation

RELATIONS = {
    "obj": "dobj",
    "iobj": "dative",
    "nsubj:pass": "nsubjpass",
    "nsubj:outer": "nsubj",
    "csubj:pass": "csubjpass",
    "csubj:outer": "csubj",
    "aux:pass": "auxpass",
    "nmod:poss": "poss",
    "nmod:desc": "compound",
    "acl:relcl": "relcl",
    "advcl:relcl": "relcl",
    "obl:unmarked": "npadvmod",
    "obl:npmod": "npadvmod",
    "obl:tmod": "npadvmod",
    "vocative": "npadvmod",
    "compound:prt": "prt",
    "det:predet": "predet",
    "cc:preconj": "preconj",
    "discourse": "intj",
}
UNIVERSAL = {word: relation for relation, word in reversed(RELATIONS.items())} | {"neg": "advmod"}  # back from there
_OF_FORMS = {("advmod", form): "neg" for form in ("not", "n't", "n\N{RIGHT SINGLE QUOTATION MARK}t", "never", "no")}
_OF_FORMS[("mark", "to")] = "aux"  # marks of infinitives
_NAMES = {"PER": ["PERSON"], "LOC": ["GPE", "LOC"]}  # places of the list, and others
_OF_STATES = ("city of ", "state of ", "province of ", "republic of ", "kingdom of "), (" city", " county", " province")


def in_spacys_words(analysis: Annotation) -> Annotation:
    """Return an analysis with spaCy's words for its relations and names. Heads stay."""
    columns = dict(analysis.columns)
    forms = columns["form"]
    if "deprel" in columns:
        words = zip(columns["deprel"], map(str.lower, forms), strict=True)
        columns["deprel"] = [_OF_FORMS.get(word) or RELATIONS.get(word[0], word[0]) for word in words]
    if "entity" in columns:
        columns["entity"] = labels = list(columns["entity"])
        for kind, first, after in extract_chunks(labels):
            word = _name_word(kind, " ".join(forms[first:after]))
            labels[first:after] = [f"{label[:2]}{word}" for label in labels[first:after]]
    return analysis._replace(columns=columns)


def words_for(relations: Collection[str], names: Collection[str]) -> tuple[set[str], set[str]]:
    """Return spaCy's words for all relations and for all names that a model has."""
    found = {RELATIONS.get(relation, relation) for relation in relations}
    found |= {word for (relation, _), word in _OF_FORMS.items() if relation in relations}
    return found, {word for name in names for word in _NAMES.get(name, [name])}


def is_state(name: str) -> bool:
    """Return true if a place is a country, a state or a city, by a list of them.

    >>> [is_state(name) for name in ("the U.S.", "SÃO PAULO", "Houston, Texas", "Orange County", "the Atlantic")]
    [True, True, True, True, False]
    """
    folded = _folded(name).removeprefix("the ")
    prefixes, suffixes = _OF_STATES
    return (
        folded in _states()
        or folded.partition(",")[0].rstrip() in _states()
        or folded.startswith(prefixes)
        or folded.endswith(suffixes)
    )


def _name_word(kind: str, name: str) -> str:
    words = _NAMES.get(kind, [kind])
    return words[0] if len(words) == 1 or is_state(name) else words[1]


def _folded(name: str) -> str:
    """Return a name as the list has it: in small letters, without accents and full stops."""
    letters = unicodedata.normalize("NFKD", name.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    return " ".join("".join(c for c in letters if c != "." and not unicodedata.combining(c)).casefold().split())


@cache
def _states() -> frozenset[str]:
    lines = Path(__file__).with_name("places.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
