"""``sapwood eval``, ``compare`` and ``calibrate``: how good a model is, and how far its confidences can be trusted."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from sapwood.cli.files import Input, Output, input_list
from sapwood.cli.flags import add_threads
from sapwood.cli.options import Verb, add_json, add_model, add_seed, whole_number
from sapwood.cli.terminal import print_report
from sapwood.errors import OptionError
from sapwood.io.labels import read_labels
from sapwood.io.rows import write_rows
from sapwood.model.capabilities import Calibrates, able
from sapwood.optional import require

EVAL = """Score a model on a FILE with gold answers.

A tagger reads a column file: accuracy, precision, recall and F1 of each label, and for BIO labels the report of
conlleval. A classifier reads examples: the same, and which label was taken for which, as a table and, with --figure, as
a picture; of examples with any number of labels, how many have exactly the right ones, and precision, recall and F1. A
parser reads CoNLL-U: UAS, LAS and CLAS with and without punctuation, exact trees, and scores by relation, distance and
sentence length. A lemmatizer or splitter reads CoNLL-U: how many lemmas are right, or words of tokens. A pipeline reads
CoNLL-U, too: the table of the CoNLL-2018 shared task, from raw text or from the words. A grammar reads trees in
brackets: PARSEVAL, as evalb counts with COLLINS.prm. A reranker reads lists with gold answers or losses: what it
chooses beside the first and the best candidates. '-' is standard input.

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
    from sapwood.model.load import load_model

    loaded = load_model(model).set_params(threads=threads)
    if figure is not None:
        check_figure(figure)
        if loaded.task != "classify" or loaded.get_params().get("multi_label"):
            raise OptionError("--figure draws the confusions of a classifier of one label; this model is none")
    if given == "tokens" and loaded.task != "pipeline":
        raise OptionError("--from tokens is for pipelines; other models are given what they read")
    report = loaded.evaluate(Path(file), **({"tokens": True} if given == "tokens" else {}))
    print_report(report.format())
    if figure is not None:
        from sapwood.draw.confusion import draw_confusion
        from sapwood.metrics import confusion

        draw_confusion(confusion(report.gold, report.guess), figure)  # type: ignore[attr-defined]
    if json is not None:
        write_rows(json, [{"name": model, **report.as_dict()}])


COMPARE = """Compare two systems' answers: scores and significance of their difference.

What two systems said is compared with the gold labels: their scores, a 95 % confidence interval of the difference, and
its significance by paired bootstrap, approximate randomisation and the sign test.

GOLD decides how the three files are read. With blank lines between others they are column files, the label in the last
column (what 'sapwood tag' writes), and sentences are drawn; for BIO labels F1 is that of chunks. Otherwise each line is
an example, its label in the first column (what 'sapwood classify' writes), and GOLD may be a file of examples, too. Use
--column where the labels are in another column, and where GOLD has only one sentence.

Examples:
  sapwood classify a.sap test.txt > a.out; sapwood classify b.sap test.txt > b.out
  sapwood compare a.out b.out test.txt
  sapwood compare tagged-a.txt tagged-b.txt test.txt --json comparison.json
  sapwood compare a.txt b.txt gold.txt --column 2
"""


def _compare_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("a", type=Input, metavar="A", help="what the first system said")
    add("b", type=Input, metavar="B", help="what the second system said")
    add("gold", type=Input, metavar="GOLD", help="what is right")
    column = "the column that the labels are in, counted from 1, or from -1 at the end"
    add("--column", type=whole_number(-9999, 9999), metavar="N", help=column)
    add("--samples", type=whole_number(100, 10_000_000), default=10_000, metavar="N", help="samples to draw")
    add_seed(parser, "the draws")
    add_json(parser)


def _compare(a: str, b: str, gold: str, column: int | None, samples: int, seed: int, json: str | None) -> None:
    from sapwood.metrics import compare

    require("numpy", "comparing systems")
    result = compare(*read_labels(gold, a, b, column=column), samples=samples, seed=seed)
    print_report(result.format())
    if json is not None:
        write_rows(json, [{"a": a, "b": b, "gold": gold, **result.as_dict()}])


CALIBRATE = """Fit a model's confidences on held-out data.

DEV has gold answers that training did not see: labelled examples for a classifier, sentences for a tagger, trees for a
parser, a treebank for a pipeline. The calibration is stored in the model. 'sapwood classify' then gives confidences
instead of margins; 'sapwood tag', 'parse' and 'annotate' add them with --confidence. How far they are from the truth is
printed, by cross-validation over DEV in five folds. All methods but temperature need scikit-learn.

Examples:
  sapwood calibrate reviews.sap dev.txt
  sapwood calibrate reviews.sap dev.txt --method isotonic -o calibrated.sap
  sapwood calibrate parser.sap dev.conllu
  sapwood calibrate english.sap dev.conllu --names dev-names.iob2
"""


def _calibrate_options(parser: ArgumentParser) -> None:
    add_model(parser)
    add = parser.add_argument
    add("dev", type=Input, metavar="DEV", help="data with gold answers, in the format of the training data")
    methods = (
        "of a classifier: one temperature, which is the default; a curve a label (Platt); or a step function a label, "
        "for a thousand examples or more; of other models: isotonic"
    )
    add("--method", choices=["temperature", "sigmoid", "isotonic"], help=methods)
    names = "of a pipeline: files of names for DEV, as 'train pipeline' takes them; without, NER= in MISC"
    add("--names", type=input_list, metavar="FILE,...", help=names)
    output = "write the model there; without, MODEL is replaced"
    add("-o", "--output", type=Output("model", over=["model"]), metavar="FILE", help=output)
    add("-q", "--quiet", action="store_true", help="print nothing")


def _calibrate(
    model: str, dev: str, method: str | None, names: list[str] | None, output: str | None, quiet: bool
) -> None:
    from sapwood.model.bundled import BUNDLED
    from sapwood.model.file.container import check_writable
    from sapwood.model.load import load

    if output is None and model in BUNDLED:
        raise OptionError(f"{model} is part of the package; name the calibrated model by --output")
    check_writable(output or model)
    fitted = load(model)
    found = able(fitted, Calibrates).calibrate_on(Path(dev), method=method, names=names or ())
    fitted.save(output or model)
    if not quiet:
        print(f"{output or model}: calibrated on {dev}; {found}", file=sys.stderr)


VERBS = {
    "calibrate": Verb(CALIBRATE, _calibrate_options, _calibrate),
    "eval": Verb(EVAL, _eval_options, _eval),
    "compare": Verb(COMPARE, _compare_options, _compare),
}
