"""Differences between systems: the scores, the tests, and `sapwood compare`."""

import json
import lzma
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_recall_fscore_support

from sapwood.errors import DataError, OptionError
from sapwood.io.labels import read_labels
from sapwood.metrics import chunk_scores, class_scores, compare, confusion, set_scores, sign_test

LABELS = st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=1, max_size=40)


def units(labels):
    return [[label] for label in labels]


@given(LABELS)
def test_scores_are_those_of_scikit_learn(rows):
    gold, a, b = (list(column) for column in zip(*rows, strict=True))
    result = compare(units(gold), units(a), units(b), samples=100)
    accuracy, macro = result.scores
    assert accuracy.a == pytest.approx(class_scores(gold, a).accuracy)
    for ours, guess in ((macro.a, a), (macro.b, b)):
        assert ours == pytest.approx(100 * f1_score(gold, guess, average="macro", zero_division=0))
    assert accuracy.low - 1e-9 <= accuracy.difference <= accuracy.high + 1e-9 or len(rows) < 12


@given(st.integers(0, 40), st.integers(0, 40))
def test_sign_test_is_the_exact_binomial(wins, losses):
    n = wins + losses
    tail = sum(Fraction(comb(n, k), 2**n) for k in range(min(wins, losses) + 1))
    assert sign_test(wins, losses) == min(1.0, float(2 * tail))


def test_sign_test_tells_small_from_nothing():
    assert sign_test(500, 5) == pytest.approx(5.17463e-141, rel=1e-5, abs=0)
    assert sign_test(30_000, 29_000) == pytest.approx(3.90702e-5, rel=1e-5)


def sentences(text):
    return [labels.split() for labels in text.split("/")]


def flat_scores(gold, guess):
    return class_scores([x for labels in gold for x in labels], [x for labels in guess for x in labels])


def macro_f1(gold, guess):
    return flat_scores(gold, guess).macro.f1


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("gold", "a", "b", "second"),
    [
        ("x/x/y/y/z", "x/y/y/x/z", "x/x/y/y/x", macro_f1),
        ("x/x/y/y/y", "y/y/x/x/x", "x/x/y/y/y", macro_f1),
        (
            "B-NP I-NP O/B-VP O/B-NP B-NP I-NP/O B-PP/B-NP O O",
            "B-NP O O/B-VP O/B-NP I-NP I-NP/O O/B-NP O O",
            "B-NP I-NP O/B-VP O/B-NP B-NP O/O B-PP/B-NP I-NP O",
            lambda gold, guess: chunk_scores(gold, guess).f1,
        ),
    ],
)
def test_p_values_are_those_of_all_swaps_and_all_draws(gold, a, b, second):
    """Of five units there are 32 swaps and 3,125 draws: few enough to score them all."""
    gold, a, b = sentences(gold), sentences(a), sentences(b)
    pairs = list(zip(a, b, strict=True))
    draws = list(product(range(5), repeat=5))
    for ours, score in zip(
        compare(gold, a, b, samples=20_000).scores, (lambda *files: flat_scores(*files).accuracy, second), strict=True
    ):
        observed = score(gold, b) - score(gold, a)
        assert ours.difference == pytest.approx(observed)
        swapped = [
            [[pair[k ^ place] for k, pair in zip(swap, pairs, strict=True)] for place in (0, 1)]
            for swap in product((0, 1), repeat=5)
        ]
        far = [abs(score(gold, y) - score(gold, x)) >= abs(observed) - 1e-9 for x, y in swapped]
        assert ours.randomisation_p == pytest.approx(sum(far) / len(far), abs=0.01)
        drawn = [[[file[k] for k in draw] for file in (gold, a, b)] for draw in draws]
        far = [abs(score(g, y) - score(g, x) - observed) >= abs(observed) - 1e-9 for g, x, y in drawn]
        assert ours.bootstrap_p == pytest.approx(sum(far) / len(far), abs=0.01)


def test_equal_systems_do_not_differ():
    gold = units("xyxyxyxy")
    result = compare(gold, gold, gold)
    assert result.sign_p == 1.0
    assert [(s.difference, s.low, s.high, s.bootstrap_p, s.randomisation_p) for s in result.scores] == [
        (0, 0, 0, 1, 1)
    ] * 2


def test_a_clear_difference_is_found_and_a_small_one_is_not():
    gold, bad = units("xy" * 200), units("xx" * 200)
    assert compare(gold, bad, gold).scores[0].bootstrap_p < 0.001
    almost = [*gold[:-1], ["x"]]
    assert compare(gold, almost, gold).scores[0].randomisation_p == 1.0


