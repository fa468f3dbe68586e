"""Our documents as spaCy's, and back without loss.

A spaCy document's tokens and the spaces behind them are its text. A word is a token; of a multiword token whose words
stand in the text (*don't*: *do*, *n't*) each word is one. Another (French *du*: *de*, *le*) is one token, with the tags
of the word that is its head. What spaCy has no place for is recorded in `user_data`, as spaCy keeps a custom attribute
of a span, the whole document, so that `SpacyDoc.from_docs` moves it with the text: those fields of an `Annotation` that
spaCy would not give back as they are. A column of a record that does not agree with the document any more is not used.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate
from typing import Any

import numpy as np
from spacy.attrs import DEP, HEAD, ORTH, SENT_START
from spacy.tokens import Doc as SpacyDoc
from spacy.tokens import Token
from spacy.training import Example
from spacy.vocab import Vocab

import sapwood._core as _core
from sapwood.errors import DataError
from sapwood.parts import STAGES
from sapwood.spacy.analysis import Annotation, with_paragraphs
from sapwood.spacy.attributes import ATTRIBUTES, Unit, attribute_values, columns_in, is_kept, layout
from sapwood.spacy.labels import find_chunks_by_trees

_RECORD = "sapwood"  # in the key of user_data: ("._.", "sapwood", begin, end)
_TREES = {DEP, HEAD, SENT_START}


def spacy_doc(analysis: Annotation, vocab: Vocab) -> SpacyDoc:
    """Return an analysis as a spaCy document of a vocabulary."""
    words, spaces, units = layout(analysis)
    doc = SpacyDoc(vocab, words=words, spaces=spaces)
    write_doc(doc, analysis, units, STAGES)
    return doc


def write_doc(doc: SpacyDoc, analysis: Annotation, units: list[Unit], parts: Collection[str]) -> None:
    """Set those attributes of a document whose parts are named, and record what they cannot say.

    units : [tokens of the document] what `read_doc` says that they are
    """
    if found := attribute_values(analysis, units, parts, doc.vocab.strings):
        doc.from_array(list(found), np.array(list(found.values()), dtype=np.uint64).T)
    if "parse" in parts:
        find_chunks_by_trees(doc)
    _record(doc, analysis, units)


def read_doc(doc: SpacyDoc) -> tuple[Annotation, list[Unit]]:
    """Return the content of a spaCy document, and the words of its tokens.

    Sentences of spaCy that a head joins are one sentence with several roots. Raises DataError for a text with a NUL
    character.
    """
    pieces = _pieces(doc)
    if len(pieces) < 2:
        return _read_one(doc, *(record for _, _, record in pieces))
    parts, units, begins = [], [], []
    words = sentences = 0
    for first, after, record in pieces:
        part, units_of_part = _read_one(doc[first:after].as_doc(), record)
        parts.append((doc[first].idx, part))
        units += [(words + word, count) for word, count in units_of_part]
        begins.append(sentences)
        words += len(part.columns["form"])
        sentences += len(part.sentences) - 1
    # An analysis of its own begins a paragraph, a part of a text if there is an empty line before it.
    return with_paragraphs(Annotation.joined(doc.text, parts), begins), units


def _pieces(doc: SpacyDoc) -> list[tuple[int, int, object]]:
    """Return the first token of each part of a document, the one after its last, and what is recorded of it.

    There are several after `SpacyDoc.from_docs`. A record that does not begin and end with tokens is passed over.
    """
    keys = _keys(doc.user_data)
    places = {(key[2], key[3]): key for key in keys if isinstance(key[2], int) and isinstance(key[3], int)}
    if not places:
        return []
    begins = [*(token.idx for token in doc), len(doc.text)]
    found: list[tuple[int, int, object]] = []
    at = 0
    for begin, end in sorted((a, b) for a, b in places if 0 <= a < b <= len(doc.text)):
        first, after = bisect_left(begins, begin), bisect_left(begins, end)
        whole = begins[first] == begin and doc[after - 1].idx + len(doc[after - 1]) <= end
        if at <= first < after and whole:
            found += [(at, first, {})] if at < first else []
            found.append((first, after, doc.user_data[places[begin, end]]))
            at = after
    return [*found, (at, len(doc), {})] if at < len(doc) else found


def _keys(user_data: Mapping[object, object]) -> list[tuple[object, ...]]:
    ours = ("._.", _RECORD)
    return [key for key in user_data if isinstance(key, tuple) and len(key) == 4 and key[:2] == ours]


def without_records(user_data: Mapping[object, object]) -> dict[object, object]:
    """Return the data of a document but for our records of its tokens."""
    ours = _keys(user_data)
    return {key: value for key, value in user_data.items() if key not in ours}


def treebank_of(examples: Iterable[Example]) -> _core.Conllu:
    """Return the gold documents of examples as a treebank, each a paragraph or more. Raises DataError."""
    treebank = _core.Conllu.of_docs([read_doc(example.reference)[0].doc() for example in examples], "examples")
    if not treebank.sentences:
        raise DataError("the examples have no sentence to train on")
    return treebank


def _record(doc: SpacyDoc, analysis: Annotation, units: list[Unit]) -> None:
    """Write down in user_data those fields of an analysis that the document's attributes may not say."""
    for old in _keys(doc.user_data):
        del doc.user_data[old]
    forms = analysis.columns["form"]
    if any(map(str.isspace, forms)) or forms != [doc[i].text for i, (_, words) in enumerate(units) if words]:
        record = {name: value for name, value in analysis._asdict().items() if name != "text"}
    else:
        changed = {name: column for name, column in analysis.columns.items() if not is_kept(name, column)}
        record = {"columns": changed, "confidences": analysis.confidences}
        if len(analysis.tokens) < len(forms):
            record |= {"tokens": analysis.tokens, "first_words": analysis.first_words}
        if analysis.heads is not None and analysis.heads.count(0) != len(analysis.sentences) - 1:
            record |= {"sentences": analysis.sentences, "heads": analysis.heads}
        elif analysis != with_paragraphs(analysis):
            record |= {"sentences": analysis.sentences}
    if record := {name: value for name, value in record.items() if value}:
        doc.user_data["._.", _RECORD, 0, len(analysis.text)] = record


