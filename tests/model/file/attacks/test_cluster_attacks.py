"""Model files whose word clusters lie: the container is sound and its checksum right, but what it says cannot be.

Each is loaded and tags a sentence: that must give a ModelError of one line, or work.
"""

import pytest
from forged import attacked, changed, contents, random_bytes
from hypothesis import given
from hypothesis import strategies as st

from sapwood import SequenceTagger
from sapwood.model.file.container import Array

SENTENCES = [[("the", "D"), ("dog", "N")], [("a", "D"), ("cat", "N")]]
PATHS = "000\tthe\t9\n0010\tdog\t5\n0010\tcat\t4\n0011\tRome\t3\n01\t1111\t2\n1\ta\t1\n"
ARRAYS = ["clusters.high", "clusters.low", "clusters.classes", "clusters.tree"]


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Metadata and arrays of an honest model."""
    folder = tmp_path_factory.mktemp("honest")
    (folder / "paths").write_text(PATHS)
    template = "U00:%cluster[0,0]\nU01:%cluster[0,0,2]\n"
    SequenceTagger(template=template, clusters=folder / "paths", min_updates=1).fit(SENTENCES).save(folder / "m.sap")
    return contents(folder / "m.sap")


@pytest.fixture
def attack(honest, tmp_path):
    """attack(metadata changes, array changes): write, load, tag; the ModelError, or None if all works."""

    def run(metadata=None, arrays=None):
        return attacked(tmp_path / "bad.sap", honest, metadata, arrays, check)

    return run


def check(tagger):
    """Every token gets a label of the model's."""
    [labels] = tagger.predict([["the", "dog", "?"]])
    assert set(labels) <= {"D", "N"}


def bytes_array(data):
    return Array("U8", (len(data),), bytes(data))


def test_the_honest_model_works(attack):
    assert attack() is None


@pytest.mark.parametrize("field", ["words", "key_bits"])
@pytest.mark.parametrize(
    "value", [0, -1, 1, 7, 64, 65, 1 << 31, 1 << 32, 1 << 61, 1 << 64, 10**30, 1.0, "1", None, True]
)
def test_sizes_that_lie_are_refused(attack, honest, field, value):
    assert attack(changed(honest, "clusters", **{field: value}))


@pytest.mark.parametrize("text", ["", "{}", "[]", "3", '"whole"', '"other"', "null", '{"words":6}', "[" * 10_000])
def test_metadata_of_another_kind_are_refused(attack, text):
    assert attack({"clusters": text})


def test_arrays_and_metadata_go_together(attack):
    assert "does not belong there" in attack({"clusters": None})
    for name in ARRAYS:
        assert f"no array '{name}'" in attack(None, {name: None})


def test_a_model_without_its_clusters_works(attack):
    """The template's lines are left out then; there is nothing wrong with the file."""
    assert attack({"clusters": None}, dict.fromkeys(ARRAYS)) is None


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_that_are_longer_shorter_or_of_another_type(attack, honest, name):
    data = bytes(honest.arrays[name].data)
    for wrong in (b"", data[:-1], data + b"\0", data + b"\1", data * 100):
        assert attack(None, {name: bytes_array(wrong)})
    assert attack(None, {name: Array("I8", (len(data),), data)})
    assert attack(None, {name: Array("U8", (1, len(data)), data)})


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (b"", "ends too early"),
        (b"\0", "no class or too many"),
        (b"\x55" * 60, "ends too early"),  # children 0 of children 0
        (b"\x55" * 64 + b"\0", "too deep"),
        (b"\xff" * 1000, "too deep"),
        (b"\x03", "the word clusters: the classes have the wrong length"),  # two leaves
        (b"\x43\x00\xf0", "bytes to spare"),
    ],
)
def test_trees_that_are_none_are_refused(attack, tree, message):
    assert message in attack(None, {"clusters.tree": bytes_array(tree)})


def test_classes_that_are_not_there(attack, honest):
    """Five classes are numbers of three bits."""
    wrong = b"\xff" * len(honest.arrays["clusters.classes"].data)
    assert "the word clusters: a class is out of range" in attack(None, {"clusters.classes": bytes_array(wrong)})


def test_too_many_classes_are_refused(attack):
    """A tree of 2^17 leaves, seventeen levels deep."""
    nodes = []

    def grow(depth):
        nodes.append(3 if depth < 17 else 0)
        if depth < 17:
            grow(depth + 1)
            grow(depth + 1)

    grow(0)
    nodes += [0] * (-len(nodes) % 4)
    packed = bytes(a | b << 2 | c << 4 | d << 6 for a, b, c, d in zip(*[iter(nodes)] * 4, strict=True))
    assert "too many" in attack(None, {"clusters.tree": bytes_array(packed)})


@given(st.data())
def test_random_bytes_are_refused_or_work(honest, tmp_path_factory, data):
    broken = random_bytes(data, {name: honest.arrays[name] for name in ARRAYS})
    attacked(tmp_path_factory.mktemp("random") / "m.sap", honest, None, broken, check)
