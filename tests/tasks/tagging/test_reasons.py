"""Why a tagger decided as it did: the reasons add up, and the alternative is the best one."""

import doctest
import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from reasons import check_sums
from taggers import KINDS, corpora, fitted, words
from tiny import gold_of, inputs_of

from sapwood import OptionError, SequenceTagger
from sapwood_lab.easiest_first import UNKNOWN, EasiestFirstTagger
from sapwood_lab.greedy import GreedyTagger
from sapwood_lab.viterbi import ViterbiTagger


def oracle_of(kind, tagger):
    """The laboratory's tagger with the weights of the fast one, in whole units of its scale, so that ties are ties."""
    template, search = KINDS[kind]
    make = {"viterbi": ViterbiTagger, "easiest-first": EasiestFirstTagger}.get(search["search"], GreedyTagger)
    oracle = make(template, **{key: value for key, value in search.items() if key == "order"})
    for output, weight, feature in tagger.contents.weights():
        text, _, before = feature.partition(" after ")
        labels = (*before.split(), output.label)
        oracle.w[text, labels if kind.startswith("viterbi") else labels[0]] = round(weight / tagger.model_.scale)
        oracle.U[text] = 1
    oracle.labels = tagger.labels_
    if search["search"] == "argmax":
        oracle.lines = [line for line in oracle.lines if line.text != "B"]
    return oracle


def contexts(kind, oracle, rows, path):
    """The labels around each token when it had its turn: those given by then, and UNKNOWN."""
    if kind != "easiest-first":
        return [path[:i] for i in range(len(path))]
    known, seen = [UNKNOWN] * len(path), {}
    for _ in path:
        scores = oracle.all_scores(rows, known)
        i, y = max(scores, key=scores.__getitem__)
        seen[i] = list(known)
        known[i] = y
    return [seen[i] for i in range(len(path))]


@pytest.mark.parametrize("kind", KINDS)
@given(corpus=corpora, sentence=words)
def test_reasons_add_up_to_the_distance_from_the_best_alternative(kind, corpus, sentence):
    tagger = fitted(kind, corpus)
    oracle = oracle_of(kind, tagger)
    rows = inputs_of([sentence])[0]
    explanations = tagger.explain([rows])
    path = [e.chosen for e in explanations]
    assert [path] == tagger.predict([rows])
    around = contexts(kind, oracle, rows, path)
    for i, explanation in enumerate(explanations):
        assert (explanation.sentence, explanation.token, explanation.word) == (1, i + 1, rows[i][0])
        if len(tagger.labels_) == 1:
            assert explanation.against is None
            assert explanation.features == []
            continue
        check_sums(explanation)
        if kind.startswith("viterbi"):
            scores = {p: oracle.score(oracle.phi(rows, p)) for p in product(tagger.labels_, repeat=len(path))}
            others = {p: s for p, s in scores.items() if p[i] != path[i]}
            against = {p[i] for p, s in others.items() if s == max(others.values())}
            margin = scores[tuple(path)] - max(others.values())
        else:
            scores = {y: oracle.scores(oracle.features(rows, around[i], i))[y] for y in tagger.labels_}
            others = {y: s for y, s in scores.items() if y != path[i]}
            against = {y for y, s in others.items() if s == max(others.values())}
            margin = scores[path[i]] - max(others.values())
        assert explanation.margin == pytest.approx(margin * explanation.scale)
        assert explanation.against in against
        for feature in explanation.features:
            labels = tuple(feature["label"].split())
            key = (feature["text"], labels if kind.startswith("viterbi") else labels[0])
            assert oracle.w[key] * explanation.scale == pytest.approx(feature["weight"])


def test_against_compares_with_a_label(tagger, tiny):
    rows = inputs_of(tiny)
    chosen = [e.chosen for e in tagger.explain(rows)]
    found = tagger.explain(rows, against="B-VP")
    assert {e.against for e in found} == {"B-VP"}
    assert len(found) == sum(label != "B-VP" for label in chosen)
    for explanation in found:
        check_sums(explanation)


