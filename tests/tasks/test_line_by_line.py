"""Standard input is answered as its lines, rows and sentences come, with what a file of it would be answered."""

import subprocess
import sys
from threading import Timer

import pytest
from reviews import TEXTS
from tiny import train_tiny
from treebanks import treebank

from sapwood import Classifier, DependencyParser
from sapwood.io.records import CsvReader, Remarks
from sapwood.io.source import with_lines
from sapwood.tasks.parsing.grammar import PhraseParser

WORDS = "1\tA\t_\tDET\t_\t_\t_\t_\t_\t_\n2\thelt\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n"
TREES = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (DT a) (NN cat)) (VP (VBZ sleeps)))"]


@pytest.fixture(scope="module")
def models(tmp_path_factory, toy, tiny_file):
    folder = tmp_path_factory.mktemp("models")
    toy.save(folder / "model.sap")
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
CSV = {
    "rows": ["text\ngood film\n", "bad film\nno film\n", "good\n"],
    "two columns": ["label,text\npos,good film\n", 'neg,"bad, bad"\n', "neg,no film\n"],
    "cells of several lines": [
        'text,id\n"good\n\nfilm",1\n',
        '"bad ""film"",\n""no"", ",2\n',
        '"a\nb",3\n',
        'no quote in it" here,4\n',
    ],
    "semicolons": ["id;text\n1;good, film\n", '2;"bad;\nfilm"\n', '3;no "film\n', '4;"good"\n'],
    "Excel": ["\ufeffsep=;\nid;text\n1;good film\n", "2;bad film\n", '3;"é\n"\n'],
    "tabs": ["id\ttext\r\n1\tgood film\r\n", '2\t"bad\r\nfilm"\r\n', "3\tno\r\n"],
    "single quotes": ["'text','id'\n'good film','1'\n", "'it''s, bad','2'\n", "'no film','3'\n"],
    "numbers of rows": ["text,id\n1,good film,1\n2,bad film,2\n", "3,no film,3\n"],
    "the header again": ["text\ngood film\n", "bad film\ntext\nno film\n"],
}


@pytest.mark.filterwarnings("ignore::sapwood.UnfamiliarWarning")
@pytest.mark.few(1)
@pytest.mark.parametrize("rows", CSV)
def test_rows_of_csv_are_answered_as_they_end(models, tmp_path, run_cli, rows):
    parts = CSV[rows]
    out, _ = answered(models, "classify reviews.sap --format csv", parts)
    (tmp_path / "whole.csv").write_bytes("".join(parts).encode())
    run = run_cli(["classify", models / "reviews.sap", tmp_path / "whole.csv"])
    assert (run.status, run.out) == (0, out)


@pytest.mark.parametrize("size", [1, 2, 5, 9])
@pytest.mark.parametrize("rows", CSV)
def test_how_rows_arrive_changes_nothing(rows, size):
    data = "".join(CSV[rows]).encode()
    found = []
    for pieces in ([data], [data[k : k + size] for k in range(0, len(data), size)]):
        reader = CsvReader("x", "text", False, Remarks(lambda message: None))
        blocks = with_lines(pieces if len(pieces) == 1 else reader.whole_rows(pieces))
        found.append([record for block, line in blocks for record in reader.records(block, line)])
    assert found[0] == found[1]


@pytest.mark.few(4)
@pytest.mark.parametrize("command", COMMANDS)
def test_each_part_is_answered_before_the_next_one_comes(models, tmp_path, run_cli, command):
    parts = COMMANDS[command]
    out, said = answered(models, command, parts)
    assert said == ""
    (tmp_path / "whole").write_bytes("".join(parts).encode())
    verb, model, *options = command.removesuffix(" -").split()
    assert run_cli([verb, models / model, tmp_path / "whole", *options]).out == out


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("command", "part", "bad", "where"),
    [
        ("annotate model.sap --input tokens --format text", "A helt .\n", "The \0 helt\n", ": byte 13: "),
        ("annotate model.sap --input conllu", WORDS, "# c = d\n1\tA\n\n", ":5: "),
        ("classify reviews.sap --format csv", "text,id\ngood,1\n", '"no\nfilm",2\nbad\n', ":5: "),
        ("nbest tagger.sap -", "the DT\n\n", "a DT\nold\n\n", ":4: "),
        ("nbest parser.sap -", WORDS, WORDS + "1\tA\n\n", ":7: "),
        ("nbest grammar.sap -", "the dog barks\n", "a cat barks\nthe \0\n", ":3: "),
    ],
)
def test_errors_have_the_place_in_the_whole_input(models, command, part, bad, where):
    _, said = answered(models, command, [part, bad])
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
