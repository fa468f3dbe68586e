"""Scores of labels and chunks, by eye and against scikit-learn and seqeval."""

import doctest
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval.metrics import accuracy_score
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support as seqeval_scores
from sklearn.metrics import precision_recall_fscore_support as sklearn_scores

import sapwood.metrics
from sapwood.errors import DataError
from sapwood.metrics import (
    Average,
    ChunkReport,
    LabelScore,
    bio_to_iobes,
    chunk_scores,
    extract_chunks,
    iobes_to_bio,
    label_scores,
    looks_like_chunks,
)


@pytest.mark.parametrize(
    "module", [sapwood.metrics, sapwood.metrics.labels, sapwood.metrics.chunks], ids=lambda m: m.__name__
)
def test_examples_of_the_modules_are_right(module):
    tried = doctest.testmod(module)
    assert tried.attempted and not tried.failed


# Labels


def test_label_scores_are_counted_by_hand():
    gold = [["DT", "NN", "VB"], ["NN"], ["NN", "VB"]]
    guess = [["DT", "NN", "NN"], ["NN"], ["JJ", "VB"]]
    report = label_scores(gold, guess)
    assert (report.tokens, report.correct) == (6, 4)
    assert (report.sentences, report.exact_sentences) == (3, 1)
    assert report.accuracy == pytest.approx(66.6666667)
    assert report.sentence_accuracy == pytest.approx(33.3333333)
    assert report.labels == (
        LabelScore("DT", gold=1, guessed=1, correct=1),
        LabelScore("JJ", gold=0, guessed=1, correct=0),
        LabelScore("NN", gold=3, guessed=3, correct=2),
        LabelScore("VB", gold=2, guessed=1, correct=1),
    )
    vb = report.labels[3]
    assert (vb.precision, vb.recall, vb.f1) == pytest.approx((100, 50, 66.6666667))
    assert report.macro.recall == pytest.approx((100 + 0 + 66.6666667 + 50) / 4)
    assert report.micro == Average(report.accuracy, report.accuracy, report.accuracy)
    assert report.format() == (
        "tokens:    4 of 6 correct, 66.67%\n"
        "sentences: 1 of 3 correct, 33.33%\n"
        "\n"
        "label  gold  guessed  correct  precision  recall      F1\n"
        "DT        1        1        1     100.00  100.00  100.00\n"
        "JJ        0        1        0       0.00    0.00    0.00\n"
        "NN        3        3        2      66.67   66.67   66.67\n"
        "VB        2        1        1     100.00   50.00   66.67\n"
        "macro     6        6        4      66.67   54.17   58.33\n"
        "micro     6        6        4      66.67   66.67   66.67"
    )
    as_dict = json.loads(json.dumps(report.as_dict()))
    assert as_dict["labels"]["JJ"] == LabelScore("JJ", gold=0, guessed=1, correct=0).as_dict()
    assert as_dict["macro"]["f1"] == report.macro.f1


def test_label_scores_of_nothing_are_zero():
    report = label_scores([], [])
    assert report.accuracy == report.sentence_accuracy == report.macro.f1 == 0.0
    assert report.format().endswith("micro     0        0        0       0.00    0.00  0.00")


def test_a_tuple_and_a_list_may_be_the_same_sentence():
    assert label_scores([("DT", "NN")], [["DT", "NN"]]).exact_sentences == 1


@pytest.mark.parametrize("scores", [label_scores, chunk_scores])
def test_sentences_that_do_not_match_are_refused(scores):
    with pytest.raises(DataError, match=r"^sentence 2: gold has 1 labels, guess has 3; "):
        scores([["O"], ["O"]], [["O"], ["O", "O", "O"]])
    with pytest.raises(DataError, match=r"^sentence 2: gold has it, guess ends after 1; "):
        scores([["O"], ["O"]], iter([["O"]]))
    with pytest.raises(DataError, match=r"^sentence 1: guess has it, gold ends after 0; "):
        scores([], [["O"]])
    with pytest.raises(TypeError, match=r"^sentence 1 is a string"):
        scores(["B-NP", "O"], ["B-NP", "O"])


