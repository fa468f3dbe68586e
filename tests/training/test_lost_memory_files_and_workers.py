"""Faults beyond a kill: memory that ends, files that vanish, a clock that jumps, a cluster that wants certificates."""

import resource
import shutil
import subprocess
import sys
import time

import pytest
from processes import HANG

from sapwood import OptionError, SequenceTagger
from sapwood.base.writing import replacing, sweep
from sapwood.datasets.treebank import generate
from sapwood.events import EpochDone

ALWAYS_SAVING = "from sapwood.training import saving; saving.EVERY = 0.0"
SAPWOOD = [sys.executable, "-c", f"{ALWAYS_SAVING}; from sapwood.cli import main; main()"]
MEGABYTE = 1 << 20
TASKS = {
    "tag": ("train.txt", "--template", "pos", "--epochs", "2"),
    "parse": ("train.conllu", "--epochs", "1", "--min-updates", "2"),
    "classify": ("train.svm", "--epochs", "2"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Training data of each task."""
    path = tmp_path_factory.mktemp("data")
    sentences = list(generate(400, 1))
    (path / "train.conllu").write_text("".join(s.conllu(f"s{k}", "attached") for k, s in enumerate(sentences)))
    rows = ("".join(f"{w} {t}\n" for w, t in zip(s.words, s.tags, strict=True)) + "\n" for s in sentences)
    (path / "train.txt").write_text("".join(rows))
    examples = (
        " ".join(f"{j}:1" for j in sorted({k * n % 65_521 + 1 for n in range(1, 20)})) for k in range(1, 10_000)
    )
    (path / "train.svm").write_text("".join(f"{'abc'[len(line) % 3]} {line}\n" for line in examples))
    return path


def command(task, folder, model):
    data, *options = TASKS[task]
    return [*SAPWOOD, "train", task, str(folder / data), "-o", str(model), *options, "--quiet"]


def with_memory(arguments, megabytes):
    """Run a command that may have so much memory of its own."""

    def limit():
        resource.setrlimit(resource.RLIMIT_DATA, (megabytes * MEGABYTE,) * 2)

    return subprocess.run(arguments, preexec_fn=limit, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is about Linux's accounting")
@pytest.mark.parametrize("task", TASKS)
def test_memory_that_ends_gives_one_line_and_no_file(task, folder, tmp_path):
    if with_memory([*SAPWOOD, "--version"], 30).returncode != 0:
        pytest.skip("what the core was built with needs more memory")
    subprocess.run(command(task, folder, tmp_path / "whole.sap"), check=True)
    whole, model = tmp_path / "whole.sap", tmp_path / "m.sap"
    ends = set()
    for megabytes in (30, 45, 400):
        run = with_memory([*command(task, folder, model), "--checkpoint", str(tmp_path / "m.checkpoint")], megabytes)
        ends.add(run.returncode)
        if run.returncode == 0:
            assert model.read_bytes() == whole.read_bytes()
        else:
            assert (run.returncode, run.stderr.count("\n")) == (1, 1), run.stderr
            assert "out of memory" in run.stderr
        model.unlink(missing_ok=True)
        (tmp_path / "m.checkpoint").unlink(missing_ok=True)
        assert list(tmp_path.iterdir()) == [whole]
    assert ends == {0, 1}


@pytest.mark.few(1)
@pytest.mark.parametrize("gone", ["train.txt", "dev.txt", "own.tpl", "checkpoint"])
def test_files_that_vanish_are_named_and_cost_no_checkpoint(gone, folder, tmp_path):
    for name in ("train.txt", "dev.txt"):
        shutil.copy(folder / "train.txt", tmp_path / name)
    (tmp_path / "own.tpl").write_text("U:%x[0,0]\n")
    train = [
        "train",
        "tag",
        "train.txt",
        "--dev",
        "dev.txt",
        "--template",
        "own.tpl",
        "-o",
        "m.sap",
        "--epochs",
        "3",
        "-q",
    ]

    def run(*more):
        return subprocess.run([*SAPWOOD, *train, *more], cwd=tmp_path, capture_output=True, text=True)

    assert run("--checkpoint", "checkpoint").returncode == 0
    whole = (tmp_path / "m.sap").read_bytes()
    shutil.move(tmp_path / gone, tmp_path / "away")
    failed = run("--resume", "checkpoint")
    assert failed.returncode in (1, 2)
    assert failed.stderr.count("\n") == 1
    assert gone in failed.stderr
    assert (tmp_path / "m.sap").read_bytes() == whole
    shutil.move(tmp_path / "away", tmp_path / gone)
    assert run("--resume", "checkpoint").returncode == 0
    assert (tmp_path / "m.sap").read_bytes() == whole


@pytest.mark.slow
def test_a_clock_that_jumps_neither_delays_checkpoints_nor_takes_files_of_living_writers(folder, tmp_path, monkeypatch):
    jumps = iter([0, 4e9] * 10_000)
    monkeypatch.setattr(time, "time", lambda: next(jumps))
    file = tmp_path / "m.checkpoint"
    saved = []

    def note(event):
        if isinstance(event, EpochDone):
            saved.append(file.exists())
            file.unlink()

    SequenceTagger(template="pos", epochs=3).fit(folder / "train.txt", checkpoint=file, every=0, on_event=note)
    assert saved == [True] * 3
    with replacing(tmp_path / "other") as other:
        other.write(b"whole")
        sweep(tmp_path)
    assert (tmp_path / "other").read_bytes() == b"whole"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_encrypted_cluster_is_for_those_who_have_its_certificates(tmp_path, monkeypatch):
    """Dask's own settings are all that it takes (docs/dask.md)."""
    import dask
    from distributed import LocalCluster, Security

    from sapwood.dask import shared

    certificate, key = tmp_path / "own.crt", tmp_path / "own.key"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout"]
    subprocess.run([*made, key, "-out", certificate], check=True, capture_output=True)
    tls = {**dask.config.get("distributed.comm.tls"), "ca-file": str(certificate)}
    tls |= {role: {"cert": str(certificate), "key": str(key)} for role in ("client", "scheduler", "worker")}
    monkeypatch.setattr(shared, "PATIENCE", HANG)
    kept = {"distributed.comm.require-encryption": True, "distributed.comm.tls": tls}
    with dask.config.set(kept):
        cluster = LocalCluster(
            n_workers=1, protocol="tls://", dashboard_address=None, security=Security(), host="127.0.0.1"
        )
        with cluster:
            address = cluster.scheduler_address
            with shared.connected(cluster=address) as client:
                assert client.submit(len, "four").result(timeout=HANG) == 4
            dask.config.set({"distributed.comm.tls.client.cert": None})
            with pytest.raises(OptionError, match="needs certificates"), shared.connected(cluster=address):
                pass
    assert address.startswith("tls://127.0.0.1:")
