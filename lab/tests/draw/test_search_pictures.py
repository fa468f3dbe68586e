"""Pictures of searches: the numbers in them are those of the search; paths, ranks and orders stand where they were."""

import doctest
import re
from itertools import islice, pairwise
from random import Random
from types import SimpleNamespace
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

import sapwood_lab.draw.charts
import sapwood_lab.draw.search_pictures
from sapwood_lab.beam import Beams
from sapwood_lab.draw.charts import draw_cky, is_part
from sapwood_lab.draw.columns import WIDTH, chosen
from sapwood_lab.draw.parts import stacked
from sapwood_lab.draw.search_pictures import search_picture
from sapwood_lab.draw.steps import number
from sapwood_lab.eisner import fill
from sapwood_lab.grammar import Grammar
from sapwood_lab.losses import constant, hamming
from sapwood_lab.trellis import after_each, forward, way
from sapwood_lab.viterbi import ViterbiTagger
from sapwood_lab.walks.walk import make_walk

MODULES = [sapwood_lab.draw.charts, sapwood_lab.draw.search_pictures]
HOSTILE = ["<b>&amp;", "\"'>", "a\x00\x1b[31m", "\N{RIGHT-TO-LEFT OVERRIDE}x", "כלב", "単語" * 20, "]]>", "w" * 500]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_examples_of_the_modules_are_right(module):
    tried = doctest.testmod(module)
    assert tried.attempted and not tried.failed


class Drawn(NamedTuple):
    """A node as it is drawn: the number of its column, the name of its row, its lines, its marks, and its sides."""

    column: int
    row: str
    lines: tuple[str, ...]
    marks: str
    left: tuple[float, float]
    right: tuple[float, float]


def bands(svg):
    """Return the nodes of each band of columns, and the marks of the edges between pairs of points."""
    found = []
    for band in ElementTree.fromstring(svg).findall(".//{*}g"):
        boxes = [box for box in band.findall("{*}rect") if box.get("class").startswith("node")]
        texts = [(t.get("class"), float(t.get("x")), float(t.get("y")), t.text or "") for t in band.findall("{*}text")]
        heads = sorted(x for style, x, _, _ in texts if style == "head")
        rows = [(y - 4, text) for style, _, y, text in texts if style == "row"]
        nodes = []
        for box in boxes:
            x, y, width, height = (float(box.get(name)) for name in ("x", "y", "width", "height"))
            middle = x + width / 2, y + height / 2
            lines = (
                t for style, at, _, t in texts if style == "value" and abs(at - middle[0]) < 0.2 and y < _ < y + height
            )
            row = max(((top, name) for top, name in rows if top < middle[1] + 1), default=(0.0, ""))[1]
            column = min(range(len(heads)), key=lambda k: abs(heads[k] - middle[0]))
            sides = (round(x), round(middle[1])), (round(x + width), round(middle[1]))
            nodes.append(Drawn(column, row, tuple(lines), box.get("class")[5:], *sides))
        edges = []
        for path in band.findall("{*}path"):
            if path.get("class").startswith("edge"):
                ends = [round(float(length)) for length in re.findall(r"[\d.]+", path.get("d"))]
                edges.append((tuple(ends[:2]), tuple(ends[2:]), path.get("class")[5:]))
        found += [(nodes, edges)] * bool(nodes)
    return found


def only_band(svg):
    [band] = bands(svg)
    return band


def joined(svg):
    """Return the nodes of all bands; the first column of a band is the last one of the band before."""
    nodes = []
    for band, _ in bands(svg):
        before = max((node.column for node in nodes), default=0)
        nodes += [node._replace(column=node.column + before) for node in band if node.column or not before]
    return nodes


def steps(example, algorithm, **options):
    return list(islice(make_walk(example, algorithm, **options).steps(), 30))


