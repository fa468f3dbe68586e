"""The rows of the benchmark of guided learning, on generated data."""

import importlib
from pathlib import Path

import pytest

from measure import corpora
from measure.corpora import tree_corpora
from sapwood.io.conllu import read_treebank
from sapwood.training.cross_validation import hold_out

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(not (ROOT / "bench").is_dir(), reason="the benchmarks are not here")


@pytest.fixture
def bench(monkeypatch):
    """The benchmark, where the generated corpora are small."""
    monkeypatch.syspath_prepend(ROOT)
    monkeypatch.delenv("SAPWOOD_DATA", raising=False)
    monkeypatch.setattr(corpora, "GENERATED", {"conllu": 40, "txt": 40})
    return importlib.import_module("bench.tasks.guided")


@pytest.fixture
def treebank(bench):
    with tree_corpora(None) as [corpus]:
        halves = hold_out(read_treebank(corpus.train), 0.1, "sentences")
    return bench.Halves(corpus.name, *halves, corpus.tag_columns, {})


@pytest.mark.slow
def test_rows_say_what_repetition_and_what_each_factor_changes(bench, treebank):
    guided = [*bench.guided([treebank], 1), *bench.taggers(None, 1)]
    assert [row["name"] for row in guided] == [*bench.GUIDED, *bench.TAGGERS]
    assert all(row["repeated"] > row["given_up"] for row in guided)
    assert all(row["gain"] == pytest.approx(row["repeat"] - row["once"]) for row in guided)
    gaps = list(bench.gaps([treebank], 1))
    assert [row["name"] for row in gaps] == [factor.name for factor in bench.FACTORS]
    base, _, eisner, easy, repeated = gaps
    assert base["gap"] == pytest.approx(base["easy_first"] - base["eisner"])
    assert (eisner["easy_first"], easy["eisner"]) == (base["easy_first"], base["eisner"])
    assert repeated["easy_first"] == guided[0]["repeat"]


def test_a_larger_treebank_is_cut_to_the_words_of_the_smallest(bench, treebank):
    large = treebank.train
    small = treebank._replace(name="b", train=large.select(range(0, len(large), 3)))
    cut, same = bench.as_large_as_the_smallest([treebank._replace(name="a"), small])
    assert same is small
    assert cut.name == f"a, {small.train.words / large.words:.0%} of it"
    assert len(cut.train) == pytest.approx(len(small.train), rel=0.1)
