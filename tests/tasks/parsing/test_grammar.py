"""Phrase-structure grammars: the parser, its files, its lists."""

import json

import pytest

from sapwood import load
from sapwood.errors import DataError, ModelError, OptionError
from sapwood.model.file.container import Array
from sapwood.tasks.parsing.grammar import NO_TREE, PhraseParser, words_or_trees

TREES = [
    "( (S (NP-SBJ (DT the) (NN dog)) (VP (VBZ sees) (NP (NP (DT a) (NN cat)) (PP (IN with) (NP (NNS eyes))))) (. .)))",
    "( (S (NP-SBJ (DT a) (NN cat)) (VP (VBZ sees) (NP (DT the) (NN dog)) (PP-CLR (IN with) (NP (NNS eyes)))) (. .)))",
    "( (S (NP-SBJ-1 (NNP Rex)) (VP (VBZ barks) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB sleep))))) (. .)))",
    "( (S (NP-SBJ (NNP Max)) (VP (VBZ sleeps)) (. .)))",
]


@pytest.fixture
def treebank(tmp_path):
    path = tmp_path / "trees.mrg"
    path.write_text("\n".join(TREES))
    return path


@pytest.fixture
def grammar(treebank):
    return PhraseParser().fit(treebank)


def test_trees_come_back(grammar):
    assert grammar.parse([["the", "dog", "sees", "a", "cat", "."]]) == [
        "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .)))"
    ]
    assert grammar.parse([["Max", "barks", "to", "sleep", "."]]) == [
        "(TOP (S (NP (NNP Max)) (VP (VBZ barks) (S (VP (TO to) (VP (VB sleep))))) (. .)))"
    ]


def test_lists_are_sorted_without_duplicates_and_start_alike(grammar):
    sentence = ["the", "dog", "sees", "a", "cat", "with", "eyes", "."]
    (best,) = grammar.n_best([sentence], 1000)
    assert len({tree for tree, _ in best}) == len(best) >= 2
    assert [score for _, score in best] == sorted((score for _, score in best), reverse=True)
    for n in (1, 2, 3):
        assert grammar.n_best([sentence], n)[0] == best[:n]


def test_fit_takes_trees_too(grammar):
    assert PhraseParser().fit(TREES).model_.extra == grammar.model_.extra


def test_unknown_words_and_brackets_are_parsed_or_get_no_tree(grammar):
    assert grammar.parse([["the", "(frog)", "barks", "."]])[0].startswith("(TOP ")
    assert "-LRB-frog-RRB-" in grammar.parse([["the", "(frog)", "barks", "."]])[0]
    assert grammar.n_best([["the"] * 2, ["the"] * 300], 5) == [
        [("(TOP (DT the) (DT the))", NO_TREE)],
        [("(TOP" + " (DT the)" * 300 + ")", NO_TREE)],
    ]


def test_threads_change_nothing(grammar):
    sentences = [["the", "dog", "sees", "a", "cat", "."]] * 50
    assert PhraseParser(threads=3).fit(TREES).n_best(sentences, 3) == grammar.n_best(sentences, 3)


def test_a_loaded_grammar_is_the_saved_one(grammar, tmp_path):
    sentence = ["the", "dog", "sees", "a", "cat", "with", "eyes", "."]
    path = tmp_path / "grammar.sap"
    grammar.save(path)
    loaded = load(path)
    assert isinstance(loaded, PhraseParser)
    assert loaded.get_params() == grammar.get_params()
    assert loaded.n_best([sentence], 10) == grammar.n_best([sentence], 10)
    again = tmp_path / "again.sap"
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("vertical, horizontal", [(1, 0), (1, 2), (3, 1), (9, 9)])
def test_markovised_grammars_give_back_plain_trees(vertical, horizontal):
    parser = PhraseParser(vertical=vertical, horizontal=horizontal).fit(TREES)
    assert parser.parse([["Max", "sleeps", "."]]) == ["(TOP (S (NP (NNP Max)) (VP (VBZ sleeps)) (. .)))"]


def test_evaluation_counts_brackets(grammar, treebank):
    report = grammar.evaluate(treebank)
    assert (report.sentences, report.skipped, report.gold) == (4, 0, 22)
    assert report.f1 > 80


@pytest.mark.parametrize(
    "text, message",
    [
        ("(S (NP (DT the)", "the bracket that opens here does not close"),
        ("(S (NP (DT the) dog))", "a word"),
        ("the dog", "text outside of brackets"),
        ("", "there is no tree with words"),
        ("(S (-NONE- *))", "there is no tree with words"),
    ],
)
def test_broken_treebanks_are_refused(text, message):
    with pytest.raises(DataError, match=message):
        PhraseParser().fit([text])


def test_odd_treebanks_are_learned():
    """Labels that look like the names of states, and words with spaces that are not those of a file."""
    trees = ["(@S (A a) (B b) (C c))", "(S (A a) (@S..A (X x) (Y y)))", "(S (A a) (B b) (C c))", "(A^S (B b) (C c))"]
    trees += ["(S (A^S (B b) (X x)))", "(S (A (B b) (Y y)) (C c))", "(, (A a) (, ,) (, ,) (B b))"]
    trees += ["(X (Y caf\u00e9\u00a0\u2028x) (Z \x85) (N\u00a0P \x1c))"]
    for vertical, horizontal in ((1, 0), (1, 2), (2, 1), (3, 9)):
        parser = PhraseParser(vertical=vertical, horizontal=horizontal).fit(trees)
        data = words_or_trees("\n".join(trees).encode(), "x")
        words, gold = data.words, data.gold
        for best, tree in zip(parser.n_best(words, 1000), gold, strict=True):
            assert tree in [candidate for candidate, _ in best]
            assert all(set(words_or_trees(c.encode(), "x").words[0]) == set(words[gold.index(tree)]) for c, _ in best)