# Chunks


def spans(labels):
    return [f"{type} {start}:{end}" for type, start, end in extract_chunks(labels.split())]


@pytest.mark.parametrize(
    ("labels", "chunks"),
    [
        ("", []),
        ("O O", []),
        ("B-NP I-NP I-NP", ["NP 0:3"]),
        ("B-NP B-NP", ["NP 0:1", "NP 1:2"]),
        ("B-NP O I-NP", ["NP 0:1", "NP 2:3"]),
        ("I-NP I-NP O", ["NP 0:2"]),  # I after O starts
        ("B-NP I-VP I-VP", ["NP 0:1", "VP 1:3"]),  # so does I of another type
        ("B-NP . B-NP", ["NP 0:1", "NP 2:3"]),  # . is as good as O
        ("B I B O I", [" 0:2", " 2:3", " 4:5"]),  # a bare tag has the empty type
        ("B-NP-TMP I-NP-TMP I-NP", ["NP-TMP 0:2", "NP 2:3"]),  # the first hyphen splits
        ("B-größe I-größe", ["größe 0:2"]),
        ("E-NP E-NP I-NP E-NP", ["NP 0:1", "NP 1:2", "NP 2:4"]),  # IOE: E ends a chunk
        ("B-NP E-NP B-NP E-NP S-NP S-NP I-NP", ["NP 0:2", "NP 2:4", "NP 4:5", "NP 5:6", "NP 6:7"]),
        ("[-NP ]-NP O [", ["NP 0:1", "NP 1:2", " 3:4"]),  # brackets have length 1
        ("B-NP ]-NP I-NP", ["NP 0:1", "NP 1:2"]),  # and a mere I behind one starts nothing
        ("DT NN NN", []),  # labels without a type that are no tags
        ("U-NP U-NP L-VP", ["NP 0:1", "NP 1:2", "VP 2:3"]),
        ("B-NP L-NP B-NP I-NP L-NP U-NP", ["NP 0:2", "NP 2:5", "NP 5:6"]),  # BILUO
        ("M-NP M-NP W-VP", ["NP 0:2", "VP 2:3"]),  # unknown tags go by their types
    ],
)
def test_chunks_are_read_off_their_labels(labels, chunks):
    assert spans(labels) == chunks


# What conlleval has between two labels of one type: E a chunk ends, S a chunk starts. Ours are the row and
# the column of S, and the row of E but for its I, E and O.
BETWEEN = """
     B   I   E   S   O   [   ]   .
 B   ES  -   -   ES  E   S   S   -
 I   ES  -   -   ES  E   S   S   -
 E   ES  ES  ES  ES  E   ES  ES  E
 S   ES  ES  ES  ES  E   ES  ES  E
 O   S   S   S   S   -   S   S   -
 [   E   E   E   ES  E   ES  ES  E
 ]   E   E   E   ES  E   ES  ES  E
 .   -   -   -   S   -   S   S   -
"""


def test_chunks_begin_and_end_by_the_table_of_labels():
    header, *rows = [line.split() for line in BETWEEN.strip().splitlines()]
    for left, *cells in rows:
        for right, cell in zip(header, cells, strict=True):
            ends, starts, _ = sapwood.metrics.chunks.boundary(f"{left}-X", f"{right}-X")
            assert ("E" * ends + "S" * starts or "-") == cell, (left, right)


