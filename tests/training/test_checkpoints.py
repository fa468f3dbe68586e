"""Checkpoints: whenever training is stopped, it goes on to the same bytes; other data and options are refused."""

import copy
import itertools
import pickle
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from parsers import tagged
from reranking import attachments
from reviews import TEXTS
from treebanks import treebank_text

from sapwood import Classifier, DependencyParser, Pipeline, Reranker, Segmenter, SequenceTagger
from sapwood._core import Conllu
from sapwood.errors import DataError, ModelError, OptionError, SapwoodWarning
from sapwood.events import Preparing, Step
from sapwood.tasks.rewriting.model import Lemmatizer, Splitter

WORDS, TREES = tagged(24)
TOKENS = [[(form, tag) for form, tag, *_ in sentence] for sentence in WORDS]
TAGS = [[upos for _, _, upos, _ in sentence] for sentence in WORDS]
HELD_OUT = [[(*token, tag) for token, tag in zip(*pair, strict=True)] for pair in zip(TOKENS[:6], TAGS, strict=False)]
TEXT, LABELS = [text for _, text in TEXTS], [label for label, _ in TEXTS]


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    """A treebank in a file, with spaces, lemmas and multiword tokens."""
    path = tmp_path_factory.mktemp("treebank") / "train.conllu"
    path.write_text(treebank_text(60, 1))
    return path


def taggers():
    yield SequenceTagger(epochs=2, min_updates=1), {}
    yield SequenceTagger(epochs=2, min_updates=2, update="pa", prune_below=2), {}
    yield SequenceTagger(epochs=3, search="greedy", history="own", names=True), {}
    yield SequenceTagger(epochs=2, search="argmax", dictionary="0"), {}
    yield SequenceTagger(epochs=2, search="easiest-first", template="pos", average=False), {}
    yield SequenceTagger(epochs=6, patience=2, names=True), {"dev": HELD_OUT}
    yield SequenceTagger(epochs=3, max_bytes=8000), {"dev_fraction": 0.25}


def parsers():
    options = {"epochs": 2, "min_updates": 2}
    yield DependencyParser(**options), {}
    yield DependencyParser(**options, beam=1, names=True), {}
    yield DependencyParser(**options, search="easy-first"), {"dev_fraction": 0.25}
    yield DependencyParser(**options, search="eisner", order=2), {}
    yield DependencyParser(**options, search="eisner", update="pa", k_best=3), {}
    yield DependencyParser(**options, tags="jackknife"), {}


def classifiers():
    yield Classifier(epochs=3), {"dev_fraction": 0.2}
    yield Classifier(epochs=3, voted=True, min_updates=1), {"dev_fraction": 0.2}
    yield Classifier(epochs=3, cv=3, names=True), {}
    yield Classifier(epochs=2, update="l1-cumulative", min_updates=1), {}
    yield Classifier(epochs=2, update="truncated-gradient", min_updates=1), {}


def rerankers():
    yield Reranker(epochs=3), {"dev_fraction": 0.2}
    yield Reranker(epochs=2, kernel="tree"), {"dev_fraction": 0.2}
    yield Reranker(epochs=2, kernel="subsequence", update="pa"), {}
    yield Reranker(epochs=2, kernel="tree", voted=True), {}


def trainings(treebank):
    """Every kind of training: (model, data, arguments)."""
    yield from ((model, (TOKENS, TAGS), more) for model, more in taggers())
    yield from ((model, (WORDS, TREES), more) for model, more in parsers())
    yield from ((model, (TEXT, LABELS), more) for model, more in classifiers())
    yield from ((model, (attachments(20, 1),), more) for model, more in rerankers())
    for model in (Segmenter(epochs=2), Lemmatizer(epochs=2), Splitter(epochs=2)):
        yield model, (treebank,), {}


NAMES = [repr(model) for model, *_ in trainings(None)]


class Stopped(Exception):
    """What ends training in these tests, anywhere."""


def stopper(steps):
    """A callback that ends training after so many steps, or parts of steps of parts of it."""
    counted = itertools.count(1)

    def stop(event):
        if isinstance(event, (Step, Preparing)) and next(counted) == steps:
            raise Stopped

    return stop


