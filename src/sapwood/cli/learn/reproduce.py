"""``sapwood reproduce``: the tables and figures of papers and lectures, each a module of ``sapwood.experiments``."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from sapwood.base.command.files import Input, InputFolder, OutputFile, OutputFolder
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Verb, add_json, whole_number
from sapwood.base.optional import require
from sapwood.base.writing import make_folder
from sapwood.errors import OptionError
from sapwood.io.rows import measuring_command, write_measurements


class Experiment(NamedTuple):
    """The command line's entry for a module of ``sapwood.experiments``."""

    help: str  # one line
    about: str
    examples: tuple[str, ...]  # options
    needs: tuple[str, str] | None = None  # a library, and what needs it
    folders: str = ""  # the folders that --data may have; none: the experiment reads no data
    figure: str = ""  # subject of --figure; empty: there is no figure
    panels: str = ""  # patterns of the files of --pictures; empty: there is none
    declare: Callable[[ArgumentParser], None] = lambda parser: None  # adds further options


def _run(
    name: str,
    json: str | None,
    data: str | None = None,
    figure: str | None = None,
    pictures: str | None = None,
    **choices: object,
) -> None:
    from sapwood.base.drawing.figure import check_figure, save_figure

    _check_file(name, data, choices)
    needs = EXPERIMENTS[name].needs
    if needs is not None:
        require(*needs)
    if figure is not None:
        check_figure(figure)
    if pictures is not None:
        require("matplotlib", "drawing figures")
        folder = make_folder(pictures)
    experiment = import_module(f"sapwood.experiments.{name.replace('-', '_')}")

    def tell(corpus: str, name: str) -> None:
        show(f"{corpus}: {name} ...", sys.stderr)

    text, rows = experiment.run(data, tell, **choices)
    show(text)
    if json is not None:
        write_measurements(json, rows, _command(name, data, choices))
    if figure is not None:
        experiment.draw(rows, figure)
    if pictures is not None:
        for panel, drawn in experiment.panels_of(rows).items():
            with save_figure(folder / f"{panel}.svg", (4.5, 3.4)) as [axes]:
                drawn(axes)


def _check_file(name: str, data: str | None, choices: dict[str, object]) -> None:
    """Raise OptionError for options of FILE without it, and for --data beside it."""
    if choices.get("file") is not None:
        if data is not None:
            raise OptionError("FILE stands in place of the corpora in --data; give one of them")
        return
    parser = ArgumentParser()
    _options(name, parser)
    if given := [each for each in _OF_FILE if each in choices and choices[each] != parser.get_default(each)]:
        raise OptionError(f"--{given[0]} is about FILE, which is not given")


def _command(name: str, data: str | None, choices: dict[str, object]) -> str:
    """Return the command that measures this, with the options that are not the defaults."""
    from sapwood.datasets.corpora import data_folder

    parser = ArgumentParser()
    _options(name, parser)
    words = ["sapwood", "reproduce", name]
    if file := choices.get("file"):
        words.append(str(file))
    elif EXPERIMENTS[name].folders and (folder := data_folder(data)):
        words += ["--data", str(folder)]
    for action in parser._actions:
        value = choices.get(action.dest, action.default)
        if action.option_strings and value != action.default:
            given = value if isinstance(value, list) else [value]
            words += [word for each in given for word in (action.option_strings[-1], str(each))]
    return measuring_command(words)


def _options(name: str, parser: ArgumentParser) -> None:
    experiment = EXPERIMENTS[name]
    if experiment.folders:
        data = f"folder with {experiment.folders}; without, SAPWOOD_DATA, else generated data serve"
        parser.add_argument("--data", type=InputFolder, metavar="DIR", help=data)
    add_json(parser)
    if experiment.figure:
        figure = f"draw {experiment.figure}, as a .png, .svg or .pdf"
        parser.add_argument("--figure", type=OutputFile("picture"), metavar="FILE", help=figure)
    if experiment.panels:
        panels = "draw each panel of the figure by itself, as DIR/mistakes.svg and so on; the folder is made"
        parser.add_argument("--pictures", type=OutputFolder("picture", experiment.panels), metavar="DIR", help=panels)
    experiment.declare(parser)


def _add_rows(parser: ArgumentParser) -> None:
    only = "a row to measure (repeat for more); without, all"
    parser.add_argument("--only", action="append", default=[], metavar="ROW", help=only)
    parser.add_argument("--epochs", type=whole_number(1), default=10, metavar="N", help="passes over the data")


