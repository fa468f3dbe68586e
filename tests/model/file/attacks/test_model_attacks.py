"""Model files that lie: the container is sound and its checksum right, but what it says cannot be.

Each is loaded, tags a sentence and is inspected: that must give a ModelError of one line, or work.
"""

import json
import struct

import pytest
from forged import attacked, changed, contents, random_bytes
from hypothesis import given
from hypothesis import strategies as st

import sapwood
from sapwood import ModelError, SequenceTagger
from sapwood.model.file import container
from sapwood.model.file.container import Array

CORPUS = [[("the", "D"), ("dog", "N")], [("a", "D"), ("cat", "N"), ("sat", "V")]]
LABELS = ["D", "N", "V"]


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Metadata and arrays of an honest model."""
    folder = tmp_path_factory.mktemp("honest")
    (folder / "list.txt").write_text("dog\ncat\n")
    (folder / "t.tpl").write_text('U00:%x[0,0]\nU01:%in[0,0,"list.txt"]\nB\n')
    tagger = SequenceTagger(template=folder / "t.tpl", min_updates=1, names=True, bits=8).fit(CORPUS)
    tagger.save(folder / "m.sap")
    return contents(folder / "m.sap")


@pytest.fixture
def attack(honest, tmp_path, run_cli):
    """attack(metadata changes, array changes): write, load, tag, inspect; the ModelError, or None if all works."""

    def run(metadata=None, arrays=None):
        def check_and_inspect(tagger):
            check(tagger)
            assert run_cli(["inspect", tmp_path / "bad.sap"]).status == 0

        return attacked(tmp_path / "bad.sap", honest, metadata, arrays, check_and_inspect)

    return run


def check(tagger):
    """Every token gets a label of the model's."""
    [labels] = tagger.predict([["the", "dog", "?"]])
    assert len(labels) == 3
    assert set(labels) <= set(tagger.model_.labels)
    if tagger.search == "viterbi":
        tagger.n_best([["the", "dog", "?"]], 3)


def test_the_honest_model_works(attack):
    assert attack() is None


@pytest.mark.parametrize(
    "key",
    ["format", "task", "labels", "template", "columns", "options", "weights", "tables", "word_lists", "provenance"],
)
def test_metadata_that_is_something_else(attack, key):
    for text in (None, "", "null", "[]", "{}", "3", "[[", '""', "[" * 5000, "[1,2]", '{"a":1}', "NaN"):
        error = attack({key: text})
        assert error is not None or (key, text) in {("provenance", "{}"), ("provenance", '{"a":1}')}, text


@pytest.mark.parametrize("text", ["", "hello", "[" * 100_000, "9" * 5000, "{"])
def test_metadata_that_no_version_has_are_left_alone(attack, text):
    assert attack({"note": text}) is None


@pytest.mark.slow
def test_millions_of_values_are_refused_before_they_take_gigabytes(attack):
    assert "'labels' in its header has over 2,000,000 values" in attack({"labels": "[" + "0," * 2_000_000 + "0]"})


@pytest.mark.parametrize(
    "labels", [["D", "N"], ["D", "D", "V"], ["D", "N", 3], ["D", "N", None], [], ["D", "N", "V", "X"]]
)
def test_labels_that_do_not_fit_are_refused(attack, labels):
    assert attack({"labels": json.dumps(labels)})


@pytest.mark.parametrize("label", ["", "a\tb", "a\nb", "a\rb", "a\0b", "\ud800"])
def test_labels_that_would_break_a_column_file_are_refused(attack, label):
    """Written behind a token, such a label would add columns, lines or sentences to the output."""
    assert attack({"labels": json.dumps(["D", "N", label])})


@pytest.mark.parametrize(
    "scale", ["0", "-1", "NaN", "Infinity", "-Infinity", "1e400", "1" + "0" * 400, "true", '"1"', "null", "-0.0"]
)
def test_scales_that_are_none_are_refused(attack, scale):
    assert attack({"weights": f'{{"bits":8,"scale":{scale}}}'})


