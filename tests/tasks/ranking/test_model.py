"""Reranking: lists in and out, the learner against a plain one, and what cannot be ranked."""

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reranking import lists_of
from tiny import TINY_CORPUS, train_tiny

from sapwood import DataError, ModelError, OptionError, Reranker, _core, load
from sapwood.io.lists import Candidate, CandidateList, format_list, parse_lists
from sapwood.tasks.ranking.model import losses_of
from sapwood_lab.losses import regret
from sapwood_lab.ranking import RankingPerceptron

PLAIN = b"""(S (NP (DT the) (NN dog)) (VP (VBZ barks)))
-3.5 (S (NP (DT the) (NN dog)) (VP (VBZ barks)))
-3.25\t(S (NP (DT the)) (VP (NN dog) (VBZ barks)))

-1 (X a)
"""


def test_plain_lists_are_read():
    first, second = parse_lists(PLAIN, "lists.txt")
    assert first.gold == first.candidates[0].structure == "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"
    assert [c.score for c in first.candidates] == [-3.5, -3.25]
    assert second.gold is None
    assert second.where == "lists.txt:5"


FEATURES = st.dictionaries(st.sampled_from("abcde"), st.integers(-3, 3), max_size=4)


@given(
    st.lists(st.lists(st.tuples(FEATURES, st.integers(-9, 9), st.integers(0, 4)), min_size=1, max_size=4), max_size=4)
)
def test_lists_survive_being_written(rows):
    lists = lists_of(rows)
    text = "".join(format_list(each) for each in lists)
    read = list(parse_lists(text.encode(), "x"))
    assert [each.candidates for each in read] == [each.candidates for each in lists]


@given(
    st.lists(
        st.lists(st.tuples(FEATURES, st.just(0), st.integers(0, 3)), min_size=1, max_size=4), min_size=1, max_size=6
    ),
    st.sampled_from([0.0, 0.5, 2.0]),
)
def test_it_is_the_reranking_perceptron(rows, gamma):
    flat = [features for candidates in rows for features, _, _ in candidates]
    starts = [0]
    for candidates in rows:
        starts.append(starts[-1] + len(candidates))
    trainer = _core.RankerTrainer({"update": "margin" if gamma else "perceptron", "gamma": gamma, "shuffle": False})
    losses = [float(loss) for candidates in rows for _, _, loss in candidates]
    trainer.add(_core.FeatureRows.from_dicts(flat, "x", False), starts, losses)
    for _ in range(3):
        assert trainer.step(1 << 30)
    scorer = _core.Classifier(["worse", "better"], trainer.freeze(32, 0.0))
    slow = RankingPerceptron(loss=regret(gamma), epochs=3, seed=None).fit(lists_of(rows))
    for feature in "abcde":
        expected = slow.weights().get((feature, "better"), 0)
        assert scorer.weights_of([_core.key_of(feature)])[0] == pytest.approx(expected, abs=1e-5)


def test_it_learns_what_the_base_model_does_not_see(tmp_path):
    """The base model's best is wrong whenever the candidate has the feature "bad"."""
    rows = [[({"bad": 1}, 0.0, 1.0), ({"other": 1}, -1.0, 0.0)], [({"other": 1}, 0.0, 0.0), ({"x": 1}, -2.0, 1.0)]] * 5
    ranker = Reranker(base_weight=1.0).fit(lists_of(rows))
    assert ranker.predict(lists_of(rows)) == [1, 0] * 5
    assert ranker.save(tmp_path / "r.sap") == (tmp_path / "r.sap").stat().st_size
    assert load(tmp_path / "r.sap").predict(lists_of(rows)) == [1, 0] * 5
    again = Reranker(base_weight=1.0).fit(lists_of(rows))
    again.save(tmp_path / "s.sap")
    assert (tmp_path / "r.sap").read_bytes() == (tmp_path / "s.sap").read_bytes()


