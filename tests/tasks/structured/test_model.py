"""Structures of one's own: the same weights as the laboratory's, from plain functions; and what they cannot do."""

from __future__ import annotations

import pickle
from itertools import product
from random import Random

import numpy as np
import pytest
from commands import run_command

import sapwood
from sapwood import DataError, ModelError, OptionError, _core
from sapwood.errors import NotFittedError
from sapwood.events import EpochDone
from sapwood.explain import report
from sapwood.tasks.structured.model import StructuredModel
from sapwood_lab import Learner, PassiveAggressive, hamming

TAGS = "NVD"


def features(word, part):
    place, tag, before = part
    return [f"{word[place]} {tag}", f"{before}{tag}", f"{word[place]}{before}{tag}"]


def parts_of(tags):
    return [(place, tag, tags[place - 1] if place else "^") for place, tag in enumerate(tags)]


def search(word, score):
    """Return the best tags of all; the first of those that tie."""
    every = [parts_of(tags) for tags in product(TAGS, repeat=len(word))]
    return max(every, key=lambda parts: sum(map(score, parts)))


def words(seed=1, count=40):
    random = Random(seed)
    inputs = ["".join(random.choice("abcde") for _ in range(random.randint(1, 4))) for _ in range(count)]
    tags = [["N" if c < "c" else TAGS[(ord(c) + place) % 3] for place, c in enumerate(word)] for word in inputs]
    return inputs, [parts_of(each) for each in tags]


X, Y = words()


def wrong(part, gold):
    return 1.0


class InTheLaboratory(Learner):
    """The same task, as the laboratory's learner has it: a feature is for the only output, ''."""

    def phi(self, x, y):
        found = {}
        for part in y:
            for feature in features(x, part):
                found[feature, ""] = found.get((feature, ""), 0.0) + 1.0
        return found

    def best(self, x, gold=None):
        def score(part):
            cost = 0.0 if gold is None else self.loss(gold[part[0]], part)
            return self.score(self.phi(x, [part])) + cost

        return search(x, score)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("lab", "ours"),
    [
        ({}, {}),
        ({"average": False, "seed": 3}, {"average": False, "seed": 3}),
        ({"min_updates": 3}, {"min_updates": 3}),
        ({"loss": hamming(2.0)}, {"loss": wrong, "gamma": 2.0}),
        ({"loss": hamming(0.5), "min_updates": 2}, {"loss": wrong, "gamma": 0.5, "min_updates": 2}),
        (
            {"loss": hamming(0.7), "rule": PassiveAggressive(C=0.3)},
            {"loss": wrong, "gamma": 0.7, "update": "pa", "aggressiveness": 0.3},
        ),
    ],
    ids=["perceptron", "last weights", "min_updates", "margin", "margin and min_updates", "passive-aggressive"],
)
def test_the_weights_are_those_of_the_laboratory(lab, ours):
    learner = InTheLaboratory(epochs=4, **lab).fit(list(zip(X, Y, strict=True)))
    model = sapwood.structured(features, search, epochs=4, names=True, bits=32, **ours).fit(X, Y)
    expected, found = {feature: weight for (feature, _), weight in learner.weights().items()}, model.weights()
    assert len(found) > 15
    for feature in expected | found:
        assert found.get(feature, 0.0) == pytest.approx(expected.get(feature, 0.0), abs=2e-6), feature
    others, _ = words(seed=2)
    assert model.predict(others) == learner.predict(others)


