"""What people hand over in place of a path, a bag or the names of the same sentences is refused in one line."""

import io
from pathlib import Path

import pytest
from treebanks import treebank

import sapwood
from sapwood import OptionError, SequenceTagger
from sapwood.errors import DataError
from sapwood.loading import load_model


@pytest.mark.parametrize("load", [sapwood.load, load_model, SequenceTagger.load])
@pytest.mark.parametrize("given", ["BytesIO", "bytes", "memoryview", "None", "an open file", "a list"])
def test_a_model_is_loaded_from_a_path(tmp_path, load, given):
    path = tmp_path / "tagger.sap"
    SequenceTagger(template="pos", min_updates=1).fit([["dog", "x"]] * 2, [["N", "X"]] * 2).save(path)
    data = path.read_bytes()
    with path.open("rb") as file:
        value = {
            "BytesIO": io.BytesIO(data), "bytes": data, "memoryview": memoryview(data), "None": None,
            "an open file": file, "a list": [path],
        }[given]  # fmt: skip
        with pytest.raises(OptionError, match="a model is loaded from a file, by its path or name, not from "):
            load(value)
    assert load(path) is not None


OWN = ["Bo\tB-X\nran\tO\n\n" * 9, "zzz\tO\n\n", "a\tB-X\nb\tI-X\n\nc\tO\n\n"]


@pytest.mark.parametrize("own", OWN)
def test_names_of_other_sentences_are_refused(tmp_path, own):
    from sapwood.parts import PARTS
    from sapwood.tasks.pipeline.confidence import _answers_for

    data = treebank(20, 1)
    path = tmp_path / "own.iob2"
    path.write_text(own)
    [part] = [part for part in PARTS if part.is_plain and part.columns[0].has_chunks]
    with pytest.raises(DataError, match=r"own\.iob2: its sentences are none of "):
        _answers_for(part, None, data, data, [Path(path)])
