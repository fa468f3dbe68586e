"""Names of files beside a treebank, by which a pipeline or a system's output is scored."""

import json

import pytest

import sapwood

SENTENCES = ["Ada Lovelace met Mary .", "Rome fell .", "Bob saw Paris ."]
LABELS = ["B-PER I-PER O B-PER O", "B-LOC O O", "B-PER O B-LOC O"]


def treebank(labels=None):
    rows = []
    for s, text in enumerate(SENTENCES):
        rows.append(f"# sent_id = s{s}")
        for k, word in enumerate(text.split(), 1):
            misc = f"NER={labels[s].split()[k - 1]}" if labels and labels[s] else "_"
            rows.append(
                "\t".join([str(k), word, "_", "X", "_", "_", str(k - 1), "root" if k == 1 else "dep", "_", misc])
            )
        rows.append("")
    return "\n".join(rows) + "\n"


def names(sentences, labels=LABELS, ids=True):
    rows = []
    for s in sentences:
        rows += [f"# sent_id = s{s}"] * ids
        pairs = zip(SENTENCES[s].split(), labels[s].split(), strict=True)
        rows += [f"{k}\t{word}\t{label}\t-\t-" for k, (word, label) in enumerate(pairs, 1)]
        rows.append("")
    return "\n".join(rows) + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.conllu").write_text(treebank())
    (tmp_path / "system.conllu").write_text(treebank(LABELS))
    return tmp_path


@pytest.mark.parametrize(
    ("files", "gold", "system", "correct"),
    [
        ([names([0, 1, 2])], 5, 5, 5),
        ([names([0]), names([2])], 4, 4, 4),  # two files; of the second sentence nothing is known
        ([names([1])], 1, 1, 1),
        ([names([1, 2], ["", "O O O", "O O B-LOC O"])], 1, 3, 1),  # sentences without names are known
        ([names([0], ["B-PER O O B-ORG O"])], 2, 2, 0),
        ([names([0], [LABELS[0].replace("B-", "I-")])], 2, 2, 2),  # IOB
    ],
)
@pytest.mark.parametrize("others", [None, ["", "B-ORG I-ORG O", "O O B-PER O"]])
def test_a_system_is_scored_by_the_sentences_that_have_names(run_cli, folder, files, gold, system, correct, others):
    (folder / "gold.conllu").write_text(treebank(others))
    for k, text in enumerate(files):
        (folder / f"{k}.iob2").write_text(text)
    given = ",".join(f"{k}.iob2" for k in range(len(files)))
    run = run_cli(f"eval system.conllu gold.conllu --names {given} --json out.json --force")
    assert (run.status, run.err) == (0, "")
    [row] = json.loads((folder / "out.json").read_text())["rows"]
    assert {key: row["Names"][key] for key in ("gold", "guessed", "correct")} == {
        "gold": gold,
        "guessed": system,
        "correct": correct,
    }
    assert row["LAS"]["gold"] == 12


@pytest.mark.few(1)
@pytest.mark.parametrize("given", ["text", "tokens"])
def test_a_pipeline_is_scored_as_by_names_in_the_treebank(run_cli, folder, given):
    (folder / "all.iob2").write_text(names([0, 1, 2]))
    (folder / "with.conllu").write_text(treebank(LABELS))
    run = run_cli(f"eval en gold.conllu --names all.iob2 --from {given}")
    assert "Names" in run.out
    assert run.out == run_cli(f"eval en with.conllu --from {given}").out
    assert "Names" not in run_cli(f"eval en gold.conllu --from {given}").out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (names([0], ids=False), "none.iob2: its sentences are none of gold.conllu"),
        (names([0]).replace("s0", "s9"), "none.iob2:1: the treebank has no sentence with the sent_id s9"),
        ("", "none.iob2: its sentences are none of gold.conllu"),
    ],
)
def test_names_of_other_sentences_are_refused(run_cli, folder, text, said):
    (folder / "none.iob2").write_text(text)
    for system in ("en", "system.conllu"):
        run = run_cli(f"eval {system} gold.conllu --names none.iob2")
        assert (run.status, run.out) == (1, "")
        assert said in run.err


def test_other_models_have_no_names_beside_the_file(run_cli, folder):
    (folder / "all.iob2").write_text(names([0, 1, 2]))
    sapwood.load("en").models_["tagger"].save(folder / "tagger.sap")
    run = run_cli("eval tagger.sap gold.conllu --names all.iob2")
    assert (run.status, run.out) == (2, "")
    assert "--names is for pipelines" in run.err
