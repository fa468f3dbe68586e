"""`sapwood steps --example FILE`: columns, CoNLL-U and points of one's own, and their pictures."""

import re
import sys

import pytest

from sapwood_lab import AveragedLazy, Vanilla, VotedImproved
from sapwood_lab.walks.plane import PlanePerceptron
from sapwood_lab.walks.small import small_points, small_treebank
from sapwood_lab.walks.walk import make_walk

CHUNKS = "the DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n\nit PRP B-NP\nruns VBZ B-VP\n"
POINTS = "1 2 1 yes\n-1 0.5 1 no\n\n2 -1 1 yes\n-2 1 1 no\n"
CROSSING = [(1, 3), (2, 0), (3, 2), (4, 1)]  # words and their heads


def conllu(heads):
    rows = (
        f"{word}\tw{word}\t_\t{'NOUN' if head else 'VERB'}\tNN\t_\t{head}\t{'dep' if head else 'root'}\t_\t_"
        for word, head in heads
    )
    return "\n".join(["# a comment", *rows, "", ""])


TREES = conllu([(1, 2), (2, 0), (3, 2)]) + conllu([(1, 0), (2, 1)])


@pytest.mark.parametrize(
    ("name", "text", "algorithm", "learner", "answers"),
    [
        ("a.txt", CHUNKS, None, "ViterbiTagger", 5),
        ("a.txt", CHUNKS, "easiest-first", "EasiestFirstTagger", 5),
        ("a.txt", "the D\ndog N\n", "viterbi-2", "ViterbiTagger", 2),
        ("a.conllu", TREES, None, "ArcParser", 5),
        ("a.txt", TREES, "beam", "BeamParser", 5),
        ("a.conllu", TREES, "greedy", "GreedyTagger", 5),
        ("a.conllu", conllu(CROSSING), "viterbi", "ViterbiTagger", 4),
        ("a.txt", POINTS, None, "PlanePerceptron", 4),
        ("a.txt", POINTS.replace(" 1 ", " "), "perceptron", "PlanePerceptron", 4),
    ],
)
def test_a_file_is_walked_through_by_what_is_in_it(run_lab, tmp_path, name, text, algorithm, learner, answers):
    file = tmp_path / name
    file.write_text(text)
    walk = make_walk(str(file), algorithm, epochs=2)
    assert type(walk.learner).__name__ == learner
    assert len(list(walk.steps())) >= 1
    assert walk.right()[1] == answers
    run = run_lab(["steps", "--example", file, *(["--algorithm", algorithm] if algorithm else [])])
    assert run.status == 0, run.err
    assert run.out.startswith("update 1: pass 1, after ")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", CHUNKS + "\n" + "w T L\n" * 41, "sentence 3 has 41 words; at most 40 can be walked through: cut it"),
        ("a.txt", "w L\n\n" * 201, "201 sentences; at most 200 can be walked through: give a file of the first"),
        ("a.conllu", TREES + conllu(CROSSING), "sentence 3 has arcs that cross, which the laboratory's parsers cannot"),
        ("a.conllu", "dog NN\n", "a.conllu:1: "),
        ("a.txt", "dog\n", "a line has a word and, in its last column, a label"),
        ("a.txt", "dog N\ncat\n", "a.txt:2: "),
        ("a.txt", "1 2 yes\n2 x no\n", "point 2 is '2 x no'; a line is x1 x2 LABEL"),
        ("a.txt", "1 2 1 yes\n2 1 2 no\n", "point 2 is '2 1 2 no'; a line is x1 x2 LABEL"),
        ("a.txt", "1 2 yes\n2 1 yes\n", "the labels are 'yes'; a line parts points of two"),
        ("a.txt", "1 2 a\n2 1 b\n1 1 c\n", "the labels are 'a, b, c'; a line parts points of two"),
        ("a.txt", "1 2 a\n2 1 b\n" * 101, "202 points; at most 200 can be walked through"),
        ("a.txt", "", "there is no sentence in it"),
        ("a.conllu", "", "there is no sentence in it"),
    ],
)
def test_what_cannot_be_walked_through_is_refused_with_its_place(run_lab, tmp_path, name, text, message):
    file = tmp_path / name
    file.write_text(text)
    run = run_lab(["steps", "--example", file, "--pictures", tmp_path / "pictures"])
    assert (run.status, run.out, run.err.count("\n")) == (1, "", 1)
    assert run.err.startswith(f"sapwood-lab: {file}")
    assert message in run.err


