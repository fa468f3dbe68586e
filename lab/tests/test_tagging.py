"""The fast learner against the laboratory's: the same weights and the same labels."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laboratory import in_lab
from taggers import drawn, slow_weights, weights_of

from sapwood import SequenceTagger
from sapwood_lab.easiest_first import UNKNOWN, EasiestFirstTagger
from sapwood_lab.errors import OptionError
from sapwood_lab.greedy import GreedyTagger
from sapwood_lab.losses import constant
from sapwood_lab.passive_aggressive import PassiveAggressive
from sapwood_lab.sparsity import rare
from sapwood_lab.viterbi import ViterbiTagger
from sapwood_lab.voted import Voted

TEMPLATES = [
    "U00:%x[0,0]\nU01:%x[-1,0]/%x[0,0]\nB\n",
    "U00:%x[0,0]\nU01:%x[1,1]\nU02:%x[0,1]/%x[-1,0]\nB\nB01:%x[0,1]\n",
    "U:%x[-1,0]\nU:%x[0,0]\nU:%x[1,0]\nB:%x[-1,1]\nU03:%y[-1]/%x[0,0]\n",  # a bag: shared features
]
BOTH_SIDES = "U00:%x[0,0]\nB\nU01:%y[+1]\nU02:%y[-1]/%x[0,1]/%y[+1]\nU03:%y[-2]/%y[-1]\nU04:%y[+1]/%y[+2]/%x[1,0]\n"
ORDER_2 = "U00:%x[0,0]\nU01:%x[-1,1]\nB\nU02:%y[-2]/%y[-1]\nU03:%y[-1]/%y[-2]/%x[0,1]\n"

tokens = st.tuples(st.sampled_from("abcd"), st.sampled_from("XY"), st.sampled_from(["N", "V", "P"]))
sentences = st.lists(tokens, min_size=1, max_size=4)
corpora = st.lists(sentences, min_size=1, max_size=4)
seeds = st.integers(0, 2**64 - 1)


def slow_tagger(template, *, search, order=1, **options):
    """The laboratory's tagger, not trained yet."""
    options = in_lab(options)
    if search == "viterbi":
        return ViterbiTagger(template, order=order, **options)
    return {"greedy": GreedyTagger, "easiest-first": EasiestFirstTagger}[search](template, **options)


def regret(tagger, rows, labels):
    """How far the labels' score is below the best (greedy: at the token where it is farthest)."""
    if isinstance(tagger, ViterbiTagger):
        return tagger.score(tagger.phi(rows, tagger.best(rows))) - tagger.score(tagger.phi(rows, labels))
    if isinstance(tagger, EasiestFirstTagger):
        return regret_in_order(tagger, rows, labels, [UNKNOWN] * len(rows))
    return max(
        max(scores.values()) - scores[labels[i]]
        for i in range(len(rows))
        for scores in [tagger.scores(tagger.features(rows, labels, i))]
    )


def regret_in_order(tagger, rows, labels, given):
    """The same for easiest-first, in the order in which it is least."""
    if UNKNOWN not in given:
        return 0
    scores = tagger.all_scores(rows, given)
    best = max(scores.values())
    return min(
        max(
            best - scores[i, labels[i]],
            regret_in_order(tagger, rows, labels, [*given[:i], labels[i], *given[i + 1 :]]),
        )
        for i, known in enumerate(given)
        if known == UNKNOWN
    )


def ranked(tagger, rows):
    """The scores of all label sequences, highest first."""
    paths = product(tagger.labels, repeat=len(rows))
    return sorted((tagger.score(tagger.phi(rows, path)) for path in paths), reverse=True)


def check(corpus, test, template, options):
    """Train both; hold their weights and their labels against each other. Returns the slow one, and events."""
    events = []
    fast = SequenceTagger(template=template, bits=32, names=True, **options).fit(corpus, on_event=events.append)
    slow = slow_tagger(template, **options).fit(corpus)
    assert fast.model_.labels == slow.labels
    assert weights_of(fast) == pytest.approx(slow_weights(slow), rel=1e-6, abs=1e-5)
    for rows, guess in zip([*corpus, *test], fast.predict([*corpus, *test]), strict=True):
        if options["average"]:  # float32 may break a tie in another way
            assert regret(slow, rows, guess) <= 1e-5
        else:
            assert guess == list(slow.best(rows))
    return slow, events


