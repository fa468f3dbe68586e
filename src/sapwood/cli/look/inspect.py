"""``sapwood inspect``: what a model is, what its bytes go to, and what it has learned."""

import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from sapwood.base.command.terminal import paint, show, show_drawn
from sapwood.base.command.verb import Verb, whole_number
from sapwood.base.writing import escape_controls
from sapwood.cli.base.inputs import ModelInput
from sapwood.errors import ModelError, OptionError, warn
from sapwood.loading import load_model
from sapwood.metrics.labels import table
from sapwood.model.base import AnyModel
from sapwood.model.contents import Output
from sapwood.model.file.bundled import BUNDLED, model_path
from sapwood.model.file.schema import ModelFile
from sapwood.options import options_of

INSPECT = """Show what a model is, what its bytes go to, and its heaviest features.

Without a MODEL the models that come with sapwood or are installed are listed, with their scores on test data. A model
may have a card, as these have: data, licences, figures, limits ('train pipeline --card'). It is shown first, then task,
labels, options, sizes and provenance. Then the heaviest features are listed by label; of two classes, for the second
and, with a minus, for the first. Those of a parser are listed by what they speak for: arcs of a direction and distance,
attachments, transitions, and the labels of arcs. Features have names if the model was trained with names, otherwise
they are numbered.

Examples:
  sapwood inspect chunker.sap --top 3 --label B-NP
  sapwood inspect parser.sap --top 3 --label nsubj --label shift
"""


def _options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "model",
        type=ModelInput,
        metavar="MODEL",
        nargs="?",
        help="a model file, or the name of a model that is bundled or installed",
    )
    top = "features to show for each label, from either end"
    add("--top", type=whole_number(0), default=5, metavar="N", help=top)
    label = "show only this label, or a parser's 'shift', 'arc left 1' and so on (repeat for more)"
    add("--label", dest="wanted", action="append", default=[], metavar="LABEL", help=label)
    add("--template", dest="show_template", action="store_true", help="show the whole template")


def _inspect(model: str | None, top: int, wanted: list[str], show_template: bool) -> None:
    if model is None:
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
    if top > 0:
        _show_features(loaded, top, wanted)


_FIGURES = ("model", "language", "bytes", "UPOS", "Lemmas", "LAS")


def _installed() -> Iterator[tuple[str, ...]]:
    """Yield the row of each installed model; warn of those that cannot be used."""
    from sapwood.model.file.installed import installed_models

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
    model = loaded.model_
    # Reports draw the scores of the epochs.
    trained = (f"{name.replace('_', ' ')} {value}" for name, value in model.provenance.items() if name != "dev_scores")
    lines = [line for line in model.template.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    facts = {
        "file": f"{path}, {Path(path).stat().st_size:,} bytes",
        "task": model.task,
        "labels": f"{len(model.labels)}: {' '.join(model.labels)}" if model.labels else "",
        "columns": ", ".join(f"{name}{' (label)' if c == model.label else ''}" for c, name in enumerate(model.columns)),
        "template": f"{len(lines)} lines" if lines else "",
        "made for": _made_for(loaded),
        "options": _option_values(model),
        "weights": loaded.contents.storage,
        "trained": ", ".join(trained),
    }
    for name, part in model.parts.items():
        facts[name] = f"{len(part.labels)} labels, {_option_values(part)}, {part.described_weights()}"
    width = max(9, *map(len, facts))
    for name, value in facts.items():
        if value:
            show(f"{name:<{width}} {value}")


def _made_for(loaded: AnyModel) -> str:
    """Return a description of the data that the model was made for; empty if the model has none."""
    if loaded.model_.familiar is not None and loaded.model_.familiar.columns:
        [kind, *_] = loaded.model_.familiar.columns
        count = len(loaded.model_.familiar.frequent) // 4
        few = f"; in 999 of 1,000 windows at least {kind['windows'][0]:.0%}" if kind["windows"] else ""
        return f"texts of whose words {kind['share']:.0%} are among {count:,} frequent ones{few}"
    if loaded.task in ("rank", "structured", "grammar"):
        return ""
    return "not known: the training data had few words"


def _option_values(model: ModelFile) -> str:
    return ", ".join(f"{name} {value}" for name, value in model.options.items() if not isinstance(value, list))


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


VERBS = {"inspect": Verb(INSPECT, _options, _inspect)}