def test_n_best_lists_of_a_tagger_are_exact(tiny, tiny_model):
    """All label sequences of a short sentence, scored one by one."""
    tagger = load(tiny_model)
    (found,) = tagger.lists.of_blocks([b"the DT\ndog NN\nbarks VBZ\n"], "x", 10**4)
    labels = [tuple(c.structure) for c in found.candidates]
    scores = [c.score for c in found.candidates]
    assert len(set(labels)) == len(labels) == len(tagger.labels_) ** 3
    assert set(labels) == set(product(tagger.labels_, repeat=3))
    assert scores == sorted(scores, reverse=True)
    assert found.tokens == [["the", "DT"], ["dog", "NN"], ["barks", "VBZ"]]
    assert found.gold is None


def test_lists_of_training_data_come_from_other_folds(tiny_file, tiny_model):
    lists = list(load(tiny_model).lists.cross_validated(tiny_file, 5, 3))
    sentences = TINY_CORPUS.strip().split("\n\n")
    assert len(lists) == len(sentences)
    assert [" ".join(row[0] for row in each.tokens).split()[0] for each in lists[:2]] == [
        "the",
        "she",
    ]  # fold 0: 1st, 4th
    assert all(each.gold is not None and 1 <= len(each.candidates) <= 5 for each in lists)
    assert min(losses_of(lists[0])) >= 0


def test_the_verbs_make_lists_and_rank_them(run_cli, tmp_path, tiny_file, tiny_model):
    (tmp_path / "train.jsonl").write_text(
        run_cli(["nbest", tiny_model, tiny_file, "-n", 6, "--folds", 2]).out, encoding="utf-8"
    )
    run = run_cli(["train", "rank", tmp_path / "train.jsonl", "-o", tmp_path / "r.sap", "--epochs", 3])
    assert run.status == 0, run.err
    assert "lists" in run.err
    test = run_cli(["nbest", tiny_model, tiny_file, "-n", 6]).out
    (tmp_path / "test.jsonl").write_text(test, encoding="utf-8")
    best = run_cli(["rank", tmp_path / "r.sap", tmp_path / "test.jsonl"])
    assert best.status == 0, best.err
    assert best.out.count("\n\n") == len(test.splitlines())
    assert best.out.startswith("the\tDT\t")
    reordered = run_cli(["rank", tmp_path / "r.sap", "--reorder"], stdin=test.encode()).out
    for before, after in zip(test.splitlines(), reordered.splitlines(), strict=True):
        candidates = [json.loads(line)["candidates"] for line in (before, after)]
        assert sorted(map(str, candidates[0])) == sorted(map(str, candidates[1]))
    assert run_cli(["inspect", tmp_path / "r.sap"]).status == 0
    refused = run_cli(["eval", tmp_path / "r.sap", tiny_file])
    assert (refused.status, refused.err.count("\n")) == (1, 1)
    scored = run_cli(["eval", tmp_path / "r.sap", tmp_path / "test.jsonl", "--json", tmp_path / "s.json"])
    assert scored.out.startswith("5 lists")
    [scores] = json.loads((tmp_path / "s.json").read_text())["rows"]
    assert scores["oracle"] <= scores["chosen"]
    assert scores["oracle"] <= scores["first"]