@pytest.mark.parametrize("algorithm", ["viterbi", "viterbi-2"])
def test_a_trellis_has_the_alphas_the_back_pointers_and_both_paths(algorithm):
    for step in steps("chunking", algorithm):
        alpha, back = step.search.alpha, step.search.back
        nodes, edges = only_band(search_picture(step._replace(then=None)))
        place = {(node.column, node.row): node for node in nodes if node.column}
        rows = {node.row for node in place.values()}
        names = [{" ".join(state): state for state in scores} for scores in alpha]
        for i, scores in enumerate(alpha[1:], 1):
            shown = {name: number(scores[state]) for name, state in names[i].items() if name in rows}
            assert {row: node.lines[0] for (column, row), node in place.items() if column == i} == shown
        pointers = {(start, stop) for start, stop, marks in edges if marks == "back"}
        for (i, row), node in place.items():
            came = " ".join(back[i][names[i][row]])
            if i > 1 and came in rows:
                assert (place[i - 1, came].right, node.left) in pointers
        for kind, labels in (("gold", step.gold), ("guess", step.guess)):
            path = [node for node in nodes if kind in node.marks.split()]
            assert tuple(node.row.split()[-1] for node in path[1:]) == labels
            drawn = {(start, stop) for start, stop, marks in edges if marks == kind}
            assert drawn == {(a.right, b.left) for a, b in pairwise(path)}
        wrong = [node.column - 1 for node in nodes if "wrong" in node.marks]
        order = len(next(iter(alpha[0])))
        differ = [i for i in range(len(step.gold)) if step.gold[i] != step.guess[i]]
        assert wrong == [i for i in range(len(step.gold)) if any(i - order < k <= i for k in differ)]


def test_the_scores_are_those_before_the_update():
    tagger = ViterbiTagger("U:%x[0,0]\nB\n", seed=None)
    first, second = islice(tagger.steps([[("the", "D"), ("dog", "N")], [("the", "D"), ("dog", "D")]]), 2)
    assert first.search.alpha[2] == {("D",): 0.0, ("N",): 0.0}
    assert first.then == (("D", "N"), second.search)
    assert second.search.alpha[2] == {("D",): -1.0, ("N",): 2.0}
    assert second.guess == way(second.search.back, 2, max(second.search.alpha[2], key=second.search.alpha[2].get))
    assert second.then[0] == ("D", "D") and second.then[1].alpha[2] == {("D",): 0.0, ("N",): 0.0}
    before, after = bands(search_picture(second))
    assert [node.lines for node in before[0] if node.column == 2] == [("-1",), ("2",)]
    assert [node.lines for node in after[0] if node.column == 2] == [("0",), ("0",)]
    assert [node.row for node in after[0] if "guess" in node.marks][1:] == ["D", "D"]


def test_of_many_labels_the_best_and_those_of_the_paths_are_drawn():
    random, labels = Random(2), [f"L{k}" for k in range(20)]
    scores = {}
    alpha, back = forward(40, labels, 1, after_each(lambda i, y: scores.setdefault((i, y), random.random())))
    guess = ("L3",) * 40
    step = SimpleNamespace(
        input=[(f"word{i}",) for i in range(40)],
        gold=("L3",) * 39 + ("L17",),
        guess=guess,
        search=SimpleNamespace(alpha=alpha, back=back),
    )
    svg = search_picture(step)
    found = bands(svg)
    assert len(found) > 2 and max(node.right[0] for nodes, _ in found for node in nodes) <= WIDTH
    assert "and 12 other states" in svg
    assert {node.row for nodes, _ in found for node in nodes} >= {"L3", "L17"}
    assert [n.lines for n in found[0][0] if n.column == found[0][0][-1].column] == [
        n.lines for n in found[1][0] if n.column == 0
    ]  # the last column of a band is the first of the next one


def test_scores_have_four_digits_and_no_negative_zero():
    assert [number(score) for score in (-0.0, 12.34567, -3.0)] == ["0", "12.35", "-3"]


def test_rows_that_are_needed_are_chosen_first_and_keep_their_order():
    assert chosen({"a": 1.0, "b": 3.0, "c": 2.0, "d": 0.0}, {"d"}, 2) == ["b", "d"]
    assert chosen({"a": 1.0, "b": 3.0}, {"a", "b"}, 1) == ["a", "b"]


