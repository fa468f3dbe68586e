"""Training as steps: what an update says, how it is drawn, and `sapwood steps`."""

import json
import os
import pty
import re
import select
import subprocess
import sys
from xml.etree import ElementTree

import pytest

import sapwood_lab.binary.algorithms
from sapwood_lab.average import Average
from sapwood_lab.base.drawing.sentence import cells
from sapwood_lab.command.steps import STEPS
from sapwood_lab.draw.step_pictures import svg_step
from sapwood_lab.draw.steps import text_step
from sapwood_lab.dual import dot
from sapwood_lab.easiest_first import EasiestFirstTagger
from sapwood_lab.errors import DataError, OptionError, TemplateError
from sapwood_lab.greedy import GreedyTagger
from sapwood_lab.losses import hamming
from sapwood_lab.multiclass import Multiclass
from sapwood_lab.parsing import is_projective
from sapwood_lab.trees import nodes, read_tree
from sapwood_lab.viterbi import ViterbiTagger
from sapwood_lab.walks import slides
from sapwood_lab.walks.slides import running_sums
from sapwood_lab.walks.small import small_lists, small_treebank
from sapwood_lab.walks.walk import EXAMPLES, make_walk

ALL = [(example, algorithm) for example, algorithms in EXAMPLES.items() for algorithm in algorithms]


@pytest.mark.few(5)
@pytest.mark.parametrize(("example", "algorithm"), ALL)
@pytest.mark.parametrize(
    "options",
    [{}, {"gamma": 1.0, "min_updates": 2}, {"min_updates": 2, "count_updates": "weight"}],
    ids=["perceptron", "margin", "by-weight"],
)
def test_each_step_says_what_the_weights_learned(example, algorithm, options):
    by_weight = options.get("count_updates") == "weight"
    if by_weight and algorithm.removesuffix("-2") not in ("viterbi", "eisner", "beam"):
        with pytest.raises(OptionError, match="count_updates is feature or, for structures"):
            make_walk(example, algorithm, **options)
        return
    walk = make_walk(example, algorithm, epochs=4, average=False, **options)
    weights, counts = {}, {}
    if example == "ranking" and algorithm == "primal":
        weights = {("score", "better"): 1.0}
    for number, step in enumerate(walk.steps(), 1):
        assert step.number == number
        assert step.before == {key: weights.get(key, 0.0) for key in step.violation}
        assert step.after == {key: step.before[key] + n for key, n in step.violation.items()}
        weights |= step.after
        counted = {key: key if by_weight else key[0] for key in step.violation}
        counts |= {each: counts.get(each, 0) + 1 for each in counted.values()}
        assert step.counts == {key: counts[each] for key, each in counted.items()}
        assert walk.learner.w == weights
        text, svg = text_step(step), svg_step(step)
        assert max(map(cells, text.split("\n"))) <= 80
        assert ElementTree.fromstring(svg).get("aria-label") == text.split("\n")[0]
    assert walk.learner.updates == number > 1
    right, count = walk.right()
    assert right >= 0.7 * count


def test_the_average_comes_at_the_end():
    walk = make_walk("chunking", epochs=2)
    for _ in walk.steps():
        assert all(w == int(w) for w in walk.learner.w.values())
    assert not all(w == int(w) for w in walk.learner.w.values())
    naive = make_walk("chunking", epochs=2, average=Average)
    for _ in naive.steps():
        pass
    total, presented = naive.learner.averaging.w_s, walk.learner.c
    assert presented == 2 * 6
    assert walk.learner.w == {key: value / presented for key, value in total.items()}


def test_the_small_treebank_is_consistent():
    for s in small_treebank():
        assert len(s.words) == len(s.tags) == len(s.chunks) == len(s.heads) == len(s.deprels)
        assert is_projective(s.heads)
        assert s.deprels[s.heads.index(0)] == "root"
        for tree in filter(None, (s.tree, s.other_tree)):
            leaves = [node for node in nodes(read_tree(tree)) if isinstance(node[1], str)]
            assert leaves == list(zip(s.tags, s.words, strict=True))
    for each in small_lists():
        assert sorted(candidate.loss for candidate in each.candidates) == [0, 1]


