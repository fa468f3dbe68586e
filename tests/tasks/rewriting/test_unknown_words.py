"""Lemmas of words that no lexicon has, and of words in capitals."""

import pytest

from sapwood import Lemmatizer
from sapwood._core import Conllu

# Verbs of which -ed is cut, and as many of which -d is: neither ending tells which of the two a new verb is.
CUT_TWO = ["walk", "talk", "jump", "bark", "look", "paint", "plant", "scent", "count", "grant", "print", "light"]
CUT_ONE = ["vote", "note", "quote", "date", "rate", "state", "skate", "write", "invite", "unite", "mute", "time"]
LEXICON = "".join(f"{verb},verb,{verb}\n{past},verb,{verb}\n" for verb, past in (
    *((verb, verb + "ed") for verb in CUT_TWO), *((verb, verb + "d") for verb in CUT_ONE)))  # fmt: skip


@pytest.fixture(scope="module")
def lemmatizer(tmp_path_factory):
    path = tmp_path_factory.mktemp("lexicon") / "words.csv"
    path.write_text(LEXICON)
    pasts = [(verb + "ed", verb) for verb in CUT_TWO] * 3 + [(verb + "d", verb) for verb in CUT_ONE]
    pasts += [("left", "leave"), ("cleft", "cleave"), ("bereft", "bereave")] * 3
    rows = [f"1\t{form}\t{lemma}\tVERB\tVBD\t_\t0\troot\t_\t_\n\n" for form, lemma in pasts]
    return Lemmatizer(epochs=5, min_updates=1, lexicon=path).fit(Conllu.read("".join(rows).encode(), "pasts"))


def lemma(lemmatizer, form):
    return lemmatizer.predict([[(form, "VERB", "VBD", "_")]])[0][0]


@pytest.mark.parametrize(("form", "right"), [
    ("upvoted", "upvote"), ("misquoted", "misquote"), ("unmuted", "unmute"), ("repainted", "repaint"),
    ("outjumped", "outjump"), ("miscounted", "miscount"),
])  # fmt: skip
def test_a_lemma_that_ends_in_a_known_word_goes_before_others(lemmatizer, form, right):
    assert lemma(lemmatizer, form) == right


@pytest.mark.parametrize("form", ["LEFT", "CLEFT", "LIFT", "VOTED", "WALKED"])
def test_a_lemma_of_capitals_has_no_capitals_beside_small_letters(lemmatizer, form):
    found = lemma(lemmatizer, form)
    assert found in (found.lower(), found.upper(), found.capitalize())


@pytest.mark.parametrize("form", ["wvti", "boka", "fvti", "lxyz", "qbc."])
def test_a_script_of_many_words_rewrites_only_the_letters_that_it_replaced(lemmatizer, form):
    """Not "vote" of "vxyz" because [:1]ote or [:-2]ave was right for others."""
    assert set(lemma(lemmatizer, form)) <= set(form)