def test_chunk_scores_are_counted_by_hand():
    #          right          too short      wrong type     right type, guessed twice
    gold = [["B-NP", "I-NP", "B-VP", "I-VP", "B-PP", "O", "B-NP", "I-NP"], ["B-NP"]]
    guess = [["B-NP", "I-NP", "B-VP", "O", "B-SBAR", "O", "B-NP", "B-NP"], ["I-NP"]]
    report = chunk_scores(gold, guess)
    assert (report.tokens, report.correct_tokens) == (9, 5)
    assert (report.gold, report.guessed, report.correct) == (5, 6, 2)
    assert report.format() == (
        "processed 9 tokens with 5 phrases; found: 6 phrases; correct: 2.\n"
        "accuracy:  55.56%; precision:  33.33%; recall:  40.00%; FB1:  36.36\n"
        "               NP: precision:  50.00%; recall:  66.67%; FB1:  57.14  4\n"
        "               PP: precision:   0.00%; recall:   0.00%; FB1:   0.00  0\n"
        "             SBAR: precision:   0.00%; recall:   0.00%; FB1:   0.00  1\n"
        "               VP: precision:   0.00%; recall:   0.00%; FB1:   0.00  1"
    )
    as_dict = json.loads(json.dumps(report.as_dict()))
    assert as_dict["types"]["NP"]["guessed"] == 4
    assert as_dict["f1"] == report.f1


def test_a_chunk_ends_with_its_sentence():
    two = chunk_scores([["B-NP"], ["I-NP"]], [["B-NP"], ["I-NP"]])
    one = chunk_scores([["B-NP", "I-NP"]], [["B-NP", "I-NP"]])
    assert (two.gold, two.guessed, two.correct) == (2, 2, 2)
    assert (one.gold, one.guessed, one.correct) == (1, 1, 1)


def test_the_block_of_conlleval_is_written():
    report = ChunkReport(
        tokens=47377,
        correct_tokens=45505,
        gold=23852,
        guessed=23867,
        correct=22417,
        types=(LabelScore("ADJP", 438, 428, 342), LabelScore("INTJ", 2, 0, 0)),
    )
    assert report.format() == (
        "processed 47377 tokens with 23852 phrases; found: 23867 phrases; correct: 22417.\n"
        "accuracy:  96.05%; precision:  93.92%; recall:  93.98%; FB1:  93.95\n"
        "             ADJP: precision:  79.91%; recall:  78.08%; FB1:  78.98  428\n"
        "             INTJ: precision:   0.00%; recall:   0.00%; FB1:   0.00  0"
    )


def test_the_block_of_nothing_has_one_line():
    assert chunk_scores([], []).format() == "processed 0 tokens with 0 phrases; found: 0 phrases; correct: 0."


def test_an_open_bracket_in_a_chunk_is_found_but_only_one_of_the_two_is_correct():
    labels = [["B-NP", "[-NP"]]
    report = chunk_scores(labels, labels)
    assert (report.gold, report.guessed, report.correct) == (2, 2, 1)


def test_labels_of_chunks_are_recognised():
    assert looks_like_chunks(iter(["O", "B-NP", "I-NP-TMP", "E-größe", "S-X"]))
    assert not looks_like_chunks([])
    assert not looks_like_chunks(["O", "O"])
    assert not looks_like_chunks(["O", "B-NP", "I"])
    assert not looks_like_chunks(["O", "B-NP", "I-"])
    assert looks_like_chunks(["O", "B-NP", "L-NP", "U-X"])
    assert looks_like_chunks(["O", "B-NP", "M-NP"])
    assert not looks_like_chunks(["O", "B-NP", "X-NP"])
    assert not looks_like_chunks(["DT", "NN"])


@pytest.mark.parametrize(
    ("bio", "iobes"),
    [
        ("", ""),
        ("O O", "O O"),
        ("B-NP B-NP I-NP", "S-NP B-NP E-NP"),
        ("B-NP I-NP I-NP B-VP O", "B-NP I-NP E-NP S-VP O"),
        ("B-A-B I-A-B .", "B-A-B E-A-B ."),
        ("B I O B", "B E O S"),
    ],
)
def test_bio_becomes_iobes(bio, iobes):
    assert " ".join(bio_to_iobes(bio.split())) == iobes


# Against other people's scores


TYPES = ["NP", "VP", "NP-TMP", "größe"]


