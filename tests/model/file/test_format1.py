"""Files that sapwood 0.1.0 wrote still load, and give the answers that they gave then."""

from pathlib import Path

import pytest

import sapwood

FIXTURES = Path(__file__).parents[2] / "shared" / "fixtures" / "format1"
INPUTS = {"tag": "test.txt", "parse": "test.conllu", "classify": "test.ft", "rank": "test-labels.jsonl"}
MODELS = sorted(path.stem for path in FIXTURES.glob("*.sap"))


def command(name):
    """The command line whose output was kept."""
    verb = name.split("-")[0]
    if verb == "grammar":
        return ["nbest", FIXTURES / "grammar.sap", FIXTURES / "test.mrg", "-n", 3]
    return [verb, FIXTURES / f"{name}.sap", FIXTURES / ("test-trees.jsonl" if name == "rank-tree" else INPUTS[verb])]


@pytest.mark.parametrize("name", MODELS)
def test_the_same_answers(run_cli, name):
    assert run_cli(command(name)).out == (FIXTURES / f"{name}.out").read_text()


@pytest.mark.parametrize("name", MODELS)
def test_saved_again_it_is_the_same_model(run_cli, name, tmp_path):
    again = tmp_path / "again.sap"
    sapwood.load(FIXTURES / f"{name}.sap").save(again)
    old, new = command(name), command(name)
    new[1] = again
    assert run_cli(old).out == run_cli(new).out
