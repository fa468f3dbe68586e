"""The tagger from Python: held-out data, events, columns, encodings, determinism, long sentences, bad values."""

import functools
import itertools
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tiny import TINY_CORPUS, TINY_TEMPLATE, events_of, gold_of, train_tiny

import sapwood
from sapwood import SequenceTagger
from sapwood.events import EpochDone, Finished, Started, Step

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
WORDS = "U00:%x[0,0]\nU01:%x[-1,0]\nB\n"
# The sentences of these tests are few and come several times, which is said.
pytestmark = pytest.mark.filterwarnings("ignore:.*(stand there several times|stands? in the (model's )?training data)")


def test_events_of_a_plain_run(tiny):
    _, events = events_of(tiny)
    kinds = [type(event) for event in events]
    assert kinds == [Started, *[Step, EpochDone] * 3, Finished]
    started, *_, finished = events
    assert (started.sentences, started.tokens, started.labels, started.epochs) == (5, 32, 6, 3)
    assert (finished.epochs, finished.best_epoch, finished.reason) == (3, 3, "epochs")
    steps = [event for event in events if isinstance(event, Step)]
    assert [(step.epoch, step.epochs, step.examples, step.tokens) for step in steps] == [
        (k, 3, 32, 32) for k in (1, 2, 3)
    ]
    done = [event for event in events if isinstance(event, EpochDone)]
    assert [event.epoch for event in done] == [1, 2, 3]
    assert all(event.dev_score is None and event.best for event in done)
    assert done[0].mistakes > done[-1].mistakes
    assert done[0].features <= done[-1].features


def test_a_long_epoch_is_told_in_steps():
    corpus = [[("a", "X"), ("b", "Y")] * 1000] * 50
    _, events = events_of(corpus, template="U:%x[0,0]\nB\n", epochs=1)
    steps = [event.examples for event in events if isinstance(event, Step)]
    assert len(steps) > 1
    assert steps == sorted(steps)
    assert steps[-1] == 100_000


DEV = [
    [("a", "DT", "B-NP"), ("dog", "NN", "I-NP"), ("bark", "VBP", "B-VP"), ("at", "IN", "B-PP"), ("she", "PRP", "B-NP")]
]


@pytest.mark.parametrize(("sentences", "kept"), [(5, 6), (6, 4)])
def test_the_last_epoch_is_kept_unless_another_is_better_beyond_chance(sentences, kept):
    """One word has either label, so without an average only the fourth epoch has it right: in six sentences, not five.

    Every epoch's model is had by training for so many epochs.
    """
    options = {"template": "U:%x[0,0]\n", "average": False, "gamma": 0.0}
    corpus = [[("a", "X")], [("a", "Y")]]
    tagger, events = events_of(corpus, dev=[[("a", "X")]] * sentences, epochs=6, **options)
    done = [event for event in events if isinstance(event, EpochDone)]
    assert [event.dev_score for event in done] == [0, 0, 0, 100, 0, 0]
    assert [event.best for event in done] == [True, False, False, True, False, False]
    assert events[-1].best_epoch == tagger.model_.provenance["best_epoch"] == kept
    assert tagger.model_.provenance["dev_score"] == done[kept - 1].dev_score
    assert list(tagger.contents.weights()) == list(events_of(corpus, epochs=kept, **options)[0].contents.weights())


def test_the_score_is_f1_for_chunks_and_accuracy_for_others(tiny):
    from sapwood.metrics import chunk_scores, label_scores

    tagger, events = events_of(tiny, dev=DEV, epochs=1)
    assert events[-2].dev_score == pytest.approx(chunk_scores(gold_of(DEV), tagger.predict(DEV)).f1)
    tags = [[(word, tag) for word, tag, _ in sentence] for sentence in tiny]
    dev = [[(word, tag) for word, tag, _ in sentence] for sentence in DEV]
    tagger, events = events_of(tags, dev=dev, epochs=1, template=WORDS)
    assert events[-2].dev_score == pytest.approx(label_scores(gold_of(dev), tagger.predict(dev)).accuracy)


@pytest.mark.filterwarnings("ignore:the held-out data are the training data:sapwood.SapwoodWarning")
def test_patience_stops_the_training(tiny):
    tagger, events = events_of(tiny, dev=tiny, epochs=50, patience=2)
    finished = events[-1]
    assert finished.reason == tagger.model_.provenance["stopped_by"] == "patience"
    scores = [event.dev_score for event in events if isinstance(event, EpochDone)]
    assert finished.epochs == len(scores) == scores.index(max(scores)) + 3 < 50
    assert finished.best_epoch == finished.epochs


