"""Standard input is answered as its lines, rows and sentences come, with what a file of it would be answered."""

import subprocess
import sys
from threading import Timer

import pytest
from reviews import TEXTS
from tiny import train_tiny
from treebanks import treebank

from sapwood import Classifier, DependencyParser
from sapwood.tasks.parsing.grammar import PhraseParser
from sapwood.tasks.pipeline.model import Pipeline

WORDS = "1\tA\t_\tDET\t_\t_\t_\t_\t_\t_\n2\thelt\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n"
TREES = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (DT a) (NN cat)) (VP (VBZ sleeps)))"]


@pytest.fixture(scope="module")
def models(tmp_path_factory, tiny_file):
    folder = tmp_path_factory.mktemp("models")
    Pipeline(beam=1).fit(treebank(300, 1)).save(folder / "model.sap")
    train_tiny(tiny_file, search="viterbi").save(folder / "tagger.sap")
    DependencyParser(search="eisner", epochs=1, min_updates=1).fit(treebank(60, 1)).save(folder / "parser.sap")
    PhraseParser().fit(TREES).save(folder / "grammar.sap")
    (folder / "reviews.csv").write_text("label,text\n" + "".join(f'{label},"{text}"\n' for label, text in TEXTS))
    Classifier(epochs=3, min_updates=1).fit(folder / "reviews.csv").save(folder / "reviews.sap")
    return folder


def answered(folder, command, parts):
    """Write the parts into a pipe, each when something is answered to the one before; return the answers."""
    verb, model, *options = command.split()
    run = [sys.executable, "-m", "sapwood", verb, folder / model, *options]
    answers = []
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        alarm = Timer(8, process.kill)  # where nothing is answered
        alarm.start()
        for part in parts:
            process.stdin.write(part.encode())
            process.stdin.flush()
            answers.append(process.stdout.readline())
        process.stdin.close()
        rest, said = process.stdout.read(), process.stderr.read().decode()
        alarm.cancel()
    return b"".join([*answers, rest]).decode(), said


COMMANDS = {
    "annotate model.sap --input tokens --format text": ["A helt bungs .\n", "\n\r\nThe helt sings .\r\nA helt", "\n"],
    "annotate model.sap --input tokens --format json": ["A helt bungs .\n", "\n\r\n\ufeffThe é sings .\n", "A helt\n"],
    "annotate model.sap --input tokens": [
        "A helt bungs .\n",
        "The helt\n",
        "sings .\n",
    ],  # blank lines may be of either side
    "annotate model.sap --input conllu": [
        "# a = b\n" + WORDS,
        "# c = d\n" + WORDS + WORDS,
        WORDS.replace("\n", "\r\n"),
    ],
    "annotate model.sap --input conllu --format text": [WORDS, WORDS + WORDS, WORDS],
    "annotate model.sap --input conllu --format json": [WORDS, "\n" + WORDS + WORDS, WORDS],
    "nbest tagger.sap -": ["the DT\ndog NN\n\n", "a DT\n\nold JJ\n\n", "wood NN\n\n"],
    "nbest parser.sap -": [WORDS, "# c = d\n" + WORDS, WORDS + WORDS],
    "nbest grammar.sap -": ["the dog barks\n", "\na cat barks\na dog sleeps\n", "the cat barks\n"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_each_part_is_answered_before_the_next_one_comes(models, tmp_path, run_cli, command):
    parts = COMMANDS[command]
    out, said = answered(models, command, parts)
    assert said == ""
    (tmp_path / "whole").write_bytes("".join(parts).encode())
    verb, model, *options = command.removesuffix(" -").split()
    assert run_cli([verb, models / model, tmp_path / "whole", *options]).out == out


@pytest.mark.parametrize(
    ("command", "part", "bad", "where"),
    [
        ("annotate model.sap --input tokens --format text", "A helt .\n", "The \0 helt\n", ": byte 13: "),
        ("annotate model.sap --input conllu", WORDS, "# c = d\n1\tA\n\n", ":5: "),
        ("nbest tagger.sap -", "the DT\n\n", "a DT\nold\n\n", ":4: "),
        ("nbest parser.sap -", WORDS, WORDS + "1\tA\n\n", ":7: "),
        ("nbest grammar.sap -", "the dog barks\n", "a cat barks\nthe \0\n", ":3: "),
    ],
)
def test_errors_have_the_place_in_the_whole_input(models, command, part, bad, where):
    _, said = answered(models, command, [part + bad])
    assert f"standard input{where}" in said
    assert said.count("\n") == 1


def test_a_file_is_checked_as_a_whole(models, tmp_path, run_cli):
    for name, text in (("conllu", WORDS + "1\tA\n\n"), ("tokens", "A helt .\nThe \0\n")):
        (tmp_path / name).write_text(text)
        run = run_cli(["annotate", models / "model.sap", tmp_path / name, "--input", name])
        assert (run.status, run.out) == (1, "")


def test_trees_in_brackets_may_go_over_lines(models):
    assert answered(models, "nbest grammar.sap -", []) == ("", "")
    process = [sys.executable, "-m", "sapwood", "nbest", models / "grammar.sap", "-"]
    tree = TREES[0].replace(" (VP", "\n  (VP").encode()
    assert subprocess.run(process, input=tree, capture_output=True, check=True).stdout.count(b"\n") == 1
