"""Features of whole structures: the core's are those of a plain version, one key for each name."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.naive_structure_features import arc_features, label_features

from sapwood import _core

WORDS = st.sampled_from(["a", "B", "b", "Ä", "long-word"])
TAGS = st.sampled_from(["x", "y"])
CHUNKS = st.sampled_from(["O", "B-A", "I-A", "E-A", "S-B", "I-B", "B-B"])


@st.composite
def labellings(draw, labels):
    """Sentences with candidates: [(tokens, [labels of a candidate, ...]), ...]."""
    lists = []
    for _ in range(draw(st.integers(1, 3))):
        n = draw(st.integers(1, 12))
        columns = draw(st.sampled_from([(WORDS,), (WORDS, TAGS)]))
        tokens = [[draw(column) for column in columns] for _ in range(n)]
        lists.append((tokens, draw(st.lists(st.lists(labels, min_size=n, max_size=n), min_size=1, max_size=3))))
    return lists


def assert_same(rows, expected):
    """Each row has the expected counts, under keys that stand for one name each in all rows."""
    starts, columns, values, _ = rows.to_csr()
    found = [
        sorted(zip(columns[begin:end].tolist(), values[begin:end].tolist(), strict=True))
        for begin, end in pairwise(starts)
    ]
    assert len(found) == len(expected)
    places = {}
    for k, features in enumerate(expected):
        for name, count in features.items():
            places.setdefault(name, []).append((k, count))
    by_key = {}
    for k, row in enumerate(found):
        for key, count in row:
            by_key.setdefault(key, []).append((k, count))
    assert sorted(by_key.values()) == sorted(places.values())


def assert_labels_have_their_features(lists, chunks):
    tokens, labels = [t for t, _ in lists], [c for _, c in lists]
    scores = [1.0] * sum(map(len, labels))
    expected = [label_features(t, c, chunks) | {"score": 1} for t, candidates in lists for c in candidates]
    assert_same(_core.label_rows(tokens, labels, scores, "x"), expected)


@given(labellings(CHUNKS))
def test_chunks_have_the_features_of_the_plain_version(lists):
    assert_labels_have_their_features(lists, True)


@given(labellings(st.sampled_from(["N", "V", "B-"])))
def test_labels_have_the_features_of_the_plain_version(lists):
    assert_labels_have_their_features(lists, False)


@pytest.mark.slow
@given(st.data())
def test_dependency_trees_have_the_features_of_the_plain_version(data):
    n = data.draw(st.integers(1, 9))
    tokens = [[data.draw(WORDS), data.draw(TAGS)] for _ in range(n)]
    relations = st.sampled_from(["r", "s"])
    trees = [
        (
            [data.draw(st.sampled_from([h for h in range(n + 1) if h != m])) for m in range(1, n + 1)],
            [data.draw(relations) for _ in range(n)],
        )
        for _ in range(3)
    ]
    expected = [arc_features(tokens, *tree) | {"score": 2} for tree in trees]
    assert_same(_core.arc_rows([tokens], [trees], [2.0] * 3, "x"), expected)
