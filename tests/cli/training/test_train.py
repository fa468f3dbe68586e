"""``sapwood train tag``: options, progress, standard input, Ctrl-C."""

import os
import signal

import pytest
from tiny import TINY_CORPUS, TINY_TEMPLATE, train_tiny

import sapwood


def test_train_writes_the_model_that_python_writes(run_cli, tiny_file, tiny_template, tmp_path):
    out = tmp_path / "cli.sap"
    options = ["--template", tiny_template, "--epochs", 8, "--min-updates", 1]
    run = run_cli(["train", "tag", tiny_file, "-o", out, *options])
    assert (run.status, run.out) == (0, "")
    train_tiny(tiny_file).save(tmp_path / "python.sap")
    assert out.read_bytes() == (tmp_path / "python.sap").read_bytes()
    lines = run.err.splitlines()
    assert lines[0].startswith("5 sentences, 32 tokens, 6 labels")
    assert [line.split()[:2] for line in lines[1:9]] == [["epoch", f"{k}/8"] for k in range(1, 9)]
    assert lines[9].startswith(f"{out}: ")
    assert len(lines) == 10
    assert list(tmp_path.glob(".*")) == []


def test_quiet_training_prints_nothing(run_cli, tiny_file, tiny_template, tmp_path):
    run = run_cli(["train", "tag", tiny_file, "-o", tmp_path / "m.sap", "--template", tiny_template, "-q"])
    assert run == (0, "", "")


@pytest.mark.filterwarnings("ignore:.* the training data:sapwood.SapwoodWarning")
def test_train_takes_every_option(run_cli, tiny_file, tmp_path):
    (tmp_path / "named.tpl").write_text("U:%x[0,word]\nU:%x[0,pos]\nU1:%y[-1]\n")
    out = tmp_path / "m.sap"
    options = (
        "--search greedy --update pa --gamma 0.5 --min-updates 2 --prune-below 1 --epochs 5 --patience 3 --seed 9 "
        "--bits 16 --feature-names --columns word,pos,label --threads 2 --order 2"
    )
    run = run_cli(f"train tag {tiny_file} -o {out} --dev {tiny_file} --template {tmp_path / 'named.tpl'} {options}")
    assert run.status == 0, run.err
    model = sapwood.load(out).model_
    assert model.options == {
        "search": "greedy", "order": 2, "update": "pa", "gamma": 0.5, "average": True, "min_updates": 2,
        "drop_below": 0.0, "prune_below": 1, "history": "gold", "encoding": "bio", "dictionary": None,
        "epochs": 5, "names": True, "patience": 3, "seed": 9,
    }  # fmt: skip
    assert (model.bits, model.columns, model.label) == (16, ["word", "pos", "label"], 2)
    assert model.provenance["seed"] == 9
    assert " dev " in run.err


def test_easiest_first_models_are_trained_used_and_inspected(run_cli, tiny_file, tmp_path):
    (tmp_path / "both.tpl").write_text("U00:%x[0,0]\nU01:%y[-1]/%y[+1]\n")
    out = tmp_path / "m.sap"
    options = f"--template {tmp_path / 'both.tpl'} --search easiest-first --min-updates 1 --feature-names -q"
    assert run_cli(f"train tag {tiny_file} -o {out} {options}") == (0, "", "")
    assert len(run_cli(f"tag {out} {tiny_file}").out.splitlines()) == len(tiny_file.read_text().splitlines())
    assert "easiest-first" in run_cli(f"inspect {out}").out


def test_train_reads_standard_input_and_compressed_files(run_cli, tiny_file, tiny_template, tmp_path):
    import bz2
    import gzip
    import lzma

    text = tiny_file.read_bytes()
    sources = {"-": None, "t.gz": gzip.compress(text), "t.xz": lzma.compress(text), "t.bz2": bz2.compress(text)}
    models = set()
    for name, data in sources.items():
        source = name if data is None else tmp_path / name
        if data is not None:
            source.write_bytes(data)
        out = tmp_path / "m.sap"
        run = run_cli(["train", "tag", source, "-o", out, "--template", tiny_template, "-q"], stdin=text)
        assert run == (0, "", "")
        models.add(out.read_bytes())
    assert len(models) == 1


def test_train_stops_by_patience_and_says_so(run_cli, tiny_file, tiny_template, tmp_path):
    run = run_cli(
        ["train", "tag", tiny_file, "-o", tmp_path / "m.sap", "--template", tiny_template, "--min-updates", 1,
         "--dev", "20%", "--epochs", 100, "--patience", 2]
    )  # fmt: skip
    assert run.status == 0
    assert "no better score for a while: stopped after" in run.err


# Ctrl-C


@pytest.fixture
def long_training(spawn_cli, tmp_path):
    """A training run that would take minutes, in its second epoch or later."""
    (tmp_path / "train.txt").write_text(f"{TINY_CORPUS}\n" * 1000)
    (tmp_path / "t.tpl").write_text(TINY_TEMPLATE)
    arguments = ["train", "tag", tmp_path / "train.txt", "-o", tmp_path / "m.sap", "--template", tmp_path / "t.tpl"]
    process = spawn_cli([*arguments, "--epochs", 1_000_000, "--min-updates", 1])
    while not process.stderr.readline().startswith(b"epoch"):
        pass
    return process


@pytest.mark.few(1)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_once_it_finishes_the_epoch_and_writes_the_model(long_training, tmp_path, tiny, number):
    long_training.send_signal(number)
    err = long_training.stderr.read().decode()
    assert long_training.wait() == 0
    assert "interrupted: kept the model of epoch" in err
    model = sapwood.load(tmp_path / "m.sap")
    assert model.model_.provenance["stopped_by"] == "interrupted"
    assert model.score(tiny) == 1.0
    assert {path.name for path in tmp_path.iterdir()} == {"train.txt", "t.tpl", "m.sap"}


def test_a_terminal_that_is_closed_ends_training_like_ctrl_c(spawn_cli, tmp_path):
    (tmp_path / "train.txt").write_text(f"{TINY_CORPUS}\n" * 100)
    ours, theirs = os.openpty()
    arguments = ["train", "tag", tmp_path / "train.txt", "-o", tmp_path / "m.sap", "--epochs", 1_000_000]
    process = spawn_cli(arguments, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while b"epoch" not in shown:
        shown += os.read(ours, 1000)
    os.close(ours)
    process.send_signal(signal.SIGHUP)  # as the system does if the terminal controls the process
    assert process.wait(60) == 0
    assert sapwood.load(tmp_path / "m.sap").model_.provenance["stopped_by"] == "interrupted"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_twice_it_writes_nothing(run_cli, tiny_file, tiny_template, tmp_path, monkeypatch, number):
    """Two signals within one epoch, sent from where the progress is drawn."""
    before = signal.getsignal(number)

    def interrupt_twice(self, event):
        if getattr(event, "epoch", 0) == 2:
            signal.raise_signal(number)
            signal.raise_signal(number)

    monkeypatch.setattr("sapwood.cli.base.progress._Descriptions.__call__", interrupt_twice)
    run = run_cli(["train", "tag", tiny_file, "-o", tmp_path / "m.sap", "--template", tiny_template, "--epochs", 1000])
    assert run.status == 128 + number
    assert run.err.strip().startswith("sapwood: interrupted")
    assert run.err.strip().count("\n") == 0
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(number) is before
