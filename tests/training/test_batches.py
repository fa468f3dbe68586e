"""Minibatches: examples searched with the same weights, by any number of threads, and learned from in their order."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.naive_batches import batched_perceptron
from parsers import tagged
from reranking import attachments
from reviews import TEXTS
from scores import label_scores

from sapwood import Classifier, DependencyParser, Reranker, SequenceTagger
from sapwood.errors import OptionError

WORDS, TREES = tagged(24)
TOKENS = [[(form, tag) for form, tag, *_ in sentence] for sentence in WORDS]
TAGS = [[upos for _, _, upos, _ in sentence] for sentence in WORDS]
TEXT, LABELS = [text for _, text in TEXTS], [label for label, _ in TEXTS]
FEATURES = "abcdefgh"


def models(**options):
    """Each task and search, with its data."""
    yield SequenceTagger(epochs=3, min_updates=2, **options), (TOKENS, TAGS)
    yield SequenceTagger(epochs=2, update="pa", **options), (TOKENS, TAGS)
    yield SequenceTagger(epochs=2, search="argmax", dictionary="0", **options), (TOKENS, TAGS)
    yield SequenceTagger(epochs=2, search="greedy", **options), (TOKENS, TAGS)
    yield DependencyParser(epochs=2, min_updates=2, **options), (WORDS, TREES)
    yield DependencyParser(epochs=2, beam=1, update="pa", **options), (WORDS, TREES)
    yield DependencyParser(epochs=2, search="easy-first", **options), (WORDS, TREES)
    yield DependencyParser(epochs=2, search="eisner", order=2, **options), (WORDS, TREES)
    yield DependencyParser(epochs=2, search="eisner", update="pa", k_best=3, **options), (WORDS, TREES)
    yield Classifier(epochs=3, **options), (TEXT, LABELS)
    yield Classifier(epochs=3, update="pa", class_weight="balanced", **options), (TEXT, LABELS)
    yield Classifier(epochs=3, multi_label=True, **options), (TEXT, [[label, "all"] for label in LABELS])
    yield Reranker(epochs=3, update="pa", **options), (attachments(40, 1),)


def model_bytes(model, data):
    return model.fit(*data).model_.dump()


@given(st.integers(0, 1 << 30), st.sampled_from([2, 3, 7, 100]), st.integers(1, 3), st.integers(1, 3))
def test_a_batch_is_searched_with_the_same_weights_and_learned_from_in_order(seed, batch, min_updates, threads):
    chosen = random.Random(seed)
    examples = [(sorted(chosen.sample(FEATURES, chosen.randrange(1, 5))), chosen.randrange(3)) for _ in range(30)]
    examples = [(["p"], 0), (["q"], 1), (["r"], 2), *examples]  # all labels, in this order
    classifier = Classifier(batch=batch, epochs=3, min_updates=min_updates, gamma=0.5, shuffle=False, bits=32)
    classifier.set_params(threads=threads)
    classifier.fit([dict.fromkeys(f, 1.0) for f, _ in examples], ["xyz"[y] for _, y in examples])
    with_bias = [([*features, "bias"], y) for features, y in examples]
    naive = batched_perceptron(with_bias, 3, batch, gamma=0.5, min_updates=min_updates, epochs=3)
    for feature in FEATURES:
        [scores] = label_scores(classifier, [{feature: 1.0}]).tolist()
        wanted = [naive.get((feature, y), 0) + naive.get(("bias", y), 0) for y in range(3)]
        assert scores == pytest.approx(wanted, abs=1e-5)


@pytest.mark.few(4)
@pytest.mark.parametrize("number", range(13))
def test_the_model_does_not_depend_on_the_number_of_threads(number):
    found = [model_bytes(*list(models(batch=5, threads=threads))[number]) for threads in (1, 2, 3)]
    assert found[0] == found[1] == found[2]
    assert found[0] != model_bytes(*list(models())[number])


def test_batches_of_one_are_training_without_batches():
    for plain, one in zip(models(), models(batch=1, threads=2), strict=True):
        assert model_bytes(*plain) == model_bytes(*one)


def test_batches_go_on_from_a_checkpoint(tmp_path):
    def tagger(epochs):
        return SequenceTagger(epochs=epochs, batch=5)

    tagger(2).fit(TOKENS, TAGS, checkpoint=tmp_path / "c", every=0)
    found = tagger(4).fit(TOKENS, TAGS, resume=tmp_path / "c").model_.dump()
    assert found == model_bytes(tagger(4), (TOKENS, TAGS))
    with pytest.raises(OptionError, match="batch was 5, and is 2"):
        tagger(4).set_params(batch=2).fit(TOKENS, TAGS, resume=tmp_path / "c")


def test_shards_have_batches():
    options = {"shards": 3, "epochs": 2}
    found = [model_bytes(SequenceTagger(batch=4, threads=threads, **options), (TOKENS, TAGS)) for threads in (1, 2)]
    assert found[0] == found[1] != model_bytes(SequenceTagger(**options), (TOKENS, TAGS))


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        (SequenceTagger(batch=2, names=True), (TOKENS, TAGS), "names are kept by training on one example"),
        (SequenceTagger(batch=2, search="easiest-first"), (TOKENS, TAGS), "become known one after the other"),
        (SequenceTagger(batch=2, search="greedy", history="own"), (TOKENS, TAGS), "become known one after the other"),
        (Classifier(batch=2, voted=True, min_updates=1), (TEXT, LABELS), "voted training learns from one example"),
        (Classifier(batch=2, update="l1-cumulative"), (TEXT, LABELS), "l1-cumulative learns from one example"),
        (Reranker(batch=2, kernel="tree"), (attachments(4, 1),), "a reranker with a kernel, or voted, learns"),
    ],
)
def test_what_needs_each_update_is_refused(model, data, message):
    with pytest.raises(OptionError, match=message):
        model.fit(*data)
