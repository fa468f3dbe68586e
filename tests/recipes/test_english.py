"""`python -m recipes.en`: what it prints and returns, with the bundled model in the place of trained ones."""

import json

import pytest
from commands import run_command

import sapwood
from recipes.en import run
from recipes.en.__main__ import run as command_line
from recipes.en.recast import SHARES

WORDS = (
    ("Anna", "Anna", "PROPN", "NNP", "Number=Sing", 2, "nsubj", "B-PER"),
    ("wrote", "write", "VERB", "VBD", "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", 0, "root", "O"),
    ("it", "it", "PRON", "PRP", "Case=Acc|Gender=Neut|Number=Sing|Person=3|PronType=Prs", 2, "obj", "O"),
    (".", ".", "PUNCT", ".", "_", 2, "punct", "O"),
)


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    """A folder with development and test sets of one sentence. Training returns the bundled pipeline."""
    lines = ["# sent_id = one", "# text = Anna wrote it."]
    names = ["# sent_id = one"]
    for number, (form, lemma, upos, xpos, feats, head, deprel, name) in enumerate(WORDS, 1):
        misc = "SpaceAfter=No" if form == "it" else "_"
        lines.append("\t".join([str(number), form, lemma, upos, xpos, feats, str(head), deprel, "_", misc]))
        names.append(f"{number}\t{form}\t{name}")
    for part in ("dev", "test"):
        for place, file, text in (
            ("ewt", f"en_ewt-ud-{part}.conllu", lines),
            ("gum", f"en_gum_open-ud-{part}.conllu", lines),
            ("ewt_names", f"en_ewt-ner-{part}.iob2", names),
        ):
            (tmp_path / place).mkdir(exist_ok=True)
            (tmp_path / place / file).write_text("\n".join(text) + "\n\n")
    monkeypatch.setattr(run, "train", lambda folder, on_event: sapwood.load("en"))
    return tmp_path


@pytest.mark.slow
def test_the_pipeline_is_compared_and_measured(corpora, tmp_path):
    text, rows = run.run(corpora, model=str(tmp_path / "en.sap"))
    assert sapwood.load(tmp_path / "en.sap").task == "pipeline"
    assert (rows[0]["name"], rows[0]["bundled"]) == ("training", True)
    assert rows[1]["name"] == "development data, raw text"
    assert rows[1]["EWT LAS"] == rows[1]["GUM UPOS"] == rows[1]["EWT names"] == 100.0
    scores = {row["name"]: row["LAS"] for row in rows if "LAS" in row}
    kinds = ["raw text", "words given", *(f"words given, {writing}" for writing in SHARES)]
    assert [*scores] == [f"{corpus}, {kind}" for corpus in ("EWT", "GUM") for kind in kinds]
    assert scores["EWT, raw text"] == scores["GUM, words given"] == 100.0
    assert [row["F1"] for row in rows if "F1" in row] == [100.0]
    assert text.splitlines()[0].endswith("; the same bytes as the bundled model")
    assert sum(line.startswith(("EWT, ", "GUM, ")) for line in text.splitlines()) == len(scores) + 1
    json.dumps(rows)


@pytest.mark.slow
def test_the_command_says_what_it_measures(corpora):
    run = run_command(["--data", corpora], run=command_line)
    assert run.status == 0, run.err
    assert "GUM, words given, capitals" in run.err