@pytest.mark.few(4)
@pytest.mark.parametrize("average", [True, False], ids=["averaged", "last"])
@pytest.mark.parametrize("min_updates", [1, 2, 3])
@pytest.mark.parametrize("update", ["perceptron", "margin"])
@pytest.mark.parametrize("search", ["greedy", "viterbi"])
@given(corpus=corpora, test=sentences, seed=seeds, template=st.sampled_from(TEMPLATES), gamma=st.sampled_from([0.5, 4]))
def test_the_core_learns_the_same_weights_and_labels(
    search, update, min_updates, average, corpus, test, seed, template, gamma
):
    options = {"search": search, "update": update, "min_updates": min_updates, "average": average}
    check(corpus, [test], template, {**options, "seed": seed, "gamma": gamma, "epochs": 3})


@pytest.mark.parametrize("search", ["greedy", "viterbi"])
@given(corpus=corpora, test=sentences, seed=seeds, min_updates=st.integers(1, 3), average=st.booleans())
@settings(max_examples=15)
def test_the_core_learns_the_same_with_two_labels_of_history(search, corpus, test, seed, min_updates, average):
    options = {"search": search, "order": 2, "update": "margin", "gamma": 1.0, "epochs": 3}
    check(corpus, [test], ORDER_2, {**options, "seed": seed, "min_updates": min_updates, "average": average})


@pytest.mark.parametrize("order", [1, 2])
@given(corpus=corpora, test=sentences, seed=seeds, options=st.fixed_dictionaries(
    {"min_updates": st.integers(1, 3), "average": st.booleans(), "gamma": st.sampled_from([0.0, 0.5, 2, 7])}
))  # fmt: skip
def test_the_core_learns_the_same_with_a_constant_cost(order, corpus, test, seed, options):
    options |= {"search": "viterbi", "order": order, "update": "margin", "cost": "constant", "epochs": 3}
    check(corpus, [test], ORDER_2 if order == 2 else TEMPLATES[1], {**options, "seed": seed})


@pytest.mark.few(2)
@pytest.mark.parametrize("average", [True, False], ids=["averaged", "last"])
@pytest.mark.parametrize("order", [1, 2])
@given(
    corpus=corpora,
    test=sentences,
    seed=seeds,
    min_updates=st.integers(1, 4),
    update=st.sampled_from(["perceptron", "margin"]),
)
def test_the_core_counts_updates_of_weights_as_the_laboratory_does(
    average, order, corpus, test, seed, min_updates, update
):
    options = {"search": "viterbi", "order": order, "update": update, "gamma": 2.0, "epochs": 4, "seed": seed}
    options |= {"min_updates": min_updates, "average": average, "count_updates": "weight"}
    check(corpus, [test], ORDER_2 if order == 2 else TEMPLATES[2], options)


def test_a_weight_that_took_part_in_too_few_updates_is_ignored_though_its_feature_is_not():
    """`a` is X, Y and Z in turn; ties go to X, so three updates take 1 from X each, and give it to Y, Z, Y. Then X and
    the feature have three updates and score. X has -3, so `a` that is Z is guessed to be Y: 1 for Z, -1 for Y. Z has
    two updates by itself and does not count."""
    corpus = [[("a", "X")], [("a", "Y")], [("a", "Z")]]
    options = {
        "search": "viterbi",
        "update": "perceptron",
        "average": False,
        "min_updates": 3,
        "epochs": 2,
        "seed": None,
    }
    by_feature = slow_tagger("U:%x[0,0]\n", **options).fit(corpus)
    by_weight = slow_tagger("U:%x[0,0]\n", count_updates="weight", **options).fit(corpus)
    assert by_feature.U == {"U:a": 4}
    assert slow_weights(by_feature) == {("U:a", ("X",)): -3, ("U:a", ("Y",)): 1, ("U:a", ("Z",)): 2}
    assert {y: count for (_, (y,)), count in by_weight.U.items()} == {"X": 3, "Y": 3, "Z": 2}
    assert slow_weights(by_weight) == {("U:a", ("X",)): -3, ("U:a", ("Y",)): 1}


@pytest.mark.few(2)
@pytest.mark.parametrize("average", [True, False], ids=["averaged", "last"])
@pytest.mark.parametrize("update", ["perceptron", "margin"])
@given(corpus=corpora, test=sentences, seed=seeds, min_updates=st.integers(1, 3), gamma=st.sampled_from([0.5, 4]))
def test_the_core_learns_the_same_with_labels_on_both_sides(update, average, corpus, test, seed, min_updates, gamma):
    options = {"search": "easiest-first", "update": update, "min_updates": min_updates, "average": average}
    check(corpus, [test], BOTH_SIDES, {**options, "seed": seed, "gamma": gamma, "epochs": 3})


