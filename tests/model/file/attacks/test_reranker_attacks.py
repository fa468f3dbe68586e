"""Model files of rerankers and grammars that lie: an error of one line, or a model that works; never a crash.

The container of each file is sound and its checksum right, but what it says cannot be (see test_model_attacks.py).
"""

import json
import math
import struct
from itertools import product

import pytest
from forged import attacked, changed, contents
from hypothesis import given, settings
from hypothesis import strategies as st

import sapwood
from sapwood import DataError, Reranker
from sapwood.io.lists import Candidate, CandidateList
from sapwood.model.file.container import Array
from sapwood.tasks.parsing.grammar import PhraseParser

TREES = ["(TOP (S (NP (D the) (N dog)) (VP (V barks))))", "(TOP (S (NP (D a) (J old) (J sad) (N cat)) (VP (V sees))))"]
KINDS = {
    "weights": {},
    "dot": {"voted": True},
    "tree": {"kernel": "tree"},
    "tree voted": {"kernel": "tree", "voted": True},
    "subsequence": {"kernel": "subsequence", "length": 2},
    "polynomial": {"kernel": "polynomial"},
}
FORMATS = {"F64": "d", "U32": "I", "U64": "Q", "F32": "f"}
ALL = [*KINDS, "grammar"]


def tree_lists():
    """Of each tree, itself after a flat one."""
    return [
        CandidateList("tree", [Candidate("(TOP (X y) (X z))", -1.0, 2.0), Candidate(tree, -2.0, 0.0)]) for tree in TREES
    ]


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Metadata and arrays of an honest model of each kind."""
    path = tmp_path_factory.mktemp("honest") / "m.sap"
    models = {}
    for kind in ALL:
        model = PhraseParser().fit(TREES) if kind == "grammar" else Reranker(**KINDS[kind], epochs=3).fit(tree_lists())
        model.save(path)
        models[kind] = contents(path)
    return models


@pytest.fixture
def attack(honest, tmp_path, run_cli):
    """attack(kind, metadata changes, array changes): write, load, use, inspect; the ModelError, or None."""

    def run(kind, metadata=None, arrays=None):
        def check_and_inspect(model):
            check(model)
            assert run_cli(["inspect", tmp_path / "bad.sap"]).status == 0

        return attacked(tmp_path / "bad.sap", honest[kind], metadata, arrays, check_and_inspect)

    return run


def check(model):
    """The model works, or says why it cannot."""
    if isinstance(model, PhraseParser):
        for n in (1, 20):
            for sentence, best in zip(
                (["the", "dog", "barks"], ["x"]), model.n_best([["the", "dog", "barks"], ["x"]], n), strict=True
            ):
                assert 1 <= len(best) <= n
                assert all(math.isfinite(score) for _, score in best)
                assert all(tree.count("(") == tree.count(")") for tree, _ in best)
                assert all([word for _, word in sapwood._core.read_tree(tree, "x")[1]] == sentence for tree, _ in best)
        return
    try:
        ranked = model.rank(tree_lists())
    except DataError as error:
        assert str(error).isprintable()
        return
    for each in ranked:
        assert sorted(each.order) == [0, 1]
        assert all(math.isfinite(score) for score in each.scores)


def numbers(dtype, *values):
    """An array of numbers."""
    return Array(dtype, (len(values),), struct.pack(f"<{len(values)}{FORMATS[dtype]}", *values))


def text(data):
    """An array of bytes."""
    return Array.of("U8", data)


@pytest.mark.parametrize("kind", ALL)
def test_the_honest_models_work(attack, kind):
    assert attack(kind) is None


KEYS = ["task", "labels", "columns", "options", "weights", "tables", "extra"]
VALUES = [None, "", "null", "[]", "{}", "3", '""', "[" * 5000, "[1,2]", '{"a":1}', "NaN", '["x"]']
HARMLESS = {("labels", "[]"), ("labels", '["x"]'), ("options", "{}"), ("options", '{"a":1}')}  # in a grammar


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", ALL)
def test_metadata_that_is_something_else(attack, honest, kind):
    for key, value in product(KEYS, VALUES):
        error = attack(kind, {key: value})
        harmless = honest[kind][0].get(key) == value or (key == "extra" and key not in honest[kind][0])
        harmless |= kind == "grammar" and (key, value) in HARMLESS
        assert error or harmless or (key, value) == ("labels", '["x"]'), (key, value)


WRONG = [
    None,
    [],
    {},
    "x",
    -1,
    0,
    7,
    True,
    0.5,
    1e300,
    5e-324,
    math.inf,
    math.nan,
    10**9,
    10**30,
    10**400,
    [[]],
    "a\nb",
]


@pytest.mark.few(6)
@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("value", WRONG, ids=lambda value: repr(value)[:30])
def test_options_of_any_value_are_refused_or_harmless(attack, honest, kind, value):
    names = {
        *json.loads(honest[kind][0]["options"]),
        "threads",
        "cache",
        "epochs",
        "seed",
        "bits",
        "min_updates",
        "other",
    }
    names |= {"kernel", "voted", "decay", "length", "degree", "normalise"}
    for name in sorted(names):
        attack(kind, changed(honest[kind], "options", **{name: value}))


@pytest.mark.parametrize(
    "options",
    [
        {"kind": "forest"}, {"kind": None}, {"kind": ["tree"]}, {"score_scale": math.inf}, {"score_scale": 0.0},
        {"score_scale": "1"}, {"score_scale": math.nan}, {"update": "winnow"}, {"gamma": -1},
        {"base_weight": math.nan}, {"kernel": "forest"}, {"voted": 1}, {"decay": 0}, {"degree": 0}, {"length": -1},
        {"average": None}, {"threads": 0}, {"kernel": "linear"}, {"kernel": "polynomial"}, {"min_updates": 3},
    ],
    ids=repr,
)  # fmt: skip
def test_options_that_cannot_be(attack, honest, options):
    assert attack("tree", changed(honest["tree"], "options", **options))


def test_huge_options_take_no_time(attack, honest):
    attack("polynomial", changed(honest["polynomial"], "options", degree=2**32 - 1))
    attack("subsequence", changed(honest["subsequence"], "options", length=2**32 - 1, decay=1))
    attack("tree", changed(honest["tree"], "options", threads=2**32 - 1))


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", ALL[:-1])
@pytest.mark.parametrize("other", ALL)
def test_arrays_and_headers_of_other_models_are_refused_or_work(attack, honest, kind, other):
    """Each array is exchanged for each of the other model's, and each entry of the header."""
    for name in honest[kind][1]:
        attack(kind, arrays={name: None})
        for array in honest[other][1].values():
            attack(kind, arrays={name: array})
    for key in honest[kind][0]:
        attack(kind, {key: honest[other][0].get(key)})
    attack(kind, {"options": honest[other][0]["options"]})


