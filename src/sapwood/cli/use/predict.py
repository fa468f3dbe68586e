"""``sapwood tag``, ``parse``, ``classify``, ``nbest`` and ``rank``: what a model says about new data."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from sapwood import _core
from sapwood.base.command.files import Input, OutputFile
from sapwood.base.command.terminal import show, show_drawn, terminal_width, write_out
from sapwood.base.command.verb import Verb, whole_number
from sapwood.base.writing import write_text
from sapwood.cli.base import verb
from sapwood.cli.base.workers import annotate_into_folder
from sapwood.errors import OptionError
from sapwood.io.source import STANDARD_INPUT, lines_of, read_blocks, whole_blocks
from sapwood.loading import load_as, load_model
from sapwood.model.parts import require_capability

if TYPE_CHECKING:
    from sapwood.base.candidates import CandidateList, Structure


def _write(blocks: Iterable[bytes]) -> None:
    for block in blocks:
        write_out(block)


TAG = """Label column files, or one token a line.

Each line comes out with its label at the end. A file is checked as a whole before anything of it is written. Standard
input ('-', or no FILE) is labelled sentence by sentence, as it comes. With --confidence there is a further column: how
sure the label is, from 0 to 1, for a model that 'sapwood calibrate' has seen.

With --to FILE has records (.jsonl, .csv, .parquet; standard input is JSON, line by line) with "tokens", a list of words
or of lists of columns. They come out with all their members, and "labels" behind them.

With -o DIR each FILE becomes a file there, and FILE may be a folder; 'sapwood annotate --help' says more.