def test_a_search_may_ask_for_many_scores_at_once():
    def at_once(word, score):
        every = [parts_of(tags) for tags in product(TAGS, repeat=len(word))]
        sums = score.all([part for parts in every for part in parts]).reshape(len(every), -1).sum(axis=1)
        return every[int(sums.argmax())]

    assert sapwood.structured(features, at_once, names=True).fit(X, Y).weights() == pytest.approx(
        sapwood.structured(features, search, names=True).fit(X, Y).weights()
    )
    assert sapwood.structured(features, lambda x, score: [score.all([]).shape]).fit(["a"], [[(0,)]]).predict(["a"]) == [
        [(0,)]
    ]


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int32, np.uint64, np.int64, list, tuple, "reversed", iter])
def test_numbers_are_the_same_features_in_lists_and_arrays_of_any_type(kind):
    def numbered(word, part):
        numbers = [ord(word[part[0]]), ord(part[1]), 100 + ord(part[2]) % 20]
        if kind == "reversed":
            return np.array(numbers[::-1])[::-1]
        return kind(numbers) if kind in (list, tuple, iter) else np.array(numbers, dtype=kind)

    def in_a_list(word, part):
        return list(map(int, numbered(word, part)))

    model = sapwood.structured(numbered, search, names=True).fit(X, Y)
    assert model.weights() == sapwood.structured(in_a_list, search, names=True).fit(X, Y).weights()
    assert set(model.weights()) <= {str(number) for number in range(200)}


def test_an_array_that_is_used_again_is_read_when_it_is_given():
    row = np.zeros(2, dtype=np.int64)

    def in_one_array(word, part):
        row[:] = ord(word[part[0]]), ord(part[1])
        return row

    model = sapwood.structured(in_one_array, search, names=True).fit(X, Y)
    copied = sapwood.structured(lambda word, part: in_one_array(word, part).copy(), search, names=True).fit(X, Y)
    assert model.weights() == copied.weights()


def test_features_are_asked_for_once_and_those_that_change_do_no_harm():
    random, asked = Random(1), []

    def whims(word, part):
        asked.append((word, part))
        return [str(random.randint(0, 9))]

    def twice(word, score):
        assert score((0, "N", "^")) == score((0, "N", "^"))
        return search(word, score)

    sapwood.structured(whims, twice, epochs=1).fit(["a", "b"], [parts_of("N"), parts_of("V")])
    assert len(asked) == len(set(asked)) == 2 * len(TAGS)


def test_a_search_that_catches_what_a_part_raises_goes_on():
    def careful(word, score):
        with pytest.raises(DataError, match="feature 2 is of the type float"):
            score((0, "X", "^"))
        return search(word, score)

    def some(word, part):
        return ["a", 0.5] if part[1] == "X" else features(word, part)

    model = sapwood.structured(some, careful, names=True).fit(X, Y)
    assert model.weights() == sapwood.structured(features, search, names=True).fit(X, Y).weights()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.array([0.5]), "feature 1 is of the type .*float64; features are texts, or whole numbers from 0 to 2"),
        ([float("nan")], "feature 1 is of the type float"),
        ([3, -1], "feature 2 is the number -1"),
        ([1 << 64], "feature 1 is the number 18446744073709551616"),
        (np.array([3, -1]), "feature 2 is a number below 0"),
        (np.array([[1, 2]]), "an array of one dimension, not of 2"),
        ("abc", "the features of a part are a list or an array, not one str"),
        (b"abc", "not one bytes"),
        ({"a": 1.0}, "not one dict"),
        (None, "the features of a part are a list or an array, not None"),
        (7, "not int"),
        (["a", None], "feature 2 is of the type None"),
        (["\ud800"], "feature 1 is a text that is not Unicode"),
    ],
    ids=str,
)
def test_features_that_are_none_are_refused_with_their_part(given, message):
    model = sapwood.structured(lambda word, part: given, search)
    with pytest.raises(DataError, match=message) as error:
        model.fit(X, Y)
    assert str(error.value).startswith("features of (0, 'N', '^'): ")


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (None, "search returned None, and no list of parts"),
        ("NV", "search returned a string, and no list of parts"),
        ({"N"}, "search returned a set, and no list"),
        (iter(["N"]), "search returned a list_iterator"),
        ([["N"]], "search returned a list with a part that has no hash"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else value,
)
def test_what_is_no_structure_is_refused(found, message):
    with pytest.raises(DataError, match=message):
        sapwood.structured(features, lambda word, score: found).fit(X, Y)
    if not hasattr(found, "__next__"):
        with pytest.raises(DataError, match=message.replace("search returned", r"structure 2 \(counted from 1\) is")):
            sapwood.structured(features, search).fit(["a", "b"], [parts_of("N"), found])


