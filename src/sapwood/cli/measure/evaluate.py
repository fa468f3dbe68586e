"""``sapwood eval``, ``compare`` and ``drift``: how good a model is, which is better, which texts are of its kind."""

from argparse import ArgumentParser
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from sapwood.base.command.files import Input, OutputFile
from sapwood.base.command.terminal import show_report
from sapwood.base.command.verb import Verb, add_json, whole_number
from sapwood.base.table import write_rows
from sapwood.cli.base.verb import ModelInput, add_model, add_threads, help_of, input_list
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
        _show_scores(_scores_of(output, shown(model), file, names), model, json)
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
    _show_scores(report, model, json)
    if figure is not None:
        from sapwood.metrics.pictures import draw_confusion

        draw_confusion(report.confusion, figure, coverage=report.coverage)  # type: ignore[attr-defined]


def _show_scores(report: "Report", model: str, json: str | None) -> None:
    _show([report.format()], json, [{"name": shown(model), **report.as_dict()}])


def _show(tables: list[str], json: str | None, rows: list[Values]) -> None:
    """Print tables, and write the rows of figures to the file of --json."""
    show_report("\n\n".join(tables))
    if json is not None:
        write_rows(json, rows)


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
    _show(texts, json, rows)


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
    tables = [each.format() if what == LABELS else f"{what}\n{each.format()}" for what, each in found.items()]
    about = {"a": shown(a), "b": shown(b)} | ({} if texts is None else {"texts": shown(texts)})
    _show(tables, json, [{**about, "what": what, **each.as_dict()} for what, each in found.items()])


def _drift_options(parser: ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("new", type=Input, metavar="NEW", help="new texts")
    parser.add_argument("old", type=Input, metavar="OLD", nargs="?", help="old texts; without, the training data")
    add_json(parser)
    add_threads(parser)


def _drift(model: str, new: str, old: str | None, json: str | None, threads: int) -> None:
    from sapwood.explain.drift import drift

    loaded = load_model(model).set_params(threads=threads)
    _show_scores(drift(loaded, Path(new), None if old is None else Path(old)), model, json)


VERBS = {
    "eval": Verb(help_of("eval"), _eval_options, _eval),
    "compare": Verb(help_of("compare"), _compare_options, _compare),
    "drift": Verb(help_of("drift"), _drift_options, _drift),
}