@pytest.mark.filterwarnings("ignore:.* stand in the training data:sapwood.SapwoodWarning")
def test_dev_fraction_holds_sentences_out(tiny):
    # 20 sentences, none of which comes twice
    corpus = [[(f"{first[0]}{k}", *first[1:]), *rest] for k, (first, *rest) in enumerate(tiny * 4)]
    _, events = events_of(corpus, dev_fraction=0.25)
    assert events[0].sentences == 15
    assert all(event.dev_score is not None for event in events if isinstance(event, EpochDone))
    one, _ = events_of(corpus, dev_fraction=0.25)
    held_out = [s for k, s in enumerate(corpus) if int((k + 1) * 0.25) > int(k * 0.25)]
    rest = [s for k, s in enumerate(corpus) if int((k + 1) * 0.25) == int(k * 0.25)]
    other, _ = events_of(rest, dev=held_out)
    assert list(one.contents.weights()) == list(other.contents.weights())


def test_an_interrupt_in_any_event_keeps_a_model(tiny):
    """Ctrl-C once, or what ends processes, finishes the epoch wherever it falls."""
    for kind, number in itertools.product((Step, EpochDone), SIGNALS):
        seen = []

        def interrupt(event, kind=kind, number=number, seen=seen):
            seen.append(event)
            if isinstance(event, kind) and event.epoch == 2:
                signal.raise_signal(number)

        tagger = SequenceTagger(template=TINY_TEMPLATE, min_updates=1, epochs=1000).fit(tiny, on_event=interrupt)
        assert seen[-1].reason == tagger.model_.provenance["stopped_by"] == "interrupted"
        assert seen[-1].epochs in (2, 3)
        assert list(tagger.contents.weights()) == list(train_tiny(tiny, epochs=seen[-1].epochs).contents.weights())
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("first", SIGNALS)
@pytest.mark.parametrize("second", SIGNALS)
def test_a_second_interrupt_stops_at_once(tiny, first, second):
    def interrupt(event):
        if isinstance(event, Step):
            signal.raise_signal(first)
            signal.raise_signal(second)

    before = [signal.getsignal(number) for number in SIGNALS]
    with pytest.raises(KeyboardInterrupt):
        SequenceTagger(template=TINY_TEMPLATE, epochs=1000).fit(tiny, on_event=interrupt)
    assert [signal.getsignal(number) for number in SIGNALS] == before


@pytest.mark.parametrize("number", SIGNALS)
def test_a_handler_of_the_program_is_left_alone(tiny, number):
    seen = []

    def interrupt(event):
        if isinstance(event, Step):
            signal.raise_signal(number)

    for handler in (lambda *_: seen.append(number), signal.SIG_IGN):
        before = signal.signal(number, handler)
        try:
            tagger = SequenceTagger(template=TINY_TEMPLATE, epochs=3).fit(tiny, on_event=interrupt)
            assert signal.getsignal(number) is handler
        finally:
            signal.signal(number, before)
        assert tagger.model_.provenance["stopped_by"] == "epochs"
    assert seen == [number] * 3


def test_training_in_a_thread_takes_no_signals(tiny):
    seen = []
    before = [signal.getsignal(number) for number in SIGNALS]

    def look(event):
        seen.append([signal.getsignal(number) for number in SIGNALS])

    fit = functools.partial(SequenceTagger(template=TINY_TEMPLATE, epochs=2).fit, tiny, on_event=look)
    thread = threading.Thread(target=fit)
    thread.start()
    thread.join()
    assert seen
    assert all(handlers == before for handlers in seen)


def test_columns_can_be_named_skipped_and_the_label_anywhere(tiny):
    shuffled = [[(label, "x", word, tag) for word, tag, label in sentence] for sentence in tiny]
    named = TINY_TEMPLATE.replace(",0]", ",word]").replace(",1]", ",pos]")
    tagger = train_tiny(shuffled, template=named, columns=["label", "_", "word", "pos"])
    assert tagger.predict(shuffled) == gold_of(tiny)
    blanked = [[("?", *row[1:]) for row in sentence] for sentence in shuffled]
    assert tagger.predict(blanked) == gold_of(tiny)
    assert tagger.model_.columns == ["label", "_", "word", "pos"]
    assert tagger.score(shuffled) == 1.0


def test_columns_by_number_are_the_same_features(tiny):
    named = TINY_TEMPLATE.replace(",0]", ", word ]").replace(",1]", ",pos]")
    by_name = train_tiny(tiny, template=named, columns=["word", "pos", "label"])
    assert list(by_name.contents.weights()) == list(train_tiny(tiny).contents.weights())


def test_labels_are_iobes_inside_and_bio_outside(tiny, tmp_path):
    tagger = train_tiny(tiny, encoding="iobes")
    assert any(label.startswith(("S-", "E-")) for label in tagger.model_.labels)
    tagger.save(tmp_path / "model.sap")
    for model in (tagger, sapwood.load(tmp_path / "model.sap")):
        assert model.predict(tiny) == gold_of(tiny)
        assert set(model.labels_) == {label for labels in gold_of(tiny) for label in labels}
        assert {label for ranked in model.n_best(tiny, 5) for path, _ in ranked for label in path} <= set(model.labels_)
        assert model.evaluate(tiny).unseen == {}


