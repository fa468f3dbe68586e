"""Training step by step: the laboratory's algorithms on a few sentences, update by update.

Other examples are files: `sapwood_lab.walks.own_examples`.

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
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from sapwood_lab.arc_parser import ArcParser
from sapwood_lab.beam import BeamParser
from sapwood_lab.draw.plane import svg_side_by_side
from sapwood_lab.dual import DualPerceptron
from sapwood_lab.easiest_first import EasiestFirstTagger
from sapwood_lab.easy_first import EasyFirstParser
from sapwood_lab.errors import OptionError
from sapwood_lab.greedy import GreedyTagger
from sapwood_lab.losses import hamming, regret
from sapwood_lab.multiclass import Multiclass
from sapwood_lab.parsing import Parser
from sapwood_lab.ranking import Ranker, RankingPerceptron
from sapwood_lab.step import Step
from sapwood_lab.tagging import Tagger
from sapwood_lab.tree_kernel import normalised, production, tree_kernel
from sapwood_lab.trees import nodes, read_tree
from sapwood_lab.viterbi import ViterbiTagger
from sapwood_lab.walks import plane, slides
from sapwood_lab.walks.own_examples import read_example
from sapwood_lab.walks.small import small_lists, small_points, small_treebank

CHUNKING = "U:word=%x[0,0]\nU:tag=%x[0,1]\nU:tags=%x[-1,1]/%x[0,1]\nB\n"
FORMS = "U:word=%x[0,0]\nU:before=%x[-1,0]\nU:after=%x[1,0]\nB\n"  # where a row has a word and a label alone
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


# The algorithms of each example, the first being the default, and what makes their learners.
EXAMPLES: dict[str, dict[str, Callable[..., Any]]] = {
    "chunking": {
        "viterbi": ViterbiTagger,
        "viterbi-2": lambda template, **options: ViterbiTagger(template + SECOND_ORDER, order=2, **options),
        "greedy": GreedyTagger,
        "easiest-first": lambda template, **options: EasiestFirstTagger(template + BOTH_SIDES, **options),
    },
    "parsing": {
        "eisner": partial(ArcParser, PARSING),
        "eisner-2": partial(ArcParser, PARSING, order=2),
        "easy-first": partial(EasyFirstParser, PARSING),
        "beam": partial(BeamParser, PARSING, beam=4),
    },
    "ranking": {
        "primal": lambda **options: RankingPerceptron(_words_of_phrases, base_weight=1.0, **options),
        "dual": lambda **options: DualPerceptron(normalised(_kernel), base_weight=0.1, **options),
    },
    "classification": {"perceptron": partial(slides.Signed, ("nonfinancial", "financial"), seed=None)},
    "averaging": {"perceptron": partial(slides.Signed, ("-", "+"), seed=None, epochs=1)},
    "plane": {"perceptron": partial(plane.PlanePerceptron, seed=None)},
    "overlap": {"perceptron": partial(plane.PlanePerceptron, seed=None)},
}


class Walk(NamedTuple):
    """An algorithm and its examples."""

    learner: Tagger | Parser | Ranker | Multiclass  # not trained
    steps: Callable[[], Iterator[Step]]  # trains it on the examples from scratch, and yields each update
    gold: Sequence[object]  # the right answer for each part of the examples
    guesses: Callable[[], Iterable[object]]  # the learner's answers
    before: str = ""  # to be read before the first update
    after: Callable[[Sequence[Step]], str] = lambda steps: ""  # a text to be read after the last update
    picture: Callable[[], str] = lambda: ""  # an SVG of the weights that were learned; empty if there is none

    def right(self) -> tuple[int, int]:
        """Return the numbers of labels, heads or choices that the weights as they are get right, and of all."""
        return sum(gold == guess for gold, guess in zip(self.gold, self.guesses(), strict=True)), len(self.gold)


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
    algorithm = algorithm or next(iter(EXAMPLES[kind]))
    if algorithm not in EXAMPLES[kind]:
        raise OptionError(f"the example {example} has the algorithms {', '.join(EXAMPLES[kind])}; not {algorithm}")
    loss = (regret if kind == "ranking" else hamming)(gamma) if gamma else None
    return _WALKS[kind](partial(EXAMPLES[kind][algorithm], **{"loss": loss} | options), *data)


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


def as_rows(steps: Sequence[Step]) -> list[dict[str, object]]:
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


def _chunking(make: Callable[..., Tagger], sentences: list[list[tuple[str, ...]]]) -> Walk:
    tagger = make(FORMS if len(sentences[0][0]) == 2 else CHUNKING)
    gold = [row[-1] for rows in sentences for row in rows]
    return Walk(tagger, partial(tagger.steps, sentences), gold, lambda: chain(*tagger.predict(sentences)))


def _parsing(
    make: Callable[..., Parser], words: list[list[Sequence[str]]], trees: list[tuple[list[int], list[str]]]
) -> Walk:
    parser = make()
    gold = list(chain(*(heads for heads, _ in trees)))
    steps = partial(parser.steps, words, trees)
    return Walk(parser, steps, gold, lambda: chain(*(tree.heads for tree in parser.predict(words))))


def _ranking(make: Callable[..., Ranker]) -> Walk:
    ranker, lists = make(), small_lists()

    def losses() -> Iterator[float]:
        for each, chosen in zip(lists, ranker.predict(lists), strict=True):
            yield each.candidates[chosen].loss or 0.0

    return Walk(ranker, partial(ranker.steps, lists), [0.0] * len(lists), losses)


def _classification(make: Callable[..., slides.Signed]) -> Walk:
    learner, X, y = make(), slides.texts(), [label for _, label in slides.TEXTS]
    after = partial(slides.learned_scores, learner)
    return Walk(learner, partial(learner.steps, X, y), y, partial(learner.predict, X), slides.linear_model(), after)


def _averaging(make: Callable[..., slides.Signed]) -> Walk:
    learner, (X, y) = make(), slides.four_updates()
    after = partial(slides.running_sums, learner)
    return Walk(learner, partial(learner.steps, X, y), y, partial(learner.predict, X), slides.FOUR, after)


def _plane(make: Callable[..., plane.PlanePerceptron], points: list[tuple[float, ...]], y: list[str]) -> Walk:
    classes = sorted(dict.fromkeys(y), key=lambda label: label[0] not in "-0")  # -1 or 0, else the one named first
    learner = make((classes[0], classes[1]))
    return Walk(
        learner,
        partial(learner.steps, points, y),
        y,
        lambda: learner.predict(learner.X),
        after=lambda steps: plane.three_perceptrons(learner),
        picture=lambda: svg_side_by_side(points, learner.signs, learner.W, learner.v, learner.classes),
    )


_MAKERS = (_chunking, _parsing, _ranking, _classification, _averaging, _plane, _plane)
_WALKS: dict[str, Callable[..., Walk]] = dict(zip(EXAMPLES, _MAKERS, strict=True))


def _kernel(x: str, y: str) -> float:
    return tree_kernel(read_tree(x), read_tree(y), 0.5)


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
