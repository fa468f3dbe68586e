"""Examples of spaCy as a treebank, which our trainers learn from."""

from __future__ import annotations

from collections.abc import Iterable

from spacy.training import Example

from sapwood import _core
from sapwood.errors import DataError
from sapwood.spacy.docs import read


def treebank_of(examples: Iterable[Example]) -> _core.Conllu:
    """Return the gold documents of examples as a treebank, each a paragraph or more. Raises DataError."""
    sentences, texts = 0, []
    for example in examples:
        analysis, _ = read(example.reference)
        doc = analysis.doc()
        texts.append(doc.to_conllu(sentences + 1))
        sentences += doc.sentence_count
    if not sentences:
        raise DataError("the examples have no sentence to train on")
    return _core.Conllu.read(b"".join(texts), "examples")
