"""Coded tables that were tampered with, the checksum repaired: a ModelError of one line, or a model that works."""

import json

import pytest
from forged import attacked, contents

from sapwood import Classifier, SequenceTagger
from sapwood.model.file.container import Array

CORPUS = [[("the", "D"), ("dog", "N")], [("a", "D"), ("cat", "N"), ("sat", "V")], [("dog", "N"), ("sat", "V")]]
DOCUMENTS, CLASSES = ["good film", "bad film", "a good one", "so so"], ["yes", "no", "yes", "maybe"]


@pytest.fixture(scope="module", params=[8, 16, 32, "classifier"])
def honest(request, tmp_path_factory):
    """A small model's contents, and how to see that it works."""
    path = tmp_path_factory.mktemp("honest") / "m.sap"
    if request.param == "classifier":
        Classifier(min_updates=1, epochs=3).fit(DOCUMENTS, CLASSES).save(path)
        return contents(path), lambda model: model.predict(["good"])
    SequenceTagger(template="U:%x[0,0]\nB\n", min_updates=1, bits=request.param).fit(CORPUS).save(path)
    return contents(path), lambda model: model.predict([["the", "cat"]])


@pytest.mark.slow
def test_every_changed_byte_is_refused_or_works(honest, tmp_path):
    """Each byte of each table is changed in four ways."""
    model, check = honest
    refused = 0
    for name in [name for name in model.arrays if name.endswith(".table")]:
        data = model.arrays[name].data
        for place in range(len(data)):
            for change in (1, 2, 0x80, 0xFF):
                bad = bytearray(data)
                bad[place] ^= change
                arrays = {name: Array.of("U8", bytes(bad))}
                refused += attacked(tmp_path / "bad.sap", model, None, arrays, check) is not None
    assert refused > 100


@pytest.mark.few(1)
def test_streams_that_end_early_or_go_on(honest, tmp_path):
    """Each section of the first table is cut at each place, or goes on; the header says so."""
    model, check = honest
    tables = json.loads(model.metadata["tables"])
    data, lengths = model.arrays["0.table"].data, tables[0]["lengths"]
    for k, length in enumerate(lengths):
        begin = sum(lengths[:k])
        section = data[begin : begin + length]
        for bad in [*(section[:n] for n in range(length)), section + b"\0", section + b"\0\0", section + section]:
            if bad == section:
                continue
            tables[0]["lengths"] = [*lengths[:k], len(bad), *lengths[k + 1 :]]
            arrays = {"0.table": Array.of("U8", data[:begin] + bad + data[begin + length :])}
            assert attacked(tmp_path / "bad.sap", model, {"tables": json.dumps(tables)}, arrays, check)


@pytest.mark.parametrize("field", ["features", "weights"])
@pytest.mark.parametrize("value", [1 << 20, 1 << 40, (1 << 62) - 1])
def test_more_than_there_are(honest, tmp_path, field, value):
    """A claim is bounded by the bytes that are there, before memory is taken."""
    model, check = honest
    tables = json.loads(model.metadata["tables"])
    tables[0][field] = value
    error = attacked(tmp_path / "bad.sap", model, {"tables": json.dumps(tables)}, None, check)
    assert "than it says" in error
