"""``sapwood inspect``: what a model is, what its bytes go to, and what it has learned."""

from collections import defaultdict
from typing import TYPE_CHECKING

from sapwood.cli.app import Parser, whole_number

if TYPE_CHECKING:
    from sapwood.tag import SequenceTagger

__all__ = ["parser", "run"]

_DESCRIPTION = """Show a model's task, labels, options, sizes and provenance, and its heaviest features by label.

Features have names if the model was trained with --names; without, their position stands.

Example:
  sapwood inspect chunker.sap --top 3 --label B-NP
"""


def parser() -> Parser:
    """Return the parser of ``sapwood inspect``."""
    result = Parser("inspect", _DESCRIPTION)
    result.add_argument("model", metavar="MODEL", help="a model file")
    top = "features to show for each label, from either end"
    result.add_argument("--top", type=whole_number(0), default=5, metavar="N", help=top)
    label = "show only this label's (repeat for more)"
    result.add_argument("--label", dest="wanted", action="append", default=[], metavar="LABEL", help=label)
    result.add_argument("--template", dest="show_template", action="store_true", help="show the whole template")
    return result


def run(model: str, top: int, wanted: list[str], show_template: bool) -> None:
    """Print what the model holds."""
    from sapwood.errors import OptionError
    from sapwood.models import load_tagger

    tagger = load_tagger(model)
    for name in wanted:
        if name not in tagger.model_.labels:
            raise OptionError(f"the model has no label '{name}'; it has {' '.join(tagger.model_.labels)}")
    _show_summary(model, tagger)
    if show_template:
        print(f"\ntemplate\n{tagger.model_.template.rstrip()}")
    _show_bytes(model, tagger)
    if top > 0:
        _show_features(tagger, top, wanted)


def _echo(line: str) -> None:
    """Print text that came out of a file; nothing in it may steer the terminal."""
    print("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line))


def _show_summary(path: str, tagger: "SequenceTagger") -> None:
    from pathlib import Path

    model = tagger.model_
    packed = [table.packed for table in model.tables]
    lines = [line for line in model.template.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    facts = {
        "file": f"{path}, {Path(path).stat().st_size:,} bytes",
        "task": model.task,
        "labels": f"{len(model.labels)}: {' '.join(model.labels)}",
        "columns": ", ".join(f"{name}{' (label)' if c == model.label else ''}" for c, name in enumerate(model.columns)),
        "template": f"{len(lines)} lines",
        "options": ", ".join(f"{name} {value}" for name, value in model.options.items()),
        "weights": f"{sum(p.weights for p in packed):,} non-zero of {sum(p.features for p in packed):,} features, "
        + (f"int{model.bits}, scale {model.scale:.3g}" if model.bits < 32 else "float32"),
        "trained": ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in model.provenance.items()),
    }
    for name, value in facts.items():
        _echo(f"{name:<10}{value}")


def _show_bytes(path: str, tagger: "SequenceTagger") -> None:
    from pathlib import Path

    tables = ["label", "label pair", "label triple"]
    whole = Path(path).stat().st_size
    print(f"\n{'what the bytes go to':<34}{'bytes':>10}{'share':>8}")
    known = 0
    for name, array in tagger.model_.arrays().items():
        table, _, part = name.partition(".")
        owner = f"{tables[int(table)]} weights" if table.isdigit() else "word list"
        known += len(array.data)
        print(f"{f'{part} ({owner})':<34}{len(array.data):>10,}{100 * len(array.data) / whole:>7.1f} %")
    print(f"{'header and alignment':<34}{whole - known:>10,}{100 * (whole - known) / whole:>7.1f} %")


def _show_features(tagger: "SequenceTagger", top: int, wanted: list[str]) -> None:
    model = tagger.model_
    labels = [*model.labels, "<start>"]
    by_label: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for table, row, outputs, weight in tagger.tagger_.weights():
        names = model.tables[table].names
        feature = names[row] if names is not None else f"feature {row}"
        if len(outputs) > 1:
            feature += " after " + " ".join(labels[y] for y in outputs[:-1])
        by_label[labels[outputs[-1]]].append((weight, feature))
    if any(table.names is None for table in model.tables):
        print("\n(train with --names to see what the features are)")
    for label in wanted or model.labels:
        weights = sorted(by_label[label], key=lambda pair: (-pair[0], pair[1]))
        print(f"\n{label}")
        for weight, feature in weights[:top]:
            _echo(f"  {weight:+9.3f}  {feature}")
        for weight, feature in weights[max(top, len(weights) - top) :]:
            _echo(f"  {weight:+9.3f}  {feature}")