def test_words_that_would_steer_a_terminal_or_close_a_tag_are_shown_harmless():
    rows = [("\x1b[31m<b>&", "D"), ("x" * 200, "N\N{RIGHT-TO-LEFT OVERRIDE}")]
    for make in (GreedyTagger, ViterbiTagger):
        for step in make("U:%x[0,0]\nB\n", epochs=1).steps([rows]):
            text = text_step(step)
            assert text.replace("\n", "").isprintable()
            assert max(map(cells, text.split("\n"))) <= 80
            assert "\x1b" not in "".join(ElementTree.fromstring(svg_step(step)).itertext())


def test_a_decision_about_no_sentence_shows_its_features():
    step = next(Multiclass(epochs=1, seed=None).steps([{"a": 1}, {"b": 2}], ["x", "y"]))
    assert text_step(step).split("\n")[1:4] == ["{'b': 2}", "gold   y", "guess  x"]


@pytest.mark.parametrize("make", [GreedyTagger, EasiestFirstTagger, ViterbiTagger])
def test_templates_of_taggers_are_read(make):
    assert [line.text for line in make("# a comment\n\nU:%x[0,0]\n  B\n").lines] == ["U:%x[0,0]", "B"]
    assert make("U:%X[0,0]\n", epochs=1).fit([[("The", "D"), ("Dog", "N")]]).U.keys() == {"U:dog"}
    for line in ("U:%suffix[0,0]", "U:%suffix[0,0,0]", "U:%x[0]", "U:%y[-3]", 'U:%t[0,0,"a"]', "U:%shape[0,0,1]"):
        with pytest.raises(TemplateError, match=r"knows the macros %x .* %y only: "):
            make(line)


def test_options_and_data_that_cannot_be_are_refused():
    for options in ({"min_updates": -1}, {"epochs": 0}):
        with pytest.raises(OptionError, match="min_updates is a number from 0"):
            Multiclass(**options)
    for gamma in (-1, float("nan"), float("inf")):
        with pytest.raises(OptionError, match="gamma is a number from 0, not "):
            hamming(gamma)
    with pytest.raises(OptionError, match="order is 1 or 2"):
        ViterbiTagger("B\n", order=3)
    with pytest.raises(DataError, match="1 examples have 0 labels"):
        Multiclass().fit([{}], [])
    with pytest.raises(DataError, match="no example"):
        ViterbiTagger("B\n").fit([])


