"""Annotations of earlier components, which ours keeps: words, sentences, entities, spans, hooks.

Where it cannot, it warns, so that nothing is lost in silence.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

import numpy as np
import spacy
from spacy.attrs import IDX, LENGTH, NORM, ORTH
from spacy.tokens import Doc as SpacyDoc
from spacy.tokens import Span, SpanGroup
from spacy.vocab import Vocab

from sapwood.errors import warn
from sapwood.metrics.chunks import extract_chunks
from sapwood.spacy.docs import without_records

_TAKEN = ("TAG", "POS", "MORPH", "LEMMA", "DEP")  # attributes that are gone with the tokens that have them
_SHOWN = 3  # texts of what is lost
_CUSTOM = "._."  # begins the keys of custom attributes: this, name, begin, and end if it is a span's


def has_chosen_words(doc: SpacyDoc) -> bool:
    """Return true if a document has other words than the tokenizer of its language gives it: somebody's choice."""
    tokenizer = _tokenizer_of(doc.vocab)
    return tokenizer is None or not same_words(doc, tokenizer(doc.text))


@lru_cache(maxsize=1)  # to make one takes long, and documents one after the other have one vocabulary
def _tokenizer_of(vocab: Vocab) -> Callable[[str], SpacyDoc] | None:
    try:
        tokenizer: Callable[[str], SpacyDoc] = spacy.blank(vocab.lang, vocab=vocab).tokenizer
    except ImportError:  # spaCy does not know the language, or the vocabulary has none
        return None
    return tokenizer


def sentence_starts(doc: SpacyDoc) -> dict[int, bool]:
    """Return the places in the text at which sentences were set to begin, or not to begin."""
    if len(doc) < 2 or not doc.has_annotation("SENT_START"):
        return {}
    found: dict[int, bool] = {}
    begun = False  # by space, which begins no sentence of ours
    for token in doc:
        begun = begun or token.is_sent_start is True
        if not token.is_space:
            if begun or token.is_sent_start is not None:
                found[token.idx] = begun
            begun = False
    return found


def blocked_tokens(doc: SpacyDoc) -> list[int]:
    """Return the tokens that were set to be in no entity."""
    if not len(doc) or not doc.has_annotation("ENT_IOB"):
        return []
    return [token.i for token in doc if token.ent_iob_ == "B" and not token.ent_type]


def block(doc: SpacyDoc, tokens: Iterable[int]) -> None:
    """Set tokens to be in no entity."""
    spans = [Span(doc, i, i + 1) for i in tokens]
    if spans:
        doc.set_ents([], blocked=spans, default="unmodified")


def carry_over(doc: SpacyDoc, made: SpacyDoc, same: bool, name: str) -> None:
    """Put what a document has into one of the same text with the model's tokens, whose names yield to its own.

    same : whether the tokens are the same

    Warns, in the component's name, of what cannot go over: attributes of tokens, and what is not made of whole ones.
    """
    made.cats, made._context, made.sentiment = doc.cats, doc._context, doc.sentiment
    made.user_hooks, made.user_token_hooks = doc.user_hooks, doc.user_token_hooks
    made.user_span_hooks = doc.user_span_hooks
    made._vector, made._vector_norm = doc._vector, doc._vector_norm
    lost = [attribute.lower() for attribute in _TAKEN if len(doc) and doc.has_annotation(attribute)]
    if same:
        made.tensor = doc.tensor
    elif len(doc.tensor):
        lost.append("tensor")
    if doc.user_data:
        made.user_data = _user_data(doc, made, lost) | made.user_data
    _carry_norms(doc, made, same)
    if doc.spans or (len(doc) and doc.has_annotation("ENT_IOB")):
        _carry_spans(doc, made, lost)
    starts = {begin for begin, begins in sentence_starts(doc).items() if begins}
    if starts and (missing := len(starts.difference(made.to_array(IDX).tolist()))):
        lost.append(f"{missing} sentence starts inside of them")
    if lost:
        what = " and ".join(lost)
        warn(f"{name} makes its own tokens, so {what} are lost; put {name} first, or set its tokens to 'given'")


def same_words(doc: SpacyDoc, made: SpacyDoc) -> bool:
    """Return true if two documents of a text have the same words."""
    return np.array_equal(doc.to_array(ORTH), made.to_array(ORTH))


def _user_data(doc: SpacyDoc, made: SpacyDoc, lost: list[str]) -> dict[object, object]:
    """Return the data of a document, without custom attributes of what is no token or span of another one."""
    data = without_records(doc.user_data)
    ends = {token.idx: token.idx + len(token) for token in doc} if data else {}
    kept: dict[object, object] = {}
    names: dict[str, None] = {}
    for key, value in data.items():
        if isinstance(key, tuple) and len(key) == 4 and key[0] == _CUSTOM and key[2] is not None:
            _, name, begin, end = key
            if made.char_span(begin, ends.get(begin) if end is None else end) is None:
                names[f"custom attributes ({name})"] = None
                continue
        kept[key] = value
    lost += names
    return kept


def _carry_norms(doc: SpacyDoc, made: SpacyDoc, same: bool) -> None:
    """Give tokens the norms that the same ones have: of *n't*, for example, a tokenizer says that it is *not*."""
    if same and np.array_equal(doc.to_array(NORM), made.to_array(NORM)):
        return
    norms = {(begin, length): norm for begin, length, norm in doc.to_array([IDX, LENGTH, NORM]).tolist()}
    for i, (begin, length, norm) in enumerate(made.to_array([IDX, LENGTH, NORM]).tolist()):
        if norms.get((begin, length), norm) != norm:
            made[i].norm_ = doc.vocab.strings[norms[begin, length]]


def _carry_spans(doc: SpacyDoc, made: SpacyDoc, lost: list[str]) -> None:
    missing: list[str] = []

    def moved(spans: Iterable[Span]) -> list[Span]:
        found = []
        for span in spans:
            at = made.char_span(span.start_char, span.end_char, span.label, kb_id=span.kb_id, span_id=span.id)
            if at is None:
                missing.append(span.text)
            else:
                found.append(at)
        return found

    blocked = moved(doc[i : i + 1] for i in blocked_tokens(doc))
    earlier = moved(doc.ents)
    if earlier or blocked:
        taken = {i for span in (*earlier, *blocked) for i in range(span.start, span.end)}
        others = [each for each in made.ents if taken.isdisjoint(range(each.start, each.end))]
        made.set_ents([*earlier, *others], blocked=blocked)
    for key, group in doc.spans.items():
        made.spans[key] = SpanGroup(made, name=group.name, attrs=group.attrs, spans=moved(group))
    if missing:
        shown = ", ".join(map(repr, missing[:_SHOWN])) + (", ..." if len(missing) > _SHOWN else "")
        lost.append(f"{len(missing)} entities or spans ({shown}) that do not begin and end with them")


def with_given_names(found: Sequence[str], given: Sequence[str], blocked: Collection[int] = ()) -> list[str]:
    """Return labels of names where those that are given stay, and what is found stands where nothing is given.

    blocked : words that are in no name

    >>> with_given_names(["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-X", "O", "O"])
    ['O', 'B-X', 'O', 'B-LOC']
    """
    labels = list(given)
    for _, start, end in extract_chunks(found):
        if all(label == "O" for label in given[start:end]) and not any(word in blocked for word in range(start, end)):
            labels[start:end] = found[start:end]
    return labels
