"""The command line: help, ``sapwood eval``, ``inspect``, ``generate`` and ``reproduce``."""

import json
import os
import re
import subprocess
import sys

import pytest
from tiny import TINY_CORPUS, TINY_TEMPLATE, sentences_of, train_tiny

import sapwood
from sapwood.metrics import chunk_scores, label_scores

# Help


VERBS = ["train tag", "tag", "eval", "inspect", "generate treebank"]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_has_an_example(run_cli, verb, option):
    run = run_cli([*verb.split(), option])
    assert (run.status, run.err) == (0, "")
    examples = run.out[run.out.index("Example") :].splitlines()
    assert any(line.strip().startswith((f"sapwood {verb} ", "tokenise")) for line in examples)
    assert re.search(r"^(options|other options):$", run.out, re.MULTILINE)


def test_examples_in_the_help_are_options_that_exist(run_cli):
    """Each example parses: whatever fails then is a missing file."""
    for verb in VERBS:
        text = run_cli([*verb.split(), "--help"]).out
        examples = re.split(r"(?m)^[a-z ]+:$", text[text.index("Example") :])[0].splitlines()
        for line in examples:
            if line.strip().startswith(f"sapwood {verb}") and verb != "generate treebank":
                words = re.split("[<>|]", line)[0].split()[1:]
                run = run_cli(words)
                assert run.status == 1, line
                assert "no such file" in run.err.lower(), run.err


@pytest.mark.parametrize("arguments", [[], ["train"], ["generate"]])
def test_a_verb_that_is_missing_shows_the_help(run_cli, arguments):
    run = run_cli(arguments)
    assert run.status == 2
    assert "Usage: sapwood" in run.out + run.err
    for verb in VERBS:
        assert (f"sapwood {verb} " in run.out + run.err) == (not arguments or verb.split()[0] == arguments[0])


def test_version_is_that_of_the_package(run_cli):
    assert run_cli(["--version"]).out == f"sapwood {sapwood.__version__}\n"


def test_the_script_and_the_module_do_the_same(tiny_model):
    script = os.path.join(os.path.dirname(sys.executable), "sapwood")  # noqa: PTH118, PTH120
    called = [sys.executable, "-c", "from sapwood.cli import main; main()"]
    for command in ([script], called, [sys.executable, "-m", "sapwood"]):
        run = subprocess.run([*command, "tag", tiny_model], input=b"the DT\n", capture_output=True)
        assert (run.returncode, run.stdout, run.stderr) == (0, b"the DT B-NP\n", b"")


def test_tagging_imports_nothing_heavy(tiny_model, tiny_file):
    """Whoever labels one sentence waits for what is imported."""
    code = "import sys; from sapwood.cli import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", code, "tag", tiny_model, tiny_file], capture_output=True, text=True, check=True
    )
    modules = set(run.stderr.split())
    heavy = {"numpy", "rich", "sklearn", "spacy", "dask", "distributed", "matplotlib", "asyncio", "multiprocessing"}
    heavy |= {"concurrent", "logging", "tempfile", "csv", "ast", "inspect", "dataclasses", "random", "sapwood.events"}
    assert not modules & heavy
    assert {name for name in modules if name.startswith("sapwood.training.")} == {
        "sapwood.training.learner",  # the class of whatever can be trained
        "sapwood.training.nbest",
        "sapwood.training.options",
    }
    others = {"experiments", "lab", "web", "sklearn", "spacy", "dask", "explain", "datasets", "draw", "metrics"}
    assert not modules & {f"sapwood.{room}" for room in others}


# eval


TEST = (
    TINY_CORPUS.replace("bird NN I-NP", "bird NN B-NP")
    .replace("on IN B-PP", "on IN B-ADVP")
    .replace("VBN I-VP", "VBN O")
)


def test_eval_prints_labels_and_the_block_of_conlleval(run_cli, tiny_model, tmp_path):
    (tmp_path / "test.txt").write_text(TEST)
    run = run_cli(["eval", tiny_model, tmp_path / "test.txt", "--json", tmp_path / "eval.json"])
    assert (run.status, run.err) == (0, "")
    sentences = sentences_of(TEST)
    gold = [[row[-1] for row in sentence] for sentence in sentences]
    guess = sapwood.load(tiny_model).predict(sentences)
    labels, chunks = label_scores(gold, guess), chunk_scores(gold, guess)
    assert run.out == (
        f"{labels.format()}\n\nlabels that training never saw, scored as wrong: B-ADVP (1)\n\n{chunks.format()}\n"
    )
    assert f"processed 32 tokens with {chunks.gold} phrases; found: {chunks.guessed} phrases" in run.out
    assert 0 < labels.accuracy < 100
    [row] = json.loads((tmp_path / "eval.json").read_text())["rows"]
    assert row["accuracy"] == pytest.approx(labels.accuracy)
    assert row["f1"] == pytest.approx(chunks.f1)
    assert row["name"] == str(tiny_model)