def test_the_laboratory_needs_nothing_but_python():
    """Only the perceptrons for two classes need NumPy, and they are imported when they are asked for."""
    code = (
        "import sys; sys.modules['numpy'] = sys.modules['rich'] = None\n"
        "import pkgutil, sapwood_lab, sapwood_lab.draw.step_pictures\n"
        "names = [m.name for m in pkgutil.iter_modules(sapwood_lab.__path__) if m.name != 'binary']\n"
        "for name in names: __import__('sapwood_lab.' + name)\n"
        "print(len(names) > 15)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("True\n", "")
    assert sapwood_lab.AveragedLazy is sapwood_lab.binary.algorithms.AveragedLazy
    with pytest.raises(AttributeError, match=r"'sapwood_lab' has no attribute 'Nothing'"):
        _ = sapwood_lab.Nothing


# The command


@pytest.mark.few(3)
@pytest.mark.parametrize("example", EXAMPLES)
def test_reproduce_steps_writes_updates_and_pictures(run_lab, tmp_path, example):
    rows, folder = tmp_path / "steps.json", tmp_path / "a" / "b"
    arguments = ["steps", "--example", example, "--json", rows, "--pictures", folder]
    run = run_lab(arguments)
    assert (run.status, run.err) == (0, "")
    lines = run.out.splitlines()
    assert max(map(cells, lines)) <= 80
    assert run.out.startswith(make_walk(example).before)
    assert next(line for line in lines if line.startswith("update ")).startswith("update 1: pass 1, after ")
    updates, right, count = re.fullmatch(
        r"(\d+) updates: with the weights as they are now, (\d+) of (\d+) answers are right", lines[-1]
    ).groups()
    assert int(right) == int(count) - (example == "overlap")  # no line parts its points
    found = json.loads(rows.read_text())["rows"]
    assert [row["name"] for row in found] == [f"update {k}" for k in range(1, int(updates) + 1)]
    assert {len(part) for row in found for part in row["violation"]} == {5}
    assert len(list(folder.glob("step-*.svg"))) == len(found)
    assert run_lab(arguments).out == run.out
    first = run_lab([*arguments[:3], "--updates", 1])
    assert first.out.partition("update 1: ")[2].split("\n\n")[0] == run.out.partition("update 1: ")[2].split("\n\n")[0]
    assert first.out.splitlines()[-1].startswith("1 update: ")


def test_the_slide_has_its_scores_and_its_texts_are_learned_from_nothing(run_lab):
    x, other = slides.texts()
    assert [round(dot(slides.WEIGHTS, text), 2) for text in (x, other)] == [6.59, -6.74]
    cut = {**x, "relativeOffset": 0.6}, {**other, "relativeOffset": 0.2}
    assert [round(dot(slides.WEIGHTS, text), 2) for text in cut] == [6.52, -6.81]  # not what the slide has
    run = run_lab(["steps", "--example", "classification"])
    assert [line.split() for line in run.out.splitlines() if line.startswith("w . phi")] == [
        ["w", ".", "phi", "6.59", "-6.74"]
    ]
    assert run.out.count("update ") == 2
    assert all(text in run.out for text, _ in slides.TEXTS)
    walk = make_walk("classification", epochs=1)
    first = next(walk.steps())
    assert first.violation == {(percept, "financial"): value for percept, value in x.items()}
    assert set(first.before.values()) == {0.0}


def test_averaging_adds_up_four_three_two_and_one(run_lab):
    run = run_lab(["steps", "--example", "averaging"])
    numbers = {line.split("  ")[0].strip(): line.split()[-4:] for line in run.out.splitlines() if line[:1] in "wc"}
    assert numbers["w after update 2"] == ["1", "1", "0", "0"]
    assert numbers["w_s, the sum of w"] == ["4", "3", "2", "1"]
    assert numbers["w_a, the sum of c dw"] == ["0", "1", "2", "3"]
    assert numbers["c w - w_a, where c = 4"] == ["4", "3", "2", "1"]


@pytest.mark.parametrize("epochs", [1, 3])
@pytest.mark.parametrize("example", ["averaging", "classification"])
def test_running_sums_are_the_learners(example, epochs):
    walk = make_walk(example, epochs=epochs, average=Average)
    lines = running_sums(walk.learner, list(walk.steps())).splitlines()
    assert lines[-3].split()[-len(walk.learner.w) :] == lines[-1].split()[-len(walk.learner.w) :]
    assert [float(n) for n in lines[-1].split()[-len(walk.learner.w) :]] == pytest.approx(
        list(walk.learner.averaging.w_s.values()), rel=1e-4
    )


def test_help_has_every_algorithm():
    for example, algorithms in EXAMPLES.items():
        assert re.search(rf"^  {example} +{', '.join(algorithms)}$", STEPS, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--algorithm", "beam"], "the example chunking has the algorithms viterbi, viterbi-2, greedy, easiest-first"),
        (["--gamma", "-1"], "gamma is a number from 0, not -1.0"),
        (["--enter"], "--enter needs a terminal"),
    ],
)
def test_what_cannot_be_walked_is_refused(run_lab, arguments, message):
    run = run_lab(["steps", *arguments])
    assert run.status == 2
    assert run.err.startswith(f"sapwood-lab: {message}")
    assert run.err.count("\n") == 1


def test_a_folder_that_cannot_be_made_is_said_before_the_walk(run_lab):
    run = run_lab(["steps", "--pictures", "/dev/null/x"])
    assert run == (
        1,
        "",
        "sapwood-lab: /dev/null/x: cannot be written: its parent is not a directory; choose another path\n",
    )


def test_enter_on_a_terminal_shows_the_next_update(spawn_lab):
    """Each Enter shows the next update; the end of input ends the walk."""
    terminal, other = pty.openpty()
    process = spawn_lab(["steps", "--enter"], stdin=other, stdout=other, stderr=other)
    os.close(other)
    shown = b""

    def read():
        assert select.select([terminal], [], [], 60)[0]
        try:
            return os.read(terminal, 4096)
        except OSError:  # Linux's way to say that the other side is closed
            return b""

    for number, answer in enumerate((b"\n", b"\n", b"\x04"), 1):
        while shown.count(b"Ctrl-D: the end ") < number:
            shown += read()
        os.write(terminal, answer)
    while data := read():
        shown += data
    os.close(terminal)
    assert process.wait(60) == 0
    assert b"update 3: " in shown
    assert b"update 4: " not in shown
    assert b"3 updates: with the weights as they are now" in shown
