"""What a walk through training says: names of features, counts, averages, and which scores a picture has."""

import re
from functools import partial
from itertools import islice

import pytest

from sapwood_lab import (
    Candidate,
    CandidateList,
    DualPerceptron,
    RankingPerceptron,
    ViterbiTagger,
    constant,
    hamming,
    regret,
)
from sapwood_lab.draw.plane import svg_side_by_side, svg_turning
from sapwood_lab.draw.search_pictures import search_picture
from sapwood_lab.draw.step_pictures import svg_step
from sapwood_lab.draw.steps import text_step
from sapwood_lab.dual import dot
from sapwood_lab.walks.walk import EXAMPLES, make_walk

TAGGERS = list(EXAMPLES["chunking"])
SEARCHES = [(example, algorithm) for example in ("chunking", "parsing") for algorithm in EXAMPLES[example]
            if algorithm != "greedy"]  # fmt: skip


@pytest.mark.parametrize("algorithm", TAGGERS)
@pytest.mark.parametrize(
    "text",
    [
        "a X\nb Z\n\nb Y\na Z\n",  # the same words around each place, in another order
        "a X\nb Z\nc W\n\nb Y\na Z\nc W\n",
        "a X\n\nb a Y\n".replace("b a", "b") + "\n",
        "a b X\n\nb a Y\n",  # a word and a tag that have the same letters
        "_B-1 X\n\na Y\n",  # a word that is spelled as the edge of a sentence is
        "a/b b X\n\na b Y\n",
    ],
)
def test_what_differs_in_place_is_told_apart(tmp_path, algorithm, text):
    file = tmp_path / "own.txt"
    file.write_text(text)
    walk = make_walk(str(file), algorithm, epochs=20)
    for step in walk.steps():
        names = [feature for feature, _ in step.violation if feature.startswith("U:")]
        assert all("=" in name for name in names)
    right, count = walk.right()
    assert right == count


def test_word_before_and_after_have_names_of_their_own(run_lab, tmp_path):
    file = tmp_path / "own.txt"
    file.write_text("the D\ndog N\nbarks V\n")
    run = run_lab(["steps", "--example", file, "--top", 30])
    for name in ("U:word=dog", "U:before=the", "U:after=barks", "U:after=_B+1"):
        assert name in run.out


@pytest.mark.parametrize("min_updates", [0, 1, 2, 5])
@pytest.mark.parametrize("gamma", [0.0, 1.0])
def test_the_base_score_is_counted_as_any_feature_and_scored_from_the_first(min_updates, gamma):
    walk = make_walk("ranking", min_updates=min_updates, gamma=gamma, average=False)
    took_part = 0
    for step in islice(walk.steps(), 4):
        if ("score", "better") in step.violation:
            took_part += 1
            assert step.counts["score", "better"] == took_part
        if step.number == 1:
            assert step.before["score", "better"] == 1
            assert min(step.search.scores) < 0 == max(step.search.scores)
    assert walk.learner.weights().get(("score", "better")) == walk.learner.w["score", "better"]


def rows(out):
    return {line.rsplit(maxsplit=2)[0]: line.split()[-2:] for line in out.splitlines() if line[:3] == "the"}


@pytest.mark.parametrize(
    "arguments, last, average",
    [
        ([], ["10.26", "-34.89"], ["14.68", "-26.99"]),
        (["--epochs", "1"], ["10.26", "-34.89"], ["32.35", "4.64"]),
        (["--updates", "1"], ["54.44", "44.18"], None),  # stopped before the average was made
        (["--updates", "2"], ["10.26", "-34.89"], None),
        (["--min-updates", "2"], None, None),
    ],
)
def test_the_scores_of_the_last_weights_stand_beside_those_of_their_average(run_lab, arguments, last, average):
    found = rows(run_lab(["steps", "--example", "classification", *arguments]).out)
    assert found["the slide"] == ["6.59", "-6.74"]
    assert last is None or found["the last w"] == last
    assert (average is None and arguments[0] == "--min-updates") or found.get("the average of all w") == average


@pytest.mark.parametrize(("example", "algorithm"), SEARCHES)
def test_a_picture_says_that_costs_are_in_its_scores(example, algorithm):
    where = "alpha" if "viterbi" in algorithm else "the scores"
    said = f"the cost of what is wrong, hamming(1.5), is in {where}"
    for gamma, there in ((0.0, False), (1.5, True)):
        for step in islice(make_walk(example, algorithm, gamma=gamma).steps(), 3):
            assert (said in svg_step(step)) is there
            assert ("the cost of" in svg_step(step)) is there


