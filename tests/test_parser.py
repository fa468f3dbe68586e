"""The Python API of dependency parsers."""

import io
import os
import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapwood
from sapwood import DataError, DependencyParser, ModelError, OptionError, TemplateError
from sapwood.datasets.treebank import generate
from sapwood.heads import check_heads, non_projective
from sapwood.io import container

KINDS = {
    "beam": {},
    "greedy": {"beam": 1},
    "easy-first": {"search": "easy-first"},
    "eisner": {"search": "eisner"},
    "eisner-2": {"search": "eisner", "order": 2},
}
LABELS = ["joint", "second-stage", "none"]
QUICK = {"epochs": 2, "min_updates": 2}


@pytest.fixture(scope="session")
def bank(tmp_path_factory):
    """A generated treebank: files to train, and to test."""
    folder = tmp_path_factory.mktemp("bank")
    sentences = list(generate(120))
    (folder / "train.conllu").write_text("".join(s.conllu(str(k)) for k, s in enumerate(sentences[:90])))
    (folder / "test.conllu").write_text("".join(s.conllu(str(k)) for k, s in enumerate(sentences[90:])))
    return folder


@pytest.fixture(scope="session")
def parsers(bank):
    """A parser of each kind."""
    return {kind: DependencyParser(**QUICK, **options).fit(bank / "train.conllu") for kind, options in KINDS.items()}


def tagged(count, seed=1):
    """Sentences of (form, xpos, upos, feats), and their trees."""
    sentences = list(generate(count, seed))
    words = [[(*pair, "_") for pair in zip(s.words, s.tags, s.upos, strict=True)] for s in sentences]
    return words, [(s.heads, s.deprels) for s in sentences]


def check_parses(parses, sentences, *, single_root=True):
    """Each sentence has a tree, as the parser promises."""
    assert len(parses) == len(sentences)
    for parse, sentence in zip(parses, sentences, strict=True):
        assert len(parse.heads) == len(parse.deprels) == len(sentence)
        check_heads(parse.heads, "parse")
        assert parse.heads.count(0) == 1 or not single_root


def saved(parser, path):
    """The bytes of a parser's model file."""
    parser.save(path)
    return path.read_bytes()


# Learning


@pytest.mark.parametrize("kind", KINDS)
def test_it_learns(parsers, bank, kind):
    words, trees = tagged(90)
    right = total = 0
    for parse, (heads, _) in zip(parsers[kind].predict(words), trees, strict=True):
        right += sum(a == b for a, b in zip(parse.heads, heads, strict=True))
        total += len(heads)
    assert right > 0.8 * total
    report = parsers[kind].evaluate(bank / "test.conllu")
    assert report.uas > 60
    assert report.las is not None
    assert report.las <= report.uas


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labels", LABELS)
def test_labels(tmp_path, kind, labels):
    parser = DependencyParser(epochs=8, min_updates=1, labels=labels, **KINDS[kind])
    words, trees = tagged(25)
    if kind.startswith("eisner") and labels == "joint":
        with pytest.raises(OptionError, match="Eisner search scores arcs without labels"):
            parser.fit(words, trees)
        return
    parser.fit(words, trees)
    parses = parser.predict(words)
    check_parses(parses, words)
    if labels == "none":
        assert {label for parse in parses for label in parse.deprels} == {"_"}
        assert parser.labels_ == []
        return
    assert all((head == 0) == (label == "root") for p in parses for head, label in zip(*p, strict=True))
    right = sum(p.deprels == list(deprels) for p, (_, deprels) in zip(parses, trees, strict=True))
    assert right >= 15
    parser.save(tmp_path / "m.sap")
    assert sapwood.load(tmp_path / "m.sap").predict(words) == parses


@pytest.mark.parametrize("kind", KINDS)
def test_several_roots(kind):
    words, trees = [[(w, "T", "U", "_") for w in "abc"]] * 3, [([0, 1, 0], ["root", "x", "root"])] * 3
    with pytest.raises(DataError, match=r"^training data:3: word 3 is a second root beside word 1"):
        DependencyParser(**KINDS[kind]).fit(words, trees)
    parser = DependencyParser(min_updates=1, single_root=False, **KINDS[kind]).fit(words, trees)
    assert parser.predict(words) == [([0, 1, 0], ["root", "x", "root"])] * 3
    check_parses(parser.predict(tagged(20)[0]), tagged(20)[0], single_root=False)