@pytest.mark.parametrize("algorithm", ["eisner", "eisner-2"])
def test_a_chart_has_the_scores_of_all_spans_and_the_items_of_both_trees(algorithm):
    for step in steps("parsing", algorithm):
        chart, words = step.search, [word[0] for word in step.input]
        nodes, _ = only_band(search_picture(step))
        tables = {"I→": chart.I_right, "I←": chart.I_left, "C→": chart.C_right, "C←": chart.C_left}
        tables |= {"S": chart.siblings, "root": chart.roots}
        expected = [
            (t - 1, words[s - 1] if s else "whole tree", f"{name} {number(entry.score)}")
            for name, table in tables.items()
            for (s, t), entry in table.items()
            if s < t
        ]
        assert sorted((node.column, node.row, node.lines[0]) for node in nodes) == sorted(expected)
        arcs = {
            kind: {(h, m) for m, h in enumerate(tree.heads, 1)}
            for kind, tree in (("gold", step.gold), ("guess", step.guess))
        }
        for kind, tree in arcs.items():
            marked = {(n.column, n.row, n.lines[0].split()[0]) for n in nodes if kind in n.marks.split()}
            of_arcs = {(max(h, m) - 1, words[min(h, m) - 1], "I→" if h < m else "I←") for h, m in tree if h}
            assert {item for item in marked if item[2].startswith("I")} == of_arcs
        assert any("wrong" in node.marks for node in nodes)


@pytest.mark.parametrize("order", [1, 2])
def test_the_items_of_the_best_tree_are_those_that_the_chart_has_made_it_of(order):
    random = Random(5)
    for n in [1, 2, 3, 5, 8] * 6:
        scores = {}

        def score(*arc, scores=scores):
            return scores.setdefault(arc, random.random())

        chart = fill(n, score, score if order == 2 else None)
        tables = {"I→": chart.I_right, "I←": chart.I_left, "C→": chart.C_right, "C←": chart.C_left}
        tables |= {"S": chart.siblings, "root": chart.roots}
        arcs = {(h, m) for m, h in enumerate(chart.heads(), 1)}
        parts = [
            (name, entry)
            for name, table in tables.items()
            for (first, last), entry in table.items()
            if first < last and is_part(name, first, last, chart.heads(), order == 2)
        ]
        assert all(set(entry.arcs) <= arcs for _, entry in parts)
        whole = [entry for name, entry in parts if name in ("C→", "C←", "root")]
        assert max(whole, key=lambda entry: len(entry.arcs)).score == pytest.approx(
            chart.roots[0, chart.heads().index(0) + 1].score
        )
        assert [sum(name[0] == kind for name, _ in parts) for kind in "rI"] == [1, n - 1]


def test_a_grammars_chart_has_its_best_states_and_marks_the_tree():
    dog = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks))))"
    cat = "(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sleeps))))"
    grammar, words = Grammar(vertical=1).fit([dog, cat]), ["the", "cat", "barks"]
    chart = grammar.chart(words)
    nodes, _ = only_band(stacked("A chart", draw_cky(words, chart, grammar.root)))
    expected = [
        (j - 1, words[i], f"{state} {number(entry.score)}")
        for (i, j), cell in chart.items()
        for state, entry in cell.items()
    ]
    assert sorted((node.column, node.row, node.lines[0]) for node in nodes) == sorted(expected)
    assert {"NP", "DT", "NN", "TOP"} <= {node.lines[0].split()[0] for node in nodes if "gold" in node.marks}


def test_a_beam_has_the_scores_by_rank_and_says_where_gold_falls_off():
    early = 0
    for step in steps("parsing", "beam", epochs=3):
        seen, svg = step.search, search_picture(step)
        nodes = joined(svg)
        for k, scored in enumerate(seen.successors, 1):
            drawn = [node.lines for node in nodes if node.column == k]
            assert scored == sorted(scored, key=lambda pair: -pair[0])
            names = [(" ".join(made[-1]).strip(), number(score)) for score, made in scored]
            assert drawn[: seen.beam + 3] == names[: seen.beam + 3]
        of_gold = [node for node in nodes if "gold" in node.marks.split()][1:]
        assert ", ".join(node.lines[0] for node in of_gold[: len(seen.guess)]) == step.gold
        if "fell" in of_gold[-1].marks:
            early += 1
            assert f"gold falls off at step {len(seen.guess)}; the update is made at step {len(seen.guess)}" in svg
        else:
            assert "gold stays in the beam" in svg
    assert early > 2


