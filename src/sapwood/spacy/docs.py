"""Our documents as spaCy's, and back without loss.

A spaCy document's tokens and the spaces behind them are its text. A word is a token; of a multiword token whose words
stand in the text (*don't*: *do*, *n't*) each word is one. Another (French *du*: *de*, *le*) is one token, with the tags
of the word that is its head. What spaCy has no place for is recorded in `user_data`, as spaCy keeps a custom attribute
of a span, the whole document, so that `SpacyDoc.from_docs` moves it with the text:

* ``multiword``: begin and end of multiword tokens in the text; ``paragraphs``: sentences that begin one, if empty lines
  do not say so; ``values``: values that spaCy changes, by column (word, spaCy's value, ours); ``confidences``;
* ``words``, instead: the whole analysis, where the words are not those of the text.

A record that does not agree with the document any more is not used.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import TypeGuard

import numpy as np
from spacy.attrs import DEP, ENT_IOB, ENT_TYPE, HEAD, IDX, LEMMA, MORPH, ORTH, POS, SENT_START, TAG
from spacy.parts_of_speech import NAMES
from spacy.tokens import Doc as SpacyDoc
from spacy.training import Example

from sapwood import _core
from sapwood.errors import DataError
from sapwood.parts import COLUMNS, STAGES
from sapwood.spacy.analysis import Annotation
from sapwood.spacy.attributes import Unit, attribute_values, layout
from sapwood.spacy.chunks import find_chunks_by_trees
from sapwood.spacy.codes import BEGIN, INSIDE, ROOT, Codes

_RECORD = "sapwood"  # in the key of user_data: ("._.", "sapwood", begin, end)
_READ = [ORTH, IDX, POS, TAG, MORPH, LEMMA, DEP, ENT_IOB, ENT_TYPE, SENT_START, HEAD]
_HAS = {"form", *(column.name for column in COLUMNS if column.spacy)}  # columns that spaCy's tokens have, too
_DECISION = re.compile("[a-z]+")
_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n")


def spacy_doc(analysis: Annotation, codes: Codes) -> SpacyDoc:
    """Return an analysis as a spaCy document, of the vocabulary whose codes they are."""
    words, spaces, units = layout(analysis)
    doc = SpacyDoc(codes.vocab, words=words, spaces=spaces)
    write_doc(doc, analysis, units, STAGES, codes)
    return doc


def write_doc(doc: SpacyDoc, analysis: Annotation, units: list[Unit], parts: Collection[str], codes: Codes) -> None:
    """Set those attributes of a document whose parts are named, and record what they cannot say.

    units : [tokens of the document] what `read_doc` or the layout says that they are
    """
    if units:
        attributes, array = attribute_values(analysis, units, codes, parts)
        if attributes:
            doc.from_array(attributes, array)
    if "parse" in parts:
        find_chunks_by_trees(doc)
    _record(doc, analysis, units, codes)


def read_doc(doc: SpacyDoc) -> tuple[Annotation, list[Unit]]:
    """Return the content of a spaCy document, and the words of its tokens.

    Raises DataError for a text with a NUL character, or for a head in another sentence.
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
    whole = Annotation.joined(doc.text, parts)
    paragraphs = set(_paragraphs(whole))
    for s in begins:  # an analysis of its own begins a paragraph, a part of a text if there is an empty line before it
        if s < sentences:
            whole.sentences[s] = (*whole.sentences[s][:2], s in paragraphs)
    return whole, units


