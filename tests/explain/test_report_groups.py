"""The groups of a report: errors that share something, counted as by hand."""

from collections import Counter

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapwood.errors import OptionError
from sapwood.explain.aspects import aspects
from sapwood.explain.collecting import section_of
from sapwood.metrics import sign_test
from sapwood.model.answers import Answers


def no_reasons(places):
    return [None] * len(places)


def answers(words, gold, guess, **more):
    return Answers("labels", "sentence", words, gold, guess, no_reasons, **more)


def groups(section, title):
    """The groups of an aspect by their values: errors, and decisions that share the value."""
    found = [aspect for aspect in section.aspects if aspect.title == title]
    return {group.value: (group.errors, group.total) for aspect in found for group in aspect.groups}


SEEN = answers(
    [["the", "saw", "cuts"], ["the", "saw", "bites"], ["she", "saw", "it"]],
    [["DT", "NN", "VB"], ["DT", "NN", "VB"], ["PR", "VB", "PR"]],
    [["DT", "VB", "VB"], ["DT", "VB", "NN"], ["PR", "VB", "PR"]],
)


def test_groups_are_those_found_by_eye():
    section = section_of(SEEN)
    assert (section.decisions, section.errors) == (9, 3)
    assert groups(section, "labels") == {"NN taken for VB": (2, None), "VB taken for NN": (1, None)}
    assert groups(section, "word") == {"saw": (2, 3)}  # a word with one error is no group
    assert groups(section, "gold label") == {"NN": (2, 2)}  # of VB no more than a third are wrong
    assert groups(section, "after") == {"DT": (2, 2)}


def test_examples_show_the_error_in_its_sentence():
    [first, second] = section_of(SEEN).aspects[0].groups[0].examples
    assert (first.place, first.words, first.marked) == ("sentence 1", ["the", "saw", "cuts"], range(1, 2))
    assert (first.gold, first.guess) == ("NN", "VB")
    assert second.also_wrong == {2}


def test_unseen_words_are_a_group():
    section = section_of(SEEN, known=frozenset({"the", "she", "it"}))
    assert groups(section, "unseen words") == {"not a word of the training data": (3, 5)}


labels = st.sampled_from(["B-X", "I-X", "B-Y", "O"])
decided = st.lists(
    st.lists(st.tuples(st.sampled_from(["a", "Bc", "d1", "efghij"]), labels, labels, labels), min_size=1, max_size=5),
    min_size=1,
    max_size=8,
)


def columns_of(corpus):
    return ([[token[k] for token in sentence] for sentence in corpus] for k in range(4))


@given(corpus=decided)
@hypothesis.example(corpus=[[("a", "B-X", "I-X", "O")] * 5] * 3 + [[("a", "B-X", "B-X", "O")] * 7])  # an average group
def test_groups_are_counted_as_by_hand(corpus):
    words, gold, guess, _ = columns_of(corpus)
    given_answers = answers(words, gold, guess)
    section = section_of(given_answers)
    wrong = [(s, t) for s, sentence in enumerate(corpus) for t, token in enumerate(sentence) if token[1] != token[2]]
    assert section.errors == len(wrong)
    views = {view.title: view.values for view in aspects(given_answers)}
    for aspect in section.aspects:
        values = views[aspect.title]
        errors = Counter(value for s, t in wrong for value in values[s][t])
        totals = Counter(value for sentence in values for each in sentence for value in each)
        for group in aspect.groups:
            assert group.errors == errors[group.value]
            assert group.total in (None, totals[group.value])
            for example in group.examples:
                assert group.value in values[int(example.place.split()[1]) - 1][example.marked.start]
    for _, group in section.patterns:
        assert group.errors * section.decisions > section.errors * group.total


@given(corpus=decided)
@hypothesis.example(corpus=[[("a", "O", "B-X", "O")]])  # a chunk in the answers of one model alone
def test_what_was_fixed_and_broken_is_counted(corpus):
    words, gold, guess, other = columns_of(corpus)
    changes = section_of(answers(words, gold, guess), answers(words, gold, other)).changes
    pairs = [(g == h, g == o) for sentence in corpus for _, g, h, o in sentence]
    assert changes.fixed == pairs.count((True, False))
    assert changes.broken == pairs.count((False, True))
    assert changes.sign_p == sign_test(changes.fixed, changes.broken)
    assert changes.scores[0].score == "accuracy"
    assert changes.scores[0].b == pytest.approx(100 * sum(a for a, _ in pairs) / len(pairs))


def test_wrong_heads_and_wrong_relations_are_told_apart():
    gold = [2, 0, 2, 2], ["det", "root", "case", "obl"]
    guess = [2, 0, 4, 2], ["amod", "root", "case", "obj"]
    tags = [["DET", "VERB", "ADP", "NOUN"]]
    each = answers([["a", "b", "c", "d"]], [gold[1]], [guess[1]], tags=tags, trees=[(gold, guess)])
    section = section_of(each)
    assert section.errors == 3
    assert groups(section, "what is wrong") == {"relation only": (2, None), "head only": (1, None)}
    assert groups(section, "attached to") == {"ADP under NOUN, not VERB": (1, None)}
    [head_only] = section.aspects[0].groups[1].examples
    assert (head_only.gold, head_only.guess) == ("case of b", "case of d")


def test_answers_to_other_questions_are_not_compared():
    with pytest.raises(OptionError, match="do not decide the same things"):
        section_of(SEEN, SEEN._replace(gold=SEEN.guess))
