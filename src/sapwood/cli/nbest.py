"""``sapwood nbest``: the n best structures of every sentence, as lists for a reranker."""

import sys

from sapwood.cli.app import Parser, whole_number

__all__ = ["parser", "run"]

_DESCRIPTION = """Write the n best label sequences or trees of each sentence with their scores, as JSON lines.

The model is a tagger with Viterbi search, a parser with --search eisner of order 1, or a grammar; the lists are exact.
Where FILE has gold labels or trees, they go into the lists. To train a reranker, use --folds: FILE is then the training
data, and each fold is listed by a model that was trained on the others, with MODEL's options.

Examples:
  sapwood nbest chunker.sap train.txt -n 20 --folds 10 > train.jsonl
  sapwood nbest chunker.sap test.txt -n 20 > test.jsonl
  sapwood train rank train.jsonl -o reranker.sap && sapwood rank reranker.sap test.jsonl
"""


def parser() -> Parser:
    """Return the parser of ``sapwood nbest``."""
    result = Parser("nbest", _DESCRIPTION)
    add = result.add_argument
    add("model", metavar="MODEL", help="a model file")
    add(
        "file",
        metavar="FILE",
        help="a column file, CoNLL-U, or for a grammar trees in brackets or text, a sentence a line",
    )
    add("-n", type=whole_number(1, 100_000), default=20, metavar="N", help="structures for each sentence, at most")
    folds = "list the training data FILE in so many folds, by models trained on the others"
    threads = "a grammar parses on so many cores; the output is the same"
    add("--threads", type=whole_number(1, 1024), default=1, metavar="N", help=threads)
    add("--folds", type=whole_number(2, 1000), metavar="K", help=folds)
    return result


def run(model: str, file: str, n: int, folds: int | None, threads: int) -> None:
    """Write the lists."""
    from sapwood.errors import ModelError, shown
    from sapwood.io.lists import format_list
    from sapwood.io.text import read_bytes
    from sapwood.models.classifier import Classifier
    from sapwood.models.grammar import NO_TREE
    from sapwood.models.load import load
    from sapwood.models.nbest import cross_lists, n_best_lists
    from sapwood.models.reranker import Reranker

    loaded = load(model)
    if isinstance(loaded, (Classifier, Reranker)):
        raise ModelError(
            f"{shown(model)}: n best lists come from taggers, parsers and grammars; this model is none of them"
        )
    loaded.set_params(threads=threads)
    lists = cross_lists(loaded, file, n, folds) if folds else n_best_lists(loaded, read_bytes(file), shown(file), n)
    flat = 0
    for each in lists:
        flat += each.kind == "tree" and each.candidates[0].score == NO_TREE
        sys.stdout.write(format_list(each))
    if flat > 0:
        print(
            f"sapwood: {flat:,} sentences have no tree by the grammar; their lists are one flat tree", file=sys.stderr
        )