@pytest.mark.parametrize("kind", KINDS)
def test_all_arcs_in_one_direction(kind):
    """What the data never show is still allowed where there is no other way."""
    for heads, deprels in (([0, 1, 2], ["root", "x", "y"]), ([2, 3, 0], ["x", "y", "root"]), ([0], ["root"])):
        words = [["a", "b", "c"][: len(heads)]]
        parser = DependencyParser(min_updates=1, **KINDS[kind]).fit(words, [(heads, deprels)])
        assert parser.predict(words) == [(heads, deprels)]
        check_parses(parser.predict([list("cab"), list("bbbbb")]), [list("cab"), list("bbbbb")])


@pytest.mark.parametrize("kind", KINDS)
def test_non_projective_trees(kind):
    """1 <- 3, 2 <- 4: lifted for training, and put back."""
    words, tree = list("abcde"), ([3, 4, 4, 0, 4], ["x", "y", "z", "root", "p"])
    assert non_projective(tree[0]) == [1] or non_projective(tree[0]) == [2]
    data = [words, ["f", "g"]] * 3, [tree, ([2, 0], ["x", "root"])] * 3
    lifting = DependencyParser(min_updates=1, **KINDS[kind]).fit(*data)
    assert any("↑" in label for label in lifting.labels_)
    assert lifting.predict([words]) == [tree]
    facts = lifting.model_.provenance
    assert (facts["sentences"], facts["non_projective_sentences"], facts["lifted_arcs"]) == (6, 3, 3)
    skipping = DependencyParser(min_updates=1, non_projective="skip", **KINDS[kind]).fit(*data)
    assert not any("↑" in label for label in skipping.labels_)
    assert skipping.model_.provenance["sentences"] == 3
    with pytest.raises(DataError, match="there is no sentence to train on"):
        DependencyParser(non_projective="skip", **KINDS[kind]).fit([words], [tree])


def test_marks_of_lifted_words_in_the_data():
    words, tree = [["a", "b"]], [([2, 0], ["x↑y", "root"])]
    with pytest.raises(DataError, match=r"^training data:1: the relation 'x↑y' has the mark of a lifted word"):
        DependencyParser().fit(words, tree)
    DependencyParser(min_updates=1).fit([["↑", "↑x"]], [([2, 0], ["x", "root"])]).predict([["↑"]])


@pytest.mark.parametrize("update", ["perceptron", "margin", "pa"])
@pytest.mark.parametrize("kind", KINDS)
def test_updates(kind, update):
    words, trees = tagged(25)
    parser = DependencyParser(update=update, epochs=8, min_updates=1, **KINDS[kind]).fit(words, trees)
    parses = parser.predict(words)
    check_parses(parses, words)
    gold = [head for heads, _ in trees for head in heads]
    guess = [head for parse in parses for head in parse.heads]
    assert sum(a == b for a, b in zip(gold, guess, strict=True)) > 0.5 * len(gold)


def test_violations_of_a_beam():
    words, trees = tagged(40)
    both = [DependencyParser(**QUICK, violation=violation).fit(words, trees) for violation in ("max", "early")]
    for parser in both:
        check_parses(parser.predict(words), words)
    assert both[0].model_.tables[0].packed.values != both[1].model_.tables[0].packed.values


def test_held_out_data(bank):
    events = []
    parser = DependencyParser(epochs=8, min_updates=2, patience=1, beam=1)
    parser.fit(bank / "train.conllu", dev=bank / "test.conllu", on_event=events.append)
    facts = parser.model_.provenance
    scores = [event.dev_score for event in events if type(event).__name__ == "EpochDone"]
    assert len(scores) == facts["epochs"]
    assert scores[facts["best_epoch"] - 1] == max(scores)
    assert facts["epochs"] - facts["best_epoch"] <= 1
    assert parser.evaluate(bank / "test.conllu").las == pytest.approx(max(scores))
    unlabelled = DependencyParser(**QUICK, labels="none").fit(bank / "train.conllu", dev_fraction=0.2)
    assert unlabelled.model_.provenance["dev_score"] > 50
    assert unlabelled.model_.provenance["sentences"] == 72


