"""``sapwood reproduce averaging``: what voting and averaging cost."""

import sys

from sapwood.cli.app import Parser

__all__ = ["parser", "run"]

_DESCRIPTION = """Vanilla, voted and averaged perceptrons, seven algorithms: the space and time they take over growing
numbers of examples, updates and features, as exponents beside the bounds in the lecture's table. Needs NumPy.

Examples:
  sapwood reproduce averaging
  sapwood reproduce averaging --json averaging.json --figure averaging.png
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce averaging``."""
    result = Parser("reproduce averaging", _DESCRIPTION)
    result.add_argument("--json", metavar="FILE", help="also write the exponents to this file")
    figure = "draw space against time, as the examples grow, as a .png or .svg"
    result.add_argument("--figure", metavar="FILE", help=figure)
    return result


def run(json: str | None, figure: str | None) -> None:
    """Measure the costs and print the table."""
    from sapwood.draw.figure import check_figure
    from sapwood.io.rows import write_rows
    from sapwood.optional import require

    require("numpy", "the laboratory")
    if figure is not None:
        check_figure(figure)
    from sapwood.experiments import averaging

    cells = list(averaging.run(on_start=lambda grid: print(f"problems: {grid} ...", file=sys.stderr)))
    print(f"{averaging.format_cells(cells)}\n\n{averaging.NOTE}")
    if json is not None:
        write_rows(json, [cell.as_dict() for cell in cells])
    if figure is not None:
        from sapwood.draw.laboratory import draw_growth

        draw_growth(averaging.growth(), figure)
