"""Model files whose lexicon of tags lies: an error of one line, or labels of the model's; never a crash.

The container of each file is sound and its checksum right, but what it says cannot be (see test_model_attacks.py).
"""

import json
from array import array

import pytest
from forged import attacked, contents, random_bytes
from hypothesis import given
from hypothesis import strategies as st

from sapwood import SequenceTagger
from sapwood.model.file.container import Array
from sapwood.tasks.tagging.row_tagger import LEXICON_ARRAYS

SENTENCES = [[("the", "D"), ("walk", "N")], [("a", "D"), ("dog", "N")]]
WORDS = [("the", "DET", []), ("walk", "NOUN", []), ("walk", "VERB", []), ("dog", "NOUN", []), ("a", "DET", [])]
ARRAYS = [f"extra.{name}" for name in LEXICON_ARRAYS]


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Metadata and arrays of an honest model."""
    path = tmp_path_factory.mktemp("honest") / "m.sap"
    SequenceTagger(template="U0:%lexicon[0,0]\n", lexicon=WORDS, min_updates=1).fit(SENTENCES).save(path)
    return contents(path)


@pytest.fixture
def attack(honest, tmp_path):
    """attack(array changes, metadata changes): write, load, tag; the ModelError, or None if all works."""

    def run(arrays=None, metadata=None):
        return attacked(tmp_path / "bad.sap", honest, metadata, arrays, check)

    return run


def check(tagger):
    """Every token gets a label of the model's."""
    [labels] = tagger.predict([["the", "walk", "?"]])
    assert set(labels) <= {"D", "N"}


def text(data):
    return Array.of("U8", data)


def test_the_honest_model_works(attack):
    assert attack() is None


def test_a_model_without_its_lexicon_works(attack, honest):
    """The template's lines are left out then; there is nothing wrong with the file."""
    kept = [name for name in json.loads(honest.metadata["extra"]) if not name.startswith("lexicon")]
    assert attack(dict.fromkeys(ARRAYS), {"extra": json.dumps(kept)}) is None


@pytest.mark.parametrize("name", LEXICON_ARRAYS)
def test_a_part_of_a_lexicon_is_refused(attack, honest, name):
    kept = [each for each in json.loads(honest.metadata["extra"]) if each != name]
    assert "does not have all of its lexicon" in attack({f"extra.{name}": None}, {"extra": json.dumps(kept)})


@pytest.mark.parametrize("name", [name for name in ARRAYS if not name.endswith("tags")])
def test_arrays_that_are_longer_shorter_or_of_another_type(attack, honest, name):
    kind, _, data = honest.arrays[name]
    size = 8 if kind == "U64" else 1
    for wrong in (b"", data[:-size], data + b"\0" * size, data + b"\1" * size, data * 100):
        assert attack({name: Array.of(kind, wrong)})
    assert attack({name: Array.of("I8", data)})


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("value", [0, 1, 7, 64, 65, 1 << 31, 1 << 32, 1 << 61, (1 << 64) - 1])
def test_sizes_that_lie_are_refused(attack, honest, number, value):
    sizes = array("Q", honest.arrays["extra.lexicon.sizes"].data)
    sizes[number] = value
    assert "the lexicon: " in attack({"extra.lexicon.sizes": Array.of("U64", sizes.tobytes())})


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        (b"", "its tags are not distinct, ascending texts"),
        (b"DET\nNOUN\nNOUN", "its tags are not distinct, ascending texts"),
        (b"DET\nVERB\nNOUN", "its tags are not distinct, ascending texts"),
        (b"DET\nNOUN\nV+V", "its tags are not distinct, ascending texts"),
        (b"DET\nNOUN\nVERB\0", "its tags are not distinct, ascending texts"),
        (b"DET\nNOUN\nVERB\n", "its tags are not distinct, ascending texts"),
        (b"DET\nNOUN", "a class is not a set of its tags"),
        (b"DET\nNOUN\nVERB\nX", "a class is not a set of its tags"),
        (b"DET\nNOUN\n\xff", "its tags are not UTF-8 text"),
    ],
)
def test_tags_that_are_none_are_refused(attack, tags, message):
    assert f"the lexicon: {message}" in attack({"extra.lexicon.tags": text(tags)})


def packed(nodes):
    nodes = nodes + [0] * (-len(nodes) % 4)
    return bytes(a | b << 2 | c << 4 | d << 6 for a, b, c, d in zip(*[iter(nodes)] * 4, strict=True))


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([], "the tree ends too early"),
        ([0], "the tree has no class or too many"),
        ([1] * 300 + [0], "the tree is too deep"),
        ([3, 3, 0, 0, 0], "a class is not a set of its tags"),  # 00, 01 and 1
        ([3, 1, 1, 0, 3, 1, 0, 1, 0], "a class is not a set of its tags"),  # 000, 100 and 110
    ],
)
def test_trees_that_are_none_are_refused(attack, nodes, message):
    assert message in attack({"extra.lexicon.tree": text(packed(nodes))})


def test_classes_that_are_not_there(attack, honest):
    wrong = b"\xff" * len(honest.arrays["extra.lexicon.classes"].data)
    assert "the lexicon: a class is out of range" in attack({"extra.lexicon.classes": text(wrong)})


@given(st.data())
def test_random_bytes_are_refused_or_work(honest, tmp_path_factory, data):
    broken = random_bytes(data, {name: honest.arrays[name] for name in ARRAYS})
    attacked(tmp_path_factory.mktemp("random") / "m.sap", honest, None, broken, check)
