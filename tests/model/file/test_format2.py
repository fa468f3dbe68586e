"""Files of format 2: what docs/model-format.md says is in them, and old files written anew."""

import json
from pathlib import Path

import pytest
from forged import contents
from oracles.coded_tables import read_table

import sapwood
from sapwood import SequenceTagger
from sapwood.datasets import generate

FIXTURES = Path(__file__).parents[2] / "shared" / "fixtures" / "format1"


def packed_bits(data, count, width):
    """Numbers packed bit by bit, as format 1 has them."""
    number = int.from_bytes(data, "little")
    return [number >> k * width & (1 << width) - 1 for k in range(count)]


def keys_of_format_1(table):
    low = max(0, table.key_bits - table.features.bit_length() + 1)
    ones = [k for k, bit in enumerate(packed_bits(table.high, 8 * len(table.high), 1)) if bit]
    lows = packed_bits(table.low, table.features, low)
    return [(one - k) << low | below for k, (one, below) in enumerate(zip(ones, lows, strict=True))]


def check(path, model):
    """The plain reader finds what format 1 would have of the same tables."""
    metadata, arrays = contents(path)
    for n, record in enumerate(json.loads(metadata["tables"])):
        keys, sizes, outputs, weights = read_table(record, arrays[f"{n}.table"].data)
        table = model.tables[n].packed.uncoded(model.bits)
        assert keys == keys_of_format_1(table)
        assert sizes == packed_bits(table.sizes, table.features, table.size_bits)
        assert outputs == packed_bits(table.outputs, table.weights, table.output_bits)
        width = model.bits // 8
        assert weights == [
            int.from_bytes(table.values[k : k + width], "little", signed=True)
            for k in range(0, len(table.values), width)
        ]


NAMES = ["tag-viterbi", "tag-order2-iobes", "parse-eisner2", "parse-beam-early", "classify-text"]


@pytest.mark.parametrize("name", NAMES)
def test_the_page_describes_the_file(tmp_path, name):
    model = sapwood.load(FIXTURES / f"{name}.sap")
    if model.model_.bits == 32:
        pytest.skip("floats are not coded")
    model.save(tmp_path / "new.sap")
    check(tmp_path / "new.sap", model.model_)


@pytest.mark.parametrize("bits", [8, 16])
def test_weights_of_either_width_are_read_back(tmp_path, bits):
    sentences = [list(zip(s.words, s.tags, strict=True)) for s in generate(40, seed=5)]
    tagger = SequenceTagger(template="pos", epochs=2, min_updates=1, bits=bits).fit(sentences)
    tagger.save(tmp_path / "m.sap")
    check(tmp_path / "m.sap", tagger.model_)


def test_writing_anew_is_stable_and_smaller(tmp_path):
    for old in FIXTURES.glob("*.sap"):
        sapwood.load(old).save(tmp_path / "a.sap")
        sapwood.load(tmp_path / "a.sap").save(tmp_path / "b.sap")
        assert (tmp_path / "a.sap").read_bytes() == (tmp_path / "b.sap").read_bytes()
        assert (tmp_path / "a.sap").stat().st_size <= old.stat().st_size
