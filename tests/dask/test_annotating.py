"""Annotating on Dask: the same bytes as one process gives, whatever happens to workers and clients on the way."""

import gzip
import os
import signal
import subprocess
import sys
import weakref
from pathlib import Path

import dask
import pytest
from distributed import Client, KilledWorker, LocalCluster
from processes import HANG, wait_until
from reviews import TEXTS

from sapwood import Classifier, DataError, DependencyParser, ModelError, OptionError
from sapwood.cli import run as sapwood
from sapwood.dask import annotate_files, connected

SENTENCES = "A helt bungs. The 2 helt sing!\n\nThe bung sings a helt.\n"


@pytest.fixture(scope="module")
def pipeline(toy):
    return toy


@pytest.fixture(scope="module")
def model(toy_file):
    return str(toy_file)


@pytest.fixture
def files(tmp_path):
    return write_files(tmp_path / "in", 5)


def write_files(folder, count, times=3):
    """Write files of different texts, the first compressed."""
    folder.mkdir()
    paths = []
    for n in range(count):
        path = folder / (f"{n}.txt.gz" if n == 0 else f"{n}.txt")
        text = (SENTENCES * (n + 1) * times).encode()
        path.write_bytes(gzip.compress(text) if n == 0 else text)
        paths.append(path)
    return paths