def again(model):
    return type(model)(**model.get_params())


def bytes_of(model, path):
    model.save(path)
    return path.read_bytes()


@pytest.fixture(autouse=True)
def looks(monkeypatch):
    """Checkpoints take their looks at the clock for seconds: `every` says at which of them the state is saved."""
    monkeypatch.setattr("sapwood.training.saving.time", SimpleNamespace(monotonic=itertools.count().__next__))


def fit_with_stops(model, data, more, file, stops):
    """Train, stopped after so many steps of each start; return the model."""
    more = more | {"checkpoint": file, "every": 100 if "jackknife" in repr(model) else 0}
    for steps in stops:
        try:
            return again(model).fit(*data, **more, on_event=stopper(steps))
        except Stopped:
            more |= {"resume": file} if file.exists() else {}
    return again(model).fit(*data, **more)


@pytest.mark.few(3)
@pytest.mark.filterwarnings("ignore:.* the training data:sapwood.SapwoodWarning")
@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_stopped_training_goes_on_to_the_same_bytes(number, treebank, tmp_path):
    model, data, more = next(itertools.islice(trainings(treebank), number, None))
    whole = bytes_of(again(model).fit(*data, **more), tmp_path / "whole.sap")
    file = tmp_path / "training.checkpoint"
    for stops in ([2, 3, 30], [70]):
        file.unlink(missing_ok=True)
        assert bytes_of(fit_with_stops(model, data, more, file, stops), tmp_path / "stopped.sap") == whole
    finished = again(model).fit(*data, **more, resume=file)
    assert bytes_of(finished, tmp_path / "finished.sap") == whole
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"training.checkpoint", "whole.sap", "stopped.sap", "finished.sap"}


@pytest.mark.slow
def test_a_pipeline_goes_on_to_the_same_bytes(treebank, tmp_path):
    words = [word for sentence in Conllu.read(treebank.read_bytes(), "train").column("form") for word in sentence]
    file = tmp_path / "words.clusters"
    file.write_text("".join(f"{k % 2}{k % 3 % 2}\t{word}\t9\n" for k, word in enumerate(sorted(set(words)))))
    model, more = Pipeline(beam=2, clusters=file), {"model_options": {"tagger": {"epochs": 2}, "parser": {"epochs": 2}}}
    whole = bytes_of(again(model).fit(treebank, **more), tmp_path / "whole.sap")
    checkpoint = tmp_path / "training.checkpoint"
    for every, stops in ((0, [3, 20]), (50, [9, 6, 4, 3, 3, 2, 2, 2, 2, 2])):
        checkpoint.unlink(missing_ok=True)
        resume = {}
        for steps in stops:
            try:
                again(model).fit(
                    treebank, **more, checkpoint=checkpoint, every=every, on_event=stopper(steps), **resume
                )
            except Stopped:
                resume = {"resume": checkpoint} if checkpoint.exists() else {}
        fitted = again(model).fit(treebank, **more, checkpoint=checkpoint, every=every, **resume)
        assert bytes_of(fitted, tmp_path / "stopped.sap") == whole


def checkpoint_of(model, data, file, **more):
    """Save the state in the middle of a training."""
    with pytest.raises(Stopped):
        model.fit(*data, **more, checkpoint=file, every=0, on_event=stopper(40))
    return file


