"""``sapwood eval``: how good a model is on labelled data."""

from typing import TYPE_CHECKING, Any

from sapwood.cli.app import Parser, whole_number

if TYPE_CHECKING:
    from sapwood.models.classifier import Classifier
    from sapwood.models.grammar import PhraseParser
    from sapwood.models.parser import DependencyParser
    from sapwood.models.reranker import Reranker
    from sapwood.models.tagger import SequenceTagger

__all__ = ["parser", "run"]

_DESCRIPTION = """Score a model on a FILE with gold answers ('-' is standard input).

A tagger reads a column file: accuracy, precision, recall and F1 of each label, and for BIO labels conlleval's
block. A classifier reads examples: the same, and which label was taken for which, as a table and, with --figure, as a
picture. A parser reads CoNLL-U: UAS, LAS and CLAS with and without punctuation, exact trees, and scores by
relation, distance and sentence length. A grammar reads trees in brackets: PARSEVAL, as evalb counts with COLLINS.prm.
A reranker reads lists with gold or losses: what it chooses beside the first and the best candidates.

Examples:
  sapwood eval chunker.sap test.txt
  sapwood eval reviews.sap test.txt --figure confusions.png
  sapwood eval parser.sap test.conllu --json scores.json
"""


def parser() -> Parser:
    """Return the parser of ``sapwood eval``."""
    result = Parser("eval", _DESCRIPTION)
    result.add_argument("model", metavar="MODEL", help="a model file")
    result.add_argument("file", metavar="FILE", help="a column file, examples, CoNLL-U, trees in brackets, or lists")
    result.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    figure = "draw a classifier's confusions as a .png or .svg"
    result.add_argument("--figure", metavar="FILE", help=figure)
    threads = "work on so many cores; the output is the same"
    result.add_argument("--threads", type=whole_number(1, 1024), default=1, metavar="N", help=threads)
    return result


def run(model: str, file: str, json: str | None, figure: str | None, threads: int) -> None:
    """Print the scores."""
    from sapwood.draw.figure import check_figure
    from sapwood.errors import OptionError
    from sapwood.models.classifier import Classifier
    from sapwood.models.grammar import PhraseParser
    from sapwood.models.load import load
    from sapwood.models.parser import DependencyParser
    from sapwood.models.reranker import Reranker

    loaded = load(model)
    loaded.set_params(threads=threads)
    if figure is not None:
        check_figure(figure)
        if not isinstance(loaded, Classifier):
            raise OptionError("--figure draws the confusions of a classifier; this model is none")
    if isinstance(loaded, Classifier):
        scores = _classification(loaded, file, figure)
    elif isinstance(loaded, (DependencyParser, PhraseParser, Reranker)):
        scores = _reported(loaded, file)
    else:
        scores = _tagging(loaded, file)
    if json is not None:
        from sapwood.io.rows import write_rows

        write_rows(json, [{"name": model, **scores}])


def _reported(model: "DependencyParser | PhraseParser | Reranker", file: str) -> dict[str, Any]:
    report = model.evaluate(file)
    print(report.format())
    return report.as_dict()


def _tagging(tagger: "SequenceTagger", file: str) -> dict[str, Any]:
    from sapwood.metrics import chunk_scores, label_scores, looks_like_chunks

    gold, guess, unseen = tagger.evaluate(file)
    labels = label_scores(gold, guess)
    print(labels.format())
    _print_unseen(unseen)
    if not looks_like_chunks(label for sentence in gold for label in sentence):
        return {"accuracy": labels.accuracy}
    chunks = chunk_scores(gold, guess)
    print(f"\n{chunks.format()}")
    return {"accuracy": labels.accuracy, "f1": chunks.f1, "precision": chunks.precision, "recall": chunks.recall}


def _classification(classifier: "Classifier", file: str, figure: str | None) -> dict[str, Any]:
    from sapwood.metrics import class_scores, confusion

    gold, guess, unseen = classifier.evaluate(file)
    report, matrix = class_scores(gold, guess), confusion(gold, guess)
    print(f"{report.format()}\n\n{matrix.format()}")
    _print_unseen(unseen)
    if figure is not None:
        from sapwood.draw.confusion import draw_confusion

        draw_confusion(matrix, figure)
    return {**report.as_dict(), "confusion": matrix.as_dict()}


def _print_unseen(unseen: dict[str, int]) -> None:
    if unseen:
        listed = ", ".join(f"{label} ({count})" for label, count in sorted(unseen.items()))
        print(f"\nlabels that training never saw, scored as wrong: {listed}")
