"""Sums of explanations on real test sets: a decision's features add up to the distance from its alternative.

Here it is every fifth sentence of a test set; `bench/model/explain.py` counts the wrong sums of all of them.
"""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from measure.corpora import chunking_corpus, corpus_files, data_folder, phrase_corpus, tree_corpora
from sapwood import Classifier, DependencyParser, PhraseParser, Reranker, SequenceTagger, _core
from sapwood.io.conllu import read_treebank
from sapwood.io.source import read_bytes
from sapwood.model.explanation import question

pytestmark = [pytest.mark.corpus, pytest.mark.slow]


def some(data):
    """Every fifth sentence."""
    return data.select(list(range(0, data.sentences, 5)))


def check_lines(blocks, *, exact=True):
    """Check the sums of all explanations, and return how many there are."""
    count = 0
    for block in blocks:
        for line in block.splitlines():
            e, count = json.loads(line), count + 1
            parts = [f["contribution"] for f in e["features"]]
            if exact:
                assert sum(round(part / e["scale"]) for part in parts) == round(e["margin"] / e["scale"]), line
            else:  # values are no whole numbers
                assert sum(parts) == pytest.approx(e["margin"], rel=1e-4, abs=1e-3), line
    return count


@pytest.mark.parametrize("search", ["viterbi", "greedy", "easiest-first", "argmax"])
def test_reasons_of_chunks_add_up(search):
    with chunking_corpus() as corpus:
        data = _core.Columns.read(read_bytes(corpus.train), "train")
        tagger = SequenceTagger(search=search, epochs=2).fit(data.select(list(range(0, len(data), 4))))
        test = some(_core.Columns.read(read_bytes(corpus.test), "test"))
        assert check_lines(tagger.reasons.of(test, question())) == test.tokens


@pytest.fixture(scope="module")
def treebank():
    """A part of the training data of EWT, and its test data."""
    with tree_corpora(wanted="ewt") as [corpus]:
        train = read_treebank(Path(corpus.train))
        return train.select(list(range(0, len(train), 8))), some(read_treebank(Path(corpus.test)))


@pytest.mark.parametrize("search", ["viterbi", "greedy"])
def test_reasons_of_tags_add_up(treebank, search):
    rows = [
        [list(zip(*each, strict=True)) for each in zip(data.column("form"), data.column("xpos"), strict=True)]
        for data in treebank
    ]
    tagger = SequenceTagger(template="pos", search=search, epochs=2).fit(rows[0])
    test = _core.Columns.build(rows[1], None, "test")
    assert check_lines(tagger.reasons.of(test, question())) == test.tokens


@pytest.mark.parametrize(
    "options",
    [
        {"beam": 4},
        {"beam": 1},
        {"search": "easy-first"},
        {"search": "eisner"},
        {"search": "eisner", "order": 2},
    ],
    ids=str,
)
def test_reasons_of_trees_add_up(treebank, options):
    train, test = treebank
    parser = DependencyParser(epochs=2, **options).fit(train)
    joint = "beam" in options
    assert check_lines(parser.reasons.of_bytes(test.replace({}), "test", question())) == test.words * (2 - joint)


def test_reasons_of_senses_add_up():
    [path] = corpus_files(data_folder(None), "interest", "interest.pos")
    model = Classifier(template="wsd", format="senseval", epochs=5).fit(path)
    assert check_lines(model.reasons.of_bytes(read_bytes(path), str(path), question()), exact=False) == 2368


@pytest.mark.parametrize("kernel", ["linear", "tree"])
def test_reasons_of_lists_of_trees_add_up(kernel):
    with phrase_corpus() as corpus:
        grammar = PhraseParser().fit(Path(corpus.train))
        lists = list(grammar.lists.of_blocks([read_bytes(corpus.test)], "test", 10))
    half = len(lists) // 2
    ranker = Reranker(kernel=kernel, epochs=2).fit(lists[:half])
    ranked = ranker.rank(lists[half:])
    explanations = ranker.explain(lists[half:])
    for e, (order, scores) in zip(explanations, ranked, strict=True):
        if e.against is not None:
            best, second = [scores[k] for k in order[:2]]
            assert e.margin == pytest.approx(best - second)
            assert sum(f["contribution"] for f in e.features) == pytest.approx(e.margin, rel=1e-4, abs=1e-3)
    assert all(a.sentence < b.sentence for a, b in pairwise(explanations))
