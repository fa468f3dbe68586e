"""``sapwood tag``, ``parse``, ``classify``, ``nbest`` and ``rank``: what a model says about new data."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import sapwood._core as _core
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
    from sapwood.base.drawing.sentence import Tree


def _write(blocks: Iterable[bytes]) -> None:
    for block in blocks:
        write_out(block)


def _tag_options(parser: ArgumentParser) -> None:
    verb.add_model(parser)
    verb.add_files(parser, "column files")
    parser.add_argument("--confidence", action="store_true", help="add the confidence in each label")
    verb.add_records(parser)
    verb.add_cluster(parser)


def _tag(model: str, files: list[str], confidence: bool, to: str | None, **where: Unpack[verb.Where]) -> None:
    from sapwood.tasks.tagging.model import SequenceTagger

    tagger, files = verb.opened(SequenceTagger, model, files, where)
    if to is not None:
        from sapwood.cli.use.records import tag_answers, write_records

        verb.check_records(to, files, where["output"], alone=True)
        empty = {"labels": None, "confidences": None} if confidence else {"labels": None}
        write_records(files, "tokens", tag_answers(tagger, confidence=confidence), empty, to)
        return
    if annotate_into_folder(tagger, model, files, where, confidence=confidence):
        return
    for name, blocks in read_blocks(files):
        _write(tagger.annotate(blocks, name=name, confidence=confidence))


def _parse_options(parser: ArgumentParser) -> None:
    verb.add_model(parser)
    verb.add_files(parser, "CoNLL-U files")
    add = parser.add_argument
    add("--draw", action="store_true", help="print the trees as pictures instead of CoNLL-U")
    add("--confidence", action="store_true", help="add the confidence in each arc to MISC, as ArcConfidence=")
    add("--svg", type=OutputFile("picture"), metavar="FILE", help="also write the trees as a picture")
    verb.add_cluster(parser)


def _parse(
    model: str, files: list[str], draw: bool, confidence: bool, svg: str | None, **where: Unpack[verb.Where]
) -> None:
    from sapwood.tasks.parsing.model import DependencyParser

    parser, files = verb.opened(DependencyParser, model, files, where)
    if (draw or svg is not None) and verb.elsewhere(where):
        raise OptionError("--draw and --svg go with standard output, not with --output")
    if annotate_into_folder(parser, model, files, where, confidence=confidence):
        return
    pictures = []
    for name, blocks in read_blocks(files):
        for block in parser.annotate(blocks, name=name, confidence=confidence):
            if not draw:
                _write([block])
            for tree in _trees(block) if draw or svg is not None else ():
                if draw:
                    _print_tree(tree)
                if svg is not None:
                    pictures.append(tree)
    if svg is not None:
        from sapwood.base.drawing.svg import svg_page

        write_text(svg, svg_page(pictures))


def _trees(block: bytes) -> Iterator[Tree]:
    from sapwood.tasks.parsing.data import shown_tags

    data = _core.Conllu.read(block, "output")
    for forms, tree, tags in zip(data.column("form"), data.trees(False), shown_tags(data), strict=True):
        yield forms, *tree, tags


def _print_tree(tree: Tree) -> None:
    from sapwood.base.drawing.terminal import text_tree

    show_drawn(text_tree(*tree, width=terminal_width()), end="\n\n")


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
    **where: Unpack[verb.Where],
) -> None:
    from sapwood.io.example_files import BYTES
    from sapwood.tasks.classifying.model import Classifier

    classifier, files = verb.opened(Classifier, model, files, where)
    verb.check_records(to, files, where["output"])
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
    "tag": Verb(verb.help_of("tag"), _tag_options, _tag),
    "parse": Verb(verb.help_of("parse"), _parse_options, _parse),
    "classify": Verb(verb.help_of("classify"), _classify_options, _classify),
    "nbest": Verb(verb.help_of("nbest"), _nbest_options, _nbest),
    "rank": Verb(verb.help_of("rank"), _rank_options, _rank),
}
