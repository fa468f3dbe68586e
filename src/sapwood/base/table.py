"""Tables of figures as text."""

from collections.abc import Iterable


def table(rows: Iterable[Iterable[object]]) -> list[str]:
    """Return the lines of an aligned table: names on the left, figures on the right, floats with two decimals.

    >>> print("\\n".join(table([["tag", "F1"], ["NN", 93.756], ["VB", 7]])))
    tag     F1
    NN   93.76
    VB       7
    """
    cells = [[f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) for line in cells]
