"""Tables of weights in files: what docs/model-format.md says is in them, and files written again."""

import json

import pytest
from forged import contents
from oracles.coded_tables import read_table
from parsers import QUICK

import sapwood
from sapwood import Classifier, DependencyParser, ModelError, SequenceTagger
from sapwood.datasets import generate
from sapwood.model.file import container


def packed_bits(data, count, width):
    """Numbers packed bit by bit, as they are after training."""
    number = int.from_bytes(data, "little")
    return [number >> k * width & (1 << width) - 1 for k in range(count)]


def packed_keys(table):
    low = max(0, table.key_bits - table.features.bit_length() + 1)
    ones = [k for k, bit in enumerate(packed_bits(table.high, 8 * len(table.high), 1)) if bit]
    lows = packed_bits(table.low, table.features, low)
    return [(one - k) << low | below for k, (one, below) in enumerate(zip(ones, lows, strict=True))]


def check(path, model):
    """The plain reader finds what the packed tables have."""
    metadata, arrays = contents(path)
    for n, record in enumerate(json.loads(metadata["tables"])):
        keys, sizes, outputs, weights = read_table(record, arrays[f"{n}.table"].data)
        table = model.tables[n].packed.uncoded(model.bits)
        assert keys == packed_keys(table)
        assert sizes == packed_bits(table.sizes, table.features, table.size_bits)
        assert outputs == packed_bits(table.outputs, table.weights, table.output_bits)
        width = model.bits // 8
        assert weights == [
            int.from_bytes(table.values[k : k + width], "little", signed=True)
            for k in range(0, len(table.values), width)
        ]


@pytest.fixture(scope="module")
def models(bank):
    """Models whose tables have several shapes."""
    sentences = [list(zip(s.words, s.tags, strict=True)) for s in generate(40, seed=5)]
    texts = [" ".join(word for word, _ in sentence) for sentence in sentences]
    few = {"epochs": 2, "min_updates": 1}
    return {
        "tag, 8 bits": SequenceTagger(template="pos", **few).fit(sentences),
        "tag, 16 bits": SequenceTagger(template="pos", bits=16, **few).fit(sentences),
        "tag, order 2": SequenceTagger(template="U:%x[0,0]\nU:%y[-2]/%y[-1]\nB\n", order=2, **few).fit(sentences),
        "parse, Eisner": DependencyParser(**QUICK | {"search": "eisner", "order": 2}).fit(bank / "train.conllu"),
        "parse, beam": DependencyParser(**QUICK | {"search": "beam"}).fit(bank / "train.conllu"),
        "classify": Classifier(**few).fit(texts, [str(len(text) % 3) for text in texts]),
    }


NAMES = ["tag, 8 bits", "tag, 16 bits", "tag, order 2", "parse, Eisner", "parse, beam", "classify"]


@pytest.mark.few(1)
@pytest.mark.parametrize("name", NAMES)
def test_the_page_describes_the_file(models, tmp_path, name):
    models[name].save(tmp_path / "m.sap")
    assert models[name].model_.weight_bytes() > 0
    check(tmp_path / "m.sap", models[name].model_)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_written_again_is_the_same(models, tmp_path, name):
    models[name].save(tmp_path / "a.sap")
    sapwood.load(tmp_path / "a.sap").save(tmp_path / "b.sap")
    assert (tmp_path / "a.sap").read_bytes() == (tmp_path / "b.sap").read_bytes()


@pytest.mark.parametrize("format", ["sapwood/1", "sapwood/2", "sapwood/4", "sapwood", ""])
def test_another_format_is_refused(models, tmp_path, format):
    """Nothing is promised of files that were written before sapwood/3."""
    models["classify"].save(tmp_path / "m.sap")
    metadata, arrays = contents(tmp_path / "m.sap")
    container.write(tmp_path / "other.sap", arrays, metadata | {"format": format})
    with pytest.raises(ModelError, match=f"its format is '{format}', this version of sapwood reads sapwood/3$"):
        sapwood.load(tmp_path / "other.sap")