@pytest.mark.parametrize("bits", [0, 1, 7, 16, 32, 64, -8, 8.0, "8", True, None, 10**30])
def test_bits_that_are_none_are_refused(attack, bits):
    assert attack({"weights": json.dumps({"bits": bits, "scale": 1.0})})


@pytest.mark.parametrize(
    "options",
    [
        {"search": "beam"}, {"search": []}, {"search": {}}, {"search": None}, {"search": "greedy"},
        {"search": "argmax"}, {"order": 0}, {"order": 2}, {"order": 3}, {"order": -1}, {"order": "1"},
        {"order": 10**30},
        {"order": 1.5}, {"order": None}, {"order": []},
        {"encoding": "bilou"}, {"encoding": None}, {"encoding": []}, {"encoding": {}},
    ],
)  # fmt: skip
def test_options_that_are_none_are_refused(attack, honest, options):
    assert attack(changed(honest, "options", **options))


@pytest.mark.parametrize("name", ["gamma", "min_updates", "update", "history", "average"])
@pytest.mark.parametrize("value", [None, [], {}, "x", -1, 1e300, "\ud800"])
def test_options_that_tagging_does_not_use(attack, honest, name, value):
    attack(changed(honest, "options", **{name: value}))


def test_text_that_cannot_be_shown(attack, honest):
    attack({"provenance": json.dumps({"\ud800": "\udfff"})})
    attack(changed(honest, "options", **{"\ud800": "\udfff"}))
    attack({"provenance": json.dumps({"note": "\x1b[2J\r\n"})})


@pytest.mark.parametrize(
    "columns",
    [
        {"names": ["0", "1"], "label": 2}, {"names": ["0", "1"], "label": -1}, {"names": ["0", "1"], "label": 0},
        {"names": ["0"], "label": 0}, {"names": [], "label": 0}, {"names": [0, 1], "label": 1},
        {"names": ["0", "1"], "label": 10**30}, {"names": ["0", "1"], "label": True},
        {"names": ["0", "\ud800"], "label": 1}, {"names": "01", "label": 1}, {"names": ["0", "1"]},
    ],
)  # fmt: skip
def test_columns_that_are_none_are_refused(attack, columns):
    assert attack({"columns": json.dumps(columns)})


@pytest.mark.parametrize(
    "template",
    [
        "",
        "\n",
        "nonsense",
        "U:%x[0,1]",
        "U:%x[0,9]",
        "U:%x[0",
        'U:%in[0,0,"other.txt"]\nU:%in[0,0,"list.txt"]\n',
        "U\0:",
    ],
)
def test_templates_that_do_not_fit_are_refused(attack, template):
    assert attack({"template": template})


@pytest.mark.few(30)
@pytest.mark.parametrize("field", ["features", "weights", "width", "key_bits"])
@pytest.mark.parametrize(
    "value", [0, -1, 3, 65, 1 << 31, 1 << 32, (1 << 61) - 1, 1 << 62, 1 << 64, 10**30, 1.0, "1", None, True]
)
@pytest.mark.parametrize("table", [0, 1])
def test_sizes_of_tables_that_lie_are_refused(attack, honest, field, value, table):
    tables = json.loads(honest[0]["tables"])
    if tables[table][field] == value and not isinstance(value, (bool, float)):
        return
    tables[table][field] = value
    assert attack({"tables": json.dumps(tables)})


@pytest.mark.parametrize(
    "lengths", [[], [1], [1, 2, 3, 4, 5], [-1, 1, 1, 1], [1 << 80, 1, 1, 1], ["1"], [True] * 4, {}]
)
def test_lengths_of_sections_that_lie_are_refused(attack, honest, lengths):
    tables = json.loads(honest.metadata["tables"])
    tables[0]["lengths"] = lengths
    assert attack({"tables": json.dumps(tables)})


