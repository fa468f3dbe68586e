"""Training in shards on Dask's workers: the same bytes as in one process, also when a worker dies."""

import os
import signal

import pytest
from reviews import TEXTS, fasttext

from sapwood import Classifier, DataError, OptionError, SequenceTagger
from sapwood.cli import run as sapwood
from sapwood.dask import ShardWorkers, connected
from sapwood.events import Step
from sapwood.training.shards import Shard

SENTENCES = [[(word, f"T{len(word)}") for word in text.split()] for _, text in TEXTS]
TAGS = [["X" if word in "a the , !" else label for word in text.split()] for label, text in TEXTS]


def test_workers_give_the_bytes_of_one_process(client):
    def tagger():
        return SequenceTagger(epochs=3, shards=5, update="pa", min_updates=2)

    wanted = tagger().fit(SENTENCES, TAGS).model_.dump()
    found = tagger().fit(SENTENCES, TAGS, workers=ShardWorkers(client))
    assert found.model_.dump() == wanted


@pytest.mark.slow
def test_a_worker_that_dies_costs_its_shards_epoch_and_no_byte():
    def classifier():
        return Classifier(epochs=4, shards=4)

    text, labels = [text for _, text in TEXTS], [label for label, _ in TEXTS]
    wanted = classifier().fit(text, labels).model_.dump()
    with connected(workers=2) as client:
        killed = []

        def kill(event):
            if isinstance(event, Step) and event.epoch == 2 and not killed:
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)

        found = classifier().fit(text, labels, on_event=kill, workers=ShardWorkers(client))
        assert killed
    assert found.model_.dump() == wanted


def test_a_failure_on_a_worker_is_an_error_of_the_one_tree(client):
    def broken(shards):
        return ShardWorkers(client)([Shard(fail, None, {}) for _ in shards])

    with pytest.raises(DataError, match=r"shard \d: a worker failed: RuntimeError: no luck"):
        SequenceTagger(shards=2).fit(SENTENCES, TAGS, workers=broken)


def fail(data):
    raise RuntimeError("no luck")


@pytest.mark.slow
def test_the_command_line_gives_the_bytes_of_one_process(tmp_path, capsys):
    (tmp_path / "train.txt").write_text(fasttext())
    train = ["train", "classify", str(tmp_path / "train.txt"), "--epochs", "2", "--shards", "2", "-q", "-o"]
    assert sapwood([*train, str(tmp_path / "one.sap")]) == 0
    assert sapwood([*train, str(tmp_path / "two.sap"), "--workers", "1"]) == 0
    assert (tmp_path / "one.sap").read_bytes() == (tmp_path / "two.sap").read_bytes()
    assert sapwood([*train, str(tmp_path / "two.sap"), "--workers", "0"]) == 2
    assert "'0' is not a whole number, from 1 to 1,024" in capsys.readouterr().err
    assert sapwood(["train", "classify", str(tmp_path / "train.txt"), "--workers", "2", "-o", "x"]) == 2
    assert "workers train shards" in capsys.readouterr().err


def test_workers_need_shards(client):
    with pytest.raises(OptionError, match="workers train shards"):
        SequenceTagger().fit(SENTENCES, TAGS, workers=ShardWorkers(client))
