"""Fixtures that the tests share: small corpora, models trained on them, and two ways to run the command line."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from commands import run_command
from processes import default_signals, end_processes_of
from tiny import TINY_CORPUS, TINY_TEMPLATE, sentences_of, train_tiny

# A shell starts what runs in the background with Ctrl-C ignored, and nohup with SIGHUP; the tests of interrupts want
# them as they are elsewhere.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session", autouse=True)
def own_scratch():
    """A folder for temporary files that no other process writes to: tests look for files and processes left behind."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        Path(folder).chmod(0o777)  # a test becomes another user
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", folder)
        yield
        if "asking" in sys.modules:
            sys.modules["asking"].SERVERS.close()
        left = end_processes_of(folder)
    assert left == [], "tests left processes behind"


@pytest.fixture(scope="module")
def tagger(tiny_file):
    """A tagger of the tiny corpus, in memory."""
    return train_tiny(tiny_file)


@pytest.fixture(scope="session")
def tiny():
    """The tiny corpus as lists of (word, tag, chunk)."""
    return sentences_of(TINY_CORPUS)


@pytest.fixture(scope="session")
def _tiny_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "train.txt").write_text(TINY_CORPUS)
    (folder / "tiny.tpl").write_text(TINY_TEMPLATE)
    train_tiny(folder / "train.txt").save(folder / "tiny.sap")
    return folder


@pytest.fixture(scope="session")
def tiny_file(_tiny_folder):
    """The tiny corpus as a column file."""
    return _tiny_folder / "train.txt"


@pytest.fixture(scope="session")
def tiny_template(_tiny_folder):
    """Its template as a file."""
    return _tiny_folder / "tiny.tpl"


@pytest.fixture(scope="session")
def tiny_model(_tiny_folder):
    """A model file trained on it."""
    return _tiny_folder / "tiny.sap"


@pytest.fixture(scope="session")
def bank(tmp_path_factory):
    """A generated treebank: train.conllu and test.conllu."""
    from sapwood.datasets.treebank import generate

    folder = tmp_path_factory.mktemp("bank")
    sentences = [sentence.conllu(str(k)) for k, sentence in enumerate(generate(120))]
    (folder / "train.conllu").write_text("".join(sentences[:90]))
    (folder / "test.conllu").write_text("".join(sentences[90:]))
    return folder


@pytest.fixture(scope="session")
def parsers(bank):
    """A parser of each kind (parsers.KINDS), trained on it."""
    from parsers import KINDS, QUICK, Made

    from sapwood import DependencyParser

    return Made(lambda kind: DependencyParser(**QUICK, **KINDS[kind]).fit(bank / "train.conllu"))


@pytest.fixture(scope="session")
def toy():
    """A pipeline of five parts, trained on a made-up language."""
    from treebanks import treebank

    from sapwood.tasks.pipeline.model import Pipeline

    return Pipeline(beam=1).fit(treebank(200, 1))


@pytest.fixture(scope="session")
def toy_file(toy, tmp_path_factory):
    """Its model file."""
    path = tmp_path_factory.mktemp("toy") / "toy.sap"
    toy.save(path)
    return path


@pytest.fixture
def run_cli():
    """run_cli(args, stdin=b""): run `sapwood` in this process (`run_command` of tests/shared/commands.py)."""
    return run_command


@pytest.fixture
def spawn_cli():
    """spawn_cli(args, **popen): start `sapwood` as a process of its own, its three streams being pipes."""
    processes = []

    def spawn(args, **options):
        # The tests themselves may run with SIGINT ignored (in the background of a shell).
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = [sys.executable, "-m", "sapwood", *map(str, args)]
        process = subprocess.Popen(command, **({"preexec_fn": default_signals} | pipes | options))
        processes.append(process)
        return process

    yield spawn
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


@pytest.fixture
def on_progress(monkeypatch):
    """on_progress(act): call act(event) wherever the command line describes an event of training, before it does."""
    from sapwood.cli.base.progress import _Descriptions

    describe = _Descriptions.__call__

    def use(act):
        def act_and_describe(self, event):
            act(event)
            return describe(self, event)

        monkeypatch.setattr(_Descriptions, "__call__", act_and_describe)

    return use


def pytest_collection_modifyitems(items):
    """Skip what needs real corpora where there are none."""
    if os.environ.get("SAPWOOD_DATA"):
        return
    skip = pytest.mark.skip(reason="needs real corpora: set SAPWOOD_DATA to the folder that holds conll2000/")
    for item in items:
        if "corpus" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def english():
    """The bundled English model."""
    import sapwood

    return sapwood.load("en")


@pytest.fixture(scope="module")
def client():
    """A client of Dask with two workers in this process."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
    ):
        yield client