def _add_rows_and_seeds(parser: ArgumentParser) -> None:
    _add_rows(parser)
    seeds = "train each row with the seeds 1 to N: the mean and the range of the accuracy, and its significance"
    parser.add_argument("--seeds", type=whole_number(1, 1000), default=1, metavar="N", help=seeds)


def _add_file(parser: ArgumentParser, what: str) -> None:
    parser.add_argument("file", type=Input, metavar="FILE", nargs="?", help=f"{what} in place of the corpora")


_OF_FILE = ("format", "label", "text")  # options of a classifier that say how a FILE is read


def _add_examples(parser: ArgumentParser) -> None:
    from sapwood.tasks.classifying.options import ClassifierOptions

    _add_file(parser, "examples in any format that 'train classify' reads,")
    for name in _OF_FILE:
        option = ClassifierOptions.options()[name]
        more: dict[str, Any] = {"choices": option.choices} if option.choices else {"metavar": option.metavar}
        parser.add_argument(f"--{name}", default=option.default, help=f"FILE: {option.help}", **more)


def _add_tagged_file(parser: ArgumentParser) -> None:
    _add_rows(parser)
    kinds = "column file with the label in its last column, or treebank (.conllu) with tags"
    _add_file(parser, f"{kinds}, of which every tenth sentence is held out,")
    part = "tag the test set, or held-out data, on which options are chosen"
    parser.add_argument("--part", choices=["test", "dev"], default="test", help=part)


def _add_rows_and_treebanks(parser: ArgumentParser) -> None:
    _add_rows(parser)
    corpus = "UD English EWT, or the sample of the Penn Treebank; without, those that the folder has"
    parser.add_argument("--corpus", choices=["ewt", "wsj"], help=corpus)
    tags = "tags of the data, of a tagger, or of taggers trained in ten folds"
    parser.add_argument("--tags", choices=["gold", "predicted", "jackknife"], default="gold", help=tags)


def _add_model(parser: ArgumentParser) -> None:
    add = parser.add_argument
    model = "write the bundled pipeline, trained again, there"
    add("--model", type=OutputFile("model"), metavar="FILE", help=model)


def _add_shuffles(parser: ArgumentParser) -> None:
    add = parser.add_argument
    corpus = "movie reviews, or the most frequent sense of the word 'interest' against the others"
    add("--corpus", choices=["reviews", "interest"], default="reviews", help=corpus)
    add("--epochs", type=whole_number(1, 1000), default=10, metavar="N", help="passes over the data")
    add("--shuffles", type=whole_number(1, 10_000), default=20, metavar="N", help="orders of the training examples")


_SKLEARN = ("sklearn", "this experiment")
_NUMPY = ("numpy", "this experiment")
_LABORATORY = ("numpy", "the laboratory")