def test_chunks_are_scored_by_sentence():
    gold = [["B-NP", "I-NP", "O"], ["B-VP", "O"]]
    a = [["B-NP", "O", "O"], ["B-VP", "O"]]
    result = compare(gold, a, gold, samples=100)
    assert [s.score for s in result.scores] == ["accuracy", "chunk F1"]
    assert (result.units, result.labels) == (2, 5)
    assert (result.scores[1].a, result.scores[1].b) == (50.0, 100.0)
    assert "in 2 sentences" in result.format()


def test_it_is_the_same_every_time():
    gold, a, b = units("xyzxyzxyzx"), units("xyzxyzxxxx"), units("xyyyyyxyzx")
    assert compare(gold, a, b, seed=3) == compare(gold, a, b, seed=3)


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(DataError, match="2, 1 and 2 examples"):
        compare(units("xy"), units("x"), units("xy"))
    with pytest.raises(DataError, match="sentence 1: gold, A and B have 1, 2, 1 labels"):
        compare([["x"]], [["x", "y"]], [["x"]])
    with pytest.raises(DataError, match="one or more"):
        compare([], [], [])


@pytest.mark.slow
def test_confusions_of_many_labels_take_no_square_of_memory():
    labels = [f"label {number}" for number in range(20_000)]
    guess = labels[1:] + labels[:1]
    found = confusion(labels, guess)
    pairs = sorted([gold, other, 1] for gold, other in zip(labels, guess, strict=True))
    assert found.as_dict() == {"labels": sorted(labels), "pairs": pairs}
    assert found.of_most_confused(3).labels == tuple(sorted(labels)[:3])


def test_confusions_of_many_labels_are_listed_by_frequency():
    gold = [f"l{k}" for k in range(30)] + ["l1"] * 3
    guess = ["l0"] * len(gold)
    lines = confusion(gold, guess).format().splitlines()
    assert lines[1].split() == ["l1", "taken", "for", "l0", "4"]
    assert len(lines) == 21


def test_compare_reads_what_the_verbs_write(run_cli, tmp_path):
    (tmp_path / "gold.txt").write_text("__label__pos good fun\n__label__neg dull\n__label__pos fine\n")
    (tmp_path / "a.txt").write_text("neg\t0.5\nneg\t1.5\npos\t2\n")
    (tmp_path / "b.txt.xz").write_bytes(lzma.compress(b"pos\nneg\npos\n"))
    files = [tmp_path / name for name in ("a.txt", "b.txt.xz", "gold.txt")]
    run = run_cli(["compare", *files, "--samples", 200, "--json", tmp_path / "c.json"])
    assert run.status == 0, run.err
    assert "only A right: 0, only B right: 1" in run.out
    row = json.loads((tmp_path / "c.json").read_text())["rows"][0]
    assert row["scores"][0]["difference"] == pytest.approx(100 / 3)


def test_compare_reads_what_conllu_says_of_its_words(run_cli, tmp_path):
    gold = "# sent_id = 1\n# text = Ann's here\n1-2\tAnn's\t_\t_\t_\t_\t_\t_\t_\t_\n"
    gold += "1\tAnn\tAnn\tPROPN\t_\t_\t3\tnsubj\t_\tNER=B-PER\n2\t's\tbe\tAUX\t_\t_\t3\tcop\t_\t_\n"
    gold += "3\there\there\tADV\t_\t_\t0\troot\t_\tSpaceAfter=No\n\n"
    a, b = gold.replace("B-PER", "B-LOC").replace("\tbe\t", "\t_\t"), gold.replace("AUX", "PART")
    for name, text in (("gold", gold), ("a", a), ("b", b), ("c", gold.replace("\there", "\tHere", 1))):
        (tmp_path / f"{name}.conllu").write_text(text)
    files = [tmp_path / f"{name}.conllu" for name in ("a", "b", "gold")]
    run = run_cli(["compare", *files, "--samples", 100, "--json", tmp_path / "c.json"])
    assert run.status == 0, run.err
    rows = json.loads((tmp_path / "c.json").read_text())["rows"]
    scores = {(row["what"], score["score"]): (score["a"], score["b"]) for row in rows for score in row["scores"]}
    assert scores["names", "chunk F1"] == (0, 100) and scores["UPOS", "accuracy"] == (100, pytest.approx(200 / 3))
    assert scores["lemmas", "accuracy"] == (pytest.approx(200 / 3), 100)
    assert scores["heads and relations", "accuracy"] == (100, 100) and {row["labels"] for row in rows} == {3}
    assert not {"XPOS", "features"} & {row["what"] for row in rows}
    run = run_cli(["compare", *files, "--samples", 100, "--column", 4])
    assert "3 labels in 1 sentences; only A right: 1, only B right: 0" in run.out
    run = run_cli(["compare", tmp_path / "c.conllu", *files[1:]])
    assert run.status == 1 and "sentence 1, word 3 is 'Here'; in " in run.err and "--input conllu" in run.err
    (tmp_path / "a.txt").write_text("Ann O\n's O\nhere O\n")
    run = run_cli(["compare", tmp_path / "a.txt", *files[1:]])
    assert run.status == 1 and "b.conllu is CoNLL-U" not in run.err and "a.txt is not" in run.err


