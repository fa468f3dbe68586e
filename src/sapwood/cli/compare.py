"""``sapwood compare``: is system B better than system A, or was it luck?"""

from sapwood.cli.app import Parser, whole_number

__all__ = ["parser", "run"]

_DESCRIPTION = """Compare what two systems said with the gold labels: scores, a 95 % confidence interval of their
difference, and the significance by paired bootstrap, approximate randomisation and the sign test.

A and B are files with an example a line, its label in front (what 'sapwood classify' writes), or column files with
the label at the end and a blank line after each sentence (what 'sapwood tag' writes); GOLD is like them, or a file of
examples. For BIO labels F1 is that of chunks.

Examples:
  sapwood classify a.sap test.txt > a.out; sapwood classify b.sap test.txt > b.out
  sapwood compare a.out b.out test.txt
  sapwood compare tagged-a.txt tagged-b.txt test.txt --json comparison.json
"""


def parser() -> Parser:
    """Return the parser of ``sapwood compare``."""
    result = Parser("compare", _DESCRIPTION)
    add = result.add_argument
    add("a", metavar="A", help="what the first system said")
    add("b", metavar="B", help="what the second system said")
    add("gold", metavar="GOLD", help="what is right")
    add("--samples", type=whole_number(100, 10_000_000), default=10_000, metavar="N", help="to draw")
    add("--seed", type=whole_number(0), default=1, metavar="S", help="of the draws")
    add("--json", metavar="FILE", help="also write the figures to this file")
    return result


def run(a: str, b: str, gold: str, samples: int, seed: int, json: str | None) -> None:
    """Print the comparison."""
    from sapwood.io.labels import read_labels
    from sapwood.metrics import compare
    from sapwood.optional import require

    require("numpy", "comparing systems")
    result = compare(read_labels(gold), read_labels(a), read_labels(b), samples=samples, seed=seed)
    print(result.format())
    if json is not None:
        from sapwood.io.rows import write_rows

        write_rows(json, [{"a": a, "b": b, "gold": gold, **result.as_dict()}])
