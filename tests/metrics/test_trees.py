"""Attachment scores, by eye and against scores counted word by word."""

import doctest
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import naive_trees

import sapwood.base.heads
import sapwood.metrics.trees
from sapwood._core import non_projective_words
from sapwood.base.heads import check_heads
from sapwood.errors import DataError
from sapwood.metrics import LabelScore, ParsedSentence, tree_scores
from sapwood_lab.parsing import non_projective


@pytest.mark.parametrize("module", [sapwood.base.heads, sapwood.metrics.trees], ids=lambda m: m.__name__)
def test_examples_of_the_modules_are_right(module):
    tried = doctest.testmod(module)
    assert tried.attempted and not tried.failed


def parsed(text):
    """The parse, tags and all, of lines of word, tag, head and deprel, in gold and in guess."""
    rows = [line.split() for line in text.strip().splitlines()]
    gold = ParsedSentence([int(row[2]) for row in rows], [row[3] for row in rows])
    guess = ParsedSentence([int(row[4]) for row in rows], [row[5] for row in rows])
    return gold, guess, [row[1] for row in rows]


# gold                       guess
#     ┌─► my     nmod:poss     ┌───► my     nmod
#   ┌─┴─► dog    nsubj         ├─┬─► dog    obj
# ──┼───► saw    root        ──┼─│─► saw    root
#   ├───► cats   obj           └─│─► cats   obj
#   ├───► today  obl:tmod        ├─► today  obl:tmod
#   └───► .      punct           └─► .      punct
DOG = """
my     PRON   2  nmod:poss   3  nmod
dog    NOUN   3  nsubj       3  obj
saw    VERB   0  root        0  root
cats   NOUN   3  obj         3  obj
today  NOUN   3  obl:tmod    2  obl:tmod
.      PUNCT  3  punct       2  punct
"""
# gold and guess
# ──┬─► Go  root
#   └─► !   punct
GO = """
Go     VERB   0  root        0  root
!      PUNCT  1  punct       1  punct
"""


def test_scores_of_two_small_trees_are_counted_by_hand():
    report = tree_scores(*zip(parsed(DOG), parsed(GO), strict=True))
    assert (report.sentences, report.exact_heads, report.exact_trees) == (2, 1, 1)
    assert report.non_projective == 0
    assert report.uas == pytest.approx(100 * 5 / 8)
    assert report.las == pytest.approx(100 * 4 / 8)

    everything = report.all_words
    assert (everything.words, everything.uas, everything.las) == (8, 100 * 5 / 8, 100 * 4 / 8)
    assert everything.label_accuracy == 100 * 6 / 8  # nmod:poss and nsubj are wrong
    assert everything.universal_las == 100 * 4 / 8
    # Content: my, dog, saw, cats, today and Go, in gold and guess; saw, cats and Go are right.
    assert everything.clas == pytest.approx(50)

    words = report.no_punctuation
    assert (words.words, words.uas, words.las) == (6, 100 * 4 / 6, 100 * 3 / 6)
    assert words.label_accuracy == pytest.approx(100 * 4 / 6)

    assert [score.words for score in report.lengths] == [8, 0, 0, 0, 0]
    assert report.distances == (
        LabelScore("root", gold=2, guessed=2, correct=2),
        LabelScore("1", gold=4, guessed=3, correct=3),  # gold: my, dog, cats, !; guess: dog, cats, !
        LabelScore("2", gold=1, guessed=1, correct=0),  # gold: today; guess: my
        LabelScore("3-6", gold=1, guessed=2, correct=0),  # gold: the stop; guess: today, the stop
        LabelScore("7+", gold=0, guessed=0, correct=0),
    )
    assert report.deprels == (
        LabelScore("nmod", gold=0, guessed=1, correct=0),
        LabelScore("nmod:poss", gold=1, guessed=0, correct=0),
        LabelScore("nsubj", gold=1, guessed=0, correct=0),
        LabelScore("obj", gold=1, guessed=2, correct=1),
        LabelScore("obl:tmod", gold=1, guessed=1, correct=0),
        LabelScore("punct", gold=2, guessed=2, correct=1),
        LabelScore("root", gold=2, guessed=2, correct=2),
    )