def test_sections_that_begin_elsewhere(attack, honest):
    """Bytes of one section that another one has in its place."""
    for k in range(3):
        for shift in (-2, -1, 1, 2):
            tables = json.loads(honest.metadata["tables"])
            lengths = tables[0]["lengths"]
            lengths[k], lengths[k + 1] = lengths[k] + shift, lengths[k + 1] - shift
            assert attack({"tables": json.dumps(tables)})


def test_too_few_and_too_many_tables_are_refused(attack, honest):
    tables = json.loads(honest[0]["tables"])
    for wrong in ([], tables[:1], [*tables, tables[0]], [*tables] * 1000, tables[::-1]):
        assert attack({"tables": json.dumps(wrong)})


@pytest.mark.parametrize(
    "lists",
    [[], [{"name": "list.txt", "longest": 65}], [{"name": "list.txt", "longest": -1}], [{"name": 3, "longest": 1}],
     [{"name": "list.txt"}], [{"name": "list.txt", "longest": 1}] * 2, [{"name": "list.txt", "longest": 1 << 61}]],
)  # fmt: skip
def test_word_lists_that_are_none_are_refused(attack, lists):
    assert attack({"word_lists": json.dumps(lists)})


@pytest.mark.parametrize(
    "data",
    [b"", bytes(8), bytes(7), bytes(15), b"\xff" * 8 + bytes(8)],
)
def test_phrases_of_word_lists_are_in_order_or_refused(attack, data):
    """Fewer or other phrases are another list; those out of order or of no whole number are none."""
    error = attack(
        None,
        {"list.0": Array("U64", (len(data) // 8,), data)}
        if len(data) % 8 == 0
        else {"list.0": Array("U8", (len(data),), data)},
    )
    assert (error is None) == (data in (b"", bytes(8)))


@pytest.mark.parametrize("name", ["0.table", "0.names", "1.table", "list.0"])
def test_arrays_that_are_missing_longer_shorter_or_of_another_type(attack, honest, name):
    array = honest.arrays[name]
    other = "F32" if array.dtype != "F32" else "I8"
    width = {"U8": 1, "U64": 8}[array.dtype]
    n = array.shape[0]
    longer = Array(array.dtype, (n + 1,), array.data + b"\1" * width)
    shorter = Array(array.dtype, (n - 1,), array.data[:-width])
    assert attack(None, {name: None}) or name == "0.names"  # without names it is a model without names
    assert attack(None, {name: Array(array.dtype, (1, n), array.data)})
    assert attack(None, {name: Array(other, (0,), b"")})
    if name != "list.0":
        assert attack(None, {name: longer}) or name == "0.names"
        assert attack(None, {name: shorter}) or name == "0.names"


def test_an_array_that_does_not_belong_there(attack):
    assert "'extra'" in attack(None, {"extra": Array("U8", (1,), b"x")})


def test_names_that_are_no_text(attack, honest):
    n = len(honest[1]["0.names"].data)
    assert attack(None, {"0.names": Array("U8", (n,), b"\xff" * n)})
    assert attack(None, {"0.names": Array("U8", (n,), b"\n" * n)})


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), -float("inf"), 0.0])
def test_weights_that_are_no_numbers(attack, tmp_path, weight):
    SequenceTagger(template="U:%x[0,0]\n", min_updates=1, bits=32).fit(CORPUS).save(tmp_path / "f.sap")
    metadata, arrays = contents(tmp_path / "f.sap")
    data = bytearray(arrays["0.table"].data)
    struct.pack_into("<f", data, len(data) - 4, weight)
    arrays["0.table"] = Array.of("U8", bytes(data))
    container.write(tmp_path / "f.sap", arrays, metadata)
    with pytest.raises(ModelError, match="a weight is zero, infinite or out of range"):
        sapwood.load(tmp_path / "f.sap")


@given(data=st.data())
def test_random_bits_in_the_arrays_are_refused_or_tag(honest, tmp_path_factory, data):
    """Whatever the packed arrays hold, loading refuses it or gives a tagger that tags."""
    path = tmp_path_factory.getbasetemp() / "random.sap"
    attacked(path, honest, None, random_bytes(data, honest.arrays), check)