@pytest.mark.filterwarnings("ignore:.*in most sentences")
def test_comments_of_sentences_are_no_labels(run_cli, tmp_path):
    gold = "# sent_id = 1\n# text = Ann #\n1\tAnn\tB-PER\n#\t#\tO\n\n# sent_id = 2\n1\tBob\tB-PER\n"
    (tmp_path / "gold.txt").write_text(gold)
    (tmp_path / "a.txt").write_text("Ann B-PER\n# O\n\nBob O\n")
    run = run_cli(["compare", tmp_path / "a.txt", tmp_path / "gold.txt", tmp_path / "gold.txt", "--samples", 100])
    assert "3 labels in 2 sentences; only A right: 0, only B right: 1" in run.out, run.err


def test_compare_reads_column_files(run_cli, tmp_path):
    gold = "the DT B-NP\ndog NN I-NP\n\nruns VBZ B-VP\n"
    (tmp_path / "gold.txt").write_text(gold)
    (tmp_path / "a.txt").write_text(
        gold.replace("I-NP", "I-NP B-NP").replace("B-VP", "B-VP B-VP").replace("DT B-NP", "DT B-NP B-NP")
    )
    (tmp_path / "b.txt").write_text(gold)
    run = run_cli(["compare", tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "gold.txt", "--samples", 200])
    assert run.status == 0, run.err
    assert "chunk F1" in run.out


LABELLED = b"pos\nneg\n"
COLUMNS = b"a x\nb y\n\nc x\n"


@pytest.mark.parametrize(
    ("gold", "bad", "message"),
    [
        (LABELLED, b"", "bad.txt: there is no label in it"),
        (LABELLED, b"\xff\n", "bad.txt:1: invalid UTF-8"),
        (LABELLED, b"pos\n", "bad.txt:2: there is no label here"),
        (LABELLED, b"pos\n\nneg\n", "bad.txt:2: there is no label here"),
        (LABELLED, b"pos\nneg\npos\n", "bad.txt:3: one label too many"),
        (COLUMNS, b"a x\nb y\n\nc x\nd x\n", "bad.txt:4: sentence 2 has 2 labels; in"),
        (COLUMNS, b"a x\nb y\n", "bad.txt: it has 1 sentences"),
    ],
)
def test_compare_says_what_is_wrong(run_cli, tmp_path, gold, bad, message):
    (tmp_path / "gold.txt").write_bytes(gold)
    (tmp_path / "bad.txt").write_bytes(bad)
    run = run_cli(["compare", tmp_path / "bad.txt", tmp_path / "gold.txt", tmp_path / "gold.txt"])
    assert run.status == 1
    assert message in run.err
    assert run.err.count("\n") == 1


@pytest.fixture
def read(tmp_path):
    """read(gold, guess, column=None): the labels of two files with this content; `gold` may be (content, ending)."""

    def labels(gold, guess, column=None):
        content, ending = gold if isinstance(gold, tuple) else (gold, ".txt")
        for name, text in ((f"gold{ending}", content), ("guess.tsv", guess)):
            (tmp_path / name).write_text(text)
        return read_labels(tmp_path / f"gold{ending}", tmp_path / "guess.tsv", column=column)["labels"]

    return labels


def test_gold_decides_what_a_unit_is(read):
    assert read("a x\n\nb y\n", "a x x\n\nb y x\n") == [units("xy"), units("xx")]
    assert read("x a\ny b\n", "x\t0.5\ny\t1\n") == [units("xy"), units("xy")]
    assert read(("label,text\nx,a\ny,b\n", ".csv"), "x\t0.5\nx\t1\n") == [units("xy"), units("xx")]


def test_heads_that_no_gold_word_has_are_of_no_other_tagset(tmp_path, run_cli):
    words = [f"{n}\tw{n}\t_\tNOUN\t_\t_\t%d\tdep\t_\t_\n" for n in range(1, 31)]
    gold, guess = ("".join(word % head(n) for n, word in enumerate(words)) for head in (lambda n: 0, lambda n: n))
    for name, text in (("gold", gold), ("a", guess), ("b", guess)):
        (tmp_path / name).write_text(f"{text}\n" * 20)
    run = run_cli(["compare", tmp_path / "a", tmp_path / "b", tmp_path / "gold"])
    assert run.status == 0
    assert "heads and relations" in run.out
    assert "tagset" not in run.err


