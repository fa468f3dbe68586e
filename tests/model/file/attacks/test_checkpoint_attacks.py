"""Checkpoints that lie: their containers are sound, but what is in them cannot be, or is another training's."""

import json
import random

import pytest
from forged import contents
from hypothesis import given
from hypothesis import strategies as st
from parsers import tagged
from reranking import attachments
from reviews import TEXTS

from sapwood import Classifier, DependencyParser, Reranker, SequenceTagger
from sapwood.errors import SapwoodError
from sapwood.events import Step
from sapwood.model.file import container
from sapwood.model.file.container import Array

pytestmark = pytest.mark.filterwarnings("ignore:.* labels in .* tokens", "ignore:.*label")  # of which one has many

WORDS, TREES = tagged(12)
TOKENS = [[form for form, *_ in sentence] for sentence in WORDS]
TAGS = [[upos for _, _, upos, _ in sentence] for sentence in WORDS]
TEXT, LABELS = [text for _, text in TEXTS], [label for label, _ in TEXTS]
HELD_OUT = {"dev_fraction": 0.25}
TRAININGS = {
    "tagger": (SequenceTagger(epochs=3, min_updates=1, names=True, template="pos"), (TOKENS, TAGS), HELD_OUT),
    "many labels": (SequenceTagger(epochs=2, update="pa", template="pos"), (TOKENS, TOKENS), {}),
    "parser": (DependencyParser(epochs=2, min_updates=1, tags="predicted"), (WORDS, TREES), {}),
    "baseline": (Classifier(epochs=3, update="l1-cumulative"), (TEXT, LABELS), HELD_OUT),
    "voted": (Classifier(epochs=3, voted=True, min_updates=1), (TEXT, LABELS), HELD_OUT),
    "trees": (Reranker(epochs=3, kernel="tree"), (attachments(12, 1),), HELD_OUT),
    "sequences": (Reranker(epochs=3, kernel="subsequence"), (attachments(12, 1),), {}),
}


class Training(tuple):
    """A model, what fits it, the file of a checkpoint and its contents."""

    __slots__ = ()

    def __repr__(self):
        return repr(self[0])


class Stopped(Exception):
    """What ends training."""


@pytest.fixture(scope="module", params=TRAININGS)
def training(request, tmp_path_factory):
    """A model, what fits it, and the contents of a checkpoint in the middle of training."""
    model, data, more = TRAININGS[request.param]
    file = tmp_path_factory.mktemp("attack") / "training.checkpoint"
    steps = 0

    def stop(event):
        nonlocal steps
        steps += isinstance(event, Step)
        if steps == 15:
            raise Stopped

    with pytest.raises(Stopped):
        type(model)(**model.get_params()).fit(*data, **more, checkpoint=file, every=0, on_event=stop)
    return Training((model, data, more, file, contents(file)))


def attacked(training, metadata, arrays, **arguments):
    """Resume from a checkpoint with these changes (None: left out): the error, or None if training came to its end."""
    model, data, more, file, honest = training
    path = file.with_name("forged.checkpoint")
    container.write(
        path,
        {name: array for name, array in {**honest.arrays, **arrays}.items() if array is not None},
        {name: text for name, text in {**honest.metadata, **metadata}.items() if text is not None},
    )
    try:
        type(model)(**model.get_params()).fit(*data, **more, **(arguments or {"resume": path}))
    except SapwoodError as error:
        assert "\n" not in str(error)
        return error
    return None


def test_the_honest_checkpoint_is_resumed(training):
    assert attacked(training, {}, {}) is None


def test_a_stage_without_the_best_epoch_is_refused(training):
    *_, honest = training
    stage = {key: value for key, value in json.loads(honest.metadata["stage"]).items() if key != "best"}
    assert "'stage' in its header is not of the form" in str(attacked(training, {"stage": json.dumps(stage)}, {}))


def like(array, seed):
    """An array in place of another: other numbers here and there, fewer or more of them, or none."""
    chosen = random.Random(seed)
    data = bytearray(array.data)
    size = len(data) // max(array.shape[0], 1) or 1
    way = chosen.randrange(5)
    for _ in range(chosen.randrange(1, 4) if data and way < 3 else 0):
        at = chosen.randrange(len(data) // size) * size
        value = chosen.choice([0, 1, 2, 2**31, 2**32 - 1, 2**63, 2**64 - 1, chosen.randrange(2**64)])
        data[at : at + size] = value.to_bytes(8, "little")[:size]
    if way == 3:
        del data[chosen.randrange(array.shape[0] + 1) * size :]
    if way == 4:
        data += bytes(data) or bytes(8)
    return Array.of(array.dtype, bytes(data))


@pytest.mark.few(2)
@given(number=st.integers(0), seed=st.integers(0, 2**32), other=st.none() | st.integers(0), gone=st.booleans())
def test_arrays_of_any_content_are_refused_or_resumed(training, number, seed, other, gone):
    *_, honest = training
    names = sorted(honest.arrays)
    name = names[number % len(names)]
    forged = like(honest.arrays[name], seed) if other is None else honest.arrays[names[other % len(names)]]
    error = attacked(training, {}, {name: None if gone and seed % 8 == 0 else forged})
    assert error is None or "checkpoint" in str(error) or not name.startswith("state/")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.few(2)
@given(
    name=st.sampled_from(["format", "training", "notes", "done", "stage", "learned"]),
    field=st.integers(0),
    value=JSON,
    inside=st.booleans(),
)
def test_metadata_of_any_content_are_refused_or_resumed(training, name, field, value, inside):
    *_, honest = training
    text = honest.metadata[name]
    if name in ("stage", "training", "learned") and inside:
        fields = json.loads(text)
        fields[sorted(fields)[field % len(fields)]] = value
        attacked(training, {name: json.dumps(fields)}, {})
    else:
        attacked(training, {name: None if value is None else json.dumps(value)}, {})


@pytest.mark.few(2)
@given(number=st.integers(0), seed=st.integers(0, 2**32))
def test_going_on_from_arrays_of_any_content_is_refused_or_works(training, number, seed):
    *_, file, honest = training
    names = [name for name in sorted(honest.arrays) if not name.startswith(("best/", "done/"))]
    name = names[number % len(names)]
    attacked(training, {}, {name: like(honest.arrays[name], seed)}, from_checkpoint=file.with_name("forged.checkpoint"))
