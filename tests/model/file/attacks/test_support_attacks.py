"""Model files of rerankers in dual form that lie about their support: a ModelError, or a model that ranks."""

import json

import pytest
from forged import contents
from hypothesis import given, settings
from hypothesis import strategies as st
from reranking import attachments

from sapwood import ModelError, Reranker, load
from sapwood.model.file import container
from sapwood.model.file.container import Array


def altered(path, change):
    """Write a model's file again, its metadata and arrays changed."""
    metadata, arrays = contents(path)
    change(metadata, arrays)
    out = path.parent / "altered.sap"
    container.write(out, arrays, metadata)
    return out


def replaced(name, dtype, data, size):
    def change(metadata, arrays):
        arrays[name] = Array(dtype, (len(data) // size,), data)

    return change


def lacking(name):
    """Without an array, and without its name in the header."""

    def change(metadata, arrays):
        del arrays[f"extra.{name}"]
        metadata["extra"] = json.dumps([each for each in json.loads(metadata["extra"]) if each != name])

    return change


def renamed(old, new):
    def change(metadata, arrays):
        arrays[f"extra.{new}"] = arrays.pop(f"extra.{old}")
        metadata["extra"] = metadata["extra"].replace(f'"{old}"', f'"{new}"')

    return change


def optioned(**values):
    def change(metadata, arrays):
        metadata["options"] = json.dumps(json.loads(metadata["options"]) | values)

    return change


def without(name):
    def change(metadata, arrays):
        arrays.pop(name, None)
        metadata.pop(name, None)

    return change


FLAWS = [
    ("tree", without("extra.text"), "no array 'extra.text'"),
    ("tree", without("extra"), "does not belong there"),
    ("tree", lacking("text"), "no array 'extra.sizes'"),
    ("tree", lacking("alphas"), "no array 'extra.alphas'"),
    ("tree", renamed("alphas", "betas"), "does not belong there: 'extra.betas'"),
    ("tree", renamed("alphas", "oracles"), "'extra.oracles' is not a list of U32"),
    ("tree", optioned(examples_seen=0), "its clock is 0"),
    ("tree", optioned(examples_seen=-1), "its options lack examples_seen"),
    ("tree", optioned(examples_seen=1 << 62), "its options lack examples_seen"),
    ("tree", optioned(examples_seen="9"), "its options lack examples_seen"),
    ("tree", replaced("extra.alphas", "F64", bytes(8), 8), "support candidates, but 1 alphas"),
    ("tree", replaced("extra.text", "U8", b"\xff", 1), "not UTF-8"),
    ("tree", replaced("extra.text", "U8", b"(A a)", 1), "does not end with the end of a line"),
    ("tree", replaced("extra.text", "U8", b"(A a)\n", 1), "1 support candidates, but"),
    ("tree", optioned(kernel="polynomial"), "are not what the kernel polynomial compares"),
    ("tree", optioned(kernel="subsequence"), "not a JSON list of strings"),
    ("tree", optioned(kernel="linear"), "do not fit its kernel"),
    ("tree", optioned(decay=7), "decay is a number above 0"),
    ("votes", optioned(examples_seen=1), "order of their times"),
    ("votes", lacking("steps"), "no array 'extra.steps'"),
    ("votes", replaced("extra.steps", "F64", bytes(8), 8), "the parts of the updates differ in number"),
    (
        "rows",
        replaced("extra.values", "F32", bytes(4), 4),
        "the sizes of rows of features do not match the number of keys or values",
    ),
    ("rows", optioned(kernel="tree"), "are not what the kernel tree compares"),
]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dual")
    lists = attachments(12, 1)
    Reranker(kernel="tree", base_weight=0.1).fit(lists).save(folder / "tree.sap")
    Reranker(kernel="tree", voted=True, base_weight=0.1).fit(lists).save(folder / "votes.sap")
    Reranker(kernel="polynomial", base_weight=0.1).fit(lists).save(folder / "rows.sap")
    return folder


@pytest.mark.parametrize(("name", "change", "message"), FLAWS)
def test_files_that_lie_are_refused(models, name, change, message):
    path = altered(models / f"{name}.sap", change)
    with pytest.raises(ModelError, match="not a usable model") as caught:
        load(path)
    assert message in str(caught.value)


def test_support_of_broken_trees_is_a_model_error(models):
    def change(metadata, arrays):
        text = bytes(arrays["extra.text"].data).replace(b")", b"", 1)
        arrays["extra.text"] = Array.of("U8", text)

    with pytest.raises(ModelError, match="support: tree 1"):
        load(altered(models / "tree.sap", change))


@pytest.mark.slow
@settings(max_examples=150)
@given(
    st.sampled_from(["tree", "votes", "rows"]),
    st.integers(0, 10),
    st.integers(0, 10**6),
    st.binary(min_size=1, max_size=8),
)
def test_any_bytes_in_the_support_are_a_model_or_an_error(models, name, number, place, data):
    def change(metadata, arrays):
        names = sorted(array for array in arrays if array.startswith("extra."))
        array = names[number % len(names)]
        old = bytearray(arrays[array].data)
        place_in = place % len(old)
        old[place_in : place_in + len(data)] = data[: len(old) - place_in]
        arrays[array] = arrays[array]._replace(data=bytes(old))

    path = altered(models / f"{name}.sap", change)
    try:
        loaded = load(path)
    except ModelError as error:
        assert "\n" not in str(error)
    else:
        assert len(loaded.rank(attachments(2, 3))) == 2
