"""The core's parts of a pipeline: what they are made of is checked, and what they explain is asked in order."""

import pytest

import sapwood
from sapwood import DataError, ModelError, OptionError, _core

ARC = ("parser", None, "arc", "", [[0.0, 0.5, 2.0, 1.0]], [])


@pytest.mark.parametrize(
    ("part", "error", "message"),
    [
        (1, TypeError, "a part is a tuple"),
        ([*ARC], TypeError, "a part is a tuple"),
        (ARC[:5], TypeError, "a part is a tuple"),
        (ARC, ModelError, "there is no model of the part parser"),
        (("segmenter", "its tagger", "", "", [], []), ModelError, "there is no model of the part segmenter"),
        (("splitter", "its tagger", "", "", [], []), ModelError, "there is no model of the part splitter"),
        (("tagger", "its tagger", "tag", "", [[0.0, 1.0]] * 3, []), ModelError, "has not as many curves"),
        (("tagger", "its tagger", "tag", "", [], [0.5]), ModelError, "only a calibrated tagger can abstain"),
    ],
)
def test_parts_that_will_not_do_are_refused(part, error, message):
    tagger = sapwood.load("de").models_["tagger"].tagger_
    if isinstance(part, tuple) and part[1] is not None:
        part = (part[0], tagger, *part[2:])
    with pytest.raises(error, match=message):
        _core.DecidingParts((part,), None, None, None)


def test_a_parser_has_one_curve():
    parser = sapwood.load("de").models_["parser"].parser_
    _core.DecidingParts((ARC,), None, None, parser)
    with pytest.raises(ModelError, match="has not as many curves"):
        _core.DecidingParts(((*ARC[:4], ARC[4] * 2, []),), None, None, parser)


def test_reasons_need_words():
    parts = _core.DecidingParts((ARC,), None, None, sapwood.load("de").models_["parser"].parser_)
    with pytest.raises(OptionError, match="there are no words yet"):
        _core.PipelineReasons(parts, _core.Question(), "", True).next(1)


def test_a_text_without_sentences_has_no_reasons():
    with pytest.raises(DataError, match="there is no sentence in it"):
        sapwood.load("de").explain(" ")
    with pytest.raises(OptionError, match="there is no sentence"):
        list(sapwood.load("de").explain("Ein Hund bellt.", sentence=2**64))
