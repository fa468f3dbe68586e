"""Bad model files: one line on standard error that says what is wrong with them, exit 1, nothing written."""

import os
import re

import pytest
from bad_files import write_files
from refusals import refuse
from tiny import train_tiny

import sapwood
from sapwood import ModelError


@pytest.fixture
def folder(tmp_path, tiny_file, tiny_template, tiny_model, monkeypatch):
    """A working directory with good and bad files by the names that the tables below use."""
    write_files(tmp_path, tiny_file, tiny_template, tiny_model)
    monkeypatch.chdir(tmp_path)
    return tmp_path


MODEL_VERBS = ["tag {} good.txt", "eval {} good.txt", "inspect {}"]


@pytest.mark.parametrize("verb", MODEL_VERBS)
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("foreign.sap", "not a sapwood model"),
        ("text.sap", "not a sapwood model"),
        ("empty.sap", "not a sapwood model"),
        ("missing.sap", "no such file"),
        ("directory", "is a directory"),
        ("good.txt/x.sap", "cannot be read"),
        ("/dev/null", "device"),
    ],
)
def test_bad_models_are_refused(run_cli, folder, verb, name, what):
    refuse(run_cli, folder, verb.format(name), 1, f"{name}: ", what)


def refused(path):
    with pytest.raises(ModelError, match=re.escape(f"{path}: ")) as caught:
        sapwood.load(path)
    assert "\n" not in str(caught.value)


def test_a_model_cut_anywhere_is_refused(tiny_model, tmp_path):
    """Every length, from all but one byte to nothing."""
    path = tmp_path / "cut.sap"
    path.write_bytes(tiny_model.read_bytes())
    for length in reversed(range(path.stat().st_size)):
        os.truncate(path, length)
        refused(path)


def test_a_model_altered_anywhere_is_refused(tiny_model, tmp_path):
    """Every byte, with one bit turned over and with all bits turned over."""
    whole = tiny_model.read_bytes()
    path = tmp_path / "altered.sap"
    path.write_bytes(whole)
    with path.open("r+b", buffering=0) as file:
        for at, byte in enumerate(whole):
            for other in (byte ^ 1, byte ^ 0xFF, byte):
                file.seek(at)
                file.write(bytes([other]))
                if other != byte:
                    refused(path)
    assert sapwood.load(path).labels_


def test_a_model_with_something_behind_it_is_refused(tiny_model, tmp_path):
    path = tmp_path / "longer.sap"
    for tail in (b"\0", b"\n", b" ", bytes(64), tiny_model.read_bytes()):
        path.write_bytes(tiny_model.read_bytes() + tail)
        with pytest.raises(ModelError):
            sapwood.load(path)


def test_another_format_and_another_task_are_refused(tiny_file, tmp_path):
    from sapwood.model.file import container

    train_tiny(tiny_file).save(tmp_path / "m.sap")
    metadata, arrays = container.read(tmp_path / "m.sap")
    for change, message in (({"format": "sapwood/9"}, "sapwood/9"), ({"task": "sing"}, "for the task 'sing'")):
        container.write(tmp_path / "other.sap", arrays, {**metadata, **change})
        with pytest.raises(ModelError, match=message):
            sapwood.load(tmp_path / "other.sap")
