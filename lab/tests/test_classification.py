"""The classifiers of the laboratory and those of the core: the same weights, probabilities and votes."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laboratory import in_lab
from parsers import tagged
from scores import label_scores

from sapwood import Classifier
from sapwood_lab.arc_parser import ArcParser
from sapwood_lab.dual import dot
from sapwood_lab.easy_first import EasyFirstParser
from sapwood_lab.errors import OptionError
from sapwood_lab.l1 import L1Regression
from sapwood_lab.losses import hamming
from sapwood_lab.multiclass import Multiclass
from sapwood_lab.passive_aggressive import PassiveAggressive
from sapwood_lab.penalties import Cumulative, K, Truncated
from sapwood_lab.polynomial_kernel import conjunctions, polynomial_kernel
from sapwood_lab.sparsity import rare
from sapwood_lab.voted import Voted

PENALTIES = {"l1-cumulative": Cumulative, "truncated-gradient": Truncated}
classes = st.integers(2, 4)
seeds = st.integers(0, 2**64 - 1)


def problem(seed, classes, n=40):
    """Examples of one to four of eight features; their values are such that scores do not tie."""
    random = Random(seed)
    X = [{f: random.uniform(0.1, 2) for f in random.sample("abcdefgh", random.randint(1, 4))} for _ in range(n)]
    y = ["abcdefgh".index(min(x)) % classes if random.random() < 0.8 else random.randrange(classes) for x in X]
    return X, [f"y{k}" for k in [*range(classes), *y[classes:]]]


def biased(X):
    """The examples with the feature that the core adds to dicts."""
    return [{**x, "bias": 1.0} for x in X]


def trained(X, y, **options):
    fast = Classifier(bits=32, names=True, **{"min_updates": 1, "epochs": 3} | options).fit(X, y)
    return fast, {(name, output.name): weight for output, weight, name in fast.contents.weights()}


def assert_near(found, expected):
    """The same weights. One that is next to 0 may be missing: by rounding, an example may be right by just enough."""
    keys = sorted({*found, *expected})
    assert [found.get(k, 0.0) for k in keys] == pytest.approx([expected.get(k, 0.0) for k in keys], rel=1e-4, abs=1e-5)


@given(
    classes=classes, seed=seeds, average=st.booleans(), C=st.sampled_from([0.05, 1.0, 1e6]), weight=st.integers(1, 3)
)
def test_the_core_takes_the_same_passive_aggressive_steps(classes, seed, average, C, weight):
    X, y = problem(seed, classes)
    common = {"gamma": 0.5, "average": average, "seed": seed}
    _, found = trained(X, y, update="pa", aggressiveness=C, class_weight={"y1": weight}, **common)
    slow = Multiclass(rule=PassiveAggressive(C), epochs=3, **in_lab(common))
    slow.fit(biased(X), y, [weight if label == "y1" else 1.0 for label in y])
    assert slow.updates > 3
    assert_near(found, slow.weights())


def test_a_step_goes_no_further_than_needed():
    """After PA gold is ahead by its cost exactly; PA-I with a small C stays behind."""
    x = {"a": 3.0, "b": 4.0}
    for C, ahead in ((float("inf"), 25.0), (0.25, 2 * 0.25 * 25)):
        learner = Multiclass(loss=hamming(1.0), rule=PassiveAggressive(C), average=False, epochs=1, seed=None)
        learner.fit([x, {}, {}], ["u", "v", "w"])
        assert learner.scores(x)["u"] - learner.scores(x)["v"] == pytest.approx(ahead)
    for C in (0.0, -1.0, float("nan")):
        with pytest.raises(OptionError, match="above 0"):
            PassiveAggressive(C)


def test_the_mean_is_one_tick_later_than_that_of_the_vectors_that_score():
    """Goldberg & Elhadad average w^1 ... w^T, each before its round; the lectures, and the code, those after it."""
    X, y = problem(7, 3, n=20)
    learner, examples = Multiclass(average=False, epochs=1, seed=None), len(X)
    learner.read(X, y)
    theirs, steps = Counter(), []
    for example in zip(X, y, [1.0] * examples, strict=True):
        theirs.update(learner.w)
        steps.extend(learner.learn(example))
    last = learner.w
    ours = Multiclass(epochs=1, seed=None).fit(X, y).w
    assert len(steps) > 3
    assert ours == pytest.approx({k: (theirs[k] + last[k]) / examples for k in last})


@given(
    update=st.sampled_from(sorted(PENALTIES)),
    classes=classes,
    seed=seeds,
    C=st.sampled_from([0.0, 0.3, 3.0, 30.0]),
    weight=st.integers(1, 3),
)
def test_the_core_pays_the_same_l1_penalties(update, classes, seed, C, weight):
    X, y = problem(seed, classes)
    assert K < 3 * len(X) < 2 * K  # one truncation, and a rest at the end
    options = {"eta": 0.5, "seed": seed}
    _, found = trained(X, y, update=update, penalty=C, class_weight={"y1": weight}, **options)
    slow = L1Regression(PENALTIES[update], C=C, epochs=3, **options)
    slow.fit(biased(X), y, [weight if label == "y1" else 1.0 for label in y])
    expected = slow.weights()
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-6)
    assert len(expected) == len(found)
    assert C < 30 or len(expected) < len(slow.w)  # there are zeros


@given(classes=classes, seed=seeds, k=st.integers(1, 12), average=st.booleans(), gamma=st.sampled_from([0.0, 0.5]))
def test_the_core_prunes_the_same_features(classes, seed, k, average, gamma):
    X, y = problem(seed, classes, n=20)
    update = "margin" if gamma else "perceptron"
    _, found = trained(X, y, update=update, gamma=gamma, prune_below=k, average=average, seed=seed)
    ignored = rare((f for x in X for f in x), k)
    slow = Multiclass(ignored=ignored, loss=hamming(gamma), average=average, epochs=3, seed=seed).fit(biased(X), y)
    assert k < 12 or ignored
    assert not ignored & {f for f, _ in found}
    assert_near(found, slow.weights())


@given(classes=classes, seed=seeds)
def test_the_core_counts_the_same_votes(classes, seed):
    X, y = problem(seed, classes, n=20)
    fast = Classifier(update="perceptron", voted=True, min_updates=1, epochs=3, seed=seed).fit(X, y)
    learner = Multiclass(epochs=3, seed=seed)
    voted = Voted(learner, lambda x: learner.predict([x])[0]).fit(biased(X), y)
    assert sum(v for _, _, v in voted.W) == 3 * len(X)
    assert len(voted.W) == learner.updates + 1 > 3
    for x, parts in zip(X, label_scores(fast, X), strict=True):
        votes = voted.votes({**x, "bias": 1.0})
        assert [votes[label] for label in fast.labels_] == pytest.approx(parts * 3 * len(X))


@given(seed=seeds, p=st.integers(1, 4), c=st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_the_polynomial_kernel_is_the_product_of_conjunctions(seed, p, c):
    (x, y), _ = problem(seed, 2, n=2)
    expected = dot(conjunctions(x, p, c), conjunctions(y, p, c))
    assert polynomial_kernel(x, y, p, c) == pytest.approx(expected)


def test_pruning_leaves_in_too_much():
    """The first shortcoming: `noise` is frequent, but is there in an update only once, before `b` is known."""
    X = [{"a": 1}, {"b": 1, "noise": 1}, *[{"b": 1}] * 4, *[{"b": 1, "noise": 1}] * 4]
    y = ["A", *["B"] * 9]
    options = {"average": False, "epochs": 2, "seed": None}
    pruned = Multiclass(ignored=rare((f for x in X for f in x), k=3), **options).fit(X, y)
    sparse = Multiclass(min_updates=3, **options).fit(X, y)
    assert {f for f, _ in pruned.weights()} == {"b", "noise"}
    assert {f for f, _ in sparse.weights()} == {"b"}
    assert pruned.predict(X) == sparse.predict(X) == y


def test_pruning_takes_out_too_much():
    """The second: `rare` is there once, and tells two examples apart that have the same other features."""
    X, y = [{"word": 1}, {"word": 1, "rare": 1}], ["A", "B"]
    options = {"average": False, "epochs": 20, "seed": None}
    pruned = Multiclass(ignored=rare((f for x in X for f in x), k=2), **options).fit(X, y)
    sparse = Multiclass(min_updates=2, **options).fit(X, y)
    assert sparse.predict(X) == y
    assert pruned.scores(X[0]) == pruned.scores(X[1])


@pytest.mark.slow
def test_what_pruning_counts_is_not_known_before_training():
    """The third: trees that are only guessed have features, too, and those of easy-first parsing depend on what was
    attached before, and so on what was learned before."""
    data = tagged(6, 1)
    arcs = ArcParser("[arcs]\nhw mw\n", epochs=1).fit(*data)
    at_gold = {f for x, gold in arcs.read(*data) for f, _ in arcs.phi(x, gold)}
    assert {f for f, _ in arcs.w} - at_gold
    template = "[attachments]\np0t p1t\np-1t p0t p1t p2t\n"
    first, second = ({f for f, _ in EasyFirstParser(template, epochs=2, seed=seed).fit(*data).w} for seed in (1, 2))
    assert first - second
    assert second - first
