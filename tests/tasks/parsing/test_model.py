"""The Python API of dependency parsers: learning, tags, every kind of input, determinism."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsers import KINDS, QUICK, check_parses, saved, tagged

import sapwood
from sapwood import DataError, DependencyParser, OptionError
from sapwood.datasets.treebank import generate
from sapwood.events import Preparing
from sapwood.model.file import container
from sapwood_lab.parsing import non_projective

LABELS = ["joint", "second-stage", "none"]

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


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labels", LABELS)
def test_every_way_of_labelling_learns(tmp_path, kind, labels):
    parser = DependencyParser(epochs=8, min_updates=1, labelling=labels, **KINDS[kind])
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
def test_several_roots_are_refused_unless_allowed(kind):
    words, trees = [[(w, "T", "U", "_") for w in "abc"]] * 3, [([0, 1, 0], ["root", "x", "root"])] * 3
    with pytest.raises(DataError, match=r"^training data:3: word 3 is a second root beside word 1"):
        DependencyParser(**KINDS[kind]).fit(words, trees)
    parser = DependencyParser(min_updates=1, single_root=False, **KINDS[kind]).fit(words, trees)
    assert parser.predict(words) == [([0, 1, 0], ["root", "x", "root"])] * 3
    check_parses(parser.predict(tagged(20)[0]), tagged(20)[0], single_root=False)


@pytest.mark.parametrize("kind", KINDS)
def test_all_arcs_in_one_direction_are_learned(kind):
    """What the data never show is still allowed where there is no other way."""
    for heads, deprels in (([0, 1, 2], ["root", "x", "y"]), ([2, 3, 0], ["x", "y", "root"]), ([0], ["root"])):
        words = [["a", "b", "c"][: len(heads)]]
        parser = DependencyParser(min_updates=1, **KINDS[kind]).fit(words, [(heads, deprels)])
        assert parser.predict(words) == [(heads, deprels)]
        check_parses(parser.predict([list("cab"), list("bbbbb")]), [list("cab"), list("bbbbb")])


@pytest.mark.parametrize("kind", KINDS)
def test_non_projective_trees_come_back(kind):
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


def test_marks_of_lifted_words_in_the_data_are_refused():
    words, tree = [["a", "b"]], [([2, 0], ["x↑y", "root"])]
    with pytest.raises(DataError, match=r"^training data:1: the relation 'x↑y' has the mark of a lifted word"):
        DependencyParser().fit(words, tree)
    DependencyParser(min_updates=1).fit([["↑", "↑x"]], [([2, 0], ["x", "root"])]).predict([["↑"]])


@pytest.mark.few(3)
@pytest.mark.parametrize("update", ["perceptron", "margin", "pa"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_update_learns(kind, update):
    words, trees = tagged(25)
    parser = DependencyParser(update=update, epochs=8, min_updates=1, **KINDS[kind]).fit(words, trees)
    parses = parser.predict(words)
    check_parses(parses, words)
    gold = [head for heads, _ in trees for head in heads]
    guess = [head for parse in parses for head in parse.heads]
    assert sum(a == b for a, b in zip(gold, guess, strict=True)) > 0.5 * len(gold)


def test_violations_of_a_beam_differ_by_their_strategy():
    words, trees = tagged(40)
    both = [DependencyParser(**QUICK, update_strategy=where).fit(words, trees) for where in ("max", "early")]
    for parser in both:
        check_parses(parser.predict(words), words)
    assert both[0].model_.tables[0].packed.values != both[1].model_.tables[0].packed.values


def test_held_out_data_stop_the_training(bank):
    events = []
    parser = DependencyParser(epochs=8, min_updates=2, patience=1, beam=1)
    parser.fit(bank / "train.conllu", dev=bank / "test.conllu", on_event=events.append)
    facts = parser.model_.provenance
    scores = [event.dev_score for event in events if type(event).__name__ == "EpochDone"]
    assert len(scores) == facts["epochs"]
    assert facts["epochs"] - scores.index(max(scores)) - 1 <= 1
    assert parser.evaluate(bank / "test.conllu").las == pytest.approx(scores[facts["best_epoch"] - 1])
    unlabelled = DependencyParser(**QUICK, labelling="none").fit(bank / "train.conllu", dev_fraction=0.2)
    assert unlabelled.model_.provenance["dev_score"] > 50
    assert unlabelled.model_.provenance["sentences"] == 72


# Tags


@pytest.mark.parametrize("tags", ["predicted", "jackknife"])
def test_a_parser_with_a_tagger_needs_no_tags(bank, tmp_path, tags):
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
    assert "0.table" not in same
    with pytest.raises(DataError, match="jackknifing needs 10 sentences at least, here are 3"):
        DependencyParser(tags="jackknife").fit(*tagged(3))


def test_tagging_in_folds_is_shown_as_progress(bank):
    events = []
    DependencyParser(**QUICK, beam=1, tags="jackknife").fit(bank / "train.conllu", on_event=events.append)
    done = [event for event in events if isinstance(event, Preparing) and event.parts == 10]
    assert [event.done for event in done if event.share == 0] == list(range(10))
    passed = [event.done + event.share for event in done]
    assert passed == sorted(passed)
    assert passed[-1] == 10
    assert len(done) > 20


def test_tags_with_spaces_cannot_be_predicted():
    words = [[("a", "X Y"), ("b", "Z")]]
    tree = [([2, 0], ["x", "root"])]
    with pytest.raises(DataError, match=r"^training data:1: a tag has a space in it"):
        DependencyParser(tags="predicted", tag_columns=["xpos"]).fit(words, tree)
    DependencyParser(min_updates=1, tag_columns=["xpos"]).fit(words, tree).predict(words)


def test_tag_columns_are_chosen(bank):
    by_upos = DependencyParser(**QUICK, beam=1, tag_columns=["upos"]).fit(bank / "train.conllu")
    words, _ = tagged(5)
    renamed = [[(form, upos) for form, _, upos, _ in sentence] for sentence in words]
    check_parses(by_upos.predict(renamed), words)
    with pytest.raises(DataError, match="word 1 has 4 values; a word is a form, or form, upos"):
        by_upos.predict(words)


# Every input


@pytest.mark.few(2)
@given(data=st.data())
@pytest.mark.parametrize("kind", KINDS)
def test_every_input_gets_a_tree(parsers, kind, data):
    printable = st.characters(exclude_categories=("C", "Z")) | st.just(" ")
    forms = st.text(printable, min_size=1, max_size=6)
    forms |= st.sampled_from(["The", "dog", "_", "1-2", "#", " ", "\u2191", "."])
    tags = st.sampled_from(["NN", "VBZ", "DT", ".", "IN", "_", "?"])
    words = st.lists(st.tuples(forms, tags, tags, tags), min_size=1, max_size=25)
    sentences = data.draw(st.lists(words, min_size=1, max_size=4))
    check_parses(parsers[kind].predict(sentences), sentences)


@pytest.mark.parametrize("kind", KINDS)
def test_one_word_is_the_root(parsers, kind):
    assert parsers[kind].predict([["hello"]]) == [([0], ["root"])]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("kind", "length"), [("beam", 2000), ("greedy", 2000), ("easy-first", 2000), ("eisner", 500), ("eisner-2", 250)]
)
def test_long_sentences_get_a_tree(parsers, kind, length):
    words = [word for sentence in tagged(150)[0] for word in sentence][:length]
    check_parses(parsers[kind].predict([words]), [words])


@pytest.mark.few(1)
@pytest.mark.filterwarnings("ignore:.* a sentence of 70,000 tokens:sapwood.SapwoodWarning")
@pytest.mark.parametrize("kind", ["eisner", "eisner-2"])
def test_sentences_that_are_too_long_for_eisner_search(parsers, kind):
    """Its memory grows with the square of the length."""
    words = ["a"] * 70_000
    with pytest.raises(DataError, match=r"^input:3: 70000 words are too many for Eisner search; split the sentence"):
        parsers[kind].predict([["b"], words])
    tree = [0, *[1] * 69_999], ["root", *["x"] * 69_999]
    with pytest.raises(DataError, match=r"^training data:1: 70000 words are too many for Eisner search"):
        DependencyParser(**KINDS[kind]).fit([words], [tree])


@pytest.mark.slow
def test_a_head_may_have_70000_children(parsers):
    """More than two bytes count."""
    words = [("a", "NN", "NOUN", "_")] * 70_000
    check_parses(parsers["easy-first"].predict([words]), [words])


@pytest.mark.slow
def test_words_of_almost_16_mebibytes_are_parsed_and_longer_ones_refused(parsers):
    check_parses(parsers["beam"].predict([["a", "ä" * 8_000_000]]), [["a", "b"]])
    with pytest.raises(DataError, match="input:2: the line is longer than 16 MiB"):
        parsers["beam"].predict([["a", "ä" * 9_000_000]])


def test_many_labels_are_learned():
    count = 2_000
    words, trees = [[str(k)] for k in range(count)], [([0], [f"r{k}"]) for k in range(count)]
    parser = DependencyParser(beam=1, epochs=1, min_updates=1).fit(words, trees)
    assert len(parser.labels_) == count
    check_parses(parser.predict(words[:3]), words[:3])


# Determinism


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", KINDS)
def test_training_again_gives_the_same_bytes(tmp_path, bank, kind):
    options = {**QUICK, **KINDS[kind]}
    first = saved(DependencyParser(**options).fit(bank / "train.conllu"), tmp_path / "a.sap")
    again = saved(DependencyParser(**options, threads=3).fit(bank / "train.conllu"), tmp_path / "b.sap")
    other = saved(DependencyParser(**options, seed=2).fit(bank / "train.conllu"), tmp_path / "c.sap")
    assert first == again
    assert first != other


@pytest.mark.slow
def test_hash_seeds_and_memory_do_not_matter(tmp_path, bank):
    code = (
        "import sys; from pathlib import Path; from sapwood import DependencyParser as D;"
        "D(epochs=2, beam=2, tags='predicted', names=True).fit(Path(sys.argv[1])).save(sys.argv[2])"
    )
    files = []
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        target = tmp_path / f"{seed}.sap"
        subprocess.run([sys.executable, "-c", code, bank / "train.conllu", target], env=environment, check=True)
        files.append(target.read_bytes())
    assert files[0] == files[1]


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", KINDS)
def test_threads_give_the_same(parsers, kind):
    words, _ = tagged(150, seed=3)
    parser = parsers[kind]
    one = parser.predict(words)
    assert parser.set_params(threads=4).predict(words) == one
    parser.set_params(threads=1)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_parsed_before_does_not_matter(parsers, kind):
    words, _ = tagged(40, seed=6)
    long = [word for sentence in words for word in sentence][:220]  # too long for its scratch to be kept
    assert len(long) == 220
    sentences = [*words[:20], long, *words[20:]]
    together = parsers[kind].predict(sentences)
    assert [parsers[kind].predict([sentence])[0] for sentence in reversed(sentences)] == together[::-1]


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", KINDS)
def test_fewer_bits_change_few_arcs(tmp_path, bank, kind):
    words, _ = tagged(30, seed=5)
    exact = DependencyParser(bits=32, **QUICK, **KINDS[kind]).fit(bank / "train.conllu").predict(words)
    near = DependencyParser(bits=16, **QUICK, **KINDS[kind]).fit(bank / "train.conllu").predict(words)
    same = sum(a == b for a, b in zip(exact, near, strict=True))
    assert same >= 28


# What a beam keeps


@pytest.mark.few(1)
@pytest.mark.parametrize("bits", [8, 16, 32])
def test_a_gap_keeps_the_trees_that_it_was_fitted_to(tmp_path, bank, bits):
    parser = DependencyParser(**QUICK | {"bits": bits}).fit(bank / "train.conllu")
    words, _ = tagged(60, seed=5)
    whole = parser.predict(words)
    parser.fit_gap(words, share=1)
    assert parser.gap > 0
    assert parser.predict(words) == whole
    parser.save(tmp_path / "m.sap")
    again = sapwood.load(tmp_path / "m.sap")
    assert (again.gap, again.predict(words)) == (parser.gap, whole)
    most = parser.fit_gap(words, share=0.5).gap
    assert most < again.gap
    assert sum(a == b for a, b in zip(parser.predict(words), whole, strict=True)) >= 30
    assert parser.fit_gap(words, share=1).gap == again.gap  # the whole beam counts, whatever gap there was


def test_explanations_are_of_the_trees_that_a_gap_gives(bank):
    parser = DependencyParser(**QUICK).fit(bank / "train.conllu")
    words, _ = tagged(60, seed=5)
    whole = parser.predict(words)
    trees = parser.fit_gap(words, share=0.01).predict(words)
    assert trees != whole
    chosen = {(e.sentence, e.token): e.chosen for e in parser.explain(words) if e.decision == "arc"}
    for (s, m), arc in chosen.items():
        relation, _, head = arc.partition(" of ")
        tree = trees[s - 1]
        assert (int(head.split()[0]), relation) == (tree.heads[m - 1], tree.deprels[m - 1])


def test_a_gap_that_cannot_be_found(parsers):
    words, _ = tagged(3)
    with pytest.raises(OptionError, match="a gap is for beam search"):
        parsers["eisner"].fit_gap(words)
    with pytest.raises(OptionError, match="share lies between 0 and 1, not 2"):
        parsers["beam"].fit_gap(words, share=2)
    with pytest.raises(DataError, match="there are no sentences"):
        parsers["beam"].fit_gap([])