@pytest.mark.few(6)
@pytest.mark.parametrize("average", [True, False], ids=["averaged", "last"])
@pytest.mark.parametrize("C", [1 / 32, 0.25, 1000.0])
@pytest.mark.parametrize("search", ["greedy", "viterbi", "easiest-first"])
def test_the_core_takes_the_same_passive_aggressive_steps(search, C, average):
    template = BOTH_SIDES if search == "easiest-first" else TEMPLATES[0]
    options = {"search": search, "gamma": 0.71875, "average": average, "epochs": 3, "min_updates": 1}
    for seed in range(3):
        fast = SequenceTagger(
            template=template, bits=32, names=True, update="pa", aggressiveness=C, seed=seed, **options
        ).fit(drawn(seed))
        slow = slow_tagger(template, rule=PassiveAggressive(C), seed=seed, update="margin", **options).fit(drawn(seed))
        found, expected = weights_of(fast), slow_weights(slow)
        keys = sorted({*found, *expected})  # by rounding, a weight may be next to 0
        assert [found.get(k, 0.0) for k in keys] == pytest.approx([expected.get(k, 0.0) for k in keys], abs=1e-5)
        assert max(map(abs, expected.values())) > C / 2 or C > 1


@pytest.mark.parametrize("search", ["greedy", "viterbi"])
@given(corpus=corpora, test=sentences, seed=seeds, k=st.integers(1, 6), template=st.sampled_from(TEMPLATES))
def test_the_core_prunes_the_same_features(search, corpus, test, seed, k, template):
    options = {"search": search, "update": "perceptron", "average": False, "min_updates": 1, "seed": seed, "epochs": 3}
    tagger = slow_tagger(template, **options)
    ignored = rare((feature for rows in corpus for feature in features_at_gold(tagger, rows)), k)
    fast = SequenceTagger(template=template, bits=32, names=True, prune_below=k, **options).fit(corpus)
    slow = slow_tagger(template, ignored=ignored, **options).fit(corpus)
    assert weights_of(fast) == slow_weights(slow)
    for rows, guess in zip([*corpus, test], fast.predict([*corpus, test]), strict=True):
        assert guess == list(slow.best(rows))


def features_at_gold(tagger, rows):
    gold = [row[-1] for row in rows]
    if isinstance(tagger, ViterbiTagger):
        return [feature for (feature, _), n in tagger.phi(rows, gold).items() for _ in range(int(n))]
    return [feature for i in range(len(gold)) for feature, _ in tagger.features(rows, gold, i)]


def test_every_vector_decodes():
    """Each vector of training tags by itself, and the sequence that most of them name wins."""
    corpus, rows = drawn(5), [("a", "X"), ("b", "Y"), ("c", "X")]
    tagger = ViterbiTagger(TEMPLATES[0], epochs=2, seed=None, min_updates=2)
    voted = Voted(tagger, tagger.best).fit(corpus)
    votes, again = Counter(), ViterbiTagger(TEMPLATES[0], min_updates=2)
    again.read(corpus)
    for example in [*corpus, *corpus]:  # the naive way: each example's vector decodes
        for _ in again.learn(example):
            pass
        votes[again.best(rows)] += 1
    assert voted.votes(rows) == votes
    assert len(votes) > 2 < len(voted.W) < 2 * len(corpus)
    assert voted.predict(rows) == votes.most_common(1)[0][0]


# Eighths, so that sums and products are exact in float32, and ties are ties.
valued = st.dictionaries(st.sampled_from("abcd"), st.integers(-16, 16).filter(bool).map(lambda n: n / 8), max_size=4)
valued_corpora = st.lists(
    st.lists(st.tuples(valued, st.sampled_from("NVP")), min_size=1, max_size=4), min_size=1, max_size=4
)


