"""Several labels in a cell, as the tools write it that people make tables with."""

import csv
import io
import json

import pytest

from sapwood import DataError, SapwoodWarning
from sapwood.io.example_files import read_examples
from sapwood.io.examples import Layout
from sapwood.io.label_sets import label_sets, warn_of_sets
from sapwood.io.labels import read_labels

WANTED = [["sport", "money"], ["money"], [], ["it's", "a b"]]
SPELLINGS = {
    "JSON": ['["sport", "money"]', '["money"]', "[]", '["it\'s", "a b"]'],
    "JSON, narrow": ['["sport","money"]', '["money"]', "[]", '["it\'s","a b"]'],
    "JSON, escaped": ['["\\u0073port", "money"]', '["money"]', "[ ]", '["it\\u0027s", "a b"]'],
    "pandas": ["['sport', 'money']", "['money']", "[]", "[\"it's\", 'a b']"],
    "numpy": ["['sport' 'money']", "['money']", "[]", "[\"it's\" 'a b']"],
    "numpy, over two lines": ["['sport'\n 'money']", "['money']", "[]", "[\"it's\"\n 'a b']"],
    "tuples": ["('sport', 'money')", "('money',)", "()", "(\"it's\", 'a b')"],
    "sets": ["{'sport', 'money'}", "{'money'}", "set()", "{\"it's\", 'a b'}"],
    "R": ['c("sport", "money")', '"money"', "character(0)", 'c("it\'s", "a b")'],
    "Postgres": ["{sport,money}", "{money}", "{}", '{"it\'s","a b"}'],
    "DuckDB": ["[sport, money]", "[money]", "[]", "['it\\'s', a b]"],
    "Label Studio": ['{"choices": ["sport", "money"]}', "money", "", '{"choices": ["it\'s", "a b"]}'],
    "Label Studio, narrow": ['{"choices":["sport","money"]}', "money", "", '{"choices":["it\'s","a b"]}'],
    "Label Studio, as Python has it": [
        "{'choices': ['sport', 'money']}",
        "money",
        "",
        "{'choices': [\"it's\", 'a b']}",
    ],
    "arrays": [
        "array(['sport', 'money'])",
        "array(['money'], dtype=object)",
        "[]",
        "array([\"it's\", 'a b'], dtype='<U4')",
    ],
    "frozen sets": ["frozenset({'sport', 'money'})", "frozenset({'money'})", "[]", "frozenset({\"it's\", 'a b'})"],
    "calls of list": ["list(['sport', 'money'])", "list(['money'])", "list([])", "list([\"it's\", 'a b'])"],
    "plain beside lists": ["['sport', 'money']", "money", "[]", "[\"it's\", 'a b']"],
}


def table(cells, mark=","):
    out = io.StringIO()
    csv.writer(out, delimiter=mark).writerows(
        [("text", "label"), *((f"text {k}", cell) for k, cell in enumerate(cells))]
    )
    return out.getvalue()


@pytest.fixture(params=["x.csv", "x.tsv", "x.jsonl"])
def read(request, tmp_path):
    def read(cells, several):
        file = tmp_path / request.param
        text = table(cells, "\t" if file.suffix == ".tsv" else ",")
        if file.suffix == ".jsonl":
            text = "".join(json.dumps({"text": f"text {k}", "label": cell}) + "\n" for k, cell in enumerate(cells))
        file.write_text(text)
        return file, read_examples(file, Layout("", [], [], several=several))

    return read


@pytest.mark.parametrize("tool", SPELLINGS)
def test_lists_in_cells_are_labels(tool, read):
    cells = [cell.strip('"') if cell == '"money"' else cell for cell in SPELLINGS[tool]]
    file, examples = read(cells, several=True)
    assert examples.flaw == ""
    names, sets = label_sets(examples.answers, examples.layout.format)
    assert [{names[y] for y in labels} for labels in sets] == list(map(set, WANTED))
    units = read_labels(file)["labels"][0] if tool != "plain beside lists" else None
    assert units is None or [set(filter(None, label.split("|"))) for [label] in units] == list(map(set, WANTED))


