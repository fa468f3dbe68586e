"""Clitics: split whatever their case and apostrophe; their lemma is chosen by what stands behind them."""

import pytest

from sapwood._core import Conllu
from sapwood.tasks.rewriting.model import Lemmatizer, Splitter

WORDS = [("do", "n't"), ("is", "n't"), ("we", "'ve"), ("she", "'s"), ("they", "'d"), ("I", "'m")] * 4


def treebank(sentences):
    """CoNLL-U of sentences, each of tokens, each of (form, lemma, UPOS, XPOS)."""
    lines = []
    for sentence in sentences:
        number = 1
        for token in sentence:
            if len(token) > 1:
                lines.append(f"{number}-{number + len(token) - 1}\t{''.join(word[0] for word in token)}" + "\t_" * 8)
            for form, lemma, upos, xpos in token:
                lines.append(f"{number}\t{form}\t{lemma}\t{upos}\t{xpos}" + "\t_" * 5)
                number += 1
        lines.append("")
    return Conllu.read("\n".join([*lines, ""]).encode(), "small")


@pytest.fixture(scope="module")
def splitter():
    sentences = [[[(one, one, "X", "X"), (two, two, "X", "X")], [("o'clock", "_", "X", "X")]] for one, two in WORDS]
    return Splitter(min_updates=1, epochs=5).fit(treebank(sentences))


@pytest.mark.few(30)
@pytest.mark.parametrize("apostrophe", "'’`´ʼ")
@pytest.mark.parametrize("case", [str.lower, str.upper, str.capitalize])
@pytest.mark.parametrize(("word", "clitic"), WORDS[:6])
def test_words_have_the_letters_of_the_text(splitter, apostrophe, case, word, clitic):
    token = case(word + clitic).replace("'", apostrophe)
    assert splitter.predict([[token]]) == [[[token[: len(word)], token[len(word) :]]]]


@pytest.mark.parametrize("token", ["o'clock", "O’CLOCK", "Dont", "SHES", "'", "’", "ＩＴ'Ｓ", "İt's"])
def test_letters_are_neither_lost_nor_changed(splitter, token):
    assert "".join(splitter.predict([[token]])[0][0]) == token


@pytest.fixture(scope="module")
def lemmatizer():
    """A lemmatizer of sentences in which 's and 'd have two lemmas each, of the same tags."""
    she, dot = ("she", "she", "PRON", "PRP"), [(".", ".", "PUNCT", ".")]
    sentences = []
    for behind, tag, lemma in (
        ("been", "VBN", "have"), ("gone", "VBN", "have"), ("seen", "VBN", "have"),
        ("here", "JJ", "be"), ("old", "JJ", "be"), ("ill", "JJ", "be"),
    ):  # fmt: skip
        word = [(behind, behind, "ADJ" if tag == "JJ" else "VERB", tag)]
        sentences += [[[she, ("'s", lemma, "AUX", "VBZ")], word, dot]] * 3
        sentences += [[[she, ("'s", lemma, "AUX", "VBZ")], [("never", "never", "ADV", "RB")], word, dot]] * 2
    return Lemmatizer(min_updates=1, epochs=8).fit(treebank(sentences))


def lemma_of_s(lemmatizer, *behind):
    words = [("she", "PRON", "PRP", "_"), ("'s", "AUX", "VBZ", "_"), *behind, (".", "PUNCT", ".", "_")]
    return lemmatizer.predict([words])[0][1]


def test_what_stands_behind_decides(lemmatizer):
    assert lemma_of_s(lemmatizer, ("been", "VERB", "VBN", "_")) == "have"
    assert lemma_of_s(lemmatizer, ("kept", "VERB", "VBN", "_")) == "have"
    assert lemma_of_s(lemmatizer, ("late", "ADJ", "JJ", "_")) == "be"


def test_adverbs_are_passed_over(lemmatizer):
    adverbs = [("always", "ADV", "RB", "_"), ("just", "ADV", "RB", "_")]
    assert lemma_of_s(lemmatizer, *adverbs, ("gone", "VERB", "VBN", "_")) == "have"
    assert lemma_of_s(lemmatizer, *adverbs, ("old", "ADJ", "JJ", "_")) == "be"


def test_a_template_may_read_the_next_word_alone():
    template = "U00:%x[0,form]/%x[0,next]"
    sentences = [[[("it", "it", "PRON", "PRP"), ("'s", lemma, "AUX", "VBZ")], [(word, word, "X", "X")]]
                 for word, lemma in (("been", "have"), ("old", "be"))]  # fmt: skip
    lemmatizer = Lemmatizer(template=template, min_updates=1, epochs=8).fit(treebank(sentences))
    assert [lemma_of_s(lemmatizer, (word, "X", "X", "_")) for word in ("been", "old")] == ["have", "be"]


def test_at_the_end_nothing_stands_behind(lemmatizer):
    assert lemmatizer.predict([[("she", "PRON", "PRP", "_"), ("'s", "AUX", "VBZ", "_")]])[0][1] in ("be", "have")


@pytest.mark.parametrize(
    "address",
    ["https://a.test/Pages", "www.a.test/seen", "WWW.SEEN.TEST", "Www.Seen", "Anna@A.test", "git+ssh://a/Files"],
)
def test_addresses_stay_as_they_are(lemmatizer, address):
    assert lemmatizer.predict([[(address, "PROPN", "ADD", "_")]]) == [[address]]


@pytest.mark.filterwarnings("ignore")
def test_a_pipeline_explains_a_clitics_lemma_by_what_stands_behind_it(english):
    told = str(english.explain("She's been here.", sentence=1, token=2))
    of_lemma = told[told.index("lemmatizer:") : told.index("parser:")]
    assert "have, not" in of_lemma
    assert "s/been" in of_lemma
