"""How long does the laboratory take for homework: the CPU time of taggers that learn chunks from a few sentences?

    python -m bench.lab.homework --data DIR [--sentences N] [--epochs N] [--algorithms NAMES] [--json FILE]

DIR is the folder of the corpora, or SAPWOOD_DATA names it: conll2000/train.txt.xz. The template has eight lines, of
words, tags, two tags and the label before; order 2 has a ninth, of the two labels before.
"""

import lzma
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from measure.layout import command_line, print_rows, write_rows
from measure.processes import timed
from sapwood_lab.greedy import GreedyTagger
from sapwood_lab.tagging import Tagger
from sapwood_lab.viterbi import ViterbiTagger

TEMPLATE = """U00:%x[-1,0]
U01:%x[0,0]
U02:%x[1,0]
U03:%x[-1,1]
U04:%x[0,1]
U05:%x[1,1]
U06:%x[-1,1]/%x[0,1]
B
"""
SECOND_ORDER = TEMPLATE + "U07:%y[-2]/%y[-1]\n"

TAGGERS: dict[str, Callable[..., Tagger]] = {
    "viterbi": partial(ViterbiTagger, TEMPLATE),
    "greedy": partial(GreedyTagger, TEMPLATE),
    "viterbi-2": partial(ViterbiTagger, SECOND_ORDER, order=2),
}


def main() -> None:
    """Train the taggers, and print a row for each."""
    parser = command_line(__doc__)
    parser.add_argument("--sentences", type=int, default=300, metavar="N", help="the first N of the training data")
    parser.add_argument("--epochs", type=int, default=3, metavar="N", help="passes over them")
    parser.add_argument("--algorithms", default="viterbi,greedy,viterbi-2", metavar="NAMES", help="separated by commas")
    given = parser.parse_args()
    if not (data := given.data or os.environ.get("SAPWOOD_DATA")):
        parser.error("name the folder of the corpora: --data DIR, or SAPWOOD_DATA")
    with lzma.open(Path(data) / "conll2000" / "train.txt.xz", "rt", encoding="utf-8") as file:
        blocks = file.read().strip("\n").split("\n\n")[: given.sentences]
    sentences = [[tuple(line.split()) for line in block.split("\n")] for block in blocks]
    rows = []
    for name in given.algorithms.split(","):
        tagger = TAGGERS[name](epochs=given.epochs)
        seconds = timed(partial(tagger.fit, sentences))
        rows.append({"name": name, "seconds": seconds, "updates": tagger.updates, "weights": len(tagger.weights())})
    print_rows(rows, {"CPU s": ("seconds", ".1f"), "updates": ("updates", ","), "weights": ("weights", ",")})
    if given.json:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
