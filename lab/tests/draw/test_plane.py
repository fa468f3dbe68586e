"""Pictures of the perceptron in the plane, held to the perceptrons of the laboratory."""

import random
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from sapwood_lab import AveragedNaive, Vanilla, VotedImproved, VotedNaive
from sapwood_lab.draw.plane import SIZE, averaged, margin, mistakes, svg_side_by_side, svg_turning

SVG = "{http://www.w3.org/2000/svg}"
FORMS = (Vanilla, AveragedNaive, VotedNaive)


def trained(seed, bias):
    """Points of two classes that overlap, their labels, and the weights and votes of a training."""
    draw = random.Random(seed)
    y = [1 if k % 2 else -1 for k in range(20)]
    X = [[draw.gauss(label, 1), draw.gauss(label / 2, 1), *[2.0] * bias] for label in y]
    found = VotedImproved().fit(X, y, epochs=3)
    return X, y, found.output.tolist(), found.votes


def panels(svg):
    return [g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.find(f"{SVG}svg") is not None]


def positive(panel):
    """The polygons that are drawn as positive, in pixels."""
    path = panel.find(f".//{SVG}path[@class='positive']").get("d")
    return [[tuple(map(float, at.split())) for at in piece.split("L")] for piece in re.findall("M([^Z]+)Z", path)]


def is_inside(x, y, polygon):
    """Whether a ray to the right leaves the polygon an odd number of times."""
    sides = [(a, b) for a, b in pairwise([*polygon, polygon[0]]) if (a[1] > y) != (b[1] > y)]
    return sum(x < a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]) for a, b in sides) % 2 == 1


@pytest.mark.parametrize("bias", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_the_three_perceptrons_are_drawn_where_they_say_yes(seed, bias):
    X, y, W, v = trained(seed, bias)
    learners = [make().fit(X, y, epochs=3) for make in FORMS]
    for panel, learner in zip(panels(svg_side_by_side(X, y, W, v)), learners, strict=True):
        wrong = int((learner.predict(X) != y).sum())
        assert panel.find(f"{SVG}text").text.endswith(f": {wrong} of 20 wrong")
        assert len(panel.findall(f".//{SVG}circle[@class='wrong']")) == wrong
        circles = panel.findall(f".//{SVG}circle")[:20]
        assert [circle.get("class") == "dot" for circle in circles] == [label > 0 for label in y]
        pieces = positive(panel)
        for circle, guess in zip(circles, learner.predict(X), strict=True):
            at = float(circle.get("cx")), float(circle.get("cy"))
            assert all(0 <= c <= SIZE for c in at)
            assert any(is_inside(*at, piece) for piece in pieces) == (guess > 0)


@pytest.mark.parametrize("bias", [0, 1])
def test_the_line_turns_at_each_update(bias):
    X, y, W, v = trained(1, bias)
    for k in range(1, len(W)):
        W_k, v_k = W[: k + 1], [*v[:k], 1]
        svg = svg_turning(X, y, W_k, v_k, updated=3)
        [panel] = panels(svg)
        assert len(panel.findall(f".//{SVG}path[@class='old']")) == min(k - 1, 11) + (k > 12)  # w = 0 has none
        assert len(panel.findall(f".//{SVG}circle[@class='updated']")) == 1
        notes = [text.text for text in ElementTree.fromstring(svg).findall(f".//{SVG}text[@class='note']")]
        wrong = mistakes(X, y, [W_k[-1]], [1])
        assert notes[0] == f"solid: w, {wrong} of 20 wrong"
        assert notes[1] == f"dashed: the average, {mistakes(X, y, [averaged(W_k, v_k)], [1])} of 20 wrong"


def test_the_margin_is_drawn_where_a_line_separates():
    """The points (3, 4) and (-6, 8) are 3 and 6 units from the line x1 = 0."""
    points, labels, W = [(3, 4), (-6, 8)], [1, -1], [(0, 0), (2, 0)]
    assert margin(points, labels, W[-1]) == 3
    svg = svg_turning(points, labels, W, [0, 1])
    assert "solid: w, margin 3.000" in svg
    lines = [path.get("d") for path in panels(svg)[0].findall(f".//{SVG}path[@class='margin']")]
    unit = 1.12 * 9 / SIZE  # the width of the points, and some room beside them, in so many pixels
    assert sorted(float(re.match(r"M([\d.]+) ", d)[1]) for d in lines) == [
        pytest.approx(SIZE / 2 + (x + 1.5) / unit, abs=0.1) for x in (-3, 3)
    ]


def test_weights_of_zero_say_no_everywhere():
    svg = svg_side_by_side([(1, 0), (0, 1)], [1, -1], [(0, 0)], [2])
    assert [positive(panel) for panel in panels(svg)] == [[], [], []]
    assert svg.count("1 of 2 wrong") == 2 * 3  # in titles and in the description
