"""The words of spaCy's English pipelines for relations and names, and noun chunks of trees in Universal Dependencies.

The relations are those of the CLEAR scheme, as far as the heads stay: a word that has another head there, such as the
noun behind a preposition, keeps the relation of Universal Dependencies. spaCy's rule of noun chunks for English does
not know these trees.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path

from spacy.errors import Errors
from spacy.tokens import Doc as SpacyDoc
from spacy.tokens import Span
from spacy.util import get_lang_class
from spacy.vocab import Vocab

from sapwood.documents.noun_chunks import LABEL, noun_chunks
from sapwood.metrics.chunks import extract_chunks
from sapwood.spacy.analysis import Annotation
from sapwood.spacy.attributes import ROOT

RELATIONS = {
    "obj": "dobj", "iobj": "dative", "nsubj:pass": "nsubjpass", "nsubj:outer": "nsubj", "csubj:pass": "csubjpass",
    "csubj:outer": "csubj", "aux:pass": "auxpass", "nmod:poss": "poss", "nmod:desc": "compound",
    "acl:relcl": "relcl", "advcl:relcl": "relcl", "obl:unmarked": "npadvmod", "obl:npmod": "npadvmod",
    "obl:tmod": "npadvmod", "vocative": "npadvmod", "compound:prt": "prt", "det:predet": "predet",
    "cc:preconj": "preconj", "discourse": "intj",
}  # fmt: skip
UNIVERSAL = {word: relation for relation, word in reversed(RELATIONS.items())} | {"neg": "advmod"}  # back from there
_OF_FORMS = {("advmod", form): "neg" for form in ("not", "n't", "n\N{RIGHT SINGLE QUOTATION MARK}t", "never", "no")}
_OF_FORMS[("mark", "to")] = "aux"  # marks of infinitives
_NAMES = {"PER": ["PERSON"], "LOC": ["GPE", "LOC"]}  # places of the list, and others
_OF_STATES = ("city of ", "state of ", "province of ", "republic of ", "kingdom of "), (" city", " county", " province")
_Rule = Callable[[SpacyDoc | Span], Iterator[tuple[int, int, int]]]
_UNIVERSAL_DEPENDENCIES = """
    acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed
    flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp
"""
_KNOWN = {*_UNIVERSAL_DEPENDENCIES.split(), ROOT["root"], "", *UNIVERSAL}  # with our words of spaCy's; without subtypes


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


def iterate_noun_chunks(doclike: SpacyDoc | Span) -> Iterator[tuple[int, int, int]]:
    """Yield the first token of each noun chunk, the one after its last, and its label, as spaCy's own rules do.

    A tree with relations that are not universal, such as one of spaCy's English parser, is left to the rule of the
    vocabulary's language. Raises ValueError if there is no tree.
    """
    doc = doclike.doc
    if not doc.has_annotation("DEP"):
        raise ValueError(Errors.E029)
    deps = [token.dep_ for token in doc]
    if any(dep.partition(":")[0] not in _KNOWN for dep in set(deps)) and (rule := _rule_of_language(doc.vocab)):
        yield from rule(doclike)
        return
    words = [token for token in doc if token.pos_ != "SPACE"]
    places = {token.i: word for word, token in enumerate(words, 1)}
    heads = [0 if token.head == token else places.get(token.head.i, 0) for token in words]
    relations = [UNIVERSAL.get(token.dep_, token.dep_) for token in words]
    label = doc.vocab.strings.add(LABEL)
    first, after = (doclike.start, doclike.end) if isinstance(doclike, Span) else (0, len(doc))
    for begin, end in noun_chunks(heads, relations, [token.pos_ for token in words]):
        if first <= words[begin].i and words[end - 1].i < after:
            yield words[begin].i, words[end - 1].i + 1, label


def find_chunks_by_trees(doc: SpacyDoc) -> None:
    """Let a document and its vocabulary find noun chunks by `iterate_noun_chunks`; somebody's own rules stay."""
    vocab = doc.vocab
    if vocab.get_noun_chunks is iterate_noun_chunks and doc.noun_chunks_iterator is iterate_noun_chunks:
        return
    rules = None, iterate_noun_chunks, _rule_of_language(vocab)
    if vocab.get_noun_chunks in rules:
        vocab.get_noun_chunks = iterate_noun_chunks
    if doc.noun_chunks_iterator in rules:
        doc.noun_chunks_iterator = iterate_noun_chunks


def _rule_of_language(vocab: Vocab) -> _Rule | None:
    try:
        rule: _Rule | None = get_lang_class(vocab.lang).Defaults.syntax_iterators.get("noun_chunks")
    except ImportError:  # spaCy does not know the language, or the vocabulary has none
        return None
    return rule
