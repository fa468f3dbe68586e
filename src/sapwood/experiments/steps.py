"""Training step by step: the laboratory's algorithms on a few sentences, update by update.

==============  ============================================
chunking        viterbi, viterbi-2, greedy, easiest-first
parsing         eisner, eisner-2, easy-first, beam
ranking         primal, dual
classification  perceptron
averaging       perceptron
plane           perceptron
overlap         perceptron
==============  ============================================

Other examples are files: `sapwood.experiments.own_examples`.

>>> walk = make_walk("chunking")
>>> first = next(walk.steps())
>>> first.number, first.guess
(1, ('B-NP', 'B-NP', 'B-NP', 'B-NP', 'B-NP', 'B-NP'))
>>> for _ in walk.steps():
...     pass
>>> walk.right()
(39, 39)
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sapwood.datasets.small import small_lists, small_points, small_treebank
from sapwood.draw.plane import svg_side_by_side
from sapwood.errors import OptionError
from sapwood.experiments import Row, plane, slides
from sapwood.experiments.own_examples import read_example
from sapwood.lab.arc_parser import ArcParser
from sapwood.lab.beam import BeamParser
from sapwood.lab.dual import DualPerceptron
from sapwood.lab.easiest_first import EasiestFirstTagger
from sapwood.lab.easy_first import EasyFirstParser
from sapwood.lab.greedy import GreedyTagger
from sapwood.lab.losses import hamming, regret
from sapwood.lab.multiclass import Multiclass
from sapwood.lab.parsing import Parser
from sapwood.lab.ranker import Ranker
from sapwood.lab.ranking import RankingPerceptron
from sapwood.lab.step import Step
from sapwood.lab.tagging import Tagger
from sapwood.lab.tree_kernel import normalised, production, tree_kernel
from sapwood.lab.trees import nodes, read_tree
from sapwood.lab.viterbi import ViterbiTagger

EXAMPLES = {
    "chunking": ("viterbi", "viterbi-2", "greedy", "easiest-first"),
    "parsing": ("eisner", "eisner-2", "easy-first", "beam"),
    "ranking": ("primal", "dual"),
    "classification": ("perceptron",),
    "averaging": ("perceptron",),
    "plane": ("perceptron",),
    "overlap": ("perceptron",),
}

CHUNKING = "U:%x[0,0]\nU:%x[0,1]\nU:%x[-1,1]/%x[0,1]\nB\n"
FORMS = "U:%x[0,0]\nU:%x[-1,0]\nU:%x[1,0]\nB\n"  # where a row has nothing but a word and a label
BOTH_SIDES = "U:%y[-1]/%y[+1]\n"
SECOND_ORDER = "B2:%y[-2]/%y[-1]\n"
PARSING = """
[arcs]
ht mt
hw mw
ht bt mt
[siblings]
ht st mt
[attachments]
p0t p1t
p0w p1w
p0t p1t p2t
[transitions]
S0t N0t
S0w N0w
S1t S0t N0t
"""


class Walk:
    """An algorithm and its examples.

    learner : the algorithm, not trained
    steps : trains it on the examples from scratch, and yields each update
    answers : pairs of the right answer and the learner's, for each part of the examples
    before : a text to be read before the first update
    after : gives one to be read after the last, from the updates that were made
    picture : draws one of what was learned, as an SVG; empty if there is none
    """

    def __init__(
        self,
        learner: Tagger | Parser | Ranker | Multiclass,
        steps: Callable[[], Iterator[Step]],
        answers: Callable[[], Iterator[tuple[object, object]]],
        before: str = "",
        after: Callable[[Sequence[Step]], str] = lambda steps: "",
        picture: Callable[[], str] = lambda: "",
    ) -> None:
        self.learner, self.steps, self._answers, self.before, self.after = learner, steps, answers, before, after
        self.picture = picture

    def right(self) -> tuple[int, int]:
        """Return how many labels, heads or choices the weights as they are get right, and how many there are."""
        pairs = list(self._answers())
        return sum(gold == guess for gold, guess in pairs), len(pairs)


def make_walk(example: str, algorithm: str | None = None, gamma: float = 0.0, **options: Any) -> Walk:
    """Return an example with an algorithm, without one the first of `EXAMPLES`; options are those of the learner.

    example : one of `EXAMPLES`, or the path of a file as `read_example` reads it
    gamma : cost of a wrong part while training; of a wrong candidate, of a unit of its loss

    Raises OptionError if the example does not have the algorithm, DataError for a file that cannot be walked through.
    """
    if example in EXAMPLES:
        kind, data = example, _shipped(example)
    elif Path(example).exists():
        kind, data = read_example(example, as_labels=algorithm in EXAMPLES["chunking"])
    else:
        raise OptionError(f"{example} is no file and none of the examples, which are {', '.join(EXAMPLES)}")
    algorithm = algorithm or EXAMPLES[kind][0]
    if algorithm not in EXAMPLES[kind]:
        raise OptionError(f"the example {example} has the algorithms {', '.join(EXAMPLES[kind])}; not {algorithm}")
    make: dict[str, Callable[..., Walk]] = {
        "chunking": _chunking,
        "parsing": _parsing,
        "ranking": _ranking,
        "classification": _classification,
        "averaging": _averaging,
        "plane": _plane,
        "overlap": _plane,
    }
    loss = regret(gamma) if kind == "ranking" else hamming(gamma)
    return make[kind](algorithm, {"loss": loss} | options, *data)


def _shipped(example: str) -> tuple[Any, ...]:
    """Return the data of an example that may have others, too."""
    bank = small_treebank()
    match example:
        case "chunking":
            return ([list(zip(s.words, s.tags, s.chunks, strict=True)) for s in bank],)
        case "parsing":
            return [list(zip(s.words, s.tags, strict=True)) for s in bank], [(s.heads, s.deprels) for s in bank]
        case "plane" | "overlap":
            return small_points(overlap=example == "overlap")
    return ()


def as_rows(steps: Sequence[Step]) -> list[Row]:
    """Return updates as rows for ``--json``: the violation has feature, output, value, weight before and after."""
    return [
        {
            "name": f"update {step.number}",
            "pass": step.epoch,
            "clock": step.clock,
            "gold": step.gold,
            "guess": step.guess,
            "violation": [[*key, n, step.before[key], step.after[key]] for key, n in step.violation.items()],
        }
        for step in steps
    ]


def _chunking(algorithm: str, options: dict[str, Any], sentences: list[list[tuple[str, ...]]]) -> Walk:
    template = FORMS if len(sentences[0][0]) == 2 else CHUNKING
    tagger: Tagger
    if algorithm == "greedy":
        tagger = GreedyTagger(template, **options)
    elif algorithm == "easiest-first":
        tagger = EasiestFirstTagger(template + BOTH_SIDES, **options)
    elif algorithm == "viterbi-2":
        tagger = ViterbiTagger(template + SECOND_ORDER, order=2, **options)
    else:
        tagger = ViterbiTagger(template, **options)

    def answers() -> Iterator[tuple[str, str]]:
        for rows, labels in zip(sentences, tagger.predict(sentences), strict=True):
            yield from zip((row[-1] for row in rows), labels, strict=True)

    return Walk(tagger, partial(tagger.steps, sentences), answers)


def _parsing(
    algorithm: str, options: dict[str, Any], words: list[list[Sequence[str]]], trees: list[tuple[list[int], list[str]]]
) -> Walk:
    parser: Parser
    if algorithm == "easy-first":
        parser = EasyFirstParser(PARSING, **options)
    elif algorithm == "beam":
        parser = BeamParser(PARSING, beam=4, **options)
    else:
        parser = ArcParser(PARSING, order=2 if algorithm == "eisner-2" else 1, **options)

    def answers() -> Iterator[tuple[int, int]]:
        for (heads, _), tree in zip(trees, parser.predict(words), strict=True):
            yield from zip(heads, tree.heads, strict=True)

    return Walk(parser, partial(parser.steps, words, trees), answers)


def _ranking(algorithm: str, options: dict[str, Any]) -> Walk:
    lists = small_lists()
    ranker: Ranker
    if algorithm == "primal":
        ranker = RankingPerceptron(_words_of_phrases, base_weight=1.0, **options)
    else:

        def kernel(x: str, y: str) -> float:
            return tree_kernel(read_tree(x), read_tree(y), 0.5)

        ranker = DualPerceptron(normalised(kernel), base_weight=0.1, **options)

    def answers() -> Iterator[tuple[float, float]]:
        for each, chosen in zip(lists, ranker.predict(lists), strict=True):
            yield 0.0, each.candidates[chosen].loss or 0.0

    return Walk(ranker, partial(ranker.steps, lists), answers)


def _classification(_: str, options: dict[str, Any]) -> Walk:
    X, y = slides.texts(), [label for _, label in slides.TEXTS]
    learner = slides.Signed(("nonfinancial", "financial"), **{"seed": None} | options)

    def answers() -> Iterator[tuple[str, str]]:
        yield from zip(y, learner.predict(X), strict=True)

    steps = partial(learner.steps, X, y)
    return Walk(learner, steps, answers, slides.linear_model(), partial(slides.learned_scores, learner))


def _averaging(_: str, options: dict[str, Any]) -> Walk:
    X, y = slides.four_updates()
    learner = slides.Signed(("-", "+"), **{"seed": None, "epochs": 1} | options)

    def answers() -> Iterator[tuple[str, str]]:
        yield from zip(y, learner.predict(X), strict=True)

    steps, after = partial(learner.steps, X, y), partial(slides.running_sums, learner)
    return Walk(learner, steps, answers, slides.FOUR, after)


def _plane(_: str, options: dict[str, Any], points: list[tuple[float, ...]], y: list[str]) -> Walk:
    classes = sorted(dict.fromkeys(y), key=lambda label: label[0] not in "-0")  # -1 or 0, else the one named first
    learner = plane.PlanePerceptron((classes[0], classes[1]), **{"seed": None} | options)

    def answers() -> Iterator[tuple[str, str]]:
        yield from zip(y, learner.predict(learner.X), strict=True)

    def picture() -> str:
        return svg_side_by_side(points, learner.signs, learner.W, learner.v)

    steps = partial(learner.steps, points, y)
    return Walk(learner, steps, answers, after=lambda steps: plane.three_perceptrons(learner), picture=picture)


def _words_of_phrases(tree: str) -> Counter[str]:
    """Return features of a tree: each production, and the first word of each phrase below its parent."""
    found: Counter[str] = Counter()
    for node in nodes(read_tree(tree)):
        label, below = production(node)
        if isinstance(below, tuple):
            found[f"{label} -> {' '.join(below)}"] += 1
            for child in node[1]:
                first = child
                while not isinstance(first[1], str):
                    first = first[1][0]
                if child is not first:
                    found[f"{child[0]} in {label}: {first[1]}"] += 1
    return found
