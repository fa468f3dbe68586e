"""Reranking: lists in and out, the learner against a plain one, and what cannot be ranked."""

import json
from itertools import product

import pytest
from conftest import TINY_CORPUS, train_tiny
from hypothesis import given, settings
from hypothesis import strategies as st

from sapwood import DataError, ModelError, OptionError, Reranker, _core, load
from sapwood.io.lists import Candidate, CandidateList, format_list, parse_lists
from sapwood.nbest import cross_lists, n_best_lists
from sapwood.rank import losses_of

PLAIN = b"""(S (NP (DT the) (NN dog)) (VP (VBZ barks)))
-3.5 (S (NP (DT the) (NN dog)) (VP (VBZ barks)))
-3.25\t(S (NP (DT the)) (VP (NN dog) (VBZ barks)))

-1 (X a)
"""


def lists_of(rows):
    """Lists of candidates with features: [[(features, score, loss), ...], ...]."""
    return [CandidateList("features", [Candidate(f, score, loss) for f, score, loss in each]) for each in rows]


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


def naive(rows, gamma, epochs):
    """The reranking perceptron with a margin, by dicts, averaged over lists; the base score is one of the features."""
    weights, total, seen = {}, {}, 0
    for _ in range(epochs):
        for candidates in rows:
            scores = [sum(weights.get(f, 0) * v for f, v in features.items()) for features, _, _ in candidates]
            losses = [loss for _, _, loss in candidates]
            oracle = min(range(len(scores)), key=lambda k: (losses[k], -scores[k], k))
            augmented = [s + gamma * (loss - losses[oracle]) for s, loss in zip(scores, losses, strict=True)]
            guess = max(range(len(scores)), key=lambda k: (augmented[k], -k))
            if losses[guess] > losses[oracle]:
                for sign, k in ((1, oracle), (-1, guess)):
                    for f, v in candidates[k][0].items():
                        weights[f] = weights.get(f, 0) + sign * v
            seen += 1
            for f, w in weights.items():
                total[f] = total.get(f, 0) + w
    return {f: w / seen for f, w in total.items() if w}


@settings(max_examples=60)
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
    trainer = _core.RankerTrainer(
        update="margin" if gamma else "perceptron", gamma=gamma, min_updates=1, average=True, seed=1, shuffled=False
    )
    losses = [float(loss) for candidates in rows for _, _, loss in candidates]
    trainer.add(_core.FeatureRows.from_dicts(flat, "x", False), starts, losses)
    for _ in range(3):
        assert trainer.step(1 << 30)
    packed = trainer.freeze(32, 0.0)
    scorer = _core.Classifier(["worse", "better"], packed.tables, 32, packed.scale)
    expected = naive(rows, gamma, 3)
    for feature in "abcde":
        assert scorer.weights_of([_core.key_of(feature)])[0] == pytest.approx(expected.get(feature, 0), abs=1e-5)


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
    (found,) = n_best_lists(tagger, b"the DT\ndog NN\nbarks VBZ\n", "x", 10**4)
    labels = [tuple(c.structure) for c in found.candidates]
    scores = [c.score for c in found.candidates]
    assert len(set(labels)) == len(labels) == len(tagger.labels_) ** 3
    assert set(labels) == set(product(tagger.labels_, repeat=3))
    assert scores == sorted(scores, reverse=True)
    assert found.tokens == [["the", "DT"], ["dog", "NN"], ["barks", "VBZ"]]
    assert found.gold is None


def test_lists_of_training_data_come_from_other_folds(tiny_file, tiny_model):
    lists = list(cross_lists(load(tiny_model), tiny_file, 5, 3))
    sentences = TINY_CORPUS.strip().split("\n\n")
    assert len(lists) == len(sentences)
    assert [" ".join(row[0] for row in each.tokens).split()[0] for each in lists[:2]] == [
        "the",
        "she",
    ]  # fold 0: 1st, 4th
    assert all(each.gold is not None and 1 <= len(each.candidates) <= 5 for each in lists)
    assert min(losses_of(lists[0])) >= 0


def test_the_verbs(run_cli, tmp_path, tiny_file, tiny_model):
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
    (b"", "there is no list of candidates"),
    (b"\xff", "x:1: invalid UTF-8"),
    (b"\n{\n", "x:2: the line is not JSON"),
    (b"{}", "with 'candidates'"),
    (b'{"candidates": []}', "with 'candidates'"),
    (b'{"candidates": [{"score": 1}]}', "a candidate has one of tree"),
    (b'{"candidates": [{"tree": "(A a)", "labels": []}]}', "a candidate has one of tree"),
    (b'{"candidates": [{"tree": 7}]}', "a tree is not a text"),
    (b'{"candidates": [{"tree": "(A a"}], "gold": "(A a)"}', "does not close"),
    (b'{"candidates": [{"tree": "(A a) (B b)", "loss": 0}]}', "one tree in brackets"),
    (b'{"candidates": [{"features": []}]}', "is not an object"),
    (b'{"candidates": [{"features": {"a": NaN}, "loss": 0}]}', "not a number"),
    (b'{"candidates": [{"features": {"a": 1}, "loss": Infinity}]}', "x:1: the loss inf is not a finite number"),
    (b'{"candidates": [{"features": {"a": 1}, "score": true}]}', "x:1: the score True is not a finite number"),
    (b'{"candidates": [{"features": {"a": 1}}]}', "candidates without 'loss'"),
    (b'{"tokens": ["a"], "candidates": [{"labels": []}]}', "labels are not one for each of the 1 tokens"),
    (b'{"tokens": ["a"], "candidates": [{"heads": [2]}]}', "a head is not the number of a word"),
    (b'{"tokens": ["a"], "candidates": [{"heads": [0]}], "gold": 3}', "'gold' is not an object"),
    (b'{"tokens": [[]], "candidates": [{"labels": ["x"]}]}', "neither a string nor a list"),
    (b'{"candidates": [{"tree": "(A a)"}, {"features": {}}]}', "of one kind"),
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


@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,()ab1 \n', max_size=60).map(str.encode))
def test_any_bytes_are_lists_or_a_data_error(data):
    try:
        list(parse_lists(data, "x"))
    except DataError as error:
        assert "\n" not in str(error)


def test_what_has_no_n_best(tiny_file, tiny):
    greedy = train_tiny(tiny_file, search="greedy")
    with pytest.raises(OptionError, match="Viterbi"):
        n_best_lists(greedy, b"the DT\n", "x", 3)
    with pytest.raises(ModelError, match="not fitted"):
        Reranker().predict([])
    with pytest.raises(DataError, match="of the kind features, the model's were labels"):
        lists = [CandidateList("labels", [Candidate(["X"], 0.0, 0.0)], [["a"]])]
        Reranker().fit(lists).predict(lists_of([[({"a": 1}, 0.0, 0.0)]]))
