"""Why a parser gave words their heads and labels: the reasons are weights of the model, and add up to the margin."""

import functools
from array import array
from collections import defaultdict

import pytest
from parsers import KINDS, MORE, QUICK, tagged
from reasons import by_word, check_sums

from sapwood import DependencyParser, OptionError
from sapwood._core import PackedTable
from sapwood.model.file.coding import TableInfo


@pytest.fixture(scope="module")
def explained():
    """A parser of each kind that knows the texts of its features."""
    words, trees = tagged(60)
    kinds = KINDS | MORE
    return {kind: DependencyParser(**QUICK, names=True, **options).fit(words, trees) for kind, options in kinds.items()}


@pytest.fixture(scope="module")
def test_words():
    words, _ = tagged(25, seed=5)
    return words


@pytest.mark.parametrize("kind", [*KINDS, *MORE])
def test_reasons_are_weights_that_add_up(explained, test_words, kind):
    parser = explained[kind]
    weights = {(text, output.name): weight for output, weight, text in parser.contents.weights()}
    explanations = parser.explain(test_words)
    arcs = by_word(explanations)["arc"]
    assert len(arcs) == sum(map(len, test_words))
    for e in explanations:
        if e.against is None:
            assert e.features == []
            continue
        assert e.chosen != e.against
        if kind == "float":
            assert sum(f["contribution"] for f in e.features) == pytest.approx(e.margin, abs=1e-3)
        else:
            check_sums(e)
        if kind not in ("beam", "unlabelled beam"):  # in a beam, what came later may have made up for it
            assert e.margin >= 0
        for f in e.features:  # of two features with one key, the model has the text of the first
            assert weights.get((f["text"], f["label"]), f["weight"]) == pytest.approx(f["weight"])
        assert sum((f["text"], f["label"]) in weights for f in e.features) >= 0.9 * len(e.features)


@pytest.mark.parametrize("kind", [*KINDS, *MORE])
def test_what_was_chosen_is_the_tree(explained, test_words, kind):
    parser = explained[kind]
    found = by_word(parser.explain(test_words))
    for s, (parse, words) in enumerate(zip(parser.predict(test_words), test_words, strict=True), start=1):
        forms = [word[0] for word in words]
        for m, (head, deprel) in enumerate(zip(parse.heads, parse.deprels, strict=True), start=1):
            place = f"{head} {forms[head - 1]}" if head else "0"
            label, _, arc = found["arc"][s, m].chosen.rpartition(" of ")
            assert arc == place
            if kind.startswith("unlabelled"):
                assert label == ""
            else:
                assert deprel == (label or found["relation"][s, m].chosen)
    two_stages = kind in ("eisner", "eisner-2", "easy-first")
    assert len(found["relation"]) == (len(found["arc"]) if two_stages else 0)


def test_the_alternative_is_the_best_tree_with_another_head(explained):
    parser = explained["eisner"]
    words = [sentence for sentence in tagged(80, seed=7)[0] if len(sentence) <= 6][:12]
    assert words
    arcs = by_word(parser.explain(words))["arc"]
    for s, trees in enumerate(parser.n_best(words, 5000), start=1):
        (best, top), *others = trees
        for m, head in enumerate(best.heads):
            score, against = next((score, tree.heads[m]) for tree, score in others if tree.heads[m] != head)
            assert arcs[s, m + 1].margin == pytest.approx(top - score)
            ties = {tree.heads[m] for tree, other in others if other == pytest.approx(score)}
            assert against in ties
            assert int(arcs[s, m + 1].against.split()[0]) in ties


@pytest.mark.parametrize("kind", ["beam", "greedy", "easy-first", "eisner", "eisner-2"])
def test_against_a_head_or_a_label_compares_with_it(explained, test_words, kind):
    parser = explained[kind]
    arcs = parser.explain(test_words, against="2")
    assert arcs
    assert all(e.decision == "arc" and f" {e.against}".split(" of ")[-1].split()[0] == "2" for e in arcs)
    labels = parser.explain(test_words, why_not="nsubj")
    assert labels
    assert all(e.against.split(" of ")[0] == "nsubj" != e.chosen.split(" of ")[0] for e in labels)
    assert any(e.flip and e.flip["to"] == e.against for e in labels)
    for e in [*arcs, *labels]:
        check_sums(e)


def test_a_shift_that_was_not_made_is_explained(explained, test_words):
    found = explained["beam"].explain(test_words, against="shift")
    assert found
    assert {e.against for e in found} == {"shift"}


def test_a_label_that_is_not_there(explained, test_words):
    for kind in ("beam", "eisner"):
        with pytest.raises(OptionError, match="has no label 'FOO'; a head is given by its number"):
            explained[kind].explain(test_words, against="FOO")
    with pytest.raises(OptionError, match="has no label 'shift'"):
        explained["eisner"].explain(test_words, against="shift")


def test_a_flip_of_an_arc_makes_up_the_margin(explained, test_words):
    for kind in ("eisner", "eisner-2", "joint easy-first"):
        for e in explained[kind].explain(test_words):
            if e.decision == "arc" and e.flip:
                sums = e.contributions()
                taken = [round(sums[text], 6) for text in e.flip["features"]]
                assert sum(taken) > e.margin - 1e-4
                assert sum(taken[:-1]) <= e.margin + 1e-4
                assert taken == sorted(taken, reverse=True)