BAD = [
    (b"", "x: there is no list of candidates to train on"),
    (b"\xff", "x:1: invalid UTF-8"),
    (b"\n{\n", "x:2: the line is not JSON"),
    (b"{}", "with 'candidates'"),
    (b'{"candidates": []}', "with 'candidates'"),
    (b'{"candidates": [{"score": 1}]}', "a candidate has one of tree"),
    (b'{"candidates": [{"tree": "(A a)", "labels": []}]}', "a candidate has one of tree"),
    (b'{"candidates": [{"tree": 7}]}', "a tree is not a text"),
    (
        b'{"candidates": [{"tree": "(A a"}], "gold": "(A a)"}',
        "x:1: candidate 1:1: the bracket that opens here does not",
    ),
    (b'{"candidates": [{"tree": "(A a)"}], "gold": "(A a"}', "x:1: gold:1: the bracket that opens here does not close"),
    (b'{"candidates": [{"tree": "(A a)"}], "gold": "(S (A a) (B b))"}', "x:1: gold has 2 words, but candidate 1 has 1"),
    (b'{"candidates": [{"tree": "(A a) (B b)", "loss": 0}]}', "x:1: candidate 1: it is 2 trees, not one"),
    (b'{"candidates": [{"tree": "(A \\ud800)", "loss": 0}]}', "x:1: the line has half of a Unicode character in it"),
    (b'{"tokens": ["\\u0000"], "candidates": [{"labels": ["x"], "loss": 0}]}', "x:1: a \\u escape is NUL"),
    (b'{"candidates": [{"features": {}, "score": 1' + b"0" * 400 + b"}]}", "x:1: the score 1"),
    (b'{"candidates": [{"features": {"a": 1e16}, "loss": 0}]}', "x:1: candidate 1: a value is larger than 1e15"),
    (b'{"candidates": [{"features": {"score": 1}, "loss": 0}]}', "x:1: a feature is called 'score'"),
    (b'{"candidates": [{"features": {}, "loss": -1}]}', "x:1: the loss -1.0 is not a number from 0"),
    (b'{"candidates": [{"features": {}, "loss": 1e16}]}', "x:1: the loss 1e+16 is not a number from 0"),
    (
        b'{"candidates": [{"features": {}, "score": 1e308}, {"features": {}, "score": -1e308}]}',
        "x:1: the scores -1e+308 and 1e+308 are too far apart",
    ),
    (b"-1 (A \0)\n", "x:1: NUL byte"),
    (b'{"candidates": [{"features": []}]}', "is not an object"),
    (b'{"candidates": [{"features": {"a": NaN}, "loss": 0}]}', "not a number"),
    (b'{"candidates": [{"features": {"a": 1}, "loss": Infinity}]}', "x:1: the loss inf is not a finite number"),
    (b'{"candidates": [{"features": {"a": 1}, "score": true}]}', "x:1: the score True is not a finite number"),
    (b'{"candidates": [{"features": {"a": 1}}]}', "candidates without 'loss'"),
    (b'{"tokens": ["a"], "candidates": [{"labels": []}]}', "labels are not one for each of the 1 tokens"),
    (b'{"tokens": ["a"], "candidates": [{"heads": [2]}]}', "a head is not the number of a word"),
    (b'{"tokens": ["a"], "candidates": [{"heads": [0]}], "gold": 3}', "'gold' is not an object"),
    (b'{"tokens": [[]], "candidates": [{"labels": ["x"]}]}', "neither a string nor a list"),
    (b'{"tokens": ["a\\tb"], "candidates": [{"labels": ["x"]}]}', "x:1: a token has a tab or a line end in it"),
    (b'{"tokens": [["a", "b\\u000a"]], "candidates": [{"heads": [0]}]}', "x:1: a token has a tab or a line end in it"),
    (b'{"tokens": ["a"], "candidates": [{"labels": ["x\\r"]}]}', "x:1: a label has a tab or a line end in it"),
    (b'{"candidates": [{"tree": "(A a)"}, {"features": {}}]}', "of one kind"),
    (b"[]\n", "x: there is no list of candidates"),
    (b"[[]]\n", "x:1: the line is not an object with 'candidates'"),
    (b"one two\n", "x:1: the line is not a log-probability and a tree"),
    (b"nan (A a)\n", "the log-probability 'nan' is not a finite number"),
    (b"(A a)\n\n", "x:1: the list has no candidate"),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_bad_lists_are_one_line(data, message, tmp_path, monkeypatch, run_cli):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").write_bytes(data)
    run = run_cli(["train", "rank", "x", "-o", "r.sap", "--quiet"])
    assert run.status == 1, run.err
    assert message in run.err
    assert run.err.count("\n") == 1
    assert not (tmp_path / "r.sap").exists()


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        ("tree", "x:2: tree 2:1: the bracket that opens here does not close"),
        ("subsequence", "x:2: candidate:1: the bracket that opens here does not close"),
        ("polynomial", "x:2: candidate 2:1: the bracket that opens here does not close"),
    ],
)
def test_broken_trees_have_a_place_with_every_kernel(kernel, message, tmp_path, monkeypatch, run_cli):
    monkeypatch.chdir(tmp_path)
    good, broken = {"tree": "(A (B b))", "loss": 0}, {"tree": "(A (B b)", "loss": 1}
    lists = [{"candidates": [good, good]}, {"candidates": [good, broken]}]
    Path("x").write_text("".join(json.dumps(each) + "\n" for each in lists))
    Path("good").write_text(json.dumps(lists[0]) + "\n")
    assert run_cli(f"train rank good -o r.sap -q --kernel {kernel}").status == 0
    for run in (run_cli(f"train rank x -o s.sap -q --kernel {kernel}"), run_cli("rank r.sap x")):
        assert run.status == 1
        assert message in run.err
        assert run.err.count("\n") == 1


