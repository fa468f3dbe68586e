"""No token begins or ends within an extended grapheme cluster, whatever the model and the writing that it learned."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles.graphemes import FLAG_LETTERS, PREFIXES, extends, inside

import sapwood
from sapwood._core import Conllu
from sapwood.datasets.treebank import generate
from sapwood.tasks.segmenting.model import Segmenter

MARKS = [chr(c) for c in (*range(0x20000), *range(0xE0000, 0xF0000)) if unicodedata.category(chr(c))[0] == "M"]
EMOJI = "👩👨👧❤🔥♀♂🏳🌈🏴☠🤷✈➡⬛©™‼↔ℹ㊗"
HANGUL = "\u1100\u115f\ua960\u1160\u11a7\u11a8\u11ff\uac00\uac01\ud7a3\ud7b0\ud7cb"
OTHERS = "ab.!5#*,-'()\n 中ひカｶกখதكא"
CHARACTERS = st.one_of(
    *map(st.sampled_from, (MARKS, EMOJI, FLAG_LETTERS, HANGUL, PREFIXES, "कषह\u094d\u093c", OTHERS)),
    st.sampled_from("\u200d\u200c\ufe0f\u20e3\U0001f3fd\U000e0067\U000e007f"),
)


def learned(writing):
    text = "".join(s.conllu(f"s{k}", writing) for k, s in enumerate(generate(200, 1)))
    return Segmenter(epochs=2).fit(Conllu.read(text.encode(), writing))


@pytest.fixture(scope="module")
def segmenters():
    """One of English, one of a treebank with spaces and one without, where tokens may begin between all letters."""
    return [sapwood.load("en").models_["segmenter"], learned("attached"), learned("unspaced")]


def ends(segmenter, text):
    return {place for sentence in segmenter.predict(text) for token in sentence for place in token}


@pytest.mark.filterwarnings("ignore::sapwood.UnfamiliarWarning")
@given(text=st.text(CHARACTERS, min_size=2, max_size=9))
@example(text="x\u200d🇩🇪🇫🇷")  # a joiner that joins nothing leaves the flags whole
@example(text="\u0600🇩🇪.")
@example(text="क\u094d\u200dष")
@example(text="क\u094d\u200d\U0001f3fdष")
@example(text="!\u3099か\u3099")
@example(text="!5\ufe0f\u20e3")
def test_no_token_begins_or_ends_within_a_grapheme(segmenters, text):
    for segmenter in segmenters:
        assert not ends(segmenter, text) & inside(text)


@pytest.mark.filterwarnings("ignore::sapwood.UnfamiliarWarning")
def test_every_mark_stays_with_what_it_marks(segmenters):
    """With signs before them, which tokens end with; so they would without a rule."""
    text = " ".join(f"{sign}{mark}" for mark in MARKS for sign in "!)中")
    for segmenter in segmenters:
        begins = {begin for sentence in segmenter.predict(text) for begin, _ in sentence}
        assert [hex(ord(text[k])) for k in begins if extends(text[k])] == []


@pytest.mark.slow
@pytest.mark.parametrize("sign", ["각", "👨‍👩‍👧‍👦", "🇩🇪", "e\u0301\u0302", "5\ufe0f\u20e3"])
def test_a_token_longer_than_a_window_is_cut_between_graphemes(segmenters, sign):
    size = len(unicodedata.normalize("NFC", sign).encode())  # as it is read
    for before in range(size + 1):
        text = "x" * before + sign * (70_000 // size)
        cuts = ends(segmenters[0], text)
        assert len(cuts) > 2
        assert not cuts & inside(text[:-1])
