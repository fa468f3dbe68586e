"""``sapwood eval``, ``compare`` and ``drift``: how good a model is, which is better, which texts are of its kind."""

from argparse import ArgumentParser
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from sapwood.base.command.files import Input, OutputFile
from sapwood.base.command.terminal import show_report
from sapwood.base.command.verb import Verb, add_json, whole_number
from sapwood.base.table import write_rows
from sapwood.cli.base.verb import ModelInput, add_model, add_threads, input_list
from sapwood.errors import DataError, OptionError
from sapwood.io.conllu import checked_text, is_conllu, read_treebank
from sapwood.io.entities import with_names
from sapwood.io.labels import LABELS, read_labels
from sapwood.io.source import read_bytes, shown
from sapwood.loading import is_model, load_model
from sapwood.model.file.bundled import model_path
from sapwood.options import Values
from sapwood.parts import COLUMNS

if TYPE_CHECKING:
    from sapwood.metrics.conll2018 import Conll2018Report
    from sapwood.metrics.labels import Report

EVAL = """Score a model, or any system's output in CoNLL-U, on a FILE with gold answers.

A tagger reads a column file: accuracy, precision, recall and F1 of each label, and for BIO labels the report of
conlleval. A classifier reads examples: the same, and which label was taken for which, and if it is calibrated how many
answers are right if only the surest are given, as tables and, with --figure, as a picture; of examples with any number
of labels, how many have exactly the right ones, and precision, recall and F1. A parser reads CoNLL-U: UAS, LAS and CLAS
with and without punctuation, exact trees, and scores by relation, distance and sentence length. A lemmatizer or
splitter reads CoNLL-U: how many lemmas are right, or words of tokens. A pipeline reads CoNLL-U, too: the table of the
CoNLL-2018 shared task, from raw text or from the words, and names (NER in MISC, or --names). A grammar reads trees in
brackets: PARSEVAL, as evalb counts with COLLINS.prm. A reranker reads lists with gold answers or losses: what it
chooses beside the first and the best candidates. '-' is standard input.

In place of a model there may be CoNLL-U that a system made of the raw text of FILE: UDPipe, Stanza, this one or
another. It is compared as the CoNLL-2018 shared task does: sentences, tokens and words may differ, the text without
spaces may not.

Examples:
  sapwood eval chunker.sap test.txt
  sapwood eval reviews.sap test.txt --figure confusions.png
  sapwood eval parser.sap test.conllu --json scores.json
  sapwood eval en test.conllu --from text
  sapwood eval en test.conllu --names test-names.iob2
  sapwood eval udpipe.conllu test.conllu
"""
DRIFT = """Say whether new texts are like old ones, or like the training data, without gold answers.

NEW and OLD are files as MODEL reads them: examples, a column file, CoNLL-U; of a pipeline a text, CoNLL-U, or JSON
lines with "text". Three things are compared: familiarity, which is the share of a text's words that are frequent in the
model's training data; confidence, if the model is calibrated; and the shares of the labels that the model gives. Each
has a size and a p-value, and a line that says what has changed: no more than chance, a small change, a change, or a
large one. Without OLD familiarity is compared with what the model's file keeps of its training data, and so are the
labels of a classifier; labels that a model often takes for others are a change then, too, so OLD says more.

Examples:
  sapwood drift reviews.sap this-week.jsonl
  sapwood drift reviews.sap this-week.jsonl last-week.jsonl --json drift.json
  sapwood drift en new.txt old.txt
"""


def _eval_options(parser: ArgumentParser) -> None:
    model = "a model file, or a system's output in CoNLL-U"
    parser.add_argument("model", type=ModelInput, metavar="MODEL", help=model)
    file = "a column file, examples, CoNLL-U, trees in brackets, or lists"
    parser.add_argument("file", type=Input, metavar="FILE", help=file)
    add_json(parser)
    figure = "draw a classifier's confusions, and precision by coverage, as a .png, .svg or .pdf"
    parser.add_argument("--figure", type=OutputFile("picture"), metavar="FILE", help=figure)
    given = "what a pipeline is given of CoNLL-U: its raw text, put together by SpaceAfter, or its words"
    parser.add_argument("--from", dest="given", choices=["text", "tokens"], default="text", help=given)
    names = "files of names for FILE, as 'train pipeline' takes them; without, NER= in MISC"
    parser.add_argument("--names", type=input_list, metavar="FILE,...", help=names)
    labels = "rename FILE's labels, or refuse those that are not allowed, as in 'train classify' (classifiers)"
    parser.add_argument("--labels", type=Input, metavar="FILE", help=labels)
    skip_bad = "leave out sentences without a usable tree, which are counted (parsers and pipelines)"
    parser.add_argument("--skip-bad", action="store_true", help=skip_bad)
    add_threads(parser)