TRAIN = """\
import pathlib, sys, sapwood
_, source, template, target, threads, search = sys.argv
options = {"epochs": 4, "min_updates": 2, "threads": int(threads), "search": search, "names": True}
tagger = sapwood.SequenceTagger(template=template, **options)
tagger.fit(pathlib.Path(source), dev_fraction=0.25).save(target)
"""


@pytest.mark.filterwarnings("ignore:.* stand in the training data:sapwood.SapwoodWarning")
def test_the_same_data_and_seed_give_the_same_bytes(tiny_file, tiny_template, tmp_path):
    data = tmp_path / "train.txt"
    data.write_text(f"{TINY_CORPUS}\n" * 30)
    environments = [
        {"PYTHONHASHSEED": "1", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "2", "LC_ALL": "C.utf8", "PYTHONUTF8": "1"},
        {"PYTHONHASHSEED": "3", "LC_ALL": "tr_TR.UTF-8"},
    ]
    for search in ("viterbi", "greedy"):
        models = []
        for run, environment in enumerate(environments):
            target = tmp_path / f"{search}{run}.sap"
            command = [sys.executable, "-c", TRAIN, data, tiny_template, target, str(run % 2 + 1), search]
            subprocess.run(command, env={**os.environ, **environment}, check=True)
            models.append(target.read_bytes())
        options = {"template": tiny_template, "epochs": 4, "min_updates": 2, "names": True, "search": search}
        for threads in (1, 2):
            tagger = SequenceTagger(**options, threads=threads).fit(data, dev_fraction=0.25)
            tagger.save(tmp_path / "here.sap")
            models.append((tmp_path / "here.sap").read_bytes())
        assert len(set(models)) == 1


def test_another_seed_is_another_model(tiny):
    one, other = (list(train_tiny(tiny, seed=seed, epochs=2, bits=32).contents.weights()) for seed in (1, 2))
    assert one != other


@pytest.mark.parametrize("search", ["viterbi", "greedy", "argmax"])
def test_threads_change_nothing(tiny, search):
    tagger = train_tiny(tiny, search=search)
    data = [sentence[: 1 + k % len(sentence)] for k in range(100) for sentence in tiny]
    one = tagger.set_params(threads=1).predict(data)
    assert tagger.set_params(threads=2).predict(data) == one
    assert tagger.set_params(threads=7).predict(data) == one


def test_a_thread_that_still_works_at_the_end_says_nothing(tmp_path, tiny_model):
    """The interpreter does not wait for daemon threads, whose models stay alive."""
    program = f"""
import itertools, threading
import sapwood

tagger = sapwood.load({str(tiny_model)!r})
working = threading.Event()

def work():
    for k in itertools.count():
        tagger.predict([[("old", "JJ")] * 1000] * 100)
        working.set()

threading.Thread(target=work, daemon=True).start()
working.wait()
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_one_tagger_serves_many_threads(tagger, tiny):
    data = tiny * 50
    alone = tagger.predict(data)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tagger.predict, [data] * 16)) == [alone] * 16


@pytest.mark.few(1)
@pytest.mark.parametrize("search", ["viterbi", "greedy", "argmax"])
@pytest.mark.filterwarnings("ignore:.* a sentence of 100,000 tokens:sapwood.SapwoodWarning")
def test_a_sentence_of_100_000_tokens_trains(search):
    sentence = [("a", "X"), ("b", "Y"), ("c", "Z"), ("c", "X")] * 25_000
    tagger = SequenceTagger(template=WORDS, search=search, min_updates=1, epochs=5).fit([sentence])
    assert tagger.score([sentence]) == 1.0


@pytest.mark.few(2)
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("bits", [8, 16, 32])
def test_scores_do_not_wear_out_along_a_long_sentence(tiny, bits, order):
    """The same 32 words 3,125 times over get the same labels every time, apart from the two ends."""
    tagger = train_tiny(tiny, bits=bits, order=order, template=TINY_TEMPLATE + "U09:%y[-2]/%y[-1]\n")
    words = [row for sentence in tiny for row in sentence]
    [labels] = tagger.predict([words * 3125])
    blocks = {tuple(labels[k : k + len(words)]) for k in range(0, len(labels), len(words))[1:-1]}
    assert len(labels) == 100_000
    assert len(blocks) == 1


def test_paths_may_be_objects_or_strings(tiny_file, tmp_path):
    tagger = SequenceTagger(template=str(tiny_file.parent / "tiny.tpl")).fit(Path(tiny_file))
    assert tagger.save(str(tmp_path / "m.sap")) == tagger.save(tmp_path / "m.sap")
