"""The Python API of dependency parsers: memory and files, parameters, and what users do wrong."""

import re

import pytest
from parsers import KINDS, QUICK, check_parses, saved, tagged

import sapwood
from sapwood import DataError, DependencyParser, ModelError, OptionError, TemplateError

# In memory and in files


def test_memory_and_file_are_the_same(tmp_path, bank):
    words, trees = tagged(90)
    from_memory = saved(DependencyParser(**QUICK).fit(words, trees), tmp_path / "a.sap")
    rows = DependencyParser(**QUICK).fit(bank / "train.conllu")
    assert rows.predict(words) == sapwood.load(tmp_path / "a.sap").predict(words)
    assert sapwood.load(tmp_path / "a.sap").model_.arrays().keys() == rows.model_.arrays().keys()
    assert from_memory


def test_save_and_load(parsers, tmp_path):
    words, _ = tagged(10)
    for kind in KINDS:
        parser = parsers[kind]
        size = parser.save(tmp_path / f"{kind}.sap")
        assert size == (tmp_path / f"{kind}.sap").stat().st_size
        again = sapwood.load(tmp_path / f"{kind}.sap")
        assert isinstance(again, DependencyParser)
        assert again.predict(words) == parser.predict(words)
        assert again.labels_ == parser.labels_
        assert saved(again, tmp_path / "again.sap") == (tmp_path / f"{kind}.sap").read_bytes()
        assert again.search == parser.search


def test_a_loaded_parser_can_be_trained_again(parsers, tmp_path):
    parsers["eisner"].save(tmp_path / "m.sap")
    words, trees = tagged(90)
    again = sapwood.load(tmp_path / "m.sap").set_params(epochs=2)
    assert again.fit(words, trees).predict(words) == parsers["eisner"].predict(words)


def test_n_best_trees_are_sorted_and_differ(parsers):
    words, _ = tagged(5)
    for sentence, best in zip(words, parsers["eisner"].n_best(words, 20), strict=True):
        scores = [score for _, score in best]
        assert scores == sorted(scores, reverse=True)
        assert len({tuple(parse.heads) for parse, _ in best}) == len(best) == 20
        check_parses([parse for parse, _ in best], [sentence] * 20)
    firsts = [best[0][0] for best in parsers["eisner"].n_best(words, 1)]
    assert firsts == parsers["eisner"].predict(words)
    assert len(parsers["eisner"].n_best([["a", "b", "c"]], 1000)[0]) == 7
    for kind in ("beam", "easy-first", "eisner-2"):
        with pytest.raises(OptionError, match="the n best trees need a parser trained with Eisner search of order 1"):
            parsers[kind].n_best(words, 2)
    for n in (0, -1, 1.5, "2", 1 << 40):
        with pytest.raises(OptionError, match="n is a whole number from 1"):
            parsers["eisner"].n_best(words, n)


ODD = (
    "\ufeff# newpar\n# sent_id = a b\n# text = It's\r\n1-2\tIt's\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "1\tIt\tit\tPRON\tPRP\t_\t9\tx\t2:y|3:z\tA=B C|D\n2\t's\tbe\tAUX\tVBZ\t_\t_\t_\t_\t_\n"
    "2.1\tgone\t_\t_\t_\t_\t_\t_\t0:root\tCopyOf=-1\r\n\n\n1\tword s\t_\t_\t_\t_\t_\t_\t_\t_\n  "
)


