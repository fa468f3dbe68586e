"""The pipelines of other languages than English that come with the package."""

from pathlib import Path

import pytest

import sapwood
from sapwood.model.file.bundled import BUNDLED, PIPELINES, model_path

OTHERS = [name for name in PIPELINES if name != "en"]
TEXTS = {  # two sentences, and the lemma and part of speech of one word
    "ca": ("La nena llegeix un llibre. Viu a Barcelona.", ("llegeix", "llegir", "VERB")),
    "de": ("Das Kind liest ein Buch. Es wohnt in Berlin.", ("Buch", "Buch", "NOUN")),
    "es": ("La niña compró un libro. Vive en Madrid.", ("compró", "comprar", "VERB")),
    "fr": ("La fille achète un livre. Elle habite à Paris.", ("livre", "livre", "NOUN")),
    "it": ("La bambina legge un libro. Vive a Roma.", ("libro", "libro", "NOUN")),
    "pt": ("A menina comprou um livro. Ela mora em Lisboa.", ("comprou", "comprar", "VERB")),
    "ro": ("Fata citește o carte. Ea locuiește la București.", ("carte", "carte", "NOUN")),
    "sv": ("Flickan läser en bok. Hon bor i Stockholm.", ("bok", "bok", "NOUN")),
}


@pytest.fixture(scope="module", params=OTHERS)
def code(request):
    return request.param


@pytest.fixture(scope="module")
def nlp(code):
    return sapwood.load(code)


def test_it_reads_its_language(nlp, code):
    text, word = TEXTS[code]
    doc = nlp(text)
    if code != "it":  # half of its texts are tweets, and their ends are often not marked
        assert [sentence.text for sentence in doc.sentences] == text.replace(". ", ".|").split("|")
    assert word in [(token.text, token.lemma, token.upos) for token in doc.sentences[0]]
    for sentence in doc.sentences:
        assert [token.deprel for token in sentence].count("root") == 1


def test_names_are_found_where_a_corpus_of_names_was_learned_from(nlp, code):
    doc = nlp(TEXTS[code][0])
    if "entities" not in nlp.params.parts:
        assert code in ("es", "it")
    else:
        assert [(name.text, name.label) for name in doc.entities] == [(TEXTS[code][0].split()[-1].strip("."), "LOC")]


def test_it_is_small_and_its_card_says_what_people_should_know(nlp, code):
    assert Path(model_path(code)).stat().st_size <= 1_550_000  # Portuguese has 1,544,737
    assert nlp.card_.startswith(f"# {code}: {PIPELINES[code]}\n")
    for said in ("Data: UD ", "Licence: CC BY", "LICENSE.md", "| raw text |", "Limits: "):
        assert said in nlp.card_, said


def test_tags_and_arcs_have_confidences(nlp, code):
    doc = nlp(TEXTS[code][0], confidence=True)
    for token in doc:
        assert {"tag", "arc"} <= set(token.confidences)
        assert all(0 < confidence <= 1 for confidence in token.confidences.values())


def test_text_of_another_language_is_warned_of(nlp, code):
    with pytest.warns(sapwood.UnfamiliarWarning, match="another language"):
        nlp("Kirjoitin eilen pitkän kirjeen ystävälleni, joka asuu pienessä kaupungissa järven rannalla. " * 3)


def test_the_licence_of_each_is_said():
    licences = Path(model_path("en")).with_name("LICENSE.md").read_text(encoding="utf-8")
    assert all(f"`{name}.sap`" in licences for name in BUNDLED)


def test_a_file_of_the_same_name_is_a_text(run_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("de").write_text("Es wohnt in Berlin.", encoding="utf-8")
    run = run_cli(["annotate", "de", "./de", "--format", "text"])
    assert (run.status, run.out) == (0, "Es wohnt in Berlin .\n")
    assert sapwood.load("de").task == "pipeline"


def test_inspect_lists_what_comes_with_the_package(run_cli):
    heading, *rows = run_cli(["inspect"]).out.splitlines()
    assert heading.split() == ["model", "language", "bytes", "UPOS", "Lemmas", "LAS"]
    assert [row.split()[:2] for row in rows[:-1]] == [[*item] for item in PIPELINES.items()]
    assert rows[-1].split() == ["language", "any", "of", "90", f"{Path(model_path('language')).stat().st_size:,}"]
    for row in rows[:-1]:
        assert all(50 < float(figure) <= 100 for figure in row.split()[3:])
    assert rows[0].split()[3:] == ["95.63", "96.91", "84.48"]
