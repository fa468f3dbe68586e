"""Trees of the Penn parsed corpora of historical languages: what stands beside a sentence is no word of it."""

import pytest

from sapwood import DataError
from sapwood._core import normalised_trees

TREE = "(TOP (S (NP (N kalo)) (VP (V aste))))"


@pytest.mark.parametrize(
    "text",
    [
        "( (S (NP (N kalo)) (VP (V aste)))\n  (ID TEXT,1.1))",
        "((S (NP (N kalo)) (VP (V aste))) (ID TEXT-E1-P1,1.1))",
        "( (ID TEXT,1.1) (S (NP (N kalo)) (VP (V aste))))",
        "( (CODE <P_7>) (S (NP (N kalo)) (VP (V aste))) (ID A,1))",
        "( (S (CODE <P_7>) (NP (N kalo) (CODE {COM:sic})) (VP (V aste)) (CODE <$$font>)) (ID A,1))",
        "( (S (NP (N kalo)) (NP (CODE <P_7>)) (VP (ADVP (NP (CODE <i>))) (V aste))) (ID A,1))",
        "( (METADATA (AUTHOR (NAME (N x))) (DATE 1500)) (S (NP (N kalo)) (VP (V aste))) (ID A,1))",
        "( (S (NP (N kalo)) (VP (V aste))) (COMMENT (a (b)) c) (ID A,1))",
        "( (S (NP-SBJ *con*) (NP (N kalo)) (VP (V aste) (NP *T*-1) (ADVP *ICH*-12))) (ID A,1))",
        "( (S (NP (N kalo)) (CP-REL (WNP-1 0) (C 0)) (VP (V aste))) (ID A,1))",
        "( (S (NP (N kalo)) (VP (V aste))))",
    ],
)
@pytest.mark.parametrize(
    "above", ["", "( (CODE <P_1>))\n\n", "((VERSION (FORMAT dash)))\n", "(CODE (SYM SpeakerA1) (. .))\n"]
)
def test_only_words_are_words(text, above):
    assert normalised_trees(f"{above}{text}\n\n{text}\n".encode(), "x") == [TREE, TREE]


@pytest.mark.parametrize(
    "text",
    [
        "(TOP (S (ID 7) (V aste)))",  # another corpus's tag
        "(TOP (S (NUM 0) (V *smile*)))",
        "(TOP (S (N CODE) (V ID)))",
        "(TOP (S (-LRB- -LRB-) (N METADATA)))",
    ],
)
def test_other_trees_stay(text):
    assert normalised_trees(text.encode(), "x") == [text]


def test_numbers_and_stars_of_such_corpora_are_words():
    text = b"( (S (NUM 0) (N *) (N **) (N a*b) (V aste)) (ID A,1))"
    assert normalised_trees(text, "x") == ["(TOP (S (NUM 0) (N *) (N **) (N a*b) (V aste)))"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n( (S (N a)) (ID x", "x:2: the bracket that opens here does not close"),
        ("(S (CODE <a>", "x:1: the bracket that opens here does not close"),
        ("( (S (N a)) (NP (N b)) (ID x))", "x:1: a bracket without a label has more than one tree in it"),
        ("( (S (N a) (NP)) (ID x))", "x:1: a bracket has nothing in it"),
        ("( (S (N a b)) (ID x))", "x:1: a word stands beside others"),
    ],
)
def test_errors_stay(text, message):
    with pytest.raises(DataError, match=message):
        normalised_trees(text.encode(), "x")
