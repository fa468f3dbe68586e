"""``sapwood rank``: lists of candidates in, the best of each out."""

import json
import sys
from typing import TYPE_CHECKING, Any

from sapwood.cli.app import Parser, whole_number
from sapwood.cli.streams import read_blocks

if TYPE_CHECKING:
    from sapwood.io.lists import CandidateList

__all__ = ["parser", "run"]

_DESCRIPTION = """Choose the best candidate of each list.

Trees come out one a line; labels as a column file, behind the tokens; heads and relations as JSON. With --reorder the
whole lists come out, best candidates first, with the scores they had. Standard input is '-', or no FILE.

Examples:
  sapwood rank reranker.sap test.jsonl > best.txt && sapwood compare tagged.txt best.txt test.txt
  sapwood rank reranker.sap test.jsonl --reorder > reordered.jsonl
"""


def parser() -> Parser:
    """Return the parser of ``sapwood rank``."""
    result = Parser("rank", _DESCRIPTION)
    result.add_argument("model", metavar="MODEL", help="a model file")
    result.add_argument("files", metavar="FILE", nargs="*", default=(), help="files of lists")
    result.add_argument("--reorder", action="store_true", help="write the lists, their candidates by rank")
    result.add_argument("--threads", type=whole_number(1, 1024), default=1, metavar="N", help="for scoring")
    return result


def run(model: str, files: list[str], reorder: bool, threads: int) -> None:
    """Rank the lists of each file, or of standard input."""
    from sapwood.io.lists import format_list, parse_lists
    from sapwood.models.load import load_reranker

    ranker = load_reranker(model).set_params(threads=threads)
    for name, blocks in read_blocks(files, ends="file"):
        lists = [each for block in blocks for each in parse_lists(block, name)]
        for each, ranked in zip(lists, ranker.rank(lists), strict=True):
            best = each.candidates[ranked.order[0]].structure
            sys.stdout.write(format_list(each, ranked.order) if reorder else _shown(each, best))


def _shown(each: "CandidateList", structure: Any) -> str:
    if each.kind == "tree":
        return " ".join(structure.split("\n")) + "\n"
    if each.kind == "labels":
        rows = ("\t".join([*row, label]) for row, label in zip(each.tokens, structure, strict=True))
        return "\n".join(rows) + "\n\n"
    value = {"heads": structure[0], "deprels": structure[1]} if each.kind == "heads" else structure
    return json.dumps(value, ensure_ascii=False) + "\n"