@pytest.mark.parametrize(
    ("kind", "name", "array", "message"),
    [
        ("tree", "alphas", numbers("F64", math.nan, 0), "an alpha is not a number up to 1e100"),
        ("tree", "alphas", numbers("F64", math.inf, 0), "an alpha is not a number up to 1e100"),
        ("tree", "alphas", numbers("F64", 1), "2 support candidates, but 1 alphas"),
        ("tree", "alphas", numbers("F64", 1e308, 1e308), "an alpha is not a number up to 1e100"),
        ("tree", "text", text(b""), "0 support candidates, but 2 alphas"),
        ("tree", "text", text(b"\n\n"), "support: tree 1: it is empty"),
        ("tree", "text", text(b"(A\n(A\n"), "does not close"),
        ("tree", "text", text(b"(A a) (B b)\n(A a)\n"), "2 trees, not one"),
        ("tree", "text", text(b"\xff\n"), "not UTF-8"),
        ("tree", "text", text(b"(A \0)\n(A a)\n"), "NUL"),
        ("subsequence", "text", text(b"[]\n[3]\n"), "not a JSON list of strings"),
        ("subsequence", "text", text(b"[]\n" + b"[" * 9999 + b"\n"), "not a JSON list of strings"),
        ("subsequence", "text", text(b'["\\ud800"]\n[]\n'), None),
        ("polynomial", "values", numbers("F32", *[math.nan] * 30), "sizes"),
        ("polynomial", "sizes", numbers("U32", 2**32 - 1, 2**32 - 1), "sizes"),
        ("tree voted", "oracles", numbers("U32", 2**32 - 1), "a candidate that is not there"),
        ("tree voted", "guesses", numbers("U32", 2), "a candidate that is not there"),
        ("tree voted", "steps", numbers("F64", math.nan), "the step of an update is not a number"),
        ("tree voted", "times", numbers("U64", 2**64 - 1), "not in the order of their times"),
        ("tree voted", "times", numbers("U64"), "the parts of the updates differ in number"),
    ],
)
def test_support_that_does_not_fit_is_refused(attack, kind, name, array, message):
    error = attack(kind, arrays={f"extra.{name}": array})
    assert error is None if message is None else error and message in error


