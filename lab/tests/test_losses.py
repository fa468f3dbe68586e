"""The losses that structured learning makes small, held against all sequences, and their gradients, by differences."""

from itertools import pairwise, product
from math import inf
from random import Random

import pytest
from laboratory import in_lab
from taggers import drawn, slow_weights, weights_of

from sapwood import SequenceTagger
from sapwood_lab.losses import cost
from sapwood_lab.passive_aggressive import PassiveAggressive
from sapwood_lab.viterbi import ViterbiTagger

TEMPLATE = "U00:%x[0,0]\nU01:%x[-1,1]\nB\nB01:%x[0,1]\n"
LOSSES = {"no margin": {}, "hamming": {"gamma": 1.75}, "constant": {"gamma": 1.75, "cost": "constant"}}
COSTLY = [kind for kind, options in LOSSES.items() if options]
AT_ONCE = {"min_updates": 0, "average": False, "epochs": 1, "seed": None}


def others(tagger, rows):
    """What every label sequence has more than gold, and its cost: gamma for each wrong label, or once for them all."""
    gold = tuple(row[-1] for row in rows)
    right, every = tagger.phi(rows, gold), []
    for path in product(tagger.labels, repeat=len(rows)):
        phi = tagger.phi(rows, path)
        more = {k: phi.get(k, 0.0) - right.get(k, 0.0) for k in {**phi, **right}}
        every.append((more, cost(tagger.loss, gold, path)))
    return every


def ahead(every, w):
    """How far each sequence is ahead of gold: gamma + score(y^) - score(y*)."""
    return [cost + sum(n * w.get(k, 0.0) for k, n in more.items()) for more, cost in every]


def loss(every, w):
    """max {0, gamma + score(y^) - score(y*)}."""
    return max(0.0, *ahead(every, w))


def gradient(every, w, h=1e-4):
    """The derivative of the loss by each weight, as (L(w + h) - L(w - h)) / 2 h."""
    keys = {k for more, _ in every for k in more}
    around = {k: [loss(every, w | {k: w.get(k, 0.0) + d}) for d in (h, -h)] for k in keys}
    return {k: (more - less) / (2 * h) for k, (more, less) in around.items()}


def change(before, after, keys):
    return {k: after.get(k, 0.0) - before.get(k, 0.0) for k in keys}


def with_random_weights(seed, **options):
    """A tagger of the laboratory, and the sentences that it is to learn next."""
    random, corpus = Random(seed), drawn(seed)
    tagger = ViterbiTagger(TEMPLATE, **AT_ONCE, **options)
    tagger.read(corpus)
    keys = sorted({k for rows in corpus for more, _ in others(tagger, rows) for k in more})
    tagger.w = {k: random.uniform(-1, 1) for k in keys}
    return tagger, corpus


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", LOSSES)
def test_the_loss_is_a_hinge(kind):
    """0 as soon as gold is ahead of every other sequence by its cost, and then there is no update."""
    found, expected = [], []

    def rule(loss, square, importance):
        found.append(loss)
        return importance

    for seed in range(4):
        tagger, corpus = with_random_weights(seed, rule=rule, **in_lab(LOSSES[kind]))
        for rows in corpus * 4:
            before, w = len(found), dict(tagger.w)
            steps = list(tagger.learn(rows))
            expected.append(loss(others(tagger, rows), w))
            assert len(steps) == len(found) - before == (expected[-1] > 0)
    assert found == pytest.approx([value for value in expected if value > 0])
    assert 0 < expected.count(0.0) < len(expected)


@pytest.mark.parametrize("C", [0.25, 1000.0])
@pytest.mark.parametrize("kind", COSTLY)
def test_the_core_has_the_same_loss(kind, C):
    """A passive-aggressive step is the loss over the squared length, so each step tells it."""
    options = LOSSES[kind] | {"gamma": 0.71875, "average": False, "epochs": 3, "min_updates": 1}
    for seed in range(3):
        core = {"update": "pa", "aggressiveness": C, "bits": 32, "names": True, "seed": seed}
        found = weights_of(SequenceTagger(template=TEMPLATE, **core, **options).fit(drawn(seed)))
        slow = ViterbiTagger(TEMPLATE, rule=PassiveAggressive(C), seed=seed, **in_lab(options)).fit(drawn(seed))
        expected = slow_weights(slow)
        keys = sorted({*found, *expected})  # by rounding, a weight may be next to 0
        assert [found.get(k, 0.0) for k in keys] == pytest.approx([expected.get(k, 0.0) for k in keys], abs=1e-5)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", LOSSES)
def test_an_update_is_a_step_against_the_gradient(kind):
    """Of length 1: w - dL/dw. Where the loss is 0 so is its gradient."""
    updates = 0
    for seed in range(3):
        tagger, corpus = with_random_weights(seed, **in_lab(LOSSES[kind]))
        for rows in corpus:
            w, slope = dict(tagger.w), gradient(others(tagger, rows), tagger.w)
            updates += len(list(tagger.learn(rows)))
            assert change(w, tagger.w, slope) == pytest.approx({k: -d for k, d in slope.items()}, abs=1e-6)
    assert 10 < updates < 3 * len(corpus)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", LOSSES)
def test_a_step_of_the_core_is_one_against_the_gradient(kind):
    """The k-th step on a sentence is what a k-th pass changes. Where two sequences are equally far ahead of gold, the
    loss has no gradient."""
    core = {"min_updates": 1, "bits": 32, "names": True, "update": "margin" if kind in COSTLY else "perceptron"}
    slopes = 0
    for rows in [rows for seed in range(5) for rows in drawn(seed)]:
        slow = ViterbiTagger(TEMPLATE, **in_lab(LOSSES[kind]))
        slow.read([rows])
        every = others(slow, rows)
        fast = {"template": TEMPLATE, "average": False, **core, **LOSSES[kind]}
        passes = [weights_of(SequenceTagger(epochs=k, **fast).fit([rows])) for k in (1, 2, 3)]
        for before, after in pairwise([{}, *passes]):
            best, second = [*sorted(ahead(every, before), reverse=True), -inf][:2]
            if best > second:
                slope = gradient(every, before)
                slopes += any(slope.values())
                assert change(before, after, slope) == pytest.approx({k: -d for k, d in slope.items()}, abs=1e-6)
    assert slopes > 5