def test_other_data_and_options_are_refused(tmp_path):
    file = checkpoint_of(SequenceTagger(epochs=3), (TOKENS, TAGS), tmp_path / "a.checkpoint")
    resumed = [
        (SequenceTagger(epochs=3, min_updates=3, seed=2), (TOKENS, TAGS), {}, "min_updates was 5, and is 3"),
        (SequenceTagger(epochs=3), (TOKENS[1:], TAGS[1:]), {}, "the training data changed"),
        (SequenceTagger(epochs=3), (TOKENS, TAGS), {"dev": HELD_OUT}, "the held-out data changed"),
        (SequenceTagger(epochs=3), (TOKENS, TAGS), {"dev_fraction": 0.2}, "the fraction held out changed"),
        (SequenceTagger(epochs=3, template="pos"), (TOKENS, TAGS), {}, "template was not given, and is pos"),
        (DependencyParser(epochs=3), (WORDS, TREES), {}, "task was tag, and is parse"),
    ]
    before = file.read_bytes()
    for model, data, more, why in resumed:
        with pytest.raises(OptionError, match="it belongs to another training: .*" + why):
            model.fit(*data, **more, resume=file)
        assert file.read_bytes() == before
    longer = SequenceTagger(epochs=5, threads=2).fit(TOKENS, TAGS, resume=file)
    at_once = SequenceTagger(epochs=5).fit(TOKENS, TAGS)
    assert bytes_of(longer, tmp_path / "longer.sap") == bytes_of(at_once, tmp_path / "at_once.sap")
    with pytest.raises(OptionError, match="5 epochs are over, and epochs is 2"):
        SequenceTagger(epochs=2).fit(TOKENS, TAGS, resume=file)


def test_files_are_told_by_what_is_in_them(tmp_path):
    template = tmp_path / "mine.tpl"
    template.write_text("U:%x[0,0]\nB\n")
    file = checkpoint_of(SequenceTagger(template=template), (TOKENS, TAGS), tmp_path / "a.checkpoint")
    SequenceTagger(template=template.rename(tmp_path / "moved.tpl")).fit(TOKENS, TAGS, resume=file)
    (tmp_path / "moved.tpl").write_text("U:%x[0,1]\nB\n")
    with pytest.raises(OptionError, match="template was a file with the checksum"):
        SequenceTagger(template=tmp_path / "moved.tpl").fit(TOKENS, TAGS, resume=file)


def test_arguments_that_make_no_sense_are_refused(tmp_path):
    file = tmp_path / "a.checkpoint"
    for arguments, why in (
        ({"every": 3}, "checkpoint names the file"),
        ({"checkpoint": file, "every": -1}, "every is a number of seconds from 0 up"),
        ({"resume": file, "from_checkpoint": file}, "give one of them"),
    ):
        with pytest.raises(OptionError, match=why):
            SequenceTagger().fit(TOKENS, TAGS, **arguments)
    with pytest.raises(ModelError, match="no such file"):
        SequenceTagger().fit(TOKENS, TAGS, resume=file)
    with pytest.raises(ModelError, match="cannot be written: no such directory"):
        SequenceTagger().fit(TOKENS, TAGS, checkpoint=tmp_path / "nowhere" / "a.checkpoint")
    SequenceTagger(epochs=1).fit(TOKENS, TAGS).save(file)
    with pytest.raises(ModelError, match="this is a model, not a checkpoint"):
        SequenceTagger().fit(TOKENS, TAGS, resume=file)