def test_subtypes_count_in_las_but_not_in_universal_las_and_clas():
    gold = [ParsedSentence([2, 0], ["nsubj:pass", "root"])]
    guess = [ParsedSentence([2, 0], ["nsubj", "root"])]
    score = tree_scores(gold, guess, [["NOUN", "VERB"]]).all_words
    assert (score.las, score.universal_las, score.label_accuracy, score.clas) == (50, 100, 50, 100)


def test_clas_is_an_f1_where_content_words_are_taken_for_function_words():
    gold = [ParsedSentence([2, 0, 2], ["nsubj", "root", "aux:pass"])]
    guess = [ParsedSentence([2, 0, 2], ["det", "root", "aux"])]
    # Content: nsubj and root in gold, root in the guess; root is right.
    assert tree_scores(gold, guess, [["NOUN", "VERB", "AUX"]]).all_words.clas == pytest.approx(100 * 2 / 3)


@pytest.mark.parametrize(
    ("tags", "scored"),
    [
        ("NOUN VERB PUNCT SYM", 3),
        ("`` NN ''", 1),
        ("NN , NN : .", 2),
        ("-LRB- NN -RRB- $ # HYPH", 6),
    ],
)
def test_punctuation_is_told_by_its_tags(tags, scored):
    tags = tags.split()
    chain = ParsedSentence(list(range(len(tags))), ["dep"] * len(tags))
    assert tree_scores([chain], [chain], [tags]).no_punctuation.words == scored


def test_non_projective_arcs_of_gold_are_counted():
    #      ┌─► A         det
    #    ┌─┼─► letter    nsubj     letter -> bank passes over "is" and "expected", which are not under letter
    #    ├─│─► is        aux
    #  ──┼─│─► expected  root
    #    │ └─► bank      nmod
    #    └───► today     obl
    heads = [2, 4, 4, 0, 2, 4]
    assert non_projective(heads) == [5]
    tree = ParsedSentence(heads, ["dep"] * 6)
    flat = ParsedSentence([0, 1, 1, 1, 1, 1], ["dep"] * 6)
    assert tree_scores([tree], [flat], [["X"] * 6]).non_projective == 1
    assert tree_scores([flat], [tree], [["X"] * 6]).non_projective == 0


def test_scores_are_grouped_by_length():
    def chain(n):
        return ParsedSentence(list(range(n)), ["dep"] * n)

    sentences = [chain(n) for n in (1, 10, 11, 20, 21, 30, 31, 40, 41, 90)]
    report = tree_scores(sentences, sentences, [["X"] * len(tree.heads) for tree in sentences])
    assert [(s.name, s.words, s.las) for s in report.lengths] == [
        ("1-10 words", 11, 100),
        ("11-20 words", 31, 100),
        ("21-30 words", 51, 100),
        ("31-40 words", 71, 100),
        ("41+ words", 131, 100),
    ]


def test_the_report_is_written_as_text():
    report = tree_scores(*zip(parsed(DOG), parsed(GO), strict=True))
    assert report.format() == (
        "trees:          1 of 2 correct, 50.00%\n"
        "labelled trees: 1 of 2 correct, 50.00%\n"
        "non-projective: 0 of 8 gold arcs, 0.00%\n"
        "\n"
        "                words    UAS    LAS  universal  label   CLAS\n"
        "all words           8  62.50  50.00      50.00  75.00  50.00\n"
        "no punctuation      6  66.67  50.00      50.00  66.67  50.00\n"
        "1-10 words          8  62.50  50.00      50.00  75.00  50.00\n"
        "\n"
        "distance  gold  guessed  correct  precision  recall      F1\n"
        "root         2        2        2     100.00  100.00  100.00\n"
        "1            4        3        3     100.00   75.00   85.71\n"
        "2            1        1        0       0.00    0.00    0.00\n"
        "3-6          1        2        0       0.00    0.00    0.00\n"
        "\n"
        "deprel     gold  guessed  correct  precision  recall      F1\n"
        "nmod          0        1        0       0.00    0.00    0.00\n"
        "nmod:poss     1        0        0       0.00    0.00    0.00\n"
        "nsubj         1        0        0       0.00    0.00    0.00\n"
        "obj           1        2        1      50.00  100.00   66.67\n"
        "obl:tmod      1        1        0       0.00    0.00    0.00\n"
        "punct         2        2        1      50.00   50.00   50.00\n"
        "root          2        2        2     100.00  100.00  100.00"
    )


