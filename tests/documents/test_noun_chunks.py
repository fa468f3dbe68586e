"""Noun chunks of trees, by eye."""

from itertools import pairwise

import pytest

from sapwood import ModelError
from sapwood.documents.noun_chunks import noun_chunks

TREES = {  # word, tag, head, relation; and the chunks
    "a name behind its title, and a possessor": (
        "Doctor NOUN 2 nmod:desc; John PROPN 5 nsubj; Smith PROPN 2 flat; has AUX 5 aux; sold VERB 0 root;"
        " the DET 7 det; king NOUN 9 nmod:poss; 's PART 7 case; horse NOUN 5 obj",
        ["Doctor John Smith", "the king 's horse"],
    ),
    "a possessor with a phrase of its own": (
        "the DET 2 det; mayor NOUN 6 nmod:poss; of ADP 4 case; Rome PROPN 2 nmod; 's PART 2 case; wife NOUN 7 nsubj;"
        " left VERB 0 root",
        ["the mayor", "Rome", "wife"],
    ),
    "a noun that is the predicate": (
        "He PRON 5 nsubj; is AUX 5 cop; a DET 5 det; good ADJ 5 amod; cook NOUN 0 root; . PUNCT 5 punct",
        ["He", "a good cook"],
    ),
    "coordination": (
        "red ADJ 4 amod; and CCONJ 3 cc; blue ADJ 1 conj; cars NOUN 7 nsubj; and CCONJ 6 cc; bikes NOUN 4 conj;"
        " pass VERB 0 root",
        ["red and blue cars", "bikes"],
    ),
    "coordination in a compound": (
        "research NOUN 4 compound; and CCONJ 3 cc; development NOUN 1 conj; costs NOUN 5 nsubj; rise VERB 0 root",
        ["research and development costs"],
    ),
    "a relative clause": (
        "books NOUN 5 nsubj; that PRON 4 obj; she PRON 4 nsubj; wrote VERB 1 acl:relcl; sell VERB 0 root",
        ["books", "that", "she"],
    ),
    "adjectives behind their noun": (
        "une DET 2 det; pomme NOUN 0 root; rouge ADJ 2 amod; de ADP 6 case; la DET 6 det; table NOUN 2 nmod",
        ["une pomme rouge", "la table"],
    ),
    "adverbs and expletives that are nouns": (
        "There PRON 2 expl; was VERB 0 root; snow NOUN 2 nsubj; last ADJ 5 amod; night NOUN 2 obl:unmarked",
        ["snow"],
    ),
    "what belongs to a preposition": (
        "only ADV 5 advmod; right ADV 3 advmod; under ADP 5 case; the DET 5 det; roof NOUN 0 root",
        ["the roof"],
    ),
    "quotes and brackets": (
        '( PUNCT 4 punct; " PUNCT 3 punct; good ADJ 4 amod; news NOUN 0 root; ) PUNCT 4 punct',
        ["good news"],
    ),
    "no noun": ("Yes INTJ 0 root; ! PUNCT 1 punct", []),
    "nothing": ("", []),
}


@pytest.mark.parametrize("name", TREES)
def test_chunks_by_eye(name):
    rows, expected = TREES[name]
    words = [row.split() for row in rows.split(";") if row]
    forms, tags, heads, relations = zip(*words, strict=True) if words else ((), (), (), ())
    found = noun_chunks([*map(int, heads)], relations, tags)
    assert [" ".join(forms[begin:end]) for begin, end in found] == expected


def test_heads_in_a_circle_do_no_harm():
    assert noun_chunks([2, 1, 3], ["compound", "compound", "det"], ["NOUN", "NOUN", "DET"]) in (
        [(0, 2)],
        [(0, 1), (1, 2)],
    )


def test_documents_have_the_chunks_of_their_sentences(english):
    doc = english("The old man saw it.\n\nWe didn't like Ada's dog.")
    assert [chunk.text for chunk in doc.noun_chunks] == ["The old man", "it", "We", "Ada's dog"]
    assert [[chunk.text for chunk in sentence.noun_chunks] for sentence in doc.sentences] == [
        ["The old man", "it"],
        ["We", "Ada's dog"],
    ]
    last = doc.noun_chunks[-1]
    assert (doc.text[last.start : last.end], last.label, doc.forms[slice(*last.words)]) == (
        "Ada's dog", "NP", ["Ada", "'s", "dog"])  # fmt: skip
    assert english("").noun_chunks == []


def test_without_trees_there_are_no_chunks(english):
    doc = english.only("segment", "tag")("Ann left.")
    with pytest.raises(ModelError, match="no parser, so there are no trees"):
        doc.noun_chunks  # noqa: B018


@pytest.mark.corpus
@pytest.mark.slow
def test_chunks_of_gold_trees_are_whole_and_apart():
    """Every noun that is a subject or an object is in a chunk, and no chunk goes beyond the words below its noun."""
    from measure.corpora import data_folder
    from sapwood.io.source import read_bytes

    path = next(data_folder(None).glob("**/en_ewt-ud-dev.conllu*"))
    nouns = 0
    for block in read_bytes(path).decode().strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line[0] != "#"]
        rows = [row for row in rows if row[0].isdigit()]
        tags, heads, relations = [row[3] for row in rows], [int(row[6]) for row in rows], [row[7] for row in rows]
        chunks = noun_chunks(heads, relations, tags)
        assert all(a[1] <= b[0] for a, b in pairwise(chunks))
        inside = {word for begin, end in chunks for word in range(begin, end)}
        arguments = [
            word
            for word, relation in enumerate(relations)
            if tags[word] in ("NOUN", "PROPN", "PRON") and relation in ("nsubj", "obj", "obl", "nsubj:pass", "iobj")
        ]
        assert inside.issuperset(arguments)
        nouns += len(arguments)
    assert nouns > 3000
