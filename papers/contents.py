"""The tables and figures that ``python -m papers`` measures, by name: their helps and options."""

from typing import Any

from measure.experiment import OF_FILE, Experiment
from sapwood.base.command.files import Input
from sapwood.base.command.verb import Parser, whole_number


def _add_rows(parser: Parser) -> None:
    only = "a row to measure (repeat for more); without, all"
    parser.add_argument("--only", action="append", default=[], metavar="ROW", help=only)
    parser.add_argument("--epochs", type=whole_number(1), default=10, metavar="N", help="passes over the data")


def _add_rows_and_seeds(parser: Parser) -> None:
    _add_rows(parser)
    seeds = "train each row with the seeds 1 to N: the mean and the range of the accuracy, and its significance"
    parser.add_argument("--seeds", type=whole_number(1, 1000), default=1, metavar="N", help=seeds)


def _add_file(parser: Parser, what: str) -> None:
    parser.add_argument("file", type=Input, metavar="FILE", nargs="?", help=f"{what} in place of the corpora")


def _add_examples(parser: Parser) -> None:
    from sapwood.tasks.classifying.options import ClassifierOptions

    _add_file(parser, "examples in any format that 'train classify' reads,")
    for name in OF_FILE:
        option = ClassifierOptions.options()[name]
        more: dict[str, Any] = {"choices": option.choices} if option.choices else {"metavar": option.metavar}
        parser.add_argument(f"--{name}", default=option.default, help=f"FILE: {option.help}", **more)


def _add_tagged_file(parser: Parser) -> None:
    _add_rows(parser)
    kinds = "column file with the label in its last column, or treebank (.conllu) with tags"
    _add_file(parser, f"{kinds}, of which every tenth sentence is held out,")
    part = "tag the test set, or held-out data, on which options are chosen"
    parser.add_argument("--part", choices=["test", "dev"], default="test", help=part)


def _add_rows_and_treebanks(parser: Parser) -> None:
    _add_rows(parser)
    corpus = "UD English EWT, or the sample of the Penn Treebank; without, those that the folder has"
    parser.add_argument("--corpus", choices=["ewt", "wsj"], help=corpus)
    tags = "tags of the data, of a tagger, or of taggers trained in ten folds"
    parser.add_argument("--tags", choices=["gold", "predicted", "jackknife"], default="gold", help=tags)


def _add_shuffles(parser: Parser) -> None:
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
        "papers.table1",
        'Measure Table 1 of "Learning Sparser Perceptron Models": chunking.',
        "Accuracy against size, the paper's figures beside those that are measured here.",
        ("--data corpora --json table1.json", '--only "Avg. Percep" --only SAP10 --seeds 10'),
        folders="conll2000/",
        declare=_add_rows_and_seeds,
    ),
    "table2": Experiment(
        "papers.table2",
        "Measure its Table 2: structured prediction, Eisner parsing.",
        "Attachment against size, the paper's figures beside those that are measured here.",
        ("--data corpora --corpus ewt --json table2.json", '--only "beam 8 margin SAP10" --tags jackknife'),
        folders="ewt/ and wsj_sample/",
        declare=_add_rows_and_treebanks,
    ),
    "table3": Experiment(
        "papers.table3",
        "Measure its Table 3: guided learning, easy-first parsing.",
        "Attachment against size, the paper's figures beside those that are measured here.",
        ("--data corpora --corpus ewt --json table3.json", '--only "Avg. Percep" --only SAP10'),
        folders="ewt/ and wsj_sample/",
        declare=_add_rows_and_treebanks,
    ),
    "taggers": Experiment(
        "papers.taggers",
        "Measure HMM, MaxEnt tagger, CRF and perceptrons side by side.",
        "Tags and chunks: accuracy, size, time of training and of tagging. The HMM counts words and labels; the\n"
        "others have the same features. MaxEnt needs scikit-learn, and CRF python-crfsuite: a row whose library is\n"
        "missing says so (pip install 'sapwood[peers]').",
        ("--data corpora --json taggers.json", "train.txt --only HMM --only CRF"),
        folders="ewt/ or conll2000/, or both",
        declare=_add_tagged_file,
    ),
    "wsd": Experiment(
        "papers.wsd",
        "Measure word-sense disambiguation beside other learners.",
        "Word senses by cross-validation; the other learners have the same features and folds.",
        ("--data corpora --json wsd.json", "mine.jsonl"),
        needs=_SKLEARN,
        folders="interest/",
        declare=_add_examples,
    ),
    "sentiment": Experiment(
        "papers.sentiment",
        "Measure sentiment classification beside other learners.",
        "Movie reviews by cross-validation; the other learners have the same features.",
        ("--data corpora --json sentiment.json", "reviews.csv --label stars --text review"),
        needs=_SKLEARN,
        folders="movie_reviews/",
        declare=_add_examples,
    ),
    "sparsity": Experiment(
        "papers.sparsity",
        "Measure accuracy against size: SAP, pruning and L1 penalties.",
        "The sparse averaged perceptron (SAP) beside pruning by count and two L1 penalties.",
        ("--data corpora --json sparsity.json", "--data corpora --figure sparsity.png"),
        needs=_SKLEARN,
        folders="interest/ and movie_reviews/",
        figure="accuracy against size",
    ),
    "early-stopping": Experiment(
        "papers.early_stopping",
        "Measure training and held-out error after every pass.",
        "Vanilla and averaged perceptrons, and the averaged one with a margin, by cross-validation.",
        ("--data corpora --json early-stopping.json", "--data corpora --figure early-stopping.png"),
        needs=_SKLEARN,
        folders="interest/ and movie_reviews/",
        figure="the errors",
    ),
    "stability": Experiment(
        "papers.stability",
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
        "papers.margins",
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
        "papers.ranking",
        "Rerank trees and chunks: gain, oracle and learning curve.",
        "The n best trees of a treebank grammar and the n best chunkings of the tagger are reranked. Prints the F1 of\n"
        "the base model's first candidate, of the rerankers' choices with the significance of their gain, and of the\n"
        "best candidate (the oracle), then how they grow with the training lists and the length of the lists.",
        ("--data corpora --json ranking.json", "--data corpora --figure ranking.png"),
        needs=_NUMPY,
        folders="treebank/ and conll2000/",
        figure="the learning curves",
    ),
    "kernels": Experiment(
        "papers.kernels",
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
