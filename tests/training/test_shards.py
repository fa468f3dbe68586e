"""Iterative parameter mixing: what the equations say, whoever trains the shards; and one shard is plain training."""

import pickle
import random
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles.naive_mixing import DecidedByRounding, mixed_perceptron
from parsers import tagged
from reranking import attachments
from reviews import TEXTS
from scores import label_scores

from sapwood import Classifier, DependencyParser, Reranker, SequenceTagger
from sapwood._core import Columns, Conllu, FeatureRows
from sapwood.errors import OptionError
from sapwood.events import Step
from sapwood.training.options import Mixing
from sapwood.training.shards import Mixed, Shard, in_threads
from sapwood_lab.losses import hamming
from sapwood_lab.viterbi import ViterbiTagger

WORDS, TREES = tagged(24)
TOKENS = [[(form, tag) for form, tag, *_ in sentence] for sentence in WORDS]
TAGS = [[upos for _, _, upos, _ in sentence] for sentence in WORDS]
TEXT, LABELS = [text for _, text in TEXTS], [label for label, _ in TEXTS]
LISTS = attachments(40, 1)

FEATURES = "abcdefgh"


def models(**options):
    """Each task, with its data."""
    yield SequenceTagger(epochs=3, min_updates=2, **options), (TOKENS, TAGS)
    yield SequenceTagger(epochs=2, update="pa", **options), (TOKENS, TAGS)
    yield SequenceTagger(epochs=2, search="argmax", dictionary="0", **options), (TOKENS, TAGS)
    yield SequenceTagger(epochs=2, search="easiest-first", template="pos", **options), (TOKENS, TAGS)
    yield DependencyParser(epochs=2, min_updates=2, **options), (WORDS, TREES)
    yield DependencyParser(epochs=2, beam=1, update="pa", **options), (WORDS, TREES)
    yield DependencyParser(epochs=2, search="easy-first", **options), (WORDS, TREES)
    yield DependencyParser(epochs=2, search="eisner", tags="predicted", **options), (WORDS, TREES)
    yield Classifier(epochs=3, **options), (TEXT, LABELS)
    yield Classifier(epochs=3, update="pa", class_weight="balanced", **options), (TEXT, LABELS)
    yield Classifier(epochs=3, multi_label=True, **options), (TEXT, [[label, "all"] for label in LABELS])
    yield Reranker(epochs=3, update="pa", **options), (LISTS,)
    yield SequenceTagger(epochs=3, min_updates=2, count_updates="weight", **options), (TOKENS, TAGS)


def model_bytes(model):
    return model.model_.dump()


@st.composite
def examples(draw):
    seed = draw(st.integers(0, 1 << 30))
    chosen = random.Random(seed)
    count = chosen.randrange(8, 40)
    return [({*chosen.sample(FEATURES, chosen.randrange(1, 5))}, chosen.randrange(3)) for _ in range(count)]


def mixed_viterbi(template, corpus, epochs, min_updates):
    """Return the averaged weights that the laboratory's taggers learn, each from one sentence, mixed after each epoch.

    Weights are mixed uniformly, and the updates of each weight are counted over all shards.
    """
    options = {"loss": hamming(1.0), "min_updates": min_updates, "count_updates": "weight"}
    shards = [ViterbiTagger(template, **options) for _ in corpus]
    w, U, total, vectors = {}, Counter(), Counter(), 0
    for epoch in range(1, epochs + 1):
        for shard, sentence in zip(shards, corpus, strict=True):
            shard.read(corpus)  # for the labels
            shard.w = dict(w)
            shard.U.clear()
            shard.U.update(U)
            list(shard.learn(sentence))
            total.update({k: epoch * epoch * weight for k, weight in shard.w.items()})
            vectors += epoch * epoch
        w = {k: sum(shard.w.get(k, 0) for shard in shards) / len(shards) for shard in shards for k in shard.w}
        U = Counter({k: U[k] + sum(shard.U.get(k, 0) - U[k] for shard in shards if k in shard.U) for k in w})
    return {k: weight / vectors for k, weight in total.items() if weight != 0 and U[k] >= min_updates}