@pytest.mark.few(3)
@pytest.mark.parametrize("average", [True, False], ids=["averaged", "last"])
@pytest.mark.parametrize("search", ["argmax", "greedy", "easiest-first", "viterbi", "viterbi of order 2"])
@given(
    corpus=valued_corpora,
    seed=seeds,
    update=st.sampled_from(["perceptron", "margin"]),
    min_updates=st.integers(1, 3),
    bits=st.sampled_from([16, 32]),
)
def test_features_with_values_are_those_of_the_laboratory(search, average, corpus, seed, update, min_updates, bits):
    """Dicts of numbers: f(x, i, y_i, y_(i-1)) in R^d, as the core's and the laboratory's taggers learn it."""
    order = 2 if "2" in search else 1
    lines = ["U:%x[0,0]"] + ["B"] * (search != "argmax") + ["UB:%y[-2]/%y[-1]"] * (order == 2)
    options = {
        "update": update,
        "gamma": 0.5,
        "min_updates": min_updates,
        "average": average,
        "epochs": 3,
        "seed": seed,
    }
    kind = search.split()[0]
    slow = slow_tagger("\n".join(lines), search=kind.replace("argmax", "greedy"), order=order, **options).fit(corpus)
    X, y = zip(*(zip(*sentence, strict=True) for sentence in corpus), strict=True)
    fast = SequenceTagger(search=kind, order=order, bits=32, names=True, **options).fit(X, y)
    if average:
        assert weights_of(fast) == pytest.approx(slow_weights(slow), rel=1e-6, abs=1e-5)
    else:
        assert weights_of(fast) == slow_weights(slow)
        assert fast.predict(X) == [list(slow.best(rows)) for rows in corpus]
    small = SequenceTagger(search=kind, order=order, bits=bits, **options).fit(X, y)
    for rows, guess in zip(corpus, small.predict(X), strict=True):
        assert regret(slow, rows, guess) <= 0.01


@pytest.mark.few(2)
@pytest.mark.parametrize("average", [True, False], ids=["averaged", "last"])
@pytest.mark.parametrize("update", ["perceptron", "margin"])
@given(corpus=corpora, test=sentences, seed=seeds, min_updates=st.integers(1, 3), gamma=st.sampled_from([0.5, 4]))
def test_the_core_repeats_decisions_as_often_as_the_laboratory(update, average, corpus, test, seed, min_updates, gamma):
    options = {"search": "easiest-first", "guided": "repeat", "update": update, "min_updates": min_updates}
    options |= {"average": average, "seed": seed, "gamma": gamma, "epochs": 2}
    slow, events = check(corpus, [test], BOTH_SIDES, options)
    assert (events[-1].repeated, events[-1].given_up) == (slow.presentations.repeated, slow.presentations.given_up)


@pytest.mark.parametrize(("min_updates", "clock", "given_up"), [(1, 3, 0), (2, 4, 0), (99, 101, 0), (100, 101, 1)])
def test_a_decision_is_given_up_after_a_hundred_presentations(min_updates, clock, given_up):
    """`dog` is D as long as its feature does not score, after `the`, which is D as it should be."""
    corpus = [[("the", "D"), ("dog", "N")]]
    options = {"search": "easiest-first", "guided": "repeat", "update": "perceptron", "epochs": 1, "average": False}
    slow, events = check(corpus, [], "U:%x[0,0]\n", options | {"min_updates": min_updates})
    assert (slow.c, slow.presentations.repeated, slow.presentations.given_up) == (clock, clock - 2, given_up)
    assert (events[-1].repeated, events[-1].given_up) == (slow.presentations.repeated, slow.presentations.given_up)


@pytest.mark.parametrize("search", ["greedy", "viterbi"])
@given(corpus=corpora, test=sentences, seed=seeds)
@settings(max_examples=15)
def test_one_update_is_the_plain_averaged_perceptron(search, corpus, test, seed):
    options = {"search": search, "update": "perceptron", "epochs": 3, "seed": seed}
    plain = slow_tagger(TEMPLATES[0], min_updates=0, **options).fit(corpus)
    assert not any(count < 1 for count in plain.U.values())
    fast = SequenceTagger(template=TEMPLATES[0], bits=32, names=True, min_updates=1, **options).fit(corpus)
    assert weights_of(fast) == pytest.approx(slow_weights(plain), rel=1e-6, abs=1e-5)
    assert regret(plain, test, fast.predict([test])[0]) <= 1e-5


@pytest.mark.parametrize("order", [1, 2])
@given(corpus=corpora, test=sentences, seed=seeds, count=st.integers(1, 100), average=st.booleans())
def test_n_best_is_exhaustive_search(order, corpus, test, seed, count, average):
    options = {"search": "viterbi", "order": order, "update": "margin", "gamma": 2.0, "average": average}
    options |= {"seed": seed, "min_updates": 1, "epochs": 3}
    fast = SequenceTagger(template=ORDER_2, bits=32, **options).fit(corpus)
    slow = slow_tagger(ORDER_2, **options).fit(corpus)
    all_scores = ranked(slow, test)
    [best] = fast.n_best([test], count)
    assert len(best) == min(count, len(all_scores))
    assert len({tuple(path) for path, _ in best}) == len(best)
    for (path, score), expected in zip(best, all_scores, strict=False):
        assert score == pytest.approx(expected, rel=1e-5, abs=1e-5)
        assert slow.score(slow.phi(test, path)) == pytest.approx(score, rel=1e-5, abs=1e-5)
    if not average:  # whole numbers: no rounding, so ties are ties
        assert best[0][0] == fast.predict([test])[0] == list(slow.best(test))