def test_the_command_explains_a_parser_with_a_tagger_of_its_own(bank, run_cli, tmp_path):
    parser = DependencyParser(**QUICK, beam=1, tags="predicted").fit(bank / "train.conllu")
    parser.save(tmp_path / "parser.sap")
    run = run_cli(["explain", tmp_path / "parser.sap", bank / "test.conllu", "--sentence", "1", "--token", "1"])
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("sentence 1, token 1: ")
    assert run.out.splitlines()[1].startswith("arc ")
    assert all(len(line) <= 80 for line in run.out.splitlines())


@pytest.fixture(scope="module")
def floating():
    """Parsers with weights of 32 bits, so that a weight can be as good as 0, which files do not have."""
    words, trees = tagged(60)
    kinds = KINDS | {"joint easy-first": MORE["joint easy-first"]}
    options = QUICK | {"names": True, "bits": 32}
    return {kind: DependencyParser(**options, **more).fit(words, trees) for kind, more in kinds.items()}


@functools.cache
def places(parser):
    """Where the weights of features are, by text: numbers of tables and of weights in them."""
    found = defaultdict(list)
    numbers = ((t, k) for t, table in enumerate(parser.model_.tables) for k in range(table.packed.weights))
    for place, (_, _, text) in zip(numbers, parser.contents.weights(), strict=True):
        found[text].append(place)
    return found


def without(parser, texts):
    """The parser with next to no weight for these features."""
    model = parser.model_
    packed = [table.packed.uncoded(32) for table in model.tables]
    values = [array("f", table.values) for table in packed]
    for text in texts:
        for t, k in places(parser)[text]:
            values[t][k] = 1e-30
    fields = ["features", "weights", "width", "key_bits", "size_bits", "output_bits", "high", "low", "sizes", "outputs"]
    tables = [
        TableInfo(PackedTable(*(getattr(table, name) for name in fields), weights.tobytes()))
        for table, weights in zip(packed, values, strict=True)
    ]
    return DependencyParser._of_file(model.replaced(tables=tables))


def decided(parser, sentence, e):
    """What a parser decides about the word of an explanation."""
    [now] = [each for each in parser.explain([sentence], token=e.token) if each.decision == e.decision]
    return now.chosen


@pytest.mark.parametrize("kind", [*KINDS, "joint easy-first"])
def test_a_flip_of_one_word_changes_the_decision(floating, kind):
    """The sentence is parsed by a model that has the features no more; none of them can stay."""
    parser = floating[kind]
    known = {text for _, _, text in parser.contents.weights()}
    checked = 0
    for sentence in sorted(tagged(20, seed=9)[0], key=len)[:4]:
        for e in parser.explain([sentence], token=len(sentence) // 2):
            texts = e.flip["features"] if e.flip else []
            if not texts or not known.issuperset(texts):  # of two features with one key, the model has one text
                continue
            assert e.flip["searched"] is True
            assert decided(without(parser, texts), sentence, e) == e.flip["to"] != e.chosen
            for text in texts[:3]:
                assert decided(without(parser, {*texts} - {text}), sentence, e) == e.chosen
            checked += 1
    assert checked > 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["beam", "greedy", "eisner"])
def test_no_single_feature_flips_a_decision_whose_fewest_are_two(floating, kind):
    """Each feature of a short sentence is removed by hand."""
    parser = floating[kind]
    sentences = [words[:3] for words in tagged(12, seed=9)[0]]
    found = (
        (sentence, e)
        for sentence in sentences
        for e in parser.explain([sentence], token=2)
        if e.flip and e.flip.get("fewest") and len(e.flip["features"]) == 2
    )
    sentence, explained = next(found)
    active = {f["text"] for e in parser.explain([sentence]) for f in e.features} & places(parser).keys()
    assert active
    for text in active:
        assert decided(without(parser, [text]), sentence, explained) == explained.chosen


@pytest.mark.slow
def test_a_flip_in_a_sentence_that_is_too_long_to_try_all_sets(floating):
    words = [word for sentence in tagged(3000, seed=9)[0] for word in sentence][:17_000]
    assert len(words) == 17_000
    for e in floating["greedy"].explain([words], token=5):
        assert e.flip is None or "fewest" not in e.flip or len(e.flip["features"]) == 1


def test_a_flip_to_an_answer_that_is_asked_for(floating):
    parser = floating["eisner"]
    [sentence] = [words for words in tagged(20, seed=9)[0] if len(words) > 5][:1]
    found = [e for m in range(len(sentence)) for e in parser.explain([sentence], token=m + 1, why_not="2")]
    assert any(e.flip for e in found)
    for e in found:
        if e.flip:
            assert decided(without(parser, e.flip["features"]), sentence, e) == e.flip["to"] == e.against


def test_flips_of_all_words_are_not_searched(explained, test_words):
    assert not any("searched" in e.flip for e in explained["eisner"].explain(test_words[:3]) if e.flip)
