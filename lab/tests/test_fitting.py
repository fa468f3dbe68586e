"""What every learner of the laboratory says before it has learned, and how it is shown."""

import pytest

from sapwood_lab.arc_parser import ArcParser
from sapwood_lab.beam import BeamParser
from sapwood_lab.easy_first import EasyFirstParser
from sapwood_lab.errors import NotFittedError, OptionError
from sapwood_lab.grammar import Grammar
from sapwood_lab.hmm import HMM
from sapwood_lab.losses import constant, hamming
from sapwood_lab.mira import KBestParser
from sapwood_lab.naive_bayes import NaiveBayes

PARSERS = {
    ArcParser: "[arcs]\nht mt\n",
    KBestParser: "[arcs]\nht mt\n",
    BeamParser: "[transitions]\nS0t N0t\n",
    EasyFirstParser: "[attachments]\np0t p1t\n",
}
WORDS, TREES = [[("dogs", "N"), ("bark", "V")]], [([2, 0], ["nsubj", "root"])]


@pytest.mark.parametrize(("parser", "template"), PARSERS.items())
def test_a_parser_says_that_it_has_learned_nothing_and_shows_its_options(parser, template):
    learner = parser(template, epochs=3, loss=hamming(1.0))
    with pytest.raises(NotFittedError, match=f"{parser.__name__} has learned nothing yet"):
        learner.predict(WORDS)
    learner.fit(WORDS, TREES)
    assert [tree.heads for tree in learner.predict(WORDS)] == [(2, 0)]
    assert repr(learner).startswith(f"{parser.__name__}(template=")
    assert "loss=hamming(1.0)" in repr(learner)
    assert "epochs=3" in repr(learner)


@pytest.mark.parametrize("parser", [ArcParser, BeamParser, KBestParser])
def test_a_loss_is_a_function_of_two_heads(parser):
    """To take the root for a head costs twice what another wrong head does."""
    seen = []

    def loss(gold, guess):
        seen.append((gold, guess))
        return 0.0 if gold == guess else 2.0 if guess in (0, (0, "root")) else 1.0

    learner = parser(PARSERS[parser], epochs=2, loss=loss).fit(WORDS, TREES)
    assert seen
    assert learner.predict(WORDS)[0].heads == (2, 0)


def test_a_search_refuses_a_loss_that_it_cannot_have():
    for parser in (KBestParser, EasyFirstParser):
        with pytest.raises(OptionError, match="its loss cannot be constant"):
            parser(PARSERS[parser], loss=constant(1.0))
    with pytest.raises(OptionError, match="in order 1 only"):
        ArcParser("[arcs]\nht mt\n[siblings]\nht mt st\n", order=2, loss=constant(1.0))


def test_a_generative_model_says_that_it_has_counted_nothing():
    with pytest.raises(NotFittedError, match="HMM has counted nothing yet"):
        HMM().predict([[("dogs",)]])
    with pytest.raises(NotFittedError, match="NaiveBayes has counted nothing yet"):
        NaiveBayes().predict([{"dogs": 1}])


def test_a_grammar_says_that_it_has_seen_no_tree():
    with pytest.raises(NotFittedError, match=r"Grammar\(vertical=2, horizontal=2\) has seen no tree"):
        Grammar().parse(["dogs", "bark"])
