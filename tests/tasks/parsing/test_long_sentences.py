"""Eisner search takes time that grows with the cube of a sentence's length: it says so, and Ctrl-C ends it.

Transitions take time in proportion to the length: what would be the square of it is ended by the guard.
"""

import signal

import pytest
from parsers import QUICK, tagged
from processes import HANG, guarded, wait_for_work

import sapwood
from sapwood import _core
from sapwood.errors import SapwoodWarning

WORDS = 3000  # which take many times as long as a test waits


def treebank(lengths):
    """A treebank of sentences of so many words, each word below the one before it."""
    rows = [
        "\n".join(f"{m}\tw{m % 7}\t_\tNOUN\tT{m % 5}\t_\t{m - 1}\tdep\t_\t_" for m in range(1, n + 1)) for n in lengths
    ]
    return "\n\n".join(rows).encode() + b"\n\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    sapwood.DependencyParser(search="eisner", order=2, labelling="none", **QUICK).fit(*tagged(30)).save(
        folder / "p.sap"
    )
    (folder / "long.conllu").write_bytes(treebank([WORDS]))
    (folder / "many.conllu").write_bytes(treebank([2, *[1] * 40, WORDS]))  # a second thread has the long one
    return folder


def interrupted(process, times):
    """Wait for the warning, which comes before the work; send SIGINT; return the status and what followed."""
    warning = process.stderr.readline().decode()
    assert warning.startswith("sapwood: warning: ")
    assert f"Eisner search of order 2 is slow in a sentence of {WORDS} words" in warning
    for _ in range(times):
        wait_for_work(process)
        process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=HANG)
    return process.returncode, err.decode()


@pytest.mark.few(1)
@pytest.mark.parametrize(("name", "threads"), [("long", 1), ("many", 2)])
def test_ctrl_c_ends_parsing_within_a_sentence(spawn_cli, folder, name, threads):
    process = spawn_cli(["parse", folder / "p.sap", folder / f"{name}.conllu", "--threads", threads])
    assert interrupted(process, 1) == (130, "sapwood: interrupted\n")


@pytest.mark.slow
def test_ctrl_c_twice_ends_training_within_a_sentence(spawn_cli, folder, tmp_path):
    options = ["--search", "eisner", "--order", 2, "-q", "-o", tmp_path / "m.sap"]
    process = spawn_cli(["train", "parse", folder / "long.conllu", *options])
    assert interrupted(process, 2) == (130, "sapwood: interrupted\n")
    assert not (tmp_path / "m.sap").exists()


def test_the_lengths_above_which_there_is_a_warning():
    for search, order, longest in (("eisner", 1, 1300), ("eisner", 2, 600)):
        assert (
            _core.slow_sentence(_core.Conllu.read(treebank([longest, 3]), "t"), {"search": search, "order": order})
            == ""
        )
        data = _core.Conllu.read(b"\n" + treebank([2, longest + 1, 3]), "t")
        warning = _core.slow_sentence(data, {"search": search, "order": order})
        assert warning.startswith(f"t:5: Eisner search of order {order} is slow in a sentence of {longest + 1} words")
        assert "\n" not in warning
    for search in ("beam", "easy-first"):
        assert _core.slow_sentence(_core.Conllu.read(treebank([3000]), "t"), {"search": search, "order": 1}) == ""


def test_the_warning_comes_first(folder):
    """Tests turn warnings into errors, so nothing is parsed and nothing trained."""
    parser = sapwood.load(folder / "p.sap")
    with pytest.raises(SapwoodWarning, match=f"a sentence of {WORDS} words"):
        parser.predict(folder / "long.conllu")
    with pytest.raises(SapwoodWarning, match=f"a sentence of {WORDS} words"):
        sapwood.DependencyParser(search="eisner", order=2).fit(folder / "long.conllu")


VERY_LONG = 100_000  # words, whose square takes hours


@pytest.mark.slow
@pytest.mark.parametrize("beam", [1, 4])
def test_transitions_take_time_in_proportion_to_a_sentence(spawn_cli, tmp_path, beam):
    (tmp_path / "long.conllu").write_bytes(treebank([VERY_LONG]))
    sapwood.DependencyParser(beam=beam, **QUICK).fit(*tagged(30)).save(tmp_path / "p.sap")
    with (tmp_path / "out.conllu").open("wb") as out:
        parse = ["parse", tmp_path / "p.sap", tmp_path / "long.conllu"]
        process = spawn_cli(parse, preexec_fn=guarded, stdout=out)
        _, err = process.communicate()
    assert process.returncode == 0, err
    assert (tmp_path / "out.conllu").read_bytes().count(b"\n") == VERY_LONG + 1


@pytest.mark.slow
@pytest.mark.parametrize("beam", [1, 4])
def test_one_signal_ends_training_on_a_very_long_sentence(spawn_cli, tmp_path, beam):
    (tmp_path / "long.conllu").write_bytes(treebank([VERY_LONG]))
    train = ["train", "parse", tmp_path / "long.conllu", "--beam", beam, "--epochs", 10_000, "-o", tmp_path / "m.sap"]
    process = spawn_cli(train, preexec_fn=guarded)
    assert b"are the blank lines after sentences lost?" in process.stderr.readline()
    assert b"100,000 tokens" in process.stderr.readline()
    wait_for_work(process, 1)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate()
    assert process.returncode == 0, err
    assert b"interrupted: kept the model of epoch" in err
