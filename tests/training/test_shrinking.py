"""Shrinking: the smallest weights go, the others are learned anew, until a model is as small as it is to be."""

import random
import signal
from collections import Counter

import pytest
from parsers import KINDS, rows, tagged
from reranking import lists_of
from treebanks import treebank

import sapwood
from sapwood import Classifier, DependencyParser, ModelError, OptionError, Reranker, SequenceTagger
from sapwood.errors import SapwoodWarning
from sapwood.events import EpochDone, Finished, Preparing, Shrunk
from sapwood.model.small import Goal
from sapwood.tasks.parsing.grammar import PhraseParser
from sapwood.tasks.pipeline.model import Pipeline
from sapwood.tasks.segmenting.model import Segmenter

RANDOM = random.Random(7)
CLASSES = [RANDOM.choice("+-") for _ in range(1500)]
TEXTS = [" ".join(f"{RANDOM.choice(sign + '=')}{RANDOM.randrange(700)}" for _ in range(12)) for sign in CLASSES]


def candidate(loss):
    return {f"{RANDOM.choice('ab'[loss] + 'c')}{RANDOM.randrange(900)}": 1 for _ in range(9)}, 0, loss


LISTS = lists_of([[candidate(loss) for loss in (0, 1, 1)] for _ in range(900)])
ORDER_2 = "U0:%x[0,0]\nU1:%x[-1,0]\nU2:%x[1,0]\nU3:%y[-2]/%y[-1]/%x[0,0]\nU4:%y[-1]/%x[0,0]\n"


def fits(new, *data, **fixed):
    """Return a function that fits a model with more options, perhaps to a goal."""

    def fit(goal=None, **options):
        model = new(**fixed, **options)
        return model._learn(model._run({}, goal), *data)

    return fit


FITS = {
    "tagger": fits(SequenceTagger, rows(80, 1), template="pos", epochs=3, min_updates=1),
    "order 2": fits(SequenceTagger, rows(80, 1), template=ORDER_2, epochs=3, min_updates=1, order=2),
    "greedy, own history": fits(
        SequenceTagger, rows(80, 1), template="pos", epochs=3, min_updates=1, search="greedy", history="own"
    ),
    **{name: fits(DependencyParser, *tagged(60), epochs=2, min_updates=1, **kind) for name, kind in KINDS.items()},
    "classifier": fits(Classifier, TEXTS, CLASSES, min_updates=1, epochs=3),
    "reranker": fits(Reranker, LISTS, min_updates=1, epochs=3),
    "segmenter": fits(Segmenter, treebank(80, 1), epochs=3, min_updates=1, drop_below=0.0),
}


def weights_of(model):
    return sum(table.packed.weights for table in model.model_.tables)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FITS)
def test_every_kind_of_model_can_be_made_small(kind, tmp_path):
    whole = FITS[kind]()
    goal = whole.save(tmp_path / "whole.sap") - weights_of(whole) // 3
    small = FITS[kind](max_bytes=goal)
    assert small.save(tmp_path / "small.sap") <= goal
    assert 0 < weights_of(small) < weights_of(whole)
    assert sapwood.load(tmp_path / "small.sap").contents.learned == small.contents.learned
    FITS[kind](max_bytes=goal).save(tmp_path / "again.sap")
    assert (tmp_path / "again.sap").read_bytes() == (tmp_path / "small.sap").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("retrain", [True, False])
def test_the_smallest_of_models_ends_the_rounds(retrain):
    tagger = SequenceTagger(template="pos", min_updates=1, epochs=2)
    with pytest.warns(SapwoodWarning, match="more than 1: no smaller model has a weight left"):
        small = tagger._fit_to(Goal(1, retrain=retrain), rows(40, 1))
    whole, smallest = small.recipe.small.curve
    assert small.recipe.small.chosen == 1
    assert smallest.bytes < whole.bytes / 5
    with pytest.warns(SapwoodWarning, match="more than 1: "):
        assert weights_of(SequenceTagger(template="pos", min_updates=1, epochs=2, max_bytes=1).fit(rows(40, 1))) > 0
    assert weights_of(small) > 0


@pytest.mark.slow
def test_a_small_tagger_is_nearly_as_good():
    train, test = rows(300, 1), rows(100, 2)
    whole = SequenceTagger(template="pos", min_updates=1).fit(train)
    small = whole.shrink(train, bytes=whole.model_.size() // 2)
    assert small.model_.size() <= whole.model_.size() // 2
    assert small.score(test) > whole.score(test) - 0.01


def test_what_stays_is_better_learned_anew():
    train, test = rows(300, 1), rows(200, 2)
    whole = SequenceTagger(template="pos", min_updates=1).fit(train)
    goal = Goal(whole.model_.size() // 6, levels="uneven")
    anew, once = (
        SequenceTagger(template="pos", min_updates=1)._fit_to(goal._replace(retrain=retrain), train)
        for retrain in (True, False)
    )
    assert max(anew.model_.size(), once.model_.size()) <= goal.bytes
    assert anew.score(test) > once.score(test) + 0.01


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"history": "own", "search": "greedy"}, {"history": "own", "runs": 2}])
def test_a_loss_on_held_out_data_decides(options):
    """With features of its own answers a model knows more of them after each round, in another order in each run."""
    train, dev = rows(200, 1), rows(60, 2)
    whole = SequenceTagger(template="pos", min_updates=1, epochs=4, **options).fit(train)
    small = whole.shrink(train, dev=dev, loss=1.5)
    first, kept = small.recipe.small.curve[0], small.recipe.small.curve[small.recipe.small.chosen]
    assert kept.score >= first.score - 1.5
    assert 100 * small.score(dev) == pytest.approx(kept.score)
    assert kept.bytes < first.bytes * 2 / 3
    smaller = [point for point in small.recipe.small.curve if point.bytes < kept.bytes]
    assert all(point.score < first.score - 1.5 for point in smaller)