def test_one_token_of_one_sentence_is_explained_as_among_all(tagger, tiny):
    rows = inputs_of(tiny)
    [one] = tagger.explain(rows, sentence=2, token=3)
    [same] = [e for e in tagger.explain(rows) if (e.sentence, e.token) == (2, 3)]
    assert one.to_dict() == same.to_dict()
    assert repr(one).startswith(f"<Explanation of {rows[1][2][0]!r}: {one.chosen!r}, not")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"sentence": 0}, "a sentence is counted from 1, not 0"),
        ({"token": True}, "a token is counted from 1, not True"),
        ({"sentence": 99}, "there is no sentence 99; there are"),
        ({"against": "FOO"}, "the model has no label 'FOO'"),
        ({"against": ""}, "what a decision is compared with is not empty"),
    ],
)
def test_a_question_that_cannot_be_answered(tagger, tiny, asked, message):
    with pytest.raises(OptionError, match=message):
        tagger.explain(inputs_of(tiny), **asked)


def test_labels_that_are_shown_alike_do_not_stand_against_each_other(tiny):
    tagger = SequenceTagger(template=KINDS["argmax"][0], min_updates=1, epochs=3, encoding="iobes").fit(tiny)
    found = tagger.explain(inputs_of(tiny))
    assert [e.chosen for e in found] == [label for s in tagger.predict(inputs_of(tiny)) for label in s]
    assert all(e.chosen != e.against for e in found)


def test_a_tag_dictionary_leaves_no_choice(tiny):
    options = {"search": "greedy", "columns": ["w", "t", "label"], "dictionary": "t"}
    tagger = SequenceTagger(template="U00:%x[0,0]\nU01:%x[-1,0]\n", min_updates=1, **options).fit(tiny)
    none = [e for e in tagger.explain(inputs_of(tiny)) if e.against is None]
    assert none
    assert all(e.features == [] for e in none)
    assert "there was no choice" in str(none[0])


def test_explanations_become_rows_for_pandas_and_a_table_for_a_notebook(tagger, tiny):
    found = tagger.explain(inputs_of(tiny), sentence=1)
    rows = found.rows()
    names = {"sentence", "token", "chosen", "against", "margin", "text", "label", "value", "weight", "contribution"}
    assert names <= set(rows[0])
    assert len(rows) == sum(len(e.features) for e in found)
    first = found[0]
    assert sum(first.contributions().values()) == pytest.approx(first.margin)
    assert first._repr_html_().count("<tr>") == len(first.contributions()) + 1
    assert "<script>" not in tagger.explain([[("<script>", "DT")]])._repr_html_()


def test_threads_and_batches_do_not_change_what_is_said(tagger, tiny):
    rows = inputs_of(tiny) * 90
    one = [e.to_dict() for e in tagger.explain(rows)]
    assert len(one) == sum(map(len, rows))
    assert [e.to_dict() for e in tagger.set_params(threads=3).explain(rows)] == one
    tagger.set_params(threads=1)


def test_the_page_on_explanations_shows_what_is_printed():
    page = Path(__file__).parents[3] / "docs" / "explain.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def test_the_command_writes_tables_and_json(run_cli, tiny_model, tiny_file, tmp_path):
    out = run_cli(["explain", tiny_model, tiny_file, "--sentence", "1", "--token", "2", "--top", "3"]).out
    lines = out.splitlines()
    assert lines[0] == "sentence 1, token 2: old"
    assert lines[1].startswith("I-NP, not ")
    assert all(len(line) <= 80 for line in lines)
    path = tmp_path / "why.jsonl"
    assert run_cli(["explain", tiny_model, tiny_file, "--json", path]).out == ""
    records = [json.loads(line) for line in path.read_text().splitlines()]
    text = tiny_file.read_text()
    assert [r["chosen"] for r in records] == [label for s in gold_of_file(text) for label in s]
    first = records[0]
    assert list(first) == [
        "sentence", "token", "word", "decision", "chosen", "against", "margin", "scale", "features",
    ]  # fmt: skip


def gold_of_file(text):
    """The last column of a file, by sentence."""
    return gold_of([[tuple(row.split()) for row in block.splitlines()] for block in text.strip().split("\n\n")])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["--token", "99"], "there is nothing to explain there"),
        (["--sentence", "1", "--token", "1", "--against", "B-NP"], "no decision there has another answer than B-NP"),
    ],
)
def test_the_command_says_what_it_cannot_explain(run_cli, tiny_model, tiny_file, asked, message):
    failed = run_cli(["explain", tiny_model, tiny_file, *asked])
    assert (failed.status, failed.out) == (2, "")
    assert failed.err == f"sapwood: {tiny_file}: {message}\n"
