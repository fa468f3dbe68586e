"""Training of a tagger from Python: data and options that cannot be are errors of one tree."""

import math

import pytest
from tiny import events_of, inputs_of, train_tiny

from sapwood import DataError, ModelError, OptionError, SequenceTagger, TemplateError

WORDS = "U00:%x[0,0]\nU01:%x[-1,0]\nB\n"
# The sentences of these tests are few and come several times, which is said.
pytestmark = pytest.mark.filterwarnings("ignore:.*(stand there several times|stands? in the (model's )?training data)")


DEV = [
    [("a", "DT", "B-NP"), ("dog", "NN", "I-NP"), ("bark", "VBP", "B-VP"), ("at", "IN", "B-PP"), ("she", "PRP", "B-NP")]
]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dev": DEV, "dev_fraction": 0.5}, "exclude each other"),
        ({"dev_fraction": 0.0}, "between 0 and 1"),
        ({"dev_fraction": 1.0}, "between 0 and 1"),
        ({"patience": 2}, "needs held-out data"),
        ({"patience": 0, "dev": DEV}, "patience is .* 1"),
    ],
)
def test_held_out_options_that_cannot_be(tiny, options, message):
    with pytest.raises(OptionError, match=message):
        events_of(tiny, **options)


def test_held_out_data_need_sentences_and_labels(tiny, tmp_path):
    with pytest.raises(DataError, match="too few sentences"):
        events_of(tiny[:2], dev_fraction=0.1)
    with pytest.raises(DataError, match="no label column"):
        events_of(tiny, dev=inputs_of(tiny))
    (tmp_path / "dev.txt").write_text("\n\n")
    with pytest.raises(DataError, match=r"dev\.txt.*no sentence"):
        events_of(tiny, dev=tmp_path / "dev.txt")


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        (["word", "pos", "chunk"], OptionError, "one of the columns is called 'label'"),
        (["word", "label", "label"], OptionError, "one of the columns is called 'label'"),
        (["word", "word", "label"], OptionError, "distinct"),
        (["word", "", "label"], OptionError, "distinct"),
        (["word", "label"], DataError, "3 columns, but columns names 2"),
    ],
)
def test_columns_that_cannot_be(tiny, columns, error, message):
    with pytest.raises(error, match=message):
        train_tiny(tiny, columns=columns)


@pytest.mark.parametrize(
    ("sentences", "labels", "message"),
    [
        ([], None, "no sentence"),
        ([[]], None, "there is no sentence to train on"),
        (["a sentence"], None, "sentence 1 is a string; a sentence is a list of tokens"),
        ([[("a", "X")], [("b",)]], None, "sentence 2, token 1 has 1 values, the tokens before it 2"),
        ([[("a", "X"), ("", "X")]], None, "sentence 1, token 2 is empty"),
        ([[("a", "X"), (3, "X")]], None, "sentence 1, token 2 is not a string"),
        ([[("a", "X"), ("\0", "X")]], None, "sentence 1, token 2 has a NUL character"),
        ([[("a", "X"), ("\ud800", "X")]], None, "sentence 1, token 2 is not a string of valid Unicode"),
        ([["a", "b"]], None, "there is no label column"),
        ([["a", "b"]], [["X"]], "token 2 has no label"),
        ([["a"]], [["X", "Y"]], "1 tokens and 2 labels"),
        ([["a"], ["b"]], [["X"]], "2 sentences and 1 label sequences"),
        ([["a"]], [["X"], ["Y"]], "1 sentences and 2 label sequences"),
        ([["a", "b"]], [["X", None]], "token 2 has a label that is not a string"),
    ],
)
def test_sentences_that_cannot_be(sentences, labels, message):
    with pytest.raises(DataError, match=message):
        SequenceTagger(template=WORDS).fit(sentences, labels)


def test_labels_beside_a_file_are_refused(tiny_file):
    with pytest.raises(OptionError, match="labels beside a file"):
        SequenceTagger(template=WORDS).fit(tiny_file, [["X"]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "beam"}, "search is one of viterbi, easiest-first, greedy, argmax, not 'beam'"),
        ({"update": "mira"}, "update is one of"),
        ({"history": "both"}, "history is one of"),
        ({"encoding": "bilou"}, "encoding is one of"),
        ({"order": 3}, "order is one of 1, 2, not 3"),
        ({"bits": 4}, "bits is one of 8, 16, 32, not 4"),
        ({"min_updates": 0}, "min_updates is a whole number from 1"),
        ({"epochs": 0}, "epochs is a whole number from 1"),
        ({"epochs": 2.5}, "epochs is a whole number from 1"),
        ({"epochs": True}, "epochs is a whole number from 1"),
        ({"seed": -1}, "seed is a whole number from 0"),
        ({"seed": 1 << 64}, "seed is a whole number from 0"),
        ({"threads": 0}, "threads is a whole number from 1"),
        ({"gamma": -1.0}, "gamma is a number from 0"),
        ({"gamma": math.nan}, "gamma is a number from 0"),
        ({"gamma": "4"}, "gamma is a number from 0"),
        ({"search": ["viterbi"]}, "search is one of"),
        ({"cost": "constant", "search": "greedy"}, "a constant cost needs search viterbi, and update margin or pa"),
        ({"cost": "constant", "update": "perceptron"}, "a constant cost needs search viterbi, and update margin or pa"),
        ({"search": "easiest-first", "prune_below": 2}, "prune_below needs history 'gold' and not easiest-first"),
        ({"search": "greedy", "history": "own", "prune_below": 2}, "prune_below needs history 'gold'"),
    ],
)
def test_options_that_cannot_be(tiny, options, message):
    with pytest.raises(OptionError, match=message) as caught:
        train_tiny(tiny, **options)
    assert isinstance(caught.value, ValueError)  # scikit-learn's convention


def test_too_many_labels_for_order_2_are_refused(tmp_path):
    corpus = [[(f"w{k}", f"L{k}")] for k in range(1000)]
    with pytest.raises(OptionError, match=r"too many labels \(1000\).*lower order or greedy"):
        SequenceTagger(template="U:%x[0,0]\nU:%y[-2]/%y[-1]\n", order=2, epochs=1).fit(corpus)


def test_order_2_needs_a_line_that_looks_at_two_labels(tiny):
    with pytest.raises(OptionError, match=r"order 2 needs a template line"):
        SequenceTagger(template="U:%x[0,0]\nB\n", order=2).fit(tiny)


def test_errors_are_of_one_tree():
    from sapwood import SapwoodError

    assert {DataError, ModelError, OptionError, TemplateError} == set(SapwoodError.__subclasses__())
    assert OptionError.exit_code == 2
    assert {error.exit_code for error in (DataError, ModelError, TemplateError)} == {1}