def test_the_labels_above_probabilities_are_no_answer(read):
    """As LIBLINEAR and LIBSVM write them."""
    assert read("1 3:1\n-1 2:1\n", "labels 1 -1\n1 0.7 0.3\n1 0.6 0.4\n") == [[["1"], ["-1"]], [["1"], ["1"]]]
    assert read("labels x\ny x\n", "labels z\ny z\n") == [units(["labels", "y"]), units(["labels", "y"])]


def test_what_was_said_of_blank_lines_does_not_count(read):
    """'classify' answers blank lines, too; they are no examples, and 'eval' does not score them."""
    gold = "__label__x a\n\n__label__y b\n\n"
    assert read(gold, "x\t2\ny\t0\ny\t1\ny\t0\n") == [units("xy"), units("xy")]
    assert read(gold, "x\n\nx\n") == [units("xy"), units("xx")]


def test_columns_are_counted_from_both_ends(read):
    one_sentence = "the x\ndog y\n"
    assert (
        read(one_sentence, one_sentence, column=-1) == read(one_sentence, one_sentence, column=2) == [units("xy")] * 2
    )
    assert read("__label__x a\n", "7 y\n", column=2) == [units("x"), units("y")]
    with pytest.raises(DataError, match=r"guess.tsv:2: there is no column -2, only 1"):
        read(one_sentence, "the x\ny\n", column=-2)
    with pytest.raises(OptionError, match="no column 0"):
        read(one_sentence, one_sentence, column=0)


@pytest.mark.slow
def test_pictures_have_the_bytes_of_their_kind(tmp_path):
    from sapwood.metrics.pictures import draw_confusion

    for n in (1, 2, 45, 1000):
        labels = [f"l{k}" for k in range(n)]
        matrix = confusion(labels * 2, labels + labels[::-1])
        draw_confusion(matrix, tmp_path / "c.png")
        draw_confusion(matrix, tmp_path / "c.svg")
        assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
        first = (tmp_path / "c.svg").read_bytes()
        draw_confusion(matrix, tmp_path / "c.svg")
        assert (tmp_path / "c.svg").read_bytes() == first


@pytest.mark.slow
def test_pictures_show_labels_as_they_are(tmp_path):
    """No mathematics, no control characters (which XML does not allow), and the ends of long labels."""
    from xml.etree import ElementTree

    from sapwood.metrics.pictures import draw_confusion

    labels = ["$_$", "red\x1b[31m", "a_label_of_many_words_and_a_number_7"]
    draw_confusion(confusion(labels, labels), tmp_path / "c.svg")
    texts = {element.text for element in ElementTree.parse(tmp_path / "c.svg").iter() if element.text}
    assert {"$_$", "red\ufffd[31m", "a_label_of_many…number_7"} <= texts


def test_nothing_is_not_drawn(tmp_path):
    from sapwood.metrics.pictures import draw_confusion

    with pytest.raises(DataError, match="no labels"):
        draw_confusion(confusion([], []), tmp_path / "c.svg")


@pytest.mark.parametrize("score", [class_scores, confusion])
def test_examples_without_a_guess_are_an_error(score):
    with pytest.raises(DataError, match="gold has 2 labels, guess has 1; both must have one an example"):
        score(["x", "y"], ["x"])


def test_examples_are_in_no_sentence():
    report = class_scores(["x", "y"], ["x", "x"])
    assert report.format().startswith("examples:  1 of 2 correct, 50.00%\n\nlabel")
    assert report.as_dict()["examples"] == 2
    assert "sentences" not in report.as_dict()


SETS = st.sets(st.integers(0, 9))


@given(SETS, SETS)
def test_scores_of_sets_are_those_of_membership(gold, retrieved):
    ours = set_scores(gold, retrieved)
    member = [[k in answers for k in range(10)] for answers in (gold, retrieved)]
    theirs = precision_recall_fscore_support(*member, average="binary", zero_division=0)[:3]
    assert (ours.precision, ours.recall, ours.f1) == pytest.approx([100 * x for x in theirs])


def test_confidences_are_drawn_as_dots(tmp_path):
    from sapwood.metrics.pictures import draw_reliability

    draw_reliability([(0.55, 0.5, 4), (0.9, 1.0, 1234)], tmp_path / "r.svg", "a title")
    drawn = (tmp_path / "r.svg").read_text()
    assert all(f">{text}<" in drawn for text in ("4", "1,234", "a title"))
    draw_reliability([], tmp_path / "r.png")
