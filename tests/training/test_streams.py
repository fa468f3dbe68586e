"""Training on streams: the model is the in-memory one, byte for byte, and nothing is left behind."""

import gzip
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import HANG
from reranking import as_features, as_heads, as_labels, attachments
from reviews import TEXTS, fasttext

from sapwood import Classifier, Reranker, SequenceTagger
from sapwood._core import SpooledText
from sapwood.datasets.treebank import generate
from sapwood.errors import DataError, OptionError
from sapwood.io.lists import format_list
from sapwood.io.source import whole_blocks
from sapwood.training import streams

SAPWOOD = [sys.executable, "-m", "sapwood"]


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    """Parts of a few sentences, so that a file has many of them."""
    monkeypatch.setattr(streams, "_AT_ONCE", 500)


@pytest.fixture(scope="module")
def columns(tmp_path_factory):
    """A column file: word, tag, and a chunk that the tag tells."""
    path = tmp_path_factory.mktemp("columns") / "train.txt"
    lines = []
    for sentence in generate(80, 1):
        pairs = zip(sentence.words, sentence.tags, strict=True)
        lines += [f"{word} {tag} {'B-NP' if tag.startswith('N') else 'O'}\n" for word, tag in pairs]
        lines.append("\n")
    path.write_text("".join(lines))
    return path


def saved(model, path):
    model.save(path)
    return path.read_bytes()


def assert_same(data, tmp_path, options, cls=SequenceTagger, **arguments):
    """Train in memory and on a stream, and compare the files."""
    memory = cls(**options).fit(data, **arguments)
    stream = cls(**options).fit(data, **arguments, stream=True, scratch=tmp_path)
    assert saved(stream, tmp_path / "s.sap") == saved(memory, tmp_path / "m.sap")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    "options",
    [
        {"min_updates": 1},
        {"order": 2, "template": "B\nU:%y[-2]/%y[-1]\nU1:%x[0,0]\nB1:%x[0,1]", "names": True},
        {"search": "greedy", "prune_below": 2, "update": "pa"},
        {"search": "greedy", "history": "own"},
        {"search": "easiest-first", "min_updates": 2},
        {"search": "argmax", "dictionary": "0+1"},
        {"encoding": "iobes", "average": False, "hash_bits": 12},
        {"max_bytes": 6000},
    ],
    ids=str,
)
def test_model_is_the_in_memory_one(columns, tmp_path, options):
    assert_same(columns, tmp_path, {"epochs": 3, **options})


@pytest.mark.filterwarnings("ignore:.* the training data:sapwood.SapwoodWarning")
def test_held_out_data_are_scored_as_in_memory(columns, tmp_path):
    dev = tmp_path / "dev.txt"
    dev.write_text("".join(columns.read_text().partition("\n\n")[:2]))
    assert_same(columns, tmp_path, {"epochs": 4, "patience": 2}, dev=dev)


def test_first_part_may_be_empty_and_lines_blank_with_spaces(columns, tmp_path):
    spaced = tmp_path / "spaced.txt"
    spaced.write_text("\n" * 1000 + columns.read_text().replace("\n\n", "\n  \t\r\n"))
    assert_same(spaced, tmp_path, {"epochs": 1})


def test_checkpoint_of_one_resumes_the_other(columns, tmp_path):
    """The state is the same; both begin with what a third one learned, too."""
    file, options = tmp_path / "c.checkpoint", {"epochs": 2, "min_updates": 2}
    whole = saved(SequenceTagger(**options).fit(columns), tmp_path / "m.sap")
    SequenceTagger(**options | {"epochs": 1}).fit(columns, stream=True, checkpoint=file)
    assert saved(SequenceTagger(**options).fit(columns, resume=file), tmp_path / "m.sap") == whole
    SequenceTagger(**options | {"epochs": 1}).fit(columns, checkpoint=file)
    assert saved(SequenceTagger(**options).fit(columns, resume=file, stream=True), tmp_path / "m.sap") == whole
    assert_same(columns, tmp_path, options, from_checkpoint=file)
    other = tmp_path / "other.txt"
    other.write_text(columns.read_text() + "new NN O\n")
    with pytest.raises(OptionError, match="the training data changed"):
        SequenceTagger(**options).fit(other, resume=file, stream=True)


