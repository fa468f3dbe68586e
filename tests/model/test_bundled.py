"""The English pipeline that comes with the package."""

import json
import random
from pathlib import Path

import pytest
from oracles import naive_scripts as naive

import sapwood
from sapwood._core import Doc
from sapwood.model.file.bundled import FOLDER, model_path
from sapwood.parts import ITEMS

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


def test_words_that_their_token_shows_have_their_own_places():
    """*don't* as *do*, *not* is not written so, and neither is *can't* with its letters in another case."""
    text = "\u00c9 Google's can't don't can't"
    tokens = [(0, 1), (2, 10), (11, 16), (17, 22), (23, 28)]
    forms = ["\u00c9", "Google", "'s", "ca", "n't", "do", "not", "Ca", "n't"]
    entity = ["O", "B-ORG", *["O"] * 7]
    columns = {"form": forms, "entity": entity}
    core = Doc.build(text, tokens, [0, 1, 3, 5, 7, 9], [(0, 0, True), (5, 9, False)], columns, None, ITEMS)
    doc = sapwood.Doc(core)
    places = [(0, 1), (2, 8), (8, 10), (11, 13), (13, 16), (17, 22), (17, 22), (23, 28), (23, 28)]
    assert [(word.start, word.end) for word in doc] == places
    assert [(word["start"], word["end"]) for word in json.loads(doc.to_json())[0]["tokens"]] == places
    assert [(name.text, name.start, name.end) for name in doc.entities] == [("Google", 2, 8)]


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    ("text", "form", "lemma"),
    [
        ("See Sec. 4 of it.", "Sec.", "sec."),
        ("They favored it.", "favored", "favor"),
        ("She leaped over it.", "leaped", "leap"),
        ("They labored and savored it.", "savored", "savor"),
        ("She peeped and heaped it.", "heaped", "heap"),
        ("It costs 400 yen now.", "yen", "yen"),
        ("It was an omen to the men.", "men", "man"),
        ("It cost 4,000,000 in 1843.", "4,000,000", "4,000,000"),
        ("There were 11,772 of them.", "11,772", "11,772"),
        ("Many people came.", "people", "people"),
    ],
)
def test_lemmas_are_those_of_the_words(nlp, text, form, lemma):
    assert [token.lemma for token in nlp(text) if token.text == form] == [lemma]


def test_numbers_are_not_changed(nlp):
    """Numbers like 1,000 are left out: training has some of them, with lemmas that lack the comma."""
    draw = random.Random(3)
    numbers = [f"{draw.randrange(1_001, 10 ** draw.randrange(4, 10)):,}" for _ in range(500)]
    kept = [number for number in numbers if not number.endswith(",000")]
    doc = nlp(" ".join(f"It costs {number} now." for number in kept))
    found = [(token.text, token.lemma) for token in doc if any(map(str.isdigit, token.text))]
    assert len(found) >= len(kept)
    assert [lemma for _, lemma in found] == [text for text, _ in found]


@pytest.mark.slow
@pytest.mark.parametrize("many", [15, pytest.param(600, marks=pytest.mark.slow)])
def test_lemmas_of_other_words_have_letters_of_the_word_or_of_an_ending_that_was_learned(nlp, many):
    """Words of the language of names and nonsense, that no lexicon has."""
    model = nlp.model_.parts["lemmatizer"]
    edits = list(dict.fromkeys(naive.edit_of(label) for label in model.labels if not naive.keeps_letters(label)))
    lines = bytes(model.extra["script_lists"].data).decode().split("\n")
    lists = dict(zip(edits, (set(line.split("\t")) for line in lines), strict=True))
    draw = random.Random(5)
    ends = ["ed", "ing", "s", "es", "ies", "en", "er", "est", ".", "'s", "ought", "ew", "men", "a", "i", "7s", "0,000"]
    words = ["".join(draw.choices("bcdfgklmnprstvwz" + 2 * "aeiou", k=draw.randrange(1, 8))) for _ in range(many)]
    words = [word + draw.choice(ends) for word in words]
    for token in nlp("\n\n".join(f"They {word} it, the {word} of it." for word in words)):
        allowed = [label for label in model.labels if naive.allows(lists, label, token.text)]
        made = [naive.apply_script(label, token.text) for label in allowed]
        if [token.lemma] not in made and token.text.lower() in words:
            # A common ending may make a word of the language: "vow" as "know" of "knew".
            assert token.lemma in ("sow", "vow", "low")
            common = [label for label in model.labels if naive.common(lists, label, token.text)]
            assert [token.lemma] in [naive.apply_script(label, token.text) for label in common]


def test_it_is_small():
    assert Path(model_path("en")).stat().st_size <= 3_500_000


def test_its_card_names_data_and_licences(run_cli):
    card = sapwood.load("en").card_
    assert card == (FOLDER / "en.md").read_text(encoding="utf-8")
    for word in ("EWT", "GUM", "Universal NER", "WikiGold", "Broad Twitter Corpus", "LemmInflect", "CC BY-SA 4.0"):
        assert word in card
    run = run_cli("inspect en --top 0")
    assert run.status == 0, run.err
    assert card.splitlines()[0] in run.out


def test_parts_with_the_clusters_of_the_whole_share_them() -> None:
    model = sapwood.load("en").model_
    shared = [part for part in model.parts.values() if part.clusters is not None]
    assert shared
    assert all(part.clusters is model.clusters for part in shared)