def _read_one(doc: SpacyDoc, record: Any = None) -> tuple[Annotation, list[Unit]]:
    """Return the content of a document, by its record as far as that agrees with the attributes of its tokens."""
    plain, units = _read_attributes(doc)
    exact = plain.with_record(record) if record else None
    if exact is None:
        return plain, units
    words, spaces, units_of_words = layout(exact)
    if words != [token.text for token in doc] or spaces != [bool(token.whitespace_) for token in doc]:
        return plain, units
    found = attribute_values(exact, units_of_words, STAGES, doc.vocab.strings)
    changed = {attribute for attribute, values in found.items() if doc.to_array([attribute]).tolist() != values}
    if not changed and plain.columns.keys() <= exact.columns.keys():
        return exact, units_of_words
    if units_of_words != units:
        return plain, units
    unchanged = {name: record[name] for name in record.keys() - ({"sentences", "heads"} if changed & _TREES else {})}
    columns = record.get("columns", {}).items()
    unchanged["columns"] = {
        name: values for name, values in columns if ATTRIBUTES.get(name, ORTH) not in {*changed, ORTH}
    }
    return plain.with_record(unchanged) or plain, units


def _read_attributes(doc: SpacyDoc) -> tuple[Annotation, list[Unit]]:
    """Return the columns that the attributes of a document's tokens give, where each word is a token."""
    words: list[Token] = []
    units, begins = [], []
    begun = True  # whether the next word begins a sentence
    for token in doc:
        begun = begun or token.is_sent_start
        is_word = bool(token.text) and not token.text.isspace()
        units.append((len(words), int(is_word)))
        if is_word:
            if begun:
                begins.append(len(words))
            words.append(token)
            begun = False
    columns = {"form": [token.text for token in words]} | columns_in(doc, [token.i for token in words])
    heads = None
    if "deprel" in columns:
        heads_in_text = _heads_in_text(words)
        begins = _without_crossed(begins, heads_in_text)
        heads = _heads(heads_in_text, begins)
    tokens = [(token.idx, token.idx + len(token)) for token in words]
    sentences = [(word, word, False) for word in (*begins, len(words))]
    found = Annotation(doc.text, tokens, [*range(len(words) + 1)], sentences, columns, heads, {})
    return with_paragraphs(found), units


def _heads_in_text(words: list[Token]) -> list[int]:
    """Return the place of each word's head among all words, a root's own. A head that is space is passed over."""
    places = {token.i: word for word, token in enumerate(words)}
    heads = []
    for word, token in enumerate(words):
        head = token.head
        while head.i not in places and head.head != head:
            head = head.head
        heads.append(places.get(head.i, word))
    return heads


def _without_crossed(begins: list[int], heads_in_text: list[int]) -> list[int]:
    """Return the first words of sentences but for those across which an arc goes.

    spaCy begins a sentence at the first word of each root's tree. Of a sentence with several roots whose trees cross
    each other, words are in one sentence then and their heads in another.
    """
    farthest = [*range(len(heads_in_text))]  # the last word that an arc reaches which begins at this word
    for word, head in enumerate(heads_in_text):
        left, right = min(word, head), max(word, head)
        farthest[left] = max(farthest[left], right)
    reached = [-1, *accumulate(farthest, max)]  # by arcs that begin in front of this word
    return [begin for begin in begins if reached[begin] < begin]


def _heads(heads_in_text: list[int], begins: list[int]) -> list[int]:
    """Return the heads of words, counted from 1 in their sentences, 0 for a root."""
    heads, first, starts = [], 0, set(begins)
    for word, head in enumerate(heads_in_text):
        first = word if word in starts else first
        heads.append(0 if head == word else head - first + 1)
    return heads