def test_the_deepest_trees_are_parsed_and_deeper_ones_refused():
    deepest = "(X (Y " * 499 + "(N a)" + "))" * 499
    assert PhraseParser().fit([deepest]).parse([["a"]]) == [f"(TOP {deepest})"]
    with pytest.raises(DataError, match="trees:2: a tree of more than 1,000 levels, its root TOP included"):
        PhraseParser().fit([deepest, f"(Z {deepest})"])


def test_bad_sentences_and_options_are_refused(grammar):
    for sentence in ([], "the dog", [""], ["a b"], ["a\n"], [3], ["\ud800"], ["\0"]):
        with pytest.raises(DataError, match="sentence 1"):
            grammar.parse([sentence])
    for options in ({"vertical": 0}, {"horizontal": -1}, {"threads": 0}, {"vertical": "2"}):
        with pytest.raises(OptionError):
            PhraseParser(**options).fit(TREES)
    with pytest.raises(OptionError, match="n is a whole number from 1"):
        grammar.n_best([["the"]], 0)
    with pytest.raises(ModelError, match="not fitted"):
        PhraseParser().parse([["a"]])


def test_broken_models_are_refused(grammar, tmp_path):
    path = tmp_path / "broken.sap"
    for text in (b"", b"s\tTOP\tTOP\n", bytes(grammar.model_.extra["grammar"].data).replace(b"b\t", b"q\t", 1)):
        broken = PhraseParser().fit(TREES)
        broken.model_.extra["grammar"] = Array.of("U8", text)
        broken.save(path)
        with pytest.raises(ModelError, match="not a usable model: its grammar"):
            load(path)
    broken.model_.extra.clear()
    broken.save(path)
    with pytest.raises(ModelError, match="it has no grammar"):
        load(path)


def test_sentences_are_read_from_text_and_trees():
    text = words_or_trees(b"\xef\xbb\xbfThe dog\n\n a  b \r\n", "x")
    assert (text.words, text.gold) == ([["The", "dog"], ["a", "b"]], None)
    tree = words_or_trees(TREES[3].encode(), "x")
    words, gold = tree.words, tree.gold
    assert (words, gold) == ([["Max", "sleeps", "."]], ["(TOP (S (NP (NNP Max)) (VP (VBZ sleeps)) (. .)))"])
    with pytest.raises(DataError, match="x:2: invalid UTF-8"):
        words_or_trees(b"a\n\xff", "x")
    with pytest.raises(DataError, match="x:2: NUL byte"):
        words_or_trees(b"a\n\0", "x")
    with pytest.raises(DataError, match=r"x:1: .* in text write -LRB-"):
        words_or_trees(b"( so it is )", "x")


def test_lists_in_folds_are_by_the_other_folds(grammar, treebank):
    lists = list(grammar.lists.cross_validated(treebank, 5, 2))
    others = PhraseParser().fit([TREES[1], TREES[3]])
    inside = list(others.lists.of_blocks([f"{TREES[0]}\n{TREES[2]}".encode()], "x", 5))
    assert [each.candidates for each in lists[:2]] == [each.candidates for each in inside]
    assert [each.gold for each in lists[:2]] == [each.gold for each in inside]


def test_the_command_line_trains_parses_and_lists(run_cli, treebank, tmp_path):
    model, lists, reranker = tmp_path / "g.sap", tmp_path / "l.jsonl", tmp_path / "r.sap"
    run = run_cli(f"train grammar {treebank} -o {model}")
    assert (run.status, run.out) == (0, "")
    assert "rules" in run.err
    run = run_cli(f"nbest {model} {treebank} -n 3 --folds 2 --threads 2")
    assert run.status == 0
    lists.write_text(run.out)
    assert len([json.loads(line) for line in run.out.splitlines()]) == 4
    assert "have no tree by the grammar" in run.err
    assert run_cli(f"train rank {lists} -o {reranker} -q").status == 0
    text = tmp_path / "new.txt"
    text.write_text("the cat sees the dog .\n")
    lists.write_text(run_cli(f"nbest {model} {text} -n 3").out)
    assert run_cli(f"rank {reranker} {lists}").out.startswith("(TOP (S (NP (DT the) (NN cat))")
    assert "bracketing F1" in run_cli(f"eval {model} {treebank}").out
    assert "labels    14: . DT IN" in run_cli(f"inspect {model}").out
    run = run_cli(f"inspect {model} --label NP")
    assert (run.status, run.err) == (2, "sapwood: --label chooses weights, and a grammar has none\n")
    run = run_cli(f"tag {model} {text}")
    assert run.status == 1
    assert "a model for phrase-structure parsing, not for tagging; see 'sapwood nbest'" in run.err
    run = run_cli(f"eval {model} {text}")
    assert (run.status, run.err.count("\n")) == (1, 1)