def _pieces(doc: SpacyDoc) -> list[tuple[int, int, dict[str, object]]]:
    """Return the first token of each part of a document, the one after its last, and what is recorded of it.

    There are several after `SpacyDoc.from_docs`. A record that does not begin and end with tokens is passed over.
    """
    keys = _keys(doc.user_data)
    if not keys:
        return []
    places = {key[-2:]: key for key in keys}
    begins = [*doc.to_array(IDX).tolist(), len(doc.text)] if len(doc) else [0]
    found: list[tuple[int, int, dict[str, object]]] = []
    at = 0
    for begin, end in sorted((a, b) for a, b in filter(_are_numbers, places) if 0 <= a < b <= len(doc.text)):
        first, after = bisect_left(begins, begin), bisect_left(begins, end)
        whole = begins[first] == begin and doc[after - 1].idx + len(doc[after - 1]) <= end
        if at <= first < after and whole:
            found += [(at, first, {})] if at < first else []
            found.append((first, after, _dict(doc.user_data[places[begin, end]])))
            at = after
    return [*found, (at, len(doc), {})] if at < len(doc) else found


def _keys(user_data: Mapping[object, object]) -> list[tuple[object, ...]]:
    ours = ("._.", _RECORD)
    return [key for key in user_data if isinstance(key, tuple) and len(key) == 4 and key[:2] == ours]


def without_records(user_data: Mapping[object, object]) -> dict[object, object]:
    """Return the data of a document but for our records of its tokens."""
    ours = _keys(user_data)
    return {key: value for key, value in user_data.items() if key not in ours}


def _read_one(doc: SpacyDoc, record: Mapping[str, object] = MappingProxyType({})) -> tuple[Annotation, list[Unit]]:
    plain, units = _read_attributes(doc, record)
    if "words" not in record:
        return plain, units
    exact = Annotation.recorded(plain.text, record["words"])
    if (
        exact is None
        or (plain.heads is None) != (exact.heads is None)
        or plain.columns.keys() != exact.columns.keys() & _HAS
    ):
        return plain, units
    words, spaces, units_of_words = layout(exact)
    if words != [token.text for token in doc] or spaces != [bool(token.whitespace_) for token in doc]:
        return plain, units
    attributes, array = attribute_values(exact, units_of_words, Codes(doc.vocab), STAGES)
    unchanged = not attributes or np.array_equal(doc.to_array(attributes).reshape(array.shape), array)
    return (exact, units_of_words) if unchanged else (plain, units)


def treebank_of(examples: Iterable[Example]) -> _core.Conllu:
    """Return the gold documents of examples as a treebank, each a paragraph or more. Raises DataError."""
    treebank = _core.Conllu.of_docs([read_doc(example.reference)[0].doc() for example in examples], "examples")
    if not treebank.sentences:
        raise DataError("the examples have no sentence to train on")
    return treebank


def _record(doc: SpacyDoc, analysis: Annotation, units: list[Unit], codes: Codes) -> None:
    """Write down in user_data what the document's attributes do not say about an analysis; nothing if they say it all.

    Unless it is certain that nothing is lost, what is read from the document is compared with the analysis.
    """
    for old in _keys(doc.user_data):
        del doc.user_data[old]
    key = ("._.", _RECORD, 0, len(analysis.text))
    record: dict[str, object] = {}
    if len(analysis.tokens) < len(analysis.columns["form"]) and all(words < 2 for _, words in units):
        several = [t for t, (first, after) in enumerate(pairwise(analysis.first_words)) if after - first > 1]
        record["multiword"] = [list(analysis.tokens[t]) for t in several]
    paragraphs = [s for s, (_, _, begins) in enumerate(analysis.sentences[:-1]) if begins]
    if paragraphs != _paragraphs(analysis):
        record["paragraphs"] = paragraphs
    if analysis.confidences:
        record["confidences"] = analysis.confidences
    if record:
        doc.user_data[key] = record
    if _is_plain(analysis, units, codes):
        return
    plain = _read_attributes(doc, record)[0]
    if plain == analysis:
        return
    if plain._replace(columns=analysis.columns) == analysis and plain.columns.keys() == analysis.columns.keys():
        values = {name: _changes(plain.columns[name], wanted) for name, wanted in analysis.columns.items()}
        doc.user_data[key] = record | {"values": {name: changes for name, changes in values.items() if changes}}
    else:
        doc.user_data[key] = {"words": analysis.record()}