SENTENCES = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["N", "V", "P"])), min_size=1, max_size=4)


@given(st.lists(SENTENCES, min_size=2, max_size=2), st.integers(1, 4))
def test_updates_of_weights_are_counted_over_all_shards(corpus, min_updates):
    template = "U00:%x[0,0]\nU01:%x[-1,0]\nB\n"
    options = {"gamma": 1.0, "epochs": 4, "min_updates": min_updates, "count_updates": "weight"}
    tagger = SequenceTagger(template=template, shards=2, bits=32, **options)
    tagger.mixing = Mixing("uniform")
    tagger.fit(corpus)
    slow = mixed_viterbi(template, corpus, 4, min_updates)
    assert sorted(weight for _, weight, _ in tagger.contents.weights()) == pytest.approx(
        sorted(slow.values()), rel=1e-6
    )


@given(
    examples(),
    st.sampled_from([1, 2, 4]),
    st.sampled_from(["features", "errors", "uniform"]),
    st.integers(1, 2),
    st.integers(1, 3),
    st.booleans(),
)
def test_the_average_is_that_of_all_weight_vectors_of_all_shards(data, shards, mixing, mixings, min_updates, average):
    dicts = [dict.fromkeys(sorted(features), 1.0) for features, _ in data]
    labels = ["x", "y", "z"]
    gold = labels + [labels[y] for _, y in data]
    dicts = [{"p": 1.0}, {"q": 1.0}, {"r": 1.0}, *dicts]  # all labels, in this order
    with_bias = [([*features, "bias"], labels.index(y)) for features, y in zip(dicts, gold, strict=True)]
    rules = {"epochs": 4, "gamma": 0.5, "min_updates": min_updates, "average": average}
    classifier = Classifier(shards=shards, shuffle=False, bits=32, **rules)
    if shards > 1:
        classifier.mixing = Mixing(mixing, mixings)
        rules |= {"mixing": mixing, "mixings": mixings}
    classifier.fit(dicts, gold)
    try:
        naive = mixed_perceptron([with_bias[k::shards] for k in range(shards)], 3, **rules)
    except DecidedByRounding:
        assume(False)
    [bias] = label_scores(classifier, [{}]).tolist()
    assert bias == pytest.approx([naive.get(("bias", y), 0) for y in range(3)], abs=1e-4)
    for feature in (*FEATURES, "p", "q", "r"):
        [scores] = label_scores(classifier, [{feature: 1.0}]).tolist()
        weights = [score - b for score, b in zip(scores, bias, strict=True)]
        assert weights == pytest.approx([naive.get((feature, y), 0) for y in range(3)], abs=1e-4)


def test_weights_are_mixed_by_errors():
    """The second shard alone has examples that are hard to learn."""
    chosen = random.Random(3)
    data = []
    for k in range(30):
        features = [*chosen.sample(FEATURES, 3)]
        data.append((features, chosen.randrange(3) if k % 2 else "abc".find(min(features)) % 3))
    dicts = [dict.fromkeys(sorted(features), 1.0) for features, _ in data]
    gold = [str(y) for _, y in data]
    labels = list(dict.fromkeys(gold))
    with_bias = [([*features, "bias"], labels.index(y)) for features, y in zip(dicts, gold, strict=True)]
    classifier = Classifier(shards=2, epochs=3, min_updates=1, shuffle=False, bits=32, gamma=0.77)
    classifier.mixing = Mixing("errors")
    classifier.fit(dicts, gold)
    parts = [with_bias[k::2] for k in range(2)]
    naive, even = (
        mixed_perceptron(parts, 3, gamma=0.77, min_updates=1, epochs=3, mixing=rule) for rule in ("errors", "uniform")
    )
    scores = label_scores(classifier, dicts)
    for features, found in zip(dicts, scores.tolist(), strict=True):
        by_errors, uniform = (
            [sum(weights.get((f, y), 0) for f in [*features, "bias"]) for y in range(3)] for weights in (naive, even)
        )
        assert found == pytest.approx(by_errors, abs=1e-4)
        assert found != pytest.approx(uniform, abs=1e-2)


