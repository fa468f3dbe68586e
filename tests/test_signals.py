"""Ctrl-C and SIGTERM end whatever is computed, also inside of one sentence, one merger or one line.

Each computation would take minutes. A test waits until it has begun, sends its signals, and wants the status 128 + n. A
process that does not listen is ended by the guard, and its status is another one. What takes only seconds is in
tests/core/base/test_stop_check.cpp.
"""

import signal
import subprocess
import sys

import pytest
from processes import guarded, wait_for_work

import sapwood
from sapwood import Classifier, SequenceTagger
from sapwood.errors import SapwoodWarning

LABELS, TOKENS = 3850, 15_494  # of a file whose label stands in another column


@pytest.fixture(scope="module")
def wrong_column(tmp_path_factory):
    path = tmp_path_factory.mktemp("stopping") / "words.txt"
    rows = [f"w{k % 97}\tL{k % LABELS}\n" + ("\n" if k % 24 == 23 else "") for k in range(TOKENS)]
    path.write_text("".join(rows))
    return path


def status_after(process, *numbers):
    """Send the signals, each when the one before was surely delivered; return the exit status and what was printed."""
    for number in numbers:
        wait_for_work(process)
        assert process.poll() is None
        process.send_signal(number)
    _, err = process.communicate()
    return process.returncode, err.decode()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "numbers", [(signal.SIGINT, signal.SIGINT), (signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGTERM)]
)
def test_the_second_signal_ends_training_within_a_sentence(spawn_cli, wrong_column, tmp_path, numbers):
    output = ["-o", tmp_path / "m.sap", "--template", "pos", "--columns", "word,label"]
    process = spawn_cli(["train", "tag", wrong_column, *output], preexec_fn=guarded)
    assert any(b"3,850 labels in 15,494 tokens" in process.stderr.readline() for _ in range(2))
    status, err = status_after(process, *numbers)
    assert status == 128 + numbers[-1]
    assert err.rstrip().endswith("sapwood: interrupted")
    assert not list(tmp_path.iterdir())


_MERGING = """
import sys
from sapwood import WordClusterer

def on_event(event):
    if event.what == "merging classes":
        print("merging", flush=True)

words = [[f"w{k}", f"w{k * k % 4099}"] for k in range(5000)]
try:
    WordClusterer(classes=4096, min_count=1, iterations=1, threads=1).fit(words, on_event=on_event)
except KeyboardInterrupt as interrupt:
    sys.exit(128 + interrupt.args[0])
"""


@pytest.mark.slow
def test_the_second_signal_ends_the_merging_of_clusters():
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", _MERGING], preexec_fn=guarded, **pipes) as process:
        assert process.stdout.readline() == b"merging\n"
        assert status_after(process, signal.SIGINT, signal.SIGTERM) == (128 + signal.SIGTERM, "")


_TAGGING = """
import sys
from pathlib import Path
import sapwood

words = [f"w{k % 97}" for k in range(500)]
gold = [f"L{k}" for k in range(500)]
tagger = sapwood.SequenceTagger(template="U:%x[0,0]\\nB\\n", epochs=1)
tagger.label_hint = ""
tagger.fit([words], [gold])
print("tagging", flush=True)
try:
    tagger.predict([words * 2000])
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.slow
def test_ctrl_c_ends_tagging_within_a_sentence():
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-W", "ignore", "-c", _TAGGING], preexec_fn=guarded, **pipes) as process:
        assert process.stdout.readline() == b"tagging\n"
        assert status_after(process, signal.SIGINT) == (130, "")


def sentences(tokens, labels):
    names = [f"L{k % labels}" for k in range(tokens)]
    starts = range(0, tokens, 1000)
    return [["w"] * len(names[k : k + 1000]) for k in starts], [names[k : k + 1000] for k in starts]


@pytest.mark.parametrize(
    ("tokens", "labels", "odd"),
    [(5000, 100, False), (5050, 101, False), (5049, 101, True), (300, 101, True)],
)
def test_many_labels_are_remarked_on_before_training(tokens, labels, odd):
    events = []
    fit = SequenceTagger(template="U:%x[0,0]\n", search="argmax", epochs=1).fit
    if not odd:
        fit(*sentences(tokens, labels))
        return
    with pytest.raises(SapwoodWarning) as caught:  # tests turn warnings into errors
        fit(*sentences(tokens, labels), on_event=events.append)
    wanted = f"{labels} labels in {tokens:,} tokens: is the last column the label? --columns says which is"
    assert str(caught.value) == wanted
    assert not events


def test_many_labels_of_a_classifier_are_remarked_on():
    labels = [f"L{k % 150}" for k in range(600)]
    with pytest.raises(SapwoodWarning, match=r"150 labels in 600 examples: are these the labels\? --format says"):
        Classifier(epochs=1).fit(["a text"] * 600, labels)
    sets = [[f"L{k % 150}"] for k in range(600)]
    Classifier(epochs=1, multi_label=True).fit(["a text"] * 600, sets)


def test_a_tagger_for_a_parser_may_have_many_labels():
    words = [[(f"w{k}", f"T{k}") for k in range(120)]]
    trees = [(list(range(120)), ["root"] + ["dep"] * 119)]
    parser = sapwood.DependencyParser(tags="predicted", tag_columns=["xpos"], epochs=1, min_updates=1)
    assert parser.fit(words, trees).predict([["w1"]])