EXPERIMENTS = {
    "table1": Experiment(
        'Measure Table 1 of "Learning Sparser Perceptron Models": chunking.',
        "Accuracy against size, the paper's figures beside those that are measured here.",
        ("--data corpora --json table1.json", '--only "Avg. Percep" --only SAP10 --seeds 10'),
        folders="conll2000/",
        declare=_add_rows_and_seeds,
    ),
    "table2": Experiment(
        "Measure its Table 2: structured prediction, Eisner parsing.",
        "Attachment against size, the paper's figures beside those that are measured here.",
        ("--data corpora --corpus ewt --json table2.json", '--only "beam 8 margin SAP10" --tags jackknife'),
        folders="ewt/ and wsj_sample/",
        declare=_add_rows_and_treebanks,
    ),
    "table3": Experiment(
        "Measure its Table 3: guided learning, easy-first parsing.",
        "Attachment against size, the paper's figures beside those that are measured here.",
        ("--data corpora --corpus ewt --json table3.json", '--only "Avg. Percep" --only SAP10'),
        folders="ewt/ and wsj_sample/",
        declare=_add_rows_and_treebanks,
    ),
    "taggers": Experiment(
        "Measure HMM, MaxEnt tagger, CRF and perceptrons side by side.",
        "Tags and chunks: accuracy, size, time of training and of tagging. The HMM counts words and labels; the\n"
        "others have the same features. MaxEnt needs scikit-learn, and CRF python-crfsuite: a row whose library is\n"
        "missing says so (pip install 'sapwood[peers]').",
        ("--data corpora --json taggers.json", "train.txt --only HMM --only CRF"),
        folders="ewt/ or conll2000/, or both",
        declare=_add_tagged_file,
    ),
    "wsd": Experiment(
        "Measure word-sense disambiguation beside other learners.",
        "Word senses by cross-validation; the other learners have the same features and folds.",
        ("--data corpora --json wsd.json", "mine.jsonl"),
        needs=_SKLEARN,
        folders="interest/",
        declare=_add_examples,
    ),
    "sentiment": Experiment(
        "Measure sentiment classification beside other learners.",
        "Movie reviews by cross-validation; the other learners have the same features.",
        ("--data corpora --json sentiment.json", "reviews.csv --label stars --text review"),
        needs=_SKLEARN,
        folders="movie_reviews/",
        declare=_add_examples,
    ),
    "sparsity": Experiment(
        "Measure accuracy against size: SAP, pruning and L1 penalties.",
        "The sparse averaged perceptron (SAP) beside pruning by count and two L1 penalties.",
        ("--data corpora --json sparsity.json", "--data corpora --figure sparsity.png"),
        needs=_SKLEARN,
        folders="interest/ and movie_reviews/",
        figure="accuracy against size",
    ),
    "early-stopping": Experiment(
        "Measure training and held-out error after every pass.",
        "Vanilla and averaged perceptrons, and the averaged one with a margin, by cross-validation.",
        ("--data corpora --json early-stopping.json", "--data corpora --figure early-stopping.png"),
        needs=_SKLEARN,
        folders="interest/ and movie_reviews/",
        figure="the errors",
    ),
    "stability": Experiment(
        "Measure the held-out error of vanilla, voted and averaged.",
        "The figure of Freund & Schapire (1999): held-out error over passes, with its spread over shuffles of the\n"
        "training examples. Needs NumPy.",
        ("--data corpora --figure stability.png", "--data corpora --corpus interest --shuffles 50"),
        needs=_LABORATORY,
        folders="movie_reviews/ or interest/",
        figure="the errors",
        declare=_add_shuffles,
    ),
    "margins": Experiment(
        "Measure margins, mistakes and bounds of perceptrons.",
        "The smallest margins of vanilla, averaged and voted perceptrons and of a support vector machine on separable\n"
        "problems, over many orders of the examples; mistakes in training beside their bound; the convergence of the\n"
        "sparse averaged perceptron; and what scoring costs in primal and in dual form. Problems are generated, and\n"
        "--data adds one. Needs NumPy, and scikit-learn for the support vector machine.",
        ("--figure margins.pdf", "--pictures panels", "--data corpora --json margins.json"),
        needs=_LABORATORY,
        folders="movie_reviews/",
        figure="margins, votes, mistakes and times",
        panels="*.svg",
    ),
    "ranking": Experiment(
        "Rerank trees and chunks: gain, oracle and learning curve.",
        "The n best trees of a treebank grammar and the n best chunkings of the tagger are reranked. Prints the F1 of\n"
        "the base model's first candidate, of the rerankers' choices with the significance of their gain, and of the\n"
        "best candidate (the oracle), then how they grow with the training lists and the length of the lists.",
        ("--data corpora --json ranking.json", "--data corpora --figure ranking.png"),
        needs=_NUMPY,
        folders="treebank/ and conll2000/",
        figure="the learning curves",
    ),
    "english": Experiment(
        "Train the bundled English pipeline again, and score it.",
        "Trains a pipeline on treebanks and on text that a larger model labelled, and drops its smallest weights.\n"
        "Prints whether it has the bundled one's bytes again; a curve of bytes against scores on development data;\n"
        "the table of the CoNLL-2018 shared task on the test sets of EWT and GUM, from raw text, from words, and from\n"
        "words in capitals, in small letters and without a final mark; and the F1 of names. It takes 40 CPU\n"
        "minutes, and 10 GB of memory.",
        ("--data corpora --json english.json", "--data corpora --model en.sap"),
        folders="ewt/, gum/, silver/, ewt_names/, names/, gazetteers/, clusters/ and lexicon/",
        declare=_add_model,
    ),
    "kernels": Experiment(
        "Measure what kernels cost, and what they gain in a reranker.",
        "Prints what one evaluation of the tree kernel costs over the size of trees, beside the table of all pairs of\n"
        "nodes; then the F1 of rerankers in dual form with tree, subsequence and polynomial kernels, beside explicit\n"
        "features.",
        ("--data corpora --json kernels.json", "--data corpora --figure kernels.png"),
        needs=_NUMPY,
        folders="treebank/",
        figure="the cost by size, and F1 by decay",
    ),
}


def _help(name: str, experiment: Experiment) -> str:
    examples = "".join(f"  sapwood reproduce {name} {options}".rstrip() + "\n" for options in experiment.examples)
    return f"{experiment.help}\n\n{experiment.about}\n\nExamples:\n{examples}"


VERBS = {
    f"reproduce {name}": Verb(_help(name, experiment), partial(_options, name), partial(_run, name))
    for name, experiment in EXPERIMENTS.items()
}