@pytest.mark.few(2)
@pytest.mark.parametrize("number", range(13))
def test_the_model_does_not_depend_on_who_trains_the_shards(number):
    (model, data), (again, _) = (list(models(shards=3, **threads))[number] for threads in ({}, {"threads": 2}))
    model.mixing = again.mixing = Mixing(times=1 + number % 3)
    wanted = model_bytes(model.fit(*data))
    assert model_bytes(again.fit(*data)) == wanted
    assert model_bytes(again.fit(*data, workers=forgetful)) == wanted
    [whole, _] = list(models())[number]
    assert model_bytes(whole.fit(*data)) != wanted


def forgetful(shards):
    """Train shards anew from copies in every other epoch, as if they were on machines that vanish."""
    return in_threads(1)([ForgetfulShard(shard) for shard in shards])


class ForgetfulShard:
    def __init__(self, shard):
        self.shard = shard

    def epoch(self, mixed):
        if mixed.mixings % 2 and not mixed.whole:
            self.shard.epoch(mixed)  # its work is lost
            self.shard = pickle.loads(pickle.dumps(self.shard))
        return self.shard.epoch(mixed)


def test_one_shard_is_training_without_shards():
    for (plain, data), (one, _) in zip(models(), models(shards=1), strict=True):
        assert model_bytes(one.fit(*data)) == model_bytes(plain.fit(*data))


def trained(training, epochs):
    for _ in range(epochs):
        while not training.step(100):
            pass
    return training.freeze(32, 0.0)


def test_the_rules_of_mixing_give_plain_training_for_one_shard():
    from sapwood import _core

    def make(data, seed):
        trainer = _core.ClassifierTrainer(3, {"update": "margin", "gamma": 1.0, "min_updates": 2, "seed": seed})
        trainer.add(data, gold, [])
        return trainer

    chosen = random.Random(1)
    rows = FeatureRows.from_dicts([dict.fromkeys(chosen.sample(FEATURES, 3), 1.0) for _ in range(50)], "rows", True)
    gold = [chosen.randrange(3) for _ in range(50)]
    plain, mixing = make(rows, 5), make(rows, 5)
    shard = Shard(make, rows, {"seed": 5})
    mixed = Mixed(True, mixing.mixed())
    for _ in range(4):
        mixed = Mixed(False, mixing.mix([shard.epoch(mixed)], "uniform"))
    wanted = trained(plain, 4)
    found = mixing.freeze(32, 0.0)
    assert found.full_keys == wanted.full_keys
    assert [table.values for table in found.tables] == [table.values for table in wanted.tables]
    assert (mixing.progress.mistakes, mixing.progress.examples) == (plain.progress.mistakes, plain.progress.examples)


@pytest.mark.parametrize("mixings", [1, 2])
def test_progress_counts_the_shards_that_are_done(mixings):
    events = []
    tagger = SequenceTagger(epochs=2, shards=4)
    tagger.mixing = Mixing(times=mixings)
    tagger.fit(TOKENS, TAGS, on_event=events.append)
    steps = [event for event in events if isinstance(event, Step)]
    tokens = sum(map(len, TOKENS))
    assert [step.epoch for step in steps] == [1] * 4 * mixings + [2] * 4 * mixings
    seen = [step.examples for step in steps if step.epoch == 2]
    assert seen == sorted(seen)
    assert seen[-1] == tokens
    assert tagger.model_.provenance["shards"] == 4
    assert tagger.model_.provenance["mixings"] == mixings