@pytest.mark.filterwarnings("ignore:.* the training data:sapwood.SapwoodWarning")
@pytest.mark.parametrize("make", [list, as_labels, as_heads, as_features])
def test_a_reranker_is_the_in_memory_one(tmp_path, make):
    lists = make(attachments(60, seed=2))
    for each in lists[::7]:
        each.candidates[0].score -= 0.1  # some distances are not 0
    data, dev = tmp_path / "train.jsonl", tmp_path / "dev.jsonl"
    data.write_text("\n".join(map(format_list, lists)))
    dev.write_text("".join(map(format_list, lists[:9])))
    assert_same(data, tmp_path, {"epochs": 3}, Reranker)
    assert_same(data, tmp_path, {"epochs": 3, "update": "pa", "hash_bits": 10}, Reranker, dev=dev)


def test_a_reranker_of_plain_text_is_the_in_memory_one(tmp_path):
    data = tmp_path / "train.txt"
    lists = attachments(40, seed=3)
    text = ""
    for each in lists:
        gold = min(each.candidates, key=lambda candidate: candidate.loss).structure
        text += "\n".join([gold, *(f"{c.score} {c.structure}" for c in each.candidates)]) + "\n\n"
    data.write_text(text)
    assert_same(data, tmp_path, {"epochs": 2}, Reranker)


def test_a_reranker_goes_on_from_a_checkpoint(tmp_path):
    lists, file = attachments(60, seed=2), tmp_path / "c.checkpoint"
    data, first = tmp_path / "train.jsonl", tmp_path / "first.jsonl"
    data.write_text("".join(map(format_list, lists)))
    first.write_text("".join(map(format_list, lists[:20])))
    whole = saved(Reranker(epochs=2).fit(data), tmp_path / "m.sap")
    Reranker(epochs=1).fit(data, stream=True, checkpoint=file)
    assert saved(Reranker(epochs=2).fit(data, resume=file), tmp_path / "m.sap") == whole
    Reranker(epochs=1).fit(first, checkpoint=file)
    assert_same(data, tmp_path, {"epochs": 2}, Reranker, from_checkpoint=file)


SVM = "".join(f"{label} {k % 7 + 1}:{k % 3 + 0.5} {k % 5 + 9}:1\n" for k, (label, _) in enumerate(TEXTS))
JSON = "".join(
    json.dumps({"label": label, "text": text} | ({"kind": text[2:6]} if k > 30 else {})) + "\n"
    for k, (label, text) in enumerate(TEXTS)
)
FEATURES = "".join(
    json.dumps({"label": label, "features": dict.fromkeys(text.split(), 1 + (k > 40))}) + "\n"
    for k, (label, text) in enumerate(TEXTS)
)
EXAMPLES = {"a.txt": fasttext(), "a.svm": SVM, "a.jsonl": JSON, "b.jsonl": FEATURES}


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(
    "options",
    [
        {"epochs": 3, "min_updates": 1, "names": True},
        {"epochs": 2, "update": "pa", "class_weight": "balanced", "shuffle": False},
        {"epochs": 3, "prune_below": 2, "class_weight": "+=2,neutral=0.5", "hash_bits": 10},
    ],
    ids=str,
)
def test_a_classifier_is_the_in_memory_one(tmp_path, name, options):
    data = tmp_path / name
    data.write_text("\n" + EXAMPLES[name])
    assert_same(data, tmp_path, options, Classifier)


def test_fields_that_only_later_examples_have_are_learned(tmp_path):
    data = tmp_path / "train.jsonl"
    data.write_text(JSON)
    assert_same(data, tmp_path, {"template": "U:%d[kind]\nA:%x[0,0]", "min_updates": 1}, Classifier)


@pytest.mark.filterwarnings("ignore:.* the training data:sapwood.SapwoodWarning")
def test_labels_that_only_later_examples_have_are_learned(tmp_path):
    """Held-out data have them from the beginning."""
    data, dev = tmp_path / "train.txt", tmp_path / "dev.txt"
    data.write_text(fasttext(sorted(TEXTS)))
    dev.write_text(fasttext(TEXTS[:20]) + "__label__other a text\n")
    assert_same(data, tmp_path, {"epochs": 4, "patience": 2}, Classifier, dev=dev)


