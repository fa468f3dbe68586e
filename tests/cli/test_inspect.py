"""``sapwood inspect`` on parsers: every search, every way to label."""

import re

import pytest

import sapwood
from sapwood import DependencyParser
from sapwood.datasets import generate

SENTENCES = [[list(pair) for pair in zip(s.words, s.tags, strict=True)] for s in generate(60, seed=3)]
TREES = [(s.heads, s.deprels) for s in generate(60, seed=3)]
ARCS = ["arc", "arc left 1", "arc right 1", "arc left 2", "arc right 2"]


def train(path, **options):
    common = {"tag_columns": ["xpos"], "epochs": 2, "min_updates": 1, "names": True}
    parser = DependencyParser(**{**common, **options}).fit(SENTENCES, TREES)
    parser.save(path)
    return parser


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "tables", "first"),
    [
        ({"search": "eisner"}, ["arc", "label"], ARCS),
        ({"search": "eisner", "order": 2, "labelling": "none"}, ["arc", "sibling"], ARCS),
        ({"search": "easy-first", "labelling": "none"}, ["attachment"], ["attach left", "attach right"]),
        ({"search": "easy-first"}, ["attachment", "label"], ["attach left", "attach right"]),
        ({"search": "easy-first", "labelling": "joint"}, ["attachment"], [f"attach left {TREES[0][1][0]}"]),
        ({"search": "beam", "beam": 1}, ["transition"], ["shift", "root root"]),
        (
            {"search": "beam", "beam": 2, "labelling": "second-stage"},
            ["transition", "label"],
            ["shift", "root", "left", "right"],
        ),
    ],
)
def test_outputs_have_names(run_cli, tmp_path, options, tables, first):
    path = tmp_path / "m.sap"
    parser = train(path, **options)
    assert parser.contents.tables == tables
    for outputs, table in zip(parser.contents.outputs, parser.model_.tables, strict=True):
        assert len(outputs) == table.packed.width
    names = [output.name for output in parser.contents.outputs[0]]
    assert names[: len(first)] == first
    run = run_cli(["inspect", path, "--top", 1])
    assert (run.status, run.err) == (0, "")
    assert f"search {parser.search}" in run.out
    for table in tables:
        assert f"weights ({table} weights)" in run.out
    shares = [line.split() for line in run.out.splitlines() if line.endswith(" %")]
    assert sum(int(words[-3].replace(",", "")) for words in shares) == path.stat().st_size
    blocks = run.out.splitlines()
    output, weight, feature = max(parser.contents.weights(), key=lambda w: w[1])
    assert blocks[blocks.index(output.name) + 1].split()[0] == f"{weight:+.3f}"
    assert feature


def test_transitions_are_what_the_parser_does(tmp_path):
    """A determiner before its noun: the arc to the left, with its relation, is what its features speak for."""
    parser = train(tmp_path / "m.sap", search="beam", beam=1)
    tags = [
        (weight, output.name) for output, weight, feature in parser.contents.weights() if feature == "S0t=DT N0t=NN"
    ]
    assert max(tags)[1] == "left det"


def test_the_direction_of_an_arc_is_the_modifiers(tmp_path):
    parser = train(tmp_path / "m.sap", search="eisner", labelling="none")
    weights = {o.name: w for o, w, feature in parser.contents.weights() if feature == "ht=NN mt=DT" and o.name != "arc"}
    assert max(weights, key=weights.get).startswith("arc left ")


def test_labels_choose(run_cli, tmp_path):
    path = tmp_path / "m.sap"
    train(path, search="beam", beam=1, names=False)
    run = run_cli(["inspect", path, "--label", "det", "--label", "shift", "--top", 1])
    assert "(train with --feature-names to see what the features are)" in run.out
    blocks = [line for line in run.out[run.out.index("(train") :].splitlines()[1:] if line and line[0] != " "]
    assert blocks == ["shift", "left det"]
    refused = run_cli(["inspect", path, "--label", "X"])
    assert refused.status == 2
    assert refused.err.startswith("sapwood: the model has no label 'X'; it has shift, ")
    assert refused.err.count("\n") == 1


def test_the_tagger_of_a_parser_is_shown(run_cli, tmp_path):
    path = tmp_path / "m.sap"
    parser = train(path, search="beam", beam=1, tags="predicted")
    run = run_cli(["inspect", path, "--top", 0])
    [tagger] = [line for line in run.out.splitlines() if line.startswith("tagger ")]
    assert f"{len(parser.tagger_.labels_)} labels, search viterbi" in tagger
    assert "weights (tagger's label weights)" in run.out
    assert "weights (tagger's label pair weights)" in run.out


def test_the_template_and_the_options_are_shown(run_cli, tmp_path):
    path = tmp_path / "m.sap"
    train(path, search="eisner", epochs=1)
    run = run_cli(["inspect", path, "--top", 0, "--template"])
    assert sapwood.load(path).model_.template.rstrip() in run.out
    assert "columns   xpos, head (label)" in run.out
    assert "left_labels" not in run.out


def test_columns_of_tables_are_apart(run_cli, monkeypatch):
    """Names may be longer than any column was made for, and numbers wider."""
    monkeypatch.setattr("sapwood.model.file.schema.ModelFile.costs", lambda self: {"x" * 60: (10**12, 10**13)})
    lines = run_cli("inspect en").out.splitlines()
    facts = [line for line in lines if re.match(r"(file|task|segmenter|morphology|lemmatizer) ", line)]
    assert len({re.match(r"\w+ +", line).end() for line in facts}) == 1
    [row] = [line for line in lines if "10,000,000,000,000" in line]
    [heading] = [line for line in lines if line.startswith("what the bytes go to")]
    assert len(re.split(r" {2,}", row)) == len(re.split(r" {2,}", heading)) == 4
