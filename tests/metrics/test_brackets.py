"""PARSEVAL scores, counted by hand."""

import pytest

from sapwood.errors import DataError
from sapwood.metrics.brackets import bracket_counts, bracket_scores

GOLD = "( (S (NP-SBJ (DT the) (NN dog)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NN hats))))) (. .)) )"


def test_a_tree_is_itself():
    report = bracket_scores([GOLD], [GOLD])
    assert (report.gold, report.guessed, report.matched, report.exact, report.words, report.tags) == (7, 7, 7, 1, 7, 7)
    assert (report.f1, report.crossing, report.no_crossing) == (100.0, 0, 1)


def test_a_wrong_attachment_costs_its_brackets():
    """The PP hangs on the verb: the NP over "a man with hats" is missing, all else is there."""
    guess = "(TOP (S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NN hats)))) (. .)))"
    report = bracket_scores([GOLD], [guess])
    assert (report.gold, report.guessed, report.matched, report.crossing) == (7, 6, 6, 0)
    assert (report.precision, report.recall) == (100.0, pytest.approx(600 / 7))
    assert bracket_counts(GOLD, [guess, GOLD]) == [(13, 12), (14, 14)]


def test_crossing_brackets_are_counted_once_each():
    report = bracket_scores(["(S (A (x a) (x b)) (B (x c)))"], ["(S (x a) (B (x b) (x c)))"])
    assert (report.crossing, report.no_crossing, report.matched) == (1, 0, 1)


@pytest.mark.parametrize(
    ("gold", "guess", "matched"),
    [
        ("(S (ADVP (RB up)))", "(S (PRT (RB up)))", 2),  # PRT is ADVP
        ("(S (X (a a)))", "(S (X (b a)))", 2),  # tags are no brackets
        ("(S (X (a a) (, ,)))", "(S (X (a a)) (, ,))", 2),  # punctuation spans nothing
        ("(S (X (a a)) (PRN (: --)))", "(S (X (a a)) (: --))", 2),  # a bracket of punctuation is none
        ("(S (NP (NP (a a))))", "(S (NP (a a)))", 2),  # the same bracket twice is two
        ("(S (NP-1 (a a)))", "(S (NP=2 (a a)))", 2),  # functional tags and indices
        ("(S (-LRB- (a a)))", "(S (-RRB- (a a)))", 1),  # but not these
        ("(TOP (S (a a)))", "(S1 (S (a a)))", 1),  # roots are deleted
    ],
)
def test_brackets_match_by_the_rules_of_evalb(gold, guess, matched):
    assert bracket_scores([gold], [guess]).matched == matched


def test_other_words_are_skipped_not_scored():
    report = bracket_scores([GOLD, "(S (a a))"], [GOLD, "(S (a b))"])
    assert (report.sentences, report.skipped, report.exact) == (2, 1, 1)
    assert "bracketing F1" in report.format()
    assert report.as_dict()["f1"] == 100.0


def test_what_cannot_be_scored_is_refused():
    with pytest.raises(DataError, match="gold has 1 trees, guess 0"):
        bracket_scores(["(S (a a))"], [])
    with pytest.raises(DataError, match="guess, tree 1"):
        bracket_scores(["(S (a a))"], ["(S (a a)"])
