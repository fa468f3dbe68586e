"""What files, pipes and standard input hold: decompressed by their first bytes, damage and endless devices refused."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from commands import run_command
from tiny import TINY_CORPUS

from sapwood import DataError, OptionError
from sapwood.io.source import read_bytes

TEXT = "".join(f"word{k} {k * k}\n" for k in range(300)).encode()
COMPRESS = {"gz": lambda data: gzip.compress(data, mtime=0), "xz": lzma.compress, "bz2": bz2.compress}


@pytest.fixture(params=COMPRESS)
def ending(request):
    """Each of the formats."""
    return request.param


@pytest.mark.parametrize("data", [TEXT, b"", b"\0\0\0", b"a"])
def test_what_is_compressed_is_decompressed_whatever_its_name(tmp_path, ending, data):
    for name in (f"a.{ending}", "a.txt", "a"):
        (tmp_path / name).write_bytes(COMPRESS[ending](data))
        assert read_bytes(tmp_path / name) == data


@pytest.mark.parametrize("data", [b"", b"BZ", b"BZh", b"BZh9 was a file", b"\xfd7z", b"\x1f", b"\x1f text"])
def test_what_only_begins_like_it_is_read_as_it_is(tmp_path, data):
    (tmp_path / "a").write_bytes(data)
    assert read_bytes(tmp_path / "a") == data


@pytest.mark.few(1)
def test_streams_in_a_row_and_zeros_behind_them_are_read(tmp_path, ending):
    """As cat, parallel compressors and tapes make them."""
    packed = COMPRESS[ending]
    (tmp_path / "a").write_bytes(b"".join(packed(TEXT[k : k + 7]) for k in range(0, len(TEXT), 7)) + bytes(100_000))
    assert read_bytes(tmp_path / "a") == TEXT


@pytest.mark.slow
def test_every_truncation_is_noticed(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    raw = COMPRESS[ending](TEXT)
    for size in range(len(raw)):
        path.write_bytes(raw[:size])
        with pytest.raises(DataError, match=rf"^{path}: cannot decompress it: .*; (copy|give) it "):
            read_bytes(path)


@pytest.mark.slow
def test_no_changed_byte_gives_another_text(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    raw = COMPRESS[ending](TEXT)
    noticed = 0
    for k in range(len(raw)):
        for bit in (1, 128):
            path.write_bytes(raw[:k] + bytes([raw[k] ^ bit]) + raw[k + 1 :])
            try:
                assert read_bytes(path) == TEXT  # a time stamp, say
            except DataError as error:
                noticed += 1
                assert str(error).startswith(f"{path}: cannot decompress it: ")
    assert noticed > len(raw)


def test_garbage_is_noticed(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    raw = COMPRESS[ending](TEXT)
    for garbage in (raw[:12] + b"x" * 100, raw + b"x" * 100, raw + b"\0\0x", raw + raw[:-1]):
        path.write_bytes(garbage)
        with pytest.raises(DataError, match="cannot decompress it"):
            read_bytes(path)


def test_every_reader_says_so(run_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.jsonl.gz", "a.conllu.gz", "a.csv.gz"):
        (tmp_path / name).write_bytes(gzip.compress(TEXT)[:20] + b"\xff" * 100)
    (tmp_path / "a.tpl").write_text('U:%in[0,0,"a.csv.gz"]\n')
    (tmp_path / "a.ft").write_text("__label__a b\n__label__b c\n")
    for command, where in [
        ("train classify a.csv.gz -o a.sap", "a.csv.gz"),
        ("train classify a.ft -o a.sap --template a.tpl", "word list a.csv.gz"),
        ("train parse a.conllu.gz -o a.sap", "a.conllu.gz"),
        ("train grammar a.conllu.gz -o a.sap", "a.conllu.gz"),
        ("train rank a.jsonl.gz -o a.sap", "a.jsonl.gz"),
        ("compare a.ft a.csv.gz a.ft", "a.csv.gz"),
    ]:
        run = run_cli(command)
        assert run.status == 1
        assert run.err.startswith(f"sapwood: {where}: cannot decompress it: it is damaged (")
        assert run.err.count("\n") == 1


# Standard input and pipes


def test_compressed_standard_input_is_read_by_every_verb(run_cli, tmp_path, tiny_model, tiny_file, ending):
    """To every verb, whether it reads it as it comes or as a whole."""
    packed = COMPRESS[ending](TINY_CORPUS.encode())
    assert run_cli(["tag", tiny_model], stdin=packed) == run_cli(["tag", tiny_model], stdin=TINY_CORPUS.encode())
    assert run_cli(["eval", tiny_model, "-"], stdin=packed).out == run_cli(["eval", tiny_model, tiny_file]).out
    for arguments in (["tag", tiny_model], ["eval", tiny_model, "-"]):
        run = run_cli(arguments, stdin=packed[:-9])
        assert run.status == 1
        assert "cannot decompress it" in run.err
        assert run.err.count("\n") == 1


def test_a_pipe_given_as_a_file_is_read(tmp_path, ending):
    os.mkfifo(tmp_path / "pipe")
    for data in (TEXT, COMPRESS[ending](TEXT)):
        writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(data,))
        writer.start()
        assert read_bytes(tmp_path / "pipe") == TEXT
        writer.join()


def test_standard_input_is_read_by_its_name(tmp_path, tiny_model):
    command = [sys.executable, "-m", "sapwood", "tag", tiny_model, "/dev/stdin"]
    run = subprocess.run(command, input=TINY_CORPUS.encode(), capture_output=True, check=True)
    assert run.stdout.count(b"\n") == TINY_CORPUS.count("\n")


# What never ends, or is too much


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_is_refused(run_cli, tmp_path, tiny_model, device):
    why = "cannot read it: it is a device; copy what is wanted of it to a file"
    for arguments in (["tag", tiny_model, device], ["eval", tiny_model, device], ["train", "tag", device, "-o", "x"]):
        assert run_cli(arguments) == (1, "", f"sapwood: {device}: {why}\n")
    with Path(device).open("rb") as endless:
        command = [sys.executable, "-m", "sapwood", "tag", tiny_model]
        run = subprocess.run(command, stdin=endless, capture_output=True, check=False)
    assert run.stderr.decode() == f"sapwood: standard input: {why}\n"


def test_the_null_device_is_empty():
    assert read_bytes("/dev/null") == b""


@pytest.mark.few(1)
@pytest.mark.parametrize("limit", ["1M", "1000K", "1000000"])
def test_a_file_is_as_large_as_the_limit_at_most(tmp_path, monkeypatch, ending, limit):
    monkeypatch.setenv("SAPWOOD_MAX_INPUT", limit)
    for size, fits in ((10**6, True), (10**6 + 1, False), (3 * 10**7, False)):
        (tmp_path / "plain").write_bytes(bytes(size))
        (tmp_path / "packed").write_bytes(COMPRESS[ending](bytes(size)))
        for name in ("plain", "packed"):
            if fits:
                assert read_bytes(tmp_path / name) == bytes(size)
                continue
            with pytest.raises(DataError, match=r"(plain|packed): more than 1,000,000 bytes; .*SAPWOOD_MAX_INPUT"):
                read_bytes(tmp_path / name)


@pytest.mark.slow
def test_of_standard_input_only_what_is_kept_counts(run_cli, tiny_model, monkeypatch):
    monkeypatch.setenv("SAPWOOD_MAX_INPUT", "5M")
    many = TINY_CORPUS.encode() * (6_000_000 // len(TINY_CORPUS))
    assert run_cli(["tag", tiny_model], stdin=gzip.compress(many)).status == 0
    run = run_cli(["tag", tiny_model], stdin=bz2.compress(b"x" * 10**8))
    assert run.err.startswith("sapwood: standard input: more than 5,000,000 bytes")


@pytest.mark.parametrize("limit", ["", "much", "-1", "1.5G", "10 K", "9" * 20])
def test_a_limit_that_is_none_is_refused(tmp_path, monkeypatch, limit):
    (tmp_path / "a").write_bytes(TEXT)
    monkeypatch.setenv("SAPWOOD_MAX_INPUT", limit)
    with pytest.raises(OptionError, match="SAPWOOD_MAX_INPUT is a number of bytes"):
        read_bytes(tmp_path / "a")


BINARY = {
    "Parquet": (
        b"PAR1\x15\x04\x15\x20" + bytes(range(256)),
        "a Parquet file; classifiers and taggers, and 'annotate' and 'tag' with --to, read it as .parquet",
    ),
    "NumPy": (b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'}" + bytes(64), "an array of numbers"),
    "tar": (b"corpus/train.conllu".ljust(257, b"\0") + b"ustar\x0000" + bytes(248), "a tar archive; unpack it first"),
    "zip": (b"PK\x03\x04\x14\0\0\0\x08\0" + bytes(16) + b"a.txt", "a zip archive; unzip it first"),
    "SQLite": (b"SQLite format 3\0" + bytes(84), "an SQLite database"),
}
TRAINED = (
    "tag", "pipeline", "entities", "segmenter", "parse", "lemmatizer", "splitter",
    "classify", "grammar", "rank", "clusters",
)  # fmt: skip


@pytest.mark.parametrize("kind", BINARY)
def test_what_is_no_text_is_named_whatever_the_verb_the_name_and_the_compression(tmp_path, monkeypatch, kind):
    data, what = BINARY[kind]
    monkeypatch.chdir(tmp_path)
    Path("plain.parquet").write_bytes(data)
    Path("packed.parquet.gz").write_bytes(gzip.compress(data))
    for verb in TRAINED:
        for name, how in (("plain.parquet", ""), ("packed.parquet.gz", "compressed by gzip, ")):
            if kind != "Parquet" or verb not in ("classify", "tag"):  # which read it
                run = run_command(["train", verb, name, "-o", "m.sap"])
                assert run.status == 1
                assert f"{name}: {how}this is {what}" in run.err


def test_a_parquet_file_is_bytes_for_those_who_read_it(tmp_path, ending):
    data = BINARY["Parquet"][0]
    for name, content in (("a.parquet", data), (f"a.parquet.{ending}", COMPRESS[ending](data))):
        (tmp_path / name).write_bytes(content)
        assert read_bytes(tmp_path / name, lines=False) == data
        with pytest.raises(DataError, match="this is a Parquet file"):
            read_bytes(tmp_path / name)