def _eval(
    model: str,
    file: str,
    json: str | None,
    figure: str | None,
    given: str,
    names: list[str] | None,
    labels: str | None,
    skip_bad: bool,
    threads: int,
) -> None:
    from sapwood.base.drawing.figure import check_figure

    if (output := _system_output(model, file)) is not None:
        if figure is not None or labels is not None or given == "tokens" or skip_bad:
            raise OptionError(
                "--figure, --labels, --from and --skip-bad are for models; a system's output is compared as it is"
            )
        _show(_scores_of(output, shown(model), file, names), model, json)
        return
    loaded = load_model(model).set_params(threads=threads)
    if figure is not None:
        check_figure(figure)
        if loaded.task != "classify" or loaded.get_params().get("multi_label"):
            raise OptionError("--figure draws the confusions of a classifier of one label; this model is none")
    if given == "tokens" and loaded.task != "pipeline":
        raise OptionError("--from tokens is for pipelines; other models are given what they read")
    if names and loaded.task != "pipeline":
        raise OptionError("--names is for pipelines and for a system's output; other models find none")
    if labels is not None:
        if loaded.task != "classify":
            raise OptionError("--labels is for classifiers; other models have no labels of examples")
        loaded.set_params(labels=labels)
    if skip_bad and loaded.task not in ("parse", "pipeline"):
        raise OptionError("--skip-bad is for parsers and pipelines; other models read no trees")
    options: Values = {"tokens": given == "tokens", "names": names or ()} if loaded.task == "pipeline" else {}
    options |= {"skip_bad": True} if skip_bad else {}
    report = loaded.evaluate(Path(file), **options)
    _show(report, model, json)
    if figure is not None:
        from sapwood.metrics.pictures import draw_confusion

        draw_confusion(report.confusion, figure, coverage=report.coverage)  # type: ignore[attr-defined]


def _show(report: "Report", model: str, json: str | None) -> None:
    show_report(report.format())
    if json is not None:
        write_rows(json, [{"name": shown(model), **report.as_dict()}])


def _system_output(system: str, gold: str) -> bytes | None:
    """Return the bytes of a system's output in CoNLL-U; None if the name is to be that of a model.

    The sign of a model is its header. A text is an output if its first row is CoNLL-U, or that of the gold file.
    """
    if system == "-" == gold:
        raise OptionError("standard input is one file; name a file for the other")
    if system == "-":
        return read_bytes(system)
    if is_model(str(model_path(system))) or is_model(gold) or not Path(system).exists() or Path(system).is_dir():
        return None
    data = read_bytes(system)
    if is_conllu(data):
        return data
    may_be = system.endswith(".sap") or b"\0" in data[:_LOOKED_AT] or not Path(gold).is_file()
    return None if may_be or not is_conllu(read_bytes(gold)) else data


def _scores_of(output: bytes, name: str, gold: str, names: list[str] | None) -> "Conll2018Report":
    from sapwood.metrics.conll2018 import conll2018_scores

    treebank, unnamed = read_treebank(Path(gold)), list[int]()
    if names:
        treebank, unnamed = with_names(treebank, list(map(Path, names)))
    checked_text(treebank)
    if not output.strip():
        raise DataError(f"{name}: there is no sentence in it")
    return conll2018_scores(treebank, output, system_name=name, unnamed=unnamed)


_LOOKED_AT = 1000  # bytes, of which none is 0 in a text
# Where labels are few, their mean F1 says something, and so do labels that gold does not have.
_CLASSES = (LABELS, *(column.compared for column in COLUMNS if column.is_tagset))