def _is_plain(analysis: Annotation, units: list[Unit], codes: Codes) -> bool:
    """Return true if an analysis is as spaCy has it: words of the text, its tags, one root a sentence, BIO."""
    columns, forms, text = analysis.columns, analysis.columns["form"], analysis.text
    tokens = [text[begin:end] for begin, end in analysis.tokens]
    if len(tokens) < len(forms):
        if any(words > 1 for _, words in units):
            return False
        several = zip(tokens, pairwise(analysis.first_words), strict=True)
        tokens = [form for token, (w, after) in several for form in ([token] if after == w + 1 else forms[w:after])]
    if not forms or tokens != forms or any(map(str.isspace, forms)) or not columns.keys() <= _HAS:
        return False
    if "upos" in columns and not (codes.upos.keep(columns["upos"]) and codes.feats.keep(columns["feats"])):
        return False
    if analysis.heads is not None and analysis.heads.count(0) != len(analysis.sentences) - 1:
        return False
    return codes.deprel.keep(columns.get("deprel", [])) and codes.names.keep(columns.get("entity", []))


def _changes(found: list[str], wanted: list[str]) -> list[list[object]]:
    """Return word, value in spaCy and our value, where they differ: spaCy sorts features, for example."""
    pairs = enumerate(zip(found, wanted, strict=True))
    return [[w, value, ours] for w, (value, ours) in pairs if value != ours]


def _with_changes(columns: dict[str, list[str]], values: object) -> None:
    """Put back values that `_changes` has found, of words that still have spaCy's."""
    for name, changes in _dict(values).items():
        column = columns.get(name, [])
        for change in _list(changes):
            match change:
                case [int(word), str(value), str(ours)] if 0 <= word < len(column) and column[word] == value and ours:
                    column[word] = ours


def _paragraphs(analysis: Annotation) -> list[int]:
    """Return the sentences at which paragraphs begin, going by empty lines."""
    found, end = [], None
    for s, ((first, _, _), (after, _, _)) in enumerate(pairwise(analysis.sentences)):
        if end is None or _EMPTY_LINE.search(analysis.text, end, analysis.tokens[first][0]):
            found.append(s)
        end = analysis.tokens[after - 1][1]
    return found


def _read_attributes(doc: SpacyDoc, record: Mapping[str, object]) -> tuple[Annotation, list[Unit]]:
    """Return the content of a document's attributes, with the multiword tokens and paragraphs of its record."""
    strings, text = doc.vocab.strings, doc.text
    rows = doc.to_array(_READ) if len(doc) else np.zeros((0, len(_READ)), np.uint64)
    orths, places, *values, starts, _ = rows.T.tolist()
    offsets = rows[:, -1].astype(np.int64).tolist()
    forms_of = {orth: strings[orth] for orth in set(orths)}
    spaces = {orth for orth, form in forms_of.items() if not form or form.isspace()}
    kept = [i for i, orth in enumerate(orths) if orth not in spaces]
    units, word_of, begins = [], {}, []
    word, begun = 0, True  # whether the next word begins a sentence
    for i, orth in enumerate(orths):
        begun = begun or starts[i] == 1
        units.append((word, int(orth not in spaces)))
        if orth in spaces:
            continue
        word_of[i] = word
        if begun:
            begins.append(word)
        begun = False
        word += 1

    forms = [forms_of[orths[i]] for i in kept]
    columns = {"form": forms}
    pos, tag, morph, lemma, dep, iob, kind = ([column[i] for i in kept] for column in values)

    def texts(column: list[int]) -> list[str]:
        known = {value: strings[value] if value else "_" for value in set(column)}
        return [known[value] for value in column]

    if any(pos) or any(tag) or any(morph):
        upos = {value: NAMES[value] or "_" for value in set(pos)}
        columns |= {"upos": [upos[value] for value in pos], "xpos": texts(tag), "feats": texts(morph)}
    if any(lemma):
        columns["lemma"] = texts(lemma)
    heads = None
    if any(dep):
        columns["deprel"] = [ROOT[0] if relation == ROOT[1] else relation for relation in texts(dep)]
        heads = _heads(kept, word_of, offsets, begins)
    if any(iob):
        kinds = zip(iob, texts(kind), strict=True)
        prefix = {BEGIN: "B-", INSIDE: "I-"}
        columns["entity"] = [prefix[b] + label if b in prefix and label != "_" else "O" for b, label in kinds]

    spans = [(places[i], places[i] + len(form)) for i, form in zip(kept, forms, strict=True)]
    _with_changes(columns, record.get("values"))
    tokens, first_words = _tokens(spans, record.get("multiword"))
    first_tokens = {w: t for t, w in enumerate(first_words)}
    begins = [w for w in begins if w in first_tokens]
    sentences = [(first_tokens[w], w, False) for w in (*begins, len(kept))] if kept else [(0, 0, False)]
    confidences = _confidences(record.get("confidences"), len(kept))
    plain = Annotation(text, tokens, first_words, sentences, columns, heads, confidences)
    chosen = record.get("paragraphs")
    paragraphs = set(chosen if _are_numbers(chosen) else _paragraphs(plain))
    sentences[:] = [(t, w, s in paragraphs and s < len(begins)) for s, (t, w, _) in enumerate(sentences)]
    return plain, units


