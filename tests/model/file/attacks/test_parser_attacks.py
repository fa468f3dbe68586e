"""Parsers' model files that lie, and hostile treebanks: always an error of one line, or a valid tree; never a crash.

The container of each file is sound and its checksum right, but what it says cannot be (see test_model_attacks.py).
"""

import json

import pytest
from forged import Contents, attacked, changed, contents, random_bytes
from hypothesis import given, settings
from hypothesis import strategies as st

import sapwood
from sapwood import DependencyParser, SequenceTagger
from sapwood.base.heads import check_heads

WORDS = [[("the", "D"), ("dog", "N"), ("barks", "V")], [("cats", "N"), ("sleep", "V")], [("no", "D")]] * 4
TREES = [([2, 3, 0], ["det", "subj", "root"]), ([2, 0], ["subj", "root"]), ([0], ["root"])] * 4
INPUT = [[("the", "D"), ("?", "N"), ("dog", "N"), ("barks", "V")], [("x", "X")]]
KINDS = {
    "beam": {},
    "greedy": {"beam": 1, "labelling": "second-stage"},
    "easy-first": {"search": "easy-first"},
    "eisner": {"search": "eisner", "order": 2},
    "tagging": {"search": "easy-first", "tags": "predicted", "labelling": "joint"},
    "committee": {"committee": True},
}


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Metadata and arrays of an honest model of each kind."""
    models = {}
    for kind, options in KINDS.items():
        path = tmp_path_factory.mktemp("honest") / f"{kind}.sap"
        parser = DependencyParser(tag_columns=["xpos"], min_updates=1, epochs=3, names=True, **options)
        parser.fit(WORDS, TREES).save(path)
        models[kind] = contents(path)
    return models


@pytest.fixture
def attack(honest, tmp_path):
    """attack(kind, metadata changes, array changes): write, load, parse; the ModelError, or None."""

    def run(kind, metadata=None, arrays=None):
        return attacked(tmp_path / "bad.sap", honest[kind], metadata, arrays, check_parses)

    return run


def check_parses(parser):
    """Each sentence gets a tree, by every way to ask for it."""
    for sentence, tree in zip(INPUT, parser.predict(INPUT), strict=True):
        assert len(tree.heads) == len(tree.deprels) == len(sentence)
        check_heads(tree.heads, "parse")
        assert tree.heads.count(0) == 1 or not parser.single_root
        assert all(tree.deprels)
    assert b"".join(parser.annotate([b"1\tx\t_\t_\tX\t_\t_\t_\n"])).count(b"\n") == 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_honest_models_work(attack, kind):
    assert attack(kind) is None


@pytest.mark.parametrize("key", ["task", "labels", "template", "columns", "options", "weights", "tables", "parts"])
def test_metadata_that_is_something_else(attack, key):
    for text in (None, "", "null", "[]", "{}", "3", '""', "[" * 5000, '{"a":1}', '{"tagger":{}}'):
        assert attack("tagging", {key: text}), text


@pytest.mark.parametrize("kind", ["beam", "greedy", "easy-first", "eisner"])
@pytest.mark.parametrize(
    "labels", [["det"], ["det", "subj", "root", "more"], ["root", "subj", "det"], ["det", "det", "root"], [], [3]]
)
def test_labels_that_do_not_fit_are_refused(attack, kind, labels):
    error = attack(kind, {"labels": json.dumps(labels)})
    assert error or (kind, labels[3:]) == ("beam", ["more"])  # a label that no arc can have


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", ["beam", "greedy", "easy-first", "eisner"])
@pytest.mark.parametrize("name", ["root_labels", "left_labels", "right_labels"])
def test_labels_of_the_root_and_of_words_fit_or_are_refused(attack, honest, kind, name):
    wrong = [[], ["subj", "det"], ["det", "det"], ["other"], "det", {"det": 1}, [0], [["det"]], None, 3, [None], [""]]
    for labels in wrong:
        assert attack(kind, changed(honest[kind], "options", **{name: labels})), labels


def test_other_labels_of_the_root_that_fit(attack, honest):
    assert attack("beam", changed(honest["beam"], "options", root_labels=["det"])) is None


def test_labels_that_look_lifted(attack):
    """Pseudo-projective labels that no treebank gives: marks alone, doubled, and of labels that are not there."""
    for labels in (["↑", "↑↑", "root"], ["det↑root", "det↑none", "↑root"], ["a↑b↑c", "b↑", "c"]):
        for kind in ("beam", "eisner"):
            options = {"root_labels": labels[2:], "left_labels": labels[:2], "right_labels": labels}
            metadata = {"labels": json.dumps(labels)}
            text = json.loads(attack_options(kind, options))
            attack(kind, {**metadata, "options": json.dumps(text)})


def attack_options(kind, options):
    """The options of an honest model of a kind, some of them changed."""
    base = {"search": "beam", "order": 1, "beam": 8, "single_root": True, "tags": "gold", "update": "margin"}
    base |= {"gamma": 20.0, "average": True, "min_updates": 1, "update_strategy": "max", "non_projective": "lift"}
    base |= {"labelling": "joint"} if kind == "beam" else {"search": "eisner", "order": 2, "labelling": "second-stage"}
    return json.dumps({**base, **options})


WRONG = [None, [], {}, ["beam"], "x", -1, 0, 1.5, 7, 10**30, 1e300, "\ud800", [[]]]


@pytest.mark.few(26)
@pytest.mark.parametrize("name", ["search", "order", "beam", "labelling", "single_root", "tags"])
@pytest.mark.parametrize("value", WRONG)
def test_options_of_another_kind_are_refused(attack, honest, name, value):
    error = attack("beam", changed(honest["beam"], "options", **{name: value}))
    assert error or (name, value) == ("beam", 7)


@pytest.mark.parametrize(
    "options",
    [
        {"search": "eisner"}, {"search": "easy-first"}, {"labelling": "none"}, {"labelling": "second-stage"},
        {"beam": 4097}, {"beam": 1 << 31}, {"beam": True}, {"order": True}, {"tags": "predicted"},
        {"tags": "jackknife"}, {"single_root": 1}, {"single_root": "yes"}, {"labelling": None},
    ],
)  # fmt: skip
def test_options_that_do_not_go_together(attack, honest, options):
    assert attack("beam", changed(honest["beam"], "options", **options))


@pytest.mark.parametrize("kind", KINDS)
def test_options_that_are_missing(attack, honest, kind):
    options = json.loads(honest[kind][0]["options"])
    for name in ("search", "order", "beam", "single_root", "labelling", "root_labels", "left_labels", "right_labels"):
        rest = {key: value for key, value in options.items() if key != name}
        assert attack(kind, {"options": json.dumps(rest)}), name


@pytest.mark.few(30)
@pytest.mark.parametrize(
    "name", ["gamma", "min_updates", "update", "update_strategy", "non_projective", "average", "threads"]
)
@pytest.mark.parametrize("value", WRONG)
def test_options_that_parsing_does_not_use(attack, honest, name, value):
    attack("beam", changed(honest["beam"], "options", **{name: value}))


@pytest.mark.few(12)
@pytest.mark.parametrize("kind", ["beam", "eisner"])
@pytest.mark.parametrize(
    "template",
    ["", "\n", "nonsense", "[transitions]", "[arcs]", "[what]\nS0w", "[transitions\nS0w", "[]", "[", "]",
     "[transitions]\nS0w S0x", "[transitions]\nS0w\nS0w", "[transitions]\nhw", "S0w\n[transitions]\nS0t",
     "[arcs]\nhw mw", "[siblings]\nst", "[arcs]\nhw\n[siblings]\nbt\n[labels]\nhw", "[labels]\nhw\n[labels]\n\0"],
)  # fmt: skip
def test_templates_that_do_not_fit_are_refused(attack, kind, template):
    assert attack(kind, {"template": template})


def test_a_template_of_many_atoms_works(attack):
    assert attack("beam", {"template": "[transitions]\n" + "S0w " * 20000}) is None


def test_tables_that_are_swapped_are_refused(attack, honest):
    metadata, arrays = honest["eisner"]
    tables = json.loads(metadata["tables"])
    assert len(tables) == 3  # arcs, siblings, labels
    for a, b in ((0, 2), (1, 2)):
        order = [{a: b, b: a}.get(k, k) for k in range(3)]
        swapped = {}
        for name, array in arrays.items():
            number, _, rest = name.partition(".")
            swapped[f"{order[int(number)]}.{rest}" if rest else name] = array
        assert attack("eisner", {"tables": json.dumps([tables[k] for k in order])}, swapped)
    for wrong in (tables[:1], tables[:2], [*tables, tables[0]], []):
        assert attack("eisner", {"tables": json.dumps(wrong)})


@pytest.mark.few(13)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [0, 1, 2, 14, 16, 1 << 20, 1 << 31, (1 << 61) - 1])
def test_tables_of_another_width_are_refused(attack, honest, kind, width):
    tables = json.loads(honest[kind][0]["tables"])
    for table in range(len(tables)):
        if tables[table]["width"] == width:
            continue
        wrong = [dict(sizes) for sizes in tables]
        wrong[table]["width"] = width
        assert attack(kind, {"tables": json.dumps(wrong)})


@pytest.mark.parametrize(
    "columns",
    [{"names": ["head"], "label": 0}, {"names": ["lemma", "head"], "label": 1}, {"names": ["xpos"] * 3, "label": 2},
     {"names": ["0", "1"], "label": 1}, {"names": ["xpos", "head"], "label": 0}, {"names": ["", "head"], "label": 1}],
)  # fmt: skip
def test_columns_that_are_none_are_refused(attack, columns):
    assert attack("beam", {"columns": json.dumps(columns)})


# The tagger inside


def tagger_with(honest, **changes):
    """The part "tagger" with some of its metadata changed."""
    part = json.loads(honest["tagging"][0]["parts"])["tagger"]
    return {"parts": json.dumps({"tagger": {**part, **changes}})}


def test_a_tagger_that_is_missing_or_that_should_not_be_there(attack, honest):
    parser, arrays = honest["tagging"]
    without = {name: None for name in arrays if name.startswith("tagger/")}
    assert attack("tagging", {"parts": None})
    assert attack("tagging", {"parts": None}, without)
    assert attack("tagging", {"parts": "{}"}, without)
    only = {name: array for name, array in arrays.items() if name.startswith("tagger/")}
    assert attack("easy-first", {"parts": parser["parts"]}, only)


@pytest.mark.parametrize("name", ["other", "", "tagger/tagger", "/", "\ud800", "Tagger"])
def test_a_tagger_of_another_name_is_refused(attack, honest, name):
    part = json.loads(honest["tagging"][0]["parts"])["tagger"]
    arrays = honest["tagging"][1]
    renamed = {key: None for key in arrays if key.startswith("tagger/")}
    renamed |= {key.replace("tagger", name, 1): array for key, array in arrays.items() if key in renamed}
    if name != "\ud800":
        assert attack("tagging", {"parts": json.dumps({name: part})}, renamed)
    both = {key.replace("tagger", "more", 1): array for key, array in arrays.items() if key.startswith("tagger/")}
    assert attack("tagging", {"parts": json.dumps({"tagger": part, "more": part})}, both)


def test_a_thousand_parts_are_refused_unread(attack, honest):
    """Taggers by other names are refused before they are read: what is wrong inside of them does not matter."""
    parser, arrays = honest["tagging"]
    part = json.loads(parser["parts"])["tagger"]
    others = {f"tagger{k}": part for k in range(1000)}
    inside = [name for name in arrays if name.startswith("tagger/")]
    copies = {name.replace("tagger", other, 1): arrays[name] for other in others for name in inside}
    for more in (others, {name: {} for name in others}):
        error = attack("tagging", {"parts": json.dumps({"tagger": part} | more)}, copies)
        assert "a model of its task has no part 'tagger0'" in error


def test_a_tagger_in_what_is_not_a_parser(tmp_path, honest):
    """Only a parser may have a part, and only one for tagging."""
    metadata, arrays = honest["tagging"]
    inside = {name: array for name, array in arrays.items() if name.startswith("tagger/")}
    tagger = json.loads(metadata["parts"])["tagger"]
    whole = Contents(tagger, {name.removeprefix("tagger/"): array for name, array in inside.items()})
    assert attacked(tmp_path / "t.sap", whole, {}, {}, lambda model: None) is None
    error = attacked(tmp_path / "t.sap", whole, {"parts": metadata["parts"]}, inside, lambda model: None)
    assert "has no part 'tagger'" in error


@pytest.mark.parametrize("task", ["parse", "", "rank", "tagger"])
def test_a_tagger_of_another_task_is_refused(attack, honest, task):
    assert attack("tagging", tagger_with(honest, task=task))


def test_a_tagger_in_a_tagger_is_refused(attack, honest):
    part = json.loads(honest["tagging"][0]["parts"])
    assert attack("tagging", tagger_with(honest, parts=json.dumps(part)))


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "sapwood/1"}, {"format": "sapwood/2"}, {"format": "sapwood/4"},
        {"labels": "[]"}, {"labels": '["D"]'}, {"tables": "[]"},
        {"columns": "{}"}, {"columns": '{"names":["0","1","2"],"label":2}', "template": "U:%x[0,1]\n"},
        {"columns": '{"names":["0"],"label":0}'},
        {"template": ""}, {"options": "{}"}, {"weights": '{"bits":16,"scale":1}'}, {"labels": '["a b","N","V"]'},
    ],
)  # fmt: skip
def test_a_tagger_that_lies_is_refused(attack, honest, changes):
    assert attack("tagging", tagger_with(honest, **changes))


def test_a_tagger_whose_tags_are_too_few(attack, honest, tmp_path):
    """The parser reads two columns, the tagger gives one."""
    columns = {"columns": json.dumps({"names": ["xpos", "upos", "head"], "label": 2})}
    assert attack("tagging", columns)


def test_a_tagger_alone_is_no_parser(tmp_path, run_cli):
    SequenceTagger(template="pos", min_updates=1).fit([["a", "b"]], [["X", "Y"]]).save(tmp_path / "t.sap")
    run = run_cli(["parse", tmp_path / "t.sap"], "1\ta\t_\t_\t_\t_\t_\t_\n")
    assert (run.status, run.out) == (1, "")
    assert "a model for tagging, not for parsing" in run.err
    assert run.err.count("\n") == 1


# Arrays


@pytest.mark.slow
@settings(max_examples=150)
@given(data=st.data())
@pytest.mark.parametrize("kind", ["beam", "eisner", "tagging"])
def test_random_bits_in_the_arrays_are_refused_or_parse(honest, tmp_path_factory, kind, data):
    """Whatever the packed arrays hold, loading refuses it or gives a parser that parses."""
    path = tmp_path_factory.getbasetemp() / "random.sap"
    attacked(path, honest[kind], None, random_bytes(data, honest[kind].arrays), check_parses)


# Treebanks


@pytest.fixture(scope="module")
def parser_file(tmp_path_factory):
    """A parser that works."""
    path = tmp_path_factory.mktemp("parser") / "p.sap"
    DependencyParser(tag_columns=["xpos"], min_updates=1, epochs=2).fit(WORDS, TREES).save(path)
    return path


ROW = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"
HOSTILE = {
    "no tabs": b"1 a _ _ _ _ 0 root _ _\n",
    "an id too high": b"2\ta\t_\t_\t_\t_\t0\troot\t_\t_\n",
    "an id that is no number": b"x\ta\t_\t_\t_\t_\t0\troot\t_\t_\n",
    "an id of 40 digits": b"1" * 40 + b"\ta\t_\t_\t_\t_\t0\troot\t_\t_\n",
    "an empty form": b"1\t\t_\t_\t_\t_\t0\troot\t_\t_\n",
    "nine columns": b"1\ta\t_\t_\t_\t_\t0\troot\t_\n",
    "bad UTF-8": b"1\t\xff\t_\t_\t_\t_\t0\troot\t_\t_\n",
    "NUL": b"1\t\0\t_\t_\t_\t_\t0\troot\t_\t_\n",
    "UTF-16": ROW.encode("utf-16"),
    "only a comment": b"# nothing\n",
    "a comment in the sentence": f"{ROW}# late\n".encode(),
    "a range without words": f"{ROW}2-3\tab\t_\t_\t_\t_\t_\t_\t_\t_\n".encode(),
    "a comment of escapes": b"# sent_id = \x1b[2J\x07\n1\n",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_treebanks_are_refused_or_parsed_on_the_command_line(run_cli, parser_file, tmp_path, what):
    path = tmp_path / "bad.conllu"
    path.write_bytes(HOSTILE[what])
    runs = [
        run_cli(["parse", parser_file, path]),
        run_cli(["parse", parser_file], HOSTILE[what]),
        run_cli(["eval", parser_file, path]),
        run_cli(["train", "parse", path, "-o", tmp_path / "m.sap", "-q"]),
    ]
    for run in runs:
        assert (run.status, run.out) == (1, "")
        assert run.err.count("\n") == 1
        assert run.err.rstrip("\n").isprintable()
        assert "bad.conllu" in run.err or "standard input" in run.err
    assert not (tmp_path / "m.sap").exists()


@given(data=st.binary(max_size=80) | st.text("1234-.\t_#ab\n\r 0", max_size=80).map(str.encode))
def test_random_bytes_are_parsed_or_an_error(parser_file, data):
    parser = sapwood.load(parser_file)
    try:
        out = b"".join(parser.annotate([data]))
    except sapwood.DataError as error:
        assert "\n" not in str(error)
        return
    assert out.count(b"\n") == data.count(b"\n")
