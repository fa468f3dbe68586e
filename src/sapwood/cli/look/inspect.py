"""``sapwood inspect``: what a model is, what its bytes go to, and what it has learned."""

import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from sapwood.base.command.terminal import paint, show, show_drawn
from sapwood.base.command.verb import Verb, add_json, whole_number
from sapwood.base.table import write_rows
from sapwood.base.writing import escape_controls
from sapwood.cli.base.verb import ModelInput, help_of
from sapwood.errors import ModelError, OptionError, warn
from sapwood.loading import load_model
from sapwood.metrics.labels import table
from sapwood.model.base import AnyModel
from sapwood.model.facts import described, file_facts, training_facts
from sapwood.model.file.bundled import BUNDLED, model_path
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Output
from sapwood.options import options_of


def _options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    model = "a model file, or the name of a model that is bundled or installed"
    add("model", type=ModelInput, metavar="MODEL", nargs="?", help=model)
    top = "features to show for each label, from either end"
    add("--top", type=whole_number(0), default=5, metavar="N", help=top)
    label = "show only this label, or a parser's 'shift', 'arc left 1' and so on (repeat for more)"
    add("--label", dest="wanted", action="append", default=[], metavar="LABEL", help=label)
    add("--template", dest="show_template", action="store_true", help="show the whole template")
    add_json(parser)


def _inspect(model: str | None, top: int, wanted: list[str], show_template: bool, json: str | None) -> None:
    if model is None:
        if json is not None:
            raise OptionError("--json is about one model; name it")
        show("\n".join(table([_FIGURES, *(_in_list(*each) for each in BUNDLED.items()), *_installed()])))
        return
    loaded = load_model(model, contents_only=True)
    if loaded.card_:
        show(loaded.card_)
    model = str(model_path(model))
    outputs = [output for table in loaded.contents.outputs for output in table]
    if wanted and not outputs:
        raise OptionError("--label chooses weights, and a grammar has none")
    for name in wanted:
        if not any(name in output for output in outputs):
            known = dict.fromkeys(output.label or output.name for output in outputs)
            raise OptionError(f"the model has no label '{name}'; it has {', '.join(known)}")
    _show_summary(model, loaded)
    if show_template:
        show(f"\ntemplate\n{loaded.model_.template.rstrip()}")
    _show_bytes(model, loaded)
    if json is not None:
        write_rows(json, [_figures(model, loaded)])
    if top > 0:
        _show_features(loaded, top, wanted)


_FIGURES = ("model", "language", "bytes", "UPOS", "Lemmas", "LAS")


def _installed() -> Iterator[tuple[str, ...]]:
    """Yield the row of each installed model; warn of those that cannot be used."""
    from sapwood.model.file.bundled import installed_models

    for name, version in installed_models():
        try:
            if name not in BUNDLED:
                yield _in_list(name, f"installed, {version}")
        except ModelError as error:
            warn(str(error))


def _in_list(name: str, what: str) -> tuple[str, ...]:
    """Return the row of a model: its name, kind, bytes and the figures in the first row of its card's first table."""
    path = Path(model_path(name))
    lines = [line for line in ModelFile.load(path).card.splitlines() if line.startswith("|")]
    heading, first = ([cell.strip() for cell in line.split("|")] for line in ([*lines, "", "", ""][k] for k in (0, 2)))
    figures = {metric.lower(): figure for metric, figure in zip(heading, first, strict=False)}
    return name, what, f"{path.stat().st_size:,}", *(figures.get(metric.lower(), "") for metric in _FIGURES[3:])


def _show_summary(path: str, loaded: AnyModel) -> None:
    facts = {"file": f"{path}, {Path(path).stat().st_size:,} bytes", **described(loaded.model_, loaded.contents)}
    width = max(9, *map(len, facts))
    for name, value in facts.items():
        show(f"{name:<{width}} {value}")


def _figures(path: str, loaded: AnyModel) -> dict[str, object]:
    file = loaded.model_
    known = {"task": file.task, "labels": file.labels, "columns": file.columns, "options": file.options}
    return {
        "name": path,
        **file_facts(path),
        **training_facts(file),
        **known,
        "provenance": file.provenance,
        "learned": loaded.contents.learned,
        "weights": loaded.contents.storage,
    }


def _show_bytes(path: str, loaded: AnyModel) -> None:
    arrays = loaded.contents.arrays
    file = Path(path).stat().st_size
    rows = [("what the bytes go to", "uncoded", "bytes", "share")]

    def row(what: str, uncoded: int, size: int) -> None:
        rows.append((what, f"{uncoded:,}", f"{size:,}", f"{100 * size / file:.1f} %"))

    costs = loaded.model_.costs()
    rest = file - sum(size for size, _ in costs.values())
    header, text = costs.pop("metadata", (0, 0))
    for name, (size, uncoded) in costs.items():
        begin = max((begin for begin in arrays if f"{name}.".startswith(f"{begin}.")), key=len, default="list")
        part = name.removeprefix(begin).removeprefix(".") or name.rpartition(".")[2]
        row(f"{part} ({arrays.get(begin, 'word list')})", uncoded, size)
    row("header and alignment", rest + text, rest + header)
    show("\n".join(["", *table(rows)]))


def _show_features(loaded: AnyModel, top: int, wanted: list[str]) -> None:
    contents = loaded.contents
    by_output: dict[Output, list[tuple[float, str]]] = defaultdict(list)
    for output, weight, feature in contents.weights():
        by_output[output].append((weight, feature))
    if any(table.names is None for table in loaded.model_.tables):
        names = "--feature-names" if options_of(loaded)["names"].command else "names=True, in Python,"
        show(f"\n(train with {names} to see what the features are)")
    for output in dict.fromkeys(output for outputs in contents.outputs for output in outputs):
        if not set(wanted) & set(output) if wanted else not by_output[output]:
            continue
        weights = sorted(by_output[output], key=lambda pair: (-pair[0], pair[1]))
        show()
        show_drawn(paint(output.name, "bold", sys.stdout))
        for weight, feature in [*weights[:top], *weights[max(top, len(weights) - top) :]]:
            number = paint(f"{weight:+9.3f}", "green" if weight > 0 else "red", sys.stdout)
            show_drawn(f"  {number}  {escape_controls(feature)}")


VERBS = {"inspect": Verb(help_of("inspect"), _options, _inspect)}
