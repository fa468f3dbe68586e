"""AveragedOrders: trainings with all the data in several orders, whose averages are averaged."""

import numpy as np
import pytest
from parsers import tagged
from reranking import attachments
from reviews import TEXTS
from scores import label_scores

from sapwood import Classifier, DependencyParser, Reranker, SequenceTagger, load
from sapwood._core import ClassifierTrainer, Columns, FeatureRows, TaggerTrainer
from sapwood.errors import ModelError, OptionError
from sapwood.model.file.schema import ModelFile
from sapwood.training.shards import AveragedOrders, seed_of

WORDS, TREES = tagged(24)
TOKENS = [[(form, tag) for form, tag, *_ in sentence] for sentence in WORDS]
TAGS = [[upos for _, _, upos, _ in sentence] for sentence in WORDS]
TEXT, LABELS = [text for _, text in TEXTS], [label for label, _ in TEXTS]
LISTS = attachments(40, 1)


def models(**options):
    """Each task, with its data."""
    yield SequenceTagger(epochs=3, min_updates=2, **options), (TOKENS, TAGS)
    yield SequenceTagger(epochs=2, search="argmax", dictionary="0", update="pa", **options), (TOKENS, TAGS)
    yield SequenceTagger(epochs=2, search="easiest-first", template="pos", **options), (TOKENS, TAGS)
    yield SequenceTagger(epochs=3, min_updates=2, count_updates="weight", **options), (TOKENS, TAGS)
    yield DependencyParser(epochs=2, min_updates=2, **options), (WORDS, TREES)
    yield DependencyParser(epochs=2, search="easy-first", **options), (WORDS, TREES)
    yield DependencyParser(epochs=2, search="eisner", tags="predicted", **options), (WORDS, TREES)
    yield Classifier(epochs=3, **options), (TEXT, LABELS)
    yield Classifier(epochs=3, multi_label=True, **options), (TEXT, [[label, "all"] for label in LABELS])
    yield Reranker(epochs=3, update="pa", **options), (LISTS,)


def model_bytes(model, data, **saving):
    return model.fit(*data, **saving).model_.dump()


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", range(len(list(models()))))
def test_threads_change_nothing(kind):
    alone, data = list(models(runs=3))[kind]
    together, _ = list(models(runs=3, threads=3))[kind]
    assert model_bytes(alone, data) == model_bytes(together, data)


@pytest.mark.parametrize("runs", [2, 3])
def test_scores_are_the_mean(runs):
    options = {"epochs": 4, "bits": 32, "min_updates": 1}
    alone = [Classifier(**options, seed=seed_of(1, run)).fit(TEXT, LABELS) for run in range(runs)]
    assert len({model.model_.dump() for model in alone}) == runs  # the orders differ
    mean = Classifier(**options, runs=runs).fit(TEXT, LABELS)
    wanted = sum(label_scores(model, TEXT) for model in alone) / runs
    np.testing.assert_allclose(label_scores(mean, TEXT), wanted, rtol=1e-4, atol=1e-4)


def test_each_epoch_is_scored_as_a_training_of_so_many_epochs_is(bank):
    """A parser comes to know features during training, after the first mean was taken."""
    train, dev = bank / "train.conllu", bank / "test.conllu"
    options = {"min_updates": 1, "runs": 2, "beam": 1, "template": "[transitions]\nS0w N0w\nS0t N0t\n"}
    scores = DependencyParser(**options, epochs=3).fit(train, dev=dev).model_.provenance["dev_scores"]
    for epochs, score in enumerate(scores, 1):
        alone = DependencyParser(**options, epochs=epochs).fit(train)
        assert alone.evaluate(dev).all_words.las == pytest.approx(score, abs=1e-3)
    assert len(scores) == 3


def test_counts_are_means():
    runs = [SequenceTagger(epochs=2, seed=seed_of(1, run), search="greedy").fit(TOKENS, TAGS) for run in range(3)]
    mean = SequenceTagger(epochs=2, runs=3, search="greedy").fit(TOKENS, TAGS)
    sizes = [model.model_.tables[0].packed.features for model in runs]
    assert 0.7 * min(sizes) < mean.model_.tables[0].packed.features < 1.3 * max(sizes)


