"""``sapwood-lab averaging``: the space and time of voting and averaging, measured."""

import sys

from sapwood_lab.base.command.files import OutputFile
from sapwood_lab.base.command.terminal import show
from sapwood_lab.base.command.verb import Parser, Verb, add_json
from sapwood_lab.base.drawing.figure import check_figure
from sapwood_lab.base.optional import require
from sapwood_lab.base.table import write_rows

AVERAGING = """Measure what voting and averaging cost: seven algorithms.

Vanilla, voted and averaged perceptrons: the space and time that they take over growing numbers of examples,
updates and features, as exponents beside the bounds in the lecture's table. Needs NumPy.

Examples:
  sapwood-lab averaging
  sapwood-lab averaging --json averaging.json --figure averaging.png
"""


def _options(parser: Parser) -> None:
    add_json(parser)
    figure = "space against time as the examples grow, and w, w_a and the running sum over time"
    parser.add_argument(
        "--figure", type=OutputFile("picture"), metavar="FILE", help=f"draw {figure}, as a .png, .svg or .pdf"
    )


def _run(json: str | None, figure: str | None) -> None:
    require("numpy", "the laboratory")
    if figure is not None:
        check_figure(figure)
    from sapwood_lab.binary.exponents import draw, format_report, measure

    cells = list(measure(on_start=lambda grid: show(f"problems: {grid} ...", sys.stderr)))
    show(format_report(cells))
    if json is not None:
        write_rows(json, [cell.as_dict() for cell in cells])
    if figure is not None:
        draw(figure)


VERBS = {"averaging": Verb(AVERAGING, _options, _run)}
