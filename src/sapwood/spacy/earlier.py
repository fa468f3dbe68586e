"""What earlier components have set, which a component of ours keeps: entities, spans, words that were merged.

Where it cannot, it warns, so that nothing is lost in silence.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

from spacy.attrs import SPACY
from spacy.tokens import Doc as SpacyDoc
from spacy.tokens import Span

from sapwood.errors import SapwoodWarning
from sapwood.metrics.chunks import extract_chunks

_TAKEN = ("TAG", "POS", "MORPH", "LEMMA", "DEP")  # attributes that are gone with the tokens that have them
_SHOWN = 3  # texts of what is lost


def has_words(doc: SpacyDoc) -> bool:
    """Whether the words are more than a tokenizer's: a list of words without their spaces, or several words in one."""
    if doc.has_unknown_spaces:
        return True
    if doc.text.count(" ") == int(doc.to_array(SPACY).sum()):
        return False
    return any(" " in token.text and not token.is_space for token in doc)


def carry_over(doc: SpacyDoc, made: SpacyDoc, name: str) -> None:
    """Put the entities and spans of a document into one of the same text with other tokens; entities there yield.

    Warns, in the component's name, of those that do not begin and end with a token, and of attributes that are lost.
    """
    lost: list[str] = []

    def moved(spans: Iterable[Span]) -> list[Span]:
        found = []
        for span in spans:
            at = made.char_span(span.start_char, span.end_char, span.label, kb_id=span.kb_id, span_id=span.id)
            if at is None:
                lost.append(span.text)
            else:
                found.append(at)
        return found

    if doc.ents and (earlier := moved(doc.ents)):
        taken = {i for span in earlier for i in range(span.start, span.end)}
        made.set_ents([*earlier, *(each for each in made.ents if taken.isdisjoint(range(each.start, each.end)))])
    for key, group in doc.spans.items():
        made.spans[key] = moved(group)
    replaced = [attribute.lower() for attribute in _TAKEN if len(doc) and doc.has_annotation(attribute)]
    if lost:
        shown = ", ".join(map(repr, lost[:_SHOWN])) + (", ..." if len(lost) > _SHOWN else "")
        replaced.append(f"{len(lost)} entities or spans ({shown}) that do not begin and end with them")
    if replaced:
        what = " and ".join(replaced)
        message = f"{name} makes its own tokens, so {what} are lost; put {name} first, or set its tokens to 'given'"
        warnings.warn(message, SapwoodWarning, stacklevel=2)


def with_names(found: Sequence[str], given: Sequence[str]) -> list[str]:
    """Return labels of names where those that are given stay, and what is found stands where nothing is given.

    A given name of no kind, ``B-_``, is spaCy's way to say that there is none.

    >>> with_names(["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-X", "O", "O"])
    ['O', 'B-X', 'O', 'B-LOC']
    """
    labels = list(given)
    for _, start, end in extract_chunks(found):
        if all(label == "O" for label in given[start:end]):
            labels[start:end] = found[start:end]
    return ["O" if label.endswith("-_") else label for label in labels]
