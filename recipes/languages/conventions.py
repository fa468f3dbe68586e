"""Corpora of several conventions, which differ in XPOS, FEATS or relations, get those of one of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from sapwood import _core
from sapwood.tasks.tagging.model import SequenceTagger

_FEWEST, _FEWEST_OF_ANY = 3, 10  # words of one form, or of any, that say which relations are usual
_RARE, _USUAL = 0.05, 0.6  # fractions of the words with a relation that is rare, or usual

_Place = tuple[str, str, str, bool]


def with_one_convention(data: _core.Conllu, column: str, corpora: tuple[str, ...] | None) -> _core.Conllu:
    """Return a treebank whose sentences have the XPOS or FEATS of some corpora; others get it from a tagger.

    None: the treebank as it is. Without corpora the column is empty.
    """
    if corpora is None:
        return data
    names = ("form", "upos", "feats" if column == "xpos" else "xpos", column)
    *read, gold = (data.column(name) for name in names)
    if not corpora:
        return data.with_columns({column: [["_"] * len(sentence) for sentence in gold]})
    rows = [list(zip(*sentence, strict=True)) for sentence in zip(*read, strict=True)]
    taught = [s for s, name in enumerate(corpora_of(data)) if name.startswith(corpora)]
    tagger = SequenceTagger(template="morphology", search="greedy", dictionary="upos+xpos", epochs=8)
    tagger.set_params(columns=["form", "upos", "xpos", "label"])  # the template's names
    tagger.fit([rows[s] for s in taught], [gold[s] for s in taught])
    found = tagger.predict(rows)
    for s in taught:
        found[s] = gold[s]
    return data.with_columns({column: found})


def with_relations_of_others(data: _core.Conllu, converted: str) -> _core.Conllu:
    """Return a treebank in which trees that were converted by rule have the relations of the other trees.

    A relation that fewer than one in twenty such words have in the other trees becomes the one that six of ten have
    there. Such words are alike in form, UPOS, UPOS of the head and side of the head; where the other trees have fewer
    than three of these, in all but the form. Heads stay as they are.

    converted : how the corpora of these trees begin; none: the treebank as it is
    """
    if not converted:
        return data
    columns = (data.column(name) for name in ("form", "upos", "head", "deprel"))
    sentences = [(_places(forms, upos, heads), deprel) for forms, upos, heads, deprel in zip(*columns, strict=True)]
    is_converted = [corpus.startswith(converted) for corpus in corpora_of(data)]
    official = defaultdict[object, Counter[str]](Counter)
    for (places, deprel), is_other in zip(sentences, is_converted, strict=True):
        for place, relation in zip(places, deprel, strict=True):
            for key in () if is_other else (place, place[1:]):
                official[key][relation] += 1

    def usual(place: _Place, relation: str) -> str:
        form_is_known = official[place].total() >= _FEWEST
        relations = official[place if form_is_known else place[1:]]
        words, least = relations.total(), _FEWEST if form_is_known else _FEWEST_OF_ANY
        if words < least or relations[relation] >= _RARE * words:
            return relation
        best, count = relations.most_common(1)[0]
        return best if count >= _USUAL * words else relation

    deprel = [
        [usual(*word) for word in zip(places, relations, strict=True)] if is_other else relations
        for (places, relations), is_other in zip(sentences, is_converted, strict=True)
    ]
    return data.with_columns({"deprel": deprel})


def _places(forms: Sequence[str], upos: Sequence[str], heads: Sequence[str]) -> list[_Place]:
    """Return the form, UPOS, UPOS of the head, and side of the head of each word."""
    tags = ["ROOT", *upos]
    words = enumerate(zip(forms, upos, map(int, heads), strict=True), 1)
    return [(form.lower(), tag, tags[head], head > number) for number, (form, tag, head) in words]


def corpora_of(data: _core.Conllu) -> list[str]:
    """Return the corpus that each sentence of a treebank is from, as its comment `# corpus` has it."""
    found, corpus, inside = list[str](), "", False
    for line in data.replace({}).decode().splitlines():
        if line.startswith("# corpus = "):
            corpus = line.removeprefix("# corpus = ")
        if line and not line.startswith("#") and not inside:
            found.append(corpus)
        inside = bool(line) and not line.startswith("#")
    return found
