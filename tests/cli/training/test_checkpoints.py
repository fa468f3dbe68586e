"""Checkpoints from the command line: kills, Ctrl-C, other data."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from reviews import TEXTS

from sapwood import load
from sapwood.datasets.treebank import generate
from sapwood.events import Step

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def columns(tmp_path_factory):
    """A column file that takes some time to learn from."""
    path = tmp_path_factory.mktemp("columns") / "train.txt"
    lines = ("".join(f"{w} {t}\n" for w, t in zip(s.words, s.tags, strict=True)) + "\n" for s in generate(1500, 1))
    path.write_text("".join(lines))
    return path


def training(columns, model, *more):
    options = ["--template", "pos", "--epochs", "12", "--search", "greedy"]
    return list(map(str, ["train", "tag", columns, "-o", model, *options, *more]))


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "bench").exists(), reason="the benchmarks are not here")
def test_killed_trainings_end_in_the_same_bytes():
    """The short form of what bench/training/kills.py does."""
    command = [sys.executable, "-m", "bench.training.kills"]
    options = ["--kills", "9", "--tasks", "tag,parse,classify", "--sentences", "80", "--seed", "3"]
    run = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert [line.split()[0] for line in run.stdout.splitlines()] == ["tag", "parse", "classify"]


def test_ctrl_c_saves_the_state_at_once(run_cli, on_progress, columns, tmp_path):
    """The epoch ends, as without a checkpoint; its model is kept, and training can go on from where Ctrl-C came."""
    model, file = tmp_path / "m.sap", tmp_path / "m.checkpoint"
    assert run_cli(training(columns, tmp_path / "whole.sap", "-q")).status == 0
    saved = []

    def interrupt(event):
        if isinstance(event, Step) and event.epoch == 2:
            saved.append(file.exists())
            if len(saved) == 2:
                signal.raise_signal(signal.SIGTERM)

    on_progress(interrupt)
    run = run_cli(training(columns, model, "--checkpoint", file))
    assert run.status == 0
    assert "interrupted: kept the model of epoch 2" in run.err
    assert saved[:2] == [False, False]
    assert all(saved[2:])
    assert model.exists()
    assert file.exists()
    assert run_cli(training(columns, model, "--resume", file, "-q")).status == 0
    assert model.read_bytes() == (tmp_path / "whole.sap").read_bytes()


KILLED = """
import os, signal, sys
from sapwood.cli import run
from sapwood.cli.base import progress
from sapwood.training import saving

def kill(self, event):
    if os.path.exists(sys.argv[sys.argv.index("--checkpoint") + 1]):
        os.kill(os.getpid(), signal.SIGKILL)

saving.EVERY = 0.0
progress._Descriptions.__call__ = kill
run(sys.argv[1:])
"""


def test_a_killed_training_goes_on(run_cli, columns, tmp_path):
    """As soon as there is a checkpoint; bench/training/kills.py kills at any moment."""
    model, file = tmp_path / "m.sap", tmp_path / "m.checkpoint"
    assert run_cli(training(columns, tmp_path / "whole.sap", "-q")).status == 0
    arguments = training(columns, model, "--checkpoint", file)
    killed = subprocess.run([sys.executable, "-c", KILLED, *arguments], capture_output=True)
    assert killed.returncode == -signal.SIGKILL
    assert file.exists()
    assert not model.exists()
    assert run_cli(training(columns, model, "--resume", file, "-q")).status == 0
    assert model.read_bytes() == (tmp_path / "whole.sap").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.checkpoint", "m.sap", "whole.sap"]


def test_other_data_are_learned_with_the_options_of_the_checkpoint(run_cli, columns, tmp_path):
    model, file = tmp_path / "m.sap", tmp_path / "m.checkpoint"
    options = ["--search", "greedy", "--min-updates", "3", "--template", "pos"]
    run_cli(["train", "tag", columns, "-o", model, "--epochs", "2", "--checkpoint", file, "-q", *options])
    other = tmp_path / "other.txt"
    other.write_text(columns.read_text().replace(" NN\n", " NEW\n"))
    run_cli(["train", "tag", other, "-o", model, "--epochs", "9", "--from", file, "-q"])
    fitted = load(model)
    assert (fitted.search, fitted.min_updates) == ("greedy", 3)
    assert "NEW" in run_cli(["tag", model, columns]).out


def test_every_task_goes_on_with_its_own_options(run_cli, tmp_path):
    """Clusters come from the checkpoint, and data need not have the labels of before."""
    treebank, reviews = tmp_path / "t.conllu", tmp_path / "reviews.txt"
    lines = "".join(s.conllu(f"s{k}") for k, s in enumerate(generate(30, 1))).split("\n")
    treebank.write_text("\n".join(re.sub(r"^(\d+\t(\S+)\t)_", r"\1\2", line) for line in lines))
    reviews.write_text("".join(f"__label__{label} {text}\n" for label, text in TEXTS))
    clusters = tmp_path / "words.clusters"
    clusters.write_text("0\tthe\t9\n10\tdog\t5\n11\tcat\t4\n")
    for task, data, options in (
        ("parse", treebank, ["--beam", "2", "--min-updates", "2", "--clusters", clusters, "--template", "beam"]),
        ("classify", reviews, ["--min-updates", "1", "--gamma", "2"]),
    ):
        model, file = tmp_path / f"{task}.sap", tmp_path / f"{task}.checkpoint"
        common = ["train", task, data, "-o", model, "-q"]
        first = run_cli([*common, "--checkpoint", file, "--epochs", "1", *options])
        assert first.err == ""
        assert run_cli([*common, "--from", file, "--epochs", "2"]) == (0, "", "")
        run = run_cli([*common, "--from", file, "--min-updates", "7"])
        assert "training cannot go on from it: min_updates was" in run.err


def test_model_and_checkpoint_are_two_files(run_cli, columns, tmp_path):
    run = run_cli(["train", "tag", columns, "-o", tmp_path / "m", "--checkpoint", tmp_path / "m"])
    assert "two outputs would be written to this file" in run.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--resume", "nowhere"], "nowhere: cannot be read: no such file"),
        (["--from", "nowhere"], "nowhere: cannot be read: no such file"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(run_cli, columns, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    run = run_cli(["train", "tag", columns, "-o", tmp_path / "m.sap", *options])
    assert run.status != 0
    assert message in run.err
    assert run.err.count("\n") == 1