def well_formed(tags):
    """BIO labels from (length, type or None for outside) pairs."""
    return [
        label
        for length, type in tags
        for label in (["O"] * length if type is None else [f"B-{type}"] + [f"I-{type}"] * (length - 1))
    ]


segments = st.tuples(st.integers(1, 4), st.sampled_from([None, *TYPES]))
bio = st.lists(segments, max_size=5).map(well_formed)
any_label = st.sampled_from(["O", *[f"{tag}-{type}" for tag in "BIES" for type in TYPES]])


@st.composite
def labelled(draw):
    """Gold and guess for the same sentences: well-formed, or with labels replaced by any others."""

    def noisy(labels):
        if draw(st.booleans()):
            return labels
        return [draw(any_label) if draw(st.integers(0, 2)) == 0 else label for label in labels]

    gold, guess = [], []
    for labels in draw(st.lists(bio, min_size=1, max_size=4)):
        gold.append(noisy(labels))
        guess.append((draw(bio) + ["O"] * len(labels))[: len(labels)] if draw(st.booleans()) else noisy(labels))
    return gold, guess


@given(labelled())
def test_chunk_scores_are_seqevals(sentences):
    # seqeval differs where we do not look: a bare tag has the type "_", only the first letter of a tag
    # counts, brackets are unknown, and accuracy of no token is a ZeroDivisionError.
    gold, guess = sentences
    report = chunk_scores(gold, guess)
    overall = seqeval_scores(gold, guess, average="micro", zero_division=0)
    assert (report.precision, report.recall, report.f1) == pytest.approx([100 * x for x in overall[:3]])
    assert report.gold == overall[3]
    if report.tokens:
        assert report.accuracy == pytest.approx(100 * accuracy_score(gold, guess))

    per_type = seqeval_scores(gold, guess, average=None, zero_division=0) if report.types else [[]] * 4
    ours = [(s.precision, s.recall, s.f1, s.gold) for s in report.types]
    theirs = [(100 * p, 100 * r, 100 * f, n) for p, r, f, n in zip(*per_type, strict=True)]
    assert len(ours) == len(theirs)
    for ours_of_type, theirs_of_type in zip(ours, theirs, strict=True):
        assert ours_of_type == pytest.approx(theirs_of_type)


@given(labelled())
def test_chunks_that_are_the_same_are_the_correct_ones(sentences):
    gold, guess = sentences
    report = chunk_scores(gold, guess)
    same = [set(extract_chunks(a)) & set(extract_chunks(b)) for a, b in zip(gold, guess, strict=True)]
    assert report.correct == sum(map(len, same))
    assert report.guessed == sum(len(extract_chunks(labels)) for labels in guess)


@given(labelled().filter(lambda sentences: any(sentences[0])))
def test_label_scores_are_sklearns(sentences):
    gold, guess = sentences
    report = label_scores(gold, guess)
    flat = [[label for labels in side for label in labels] for side in sentences]
    theirs = sklearn_scores(*flat, average=None, zero_division=0)
    ours = [(s.precision, s.recall, s.f1, s.gold) for s in report.labels]
    for (p, r, f, n), score in zip(zip(*theirs, strict=True), ours, strict=True):
        assert score == pytest.approx((100 * p, 100 * r, 100 * f, n))
    macro = sklearn_scores(*flat, average="macro", zero_division=0)
    assert report.macro == pytest.approx([100 * x for x in macro[:3]])


@given(bio)
def test_bio_comes_back_from_iobes(labels):
    assert iobes_to_bio(bio_to_iobes(labels)) == labels
    assert iobes_to_bio(labels) == labels


@given(st.lists(any_label, max_size=8))
def test_other_tags_spell_the_same_chunks(labels):
    chunks = extract_chunks(labels)
    assert extract_chunks(bio_to_iobes(labels)) == chunks
    assert extract_chunks(iobes_to_bio(labels)) == chunks
    assert bio_to_iobes(iobes_to_bio(labels)) == bio_to_iobes(labels)