COMPARE = """Compare two systems' answers: scores and significance of their difference, or what changes without gold.

What two systems said is compared with the gold labels: their scores, a 95 % confidence interval of the difference, and
its significance by paired bootstrap, approximate randomisation and the sign test.

GOLD decides how the three files are read. CoNLL-U (what 'sapwood annotate' and 'parse' write) is compared word by word:
tags, features, lemmas, trees and names, as far as GOLD and a system have them. Other files with blank lines between
others are column files, the label in the last column (what 'sapwood tag' writes), and sentences are drawn; for BIO
labels F1 is that of chunks. Otherwise each line is an example, its label in the first column (what 'sapwood classify'
writes), maybe none or several with | between them, and GOLD may be a file of examples, too. Use --column where the
labels are in another column, and where GOLD has only one sentence.

Without GOLD the answers are compared with each other, as when B takes the place of A: how many labels change, from what
to what, and where. A and B may be models then, and the third file is texts for them: examples have their texts.

Examples:
  sapwood compare old.sap new.sap texts.jsonl
  sapwood compare a.out b.out
  sapwood classify a.sap test.txt > a.out; sapwood classify b.sap test.txt > b.out
  sapwood compare a.out b.out test.txt
  sapwood compare tagged-a.txt tagged-b.txt test.txt --json comparison.json
  sapwood compare a.txt b.txt gold.txt --column 2
  sapwood compare a.conllu b.conllu gold.conllu
"""


def _compare_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("a", type=ModelInput, metavar="A", help="what the first system said, or a model")
    add("b", type=ModelInput, metavar="B", help="what the second system said, or a model")
    gold = "what is right; of models the texts that they answer; without, A and B are compared with each other"
    add("gold", type=Input, metavar="GOLD", nargs="?", help=gold)
    column = "the column that the labels are in, counted from 1, or from -1 at the end"
    add("--column", type=whole_number(-9999, 9999), metavar="N", help=column)
    add("--label", default="label", metavar="NAME", help="what GOLD calls the label, if it is csv or jsonl")
    add("--samples", type=whole_number(100, 10_000_000), default=10_000, metavar="N", help="samples to draw")
    add_json(parser)


def _compare(a: str, b: str, gold: str | None, column: int | None, label: str, samples: int, json: str | None) -> None:
    models = _are_models(a, b)
    if gold is None or models:
        _changes(a, b, gold, column, label, json, models=models)
        return
    from sapwood.metrics import compare
    from sapwood.metrics.evaluation import warn_of_tagset

    texts, rows = [], []
    for what, (known, *said) in read_labels(gold, a, b, column=column, label=label).items():
        for name, labels in zip((a, b), said, strict=True) if what in _CLASSES else ():
            warn_of_tagset(shown(name), chain.from_iterable(labels), chain.from_iterable(known), shown(gold))
        result = compare(known, *said, samples=samples, macro=what in _CLASSES)
        texts.append(result.format() if what == LABELS else f"{what}\n{result.format()}")
        rows.append({"a": shown(a), "b": shown(b), "gold": shown(gold), "what": what, **result.as_dict()})
    show_report("\n\n".join(texts))
    if json is not None:
        write_rows(json, rows)


def _are_models(a: str, b: str) -> bool:
    """Return true if both are models. Raises OptionError if only one of them is."""
    models = [name for name in (a, b) if is_model(str(model_path(name)))]
    if len(models) == 1:
        raise OptionError(f"{shown(models[0])} is a model, and the other is none; give two models or none")
    return bool(models)


def _changes(
    a: str, b: str, texts: str | None, column: int | None, label: str, json: str | None, *, models: bool
) -> None:
    from sapwood.metrics.significance import Changes

    if models:
        if texts is None:
            raise OptionError("two models need texts to answer: sapwood compare OLD NEW TEXTS")
        from sapwood.explain.drift import changes

        found = {LABELS: changes(load_model(a), load_model(b), Path(texts))}
    else:
        found = {what: Changes(old, new) for what, (old, new) in read_labels(a, b, column=column, label=label).items()}
    show_report(
        "\n\n".join(each.format() if what == LABELS else f"{what}\n{each.format()}" for what, each in found.items())
    )
    if json is not None:
        about = {"a": shown(a), "b": shown(b)} | ({} if texts is None else {"texts": shown(texts)})
        write_rows(json, [{**about, "what": what, **each.as_dict()} for what, each in found.items()])


def _drift_options(parser: ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("new", type=Input, metavar="NEW", help="new texts")
    parser.add_argument("old", type=Input, metavar="OLD", nargs="?", help="old texts; without, the training data")
    add_json(parser)
    add_threads(parser)


def _drift(model: str, new: str, old: str | None, json: str | None, threads: int) -> None:
    from sapwood.explain.drift import drift

    loaded = load_model(model).set_params(threads=threads)
    _show(drift(loaded, Path(new), None if old is None else Path(old)), model, json)


VERBS = {
    "eval": Verb(EVAL, _eval_options, _eval),
    "compare": Verb(COMPARE, _compare_options, _compare),
    "drift": Verb(DRIFT, _drift_options, _drift),
}
