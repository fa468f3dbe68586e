"""`sapwood reproduce english`: what it prints and returns, with the bundled model in the place of trained ones."""

import json

import pytest

import sapwood
from sapwood.experiments import english

WORDS = (
    ("Anna", "Anna", "PROPN", "NNP", "Number=Sing", 2, "nsubj", "B-PER"),
    ("wrote", "write", "VERB", "VBD", "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", 0, "root", "O"),
    ("it", "it", "PRON", "PRP", "Case=Acc|Gender=Neut|Number=Sing|Person=3|PronType=Prs", 2, "obj", "O"),
    (".", ".", "PUNCT", ".", "_", 2, "punct", "O"),
)


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    """A folder with test sets of one sentence. Training returns the bundled pipeline, and notes what was asked for."""
    lines = ["# sent_id = one", "# text = Anna wrote it."]
    names = ["# sent_id = one"]
    for number, (form, lemma, upos, xpos, feats, head, deprel, name) in enumerate(WORDS, 1):
        misc = "SpaceAfter=No" if form == "it" else "_"
        lines.append("\t".join([str(number), form, lemma, upos, xpos, feats, str(head), deprel, "_", misc]))
        names.append(f"{number}\t{form}\t{name}")
    for place, file, text in (
        ("ewt", "en_ewt-ud-test.conllu", lines),
        ("gum", "en_gum_open-ud-test.conllu", lines),
        ("ewt_names", "en_ewt-ner-test.iob2", names),
    ):
        (tmp_path / place).mkdir()
        (tmp_path / place / file).write_text("\n".join(text) + "\n\n")
    asked = []

    def train(folder, on_event, *, size):
        asked.append(size)
        return sapwood.load("en")

    monkeypatch.setattr(english, "train", train)
    return tmp_path, asked


def test_both_pipelines_are_measured(corpora, tmp_path):
    folder, asked = corpora
    text, rows = english.run(folder, model=str(tmp_path / "en.sap"))
    assert asked == ["large", "bundled"]
    assert sapwood.load(tmp_path / "en.sap").task == "pipeline"
    trained = [row for row in rows if row["name"] == "training"]
    assert [(row["pipeline"], row.get("bundled")) for row in trained] == [("large", None), ("bundled", True)]
    assert [row["LAS"] for row in rows if "LAS" in row] == [100.0] * 8
    assert [row["F1"] for row in rows if "F1" in row] == [100.0] * 2
    lines = text.splitlines()
    assert lines[0].startswith("large: ")
    assert lines[1].endswith("; the same bytes as the bundled model")
    assert [line.split()[:4] for line in lines if line.startswith("EWT, raw text")] == [
        ["EWT,", "raw", "text", size] for size in ("large", "bundled")
    ]
    json.dumps(rows)


def test_one_of_them_may_be_measured_alone(corpora, run_cli):
    folder, asked = corpora
    run = run_cli(["reproduce", "english", "--data", str(folder), "--only", "large"])
    assert run.status == 0, run.err
    assert asked == ["large"]
    assert "bundled" not in run.out
    assert "training" not in run.err
    assert "English, large: GUM, words given" in run.err
