"""Normal forms of Unicode: the core's are those of Python's own tables, whose Unicode may be older."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sapwood import _core

NFC, NFD = (lambda text, form=form: unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
PLANES = *range(0x40000), *range(0xE0000, 0xF0000)  # all that have characters but the private ones
KNOWN = [chr(c) for c in PLANES if unicodedata.category(chr(c)) not in ("Cn", "Cs")]
CHANGING = [c for c in KNOWN if NFC(c) != c or NFD(c) != c or unicodedata.combining(c)]
JAMO = [
    chr(c) for c in (*range(0x1100, 0x1113), *range(0x1161, 0x1176), *range(0x11A7, 0x11C3), 0xAC00, 0xAC01, 0xD7A3)
]
TEXT = st.text(st.one_of(*map(st.sampled_from, (CHANGING, JAMO, "aeiouAEO nסקककाに", KNOWN))), max_size=8)


def test_of_all_characters():
    assert [c for c in KNOWN if _core.composed(c) != NFC(c)] == []
    assert [c for c in KNOWN if _core.decomposed(c) != NFD(c)] == []


def test_of_all_pairs_of_a_letter_and_a_character_that_changes():
    for letter in ("a", "â", "ệ", "O", "α", "ᾳ", "ש", "क", "の", "가", "\u1100", "ਸ", "ཀ", "ေ"):
        text = "".join(f"{letter}{c}|{letter}\u0323{c}|" for c in CHANGING)
        assert _core.composed(text) == NFC(text)
        assert _core.decomposed(text) == NFD(text)


@given(TEXT)
@example("q\u0307\u0323")
@example("\u1100\u1161\u11a8\u11a8")
@example("\u0301a\u0301\u0327")
def test_of_any_text(text):
    assert _core.composed(text) == NFC(text)
    assert _core.decomposed(text) == NFD(text)
    assert _core.composed(NFC(text)) == NFC(text)


@pytest.mark.parametrize("text", ["", "plain", "é", "Й", "한국", "שָׁלוֹם", "क़", "\ufb2c", "\u212b\u2126", "\ufa0e\uf900"])
def test_of_examples(text):
    assert _core.composed(text) == NFC(text)
    assert _core.composed(NFD(text)) == NFC(text)