def test_what_the_functions_raise_is_raised():
    def broken(word, part):
        raise KeyError("no such letter")

    with pytest.raises(KeyError, match="no such letter"):
        sapwood.structured(broken, search).fit(X, Y)
    with pytest.raises(ZeroDivisionError):
        sapwood.structured(features, lambda word, score: 1 / 0).fit(X, Y)


@pytest.mark.parametrize("cost", [-1.0, float("nan"), float("inf")])
def test_a_loss_is_a_number_from_0(cost):
    with pytest.raises(DataError, match=r"the loss of \(0, 'N', '\^'\) is "):
        sapwood.structured(features, search, lambda part, gold: cost).fit(["a"], [parts_of("V")])


def test_what_a_model_cannot_be_made_of_is_refused():
    model = sapwood.structured(features, search)
    with pytest.raises(NotFittedError, match="this structured model is not fitted yet"):
        model.predict(X)
    with pytest.raises(DataError, match="there are 40 inputs and 39 structures"):
        model.fit(X, Y[1:])
    with pytest.raises(DataError, match="there is no example"):
        model.fit([], [])
    with pytest.raises(DataError, match="a pair of input and structure, not a string"):
        model.fit(X)
    with pytest.raises(OptionError, match="passive-aggressive updates need a loss"):
        sapwood.structured(features, search, update="pa").fit(X, Y)
    with pytest.raises(OptionError, match="update is one of perceptron, pa, not 'margin'"):
        sapwood.structured(features, search, update="margin").fit(X, Y)
    with pytest.raises(OptionError, match="a search in Python finds one structure after the other; leave batch out"):
        sapwood.structured(features, search, batch=2).fit(X, Y)
    with pytest.raises(TypeError, match="unexpected keyword argument 'epoch'"):
        sapwood.structured(features, search, epoch=2)
    with pytest.raises(OptionError, match="search is a function, not a list"):
        sapwood.structured(features, [])
    with pytest.raises(DataError, match="a part that was not scored"):
        _core.StructuredTrainer({}, [1], lambda trainer, k: ([0], [1], 0.0)).step(1)


def test_structures_may_be_empty_and_of_other_parts_than_gold():
    def greedy(word, score):
        return [part for part in ("a", 1, 1.5, ("b",)) if score(part) > 0]

    model = sapwood.structured(lambda word, part: [f"{word} {part}"], greedy, names=True)
    model.fit(["x", "y", "z"], [[], ["a", "a", np.int64(1)], [("b",)]])
    assert model.predict(["x", "y", "z"]) == [[], ["a", 1], [("b",)]]
    assert model.evaluate(["x", "y"], [[], ["a", 1]]).correct == 2


def test_training_stops_by_held_out_structures():
    done = []
    model = sapwood.structured(features, search, epochs=50, patience=2)
    model.fit(X, Y, dev=words(seed=2, count=12), on_event=done.append)
    scores = [event.dev_score for event in done if isinstance(event, EpochDone)]
    assert len(scores) < 50
    kept = scores[model.model_.provenance["best_epoch"] - 1]
    assert kept == pytest.approx(model.model_.provenance["dev_score"], abs=1e-4)
    assert model.evaluate(*words(seed=2, count=12)).f1 == pytest.approx(kept)
    pairs = list(zip(*words(seed=2, count=12), strict=True))
    same = sapwood.structured(features, search, epochs=50, patience=2).fit(list(zip(X, Y, strict=True)), dev=pairs)
    assert same.predict(X) == model.predict(X)


