"""The parts that models hold, and what is public of a model's class."""

import pytest

import sapwood
from sapwood import ModelError
from sapwood.model.parts import require_capability

PARTS = ("confidence", "lists", "reasons", "recipe", "writer")
TAGS = [[("a", "X"), ("b", "Y")]] * 20


@pytest.fixture(scope="module")
def tagger():
    return sapwood.SequenceTagger(template="U0:%x[0,0]\nB\n", epochs=2, min_updates=1).fit(TAGS)


@pytest.mark.parametrize("name", ["SequenceTagger", "DependencyParser", "Classifier", "Pipeline", "Segmenter"])
def test_a_class_shows_few_names(name):
    names = [each for each in dir(getattr(sapwood, name)) if not each.startswith("_")]
    assert len(names) <= 32, names


def test_no_method_is_made_up_on_the_way():
    for cls in sapwood.SequenceTagger.__mro__:
        assert not {"__getattr__", "__setattr__"} & vars(cls).keys() or cls is object


@pytest.mark.parametrize("part", PARTS)
def test_a_tagger_holds_every_part(tagger, part):
    assert require_capability(tagger, part) is not None


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", ["SequenceTagger", "DependencyParser", "Classifier"])
def test_a_model_that_is_not_fitted_says_so_when_it_is_asked_for_a_part(part, name):
    why = "has no n best lists" if (name, part) == ("Classifier", "lists") else "is not fitted yet; call fit"
    with pytest.raises(ModelError, match=why):
        require_capability(getattr(sapwood, name)(), part)


def test_a_lacking_part_is_said_in_words():
    grammar = sapwood.PhraseParser()
    for part in ("reasons", "recipe"):
        with pytest.raises(ModelError, match=r"a grammar has no weights .*; taggers, parsers"):
            require_capability(grammar, part)


def test_parts_of_a_view_warn_where_the_view_does(tagger):
    from sapwood.model.base import with_listener

    view = with_listener(tagger, [].append)
    assert view.familiarity_ is not tagger.familiarity_
    assert view.writer is not tagger.writer
    assert view.predict([["a"]]) == tagger.predict([["a"]])