def own_loss(gold, guess):
    return 2.0 if (gold, guess) == ("N", "V") else float(gold != guess)


@pytest.mark.parametrize(
    "loss, said",
    [
        (None, None),
        (hamming(2.0), "hamming(2.0), is in alpha"),
        (own_loss, "own_loss, is in alpha"),
        (partial(own_loss), "the loss, is in alpha"),
        (constant(2.0), "alpha has no cost in it: at the end gold is held against all others"),
    ],
)
def test_a_trellis_says_whether_alpha_has_the_cost(loss, said):
    tagger = ViterbiTagger("U:%x[0,0]\nB\n", loss=loss, epochs=1)
    svg = search_picture(next(tagger.steps([[("the", "D"), ("dog", "N"), ("barks", "V")]])))
    assert (said or "alpha of each state") in svg
    if said is None:
        assert "cost" not in svg


def test_easiest_first_shows_the_scores_by_which_it_chose():
    for step in islice(make_walk("chunking", "easiest-first", gamma=1.0).steps(), 8):
        scores, guess, gold = step.search.scores, step.search.guess, step.search.gold
        assert scores[guess] == max(score for (i, _), score in scores.items() if i == guess[0]) >= scores[gold]


def lists(n):
    candidates = [Candidate({f"f{j}": 1, "all": j}, score=-float(j), loss=float(j != n - 1)) for j in range(n)]
    return [CandidateList("a", candidates)]


@pytest.mark.parametrize("make, letter", [(RankingPerceptron, "F"), (partial(DualPerceptron, dot), "G")])
@pytest.mark.parametrize("n", [2, 3, 7, 12])
@pytest.mark.parametrize("loss", [None, regret(1.5)])
def test_a_ranking_step_shows_the_scores_of_its_candidates(make, letter, n, loss):
    learner = make(loss=loss, base_weight=0.5, average=False)
    for step in islice(learner.steps(lists(n)), 3):
        name = f"{letter} + cost = " if loss else f"{letter} = "
        for picture in (text_step(step, width=100), svg_step(step)):
            assert picture.count(name) == min(n, 10)
        shown = [float(each) for each in re.findall(rf"{re.escape(name)}(\S+)", text_step(step, width=100))]
        assert shown[:2] == pytest.approx([step.search.scores[step.gold], step.search.scores[step.guess]], rel=1e-3)
        assert step.search.costs == [0.0 if loss is None else 1.5 * (j != n - 1) for j in range(n)]


@pytest.mark.parametrize("classes", [("-1", "1"), ("written", "spoken"), ("<b>", "a & b")])
def test_the_plane_has_axes_an_origin_and_classes(classes):
    points, labels, W = [(3, 4), (-6, 8)], [1, -1], [(0, 0), (2, 0)]
    drawn = svg_side_by_side(points, labels, W, [0, 1], classes), svg_turning(points, labels, W, [0, 1])
    for svg, panels in zip(drawn, (3, 1), strict=True):
        assert svg.count('class="axis"') == svg.count(">x1</text>") == svg.count(">x2</text>") == panels
        assert svg.count(">0</text>") == panels
        assert "<b>" not in svg
    no, yes = (name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for name in classes)
    assert f"filled: {yes}, which is said where it is shaded; hollow: {no}; red ring: wrong" in drawn[0]


def test_the_origin_is_where_the_axes_cross():
    """Of points from (-1, -1) to (3, 1) the middle is (1, 0); a pixel is 4 * 1.12 / 300."""
    svg = svg_turning([(-1, -1), (3, 1)], [1, -1], [(0, 0)], [1])
    [(y, x)] = re.findall(r'class="axis" d="M0 (\S+)H300M(\S+) 0V300"', svg)
    assert (float(y), float(x)) == pytest.approx((150, 150 - 300 / 4.48), abs=0.1)


@pytest.mark.parametrize(
    "text, said",
    [
        ("1 2 yes\n-1 -2 no\n2 1 yes\n", "filled: no, which is said where it is shaded; hollow: yes"),
        ("1 2 1\n-1 -2 -1\n", "filled: 1, which is said where it is shaded; hollow: -1"),
        ("1 2 1 a\n-1 -2 1 b\n", "filled: b, which is said where it is shaded; hollow: a"),
    ],
)
def test_points_of_ones_own_have_the_names_of_their_classes(run_lab, tmp_path, text, said):
    (tmp_path / "p.txt").write_text(text)
    run = run_lab(["steps", "--example", tmp_path / "p.txt", "--pictures", tmp_path / "out"])
    assert run.status == 0, run.err
    for name in ("step-01.svg", "three-perceptrons.svg"):
        assert said in (tmp_path / "out" / name).read_text()
