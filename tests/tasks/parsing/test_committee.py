"""Committees: three parsers make different mistakes, and each sentence gets the tree on which most agree."""

import json
import os
import signal
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treebanks import treebank

from sapwood import DataError, DependencyParser, ModelError, OptionError
from sapwood._core import Conllu
from sapwood.events import EpochDone, Preparing
from sapwood.model.file.schema import ModelFile
from sapwood.model.small import Goal
from sapwood.tasks.parsing.committee import turned
from sapwood.training.cross_validation import hold_out

QUICK = {"epochs": 2, "min_updates": 1, "drop_below": 0.0}
MEMBERS = ["backward", "easy-first"]


@pytest.fixture(scope="module")
def data() -> Conllu:
    return treebank(60, 1)


@pytest.fixture(scope="module")
def text() -> Conllu:
    return treebank(80, 2)


@pytest.fixture(scope="module")
def parser(data) -> DependencyParser:
    return DependencyParser(committee=True, **QUICK).fit(data)


def first_of(parser):
    """Return the model of the first member, as one that is alone."""
    return parser.model_.replaced(parts={}, options=parser.model_.options | {"committee": False})


def trees_of_members(parser, text):
    """Return the trees of each member, as it gives them by itself."""
    backward, easy = (DependencyParser._of_file(parser.model_.parts[name]) for name in MEMBERS)
    from_end = [
        ([head and len(heads) + 1 - head for head in reversed(heads)], deprels[::-1])
        for heads, deprels in backward.predict(turned(text))
    ]
    return [
        list(map(tuple, trees))
        for trees in (DependencyParser._of_file(first_of(parser)).predict(text), from_end, easy.predict(text))
    ]


def arcs(tree):
    return list(zip(*tree, strict=True))


def agreed(trees):
    def common(tree):
        return sum(a == b for other in trees for a, b in zip(arcs(tree), arcs(other), strict=True))

    return max(trees, key=common)  # the first of those with most


def test_each_sentence_gets_the_tree_that_agrees_most_with_all(parser, text):
    members = trees_of_members(parser, text)
    wanted = [agreed(trees) for trees in zip(*members, strict=True)]
    found = [tuple(tree) for tree in parser.predict(text)]
    assert found == wanted
    for trees in members:  # no member decides alone
        assert trees != wanted


def test_threads_change_nothing(parser, text):
    one = parser.predict(text), parser.margins(text), [*parser.reasons.of_encoded(text, question())]
    parser.set_params(threads=3)
    try:
        assert (parser.predict(text), parser.margins(text), [*parser.reasons.of_encoded(text, question())]) == one
    finally:
        parser.set_params(threads=1)


def question():
    from sapwood._core import Question

    return Question()


def test_margins_count_the_others_votes(parser, text):
    own, *others = trees_of_members(parser, text)
    found = parser.predict(text)
    alone = DependencyParser._of_file(first_of(parser)).margins(text)
    margins = parser.margins(text)
    for s, tree in enumerate(found):
        for place, arc in enumerate(arcs(tree)):
            x = min(alone[s][place], 1e300)  # infinite where there was no choice
            mine = (1 + x / (1 + abs(x))) / 2 if arcs(own[s])[place] == arc else 0
            votes = sum(arcs(other[s])[place] == arc for other in others)
            assert margins[s][place] == pytest.approx(mine + votes)


def test_confidences_are_those_of_the_committee(data, text):
    parser = DependencyParser(committee=True, **QUICK).fit(data).calibrate(treebank(80, 3))
    margins, sure = (list(chain.from_iterable(found)) for found in (parser.margins(text), parser.confidences(text)))
    assert [confidence for _, confidence in sorted(zip(margins, sure, strict=True))] == sorted(sure)
    assert min(sure) < 0.6 < 0.8 < max(sure)


def test_reasons_say_where_the_first_member_is_outvoted(parser, text):
    own = trees_of_members(parser, text)[0]
    found = parser.predict(text)
    outvoted = {}
    for lines in parser.reasons.of_encoded(text, question()):
        for line in lines.decode().splitlines():
            record = json.loads(line)
            outvoted[record["sentence"] - 1, record["token"] - 1] = record.get("outvoted")
    forms = text.column("form")
    for s, tree in enumerate(found):
        for place, (mine, (head, relation)) in enumerate(zip(arcs(own[s]), arcs(tree), strict=True)):
            answer = f"{relation} of {head} {forms[s][head - 1]}" if head else f"{relation} of 0"
            assert outvoted[s, place] == (None if mine == (head, relation) else answer)
    assert any(outvoted.values())