def test_eval_of_a_pipe_and_on_two_threads_is_the_same(run_cli, tiny_model):
    one = run_cli(["eval", tiny_model, "-"], stdin=TINY_CORPUS)
    assert one.status == 0
    assert "FB1: 100.00" in one.out
    assert "never saw" not in one.out
    assert run_cli(["eval", tiny_model, "-", "--threads", 2], stdin=TINY_CORPUS) == one


def test_eval_of_labels_that_are_no_chunks_has_no_block_of_conlleval(run_cli, tmp_path):
    from sapwood import SequenceTagger

    data = "the D\ndog N\n"
    (tmp_path / "t.txt").write_text(data)
    SequenceTagger(template="U:%x[0,0]\n", min_updates=1).fit(tmp_path / "t.txt").save(tmp_path / "m.sap")
    run = run_cli(["eval", tmp_path / "m.sap", tmp_path / "t.txt", "--json", tmp_path / "j.json"])
    assert "tokens:    2 of 2 correct, 100.00%" in run.out
    assert "FB1" not in run.out
    [row] = json.loads((tmp_path / "j.json").read_text())["rows"]
    assert "f1" not in row


# inspect


def test_inspect_shows_options_and_weights(run_cli, tiny_file, tmp_path):
    path = tmp_path / "m.sap"
    train_tiny(tiny_file, names=True, seed=3).save(path)
    run = run_cli(["inspect", path, "--top", 2])
    assert (run.status, run.err) == (0, "")
    size = path.stat().st_size
    for text in (
        f"file      {path}, {size:,} bytes",
        "task      tag",
        "labels    6: B-NP I-NP B-VP O I-VP B-PP",
        "columns   0, 1, 2 (label)",
        "template  6 lines",
        "search viterbi",
        "min_updates 1",
        "int8, scale ",
        "seed 3, sentences 5, tokens 32",
        "header and alignment",
    ):
        assert text in run.out, text
    model = sapwood.load(path)
    [line] = [line for line in run.out.splitlines() if line.startswith("weights   ")]
    assert f"{sum(t.packed.weights for t in model.model_.tables):,} non-zero" in line
    shares = [line.split() for line in run.out.splitlines() if line.endswith(" %")]
    assert sum(int(words[-3].replace(",", "")) for words in shares) == size
    # the heaviest feature of a label
    heaviest = max(
        weight for output, weight, name in model.contents.weights() if output.name == "B-VP" and "after" not in name
    )
    block = run.out[run.out.index("\nB-VP\n") :].splitlines()
    assert block[2].split()[0] == f"{heaviest:+.3f}"
    assert len(block) >= 6


def test_inspect_works_with_one_label_and_without_names(run_cli, tiny_model):
    run = run_cli(["inspect", tiny_model, "--label", "B-PP", "--label", "O", "--template"])
    assert run.status == 0
    assert "train with --feature-names" in run.out
    assert "\nB-PP\n" in run.out
    assert "\nI-NP\n" not in run.out
    assert TINY_TEMPLATE in run.out


def test_inspect_leaves_out_features_that_are_not_asked_for(run_cli, tiny_model):
    assert "\nB-PP\n" not in run_cli(["inspect", tiny_model, "--top", 0]).out


# generate and reproduce


def test_generate_a_treebank_and_learn_it(run_cli, tmp_path):
    run = run_cli(["generate", "treebank", "--sentences", 200, "--seed", 7, "-o", tmp_path / "corpus"])
    assert (run.status, run.err) == (0, "")
    names = {path.name for path in (tmp_path / "corpus").iterdir()}
    assert {f"{split}.{kind}" for split in ("train", "dev", "test") for kind in ("txt", "conllu", "mrg")} <= names
    assert [line.split(":")[0].rsplit("/")[-1] for line in run.out.splitlines()] == [
        f"{split}.txt, .conllu, .mrg" for split in ("train", "dev", "test")
    ]
    train, test, model = (tmp_path / "corpus" / name for name in ("train.txt", "test.txt", "m.sap"))
    run = run_cli(
        ["train", "tag", train, "-o", model, "--template", "crfsuite-chunking", "--min-updates", 1, "--epochs", 3]
    )
    assert run.status == 0, run.err
    assert "FB1" in run_cli(["eval", model, test]).out


@pytest.mark.parametrize(
    ("name", "command"),
    [("table1", "papers table1"), ("early-stopping", "papers early-stopping"), ("english", "recipes.en")],
)
@pytest.mark.parametrize("ask", ["reproduce", "help reproduce"])
def test_what_reproduce_measured_is_run_from_a_checkout(run_cli, ask, name, command):
    said = "is in the sources, not in the package; run in a checkout of them"
    expected = f"sapwood: 'reproduce {name}' {said}: python -m {command}\n"
    assert run_cli(f"{ask} {name}") == (2, "", expected)
