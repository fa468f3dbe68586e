"""Why a parser gave words their heads and labels: the reasons are weights of the model, and add up to the margin."""

import pytest
from parsers import KINDS, MORE, QUICK, Made, tagged
from reasons import by_word, check_sums

from sapwood import DependencyParser, OptionError


@pytest.fixture(scope="module")
def explained():
    """A parser of each kind that knows the texts of its features."""
    words, trees = tagged(60)
    return Made(lambda kind: DependencyParser(**QUICK, names=True, **(KINDS | MORE)[kind]).fit(words, trees))


@pytest.fixture(scope="module")
def test_words():
    words, _ = tagged(25, seed=5)
    return words


@pytest.mark.few(1)
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
        if kind not in ("beam", "unlabelled beam", "committee"):  # in a beam, what came later may have made up for it
            assert e.margin >= 0
        for f in e.features:  # of two features with one key, the model has the text of the first
            assert weights.get((f["text"], f["label"]), f["weight"]) == pytest.approx(f["weight"])
        assert sum((f["text"], f["label"]) in weights for f in e.features) >= 0.9 * len(e.features)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", [*KINDS, *MORE])
def test_what_was_chosen_is_the_tree(explained, test_words, kind):
    parser = explained[kind]
    found = by_word(parser.explain(test_words))
    for s, (parse, words) in enumerate(zip(parser.predict(test_words), test_words, strict=True), start=1):
        forms = [word[0] for word in words]
        for m, (head, deprel) in enumerate(zip(parse.heads, parse.deprels, strict=True), start=1):
            place = f"{head} {forms[head - 1]}" if head else "0"
            decided = found["arc"][s, m]
            label, _, arc = (decided.outvoted or decided.chosen).rpartition(" of ")
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


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["beam", "greedy", "easy-first", "eisner", "eisner-2"])
def test_against_a_head_or_a_label_compares_with_it(explained, test_words, kind):
    parser = explained[kind]
    arcs = parser.explain(test_words, against="2")
    assert arcs
    assert all(e.decision == "arc" and f" {e.against}".split(" of ")[-1].split()[0] == "2" for e in arcs)
    labels = parser.explain(test_words, against="nsubj")
    assert labels
    assert all(e.against.split(" of ")[0] == "nsubj" != e.chosen.split(" of ")[0] for e in labels)
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


def test_the_command_explains_a_parser_with_a_tagger_of_its_own(bank, run_cli, tmp_path):
    parser = DependencyParser(**QUICK, beam=1, tags="predicted").fit(bank / "train.conllu")
    parser.save(tmp_path / "parser.sap")
    run = run_cli(["explain", tmp_path / "parser.sap", bank / "test.conllu", "--sentence", "1", "--token", "1"])
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("sentence 1, token 1: ")
    assert run.out.splitlines()[1].startswith("arc ")
    assert all(len(line) <= 80 for line in run.out.splitlines())