@pytest.mark.slow
def test_an_epoch_with_several_mixings_goes_on_from_a_checkpoint_in_its_middle(tmp_path):
    tagger = SequenceTagger(epochs=2, shards=2)
    tagger.mixing = Mixing(times=3)
    wanted = model_bytes(tagger.fit(TOKENS, TAGS))

    class Stopped(Exception):
        pass

    for steps_before in range(2, 13):
        steps = []

        def stop(event, steps=steps, steps_before=steps_before):
            steps.extend([event.examples] if isinstance(event, Step) else [])
            if len(steps) == steps_before:
                raise Stopped

        with pytest.raises(Stopped):
            tagger.fit(TOKENS, TAGS, checkpoint=tmp_path / "c", every=0, on_event=stop)
        after = []
        tagger.fit(TOKENS, TAGS, resume=tmp_path / "c", on_event=lambda e, after=after: after.append(e))
        assert model_bytes(tagger) == wanted
        examples = [event.examples for event in after if isinstance(event, Step) and event.epoch == 2]
        assert examples[-1] == sum(map(len, TOKENS))


def test_training_in_shards_goes_on_from_a_checkpoint(tmp_path):
    def tagger(epochs):
        return SequenceTagger(epochs=epochs, shards=3, update="pa")

    tagger(2).fit(TOKENS, TAGS, checkpoint=tmp_path / "c")
    assert model_bytes(tagger(4).fit(TOKENS, TAGS, resume=tmp_path / "c")) == model_bytes(tagger(4).fit(TOKENS, TAGS))
    with pytest.raises(OptionError, match="shards was 3, and is 2"):
        tagger(4).set_params(shards=2).fit(TOKENS, TAGS, resume=tmp_path / "c")


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        (SequenceTagger(shards=2, names=True), (TOKENS, TAGS), "names are kept by training on all data at once"),
        (SequenceTagger(shards=2, prune_below=2), (TOKENS, TAGS), "prune_below counts features in all data"),
        (SequenceTagger(shards=25), (TOKENS, TAGS), "25 shards of 24 sentences: every shard needs one at least"),
        (DependencyParser(shards=8), (WORDS, TREES), "every shard needs one at least for each of 64 mixings"),
        (DependencyParser(shards=2, search="eisner", update="pa", k_best=2), (WORDS, TREES), "k_best learns"),
        (Classifier(shards=2, voted=True, min_updates=1), (TEXT, LABELS), "voted training goes through all data"),
        (Classifier(shards=2, update="l1-cumulative"), (TEXT, LABELS), "l1-cumulative goes through all data"),
        (Classifier(shards=2, cv=2), (TEXT, LABELS), "cv trains on folds in one process"),
        (Reranker(shards=2, kernel="tree"), (LISTS,), "a reranker with a kernel, or voted"),
        (SequenceTagger(shards=0), (TOKENS, TAGS), "shards is a whole number from 1 to 65536, not 0"),
    ],
)
def test_what_cannot_be_trained_in_shards_is_refused(model, data, message):
    with pytest.raises(OptionError, match=message):
        model.fit(*data)


def test_workers_without_shards_are_refused():
    with pytest.raises(OptionError, match="workers train shards; shards is how many there are, 2 or more"):
        SequenceTagger().fit(TOKENS, TAGS, workers=in_threads(2))


def test_data_are_sent_to_other_processes():
    columns = Columns.build([[("a", "b"), ("ü", "d")], [("e", "f")]], None, "some").select([1])
    assert pickle.loads(pickle.dumps(columns)).column(1) == [["f"]]
    gaps = Columns.build_features([[{"x": "1"}, {}]], [["A", "B"]], "dicts", 0)
    copy = pickle.loads(pickle.dumps(gaps))
    assert copy.has_gaps and [copy.column(c) for c in range(2)] == [gaps.column(c) for c in range(2)]
    text = b"# id: 1\n1-2 ab _ _ _ _ _ _ _ _\n1 a _ _ _ _ 0 root _ _\n2 b _ _ _ _ 1 x _ _\n\n".replace(b" ", b"\t")
    treebank = Conllu.read(text * 2, "two").select([1])
    copied = pickle.loads(pickle.dumps(treebank))
    assert (copied.trees(True), copied.multiwords, copied.name) == (treebank.trees(True), treebank.multiwords, "two")
    rows = FeatureRows.from_dicts([{"a": 0.5}, {"b": 1.0}], "rows", False)
    assert pickle.loads(pickle.dumps(rows)).checksum == rows.checksum
