"""`python -m recipes.language` on a few sentences of two languages, and the classifier that comes with the package."""

import json
from pathlib import Path

import pytest
from commands import run_command
from languages import OTHERS, PIPED

import sapwood
from recipes.language import recipe
from recipes.language.__main__ import run as command_line
from sapwood.model.file.bundled import PIPELINES, model_path

WORDS = {"de": ["das", "kind", "liest", "nicht", "heute"], "fr": ["le", "garçon", "lit", "pas", "hier"]}
TEXTS = PIPED | OTHERS


@pytest.fixture(scope="module")
def classifier():
    return sapwood.load("language")


def test_it_knows_the_languages_of_texts(classifier):
    assert list(classifier.predict([*TEXTS.values()])) == [*TEXTS]
    assert len(classifier.labels_) == 90
    assert set(PIPELINES) <= set(classifier.labels_)


def test_it_is_surer_of_a_sentence_than_of_a_name(classifier):
    [[best, *_], [guess, *_]] = classifier.n_best([TEXTS["sv"], "Anna Maria"], 3)
    assert best[0] == "sv"
    assert best[1] > 0.99 > 0.9 > guess[1]


def test_it_is_small_and_its_card_says_what_people_should_know(classifier):
    assert Path(model_path("language")).stat().st_size <= 150_000
    for said in ("# language: ", "Data: ", "Licence: CC BY-SA 4.0", "LICENSE.md", "| all languages | 9", "Limits: "):
        assert said in classifier.card_, said
    assert ", ".join(classifier.labels_) in classifier.card_


def test_the_command_line_gives_each_line_its_language(run_cli, tmp_path):
    (tmp_path / "lines.txt").write_text("".join(f"{text}\n" for text in TEXTS.values()), encoding="utf-8")
    run = run_cli(["classify", "language", str(tmp_path / "lines.txt")])
    assert (run.status, run.err) == (0, "")
    assert [line.split("\t")[0] for line in run.out.splitlines()] == [*TEXTS]


@pytest.fixture
def corpora(tmp_path):
    """Sentences of two languages, no two of which are the same, and some of each treebank."""
    for code in PIPELINES:
        name = "ewt/en_ewt-ud-train" if code == "en" else f"languages/{code}/{code}-train"
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"# text = {code * 9}{number}\n1\t_\n\n" for number in range(5))
        (tmp_path / f"{name}.conllu").write_text(text + f"# text = {code}\n\n")
        test = f"# text = {TEXTS[code]}\n\n" * 4
        (tmp_path / f"{name.replace('train', 'test')}.conllu").write_text(test, encoding="utf-8")
    lines = [
        f"{code}\t{' '.join(words[(number // 5**k) % 5] for k in range(4))}\n"
        for code, words in WORDS.items()
        for number in range(400)
    ]
    (tmp_path / "languages" / "sentences.tsv").write_text("".join(dict.fromkeys(lines)), encoding="utf-8")
    return tmp_path


def test_the_parts_are_tenths_and_share_nothing(corpora):
    parts = recipe.sentences(corpora)
    texts = [text for texts, _ in parts.values() for text in texts]
    assert len(set(texts)) == len(texts) == 800 + 9 * 5
    assert "en" * 9 + "4" in parts["train"][0]
    for part in ("dev", "test"):
        assert 50 < len(parts[part][0]) < 110
        assert len(parts[part][0]) == len(parts[part][1])


@pytest.mark.slow
def test_it_is_trained_again_to_the_same_bytes_and_scored(corpora, tmp_path):
    files = [tmp_path / "one.sap", tmp_path / "two.sap"]
    for file in files:
        arguments = ["--data", corpora, "--model", file, "--json", tmp_path / f"{file.stem}.json"]
        run = run_command(arguments, run=command_line)
        assert run.status == 0, run.err
    assert files[0].read_bytes() == files[1].read_bytes()
    row, *chosen = json.loads((tmp_path / "one.json").read_text())["rows"]
    assert [(each["name"], each["texts"], each["right"]) for each in chosen[:-2]] == [(c, 2, 2) for c in PIPELINES]
    assert [each["name"] for each in chosen[-2:]] == ["sentences, 60 characters and more", "sentences, 20 to 59"]
    assert (row["bytes"], row["bundled"], row["all"]) == (files[0].stat().st_size, False, 100.0)
    assert "| all languages | 100.00 |" in sapwood.load(files[0]).card_