def test_a_checkpoint_that_cannot_be_saved_costs_no_training(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "a.checkpoint"

    def remove(event):
        if isinstance(event, Step):
            file.unlink(missing_ok=True)
            if folder.exists():
                folder.rmdir()

    with pytest.warns(SapwoodWarning, match="the checkpoint is not saved"):
        tagger = SequenceTagger(epochs=1).fit(TOKENS, TAGS, checkpoint=file, every=0, on_event=remove)
    assert tagger.predict(TOKENS[:1])


def halves(data):
    """The data in two parts, one after the other."""
    half = len(data[0]) // 2
    return [tuple(part[:half] for part in data), tuple(part[half:] for part in data)]


LEARNERS = [
    (SequenceTagger(min_updates=1, search="greedy", history="own"), (TOKENS, TAGS)),
    (SequenceTagger(min_updates=1), (TOKENS, TAGS)),
    (SequenceTagger(min_updates=1, search="argmax", dictionary="0"), (TOKENS, TAGS)),
    (DependencyParser(min_updates=1), (WORDS, TREES)),
    (DependencyParser(min_updates=1, search="easy-first", labelling="joint"), (WORDS, TREES)),
    (DependencyParser(min_updates=1, search="eisner"), (WORDS, TREES)),
    (Classifier(min_updates=1), (TEXT, LABELS)),
    (Reranker(), (attachments(20, 1),)),
]


@pytest.mark.few(3)
@pytest.mark.parametrize(("model", "data"), LEARNERS, ids=[repr(model) for model, _ in LEARNERS])
def test_going_on_in_memory_is_going_on_from_a_checkpoint(model, data, tmp_path):
    first, second = halves(data)
    file, after = tmp_path / "first.checkpoint", tmp_path / "second.checkpoint"
    one_epoch = again(model).set_params(epochs=1)
    again(one_epoch).fit(*first, checkpoint=file)
    went_on = again(one_epoch).fit(*second, from_checkpoint=file, checkpoint=after)
    passed = again(model).partial_fit(*first)
    copied = pickle.loads(pickle.dumps(passed))
    for learner in (passed, copied):
        learner.partial_fit(*second)
        assert bytes_of_weights(learner) == bytes_of_weights(went_on)
    longer = again(model).set_params(epochs=2).fit(*second, resume=after)  # a resumed one has the same labels
    assert longer.labels_ == went_on.labels_
    with pytest.raises(OptionError, match=r"training cannot go on from it: .*min_updates was 1, and is 2"):
        passed.set_params(min_updates=2).partial_fit(*second)


def bytes_of_weights(model):
    return [table.packed.coded(model.model_.bits).values for table in model.model_.tables]


def test_going_on_with_the_same_data_learns_from_all_of_it(tmp_path):
    parts = halves((TOKENS, TAGS))
    tagger = SequenceTagger(min_updates=1)
    for _ in range(6):
        for part in parts:
            tagger.partial_fit(*part)
    assert tagger.score(TOKENS, TAGS) > 0.99


def test_labels_may_be_new_to_taggers_and_parsers():
    sentences, few, many = [[("a", "x"), ("b", "y")]] * 3, [["A", "B"]] * 3, [["B", "C"], ["C", "A"], ["C", "C"]]
    for options in ({}, {"order": 2}, {"search": "greedy"}):
        tagger = SequenceTagger(min_updates=1, gamma=1.0, template="U:%x[0,0]/%x[0,1]\nU:%y[-2]/%y[-1]\nB\n", **options)
        tagger.partial_fit(sentences, few)
        weights = {(w[0].label, w[2]): w[1] for w in tagger.contents.weights() if w[0].label}
        assert weights
        tagger.partial_fit(sentences[:1], few[:1])
        assert tagger.labels_ == ["A", "B"]
        assert tagger.predict(sentences[:1]) == few[:1]
        tagger.partial_fit(sentences, many)
        assert tagger.labels_ == ["A", "B", "C"]
    words, trees = [[("a", "X", "_", "_"), ("b", "Y", "_", "_")]], [([2, 0], ["l", "root"])]
    for options in ({}, {"search": "easy-first", "labelling": "joint"}, {"search": "eisner"}):
        parser = DependencyParser(min_updates=1, **options).partial_fit(words * 3, trees * 3)
        assert parser.predict(words)[0].deprels == ["l", "root"]
        parser.partial_fit([words[0][::-1]], [([0, 1], ["root", "r"])])
        assert parser.labels_ == ["l", "root", "r"]
        assert parser.predict(words)[0].deprels == ["l", "root"]


def test_classes_of_classifiers_are_known_from_the_first_call_on():
    classifier = Classifier(min_updates=1).partial_fit(["good"], [1], classes=[0, 1])
    classifier.partial_fit(["bad"], [0]).partial_fit(["good", "bad"], [1, 0])
    assert classifier.classes_.tolist() == [0, 1]
    assert classifier.predict(["bad", "good"]).tolist() == [0, 1]
    with pytest.raises(DataError, match="the data have the label '2'; the classes are 0, 1"):
        copy.deepcopy(classifier).partial_fit(["new"], [2])


@pytest.mark.parametrize("known", [2, 3])
@pytest.mark.parametrize("stream", [False, True])
def test_new_labels_join_after_a_checkpoint(tmp_path, known, stream):
    def file_of(labels: list[int]) -> Path:
        path = tmp_path / f"{len(labels)}.txt"
        path.write_text("".join(f"__label__{y} word{y} every\n" for y in labels))
        return path

    options, checkpoint = {"min_updates": 1, "epochs": 3}, tmp_path / "first"
    before = Classifier(**options).fit(file_of([*range(known)] * 2), checkpoint=checkpoint, stream=stream)
    texts = [f"word{y} every" for y in range(known)]
    none_new = Classifier(**options | {"epochs": 1}).fit([texts[1]], ["1"], from_checkpoint=checkpoint)
    assert none_new.predict(texts).tolist() == [str(y) for y in range(known)]
    after = Classifier(**options).fit(file_of([known, 0]), from_checkpoint=checkpoint, stream=stream)
    assert after.labels_ == [*before.labels_, str(known)]
    assert after.predict([*texts, f"word{known} every"]).tolist() == [str(y) for y in range(known + 1)]
    # A word of the first data alone keeps its weights but for the clock of averaging, and a new label has none for it.
    ahead, empty = (after.decision_function([text])[0] for text in ("word1", "nothing"))
    assert (ahead - empty)[1] > (ahead - empty)[0]
    assert (ahead - empty)[known] == 0


def test_labels_join_in_partial_fit_unless_classes_were_given():
    classifier = Classifier(min_updates=1).partial_fit(["good", "bad"] * 3, [1, 0] * 3)
    before = classifier.decision_function(["good", "bad"])
    for _ in range(5):
        classifier.partial_fit(["new", "good", "bad"], [2, 1, 0])
    assert classifier.classes_.tolist() == [0, 1, 2]
    assert classifier.predict(["bad", "good", "new"]).tolist() == [0, 1, 2]
    scores = classifier.decision_function(["good", "bad"])
    assert np.sign(scores[:, 1] - scores[:, 0]).tolist() == np.sign(before).tolist()


def test_labels_join_a_multi_label_classifier():
    texts, labels = ["a", "b", "a b"], [["x"], ["y"], ["x", "y"]]
    classifier = Classifier(min_updates=1, multi_label=True).partial_fit(texts * 3, labels * 3)
    for _ in range(5):
        classifier.partial_fit([*texts, "c"], [*labels, ["z"]])
    assert classifier.labels_ == ["x", "y", "z"]
    assert [set(each) for each in classifier.predict(["a", "b", "c"])] == [{"x"}, {"y"}, {"z"}]


def test_what_cannot_go_on_is_refused(tmp_path, treebank):
    file = tmp_path / "a.checkpoint"
    voted = Classifier(voted=True, min_updates=1, epochs=1).fit(TEXT, LABELS, checkpoint=file)
    with pytest.raises(OptionError, match="keeps examples cannot go on"):
        again(voted).fit(TEXT, LABELS, from_checkpoint=file)
    with pytest.raises(OptionError, match="is of a model for the task 'classify', not 'tag'"):
        SequenceTagger().fit(TOKENS, TAGS, from_checkpoint=file)
    with pytest.raises(OptionError, match="a pipeline cannot go on with other data"):
        Pipeline().fit(treebank, from_checkpoint=file)
    with pytest.raises(OptionError, match="a pipeline trains its models in this process; leave workers out"):
        Pipeline().fit(treebank, workers=object())
    with pytest.raises(ModelError, match="this classifier was trained by fit"):
        voted.partial_fit(TEXT, LABELS)
    with pytest.raises(OptionError, match="cv and balanced class weights need all the data"):
        Classifier(cv=3).partial_fit(TEXT, LABELS)
    with pytest.raises(OptionError, match="patience and max_bytes need all the data"):
        SequenceTagger(patience=3).partial_fit(TOKENS, TAGS)
    Segmenter(epochs=1).fit(treebank, checkpoint=file)
    with pytest.raises(OptionError, match="a segmenter cannot go on with other data"):
        Segmenter(epochs=1).fit(treebank, from_checkpoint=file)
    SequenceTagger(epochs=1, search="greedy").fit(TOKENS, TAGS, checkpoint=file)
    with pytest.raises(OptionError, match="search was greedy, and is viterbi"):
        SequenceTagger(epochs=1).fit(TOKENS, TAGS, from_checkpoint=file)
    with pytest.raises(OptionError, match="cannot keep the names of features"):
        SequenceTagger(epochs=1, search="greedy", names=True).fit(TOKENS, TAGS, from_checkpoint=file)