def test_greedy_steps_are_those_done_by_hand():
    """One sentence, one epoch, two tokens: every number can be checked in the head.

    Greedy perceptron; labels are numbered D, N. Token `the`: all scores are 0, ties go to D, which is right.
    Token `dog` after D: all scores are 0, D is the guess, N is gold: +1 for N and -1 for D. The second of two
    examples, so the average is half of it.
    """
    corpus = [[("the", "D"), ("dog", "N")]]
    slow = GreedyTagger("U:%x[0,0]\nB\n", epochs=1).fit(corpus)
    assert slow_weights(slow) == {
        ("U:dog", ("N",)): 0.5,
        ("U:dog", ("D",)): -0.5,
        ("B y[-1]=D", ("N",)): 0.5,
        ("B y[-1]=D", ("D",)): -0.5,
    }
    options = {"search": "greedy", "update": "perceptron", "epochs": 1, "min_updates": 1, "average": True}
    check(corpus, [], "U:%x[0,0]\nB\n", options)


def test_easiest_first_steps_are_those_done_by_hand():
    """The same, from the right: no score is above 0, so `the` is first and D is right; then `dog`, with D before it and
    nothing behind it, is D, which is wrong. In the second epoch `dog` is N with the score 2 while `the` is 0: it is
    decided first, among unknown labels."""
    corpus = [[("the", "D"), ("dog", "N")]]
    slow = EasiestFirstTagger("U:%x[0,0]\nU1:%y[-1]/%y[+1]\n", epochs=1).fit(corpus)
    assert slow_weights(slow) == {
        ("U:dog", ("N",)): 0.5,
        ("U:dog", ("D",)): -0.5,
        ("U1:%y[-1]/%y[+1] y[-1]=D y[+1]=_B+1", ("N",)): 0.5,
        ("U1:%y[-1]/%y[+1] y[-1]=D y[+1]=_B+1", ("D",)): -0.5,
    }
    scores = slow.all_scores([("the",), ("dog",)], [UNKNOWN, UNKNOWN])
    assert max(scores, key=scores.__getitem__) == (1, "N")
    options = {"search": "easiest-first", "update": "perceptron", "epochs": 1, "min_updates": 1, "average": True}
    check(corpus, [], "U:%x[0,0]\nU1:%y[-1]/%y[+1]\n", options)


@given(sentence=sentences, gamma=st.sampled_from([1.0, 10.0]), cost=st.sampled_from(["hamming", "constant"]))
def test_a_passive_aggressive_step_is_the_loss_by_the_squared_length(sentence, gamma, cost):
    """All scores are 0 before the first update, so the loss is the cost: of each wrong label, or of all of them."""
    options = {"template": TEMPLATES[0], "gamma": gamma, "cost": cost, "epochs": 1, "min_updates": 1, "average": False}
    margin, pa = (
        weights_of(SequenceTagger(update=update, bits=32, names=True, **options).fit([sentence]))
        for update in ("margin", "pa")
    )
    guess = ViterbiTagger(TEMPLATES[0], epochs=1, **in_lab({"gamma": gamma, "cost": cost}))
    wrong = [sum(map(str.__ne__, step.gold, step.guess)) for step in guess.steps([sentence])]
    loss = gamma * (wrong[0] if cost == "hamming" else 1) if wrong else 0.0
    step = min(1.0, loss / sum(w * w for w in margin.values())) if wrong else 0.0
    assert pa == pytest.approx({k: step * w for k, w in margin.items()}, rel=1e-6)


def test_the_laboratory_refuses_a_cost_that_a_search_does_not_have():
    with pytest.raises(OptionError, match="GreedyTagger adds up costs of parts, so its loss cannot be constant"):
        GreedyTagger("U:%x[0,0]\n", loss=constant(1.0))
    with pytest.raises(OptionError, match=r"loss is a function .*, such as hamming\(1\.0\); not 'hamming'"):
        ViterbiTagger("U:%x[0,0]\n", loss="hamming")