# Tags


@pytest.mark.parametrize("tags", ["predicted", "jackknife"])
def test_a_parser_with_a_tagger(bank, tmp_path, tags):
    parser = DependencyParser(**QUICK, beam=1, tags=tags, tag_columns=["xpos", "upos"])
    parser.fit(bank / "train.conllu").save(tmp_path / "m.sap")
    raw = [s.words for s in generate(20)]
    parses = parser.predict(raw)
    check_parses(parses, raw)
    assert sapwood.load(tmp_path / "m.sap").predict(raw) == parses
    rows = "".join(f"{k}\t{w}\t_\t_\t_\t_\t_\t_\t_\tn={k}\n" for k, w in enumerate(raw[0], 1)) + "\n"
    out = b"".join(parser.annotate([rows.encode()])).decode()
    cells = [line.split("\t") for line in out.splitlines() if line]
    assert [int(row[6]) for row in cells] == parses[0].heads
    assert [row[7] for row in cells] == parses[0].deprels
    assert [row[9] for row in cells] == [f"n={k}" for k in range(1, len(cells) + 1)]
    gold = next(generate(1))
    assert sum(a == b[4] for a, b in zip(gold.tags, cells, strict=True)) > len(cells) / 2
    assert all(row[3] != "_" and row[4] != "_" and row[5] == "_" for row in cells)


def test_jackknifing_is_not_the_tagger_itself(bank, tmp_path):
    """The parser has learned from tags of test quality: other weights, the same tagger."""
    files = []
    for tags in ("predicted", "jackknife"):
        DependencyParser(**QUICK, beam=1, tags=tags).fit(bank / "train.conllu").save(tmp_path / "m.sap")
        files.append(container.read(tmp_path / "m.sap")[1])
    same = [name for name in files[0] if name in files[1] and bytes(files[0][name].data) == bytes(files[1][name].data)]
    assert [name for name in same if name.startswith("tagger/")] == [n for n in files[0] if n.startswith("tagger/")]
    assert "0.weights" not in same
    with pytest.raises(DataError, match="jackknifing needs 10 sentences at least, here are 3"):
        DependencyParser(tags="jackknife").fit(*tagged(3))


def test_tags_with_spaces_cannot_be_predicted():
    words = [[("a", "X Y"), ("b", "Z")]]
    tree = [([2, 0], ["x", "root"])]
    with pytest.raises(DataError, match=r"^training data:1: a tag has a space in it"):
        DependencyParser(tags="predicted", tag_columns=["xpos"]).fit(words, tree)
    DependencyParser(min_updates=1, tag_columns=["xpos"]).fit(words, tree).predict(words)


def test_tag_columns(bank):
    by_upos = DependencyParser(**QUICK, beam=1, tag_columns=["upos"]).fit(bank / "train.conllu")
    words, _ = tagged(5)
    renamed = [[(form, upos) for form, _, upos, _ in sentence] for sentence in words]
    check_parses(by_upos.predict(renamed), words)
    with pytest.raises(DataError, match="word 1 has 4 values; a word is a form, or form, upos"):
        by_upos.predict(words)


# Every input


@given(data=st.data())
@settings(max_examples=60)
@pytest.mark.parametrize("kind", KINDS)
def test_every_input_gets_a_tree(parsers, kind, data):
    forms = st.text(min_size=1, max_size=6).filter(lambda s: not set(s) & set("\t\n\r\0") and s.isprintable())
    forms |= st.sampled_from(["The", "dog", "_", "1-2", "#", " ", "\u2191", "."])
    tags = st.sampled_from(["NN", "VBZ", "DT", ".", "IN", "_", "?"])
    words = st.lists(st.tuples(forms, tags, tags, tags), min_size=1, max_size=25)
    sentences = data.draw(st.lists(words, min_size=1, max_size=4))
    check_parses(parsers[kind].predict(sentences), sentences)


