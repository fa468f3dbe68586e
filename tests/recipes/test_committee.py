"""Trees of raw text by a committee of parsers."""

import pytest

from recipes.languages import committee
from recipes.languages.committee import _answers, _chosen, _Member, _turned, trees_by_committee
from sapwood._core import Conllu
from sapwood.tasks.parsing.model import Parse

OPTIONS = {"parser": {"fill_tags": False}}
SENTENCE = ["Anna", "liest", "heute", "das", "Buch", "."]


def treebank(sentences=24):
    """A treebank of one tree, with other words in its sentences."""
    lines = []
    for number in range(sentences):
        noun, verb = ["Anna", "Berta", "Carla"][number % 3], ["liest", "sieht"][number % 2]
        lines += [
            f"# sent_id = {number}",
            f"1\t{noun}\t{noun}\tPROPN\tNE\t_\t2\tnsubj\t_\t_",
            f"2\t{verb}\t{verb}\tVERB\tVVFIN\tTense=Pres\t0\troot\t_\t_",
            "3\theute\theute\tADV\tADV\t_\t2\tadvmod\t_\t_",
            "4\tdas\tder\tDET\tART\t_\t5\tdet\t_\t_",
            "5\tBuch\tBuch\tNOUN\tNN\t_\t2\tobj\t_\tSpaceAfter=No",
            "6\t.\t.\tPUNCT\t$.\t_\t2\tpunct\t_\t_",
            "",
        ]
    return Conllu.read(("\n".join(lines) + "\n").encode(), "treebank")


def test_heads_of_a_sentence_that_is_turned_round_count_from_the_other_end():
    assert _turned([2, 0, 2, 3]) == [2, 3, 0, 3]
    assert _turned(_turned([2, 0, 2, 3])) == [2, 0, 2, 3]


def test_the_tree_that_agrees_most_with_all_is_chosen():
    one, two = Parse([2, 0], ["nsubj", "root"]), Parse([2, 0], ["obj", "root"])
    other = Parse([0, 1], ["root", "obj"])
    assert _chosen([other, one, two, two]) == (two, (2 + 2 + 1) / 8)
    assert _chosen([one, one]) == (one, 1.0)


def test_a_parser_that_reads_backward_gives_heads_of_the_words_as_they_stand():
    data = treebank()
    [tree, *_] = _answers(_Member({"epochs": 5, "min_updates": 1}, is_backward=True), data, data.select([0]))
    assert tree == Parse([2, 0, 2, 5, 2, 2], ["nsubj", "root", "advmod", "det", "obj", "punct"])


def test_sentences_on_which_the_committee_agrees_get_tags_and_trees(monkeypatch):
    member = _Member({"epochs": 5, "min_updates": 1})
    monkeypatch.setattr(committee, "_COMMITTEE", (member, member._replace(is_backward=True)))
    texts = ["Anna liest heute das Buch.", "Berta sieht."]  # the second one has too few words
    [found] = trees_by_committee(texts, treebank(), OPTIONS)
    assert found.column("form") == [SENTENCE]
    assert found.column("upos") == [["PROPN", "VERB", "ADV", "DET", "NOUN", "PUNCT"]]
    assert found.column("head") == [["2", "0", "2", "5", "2", "2"]]
    monkeypatch.setattr(committee, "_AGREEMENT", 1.1)
    assert trees_by_committee(texts, treebank(), OPTIONS)[0].sentences == 0


@pytest.mark.parametrize("texts", [[], ()])
def test_without_texts_there_are_no_trees(texts):
    assert trees_by_committee(texts, treebank(), OPTIONS) == []