def test_a_kernel_out_of_range_has_a_place(tmp_path, monkeypatch, run_cli):
    monkeypatch.chdir(tmp_path)
    Path("x").write_text(json.dumps({"candidates": [{"tree": f"(S {'(N a) ' * 3000})", "loss": 0}]}))
    run = run_cli("train rank x -o s.sap -q --kernel tree --decay 1")
    assert (run.status, run.err[:15]) == (1, "sapwood: x:1: t")


def test_held_out_lists_that_are_none():
    lists = lists_of([[({"a": 1}, 0.0, 0.0), ({"b": 1}, 0.0, 1.0)]] * 3)
    for held_out, what in (({"dev": []}, "no list of candidates to score"), ({"dev_fraction": 0.1}, "too few lists")):
        with pytest.raises(DataError, match=what):
            Reranker().fit(lists, **held_out)


def test_escapes_that_are_text():
    """A backslash in front of u0000, and both halves of a character."""
    text = rb'{"tokens": ["\\u0000", "\ud83d\ude00"], "candidates": [{"labels": ["x", "y"]}]}'
    [each] = parse_lists(text, "x")
    assert each.tokens == [["\\u0000"], ["\N{GRINNING FACE}"]]


def test_a_tree_over_lines_comes_out_on_one(tmp_path, run_cli):
    lists, model = tmp_path / "x", tmp_path / "r.sap"
    lists.write_text(json.dumps({"candidates": [{"tree": "(A\n (B b))", "loss": 0}]}))
    assert run_cli(f"train rank {lists} -o {model} -q").status == 0
    assert run_cli(f"rank {model} {lists}").out == "(A  (B b))\n"


def test_errors_of_folds_name_the_file_and_its_line(tiny_file, tiny_model, bank, parsers, tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_text(TINY_CORPUS + "\nragged NN\n")
    with pytest.raises(DataError, match=r"bad.txt:38: this line has 2 columns"):
        list(load(tiny_model).lists.cross_validated(bad, 3, 2))
    bad.write_text("a NN\n\nb NN\n\n")
    with pytest.raises(DataError, match=r"bad.txt: 2 columns, but the model was trained on 3"):
        list(load(tiny_model).lists.cross_validated(bad, 3, 2))
    bad.write_text(TINY_CORPUS.replace("\n\n", "\r\n \t\r\n"))
    assert len(list(load(tiny_model).lists.cross_validated(bad, 3, 2))) == TINY_CORPUS.count("\n\n") + 1
    text = (bank / "train.conllu").read_text()
    bad.write_text(text + "1\ta\t_\tX\tX\t_\t_\t_\t_\t_\n\n")
    with pytest.raises(DataError, match=rf"bad.txt:{text.count(chr(10)) + 1}: the word has no head"):
        list(parsers["eisner"].lists.cross_validated(bad, 3, 2))


@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,()ab1 \n', max_size=60).map(str.encode))
def test_any_bytes_are_lists_or_a_data_error(data):
    try:
        list(parse_lists(data, "x"))
    except DataError as error:
        assert "\n" not in str(error)


def test_what_has_no_n_best(tiny_file, tiny):
    greedy = train_tiny(tiny_file, search="greedy")
    with pytest.raises(OptionError, match="Viterbi"):
        list(greedy.lists.of_blocks([b"the DT\n"], "x", 3))
    with pytest.raises(ModelError, match="not fitted"):
        Reranker().predict([])
    with pytest.raises(DataError, match="of the kind features, the model's were labels"):
        lists = [CandidateList("labels", [Candidate(["X"], 0.0, 0.0)], [["a"]])]
        Reranker().fit(lists).predict(lists_of([[({"a": 1}, 0.0, 0.0)]]))
