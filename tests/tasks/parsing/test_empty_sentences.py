"""Sentences without words: a parser has an empty tree for them, and learns nothing from them."""

from pathlib import Path

from sapwood import DependencyParser

WORDS = [[("the", "D"), ("dog", "N"), ("barks", "V")], [("a", "D"), ("cat", "N")], [("dogs", "N"), ("bark", "V")]] * 6
TREES = [([2, 3, 0], ["det", "nsubj", "root"]), ([2, 0], ["det", "root"]), ([2, 0], ["nsubj", "root"])] * 6


def test_sentences_without_words_have_empty_answers(tmp_path):
    options = {"search": "eisner", "epochs": 3, "min_updates": 1, "tag_columns": ["upos"]}
    parser = DependencyParser(**options).fit(WORDS, TREES)
    parser.save(tmp_path / "a.sap")
    gaps, trees = [[], *WORDS[:2], [], *WORDS[2:]], [([], []), *TREES[:2], ([], []), *TREES[2:]]
    DependencyParser(**options).fit(gaps, trees).save(tmp_path / "b.sap")
    assert Path(tmp_path / "a.sap").read_bytes() == Path(tmp_path / "b.sap").read_bytes()
    for method, arguments in (("predict", ()), ("n_best", (2,)), ("margins", ())):
        found = getattr(parser, method)(gaps, *arguments)
        assert [found[1:3], found[4:]] == [(plain := getattr(parser, method)(WORDS, *arguments))[:2], plain[2:]]
        assert found[0] == found[3] == {"predict": ([], []), "n_best": [(([], []), 0.0)], "margins": []}[method]
    calibrated = parser.calibrate(gaps * 5, trees * 5)
    assert calibrated.confidences(gaps)[0] == []
