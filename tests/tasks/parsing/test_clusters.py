"""Word clusters in parsers: the atoms x, y and z, in every search, and one table for a parser and its tagger."""

import copy
import json
import pickle

import pytest
from forged import attacked, contents

import sapwood
from sapwood import DependencyParser, ModelError, OptionError, _core
from sapwood.io.conllu import treebank_in_memory
from sapwood.templates import find_template, shipped_templates

SENTENCES = [
    [("the", "DT"), ("dog", "NN"), ("barks", "VB")],
    [("a", "DT"), ("cat", "NN"), ("sleeps", "VB"), ("here", "RB")],
] * 6
TREES = [([2, 3, 0], ["det", "nsubj", "root"]), ([2, 3, 0, 3], ["det", "nsubj", "root", "advmod"])] * 6
PATHS = "0000000\tthe\t9\n0000001\ta\t9\n0000010\tdog\t5\n0000010\tcat\t5\n1\tbarks\t3\n"
LINES = {
    "beam": "[transitions]\nS0x\nN0y\nN0z S0z\nS0lz\n",
    "easy-first": "[attachments]\np0x\np1y\np0z p1z\n[labels]\nmz hz\nmlx\n",
    "eisner": "[arcs]\nhz mz\nmx\nhy bz mt\n[siblings]\nhz sz mz\n[labels]\nmz hz\nmlx\n",
}


@pytest.fixture
def paths(tmp_path):
    (tmp_path / "paths").write_text(PATHS)
    return tmp_path / "paths"


def parser_of(search, **options):
    order = {"order": 2} if search == "eisner" else {}
    settings = {"search": search, "min_updates": 1, "epochs": 3, "drop_below": 0.0, "tag_columns": ["xpos"]} | order
    return DependencyParser(**settings | options)


def names(parser):
    return {name for table in parser.model_.tables for name in table.names}


@pytest.mark.parametrize("search", LINES)
def test_atoms_of_clusters_name_features(paths, search):
    parser = parser_of(search, template=LINES[search], clusters=paths, names=True).fit(SENTENCES, TREES)
    found = {part for name in names(parser) for part in name.split()}
    values = {part.partition("=")[2] for part in found}
    assert {"0000", "0000010", "1"} <= values
    bits = {"0000", "000000", "000001", "0000000", "0000001", "0000010", "1"}
    assert values <= {*bits, "<root>", "<outside>", "DT", "NN", "VB", "RB"}
    lengths = {"x": 4, "y": 6, "z": 7}
    for atom, _, value in (part.partition("=") for part in found):
        if atom[-1] in lengths and value not in ("1", "<root>", "<outside>"):
            assert len(value) == lengths[atom[-1]]


@pytest.mark.parametrize("search", LINES)
def test_a_parser_keeps_its_clusters(paths, tmp_path, search):
    parser = parser_of(search, template=LINES[search], clusters=paths).fit(SENTENCES, TREES)
    paths.unlink()
    parser.save(tmp_path / "m.sap")
    data = [["THE", "dog", "barks"], ["unknown"], []]
    for again in (sapwood.load(tmp_path / "m.sap"), copy.deepcopy(parser), pickle.loads(pickle.dumps(parser))):
        assert again.predict(data) == parser.predict(data)
        assert list(again.contents.weights()) == list(parser.contents.weights())


@pytest.mark.parametrize("search", LINES)
def test_lines_with_clusters_are_left_out_without_them(search):
    """The model is that of the template without these lines."""
    template = find_template(search, "parse").text
    if search != "beam":
        template += "\n" + find_template("arc-labels", "parse").text
    plain = "".join(line + "\n" for line in template.splitlines() if not _core.looks_at_clusters(line))
    models = [parser_of(search, template=text, names=True).fit(SENTENCES, TREES) for text in (template, plain)]
    assert list(models[0].contents.weights()) == list(models[1].contents.weights())
    assert names(models[0]) == names(models[1])