GRAMMAR = "s\tTOP\tTOP\ns\tA\tA\ns\t\tcut\nb\t0\t1\t2\t3\nb\t2\t1\t1\t3\nc\t3\t0\nc\t9\t1\nw\tx\t1\t9\n"


@pytest.mark.parametrize(
    "change",
    [
        ("x", "x"),
        ("w\tx\t1\t9\n", "w\tx\t2\t9\n"),  # a word under a state that shows nothing
        ("w\tx\t1\t9\n", "w\tx\t0\t9\n"),
        ("c\t3\t0\n", "c\t3\t0\t2\n"),
        ("c\t3\t0\n", "c\t3\t2\nc\t1\t0\n"),
        ("c\t3\t0\n", "c\t3\t0\t0\t0\t0\nc\t1\t0\n"),
        ("c\t3\t0\n", ""),
        ("s\tTOP\tTOP", "s\tROOT\tTOP"),
        ("s\tA\tA", "s\tA B\tA"),  # no labels of a tree
        ("s\tA\tA", "s\tA(\tA"),
        ("s\tA\tA", "s\t)\tA"),
        ("s\tA\tA", "s\tA\r\tA"),
        ("s\tA\tA", "s\tTOP\tA"),
        ("s\tA\tA", "s\t\tA"),
        ("b\t2\t1\t1\t3", "b\t2\t2\t2\t3"),
        ("b\t2\t1\t1\t3", "b\t2\t1\t1\t4294967295"),
        ("b\t2\t1\t1\t3", "b\t2\t1\t1\t4294967294"),
        ("c\t9\t1", "c\t1" + "\t1" * 5000),
        ("w\tx\t1\t9", "w\t\t1\t9"),
        ("w\tx\t1\t9", "w\tx\t1\t9\t1\t8"),
        ("w\tx\t1\t9", "w\tx" + "\xe9" * 60),  # what a message quotes is cut between characters
    ],
    ids=repr,
)
def test_grammars_that_lie_are_refused_or_work(attack, change):
    attack("grammar", arrays={"extra.grammar": text(GRAMMAR.replace(*change).encode())})


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_bits_that_flip_are_refused_or_work(honest, tmp_path_factory, data):
    """A bit of an array, the checksum made right."""
    kind = data.draw(st.sampled_from(ALL))
    arrays = honest[kind].arrays
    name = data.draw(st.sampled_from(sorted(arrays)))
    array = arrays[name]
    bit = data.draw(st.integers(0, max(8 * len(array.data) - 1, 0)))
    broken = bytearray(array.data)
    if broken:
        broken[bit // 8] ^= 1 << bit % 8
    path = tmp_path_factory.getbasetemp() / "flipped.sap"
    attacked(path, honest[kind], None, {name: Array(array.dtype, array.shape, bytes(broken))}, check)