def test_options_of_the_model_stay(tmp_path):
    train = rows(80, 1)
    whole = SequenceTagger(template="pos", search="greedy", min_updates=3, epochs=2, seed=5, columns=["w", "label"])
    whole.fit(train).save(tmp_path / "whole.sap")
    small = sapwood.load(tmp_path / "whole.sap").shrink(train, bytes=5000)
    assert (small.search, small.min_updates, small.epochs, small.seed) == ("greedy", 3, 2, 5)
    assert small.model_.columns == ["w", "label"]
    assert small.model_.provenance["shrunk_from"] == small.recipe.small.curve[0].bytes


@pytest.mark.slow
def test_a_pipeline_is_made_small_part_by_part(tmp_path):
    data, dev = treebank(250, 1), treebank(60, 2)
    whole = Pipeline(beam=1).fit(data, model_options={"parser": {"epochs": 2}})
    goal = whole.model_.size() * 2 // 3
    small = whole.shrink(data, bytes=goal)
    assert small.save(tmp_path / "small.sap") <= goal
    large = {name for name, part in whole.model_.parts.items() if part.weight_bytes() > 4000}
    assert large <= set(small.recipe.shrunk()) < set(whole.model_.parts)
    assert small.models_["parser"].model_.provenance["epochs"] == 2
    assert small.evaluate(dev)["UPOS"].f1 > whole.evaluate(dev)["UPOS"].f1 - 3
    with pytest.raises(OptionError, match="bytes of the pipeline stay"):
        whole.shrink(data, bytes=100)


@pytest.mark.slow
def test_a_pipeline_with_a_lexicon_wants_it_again(tmp_path):
    (tmp_path / "words.csv").write_text("dogs,NOUN,dog\ncats,NOUN,cat\n")
    data = treebank(120, 1)
    whole = Pipeline(parts=["segment", "tag"], lexicon=tmp_path / "words.csv").fit(data)
    goal = whole.model_.size() * 2 // 3
    whole.save(tmp_path / "whole.sap")
    loaded = sapwood.load(tmp_path / "whole.sap")
    with pytest.raises(OptionError, match="lexicon gives its words"):
        loaded.shrink(data, bytes=goal)
    small = loaded.set_params(lexicon=tmp_path / "words.csv").shrink(data, bytes=goal)
    assert small.model_.size() <= goal
    assert "lexicon.tags" in small.model_.parts["tagger"].extra


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({}, "by bytes, by loss or by below, one of them"),
        ({"bytes": 9, "loss": 1}, "by bytes, by loss or by below, one of them"),
        ({"bytes": 9, "below": 0.1}, "by bytes, by loss or by below, one of them"),
        ({"below": 1.5}, "below is a number from 0 to 1, not 1.5"),
        ({"loss": 1}, "needs held-out data"),
        ({"bytes": 9000, "levels": "odd"}, "levels is one of uneven, even"),
    ],
)
def test_how_small_is_said_in_one_way(options, what):
    with pytest.raises(OptionError, match=what):
        FITS["tagger"]().shrink(rows(20, 1), **options)


@pytest.mark.parametrize("new", [SequenceTagger, DependencyParser])
def test_below_trains_as_drop_below_does(new, bank):
    data = rows(80, 1) if new is SequenceTagger else bank / "train.conllu"
    options = {"template": "pos"} if new is SequenceTagger else {"beam": 1}
    whole = new(epochs=2, min_updates=1, **options).fit(data)
    small, again = whole.shrink(data, below=0.1), new(epochs=2, min_updates=1, drop_below=0.1, **options).fit(data)
    assert small.params.drop_below == 0.1
    assert small.model_.size() < whole.model_.size()
    for one, other in zip(small.model_.tables, again.model_.tables, strict=True):
        assert one.packed.coded(8).values == other.packed.coded(8).values
    assert small.recipe.shrunk() == {}


@pytest.mark.slow
def test_below_is_for_each_model_of_a_pipeline():
    data = treebank(60, 1)
    whole = Pipeline(beam=1, parts=("tag", "parse")).fit(data)
    small = whole.shrink(data, below=0.1)
    assert {model.params.drop_below for model in small.models_.values()} == {0.1}
    assert small.model_.size() < whole.model_.size()