@pytest.mark.parametrize("tool", SPELLINGS)
def test_a_list_of_one_is_a_label_and_several_are_refused_without_multi_label(tool, read):
    several, one, *_ = [cell.strip('"') if cell == '"money"' else cell for cell in SPELLINGS[tool]]
    _, examples = read([one, one], several=False)
    bare = tool in ("Postgres", "DuckDB")  # labels in brackets, of which nothing tells that they are lists
    assert examples.flaw == "" and examples.answers.labels == [one if bare else "money"]
    _, examples = read([one, several], several=False)
    assert ":3: " in examples.flaw or ":2: " in examples.flaw
    assert examples.flaw.endswith("give --multi-label (in Python multi_label=True)")


@pytest.mark.parametrize(
    "cells",
    [
        ["sport", "money"],
        ["[URGENT]", "[spam]"],
        ["(none)", "(a, b)"],
        ["[a, b]", "c"],
        ["c(1, 2)", "f(x)"],
        ["it's", "'quoted'"],
        ['say "x"', "a, b"],
        ["{'a': 1}", "{'b': 2}"],
        ["['a'", "b']"],
        [":-)", ":-("],
        ["[a] b", "[c] d"],
    ],
)
def test_labels_that_are_no_lists_stay(cells, read):
    _, examples = read(cells, several=False)
    assert (examples.flaw, examples.answers.labels) == ("", cells)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("['a' 'b' ... 'z']", "one of its labels is neither a text nor a number"),
        ('["a", null]', "one of its labels is neither a text nor a number"),
        ("['a', None]", "one of its labels is neither a text nor a number"),
        ("[0, 1, 0, 1]", "has a label twice: '[0, 1, 0, 1]'; zeros and ones name no labels"),
        ("[0 1 1]", "has a label twice"),
        ("['a', 'a']", "has a label twice"),
    ],
)
def test_lists_that_lost_something_are_refused(cell, message, read):
    _, examples = read(["['a', 'b']" if "'" in cell else "[5, 6]", cell], several=True)
    assert message in examples.flaw and (
        "x.csv:3: " in examples.flaw or ":2: " in examples.flaw or ":3: " in examples.flaw
    )


@pytest.mark.parametrize("several", [True, False])
def test_what_label_studio_exports_as_json_is_read(several, tmp_path):
    who = {"annotator": 1, "annotation_id": 7}
    rows = [{"text": "a", "topic": "sport"}, {"text": "b", "topic": {"choices": ["sport", "money"]}}, {"text": "c"}]
    (tmp_path / "x.json").write_text(json.dumps([row | who for row in rows], indent=2))
    examples = read_examples(tmp_path / "x.json", Layout("", [], [], label="topic", several=several))
    if several:
        names, sets = label_sets(examples.answers, "jsonl")
        assert (examples.flaw, names, sets) == ("", ["sport", "money"], [[0], [0, 1], []])
    else:
        assert "more than one of its labels is chosen" in examples.flaw
    (tmp_path / "x.json").write_text(json.dumps(rows))
    examples = read_examples(tmp_path / "x.json", Layout("", [], [], label="topic", several=True))
    assert "there is no 'topic'" in examples.flaw


def test_half_of_a_character_in_a_list_is_no_crash(read):
    with pytest.raises(DataError):
        raise DataError(read(['["\\ud83d"]', '["a\\nb"]', "['a\nb']"], several=True)[1].flaw or "none")


@pytest.mark.parametrize("cells", [["[1 3]", "[2 3]", "[3]"], ["[ 1  3]", "[2 3]", "[3]"], ["[1, 3]", "[2, 3]", "[3]"]])
def test_numbers_in_lists_are_labels(cells, read):
    _, examples = read(cells, several=True)
    assert sorted(label_sets(examples.answers, "csv")[0]) == ["1", "2", "3"]


@pytest.mark.parametrize("cell", ["[['a','b']]", "Index(['a', 'b'], dtype='object')", "{'a': 1, 'b': 0}"])
def test_a_list_that_is_not_read_is_said(cell, read):
    _, examples = read([cell, cell.replace("'a'", "'c'")] * 3, several=True)
    names, _ = label_sets(examples.answers, "csv")
    with pytest.warns(SapwoodWarning, match="counts as a label of its own; a list is read as JSON writes it"):
        warn_of_sets(names, examples.answers, several=True)