def test_what_parsing_does_not_touch_stays(parsers):
    text = ODD.rstrip(" ")
    out = b"".join(parsers["beam"].annotate([text.encode()])).decode()
    before, after = text.split("\n"), out.split("\n")
    before = [line for line in before if not re.match(r"\d+\.\d", line)]  # empty nodes go with the graph of other trees
    assert len(before) == len(after)
    changed = [k for k, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    assert changed == [4, 5, 8]
    for k in changed:
        old, new = before[k].split("\t"), after[k].split("\t")
        assert old[:6] == new[:6]
        assert new[8:] == ["_", *old[9:]]
        assert new[6].isdigit()
        assert new[7] in parsers["beam"].labels_


def test_conll_x_is_read_too(parsers):
    for width in (8, 10):
        row = "\t".join(["1", "dog", "_", "N", *["_"] * (width - 4)]) + "\n"
        out = b"".join(parsers["greedy"].annotate([row.encode()])).decode()
        assert out == "\t".join(["1", "dog", "_", "N", *["_"] * 2, "0", "root", *["_"] * (width - 8)]) + "\n"


def test_blocks_count_their_lines(parsers):
    block = b"1\ta\t_\tN\t_\t_\t_\t_\r\n\r\n"
    blocks = parsers["greedy"].annotate([block, block, b"# x\n1\ta\t_\n\n"], name="stream")
    assert next(blocks) == next(blocks)
    with pytest.raises(DataError, match=r"^stream:6: .*this line has 3 columns"):
        next(blocks)
    assert list(parsers["greedy"].annotate([])) == []
    assert list(parsers["greedy"].annotate([b"", b"\n"])) == [b"", b"\n"]


# Parameters and mistakes


def test_parameters_are_those_of_scikit_learns_conventions(bank):
    sklearn_like = DependencyParser(search="eisner", order=2, seed=5)
    assert repr(sklearn_like) == "DependencyParser(search='eisner', order=2, seed=5)"
    params = sklearn_like.get_params()
    assert (params["search"], params["order"], params["beam"]) == ("eisner", 2, 8)
    clone = DependencyParser(**params)
    assert clone.get_params() == params
    assert clone.set_params(beam=3) is clone
    assert clone.beam == 3
    with pytest.raises(OptionError, match="DependencyParser has no parameter 'width'"):
        clone.set_params(width=3)
    with pytest.raises(TypeError):
        DependencyParser(width=3)


def test_names():
    for options in KINDS.values():
        parser = DependencyParser(**QUICK, names=True, **options).fit(*tagged(30))
        for table in parser.model_.tables:
            assert len(table.names) == table.packed.features > 0
            assert len(set(table.names)) == len(table.names)
            assert all("=" in name for name in table.names)


WRONG = [
    ({"search": "viterbi"}, "search is one of beam, easy-first, eisner, not 'viterbi'"),
    ({"search": []}, "search is one of"),
    ({"order": 3}, "order is one of 1, 2, not 3"),
    ({"order": "1"}, "order is one of"),
    ({"beam": 0}, "beam is a whole number"),
    ({"beam": 5000}, "beam is a whole number from 1 to 4096, not 5000"),
    ({"beam": True}, "beam is a whole number"),
    ({"labelling": "all"}, "labelling is one of joint, second-stage, none, not 'all'"),
    ({"tags": "silver"}, "tags is one of gold, predicted, jackknife"),
    ({"tag_columns": []}, "tag_columns are some of upos, xpos, feats; got none"),
    ({"tag_columns": ["lemma"]}, "tag_columns are some of .*; got lemma"),
    ({"tag_columns": ["upos", "upos"]}, "tag_columns are some of"),
    ({"update": "mira"}, "update is one of"),
    ({"update": "pa", "gamma": 0}, "passive-aggressive updates need a gamma above 0"),
    ({"gamma": -1}, "gamma is a number"),
    ({"gamma": float("nan")}, "gamma is a number"),
    ({"average": 1}, "average is one of True, False, not 1"),
    ({"min_updates": 0}, "min_updates is a whole number"),
    ({"k_best": 5}, "k_best above 1 needs search eisner, order 1 and update pa"),
    ({"cost": "zero"}, "cost is one of hamming, constant, not 'zero'"),
    ({"cost": "constant", "search": "eisner", "k_best": 5, "update": "pa"}, "a constant cost needs a beam of 2 or"),
    ({"cost": "constant", "search": "easy-first"}, "a constant cost needs a beam of 2 or more, or search eisner of"),
    ({"cost": "constant", "beam": 1}, "a constant cost needs a beam of 2 or more, or search eisner of order 1"),
    ({"cost": "constant", "update": "perceptron"}, "a constant cost needs .*, and update margin or pa"),
    ({"update_strategy": "late"}, "update_strategy is one of max, early"),
    ({"non_projective": "drop"}, "non_projective is one of lift, skip"),
    ({"single_root": "no"}, "single_root is one of True, False"),
    ({"epochs": 0}, "epochs is a whole number"),
    ({"patience": 3}, "patience needs held-out data"),
    ({"seed": -1}, "seed is a whole number"),
    ({"bits": 4}, "bits is one of 8, 16, 32, not 4"),
    ({"names": 3}, "names is one of True, False, not 3"),
    ({"threads": 0}, "threads is a whole number"),
    ({"drop_below": 1}, "drop_below is a number"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_options_that_are_wrong(options, message):
    with pytest.raises(OptionError, match=message):
        DependencyParser(**options).fit([["a"]], [([0], ["root"])])


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("[transitions]\nS0w\nS0q\n", "template:3: there is no atom 'S0q' in this search"),
        ("[transitions]\nS0w S0t\nS0w  S0t # again\n", "template:3: this line is there already: S0w S0t"),
        ("[transitions]\n# nothing\n", "the template has no line"),
        ("[moves]\nS0w\n", r"template:1: there is no section \[moves\]"),
        ("[arcs]\nhw\n", r"the section \[transitions\] is missing"),
        ("\nS0w\n[transitions]\nS0t\n", "template:2: this line is before any"),
    ],
)
def test_templates_that_are_wrong(template, message):
    with pytest.raises(TemplateError, match=message):
        DependencyParser(template=template).fit([["a"]], [([0], ["root"])])


def test_own_templates_are_read_and_kept(tmp_path):
    path = tmp_path / "own.tpl"
    path.write_text("# own\r\n[labels]\nmw\n[transitions]\r\nS0w  N0w # both\n\n")
    words, trees = tagged(20)
    parser = DependencyParser(**QUICK, template=path, names=True).fit(words, trees)
    assert all(name.split()[0].startswith("S0w=") for name in parser.model_.tables[0].names)
    assert DependencyParser(**QUICK, template=path.read_text()).fit(words, trees).predict(words) == parser.predict(
        words
    )


@pytest.mark.parametrize(
    ("words", "trees", "message"),
    [
        ([], [], "training data: there is no sentence to train on"),
        ([["a"]], None, "training data:1: the word has no head"),
        ([["a"]], [], "training data: 1 sentences and 0 trees"),
        ([[]], [([], [])], "training data: there is no sentence to train on"),
        (["ab"], [([0], ["x"])], "training data: sentence 1 is a string"),
        ([["a", "b"]], [([0], ["x"])], "training data: sentence 1: 2 words, 1 heads"),
        ([["a", "b"]], [([2, 1], ["x", "y"])], "training data:1: "),
        ([["a", "b"]], [([0, 2], ["x", "y"])], "training data:2: "),
        ([["a", "b"]], [([0, 3], ["x", "y"])], "training data:2: the head is '3', not a number from 0"),
        ([["a", "b"]], [([0, -1], ["x", "y"])], "training data:2: the head is '-1'"),
        ([["a\tb"]], [([0], ["x"])], "word 1: 'a.tb' is no text that fits on a line"),
        ([["\ud800"]], [([0], ["x"])], "not valid Unicode"),
        ([["a"]], [([0], [""])], "'' is no text that fits on a line"),
        ([[("a", "b")]], [([0], ["x"])], "word 1 has 2 values; a word is a form, or form, xpos, upos, feats"),
    ],
)  # fmt: skip
def test_data_that_are_wrong(words, trees, message):
    with pytest.raises(DataError, match=message):
        DependencyParser().fit(words, trees)


def test_an_empty_sentence_is_an_error_with_its_line(parsers, tmp_path):
    path = tmp_path / "x.conllu"
    path.write_text("1\ta\t_\t_\t_\t_\t0\troot\n\n# sent_id = 2\n\n")
    for work in (parsers["beam"].predict, parsers["beam"].evaluate, DependencyParser().fit):
        with pytest.raises(DataError, match=r"x\.conllu:[34]: "):
            work(path)
    path.write_text("")
    for work in (parsers["beam"].predict, parsers["beam"].evaluate, DependencyParser().fit):
        with pytest.raises(DataError, match=r"x\.conllu: there is no sentence in it"):
            work(path)


def test_a_parser_that_is_not_fitted(tmp_path):
    parser = DependencyParser()
    assert not hasattr(parser, "labels_")  # fitting sets it, as everywhere in scikit-learn
    for use in (
        lambda: parser.predict([["a"]]),
        lambda: parser.n_best([["a"]], 1),
        lambda: list(parser.annotate([b""])),
        lambda: parser.evaluate(tmp_path / "none"),
        lambda: parser.save(tmp_path / "m.sap"),
    ):
        with pytest.raises((ModelError, DataError), match=r"not fitted yet|cannot read"):
            use()


def test_trees_beside_a_file_are_refused(bank):
    with pytest.raises(OptionError, match="trees beside a file"):
        DependencyParser().fit(bank / "train.conllu", [])
