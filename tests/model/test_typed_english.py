"""English as people type it: of each kind of frame the bundled pipeline gets at most so many wrong."""

import pytest
from typed import answer, kinds

import sapwood

MOST = {  # share of a kind's frames that may be wrong, where it is no tenth
    "numbers and money": 1 / 9,
    "'s is has": 1 / 5,
    "'d is had": 1 / 5,
    "'s is is, after a noun": 1 / 3,
    "'s is possessive, before participles": 1 / 3,
    "no clitics": 1 / 200,
    "emoji in a row": 0,
    "names at tabs and line ends": 0,
    "lemmas in capitals": 1 / 6,
    "marks that end nothing": 1 / 5,
    "letters": 1 / 2,  # farewell and name, each in a line: no line end says that a sentence ends
    "golden rules": 3 / 10,  # pragmatic_segmenter's, which cuts lists within a line and goes by spaces of its own
}


@pytest.fixture(scope="module")
def nlp():
    return sapwood.load("en")


@pytest.mark.few(6)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", list(kinds()))
def test_few_are_wrong(nlp, kind):
    frames = list(kinds()[kind]())
    assert len(frames) >= 8
    wrong = [(frame, found) for frame in frames if (found := answer(nlp(frame.text), frame)) != frame.right]
    assert len(wrong) <= MOST.get(kind.removesuffix(" (2)"), 1 / 10) * len(frames), wrong[:20]