def test_neither_an_example_nor_a_file(run_lab, tmp_path):
    run = run_lab(["steps", "--example", tmp_path / "absent"])
    assert run.status == 2
    assert "absent is no file and none of the examples, which are chunking, parsing" in run.err
    file = tmp_path / "a.txt"
    file.write_text(CHUNKS)
    run = run_lab(["steps", "--example", file, "--algorithm", "eisner"])
    assert run.status == 2
    assert "has the algorithms viterbi, viterbi-2, greedy, easiest-first; not eisner" in run.err
    run = run_lab(["steps", "--example", file, "--pictures", file])
    assert (run.status, file.read_text()) == (1, CHUNKS)


@pytest.mark.parametrize("overlap", [False, True])
def test_the_steps_in_the_plane_have_the_weights_and_votes_of_the_perceptrons(overlap):
    points, labels = small_points(overlap)
    learner = PlanePerceptron(("-", "+"), epochs=5, seed=None)
    steps = list(learner.steps(points, labels))
    y = [1 if label == "+" else -1 for label in labels]
    X = [list(point) for point in points]
    vanilla, voted, averaged = (make().fit(X, y, epochs=5) for make in (Vanilla, VotedImproved, AveragedLazy))
    for w, w_i in zip(learner.W, voted.output, strict=True):
        assert list(w_i) == pytest.approx(w, abs=1e-9)
    assert learner.v == voted.votes
    assert list(vanilla.output) == pytest.approx(learner.W[-1], abs=1e-9)
    sums = [sum(n * w for n, w in zip(learner.v, column, strict=True)) for column in zip(*learner.W, strict=True)]
    assert list(averaged.output) == pytest.approx(sums, abs=1e-6)
    for k, step in enumerate(steps, start=1):
        assert list(step.search.W) == learner.W[: k + 1]
        assert sum(step.search.v) == step.clock + 1
        assert str(step.input) == "(" + ", ".join(f"{c:g}" for c in points[step.search.updated]) + ")"


def test_pictures_are_a_folder_a_page_or_a_pdf(run_lab, tmp_path):
    steps = ["steps", "--example", "plane", "--epochs", 1]
    folder, page = tmp_path / "made" / "pictures", tmp_path / "plane.html"
    assert run_lab([*steps, "--pictures", folder]).status == 0
    count = len(list(make_walk("plane", epochs=1).steps()))
    assert {path.name for path in folder.iterdir()} == {
        "three-perceptrons.svg", *(f"step-{k:02}.svg" for k in range(1, count + 1))
    }  # fmt: skip
    assert "the line after update 1" in (folder / "step-01.svg").read_text()
    assert run_lab([*steps, "--pictures", page]).status == 0
    names = re.findall('<section aria-label="([^"]+)">', page.read_text())
    assert len(names) == count + 1
    assert names[-1] == "after the last update"
    assert page.read_text().count("voted     ") == 1
    notes = tmp_path / "notes.html"
    notes.write_text("my notes")
    run = run_lab([*steps, "--pictures", notes])
    assert (run.status, notes.read_text()) == (2, "my notes")


@pytest.mark.slow
def test_a_pdf_has_a_page_for_each_update(run_lab, tmp_path, monkeypatch):
    steps = ["steps", "--example", "plane", "--epochs", 1, "--pictures", tmp_path / "plane.pdf"]
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "cairosvg", None)
        run = run_lab(steps)
    assert (run.status, run.out) == (2, "")
    assert "writing a PDF needs CairoSVG: pip install CairoSVG" in run.err
    pytest.importorskip("cairosvg")
    assert run_lab(steps).status == 0
    count = len(list(make_walk("plane", epochs=1).steps()))
    assert f"/Count {count + 1}\n".encode() in (tmp_path / "plane.pdf").read_bytes()


def test_the_small_treebank_as_a_file_makes_the_same_steps(tmp_path):
    file = tmp_path / "small.txt"
    rows = (zip(s.words, s.tags, s.chunks, strict=True) for s in small_treebank())
    file.write_text("\n\n".join("\n".join(map(" ".join, sentence)) for sentence in rows))
    for one, other in zip(make_walk(str(file)).steps(), make_walk("chunking").steps(), strict=True):
        assert one[:10] == other[:10]