def test_the_report_is_given_as_a_dict():
    report = tree_scores(*zip(parsed(DOG), parsed(GO), strict=True))
    as_dict = json.loads(json.dumps(report.as_dict()))
    assert as_dict["all_words"]["las"] == report.las
    assert as_dict["lengths"]["41+ words"]["words"] == 0
    assert as_dict["distances"]["1"]["recall"] == 75
    assert as_dict["deprels"]["obj"] == LabelScore("obj", gold=1, guessed=2, correct=1).as_dict()


@pytest.mark.parametrize("unlabelled", ["gold", "guess", "both"])
def test_trees_without_labels_have_no_labelled_scores(unlabelled):
    gold, guess, tags = parsed(DOG)
    bare = ["_"] * 6
    if unlabelled in ("gold", "both"):
        gold = ParsedSentence(gold.heads, bare)
    if unlabelled in ("guess", "both"):
        guess = ParsedSentence(guess.heads, bare)
    report = tree_scores([gold], [guess], [tags])
    score = report.all_words
    assert score.uas == 50
    assert score.las is score.universal_las is score.label_accuracy is score.clas is None
    assert report.las is report.labelled_exact is report.as_dict()["deprels"] is None
    assert report.deprels == ()
    assert report.format() == (
        "trees:          0 of 1 correct, 0.00%\n"
        "non-projective: 0 of 6 gold arcs, 0.00%\n"
        "\n"
        "                words    UAS\n"
        "all words           6  50.00\n"
        "no punctuation      5  60.00\n"
        "1-10 words          6  50.00\n"
        "\n"
        "distance  gold  guessed  correct  precision  recall      F1\n"
        "root         1        1        1     100.00  100.00  100.00\n"
        "1            3        2        2     100.00   66.67   80.00\n"
        "2            1        1        0       0.00    0.00    0.00\n"
        "3-6          1        2        0       0.00    0.00    0.00"
    )


def test_scores_of_nothing_are_zero():
    report = tree_scores([], [], [])
    assert (report.uas, report.las, report.unlabelled_exact) == (0, None, 0)
    assert "all words           0" in report.format()


TREE = ([2, 0], ["nsubj", "root"])


@pytest.mark.parametrize(
    ("gold", "guess", "tags", "message"),
    [
        ([TREE, TREE], [TREE], [["X", "X"]] * 2, "sentence 2: gold has it, guess ends after 1; "),
        ([TREE], [TREE, TREE], [["X", "X"]] * 2, "sentence 2: guess has it, gold ends after 1; "),
        ([TREE, TREE], [TREE, TREE], [["X", "X"]], "sentence 2: gold has it, tags ends after 1; "),
        ([TREE], [([0], ["root"])], [["X", "X"]], "sentence 1: 2 gold heads, but 1 guess heads; "),
        ([TREE], [([2, 0], ["root"])], [["X", "X"]], "sentence 1: 2 gold heads, but 1 guess deprels; "),
        ([([2, 0], ["root"])], [TREE], [["X", "X"]], "sentence 1: 2 gold heads, but 1 gold deprels; "),
        ([TREE], [TREE], [["X", "X", "X"]], "sentence 1: 2 gold heads, but 3 tags; "),
        ([TREE], [([3, 0], TREE[1])], [["X", "X"]], "sentence 1, guess: word 1 has head 3; heads are 0 "),
        ([([2, -1], TREE[1])], [TREE], [["X", "X"]], "sentence 1, gold: word 2 has head -1; heads are 0 "),
        ([TREE], [([2, 1], TREE[1])], [["X", "X"]], "sentence 1, guess: the head of word 1 is under word 1 itself; "),
    ],
)
def test_what_cannot_be_scored_is_refused(gold, guess, tags, message):
    with pytest.raises(DataError) as error:
        tree_scores(gold, guess, tags)
    assert str(error.value).startswith(message)


