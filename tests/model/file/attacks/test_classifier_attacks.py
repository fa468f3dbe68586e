"""Classifiers' model files that lie: an error of one line, or a classifier that works; never a crash.

The container of each file is sound and its checksum right, but what it says cannot be (see test_model_attacks.py).
"""

import json
import math

import pytest
from forged import attacked, changed, contents, random_bytes
from hypothesis import given
from hypothesis import strategies as st

from sapwood import Classifier, DataError

RECORDS = [
    {"label": "+", "text": "good old film", "genre": "drama", "price": 3},
    {"label": "-", "text": "bad new film", "genre": "horror", "price": 4},
    {"label": "?", "text": "a film", "genre": "", "price": 0},
] * 4
TEMPLATE = 'U:bias\nA1:%X[0,0]\nC2:%CHARS[0,0,2]\nU3:%d[genre]\nN4:%d[price]\nA5:%in[0,0,"list.txt"]\n'
FEATURES = [{"a": 1, "x": 0.5}, {"b": 1, "x": -0.5}] * 4
KINDS = ["texts", "two", "features"]
INPUT = "".join(json.dumps({**record, "features": FEATURES[0]}) + "\n" for record in RECORDS[:3]).encode()
TEXTS = b"".join(json.dumps(record).encode() + b"\n" for record in RECORDS[:3])


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Metadata and arrays of honest models: of texts with three labels, with two, of features."""
    folder = tmp_path_factory.mktemp("honest")
    (folder / "list.txt").write_text("film\nold film\n")
    (folder / "t.tpl").write_text(TEMPLATE)
    for name, records in (("three", RECORDS), ("two", [r for r in RECORDS if r["label"] != "?"])):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    options = {"min_updates": 1, "names": True, "template": folder / "t.tpl"}
    models = {}
    for kind in KINDS:
        classifier = Classifier(**options)
        if kind == "features":
            classifier.fit(FEATURES, ["+", "-"] * 4).calibrate(FEATURES, ["+", "-"] * 4)
        else:
            file = folder / f"{'two' if kind == 'two' else 'three'}.jsonl"
            classifier.fit(file).calibrate(file, method="temperature" if kind == "two" else "isotonic")
        classifier.save(folder / "m.sap")
        models[kind] = contents(folder / "m.sap")
    return models


@pytest.fixture
def attack(honest, tmp_path, run_cli):
    """attack(kind, metadata changes, array changes): write, load, classify, inspect; the ModelError, or None."""

    def run(kind, metadata=None, arrays=None):
        def check_and_inspect(classifier):
            check(classifier, kind)
            assert run_cli(["inspect", tmp_path / "bad.sap"]).status == 0

        return attacked(tmp_path / "bad.sap", honest[kind], metadata, arrays, check_and_inspect)

    return run


def check(classifier, kind):
    """Every example gets a label of the model, and a number that is one, or the input does not fit."""
    for top in (0, 2):
        try:
            [lines] = classifier.annotate([INPUT if kind == "features" else TEXTS], format="jsonl", top=top)
        except DataError as error:
            assert str(error).isprintable()
            continue
        assert lines.count(b"\n") == 3
        for line in lines.decode().split("\n")[:-1]:
            cells = line.split("\t")
            assert set(cells[::2]) <= {*classifier.labels_, "_"}
            assert all(math.isfinite(float(number)) for number in cells[1::2])


@pytest.mark.parametrize("kind", KINDS)
def test_the_honest_models_work(attack, kind):
    assert attack(kind) is None


@pytest.mark.few(8)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "key", ["task", "labels", "template", "columns", "options", "weights", "tables", "calibration"]
)
def test_metadata_that_is_something_else(attack, kind, key):
    for text in (None, "", "null", "[]", "{}", "3", '""', "[" * 5000, "[1,2]", '{"a":1}', "NaN"):
        error = attack(kind, {key: text})
        without = (key, text) in {("calibration", None)} or (kind, key, text) == ("features", "template", "")
        assert (error is None) == without, text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labels", [["+"], ["+", "-", "?", "more"], ["+", "+"], [], [3, 4], ["+", "a\tb"], ["+", ""]])
def test_labels_that_do_not_fit_the_weights_are_refused(attack, kind, labels):
    """Fewer or more do not fit the weights, nor the calibration."""
    assert attack(kind, {"labels": json.dumps(labels)})


WRONG = [None, [], {}, "x", -1, 7, True, 0.5, 1e300, 10**400, "\ud800", [[]], ["a", 3], "a\nb"]
CHECKED = ["update", "gamma", "average", "min_updates", "penalty", "eta", "prune_below", "class_weight", "shuffle",
           "drop_below", "tag_in_label", "format", "fields", "label", "text"]  # fmt: skip


@pytest.mark.few(5)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", WRONG, ids=lambda value: repr(value)[:60])
def test_options_of_another_type_are_refused_or_harmless(attack, honest, kind, value):
    for name in (*CHECKED, "seed", "threads", "patience", "cv", "epochs", "names", "bits", "template", "other"):
        attack(kind, changed(honest[kind], "options", **{name: value}))


@pytest.mark.few(30)
@pytest.mark.parametrize(
    "options",
    [
        {"gamma": "x"}, {"gamma": None}, {"gamma": -1}, {"gamma": 10**400}, {"min_updates": "x"}, {"min_updates": 0},
        {"min_updates": 1.5}, {"class_weight": 7}, {"class_weight": "heavy"}, {"class_weight": []},
        {"update": "winnow"}, {"update": 3}, {"update": []}, {"average": 1}, {"average": None},
        {"shuffle": "yes"}, {"drop_below": 1}, {"drop_below": "x"}, {"penalty": -1}, {"penalty": {}}, {"eta": 0},
        {"prune_below": 0}, {"tag_in_label": 1},
        {"format": None}, {"format": "xml"}, {"format": "features"}, {"format": 3}, {"label": 3}, {"text": None},
        {"fields": "genre"}, {"fields": None}, {"fields": [3]}, {"fields": {"genre": 1}}, {"seed": -1}, {"cv": "x"},
        {"patience": 0}, {"threads": 10**30},
    ],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
@pytest.mark.parametrize("kind", KINDS)
def test_options_that_the_arrays_contradict_are_refused(attack, honest, kind, options):
    assert attack(kind, changed(honest[kind], "options", **options))


@pytest.mark.parametrize("name", ["format", "fields", "label", "text"])
def test_options_that_are_missing(attack, honest, name):
    options = json.loads(honest["texts"][0]["options"])
    del options[name]
    assert attack("texts", {"options": json.dumps(options)})


@pytest.mark.parametrize(
    "fields", [[], ["genre"], ["a", "b"], ["price", "genre"], ["genre", "genre", "price"], ["", "\n"]]
)
def test_fields_that_the_template_asks_for_must_be_there(attack, honest, fields):
    """Those that the template asks for must be there; in another order they are read by their names."""
    error = attack("texts", changed(honest["texts"], "options", fields=fields))
    assert (error is None) == ({"genre", "price"} <= set(fields))


@pytest.mark.parametrize(
    "columns",
    [{"names": ["word", "label"], "label": 0}, {"names": ["label"], "label": 0}, {"names": [], "label": 0},
     {"names": ["word", "x", "label"], "label": 1}, {"names": ["word"], "label": 1},
     {"names": ["word", 3], "label": 1}],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
def test_columns_that_are_none_are_refused(attack, columns):
    for kind in KINDS:
        assert attack(kind, {"columns": json.dumps(columns)})


@pytest.mark.parametrize("names", [["w", "label"], ["word", "pos", "label"], ["feature", "label"]])
def test_columns_that_could_be_are_refused_or_harmless(attack, names):
    for kind in KINDS:
        attack(kind, {"columns": json.dumps({"names": names, "label": len(names) - 1})})


@pytest.mark.parametrize(
    "template",
    ["\n", "nonsense\n", "B\n", "U:%y[-1]\n", "U:%x[0,9]\n", "N:%before%after\n", "N:%d[author]\n",
     "A:%chars[0,0,2]%x[0,0]\n", "U:%chars[0,0,2]\n", "U\0:bias\n", 'A:%in[0,0,"other.txt"]\n', "A:%x[0,0]\n"],
)  # fmt: skip
def test_templates_that_do_not_fit_are_refused(attack, template):
    """The last one asks for no word list, and the file has one."""
    assert attack("texts", {"template": template})


@pytest.mark.parametrize("template", ["N1:%before\n", "U1:%x[-1,0]\n", "U:bias\n", "N1:%d[genre]\n", "A:%x[100,0]\n"])
def test_templates_that_could_be_are_accepted(attack, template):
    """It may look from a marked word, and texts have none; it may find none of the features."""
    extra = 'A5:%in[0,0,"list.txt"]\n'
    assert attack("texts", {"template": template + extra}) is None


def test_a_template_for_features_or_none_for_texts_is_refused(attack, honest):
    assert attack("features", {"template": "A1:%x[0,0]\n"})
    columns = json.dumps({"names": ["feature", "label"], "label": 1})
    assert attack("texts", {"template": ""})
    assert attack("texts", {"columns": columns})
    assert attack("texts", {"template": "", "columns": columns})  # its word list belongs to nothing


@pytest.mark.parametrize(
    "calibration",
    [
        {"method": "magic", "curves": [[1]]}, {"method": None, "curves": [[1]]}, {"method": "temperature"},
        {"method": "temperature", "curves": [[1]], "more": 1}, {"method": "temperature", "curves": []},
        {"method": "temperature", "curves": [[]]}, {"method": "temperature", "curves": [[0]]},
        {"method": "temperature", "curves": [[-1]]}, {"method": "temperature", "curves": [[1, 2]]},
        {"method": "temperature", "curves": [[1], [1]]}, {"method": "temperature", "curves": [1]},
        {"method": "temperature", "curves": [["1"]]}, {"method": "temperature", "curves": [[True]]},
        {"method": "temperature", "curves": [[None]]}, {"method": "temperature", "curves": [[[1]]]},
        {"method": "temperature", "curves": [[math.nan]]}, {"method": "temperature", "curves": [[math.inf]]},
        {"method": "temperature", "curves": [[10**400]]}, {"method": "temperature", "curves": {"0": [1]}},
        {"method": "isotonic", "curves": [[1, 0.5]] * 4}, {"method": "isotonic", "curves": [[1, 0.5]]},
        {"method": "isotonic", "curves": [[-math.inf, 0.5]] * 3}, {"method": "isotonic", "curves": [[0, math.nan]] * 3},
        {"method": "isotonic", "curves": [[0, 0.5, 1, 0.4]] * 3},
        {"method": "isotonic", "curves": [[]] * 3}, {"method": "isotonic", "curves": [[0]] * 3},
        {"method": "isotonic", "curves": [[0, 2]] * 3}, {"method": "isotonic", "curves": [[0, -1]] * 3},
        {"method": "isotonic", "curves": [[1, 0.5, 0, 0.6]] * 3},
        {"method": "isotonic", "curves": [[0, 0.5, 0, 0.6]] * 3},
    ],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
def test_calibrations_that_are_none_are_refused(attack, calibration):
    assert attack("texts", {"calibration": json.dumps(calibration)})


@pytest.mark.parametrize(
    "calibration",
    [
        {"method": "temperature", "curves": [[5e-324]]}, {"method": "temperature", "curves": [[1e308]]},
        {"method": "temperature", "curves": [[3]]},
        {"method": "isotonic", "curves": [[-1e308, 0, 1e308, 1]] * 3}, {"method": "isotonic", "curves": [[0, 0]] * 3},
        {"method": "isotonic", "curves": [[0, 5e-324]] * 3},
    ],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
def test_calibrations_at_the_edge_give_numbers(attack, calibration):
    """They overflow or vanish, but give numbers."""
    assert attack("texts", {"calibration": json.dumps(calibration)}) is None


@pytest.mark.parametrize("scale", ["1e308", "5e-324", "1e400", "NaN", "-1", "0"])
def test_scales_that_are_not_positive_are_refused(attack, scale):
    error = attack("texts", {"weights": f'{{"bits":8,"scale":{scale}}}'})
    assert error or float(scale) > 0


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_random_bits_in_the_arrays_are_refused_or_classify(honest, tmp_path_factory, kind, data):
    """Whatever the packed arrays hold, loading refuses it or gives a classifier that classifies."""
    path = tmp_path_factory.getbasetemp() / "random.sap"
    attacked(path, honest[kind], None, random_bytes(data, honest[kind].arrays), lambda model: check(model, kind))