def test_of_a_wide_beam_the_best_are_drawn_and_gold():
    gold = (("shift", ""),)
    made = [(20.0 - k, (("left", f"r{k}"),)) for k in range(15)]
    successors = [[*made[:12], (8.5, gold), *made[12:]], [(9.0, (*made[10][1], ("shift", "")))]]
    beams = Beams(14, successors, gold, made[0][1])
    nodes = joined(search_picture(SimpleNamespace(input=[("a",)], gold="", guess="", search=beams)))
    assert [node.lines[0] for node in nodes if node.column == 1] == [
        *(f"left r{k}" for k in range(8)),
        "shift",
        "left r13",
        "left r14",
    ]
    assert [node.marks for node in nodes if node.lines[0] == "shift"] == ["gold", ""]
    assert [node.lines[0] for node in nodes if "fell" in node.marks] == ["left r13", "left r14"]


def test_the_order_of_attachments_is_that_in_which_they_were_made():
    for step in steps("parsing", "easy-first"):
        seen, svg = step.search, search_picture(step)
        numbered = re.findall(r'class="deprel"[^>]*>(\d+)\. ([^<]+)<', svg)
        assert sorted((int(k), label) for k, label in numbered) == [(k, arc[2]) for k, arc in enumerate(seen.arcs, 1)]
        nodes, _ = only_band(svg)
        [gold] = [node for node in nodes if "gold" in node.marks]
        [guess] = [node for node in nodes if "guess" in node.marks]
        assert gold.lines == (number(seen.scores[seen.gold]),) and step.gold.startswith(gold.row.split()[0])
        assert guess.lines == (number(seen.scores[seen.guess]),) and step.guess.startswith(guess.row.split()[0])


def test_the_order_of_labels_is_that_in_which_they_were_given():
    for step in steps("chunking", "easiest-first"):
        seen = step.search
        nodes, _ = only_band(search_picture(step))
        assert {(node.column, node.row, node.lines[0]) for node in nodes} == {
            *((i, y, f"{k}.") for k, (i, y) in enumerate(seen.given, 1)),
            *((i, y, number(score)) for (i, y), score in seen.scores.items()),
        }
        assert [(node.column, node.row) for node in nodes if "gold" in node.marks] == [(step.input[0], step.gold)]
        assert [(node.column, node.row) for node in nodes if "guess" in node.marks] == [(step.input[0], step.guess)]


def test_an_update_without_a_search_has_no_picture():
    assert search_picture(steps("chunking", "greedy")[0]) is None
    assert search_picture(steps("parsing", "eisner", loss=constant(1.0))[0]) is None  # its chart has gold beside others


@pytest.mark.few(2)
@pytest.mark.parametrize("algorithm", ["viterbi-2", "easiest-first", "eisner-2", "easy-first", "beam"])
def test_searches_with_a_margin_and_sparse_weights_are_drawn(algorithm):
    example = "chunking" if algorithm in ("viterbi-2", "easiest-first") else "parsing"
    for step in steps(example, algorithm, loss=hamming(1.0), min_updates=2):
        assert all(nodes for nodes, _ in bands(search_picture(step)))


@pytest.mark.parametrize("words", [HOSTILE, ["Go"]], ids=["hostile", "one-word"])
def test_any_text_gives_well_formed_pictures(words):
    labels = ["<&>", "\x07", "名詞"]
    alpha, back = forward(len(words), labels, 1, after_each(lambda i, y: 0.0))
    rows = [(word, "") for word in words]
    path = tuple(labels[i % 3] for i in range(len(words)))
    trellis = SimpleNamespace(alpha=alpha, back=back)
    tree = SimpleNamespace(heads=tuple(range(len(words))))
    order = SimpleNamespace(words=words, given=[(0, "<&>")], scores={}, gold=(0, "<&>"), guess=(0, "\x07"))
    for gold, search in ((path, trellis), (tree, fill(len(words), lambda h, m: 0.0)), ("", order)):
        svg = search_picture(SimpleNamespace(input=rows, gold=gold, guess=gold, search=search))
        ElementTree.fromstring(svg)
        assert "\x1b" not in svg and "\N{RIGHT-TO-LEFT OVERRIDE}" not in svg
