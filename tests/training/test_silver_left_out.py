"""Silver sentences that are left out: seen before, not sure enough, or with labels or trees that gold has not."""

from itertools import product

import pytest
from heard import heard
from silver_data import conllu, rows, treebank

from sapwood import DependencyParser, _core
from sapwood.errors import DataError, SapwoodWarning
from sapwood.io.conllu import tree_flaw
from sapwood.tasks.parsing.training import choose_trees
from sapwood.training.silver import SilverFilter

LONG = [f"w{k}" for k in range(8)]  # a sentence of so many words is compared with those of other data


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("single_root", [True, False])
def test_a_tree_is_what_the_parser_takes(n, single_root):
    def taken(heads):
        data = conllu("; ".join(f"w X {head} dep _" for head in heads))
        try:
            data.trees(single_root)
        except DataError:
            return False
        return True

    for heads in product([*map(str, range(n + 1)), *(["_", "-1", "5", "²", "1.0"] if n < 3 else [])], repeat=n):
        assert (not tree_flaw(heads, single_root=single_root)) == taken(heads), heads


def left(silver, rule, *arguments, **more):
    choice = SilverFilter(silver, "model")
    _, said = heard(lambda: getattr(choice, rule)(*arguments, **more))
    return choice.left, said


@pytest.mark.parametrize("place", ["training", "held-out"])
@pytest.mark.parametrize("other", [rows, None], ids=["rows", "treebank"])
def test_what_stands_in_the_gold_or_held_out_data_is_left_out(place, other):
    def data(*sentences):
        if other is rows:
            return rows(*(" ".join(f"{word}/X" for word in sentence) for sentence in sentences))
        return treebank([[(word, *"x_y") for word in sentence] for sentence in sentences], None)

    same, new = LONG, [*LONG, "more"]
    gold = data(["a"], same) if place == "training" else data(["a"])
    held_out = None if place == "training" else data(same)
    kept, [message] = left(data(["a"], same, new), "apart_from", gold, held_out, **({"label": 1} if other else {}))
    assert kept == [0, 2]  # a sentence of fewer than eight words may well be there twice
    assert message == f"silver, for the model: 1 of its 3 sentences stand in the {place} data, too, and are left out"
    assert left(data(["a"], new), "apart_from", gold, held_out, **({"label": 1} if other else {})) == ([0, 1], [])


@pytest.mark.parametrize(
    "misc, kept",
    [
        (["P=80", "P=80"], True),
        (["P=60", "P=100"], True),
        (["P=60", "P=99"], False),
        (["_", "P=79"], False),
        (["_", "P=80|NER=O"], True),
        (["SpaceAfter=No|P=79.5", "_"], False),
        (["_", "XP=1"], True),  # nothing is known
        (["P=sure", "Q=1"], True),
        (["ArcConfidence=0.7999", "_"], False),
        (["SpaceAfter=No|ArcConfidence=0.6000|TagConfidence=0.1000", "ArcConfidence=1.0000"], True),
    ],
)
def test_sentences_are_as_sure_as_the_mean_of_their_words(misc, kept):
    silver = rows("a/X b/X")
    assert left(silver, "sure", [misc], 80) == ([0] if kept else [], [])
    assert left(silver, "sure", [misc], 0)[0] == [0]


def test_sentences_with_labels_that_gold_does_not_have_are_left_out():
    silver = rows("a/X b/Y", "a/Z", "a/X", "b/Z c/_")
    kept, [message] = left(silver, "known", silver.column(1), {"X", "Y"}, "labels")
    assert kept == [0, 2]
    assert message == (
        "silver, for the model: 2 of its 4 sentences are left out, which have labels that the training data do not "
        "have: 'Z' (2), '_' (1)"
    )


@pytest.mark.parametrize(
    "sentence, kept",
    [
        ("often/X", True),
        ("Often/Y", True),
        ("OFTEN/Z", False),
        ("new/X often/Z", False),
        ("rare/Z", True),  # nineteen words say little
        ("new/Z", True),
    ],
)
def test_sentences_that_contradict_gold_are_left_out(sentence, kept):
    """Gold has a word twenty times, in capitals or not, and never with this label."""
    gold = rows(*["often/X"] * 10, *["Often/Y often/X"] * 5, *["rare/X"] * 19, "new/X")
    silver = rows(sentence, "often/X")
    columns = [(data.column(0), data.column(1)) for data in (silver, gold)]
    message = (
        "silver, for the model: 1 of its 2 sentences are left out, which have TAG that the training data do not have "
        "for words: 'often' as 'Z' (1)"
    )
    assert left(silver, "agree", *columns, "TAG") == (([0, 1], []) if kept else ([1], [message]))


CROSSING = ["a X 3 {} _; b X 0 root _; c X 2 dep _; d X 1 {} _", "a X 0 root _; b X 4 {} _; c X 1 dep _; d X 1 {} _"]


@pytest.mark.parametrize("crossing", CROSSING)
def test_trees_whose_arcs_cross_as_none_of_gold_do_are_left_out(crossing):
    plain = "a X 0 root _; b X 1 dep _; c X 1 obj _"
    gold = conllu(plain, crossing.format("obj", "dep"))
    silver = conllu(*(crossing.format(*pair) for pair in product(["obj", "dep", "root"], repeat=2)), plain)
    lifted = [_core.projectivise(*tree)[1] for tree in silver.trees(True)]
    of_gold = {label for tree in gold.trees(True) for label in _core.projectivise(*tree)[1]}
    expected = [s for s, labels in enumerate(lifted) if of_gold.issuperset(labels)]
    choice = SilverFilter(silver, "parser")
    with pytest.warns(SapwoodWarning, match="left out, which have relations of lifted words that the training data do"):
        choose_trees(choice, gold, 80, single_root=True)
    assert choice.left == expected
    assert {1, 9} <= {*choice.left} < {*range(10)}
    new = {label for labels in lifted for label in labels} - of_gold
    again = SilverFilter(silver, "parser")
    choose_trees(again, gold, 80, single_root=True, known=new)  # those of the training that goes on
    assert again.left == [*range(10)]


def test_silver_that_teaches_nothing_is_an_error():
    silver = conllu(
        "a X 0 root P=10", "a X 1 root _", "a X 0 other _", "; ".join(f"{w} X {k} root _" for k, w in enumerate(LONG))
    )
    gold = [[(word, *"x_y") for word in LONG]], [([*range(8)], ["root"] * 8)]
    why = "of 4, 1 stand in the training data, too; 1 have no trees; 1 have a mean P= below 80; 1 have relations that"
    with (
        pytest.raises(DataError, match=f"silver: no sentence of these silver data teaches the parser: {why}"),
        pytest.warns(),
    ):
        DependencyParser(silver=silver).fit(*gold)