def test_a_committee_comes_back_from_its_file(parser, text, tmp_path):
    parser.save(tmp_path / "m.sap")
    again = DependencyParser.load(tmp_path / "m.sap")
    assert again.predict(text) == parser.predict(text)
    assert again.params.committee and list(again.model_.parts) == MEMBERS
    assert again.recipe.untrained().params.committee


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_a_treebank_turned_twice_is_the_same(seed):
    data = treebank(3, seed)
    again = turned(turned(data))
    for name in ("form", "upos", "head", "deprel"):
        assert again.column(name) == data.column(name)
    turned(data).trees(True)  # which raises DataError for what is no tree


def test_the_goal_in_bytes_is_that_of_the_whole(data):
    whole = DependencyParser(committee=True, **QUICK).fit(data).model_.size()
    goal = 2 * whole // 3
    small = DependencyParser(committee=True, max_bytes=goal, **QUICK).fit(data)
    assert small.model_.size() <= goal
    weights = [small.model_.parts[name].weight_bytes() for name in MEMBERS]
    assert min(weights) > 0 and small.model_.weight_bytes() > sum(weights)


def test_a_pipeline_with_a_committee_is_made_small(data):
    from sapwood import Pipeline

    pipeline = Pipeline(parts=["tag", "parse"], committee="always").fit(data, model_options={"parser": QUICK})
    goal = pipeline.model_.size() * 3 // 4
    small = pipeline.recipe.smaller(Goal(goal))(data)
    assert list(small.model_.parts["parser"].parts) == MEMBERS
    assert small.model_.size() <= goal


def test_held_out_trees_score_each_member(data):
    scored = DependencyParser(committee=True, **QUICK).fit(data, dev=treebank(20, 3))
    assert scored.model_.provenance["stopped_by"] == "epochs"


@pytest.mark.parametrize(
    "options",
    [
        {"search": "eisner"},
        {"search": "easy-first"},
        {"labelling": "second-stage"},
        {"tags": "jackknife"},
        {"silver": [treebank(5, 1)]},
        {"cost": "constant"},
        {"count_updates": "weight"},
    ],
)
def test_options_that_do_not_go_with_a_committee_are_named(data, options):
    with pytest.raises(OptionError, match=f"a committee .*{next(iter(options))}"):
        DependencyParser(committee=True, **options).fit(data)


def test_a_committee_does_not_go_on(data, parser):
    with pytest.raises(OptionError, match="cannot go on with other data"):
        DependencyParser(committee=True, **QUICK).partial_fit(data)


def test_members_that_do_not_go_together_are_refused(parser):
    def refused(file, message):
        with pytest.raises(ModelError, match=message):
            DependencyParser._of_file(ModelFile.of_bytes(file.dump(), "forged"))

    file = parser.model_
    refused(file.replaced(parts=file.parts | {"backward": file}), "a member of a committee has parts")
    refused(file.replaced(parts={"forward": file.parts["backward"]}), "has no part 'forward'")
    without = "does not have the committee that its options speak of"
    refused(file.replaced(parts={"backward": file.parts["backward"]}), without)
    refused(file.replaced(options=file.options | {"committee": False}), without)


def test_members_learn_from_what_is_not_held_out(data):
    by_fraction = DependencyParser(committee=True, patience=5, **QUICK).fit(data, dev_fraction=0.2).model_
    learned, held_out = (Conllu.read(part.replace({}), "part") for part in hold_out(data, 0.2, "sentences"))
    by_hand = DependencyParser(committee=True, patience=5, **QUICK).fit(learned, dev=held_out).model_
    assert by_fraction.provenance["sentences"] == learned.sentences == 48
    for name in MEMBERS:
        assert by_fraction.parts[name].dump() == by_hand.parts[name].dump()


def test_ctrl_c_ends_training_as_a_member_is_missing(data):
    seen = []

    def stop(event):
        seen.append(type(event))
        if seen.count(EpochDone) == 1 and seen[-1] is EpochDone:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        DependencyParser(committee=True, **QUICK | {"epochs": 5}).fit(data, on_event=stop)
    assert seen.count(EpochDone) < 5 and Preparing not in seen


def test_heads_with_zeros_in_front_are_read_by_all_members(data):
    heads = [[f"0{head}" for head in sentence] for sentence in data.column("head")]
    parser = DependencyParser(committee=True, **QUICK)
    assert parser.fit(data.with_columns({"head": heads})).predict(data) == parser.fit(data).predict(data)


def test_relations_of_a_member_alone_have_their_names(parser, text):
    """Members number their relations by themselves."""
    orders = [DependencyParser._of_file(part).labels_ for part in parser.model_.parts.values()]
    assert any(labels != parser.labels_ for labels in orders)
    known = set(parser.labels_)
    assert all(relation in known for tree in parser.predict(text) for relation in tree.deprels)


def test_no_trees_no_committee(data):
    bare = data.with_columns({"head": [["_"] * len(s) for s in data.column("form")]})
    with pytest.raises(DataError, match="the word has no head"):
        DependencyParser(committee=True).fit(bare)
