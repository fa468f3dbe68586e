"""Options are declared once: arguments, signature, checks, documentation and what a model file keeps follow."""

from __future__ import annotations

import inspect
import pickle
from typing import Literal

import pytest

from sapwood import (
    Classifier,
    DependencyParser,
    Lemmatizer,
    OptionError,
    PhraseParser,
    Reranker,
    SequenceTagger,
    Splitter,
    load,
)
from sapwood.options import Options, option, options_of

TASKS = [Classifier, DependencyParser, Lemmatizer, PhraseParser, Reranker, SequenceTagger, Splitter]


class Shared(Options):
    """Options of two."""

    gamma: float = option(default=1.0, least=0, most=1e6, metavar="G", kept=True, help="cost of a mistake")
    seed: int = option(default=1, least=0, most=(1 << 64) - 1, help="of the shuffling")


class Own(Shared):
    """Its own ones and theirs."""

    search: Literal["best", "first"] = option(default="best", help="what is found")
    patience: int | None = option(default=None, least=1, help="epochs without a better score")
    step: float = option(default=0.5, above=0, below=1, help="how far")
    names: bool = option(default=False, help="keep them")
    gamma: float = 20.0
    seed: int = option(default=3, help="of everything")


def test_a_class_has_its_own_options_first_and_changes_inherited_ones():
    assert list(Own.options()) == ["search", "patience", "step", "names", "gamma", "seed"]
    assert (Own().gamma, Own().seed, Shared().gamma, Shared().seed) == (20.0, 3, 1.0, 1)
    gamma, seed = Own.options()["gamma"], Own.options()["seed"]
    assert (gamma.help, gamma.kept, gamma.most, gamma.metavar) == ("cost of a mistake", True, 1e6, "G")
    assert (seed.help, seed.most) == ("of everything", (1 << 64) - 1)


def test_a_field_that_options_do_not_have_is_noticed_where_it_stands():
    with pytest.raises(AssertionError, match="metvar"):
        option(default=1, metvar="N", help="a typing error")


def test_the_signature_is_that_of_keyword_arguments():
    parameters = inspect.signature(Own).parameters
    assert {name: each.default for name, each in parameters.items()} == Own().get_params()
    assert {each.kind for each in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert parameters["search"].annotation == "Literal['best', 'first']"
    with pytest.raises(TypeError, match="unexpected keyword argument 'serch'"):
        Own(serch="best")
    with pytest.raises(TypeError):
        Own("best")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"gamma": -1}, "gamma is a number from 0 to 1,000,000, not -1"),
        ({"gamma": float("nan")}, "gamma is a number from 0 to 1,000,000, not nan"),
        ({"gamma": "1"}, "gamma is a number from 0 to 1,000,000, not '1'"),
        ({"seed": 1 << 64}, "seed is a whole number from 0 to 18446744073709551615, not 18446744073709551616"),
        ({"seed": True}, "seed is a whole number from 0 to 18446744073709551615, not True"),
        ({"patience": 0}, "patience is a whole number from 1 to 4294967295, not 0"),
        ({"search": "worst"}, "search is one of best, first, not 'worst'"),
        ({"search": None}, "search is one of best, first, not None"),
        ({"step": 1}, "step is a number above 0, up to less than 1, not 1"),
        ({"names": 1}, "names is one of True, False, not 1"),
    ],
)
def test_nothing_is_checked_before_it_is_asked_for(given, message):
    options = Own(**given)
    with pytest.raises(OptionError) as caught:
        options.check_options()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (SequenceTagger(guided="repeat").params, "guided 'repeat' needs search easiest-first, not viterbi"),
        (DependencyParser(guided="repeat").params, "guided 'repeat' needs search easy-first, not beam"),
    ],
)
def test_decisions_are_repeated_in_guided_searches_alone(options, message):
    with pytest.raises(OptionError) as caught:
        options.check_options()
    assert str(caught.value) == message


def test_values_that_may_be_none_are_allowed():
    Own(patience=None).check_options()
    Own(patience=3, step=0.9).check_options()
    assert Own.options()["patience"].optional


def test_kinds_follow_from_types_and_choices():
    assert [each.kind for each in Own.options().values()] == ["choice", "whole", "number", "switch", "number", "whole"]
    assert options_of(SequenceTagger)["columns"].kind == "list"
    assert options_of(SequenceTagger)["template"].kind == "text"
    assert options_of(Classifier)["format"].choices == ("fasttext", "svmlight", "jsonl", "csv", "parquet", "senseval")


def test_options_by_scikit_learns_conventions():
    own = Own().set_params(seed=7, names=True)
    assert own.get_params() == Own(seed=7, names=True).get_params()
    assert repr(own) == "Own(names=True, seed=7)"
    assert pickle.loads(pickle.dumps(own)).get_params() == own.get_params()
    with pytest.raises(OptionError, match="Own has no parameter 'sed'; it has search, patience"):
        own.set_params(sed=1)


@pytest.mark.parametrize("task", TASKS)
def test_every_option_of_a_model_is_documented_and_its_default_is_allowed(task):
    task().params.check_options()
    for name, declared in options_of(task).items():
        assert declared.help, name
        assert f"\n    {name} : {declared.annotation}" in task.__doc__
        assert not declared.optional or declared.default is None


def test_shared_options_are_declared_once():
    shared = set.intersection(*(set(options_of(task)) for task in TASKS if task is not PhraseParser))
    assert shared >= {"update", "gamma", "average", "min_updates", "epochs", "patience", "seed", "bits", "drop_below"}
    changed_by_tasks = {"update", "gamma", "min_updates", "drop_below", "bits", "seed", "names", "threads"}
    for task in TASKS:
        assert not shared & set(vars(task)) - changed_by_tasks


def test_loading_makes_one_object_of_options_for_each_model(monkeypatch):
    made, initialise = [], Options.__init__
    monkeypatch.setattr(Options, "__init__", lambda self, **values: made.append(self) or initialise(self, **values))
    pipeline = load("en")
    assert len(made) == 1 + len(pipeline.models_)
