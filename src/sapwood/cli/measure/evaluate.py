"""``sapwood eval`` and ``compare``: how good a model is, and whether another one is better."""

from argparse import ArgumentParser
from itertools import chain
from pathlib import Path

from sapwood.cli.base.files import Input, Output
from sapwood.cli.base.terminal import show_report
from sapwood.cli.base.verb import Verb, add_json, add_model, add_threads, whole_number
from sapwood.errors import OptionError
from sapwood.io.labels import LABELS, NAMES, read_labels
from sapwood.io.rows import write_rows
from sapwood.io.source import shown
from sapwood.model.load import load_model

EVAL = """Score a model on a FILE with gold answers.

A tagger reads a column file: accuracy, precision, recall and F1 of each label, and for BIO labels the report of
conlleval. A classifier reads examples: the same, and which label was taken for which, as a table and, with --figure, as
a picture; of examples with any number of labels, how many have exactly the right ones, and precision, recall and F1. A
parser reads CoNLL-U: UAS, LAS and CLAS with and without punctuation, exact trees, and scores by relation, distance and
sentence length. A lemmatizer or splitter reads CoNLL-U: how many lemmas are right, or words of tokens. A pipeline reads
CoNLL-U, too: the table of the CoNLL-2018 shared task, from raw text or from the words, and names (NER in MISC). A
grammar reads trees in brackets: PARSEVAL, as evalb counts with COLLINS.prm. A reranker reads lists with gold answers or
losses: what it chooses beside the first and the best candidates. '-' is standard input.

Examples:
  sapwood eval chunker.sap test.txt
  sapwood eval reviews.sap test.txt --figure confusions.png
  sapwood eval parser.sap test.conllu --json scores.json
  sapwood eval en test.conllu --from text
"""


def _eval_options(parser: ArgumentParser) -> None:
    add_model(parser)
    file = "a column file, examples, CoNLL-U, trees in brackets, or lists"
    parser.add_argument("file", type=Input, metavar="FILE", help=file)
    add_json(parser)
    figure = "draw a classifier's confusions as a .png or .svg"
    parser.add_argument("--figure", type=Output("picture"), metavar="FILE", help=figure)
    given = "what a pipeline is given of CoNLL-U: its raw text, put together by SpaceAfter, or its words"
    parser.add_argument("--from", dest="given", choices=["text", "tokens"], default="text", help=given)
    add_threads(parser)


def _eval(model: str, file: str, json: str | None, figure: str | None, given: str, threads: int) -> None:
    from sapwood.draw.figure import check_figure

    loaded = load_model(model).set_params(threads=threads)
    if figure is not None:
        check_figure(figure)
        if loaded.task != "classify" or loaded.get_params().get("multi_label"):
            raise OptionError("--figure draws the confusions of a classifier of one label; this model is none")
    if given == "tokens" and loaded.task != "pipeline":
        raise OptionError("--from tokens is for pipelines; other models are given what they read")
    report = loaded.evaluate(Path(file), **({"tokens": True} if given == "tokens" else {}))
    show_report(report.format())
    if figure is not None:
        from sapwood.draw.confusion import draw_confusion
        from sapwood.metrics import confusion

        draw_confusion(confusion(report.gold, report.guess), figure)  # type: ignore[attr-defined]
    if json is not None:
        write_rows(json, [{"name": shown(model), **report.as_dict()}])


_CLASSES = (LABELS, NAMES, "UPOS", "XPOS")  # where the mean F1 of the labels says something

COMPARE = """Compare two systems' answers: scores and significance of their difference.

What two systems said is compared with the gold labels: their scores, a 95 % confidence interval of the difference, and
its significance by paired bootstrap, approximate randomisation and the sign test.

GOLD decides how the three files are read. CoNLL-U (what 'sapwood annotate' and 'parse' write) is compared word by word:
tags, features, lemmas, trees and names, as far as GOLD and a system have them. Other files with blank lines between
others are column files, the label in the last column (what 'sapwood tag' writes), and sentences are drawn; for BIO
labels F1 is that of chunks. Otherwise each line is an example, its label in the first column (what 'sapwood classify'
writes), maybe none or several with | between them, and GOLD may be a file of examples, too. Use --column where the
labels are in another column, and where GOLD has only one sentence.

Examples:
  sapwood classify a.sap test.txt > a.out; sapwood classify b.sap test.txt > b.out
  sapwood compare a.out b.out test.txt
  sapwood compare tagged-a.txt tagged-b.txt test.txt --json comparison.json
  sapwood compare a.txt b.txt gold.txt --column 2
  sapwood compare a.conllu b.conllu gold.conllu
"""


def _compare_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("a", type=Input, metavar="A", help="what the first system said")
    add("b", type=Input, metavar="B", help="what the second system said")
    add("gold", type=Input, metavar="GOLD", help="what is right")
    column = "the column that the labels are in, counted from 1, or from -1 at the end"
    add("--column", type=whole_number(-9999, 9999), metavar="N", help=column)
    add("--label", default="label", metavar="NAME", help="what GOLD calls the label, if it is csv or jsonl")
    add("--samples", type=whole_number(100, 10_000_000), default=10_000, metavar="N", help="samples to draw")
    add_json(parser)


def _compare(a: str, b: str, gold: str, column: int | None, label: str, samples: int, json: str | None) -> None:
    from sapwood.metrics import compare
    from sapwood.metrics.evaluation import warn_of_tagset

    texts, rows = [], []
    for what, (known, *said) in read_labels(gold, a, b, column=column, label=label).items():
        for name, labels in zip((a, b), said, strict=True):
            warn_of_tagset(shown(name), chain.from_iterable(labels), chain.from_iterable(known), shown(gold))
        result = compare(known, *said, samples=samples, macro=what in _CLASSES)
        texts.append(result.format() if what == LABELS else f"{what}\n{result.format()}")
        rows.append({"a": shown(a), "b": shown(b), "gold": shown(gold), "what": what, **result.as_dict()})
    show_report("\n\n".join(texts))
    if json is not None:
        write_rows(json, rows)


VERBS = {
    "eval": Verb(EVAL, _eval_options, _eval),
    "compare": Verb(COMPARE, _compare_options, _compare),
}