@pytest.mark.filterwarnings("ignore:.* the training data:sapwood.SapwoodWarning")
def test_a_classifier_goes_on_from_a_checkpoint(tmp_path):
    data, dev, other = (tmp_path / f"{name}.txt" for name in ("train", "dev", "other"))
    data.write_text(fasttext())
    dev.write_text(fasttext(TEXTS[:20]))
    other.write_text(fasttext(sorted(TEXTS)))
    file, options = tmp_path / "c.checkpoint", {"min_updates": 1}
    for streamed in (False, True):
        whole = saved(Classifier(**options, epochs=3).fit(data, dev=dev), tmp_path / "m.sap")
        Classifier(**options, epochs=2).fit(data, dev=dev, stream=streamed, checkpoint=file)
        again = Classifier(**options, epochs=3).fit(data, dev=dev, stream=not streamed, resume=file)
        assert saved(again, tmp_path / "m.sap") == whole
    assert_same(other, tmp_path, options, Classifier, from_checkpoint=file)
    other.write_text("__label__new a text\n" + fasttext(sorted(TEXTS)[:20]))
    assert_same(other, tmp_path, options, Classifier, from_checkpoint=file)


@pytest.mark.parametrize(
    ("options", "text", "error", "message"),
    [
        ({"voted": True, "min_updates": 1}, "", OptionError, "voted needs the examples in memory"),
        ({"cv": 3}, "", OptionError, "cv needs the examples in memory"),
        ({"multi_label": True}, "", OptionError, "multi_label needs the examples in memory"),
        ({"update": "l1-cumulative"}, "", OptionError, "baselines with an L1 penalty need"),
        ({"format": "csv"}, "", OptionError, "fasttext, svmlight, jsonl, not csv"),
        ({}, "\n", DataError, "train.txt: there is no example to train on"),
        ({}, "__label__a b\n" * 99, DataError, "all examples have the label 'a'"),
        ({}, "__label__a b\n__label__b\n" * 99 + "b\n", DataError, "train.txt:199: there is no label"),
    ],
    ids=str,
)
def test_examples_are_refused_as_in_memory(tmp_path, options, text, error, message):
    data = tmp_path / "train.txt"
    data.write_text(text)
    with pytest.raises(error, match=message):
        Classifier(**options).fit(data, stream=True)


def test_dual_reranker_is_refused(tmp_path):
    data = tmp_path / "train.jsonl"
    data.write_text("".join(map(format_list, attachments(5, seed=2))))
    with pytest.raises(OptionError, match="keeps its candidates in memory"):
        Reranker(kernel="tree").fit(data, stream=True)
    data.write_text("\n")
    with pytest.raises(DataError, match=r"train.jsonl: there is no list of candidates to train on"):
        Reranker().fit(data, stream=True)


def test_a_pipe_is_read_once(columns, tmp_path):
    """A pipe is read once, whatever the number of epochs."""
    command = [*SAPWOOD, "train", "tag", "-", "-o", tmp_path / "pipe.sap", "--epochs", "3", "-q", "--stream"]
    subprocess.run(command, input=columns.read_bytes(), check=True)
    memory = saved(SequenceTagger(epochs=3).fit(columns), tmp_path / "m.sap")
    assert (tmp_path / "pipe.sap").read_bytes() == memory


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:-4], "ends too early"),
        (lambda data: data[:40] + b"!!!!" + data[44:], "it is damaged"),
    ],
)
def test_truncated_input_is_an_error(columns, tmp_path, change, message):
    broken = tmp_path / "train.txt.gz"
    broken.write_bytes(change(gzip.compress(columns.read_bytes(), mtime=0)))
    with pytest.raises(DataError, match=message):
        SequenceTagger().fit(broken, stream=True)


def test_errors_name_the_line(columns, tmp_path):
    text = columns.read_text()
    for more, message in (("word\n", "this line has 1 column"), ("a\0b NN O\n", "NUL")):
        broken = tmp_path / "train.txt"
        broken.write_text(text + more)
        with pytest.raises(DataError, match=f"train.txt:{text.count(chr(10)) + 1}: .*{message}"):
            SequenceTagger().fit(broken, stream=True)
    broken.write_text("\n \n")
    with pytest.raises(DataError, match=r"train.txt: there is no sentence"):
        SequenceTagger().fit(broken, stream=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dev_fraction": 0.1, "stream": True}, "dev_fraction needs all data in memory"),
        ({"scratch": "."}, "give stream, too"),
        ({"labels": [["O"]], "stream": True}, "labels beside a file"),
        ({"sentences": [[("a", "b")]], "stream": True}, "stream reads a file"),
    ],
)
def test_options_that_need_all_data_in_memory_are_refused(columns, arguments, message):
    with pytest.raises(OptionError, match=message):
        SequenceTagger().fit(**{"sentences": columns} | arguments)