def test_a_string_is_not_a_list_of_tags():
    with pytest.raises(TypeError, match=r"^sentence 1: tags is a string; "):
        tree_scores([TREE], [TREE], ["XX"])


# Against scores counted word by word

DEPRELS = ["_", "root", "nsubj", "nsubj:pass", "obl", "punct", "case", "aux", "aux:pass", "det:predet", "flat"]


@st.composite
def trees(draw, words):
    """Heads of any tree over the words: each word in a random order hangs on the root or on one before it."""
    order = draw(st.permutations(range(1, words + 1)))
    heads = [0] * words
    for i, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:i]]))
    return heads


@st.composite
def parses(draw):
    gold, guess, tags = [], [], []
    for words in draw(st.lists(st.integers(0, 13), max_size=4)):
        deprels = st.lists(st.sampled_from(DEPRELS), min_size=words, max_size=words)
        gold.append(ParsedSentence(draw(trees(words)), draw(deprels)))
        guess_heads = draw(st.one_of(st.just(gold[-1].heads), trees(words)))
        guess.append(ParsedSentence(guess_heads, draw(st.one_of(st.just(gold[-1].deprels), deprels))))
        tags.append(draw(st.lists(st.sampled_from(["NOUN", "PUNCT", ".", "-LRB-"]), min_size=words, max_size=words)))
    return gold, guess, tags


@given(parses())
def test_scores_are_those_counted_word_by_word(sides):
    gold, guess, tags = sides
    report = tree_scores(gold, guess, tags)
    words = naive_trees.words_of(gold, guess, tags)
    pairs = list(zip(gold, guess, strict=True))
    assert report.exact_heads == sum(a.heads == b.heads for a, b in pairs)
    assert report.exact_trees == sum(a == b for a, b in pairs)
    assert report.non_projective == sum(len(non_projective(tree.heads)) for tree in gold)
    assert sum(score.words for score in report.lengths) == len(words)

    for score in report.distances:
        expected = naive_trees.precision_and_recall(words, "distance", score.label)
        assert (score.precision, score.recall) == pytest.approx(expected)
    report.format()
    if not report.labelled:
        assert any(all(word[f"{side}_deprel"] == "_" for word in words) for side in ("gold", "guess"))
        return
    assert report.all_words.as_dict() == pytest.approx(naive_trees.attachment(words))
    no_punctuation = [word for word in words if word["tag"] not in ("PUNCT", ".")]
    assert report.no_punctuation.as_dict() == pytest.approx(naive_trees.attachment(no_punctuation))
    for score, lower, upper in zip(report.lengths, (0, 11, 21, 31, 41), (10, 20, 30, 40, 999), strict=True):
        of_length = [word for word in words if lower <= word["length"] <= upper]
        assert score.as_dict() == pytest.approx(naive_trees.attachment(of_length))
    assert {score.label for score in report.deprels} == {
        word[f"{side}_deprel"] for word in words for side in ("gold", "guess")
    }
    for score in report.deprels:
        expected = naive_trees.precision_and_recall(words, "deprel", score.label)
        assert (score.precision, score.recall) == pytest.approx(expected)


@given(st.integers(0, 8).flatmap(trees))
def test_non_projective_arcs_are_those_of_the_definition(heads):
    check_heads(heads, "here")
    assert non_projective_words(heads) == non_projective(heads)


@given(st.lists(st.integers(-1, 6), max_size=5))
def test_heads_are_a_tree_or_refused(heads):
    def reaches_root(word):
        for _ in heads:
            word = heads[word - 1]
            if word == 0:
                return True
        return False

    if all(0 <= head <= len(heads) for head in heads) and all(map(reaches_root, range(1, len(heads) + 1))):
        check_heads(heads, "here")
    else:
        with pytest.raises(DataError, match=r"^here: "):
            check_heads(heads, "here")