@pytest.mark.parametrize("name", shipped_templates("parse"))
def test_shipped_templates_look_at_clusters(name):
    without = ("arc-labels", "easy-first-2010", "mcdonald-2006")
    assert _core.looks_at_clusters(find_template(name, "parse").text) == (name not in without)


@pytest.mark.parametrize(
    ("line", "looks"),
    [("S0z", True), ("S0w N0x # comment", True), ("# S0x", False), ("S0w\tN0y\r", True), ("[x]", False), ("", False)],
)
def test_lines_that_look_at_clusters(line, looks):
    assert _core.looks_at_clusters(f"S0w\n{line}\nS0t") == looks


def test_clusters_that_nothing_looks_at(paths):
    with pytest.raises(OptionError, match=r"^clusters are given, but the template has no line that looks at them$"):
        parser_of("beam", template="[transitions]\nS0w\n", clusters=paths).fit(SENTENCES, TREES)


@pytest.fixture
def with_tagger(paths, tmp_path):
    """The file of a parser with a tagger that uses the same clusters."""
    parser = parser_of("beam", clusters=paths, tags="predicted").fit(SENTENCES, TREES)
    assert parser.tagger_.model_.clusters is parser.model_.clusters
    parser.save(tmp_path / "m.sap")
    return tmp_path / "m.sap"


def test_a_parser_and_its_tagger_have_one_table(with_tagger):
    metadata, arrays = contents(with_tagger)
    assert sorted(name for name in arrays if "clusters" in name) == [
        f"clusters.{name}" for name in ("classes", "high", "low", "tree")
    ]
    assert json.loads(json.loads(metadata["parts"])["tagger"]["clusters"]) == "whole"
    for parser in (sapwood.load(with_tagger), copy.deepcopy(sapwood.load(with_tagger))):
        assert parser.tagger_.model_.clusters is parser.model_.clusters
        assert parser.tagger_.model_.clusters.find("THE") == "0000000"


def test_a_tagger_that_is_saved_alone_has_the_table(with_tagger, tmp_path):
    tagger = sapwood.load(with_tagger).tagger_
    tagger.save(tmp_path / "tagger.sap")
    assert sapwood.load(tmp_path / "tagger.sap").predict([["the", "cat"]]) == tagger.predict([["the", "cat"]])


def test_a_part_that_shares_what_is_not_there(with_tagger, tmp_path):
    honest = contents(with_tagger)
    without = {name: None for name in honest.arrays if name.startswith("clusters.")}
    error = attacked(tmp_path / "bad.sap", honest, {"clusters": None}, without, lambda model: None)
    assert "its part 'tagger': it has the word clusters of another model" in error


def test_tags_by_jackknifing_share_the_clusters(paths):
    parser = parser_of("beam", clusters=paths, tags="jackknife").fit(SENTENCES, TREES)
    assert parser.tagger_.model_.clusters is parser.model_.clusters


def test_lists_for_a_reranker_are_those_of_models_with_clusters(paths, tmp_path):
    parser = parser_of("eisner", order=1, template=LINES["eisner"], clusters=paths).fit(SENTENCES, TREES)
    parser.save(tmp_path / "m.sap")
    (tmp_path / "train.conllu").write_bytes(treebank_in_memory(SENTENCES, ["xpos"], TREES, "data").to_bytes())
    again = sapwood.load(tmp_path / "m.sap")
    assert len(list(again.lists.cross_validated(tmp_path / "train.conllu", 2, 3))) == len(SENTENCES)


def test_a_file_whose_clusters_are_broken(with_tagger, tmp_path):
    honest = contents(with_tagger)
    for name in honest.arrays:
        if name.startswith("clusters."):
            with pytest.raises(ModelError):
                raise ModelError(attacked(tmp_path / "bad.sap", honest, None, {name: None}, lambda model: None))