def alone(pipeline, path, **options):
    """Return what one process writes about a file."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return b"".join(pipeline.writer.written([data], name=str(path), **options))


def annotating(model, files, workers, output):
    return ["annotate", model, *map(str, files), "--workers", str(workers), "--output", str(output)]


def stem(path):
    return path.name.removesuffix(".gz").removesuffix(".txt")


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize(
    ("format", "ending"), [("conllu", ".conllu"), ("json", ".jsonl"), ("text", ".txt"), ("html", ".html")]
)
def test_files_are_those_of_one_process(client, pipeline, files, tmp_path, format, ending):
    summary = annotate_files(client, pipeline, files, tmp_path / "out", format=format)
    wanted = {stem(path) + ending: alone(pipeline, path, format=format) for path in files}
    assert contents(tmp_path / "out") == wanted
    assert (summary.files, summary.kept, summary.failed) == (5, 0, [])
    assert summary.text_bytes == sum(len(SENTENCES) * 3 * (n + 1) for n in range(5))


@pytest.mark.slow
def test_number_of_processes_does_not_change_a_byte(pipeline, model, files, tmp_path):
    for workers in (1, 2):
        assert sapwood(annotating(model, files, workers, tmp_path / str(workers))) == 0
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    assert (tmp_path / "1" / "3.conllu").read_bytes() == alone(pipeline, files[3])


def test_taggers_parsers_and_classifiers_do_the_same(client, tiny_file, bank, tmp_path):
    from tiny import train_tiny

    tagger = train_tiny(tiny_file)
    parser = DependencyParser(epochs=1, beam=1).fit(bank / "train.conllu")
    classifier = Classifier(epochs=3, min_updates=1).fit([text for _, text in TEXTS], [label for label, _ in TEXTS])
    reviews = tmp_path / "reviews.txt"
    reviews.write_text("".join(f"{text}\n" for _, text in TEXTS), encoding="utf-8")
    cases = (tagger, Path(tiny_file), ".txt"), (parser, bank / "test.conllu", ".conllu"), (classifier, reviews, ".tsv")
    for fitted, path, ending in cases:
        folder = tmp_path / fitted.task
        annotate_files(client, fitted, [path], folder)
        assert (folder / (path.stem + ending)).read_bytes() == b"".join(fitted.writer.written([path.read_bytes()]))


def test_run_goes_on_where_it_was(client, pipeline, files, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        annotate_files(client, pipeline, files, out, on_event=interrupt_after(2))
    wait_for_workers(client)
    done = {path.name: path.stat().st_ino for path in out.glob("*.conllu")}
    assert len(done) >= 2
    (out / ".sapwood-0123456789abcdef.tmp").write_bytes(b"of a worker that was killed")
    summary = annotate_files(client, pipeline, files, out)
    assert (summary.kept, summary.files) == (len(done), 5 - len(done))
    assert done.items() <= {path.name: path.stat().st_ino for path in out.glob("*.conllu")}.items()
    assert contents(out) == {f"{stem(path)}.conllu": alone(pipeline, path) for path in files}


def wait_for_workers(client):
    """Wait until what the workers were doing is over. Each has one thread, which then takes up this."""
    client.gather([client.submit(int, workers=address, pure=False) for address in client.nthreads()])


def interrupt_after(files):
    def on_event(event):
        if event.done == files:
            raise KeyboardInterrupt

    return on_event


def test_output_that_is_older_than_its_input_or_the_model_is_never_written_over(client, pipeline, files, tmp_path):
    out, model = tmp_path / "out", tmp_path / "small.sap"
    pipeline.save(model)
    annotate_files(client, str(model), files, out)
    before = contents(out)
    files[2].write_text("A helt sings.\n", encoding="utf-8")
    with pytest.raises(OptionError, match=r"2\.conllu is there already"):
        annotate_files(client, str(model), files, out)
    assert contents(out) == before
    (out / "2.conllu").unlink()
    (out / "3.conllu").unlink()
    summary = annotate_files(client, str(model), files, out)
    assert (summary.files, summary.kept) == (2, 3)
    assert (out / "2.conllu").read_bytes() == alone(pipeline, files[2])
    assert {name for name, data in contents(out).items() if before[name] != data} == {"2.conllu"}
    pipeline.save(model)
    assert annotate_files(client, pipeline, files, out).kept == 5
    with pytest.raises(OptionError, match=r"0\.conllu \(and 4 more files\) is there already"):
        annotate_files(client, pipeline, files, out, model_file=model)


def test_a_folder_that_a_worker_does_not_see_ends_the_run(client, pipeline, files, tmp_path, monkeypatch):
    from sapwood.dask import collections as module

    def elsewhere(task, shared, job):
        return module.work_on(shared.model, job._replace(mark=str(tmp_path / "elsewhere" / "mark")), task)

    monkeypatch.setattr(module, "_work", elsewhere)
    with pytest.raises(DataError, match=r"elsewhere: .* does not see this folder; it must be on a file system"):
        annotate_files(client, pipeline, files, tmp_path / "out")
    assert contents(tmp_path / "out") == {}


def test_bad_files_are_left_out_and_named(client, pipeline, files, tmp_path):
    files[1].write_bytes(b"A helt \xff.\n")
    files[2].unlink()
    summary = annotate_files(client, pipeline, files, tmp_path / "out")
    assert summary.files == 3
    bad, gone = sorted(summary.failed)
    assert bad.startswith(f"{files[1]}: byte 7: invalid UTF-8")
    assert gone == f"{files[2]}: cannot read it: No such file or directory"
    assert set(contents(tmp_path / "out")) == {"0.conllu", "3.conllu", "4.conllu"}


def test_names_that_collide_are_refused(client, pipeline, files, tmp_path):
    other = tmp_path / "1.txt.xz"
    with pytest.raises(OptionError, match=r"would both be written to 1\.conllu"):
        annotate_files(client, pipeline, [*files, other], tmp_path / "out")
    with pytest.raises(OptionError, match="would be overwritten by output"):
        annotate_files(client, pipeline, [tmp_path / "a.conllu"], tmp_path, input="conllu")


def test_options_that_the_model_does_not_have_are_refused(client, pipeline, files, tmp_path):
    with pytest.raises(OptionError, match="a pipeline has not all of the options top"):
        annotate_files(client, pipeline, files, tmp_path / "out", top=3)
    with pytest.raises(OptionError, match="format is one of conllu, json, html, text; got 'table'"):
        annotate_files(client, pipeline, files, tmp_path / "out", format="table")
    with pytest.raises(ModelError, match="calibrate"):
        annotate_files(client, pipeline, files, tmp_path / "out", confidence=True)
    assert not (tmp_path / "out").exists()


def test_folder_that_cannot_be_written_is_one_line(client, pipeline, files, tmp_path):
    (tmp_path / "out").write_bytes(b"")
    with pytest.raises(DataError, match="out: cannot be written"):
        annotate_files(client, pipeline, files, tmp_path / "out")


@pytest.mark.slow
def test_file_of_a_killed_worker_is_done_again(pipeline, tmp_path):
    files = write_files(tmp_path / "in", 6, times=200)
    with connected(workers=2) as client:
        killed = []

        def kill(event):
            if event.done == 1:
                victim = next(iter(client.run(os.getpid).values()))
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

        summary = annotate_files(client, pipeline, files, tmp_path / "out", on_event=kill)
    assert killed
    assert summary.files == 6
    assert contents(tmp_path / "out") == {f"{stem(path)}.conllu": alone(pipeline, path) for path in files}


def test_file_at_which_workers_keep_dying_is_left_out(client, pipeline, files, tmp_path, monkeypatch):
    from sapwood.dask import collections as module

    real, given_up = module.result_of, []

    def result(future, name, to_go_on):
        if name == str(files[1]):
            given_up.append(name)
            raise KilledWorker(task="", last_worker=None, allowed_failures=3)
        return real(future, name, to_go_on)

    monkeypatch.setattr(module, "result_of", result)  # four workers take too long to start
    summary = annotate_files(client, pipeline, files, tmp_path / "out")
    assert len(given_up) == 1
    assert summary.files == 4
    assert summary.failed == [
        f"{files[1]}: 4 workers died while they had it; it may need more memory than they have: split it"
    ]


@pytest.mark.slow
def test_killed_client_leaves_what_is_done(pipeline, model, tmp_path):
    files = write_files(tmp_path / "in", 8, times=300)
    out = tmp_path / "out"
    command = annotating(model, files, 1, out)
    with subprocess.Popen([sys.executable, "-m", "sapwood", *command], stderr=subprocess.PIPE) as process:
        wait_until(lambda: len(list(out.glob("*.conllu"))) >= 2)
        process.kill()
        process.communicate(timeout=HANG)  # until its worker, whose standard error this is, too, has gone
    assert sapwood(command) == 0
    assert contents(out) == {f"{stem(path)}.conllu": alone(pipeline, path) for path in files}


@pytest.mark.slow
def test_interrupted_command_says_so_and_leaves_nothing_begun(model, tmp_path):
    files = write_files(tmp_path / "in", 8, times=2000)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "sapwood", *annotating(model, files, 1, out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, process_group=0) as process:
        wait_until(lambda: any(out.glob("*.tmp")) or any(out.glob("*.conllu")))
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, message = process.communicate(timeout=HANG)
    assert message == b"sapwood: interrupted\n"
    assert process.returncode == 130
    assert not list(out.glob("*.tmp"))


def test_parquet_has_a_row_for_each_word(client, pipeline, files, tmp_path):
    from pyarrow import parquet

    annotate_files(client, pipeline, files, tmp_path / "out", parquet=True)
    rows = parquet.read_table(tmp_path / "out" / "2.parquet").to_pylist()
    lines = [line.split("\t") for line in alone(pipeline, files[2]).decode().splitlines() if line[:1].isdigit()]
    assert [[row["id"], row["form"], row["upos"], str(row["head"])] for row in rows] == [
        [line[0], line[1], line[3], line[6]] for line in lines
    ]
    assert rows[-1]["sentence"] == 3 * 3 * 3
    with pytest.raises(OptionError, match="Parquet is made of words or examples, not of json"):
        annotate_files(client, pipeline, files, tmp_path / "other", parquet=True, format="json")


def test_tables_are_what_is_written_by_eye(tmp_path):
    from pyarrow import parquet

    from sapwood.io.tables import write_table

    def table(kind, *blocks):
        with (tmp_path / "table").open("wb") as file:
            write_table(file, blocks, kind)
        return parquet.read_table(tmp_path / "table").to_pylist()

    first, second = b"# a comment\n1\tDu\t_\tX\t_\t_\t0\troot\t_\t_\n\n", b"1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tA=1\n\n"
    rows = table("conllu", first + first, second)
    assert [row["sentence"] for row in rows] == [1, 2, 3]
    assert rows[0] == {
        **{"sentence": 1, "id": "1", "form": "Du", "lemma": "_", "upos": "X", "xpos": None, "feats": None},
        **{"head": 0, "deprel": "root", "deps": None, "misc": None},
    }
    assert (rows[2]["id"], rows[2]["head"], rows[2]["misc"]) == ("1-2", None, "A=1")
    assert table("columns", b"a  X\nb\tY\r\n\r\n \nc Z\n") == [
        {"sentence": 1, "c1": "a", "c2": "X"},
        {"sentence": 1, "c1": "b", "c2": "Y"},
        {"sentence": 2, "c1": "c", "c2": "Z"},
    ]
    assert table("labels", b"good\t1.5\n", b"bad\t-2\n") == [
        {"label": "good", "score": 1.5},
        {"label": "bad", "score": -2.0},
    ]
    two = {"label1": "good", "score1": 1.5, "label2": "bad", "score2": 0.0}
    assert table("labels", b"good\t1.5\tbad\t0\n") == [two]
    assert table("conllu") == table("columns", b"") == table("labels") == []


def test_command_says_what_is_wrong(model, files, tmp_path, capsys):
    def error(*arguments):
        assert sapwood(["annotate", model, *arguments]) == 2
        line = capsys.readouterr().err
        assert line.count("\n") == 1
        return line

    name, out = str(files[1]), str(tmp_path / "out")
    assert "--workers needs --output" in error(name, "--workers", "2")
    assert "--output needs files" in error("-", "--output", out, "--workers", "1")
    assert "--least-sure compares" in error(name, "--output", out, "--workers", "1", "--least-sure", "3")


def test_scheduler_that_is_not_there_is_one_line(monkeypatch):
    from sapwood.dask import shared

    monkeypatch.setattr(shared, "PATIENCE", 1)
    unreachable = r"cannot reach a scheduler at tcp://127\.0\.0\.1:9; start one by"
    with pytest.raises(OptionError, match=unreachable), connected(cluster="tcp://127.0.0.1:9"):
        pass


def test_nothing_is_left_of_a_client_that_failed(monkeypatch):
    """Dask hangs where Python collects such a client just when Dask starts a thread."""
    from sapwood.dask import shared

    made = []

    class Noted(Client):
        def __init__(self, *arguments, **options):
            made.append(weakref.ref(self))
            super().__init__(*arguments, **options)

    monkeypatch.setattr(shared, "Client", Noted)
    with pytest.raises(OptionError, match="cannot reach a scheduler"), connected(cluster="no://address"):
        pass
    assert [each() for each in made] == [None]


def test_required_encryption_without_certificates_is_one_line():
    with dask.config.set({"distributed.comm.require-encryption": True}):
        with (
            pytest.raises(OptionError, match=r"tcp://127\.0\.0\.1:9: encryption required"),
            connected(cluster="tcp://127.0.0.1:9"),
        ):
            pass
        with pytest.raises(OptionError, match=r"cannot start workers: .* requires encryption"), connected(workers=1):
            pass


def test_scheduler_that_goes_away_is_one_line(pipeline, tmp_path):
    files = write_files(tmp_path / "in", 6, times=50)
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0")
    with Client(cluster) as client, pytest.raises(DataError, match="the scheduler is gone"):
        annotate_files(client, pipeline, files, tmp_path / "out", on_event=lambda event: cluster.close())


@pytest.mark.slow
def test_local_workers_listen_on_the_loopback_address_only():
    with connected(workers=1) as client:
        addresses = [client.scheduler.address, *client.nthreads()]
    assert all(address.startswith("tcp://127.0.0.1:") for address in addresses)
