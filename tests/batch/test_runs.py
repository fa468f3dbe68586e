"""Files to files in this process: a file for each file, the same bytes, and a run that was stopped goes on."""

import gzip
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import HANG, default_signals, wait_until
from reviews import TEXTS
from treebanks import treebank

from sapwood import Classifier, DependencyParser, OptionError, SequenceTagger
from sapwood.batch.runs import run_files

SENTENCES = "A helt bungs. The 2 helt sing!\n\nThe bung sings a helt.\n"


@pytest.fixture(scope="module")
def pipeline(toy):
    return toy


@pytest.fixture(scope="module")
def model(toy_file):
    return str(toy_file)


@pytest.fixture
def texts(tmp_path, monkeypatch):
    """Make a folder of texts, one of them compressed, with a folder and a hidden file in it."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "texts"
    (folder / "deeper").mkdir(parents=True)
    (folder / "deeper" / "e.txt").write_text("A helt.")
    (folder / ".hidden").write_text("A helt.")
    (folder / "a.txt.gz").write_bytes(gzip.compress(SENTENCES.encode()))
    for n, name in enumerate(("b.txt", "c.txt", "d")):
        (folder / name).write_text(SENTENCES * (n + 2))
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def alone(pipeline, path, **options):
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return b"".join(pipeline.writer.written([data], name=str(path), **options))


@pytest.mark.parametrize("threads", ["1", "2", "9"])
@pytest.mark.parametrize(("format", "ending"), [("conllu", ".conllu"), ("json", ".jsonl"), ("html", ".html")])
def test_each_file_of_a_folder_becomes_a_file(run_cli, pipeline, model, texts, threads, format, ending):
    run = run_cli(["annotate", model, "texts", "-o", "out", "--threads", threads, "--format", format])
    assert run.status == 0
    assert run.out == ""
    assert "texts: its files are read, but not 1 folder and 1 other file in it\n" in run.err
    wanted = {name + ending: alone(pipeline, texts / file, format=format)
              for name, file in (("a", "a.txt.gz"), ("b", "b.txt"), ("c", "c.txt"), ("d", "d"))}  # fmt: skip
    assert contents("out") == wanted


def test_a_folder_is_read_by_name(run_cli, model, texts):
    files = ["texts/a.txt.gz", "texts/b.txt", "texts/c.txt", "texts/d"]
    assert run_cli(["annotate", model, "texts"]).out == run_cli(["annotate", model, *files]).out
    both = run_cli(["annotate", model, "texts/b.txt", "texts/deeper/"])
    assert [line for line in both.out.splitlines() if "newdoc" in line] == [
        "# newdoc id = texts/b.txt", "# newdoc id = texts/deeper/e.txt",
    ]  # fmt: skip
    assert both.err == ""


def test_what_would_be_lost_or_read_again_is_refused(run_cli, model, texts):
    before = contents(texts / "deeper"), (texts / "b.txt").read_bytes()
    Path("empty").mkdir()
    Path("link").symlink_to("texts")
    for arguments, message in (
        (["texts", "-o", "texts"], "output would lie among the files that are read"),
        (["link", "-o", "./texts/"], "output would lie among the files that are read"),
        (["texts/b.txt", "--format", "text", "-o", "texts"], "texts/b.txt would be overwritten by output"),
        (["texts/a.txt.gz", "texts", "-o", "out"], "would both be written to a.conllu"),
        (["empty", "-o", "out"], "empty: there is no file in it"),
        (["texts", "-o", "texts/b.txt"], "there is a file of this name; name a folder"),
        (["-o", "out"], "--output needs files"),
        (["texts", "--parquet"], "--parquet needs --output"),
        (["texts", "--workers", "2"], "--workers needs --output"),
    ):
        run = run_cli(["annotate", model, *arguments])
        assert run.status != 0, arguments
        assert message in run.err
        assert "Traceback" not in run.err
    assert (contents(texts / "deeper"), (texts / "b.txt").read_bytes()) == before
    assert not Path("out").exists() or contents("out") == {}


def times(folder):
    return {path.name: path.stat().st_mtime_ns for path in Path(folder).iterdir()}


def test_a_run_goes_on_with_what_failed(pipeline, texts):
    files = [texts / name for name in ("a.txt.gz", "b.txt", "c.txt")]
    assert run_files(pipeline, files[:1], "out").files == 1
    (texts / "b.txt").write_bytes(b"A \xff")
    summary = run_files(pipeline, files, "out")
    assert (summary.files, summary.kept) == (1, 1)
    [error] = summary.failed
    assert error.startswith(f"{texts / 'b.txt'}: byte 2: invalid UTF-8")
    (texts / "b.txt").write_text("A helt.")
    summary = run_files(pipeline, files, "out")
    assert (summary.files, summary.kept, summary.failed) == (1, 2, [])
    assert contents("out") == {f"{path.name[0]}.conllu": alone(pipeline, path) for path in files}


def replace_by_an_old_file(path):
    other = path.with_name("other")
    other.write_text("The helt.")
    os.utime(other, (10**9, 10**9))
    other.replace(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda text, output: text.write_text("A helt."),
        lambda text, output: text.touch(),
        lambda text, output: replace_by_an_old_file(text),
        lambda text, output: output.write_bytes(b""),
        lambda text, output: os.utime(output, (10**9, 10**9)),
        lambda text, output: os.utime(output, ns=(text.stat().st_ctime_ns,) * 2),
    ],
    ids=["written", "touched", "replaced", "empty", "older", "of the same time"],
)
def test_output_that_is_not_newer_than_its_input_is_never_written_over(pipeline, texts, change):
    files = [texts / "b.txt", texts / "c.txt"]
    run_files(pipeline, files, "out")
    before = times("out")
    change(files[0], Path("out/b.conllu"))
    there = contents("out")
    with pytest.raises(
        OptionError, match=r"b\.conllu is there already, and not newer than its input and the model; remove"
    ):
        run_files(pipeline, files, "out")
    assert contents("out") == there
    Path("out/b.conllu").unlink()
    summary = run_files(pipeline, files, "out")
    assert (summary.files, summary.kept) == (1, 1)
    assert contents("out") == {f"{path.stem}.conllu": alone(pipeline, path) for path in files}
    assert times("out")["c.conllu"] == before["c.conllu"]


@pytest.mark.parametrize("when", ["long ago", "before the model"])
def test_the_gold_treebank_beside_its_text_is_not_lost(run_cli, pipeline, texts, when):
    gold = texts / "b.conllu"
    gold.write_text("1\tA\t_\tDET\t_\t_\t0\troot\t_\t_\n\n")
    if when == "long ago":
        os.utime(gold, (10**9, 10**9))
    pipeline.save("small.sap")
    before = gold.read_bytes()
    run = run_cli(["annotate", "small.sap", "texts/b.txt", "texts/c.txt", "-o", "texts"])
    assert run.status == 2
    assert "b.conllu is there already" in run.err
    assert gold.read_bytes() == before
    assert not (texts / "c.conllu").exists()


def test_the_output_of_an_empty_file_is_empty_and_done(pipeline, texts):
    (texts / "b.txt").write_bytes(b"")
    assert run_files(pipeline, [texts / "b.txt"], "out").files == 1
    assert contents("out") == {"b.conllu": b""}
    summary = run_files(pipeline, [texts / "b.txt"], "out")
    assert (summary.files, summary.kept) == (0, 1)


def test_output_that_is_older_than_the_model_is_another_models(run_cli, pipeline, texts):
    pipeline.save("small.sap")
    command = ["annotate", "small.sap", "texts/b.txt", "-o", "out"]
    assert "kept" not in run_cli(command).err
    assert "kept: 1, newer than their FILE and the model" in run_cli(command).err
    before = times("out")
    pipeline.save("small.sap")
    run = run_cli([*command[:2], "texts", *command[3:]])
    assert run.status == 2
    assert "out/b.conllu is there already, and not newer than its input and the model" in run.err
    assert times("out") == before


def test_other_options_with_another_ending_are_other_files(run_cli, model, texts):
    assert run_cli(["annotate", model, "texts/b.txt", "-o", "out"]).status == 0
    run = run_cli(["annotate", model, "texts/b.txt", "-o", "out", "--format", "json"])
    assert (run.status, run.err.count("kept")) == (0, 0)
    assert set(contents("out")) == {"b.conllu", "b.jsonl"}


def test_other_options_with_the_same_ending_are_kept_and_said(run_cli, model, texts):
    assert run_cli(["annotate", model, "texts/b.txt", "-o", "out"]).status == 0
    run = run_cli(["annotate", model, "texts/b.txt", "-o", "out", "--parts", "segment"])
    assert run.status == 0
    assert run.err.endswith(
        "kept: 1, newer than their FILE and the model, whatever the options; "
        "remove out, or name another folder, to write them anew\n"
    )


def test_a_file_that_changes_while_it_is_read_is_left_out(pipeline, texts, monkeypatch):
    from sapwood.batch import runs

    def chunks(path, name, **how):
        yield from read(path, name, **how)
        Path(path).write_text("A helt.")

    read = runs.chunks
    with monkeypatch.context() as changed:
        changed.setattr(runs, "chunks", chunks)
        summary = run_files(pipeline, [texts / "b.txt"], "out")
    assert summary.failed == [f"{texts / 'b.txt'}: it changed while it was read; run again"]
    assert contents("out") == {}
    assert run_files(pipeline, [texts / "b.txt"], "out").files == 1


@pytest.mark.parametrize("kind", ["link", "dangling", "folder", "pipe"])
def test_what_is_no_file_in_the_folder_is_refused_before_the_work(pipeline, texts, kind):
    Path("out").mkdir()
    Path("precious").write_text("old")
    at = Path("out/c.conllu")
    {
        "link": lambda: at.symlink_to("../precious"),
        "dangling": lambda: at.symlink_to("nowhere"),
        "folder": at.mkdir,
        "pipe": lambda: os.mkfifo(at),
    }[kind]()
    with pytest.raises(OptionError, match=r"c\.conllu is a link, or no file; name another folder, or remove it"):
        run_files(pipeline, [texts / "b.txt", texts / "c.txt"], "out")
    assert [path.name for path in Path("out").iterdir()] == ["c.conllu"]
    assert Path("precious").read_text() == "old"


def test_two_runs_may_write_into_one_folder(pipeline, texts):
    """None of them sweeps what the other has begun, and both write the same bytes."""
    files = [texts / "b.txt", texts / "c.txt"]
    inner = []

    def again(event):
        inner.append(run_files(pipeline, files, "out").failed)

    assert run_files(pipeline, files, "out", on_event=again).files == 2
    assert inner == [[], []]
    assert contents("out") == {f"{path.stem}.conllu": alone(pipeline, path) for path in files}


def test_taggers_parsers_and_classifiers_do_the_same(run_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = treebank(60, 2)
    pairs = zip(data.column("form"), data.column("upos"), strict=True)
    tagged = [list(zip(*pair, strict=True)) for pair in pairs]
    SequenceTagger(template="pos", epochs=2).fit(tagged).save("tag.sap")
    Path("trees").write_bytes(data.replace({}))
    DependencyParser(epochs=1, beam=1).fit(Path("trees")).save("parse.sap")
    Classifier(epochs=3, min_updates=1).fit([text for _, text in TEXTS], [label for label, _ in TEXTS]).save("c.sap")
    words = "\n\n".join("\n".join(word for word, _ in sentence) for sentence in tagged[:9]) + "\n\n"
    inputs = {"tag": words, "parse": data.replace({}).decode(), "classify": "".join(f"{text}\n" for _, text in TEXTS)}
    for verb, model, ending in (
        ("tag", "tag.sap", ".txt"),
        ("parse", "parse.sap", ".conllu"),
        ("classify", "c.sap", ".tsv"),
    ):
        Path(verb).mkdir()
        for name in ("x", "y.txt"):
            (Path(verb) / name).write_text(inputs[verb], encoding="utf-8")
        wanted = run_cli([verb, model, f"{verb}/x"]).out.encode()
        assert run_cli([verb, model, verb, "-o", f"{verb}-out", "--threads", "2"]).status == 0
        assert contents(f"{verb}-out") == {f"{name}{ending}": wanted for name in "xy"}
        assert run_cli([verb, model, verb]).out.encode() == 2 * wanted


def test_tables_need_no_dask(run_cli, model, texts):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run_cli(["annotate", model, "texts", "-o", "out", "--parquet"]).status == 0
    assert parquet.read_table("out/b.parquet").column("form").to_pylist()[:3] == ["A", "helt", "bungs"]


def test_a_parquet_file_among_texts_is_named_as_what_it_is(pipeline, texts):
    (texts / "t.parquet").write_bytes(b"PAR1\x15\x04\x15\0PAR1")
    summary = run_files(pipeline, sorted(map(str, texts.glob("[b-t]*.*"))), "out")
    assert summary.files == 2
    assert [line.partition(";")[0] for line in summary.failed] == [f"{texts}/t.parquet: this is a Parquet file"]


@pytest.mark.parametrize("name", [b"caf\xe9.txt", b"two\nlines.txt", b"\x1b[2J.txt", b"l" * 252 + b".x"])
def test_odd_names_keep_no_other_file_from_being_done(run_cli, model, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for file in (os.fsdecode(name), "plain.txt"):
        (Path("in") / file).write_text("A helt bungs.\n")
    too_long = len(name) > 250
    for again in (False, True):
        run = run_cli(["annotate", model, "in", "-o", "out"])
        assert run.status == too_long
        assert "Traceback" not in run.err
        assert ("File name too long" in run.err) == too_long
        assert len(set(contents("out").values())) == 1
        assert len(contents("out")) == 2 - too_long
        assert ("kept: " in run.err) == again


@pytest.mark.few(1)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_at_once_and_it_goes_on(pipeline, model, tmp_path, number):
    files = [tmp_path / f"{n}.txt" for n in range(40)]
    for n, path in enumerate(files):
        path.write_text(SENTENCES * 400 + f"A helt {n}.\n")
    command = [sys.executable, "-m", "sapwood", "annotate", model, *map(str, files), "-o", str(tmp_path / "out")]
    command += ["--threads", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=default_signals) as process:
        wait_until(lambda: any(tmp_path.glob("out/*.conllu")) or process.poll() is not None)
        process.send_signal(number)
        error = process.communicate(timeout=HANG)[1]
    assert process.returncode == 128 + number
    assert error == "sapwood: interrupted; run it again to go on\n"
    assert 0 < len(contents(tmp_path / "out")) < 40
    assert all(path.endswith(".conllu") for path in contents(tmp_path / "out"))
    done = {path.name: path.stat().st_ino for path in tmp_path.glob("out/*.conllu")}
    options = {"format": "conllu", "input": "text", "errors": "strict", "confidence": False}
    summary = run_files(pipeline.set_params(threads=2), files, tmp_path / "out", **options)
    pipeline.set_params(threads=1)
    assert summary.kept == len(done)
    assert summary.kept + summary.files == 40
    assert all((tmp_path / "out" / name).stat().st_ino == number for name, number in done.items())
    assert (tmp_path / "out" / "7.conllu").read_bytes() == alone(pipeline, files[7])


@pytest.mark.few(1)
@pytest.mark.parametrize("limit", [20, 100, 600])
def test_a_full_disk_names_the_file(spawn_cli, model, tmp_path, limit):
    (tmp_path / "in").mkdir()
    for k in range(40):
        (tmp_path / "in" / f"{k}.txt").write_text("A helt bungs. " * 9)
    allow = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))  # noqa: E731
    process = spawn_cli(["annotate", model, tmp_path / "in", "-o", tmp_path / "out"], preexec_fn=allow)
    error = process.communicate()[1].decode()
    assert process.returncode == 1
    assert re.fullmatch(rf"sapwood: {tmp_path}/out/\S+: cannot be written: it would be larger than .*\n", error)
