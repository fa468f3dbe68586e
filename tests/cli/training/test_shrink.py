"""``sapwood shrink`` on the command line."""

import pytest

import sapwood
from sapwood.options import options_of


@pytest.fixture(scope="module")
def parser(bank):
    path = bank / "whole.sap"
    sapwood.DependencyParser(beam=1, epochs=2, min_updates=1).fit(bank / "train.conllu").save(path)
    return path


@pytest.mark.slow
def test_the_way_is_printed_and_drawn(run_cli, bank, parser, tmp_path):
    small, figure = tmp_path / "small.sap", tmp_path / "curve.svg"
    goal = parser.stat().st_size // 2
    data = ["--data", bank / "train.conllu", "--dev", bank / "test.conllu"]
    done = run_cli(["shrink", parser, "-o", small, *data, "--bytes", goal, "--figure", figure, "-q"])
    assert done.status == 0
    assert small.stat().st_size <= goal
    lines = done.out.splitlines()
    assert lines[0].startswith("parser: it has ")
    assert lines[1].split() == ["bytes", "features", "levels", "bits", "score"]
    assert {line.removeprefix("*").split()[2] for line in lines[2:-1]} == {"even", "uneven", "coarse"}
    kept = [line for line in lines[2:-1] if line.startswith("*")]
    assert len(kept) == 1
    assert lines[-1] == f"{small}: {small.stat().st_size:,} bytes; {parser} has {parser.stat().st_size:,}"
    assert figure.read_text().startswith("<?xml")
    assert sapwood.load(small).predict(bank / "test.conllu")


@pytest.mark.slow
def test_progress_is_shown(run_cli, bank, parser, tmp_path):
    done = run_cli(["shrink", parser, "-o", tmp_path / "s.sap", "--data", bank / "train.conllu", "--bytes", "20000"])
    assert done.status == 0
    assert "epoch 2/2" in done.err
    assert " bytes " in done.err


def test_weights_that_are_small_are_dropped_at_once(run_cli, bank, parser, tmp_path):
    small = tmp_path / "small.sap"
    done = run_cli(["shrink", parser, "-o", small, "--data", bank / "train.conllu", "--below", "0.1", "-q"])
    size, before = small.stat().st_size, parser.stat().st_size
    assert done == (0, f"{small}: {size:,} bytes; {parser} has {before:,}\n", "")
    assert size < before
    assert options_of(sapwood.load(small))["drop_below"]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ("", "One of the arguments --bytes --loss --below is required."),
        ("--bytes 9 --loss 1", "not allowed with argument"),
        ("--below 0.1 --figure x.png", "--figure draws the models of all rounds, and --below has none"),
        ("--below 0.1 --bytes 9", "not allowed with argument"),
        ("--below 2", "below is a number from 0 to 1, not 2.0"),
        ("--bytes 0", "not a whole number"),
        ("--loss 1", "loss needs held-out data: give dev or dev_fraction"),
        ("--bytes 9999 --names x.iob2", "--names: a parser has no such option"),
        ("--bytes 9999 --figure x.gif", "a figure is a .png, .svg or .pdf file"),
    ],
)
def test_wrong_use_is_one_line(run_cli, bank, parser, tmp_path, arguments, what):
    args = ["shrink", parser, "-o", tmp_path / "s.sap", "--data", bank / "train.conllu", *arguments.split(), "-q"]
    done = run_cli(args)
    assert done.status == 2
    assert what in done.err
    assert len(done.err.splitlines()) == 1
    assert not (tmp_path / "s.sap").exists()