def test_names_of_late_features_need_memory(columns):
    with pytest.raises(OptionError, match="need the data in memory"):
        SequenceTagger(search="easiest-first", names=True).fit(columns, stream=True)


def test_a_folder_that_is_not_there_is_named(columns, tmp_path):
    with pytest.raises(DataError, match=r"nowhere: cannot make a scratch file there: No such file .*another folder"):
        SequenceTagger().fit(columns, stream=True, scratch=tmp_path / "nowhere")


def limited(limit, number, *arguments):
    """Run the command line with a limit on what the process takes, once an editable build has looked for changes."""
    code = f"import resource, sys, sapwood._core; resource.setrlimit({limit}, ({number}, {number}))"
    command = [sys.executable, "-c", f"{code}; from sapwood.cli import main; main(sys.argv[1:])"]
    return subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True)


def test_a_full_disk_is_an_error(columns, tmp_path, monkeypatch):
    """A limit on the size of files stands for a disk without room."""
    train = "train", "tag", columns, "-o", tmp_path / "m.sap", "-q", "--stream"
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    run = limited(resource.RLIMIT_FSIZE, 10_000, *train)
    assert (run.returncode, run.stderr.count("\n")) == (1, 1)
    assert f"{tmp_path}: cannot write to the scratch file there: File too large; free some space" in run.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is about Linux's accounting")
def test_training_takes_little_memory(tmp_path):
    """Under a limit that the examples exceed in memory, a stream is learned from, with the same model."""
    rows = "".join(f"w{k % 50} t{k % 7}\n" + "\n" * (k % 20 == 19) for k in range(150_000))
    lines = "".join(f"U{k}:%x[{k % 5 - 2},0]/%x[{k // 5},0]\n" for k in range(40))
    (tmp_path / "train.txt").write_text(rows)
    (tmp_path / "many.tpl").write_text(lines)
    train = ["train", "tag", tmp_path / "train.txt", "-o", tmp_path / "m.sap", "--template", tmp_path / "many.tpl"]
    train += ["--search", "argmax", "--epochs", "1", "-q"]
    enough, memory = 36 << 20, resource.RLIMIT_DATA
    if limited(memory, enough, "--version").returncode != 0:
        pytest.skip("what the core was built with needs more memory")
    assert "out of memory" in limited(memory, enough, *train).stderr
    assert limited(memory, enough, *train, "--stream").returncode == 0
    found = (tmp_path / "m.sap").read_bytes()
    subprocess.run([*SAPWOOD, *map(str, train)], check=True)
    assert (tmp_path / "m.sap").read_bytes() == found


def test_killed_run_leaves_nothing(columns, tmp_path, monkeypatch):
    command = [*SAPWOOD, "train", "tag", columns, "-o", tmp_path / "m.sap", "--stream"]
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = subprocess.Popen([*map(str, command), "--epochs", "100000"], stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if line.startswith("epoch"):
            folder = Path(f"/proc/{process.pid}/fd")
            if folder.exists():
                process.send_signal(signal.SIGSTOP)  # so that no file is closed while they are looked at
                os.waitid(os.P_PID, process.pid, os.WSTOPPED)
                assert any(str(file.readlink()).startswith(str(tmp_path)) for file in folder.iterdir())
            process.send_signal(signal.SIGKILL)
            break
    process.communicate(timeout=HANG)
    assert list(tmp_path.iterdir()) == []


@given(st.lists(st.binary(max_size=20), max_size=5))
def test_checksum_of_parts_is_that_of_the_whole(parts):
    from sapwood._core import Columns

    text = SpooledText(os.environ["TMPDIR"])
    whole = b"".join(parts).hex().encode()
    for part in parts:
        text.add(part.hex().encode())
    assert text.read(0, len(whole) + 1) == whole
    assert text.checksum == Columns.read(whole, "whole").checksum


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b" "]), max_size=30), st.integers(1, 7))
def test_blocks_end_with_sentences(characters, size):
    """All of the text, and no block but the last ends in a sentence."""
    text = b"".join(characters)
    blocks = list(whole_blocks([text[k : k + size] for k in range(0, len(text), size)], "sentence", "text"))
    assert b"".join(blocks) == text
    for block in blocks[:-1]:
        assert block.endswith(b"\n")
        assert block[:-1].rpartition(b"\n")[2].strip() == b"" or block.strip() == b""
