"""The core takes the options that are declared, by the same words, and refuses those that it does not know."""

from __future__ import annotations

import pytest

from sapwood import OptionError, SequenceTagger, _core
from sapwood.model.file.schema import ModelFile
from sapwood.options import option
from sapwood.tasks.classifying.options import ClassifierOptions
from sapwood.tasks.parsing.options import ParserOptions
from sapwood.tasks.ranking.options import RerankerOptions
from sapwood.tasks.rewriting.options import LemmatizerOptions, SplitterOptions
from sapwood.tasks.segmenting.model import SegmenterOptions
from sapwood.tasks.structured.model import StructuredOptions
from sapwood.tasks.tagging.options import TaggerOptions

KINDS = [
    TaggerOptions(),
    SegmenterOptions(),
    LemmatizerOptions(),
    SplitterOptions(),
    ParserOptions(),
    ClassifierOptions(),
    RerankerOptions(),
    RerankerOptions(voted=True),
    StructuredOptions(),
]


class Forgotten(TaggerOptions):
    """The options of a tagger, with one that nobody wrote in C++."""

    momentum: float = option(default=0.5, least=0, most=1, kept=True, help="how much of the last step is taken again")


class ForgetfulTagger(SequenceTagger):
    """A tagger with that option."""

    _params_type = Forgotten


def tagger_trainer(options):
    """Return what trains a tagger with options for the core."""
    data = _core.Columns.build([["a", "b"]], [["X", "Y"]], "sentences")
    columns = ["word", "label"]
    model = ModelFile(task="tag", labels=[], template="U:%x[0,0]\n", columns=columns, label=1, options={}, bits=8)
    trainer = _core.TaggerTrainer(model, options)
    trainer.add(data)
    trainer.finish()
    return trainer


@pytest.mark.parametrize("options", KINDS, ids=lambda each: type(each).__name__)
def test_the_core_has_what_is_sent_and_is_sent_what_is_declared(options):
    taken, sent = options.trainer.options, options.for_core()
    assert set(sent) <= set(taken)
    assert set(taken) & set(options.options()) <= set(sent)  # so defaults are those of the declarations


@pytest.mark.parametrize("options", KINDS, ids=lambda each: type(each).__name__)
def test_choices_are_the_same_words_in_both_languages(options):
    taken, declared = options.trainer.options, options.options()
    worded = [name for name, choices in taken.items() if choices and name in declared]
    assert "update" in worded
    for name in worded:
        assert set(declared[name].choices) <= set(taken[name]), name


def test_a_learning_option_that_the_core_does_not_have_is_an_error():
    assert tagger_trainer(TaggerOptions().for_core()).labels == ["X", "Y"]
    with pytest.raises(OptionError, match="the core has no option 'momentum'"):
        tagger_trainer(Forgotten().for_core())
    with pytest.raises(OptionError, match="the core has no option 'momentum'"):
        ForgetfulTagger(template="U:%x[0,0]\n").fit([["a"]], [["X"]])


@pytest.mark.parametrize(
    "make",
    [
        tagger_trainer,
        lambda options: _core.ClassifierTrainer(2, options),
        lambda options: _core.RankerTrainer(options),
        lambda options: _core.slow_sentence(_core.Conllu.read(b"", "t"), options),
    ],
)
def test_unknown_names_are_refused(make):
    with pytest.raises(OptionError, match="the core has no option 'epoch' here"):
        make({"epoch": 3})
