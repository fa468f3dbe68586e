"""Odd input that is read: other forms of one corpus, names of files, scripts, terminals, and what is very long."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bad_files import write_files
from tiny import TINY_CORPUS

import sapwood


@pytest.fixture
def folder(tmp_path, tiny_file, tiny_template, tiny_model, monkeypatch):
    """A working directory with good and bad files by the names that the tables below use."""
    write_files(tmp_path, tiny_file, tiny_template, tiny_model)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_closed_standard_streams_do_no_harm(folder):
    """As a shell does for `>&-` and `<&-`."""
    for redirection in (">&-", "<&-"):
        for verb in ("tag good.sap" + (" good.txt" if redirection == ">&-" else ""), "eval good.sap good.txt"):
            command = f'"{sys.executable}" -m sapwood {verb} {redirection}'
            run = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            assert "Traceback" not in run.stderr
            assert run.stderr.count("\n") <= 1


@pytest.mark.few(1)
@pytest.mark.parametrize("name", [b"odd\xff.txt", b"odd\nname.txt", "ödd.txt".encode()])
def test_odd_file_names_work(folder, name):
    """Not UTF-8, or with a line end in it: good files are tagged, bad ones named on one line."""
    command = [sys.executable, "-m", "sapwood", "tag", "good.sap", os.fsdecode(name)]
    missing = subprocess.run(command, capture_output=True)
    assert missing.returncode == 1
    assert missing.stderr.count(b"\n") == 1, missing.stderr
    Path(os.fsdecode(name)).write_bytes(b"the DT\n")
    assert subprocess.run(command, capture_output=True).stdout == b"the DT B-NP\n"
    Path(os.fsdecode(name)).write_bytes(b"the DT\ndog\n")
    ragged = subprocess.run(command, capture_output=True)
    assert ragged.returncode == 1
    assert ragged.stderr.count(b"\n") == 1, ragged.stderr
    assert b"columns" in ragged.stderr


@pytest.mark.slow
def test_a_terminal_that_knows_no_unicode(folder):
    (folder / "unicode.txt").write_text("le Dét\nchat 名詞\n", encoding="utf-8")
    (folder / "w.tpl").write_text("U:%x[0,0]\n")
    environment = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "ascii",
    }
    for arguments in (
        "train tag unicode.txt -o u.sap --template w.tpl --min-updates 1",
        "tag u.sap unicode.txt",
        "eval u.sap unicode.txt",
        "inspect u.sap",
    ):
        command = [sys.executable, "-m", "sapwood", *arguments.split()]
        run = subprocess.run(command, env=environment, capture_output=True)
        assert run.returncode == 0, run.stderr
        assert b"Traceback" not in run.stderr


FORMS = {
    "spaces": TINY_CORPUS,
    "tabs": TINY_CORPUS.replace(" ", "\t"),
    "runs of spaces": TINY_CORPUS.replace(" ", "   "),
    "space behind": TINY_CORPUS.replace("\n", "  \n"),
    "CRLF": TINY_CORPUS.replace("\n", "\r\n"),
    "no last newline": TINY_CORPUS.rstrip("\n"),
    "many blank lines": "\n\n" + TINY_CORPUS.replace("\n\n", "\n\n\n \n\n") + "\n\n",
    "byte order mark": "\ufeff" + TINY_CORPUS,
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_one_corpus_give_one_model(run_cli, folder, form):
    (folder / "form.txt").write_bytes(FORMS[form].encode())
    options = ["--template", "good.tpl", "--min-updates", 1, "--epochs", 8, "-q"]
    run = run_cli(["train", "tag", "form.txt", "-o", "form.sap", *options])
    assert run == (0, "", "")
    form_model, good_model = sapwood.load("form.sap"), sapwood.load("good.sap")
    assert list(form_model.contents.weights()) == list(good_model.contents.weights())
    assert form_model.labels_ == good_model.labels_
    run = run_cli(["eval", "form.sap", "form.txt"])
    assert "FB1: 100.00" in run.out


def test_labels_of_any_script_work(run_cli, folder):
    data = "le Dét\nchat 名詞\n🐈 🏷️\n"
    (folder / "u.txt").write_text(data, encoding="utf-8")
    (folder / "w.tpl").write_text("U:%x[0,0]\n")
    run = run_cli("train tag u.txt -o u.sap --template w.tpl --min-updates 1 -q")
    assert run == (0, "", "")
    assert run_cli(["tag", "u.sap"], stdin="chat\n🐈\n").out == "chat\t名詞\n🐈\t🏷️\n"
    assert "名詞" in run_cli(["eval", "u.sap", "u.txt"]).out
    assert "🏷️" in run_cli(["inspect", "u.sap"]).out


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* a sentence of 100,000 tokens:sapwood.SapwoodWarning")
def test_a_sentence_of_100_000_tokens_is_learned_and_tagged(run_cli, folder):
    long = TINY_CORPUS.replace("\n\n", "\n") * 3125
    (folder / "long.txt").write_text(long)
    assert run_cli("train tag long.txt -o long.sap --template good.tpl --epochs 3 -q") == (0, "", "")
    run = run_cli(["tag", "long.sap", "long.txt"])
    assert run.status == 0
    assert run.out.count("\n") == 100_000
    assert run_cli(["tag", "long.sap"], stdin=long).out == run.out


def test_a_very_long_word_is_tagged(run_cli, folder):
    word = "x" * 1_000_000
    run = run_cli(["tag", "good.sap"], stdin=f"{word} NN\n")
    assert run.status == 0
    assert run.out.startswith(word)