def test_models_without_weights_are_refused():
    with pytest.raises(OptionError, match="keeps examples"):
        Reranker(kernel="polynomial", epochs=1, max_bytes=1000).fit(LISTS)
    with pytest.raises(OptionError, match="keeps examples"):
        Classifier(voted=True, min_updates=1, max_bytes=1000).fit(TEXTS, CLASSES)
    with pytest.raises(OptionError, match="raise the penalty"):
        Classifier(update="l1-cumulative", penalty=0.01, max_bytes=2000).fit(TEXTS, CLASSES)
    with pytest.raises(ModelError, match="a grammar has no weights that could be dropped; taggers"):
        PhraseParser().shrink("trees.txt", bytes=1000)


def test_ctrl_c_keeps_the_best_so_far():
    """Ctrl-C in an epoch, or while a model is learned anew, ends with weights that are only dropped."""
    train = rows(150, 1)
    for pressed, epochs in ((EpochDone, 4), (Preparing, 9)):

        def press(event, pressed=pressed):
            if isinstance(event, pressed) and getattr(event, "epoch", 3) == 3:
                signal.raise_signal(signal.SIGINT)

        options, goal = {"template": "pos", "min_updates": 1}, Goal(6000, levels="uneven")
        tagger = SequenceTagger(**options, epochs=9)
        if pressed is EpochDone:
            small = tagger._fit_to(goal, train, on_event=press)
        else:
            with pytest.warns(SapwoodWarning, match="interrupted: small weights are dropped"):
                small = tagger._fit_to(goal, train, on_event=press)
        once = SequenceTagger(**options, epochs=epochs)._fit_to(goal._replace(retrain=False), train)
        assert small.model_.size() <= 6000
        assert small.model_.provenance["stopped_by"] == "interrupted"
        assert small.predict(train) == once.predict(train)


def test_what_other_data_have_taught_is_not_forgotten(tmp_path):
    old, new, options = rows(150, 1), rows(30, 2), {"template": "pos", "min_updates": 1, "epochs": 3}
    SequenceTagger(**options).fit(old, checkpoint=tmp_path / "old")
    made = [
        SequenceTagger(**options)._fit_to(Goal(8000, retrain=retrain), new, from_checkpoint=tmp_path / "old")
        for retrain in (True, False)
    ]
    assert made[0].predict(old) == made[1].predict(old)


def test_events_come_in_their_order():
    events = []
    SequenceTagger(template="pos", min_updates=1, epochs=2, max_bytes=5000).fit(rows(80, 1), on_event=events.append)
    kinds = [type(event) for event in events if isinstance(event, (EpochDone, Shrunk))]
    assert kinds == [EpochDone] * 2 + [Shrunk] * 2


@pytest.mark.slow
def test_without_retraining_the_largest_weights_stay_as_they_are():
    def numbers(model):
        return Counter(memoryview(model.tables[0].uncoded(32).values).cast("f").tolist())

    frozen = []

    def keep(event):
        if isinstance(event, Finished):
            frozen.append(event.freeze(32, 0.0))

    train, options = rows(80, 1), {"template": "pos", "epochs": 3, "min_updates": 1, "bits": 32}
    whole = SequenceTagger(**options).fit(train)
    goal = whole.model_.size() // 2
    small = SequenceTagger(**options)._fit_to(Goal(goal, retrain=False), train, on_event=keep)
    before, after = numbers(frozen[0]), numbers(small.recipe.small.weights)
    assert goal * 0.9 < small.model_.size() <= goal
    assert len(small.recipe.small.curve) == 2
    assert after < before
    left_out = sorted(map(abs, (before - after).elements()))
    assert left_out[len(left_out) // 2] < min(map(abs, after))
    retrained = SequenceTagger(max_bytes=goal, **options).fit(train)
    assert not numbers(retrained.recipe.small.weights) < before
    assert retrained.model_.tables[0].packed.features <= small.model_.tables[0].packed.features


@pytest.mark.slow
def test_without_retraining_a_loss_is_kept_to():
    train, dev = rows(200, 1), rows(60, 2)
    whole = SequenceTagger(template="pos", min_updates=1, epochs=4).fit(train)
    small = whole.shrink(train, dev=dev, loss=1.5, retrain=False)
    first, kept = small.recipe.small.curve[0], small.recipe.small.curve[small.recipe.small.chosen]
    assert kept.score >= first.score - 1.5
    assert 100 * small.score(dev) == pytest.approx(kept.score)
    assert kept.bytes < first.bytes


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tagger", "greedy, own history", "beam"])
def test_uneven_levels_leave_room_for_more_weights(kind, tmp_path):
    goal = 2 * FITS[kind]().save(tmp_path / "whole.sap") // 3
    even, uneven = (FITS[kind](goal=Goal(goal, levels=levels)) for levels in ("even", "uneven"))
    for model in (even, uneven):
        assert model.save(tmp_path / "small.sap") <= goal
    assert [point.levels for point in uneven.recipe.small.curve] == ["even", "uneven"]
    assert uneven.recipe.small.curve[-1].value_bits < even.recipe.small.curve[-1].value_bits
    assert weights_of(uneven) > weights_of(even)
    assert sapwood.load(tmp_path / "small.sap").contents.learned == uneven.contents.learned
