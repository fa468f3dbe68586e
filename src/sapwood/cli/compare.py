"""``sapwood compare``: is system B better than system A, or was it luck?"""

from sapwood.cli.app import Parser, whole_number

__all__ = ["parser", "run"]

_DESCRIPTION = """Compare what two systems said with the gold labels: scores, a 95 % confidence interval of their
difference, and the significance by paired bootstrap, approximate randomisation and the sign test.

GOLD decides how the three are read. With blank lines between others they are column files, the label in the last
column (what 'sapwood tag' writes), and sentences are drawn; for BIO labels F1 is that of chunks. Else each line is an
example, its label in the first column (what 'sapwood classify' writes), and GOLD may be a file of examples, too. Name
the column where it is another one, and where GOLD has only one sentence.

Examples:
  sapwood classify a.sap test.txt > a.out; sapwood classify b.sap test.txt > b.out
  sapwood compare a.out b.out test.txt
  sapwood compare tagged-a.txt tagged-b.txt test.txt --json comparison.json
  sapwood compare a.txt b.txt gold.txt --column 2
"""


def parser() -> Parser:
    """Return the parser of ``sapwood compare``."""
    result = Parser("compare", _DESCRIPTION)
    add = result.add_argument
    add("a", metavar="A", help="what the first system said")
    add("b", metavar="B", help="what the second system said")
    add("gold", metavar="GOLD", help="what is right")
    column = "where the labels are, from 1, or from -1 at the end"
    add("--column", type=whole_number(-9999, 9999), metavar="N", help=column)
    add("--samples", type=whole_number(100, 10_000_000), default=10_000, metavar="N", help="to draw")
    add("--seed", type=whole_number(0), default=1, metavar="S", help="of the draws")
    add("--json", metavar="FILE", help="also write the figures to this file")
    return result


def run(a: str, b: str, gold: str, column: int | None, samples: int, seed: int, json: str | None) -> None:
    """Print the comparison."""
    from sapwood.io.labels import read_labels
    from sapwood.metrics import compare
    from sapwood.optional import require

    require("numpy", "comparing systems")
    result = compare(*read_labels(gold, a, b, column=column), samples=samples, seed=seed)
    print(result.format())
    if json is not None:
        from sapwood.io.rows import write_rows

        write_rows(json, [{"a": a, "b": b, "gold": gold, **result.as_dict()}])
