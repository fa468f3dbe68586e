"""The English pipeline that comes with the package."""

from pathlib import Path

import pytest

import sapwood
from sapwood.models.bundled import card_of, model_path

TEXT = "Ada Lovelace wrote the first program in 1843. It wasn't run in her lifetime."


@pytest.fixture(scope="module")
def nlp():
    return sapwood.load("en")


def test_it_reads_english(nlp):
    doc = nlp(TEXT)
    assert [sentence.text for sentence in doc.sentences] == TEXT.replace(". ", ".|").split("|")
    wrote = doc.sentences[0][2]
    assert (wrote.text, wrote.lemma, wrote.upos, wrote.xpos, wrote.head, wrote.deprel) == (
        "wrote", "write", "VERB", "VBD", 0, "root",
    )  # fmt: skip
    assert [(entity.text, entity.label) for entity in doc.entities] == [("Ada Lovelace", "PER")]
    assert [token.text for token in doc.sentences[1]][1:3] == ["was", "n't"]


def test_names_end_where_their_last_word_does(nlp):
    """*Anna's* is one token of two words; the name is the first."""
    text = "I met Anna's dad in Anna Clark's house."
    doc = nlp(text)
    assert [(name.text, text[name.start : name.end]) for name in doc.entities] == [
        ("Anna", "Anna"),
        ("Anna Clark",) * 2,
    ]
    assert doc.sentences[0][2].start == doc.sentences[0][3].start == 6  # tokens share a place as before


@pytest.mark.filterwarnings("default")
def test_text_of_another_script(run_cli):
    warned = "sapwood: warning: standard input: most letters are not Latin, and the model is of English"
    for text, found in (
        ("\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd \u05d2\u05d3\u05d5\u05dc.\n", True),
        ("Caf\u00e9 na\u00efve \u05e9\u05dc\u05d5\u05dd.\n", False),
    ):
        run = run_cli(["annotate"], text)
        assert run.status == 0
        assert run.err.startswith(warned) == found, run.err


def test_it_is_small():
    assert Path(model_path("en")).stat().st_size <= 3_000_000


def test_its_card_names_data_and_licences(run_cli):
    card = card_of("en")
    for word in ("EWT", "GUM", "Universal NER", "WikiGold", "Broad Twitter Corpus", "LemmInflect", "CC BY-SA 4.0"):
        assert word in card
    run = run_cli("inspect en --top 0")
    assert run.status == 0, run.err
    assert card.splitlines()[0] in run.out