@pytest.mark.parametrize("kind", KINDS)
def test_one_word(parsers, kind):
    assert parsers[kind].predict([["hello"]]) == [([0], ["root"])]


@pytest.mark.parametrize(
    ("kind", "length"), [("beam", 2000), ("greedy", 2000), ("easy-first", 2000), ("eisner", 500), ("eisner-2", 250)]
)
def test_long_sentences(parsers, kind, length):
    words = [word for sentence in tagged(150)[0] for word in sentence][:length]
    check_parses(parsers[kind].predict([words]), [words])


@pytest.mark.parametrize("kind", ["eisner", "eisner-2"])
def test_sentences_that_are_too_long_for_eisner_search(parsers, kind):
    """Its memory grows with the square of the length."""
    words = ["a"] * 70_000
    with pytest.raises(DataError, match=r"^input:3: 70000 words are too many for Eisner search; split the sentence"):
        parsers[kind].predict([["b"], words])
    tree = [0, *[1] * 69_999], ["root", *["x"] * 69_999]
    with pytest.raises(DataError, match=r"^training data:1: 70000 words are too many for Eisner search"):
        DependencyParser(**KINDS[kind]).fit([words], [tree])


def test_a_head_of_70000_children(parsers):
    """More than two bytes count."""
    words = [("a", "NN", "NOUN", "_")] * 70_000
    check_parses(parsers["easy-first"].predict([words]), [words])


def test_words_of_almost_16_mebibytes_and_more(parsers):
    check_parses(parsers["beam"].predict([["a", "ä" * 8_000_000]]), [["a", "b"]])
    with pytest.raises(DataError, match="input:2: the line is longer than 16 MiB"):
        parsers["beam"].predict([["a", "ä" * 9_000_000]])


def test_many_labels():
    count = 2_000
    words, trees = [[str(k)] for k in range(count)], [([0], [f"r{k}"]) for k in range(count)]
    parser = DependencyParser(beam=1, epochs=1, min_updates=1).fit(words, trees)
    assert len(parser.labels_) == count
    check_parses(parser.predict(words[:3]), words[:3])


# Determinism


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_bytes_again(tmp_path, bank, kind):
    options = {**QUICK, **KINDS[kind]}
    first = saved(DependencyParser(**options).fit(bank / "train.conllu"), tmp_path / "a.sap")
    again = saved(DependencyParser(**options, threads=3).fit(bank / "train.conllu"), tmp_path / "b.sap")
    other = saved(DependencyParser(**options, seed=2).fit(bank / "train.conllu"), tmp_path / "c.sap")
    assert first == again
    assert first != other


def test_hash_seeds_and_memory_do_not_matter(tmp_path, bank):
    code = (
        "import sys; from sapwood import DependencyParser as D;"
        "D(epochs=2, beam=2, tags='predicted', names=True).fit(sys.argv[1]).save(sys.argv[2])"
    )
    files = []
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        target = tmp_path / f"{seed}.sap"
        subprocess.run([sys.executable, "-c", code, bank / "train.conllu", target], env=environment, check=True)
        files.append(target.read_bytes())
    assert files[0] == files[1]


@pytest.mark.parametrize("kind", KINDS)
def test_threads_give_the_same(parsers, kind):
    words, _ = tagged(150, seed=3)
    parser = parsers[kind]
    one = parser.predict(words)
    assert parser.set_params(threads=4).predict(words) == one
    parser.set_params(threads=1)


@pytest.mark.parametrize("kind", KINDS)
def test_bits(tmp_path, bank, kind):
    words, _ = tagged(30, seed=5)
    exact = DependencyParser(bits=32, **QUICK, **KINDS[kind]).fit(bank / "train.conllu").predict(words)
    near = DependencyParser(bits=16, **QUICK, **KINDS[kind]).fit(bank / "train.conllu").predict(words)
    same = sum(a == b for a, b in zip(exact, near, strict=True))
    assert same >= 28


# In memory and in files