@pytest.mark.parametrize("options", [{}, {"runs": 2}, {"shards": 2}, {"max_bytes": 2000}, {"hash_bits": 12}], ids=str)
def test_what_all_learners_can_do_it_can(options, tmp_path):
    model = sapwood.structured(features, search, epochs=3, **options).fit(X, Y)
    model.save(tmp_path / "model.sap")
    loaded = sapwood.structured(features, search).load(tmp_path / "model.sap")
    assert loaded.predict(X) == model.predict(X) == pickle.loads(pickle.dumps(model)).predict(X)
    assert model.evaluate(X, Y).f1 > 70


def test_training_goes_on_from_a_checkpoint_and_part_by_part(tmp_path):
    whole = sapwood.structured(features, search, epochs=4, names=True).fit(X, Y)
    model = sapwood.structured(features, search, epochs=2, names=True).fit(X, Y, checkpoint=tmp_path / "c")
    model.set_params(epochs=4).fit(X, Y, resume=tmp_path / "c")
    assert model.weights() == whole.weights()
    with pytest.raises(OptionError, match="training data"):
        model.fit(*words(seed=3), resume=tmp_path / "c")
    parts = sapwood.structured(features, search)
    for _ in range(4):
        parts.partial_fit(X, Y)
    assert parts.evaluate(X, Y).f1 > 70
    smaller = whole.set_params(names=False).shrink(list(zip(X, Y, strict=True)), below=0.3)
    assert len(smaller.weights()) < len(whole.weights())


def test_a_file_has_no_functions_and_says_so(tmp_path):
    path = tmp_path / "model.sap"
    sapwood.structured(features, search, names=True).fit(X, Y).save(path)
    with pytest.raises(ModelError, match=r"model\.sap: a model for structures of one's own, whose functions are in no"):
        sapwood.load(path)
    with pytest.raises(ModelError, match="this model lacks its functions"):
        StructuredModel.load(StructuredModel(), path).predict(X)


def test_inspect_shows_a_file_and_other_verbs_refuse_it(tmp_path):
    path = tmp_path / "model.sap"
    sapwood.structured(features, search, names=True).fit(X, Y).save(path)
    (tmp_path / "data.txt").write_text("a N\n")
    shown = run_command(["inspect", str(path), "--top", "2"])
    assert (shown.status, shown.err) == (0, "")
    assert "task      structured" in shown.out
    assert "structures 40, parts" in shown.out
    for verb in ("eval", "explain", "tag"):
        refused = run_command([verb, str(path), str(tmp_path / "data.txt")])
        assert refused.status != 0
        assert "whose functions are in no file" in refused.err


def test_explanations_have_the_names_of_the_features_and_exact_sums():
    model = sapwood.structured(features, search).fit(X, Y)
    weights = sapwood.structured(features, search, names=True).fit(X, Y).weights()
    [guess] = model.predict(["abc"])
    found = model.explain("abc")
    assert [each.chosen for each in found] == list(map(str, guess))
    for place, (each, part) in enumerate(zip(found, guess, strict=True), 1):
        assert (each.token, each.decision, each.against) == (place, "part", "left out")
        contributions = each.contributions()
        assert contributions == pytest.approx({f: weights[f] for f in features("abc", part) if f in weights})
        assert each.margin == pytest.approx(sum(contributions.values()), abs=1e-12)
    other = parts_of("DDD")
    [both] = model.explain("abc", against=other)
    scores = [sum(weights.get(f, 0.0) for part in parts for f in features("abc", part)) for parts in (guess, other)]
    assert both.margin == pytest.approx(scores[0] - scores[1])
    assert both.margin == pytest.approx(sum(both.contributions().values()), abs=1e-12)


def test_there_is_no_report_on_structures():
    model = sapwood.structured(features, search).fit(X, Y)
    with pytest.raises(ModelError, match="a structured model has no answers to report on; taggers, parsers"):
        report(model, (X, Y))