@pytest.mark.parametrize("count_updates", ["feature", "weight"])
def test_the_mean_of_counts_is_rounded_up(count_updates):
    """Counts of features, or of weights where these are counted."""
    data = Columns.build([[(form,) for form, _ in sentence] for sentence in TOKENS], TAGS, "sentences")
    mean, *runs = (trainer(data, count_updates=count_updates, seed=seed, min_updates=2) for seed in range(4))
    for run in runs:
        run.begin_part(mean.mixed())
        while not run.step(1000):
            pass
    mean.take_mean(runs)
    found, *of_runs = (counts(each, count_updates) for each in (mean, *runs))
    assert len({sum(each.values()) for each in of_runs}) > 1
    assert found == {key: -(-sum(each.get(key, 0) for each in of_runs) // 3) for key in set().union(*of_runs)}


def trainer(data, **options):
    template = "U:%x[0,form]\nU:%x[-1,form]\n"
    model = ModelFile(task="tag", labels=[], template=template, columns=["form", "label"], label=1, options={}, bits=8)
    made = TaggerTrainer(model, SequenceTagger(**options).params.for_core())
    made.add(data)
    made.finish()
    return made


def counts(trainer, count_updates):
    """The counts that trainers of shards would get, by key, and output if weights are counted."""
    named = {name.removeprefix("learner.0."): value for name, value in trainer.mixed().items()}
    kinds = {"keys": "u8", "sizes": "u4", "outputs": "u4", "counts": "u4", "updates": "u4"}
    arrays = {name: np.frombuffer(named[name][1], kind).tolist() for name, kind in kinds.items() if name in named}
    if count_updates == "feature":
        return dict(zip(arrays["keys"], arrays["counts"], strict=True))
    keys = np.repeat(np.array(arrays["keys"], "u8"), arrays["sizes"]).tolist()
    return dict(zip(zip(keys, arrays["outputs"], strict=True), arrays["updates"], strict=True))


def test_runs_of_other_labels_are_refused():
    """Weights of labels that the mean does not have would be written where no weight is."""
    few, many = (Columns.build([[("a",), ("b",)]], [labels], "sentences") for labels in (["X", "X"], ["X", "Y"]))
    with pytest.raises(OptionError, match="a run has other outputs"):
        trainer(few).take_mean([trainer(many)])


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", range(len(list(models()))))
def test_a_killed_training_goes_on(kind, tmp_path):
    whole, data = list(models(runs=2))[kind]
    stopped, _ = list(models(runs=2))[kind]
    file = tmp_path / "c.checkpoint"

    class Killed(Exception):
        pass

    saves = []

    def kill(event):
        if file.exists():
            saves.append(event)
            if len(saves) == 2:
                raise Killed

    with pytest.raises(Killed):
        stopped.fit(*data, checkpoint=file, every=0, on_event=kill)
    again, _ = list(models(runs=2))[kind]
    assert model_bytes(again, data, resume=file) == model_bytes(whole, data)


def test_a_model_of_runs_can_be_made_small(tmp_path):
    """Each run learns anew in its own order, and what is kept is their mean."""
    made = []
    for runs, threads in ((2, 1), (2, 2), (1, 1)):
        small = SequenceTagger(runs=runs, threads=threads, epochs=2, max_bytes=6000).fit(TOKENS * 4, TAGS * 4)
        assert small.save(tmp_path / "small.sap") <= 6000
        assert load(tmp_path / "small.sap").recipe.untrained().runs == runs
        made.append(small.model_.tables[0].packed.uncoded(8).values)
    assert made[0] == made[1] != made[2]


def test_a_state_that_lies_is_refused(tmp_path):
    class Nothing:
        def state(self):
            return {}

        def mixed(self):
            return {}

        def begun(self, weights):
            return self

    trainer = AveragedOrders(Nothing(), [Nothing(), Nothing()], 1)
    for name in ("run2.order", "order", "runx.order"):
        with pytest.raises(ModelError, match="there is no run for its array"):
            trainer.resume({name: ("U32", b"")})


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        (SequenceTagger(runs=2, shards=2), (TOKENS, TAGS), "leave out one of both"),
        (SequenceTagger(runs=2, names=True), (TOKENS, TAGS), "leave runs out"),
        (Reranker(runs=2, kernel="tree"), (LISTS,), "leave runs out"),
        (Classifier(runs=2, shuffle=False), (TEXT, LABELS), "without shuffle they would all be the same"),
        (Classifier(runs=2, voted=True, min_updates=1), (TEXT, LABELS), "leave runs out"),
        (Classifier(runs=2, cv=2), (TEXT, LABELS), "leave runs out"),
        (SequenceTagger(runs=0), (TOKENS, TAGS), "runs is a whole number"),
    ],
)
def test_what_is_refused(model, data, message):
    with pytest.raises(OptionError, match=message):
        model.fit(*data)


def test_runs_begin_without_weights(tmp_path):
    file = tmp_path / "c.checkpoint"
    SequenceTagger(epochs=1).fit(TOKENS, TAGS, checkpoint=file)
    with pytest.raises(OptionError, match="runs begin without weights"):
        SequenceTagger(epochs=1, runs=2).fit(TOKENS, TAGS, from_checkpoint=file)
    with pytest.raises(OptionError, match="needs them at once; use fit"):
        SequenceTagger(runs=2).partial_fit(TOKENS, TAGS)


def test_a_state_without_features_of_the_data_is_refused():
    def trainer(last):
        made = ClassifierTrainer(2, {"min_updates": 1})
        made.add(FeatureRows.from_dicts([{"a": 1.0}, {"b": 1.0} | last], "rows", True), [0, 1], [])
        return made

    fewer, more = trainer({}), trainer({"c": 1.0})
    with pytest.raises(ModelError, match="lacks features of the data"):
        more.resume(fewer.state())
    with pytest.raises(ModelError, match="has other features than the data"):
        more.resume(trainer({"d": 1.0}).state())
