"""Noun chunks of documents of spaCy with trees in Universal Dependencies, which its rule for English does not know."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from spacy.errors import Errors
from spacy.tokens import Doc as SpacyDoc
from spacy.tokens import Span
from spacy.util import get_lang_class
from spacy.vocab import Vocab

from sapwood.documents.noun_chunks import LABEL, noun_chunks
from sapwood.spacy.attributes import ROOT
from sapwood.spacy.labels import UNIVERSAL

_Rule = Callable[[SpacyDoc | Span], Iterator[tuple[int, int, int]]]
_UNIVERSAL_DEPENDENCIES = """
    acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse dislocated expl fixed
    flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct reparandum root vocative xcomp
"""
_KNOWN = {*_UNIVERSAL_DEPENDENCIES.split(), ROOT["root"], "", *UNIVERSAL}  # with our words of spaCy's; without subtypes


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