Examples:
  sapwood tag chunker.sap test.txt > out.txt
  tokenise < text | sapwood tag pos.sap | cut -f2
  sapwood tag pos.sap tokens.jsonl --to jsonl > tagged.jsonl
  sapwood tag pos.sap words/*.txt.gz --workers 8 --output tagged
"""


def _tag_options(parser: ArgumentParser) -> None:
    verb.add_model(parser)
    verb.add_files(parser, "column files")
    parser.add_argument("--confidence", action="store_true", help="add the confidence in each label")
    verb.add_records(parser)
    verb.add_cluster(parser)


def _tag(
    model: str,
    files: list[str],
    confidence: bool,
    to: str | None,
    strict: bool,
    threads: int,
    **where: Unpack[verb.Where],
) -> None:
    from sapwood.tasks.tagging.model import SequenceTagger

    tagger = verb.with_strictness(load_as(SequenceTagger, model).set_params(threads=threads), strict, where)
    files = verb.in_folders(files, where["output"])
    if to is not None:
        from sapwood.cli.use.records import tag_answers, write_records

        verb.check_records(to, files, where, alone=True)
        empty = {"labels": None, "confidences": None} if confidence else {"labels": None}
        write_records(files, "tokens", tag_answers(tagger, confidence=confidence), empty, to)
        return
    if annotate_into_folder(tagger, model, files, where, confidence=confidence):
        return
    for name, blocks in read_blocks(files):
        _write(tagger.annotate(blocks, name=name, confidence=confidence))


PARSE = """Parse CoNLL-U or CoNLL-X files, or draw their trees.

HEAD and DEPREL are written; DEPS and empty nodes, the graph of other trees, go, and everything else stays. A file is
checked as a whole before anything of it is written. Standard input ('-', or no FILE) is parsed sentence by sentence, as
it comes. The parser reads the tags that it was trained on from the input; one that was trained with --tags predicted or
jackknife has a tagger and writes the tags as well. With --confidence MISC says how sure each arc is, from 0 to 1, for a
model that 'sapwood calibrate' has seen.

With -o DIR each FILE becomes a file there, and FILE may be a folder; 'sapwood annotate --help' says more.

Examples:
  sapwood parse parser.sap < in.conllu > out.conllu
  sapwood parse parser.sap test.conllu --draw | less -R
  sapwood parse parser.sap test.conllu --svg trees.svg > out.conllu
  sapwood parse parser.sap trees/*.conllu --workers tcp://host:8786 --output parsed
"""


def _parse_options(parser: ArgumentParser) -> None:
    verb.add_model(parser)
    verb.add_files(parser, "CoNLL-U files")
    add = parser.add_argument
    add("--draw", action="store_true", help="print the trees as pictures instead of CoNLL-U")
    add("--confidence", action="store_true", help="add the confidence in each arc to MISC, as ArcConfidence=")
    add("--svg", type=OutputFile("picture"), metavar="FILE", help="also write the trees as a picture")
    verb.add_cluster(parser)


def _parse(
    model: str,
    files: list[str],
    draw: bool,
    confidence: bool,
    svg: str | None,
    strict: bool,
    threads: int,
    **where: Unpack[verb.Where],
) -> None:
    from sapwood.tasks.parsing.model import DependencyParser

    parser = verb.with_strictness(load_as(DependencyParser, model).set_params(threads=threads), strict, where)
    files = verb.in_folders(files, where["output"])
    if (draw or svg is not None) and verb.elsewhere(where):
        raise OptionError("--draw and --svg go with standard output, not with --output")
    if annotate_into_folder(parser, model, files, where, confidence=confidence):
        return
    pictures = []
    for name, blocks in read_blocks(files):
        for block in parser.annotate(blocks, name=name, confidence=confidence):
            if not draw:
                _write([block])
            for sentence in _sentences(block) if draw or svg is not None else ():
                if draw:
                    _print_tree(sentence)
                if svg is not None:
                    pictures.append(sentence)
    if svg is not None:
        from sapwood.base.drawing.svg import svg_page

        write_text(svg, svg_page(pictures))


_Sentence = tuple[list[str], list[int], list[str], list[str]]  # forms, heads, relations, tags


def _sentences(block: bytes) -> Iterator[_Sentence]:
    from sapwood.tasks.parsing.data import shown_tags

    data = _core.Conllu.read(block, "output")
    for forms, tree, tags in zip(data.column("form"), data.trees(False), shown_tags(data), strict=True):
        yield forms, *tree, tags


def _print_tree(sentence: _Sentence) -> None:
    from sapwood.base.drawing.terminal import text_tree

    show_drawn(text_tree(*sentence, width=terminal_width()), end="\n\n")


CLASSIFY = """Classify examples: a label and its margin for each.

For each example a line comes out with its label, a tab, and the margin to the second-best label. A margin is no
probability; a model that was calibrated ('sapwood calibrate') gives its confidence instead, from 0 to 1. A file is
checked as a whole before anything of it is written. A multi-label model writes all labels of an example, maybe none,
with | between them; the number belongs to the least sure decision. Standard input ('-', or no FILE) is classified line
by line, or row by row of CSV, as it comes, and may be a text a line where the training data were JSON or CSV. Labels in
the input are not looked at. A text that is null has no label ('_'), and there is a warning.

With --to records come out: JSONL, CSV (lists as JSON) or Parquet (which needs pyarrow). Each has all members of the
record that came in, or "text" where a line is no record, and then "label", "confidence" of a calibrated model,
"margin", and with --reasons the three features that spoke most for the label.

With -o DIR each FILE becomes a file there, and FILE may be a folder; 'sapwood annotate --help' says more.

Examples:
  sapwood classify reviews.sap new.txt > out.txt
  sapwood classify reviews.sap new.txt --top 3
  echo "great fun" | sapwood classify reviews.sap | cut -f1
  sapwood classify tickets.sap new.jsonl --to jsonl --reasons > answered.jsonl
  sapwood classify reviews.sap texts/*.txt --workers 8 --output labels --parquet
"""


def _classify_options(parser: ArgumentParser) -> None:
    from sapwood.io.example_files import FORMATS, LINES

    verb.add_model(parser)
    verb.add_files(parser, "files of examples")
    form = "format of the files; without it their names tell it, as in training, or it is that of the training data"
    form += "; with lines, each line is a text"
    parser.add_argument("--format", choices=(*FORMATS, LINES), help=form)
    top = "write the N best labels instead, each with its score or confidence"
    parser.add_argument("--top", type=whole_number(1, 1 << 32), metavar="N", help=top)
    verb.add_records(parser)
    parser.add_argument("--reasons", action="store_true", help="add the strongest reasons to records (--to)")
    verb.add_cluster(parser)


def _classify(
    model: str,
    files: list[str],
    format: str | None,
    top: int | None,
    to: str | None,
    reasons: bool,
    strict: bool,
    threads: int,
    **where: Unpack[verb.Where],
) -> None:
    from sapwood.io.example_files import BYTES
    from sapwood.tasks.classifying.model import Classifier

    classifier = verb.with_strictness(load_as(Classifier, model).set_params(threads=threads), strict, where)
    files = verb.in_folders(files, where["output"])
    verb.check_records(to, files, where)
    if (reasons and to is None) or (top is not None and to is not None):
        raise OptionError("--reasons goes with the records that --to writes, and --top does not")
    if annotate_into_folder(classifier, model, files, where, format=format, top=top or 0, to=to, reasons=reasons):
        return
    for name, blocks in read_blocks(files, ends="line", lines=False):  # a cell of CSV may have any
        form = format
        if name == STANDARD_INPUT:
            first = next(blocks, b"")
            form = format or classifier.writer.format_of_pipe(first)
            blocks = chain([first] if first else [], blocks)
            blocks = blocks if form in BYTES else lines_of(blocks)
            is_whole = "parquet" in (form, to) or (form == "jsonl" and first.lstrip().startswith(b"["))
            if form == "senseval" or is_whole:
                blocks = whole_blocks(blocks, "file", name)
        _write(classifier.annotate(blocks, name=name, format=form, top=top or 0, to=to, reasons=reasons))


NBEST = """Write the n best structures of each sentence, as lists for a reranker.

The n best label sequences or trees come out with their scores, as JSON lines. MODEL is a tagger with Viterbi search, a
parser with --search eisner of order 1, or a grammar; the lists are exact. Where FILE has gold labels or trees, they are
written, too. Use --folds to make the training data of a reranker: FILE is then what MODEL was trained on, and each fold
of it is listed by a model that was trained on the other folds, with MODEL's options.

Examples:
  sapwood nbest chunker.sap train.txt -n 20 --folds 10 > train.jsonl
  sapwood nbest chunker.sap test.txt -n 20 > test.jsonl
  sapwood train rank train.jsonl -o reranker.sap && sapwood rank reranker.sap test.jsonl
"""


def _nbest_options(parser: ArgumentParser) -> None:
    verb.add_model(parser)
    kinds = "a column file, CoNLL-U, or for a grammar trees in brackets or text, a sentence a line"
    kinds += "; '-' is standard input, which is listed sentence by sentence, as it comes"
    parser.add_argument("file", type=Input, metavar="FILE", help=kinds)
    most = "structures for each sentence, at most"
    parser.add_argument("-n", type=whole_number(1, 100_000), default=20, metavar="N", help=most)
    folds = "list the training data FILE in so many folds, by models trained on the others"
    parser.add_argument("--folds", type=whole_number(2, 1000), metavar="K", help=folds)
    verb.add_threads(parser)


def _nbest(model: str, file: str, n: int, folds: int | None, threads: int) -> None:
    from sapwood.io.lists import format_list
    from sapwood.tasks.parsing.grammar import NO_TREE

    proposer = require_capability(load_model(model).set_params(threads=threads), "lists")
    if folds:
        lists: Iterable[CandidateList] = proposer.cross_validated(Path(file), n, folds)
    else:
        [(name, blocks)] = read_blocks([file], proposer.ends)
        if proposer.ends == "line" and (first := next(blocks, b"")):
            blocks = chain([first], blocks)
            blocks = whole_blocks(blocks, "file", name) if first.lstrip().startswith(b"(") else blocks  # trees
        lists = proposer.of_blocks(blocks, name, n)
    flat = 0
    for each in lists:
        flat += each.kind == "tree" and each.candidates[0].score == NO_TREE
        write_out(format_list(each).encode())
    if flat > 0:
        show(f"sapwood: {flat:,} sentences have no tree by the grammar; their lists are one flat tree", sys.stderr)


RANK = """Choose the best candidate of each list.

Trees come out one a line; labels as a column file, behind the tokens; heads and relations as JSON. With --reorder the
whole lists come out, best candidates first, with the scores that they had. Standard input is '-', or no FILE.

Examples:
  sapwood rank reranker.sap test.jsonl > best.txt && sapwood compare tagged.txt best.txt test.txt
  sapwood rank reranker.sap test.jsonl --reorder > reordered.jsonl
"""


def _rank_options(parser: ArgumentParser) -> None:
    verb.add_model(parser)
    verb.add_files(parser, "files of lists")
    parser.add_argument("--reorder", action="store_true", help="write the lists, their candidates by rank")


def _rank(model: str, files: list[str], reorder: bool) -> None:
    from sapwood.io.lists import format_list, parse_lists
    from sapwood.tasks.ranking.model import Reranker

    ranker = load_as(Reranker, model)
    for name, blocks in read_blocks(files, ends="file"):
        lists = [each for block in blocks for each in parse_lists(block, name)]
        for each, ranked in zip(lists, ranker.rank(lists), strict=True):
            best = each.candidates[ranked.order[0]].structure
            write_out((format_list(each, ranked.order) if reorder else _chosen(each, best)).encode())


def _chosen(each: CandidateList, structure: Structure) -> str:
    if each.kind == "tree":
        return " ".join(structure.split("\n")) + "\n"
    if each.kind == "labels":
        rows = ("\t".join([*row, label]) for row, label in zip(each.tokens, structure, strict=True))
        return "\n".join(rows) + "\n\n"
    value = {"heads": structure[0], "deprels": structure[1]} if each.kind == "heads" else structure
    return json.dumps(value, ensure_ascii=False) + "\n"


VERBS = {
    "tag": Verb(TAG, _tag_options, _tag),
    "parse": Verb(PARSE, _parse_options, _parse),
    "classify": Verb(CLASSIFY, _classify_options, _classify),
    "nbest": Verb(NBEST, _nbest_options, _nbest),
    "rank": Verb(RANK, _rank_options, _rank),
}