def _heads(kept: list[int], word_of: dict[int, int], offsets: list[int], begins: list[int]) -> list[int]:
    """Return the heads of words, counted from 1 in their sentences. A head that is space is passed over."""
    heads = []
    first = 0
    starts = set(begins)
    for word, i in enumerate(kept):
        if word in starts:
            first = word
        at = i + offsets[i]
        while at not in word_of and offsets[at]:
            at += offsets[at]
        if at == i or at not in word_of:
            heads.append(0)
        else:
            head = word_of[at] - first + 1
            heads.append(head if head > 0 else -1)  # a head in another sentence is an error
    return heads


def _tokens(spans: list[tuple[int, int]], multiword: object) -> tuple[list[tuple[int, int]], list[int]]:
    """Return tokens and the first word of each, where words that stand in a multiword token make one."""
    joined_spans = [span for span in _list(multiword) if _are_numbers(span) and len(span) == 2]
    ends = {span[0]: span[1] for span in joined_spans} if len(joined_spans) == len(_list(multiword)) else {}
    known_ends = {end: w + 1 for w, (_, end) in enumerate(spans)}
    tokens, first_words = [], [0]
    w = 0
    while w < len(spans):
        begin, end = spans[w]
        after = known_ends.get(ends.get(begin, end), w + 1)
        joined = after > w + 1 and all(a[1] == b[0] for a, b in pairwise(spans[w:after]))
        w = after if joined else w + 1
        tokens.append((begin, spans[w - 1][1]))
        first_words.append(w)
    return tokens, first_words


def _confidences(recorded: object, words: int) -> dict[str, list[float | None]]:
    """Return the confidences of a record, if there is one for each word."""
    found = {}
    for decision, values in _dict(recorded).items():
        sure = [p for p in _list(values) if p is None or (type(p) is float and 0 <= p <= 1)]
        if _DECISION.fullmatch(decision) and len(sure) == len(_list(values)) == words:
            found[decision] = sure
    return found


def _dict(value: object) -> dict[str, object]:
    """Return a part of a record that has names, nothing if it is damaged."""
    if isinstance(value, dict) and all(type(name) is str for name in value):
        return value
    return {}


def _list(value: object) -> Sequence[object]:
    """Return a part of a record that is a list, nothing if it is damaged; MessagePack gives back lists or tuples."""
    return value if isinstance(value, (list, tuple)) else ()


def _are_numbers(values: object) -> TypeGuard[Sequence[int]]:
    return isinstance(values, (list, tuple)) and all(type(value) is int for value in values)