def test_memory_and_file_are_the_same(tmp_path, bank):
    words, trees = tagged(90)
    from_memory = saved(DependencyParser(**QUICK).fit(words, trees), tmp_path / "a.sap")
    rows = DependencyParser(**QUICK).fit(bank / "train.conllu")
    assert rows.predict(words) == sapwood.load(tmp_path / "a.sap").predict(words)
    assert container.read(tmp_path / "a.sap")[1].keys() == rows.model_.arrays().keys()
    assert from_memory


def test_save_and_load(parsers, tmp_path):
    words, _ = tagged(10)
    for kind, parser in parsers.items():
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


def test_n_best(parsers):
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
    assert len(before) == len(after)
    changed = [k for k, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    assert changed == [4, 5, 9]
    for k in changed:
        old, new = before[k].split("\t"), after[k].split("\t")
        assert old[:6] == new[:6]
        assert old[8:] == new[8:]
        assert new[6].isdigit()
        assert new[7] in parsers["beam"].labels_


def test_conll_x(parsers):
    for width in (8, 10):
        row = "\t".join(["1", "dog", *["_"] * (width - 2)]) + "\n"
        out = b"".join(parsers["greedy"].annotate([row.encode()])).decode()
        assert out == "\t".join(["1", "dog", *["_"] * 4, "0", "root", *["_"] * (width - 8)]) + "\n"


def test_blocks_count_their_lines(parsers):
    block = b"1\ta\t_\t_\t_\t_\t_\t_\r\n\r\n"
    blocks = parsers["greedy"].annotate([block, block, b"# x\n1\ta\t_\n\n"], name="stream")
    assert next(blocks) == next(blocks)
    with pytest.raises(DataError, match=r"^stream:6: .*this line has 3 columns"):
        next(blocks)
    assert list(parsers["greedy"].annotate([])) == []
    assert list(parsers["greedy"].annotate([b"", b"\n"])) == [b"", b"\n"]


# Parameters and mistakes


def test_parameters(bank):
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


def test_names(bank):
    for options in KINDS.values():
        parser = DependencyParser(**QUICK, names=True, **options).fit(bank / "train.conllu")
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
    ({"labels": "all"}, "labels is one of joint, second-stage, none, not 'all'"),
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
    ({"violation": "late"}, "violation is one of max, early"),
    ({"non_projective": "drop"}, "non_projective is one of lift, skip"),
    ({"single_root": "no"}, "single_root is one of True, False"),
    ({"epochs": 0}, "epochs is a whole number"),
    ({"patience": 3}, "patience needs held-out data"),
    ({"seed": -1}, "seed is a whole number"),
    ({"bits": 4}, "bits is one of 8, 16, 32, not 4"),
    ({"names": 3}, "names is one of True, False, not 3"),
    ({"threads": 0}, "threads is a whole number"),
    ({"shrink": 1}, "shrink is a number"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_options_that_are_wrong(options, message):
    with pytest.raises(OptionError, match=message):
        DependencyParser(**options).fit([["a"]], [([0], ["root"])])


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("[transitions]\nS0w\nS0x\n", "template:3: there is no atom 'S0x' in this search"),
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


def test_own_templates(tmp_path):
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
        ([[]], [([], [])], "training data: sentence 1 is empty"),
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
    for use in (
        lambda: parser.predict([["a"]]),
        lambda: parser.n_best([["a"]], 1),
        lambda: list(parser.annotate([b""])),
        lambda: parser.evaluate(tmp_path / "none"),
        lambda: parser.save(tmp_path / "m.sap"),
        lambda: parser.labels_,
    ):
        with pytest.raises((ModelError, DataError), match=r"not fitted yet|cannot read"):
            use()


def test_trees_beside_a_file(bank):
    with pytest.raises(OptionError, match="trees beside a file"):
        DependencyParser().fit(bank / "train.conllu", [])


def test_words_are_not_read_from_streams():
    with pytest.raises((TypeError, sapwood.SapwoodError)):
        DependencyParser().fit(io.BytesIO(b""))


def test_a_parser_cannot_be_pickled_into_nonsense(parsers):
    """Models have a file format of their own; a pickle works or says no."""
    try:
        again = pickle.loads(pickle.dumps(parsers["greedy"]))
    except TypeError:
        return
    assert again.predict([["a"]]) == parsers["greedy"].predict([["a"]])
