"""``sapwood annotate``: raw text in, sentences, words, tags, lemmas, trees and names out."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from typing import TYPE_CHECKING, Unpack

from sapwood.base.command.terminal import paint, terminal_width, write_out
from sapwood.base.command.verb import Verb, whole_number
from sapwood.cli.base import verb
from sapwood.cli.base.workers import annotate_into_folder
from sapwood.errors import DataError, OptionError
from sapwood.io.source import read_chunks
from sapwood.loading import is_model, load_as
from sapwood.model.file.bundled import AUTO, BUNDLED, LANGUAGE, PIPELINES, model_path
from sapwood.model.file.schema import ModelFile
from sapwood.parts import COLUMNS, STAGES, listed

if TYPE_CHECKING:
    from sapwood.documents.doc import Sentence
    from sapwood.tasks.pipeline.languages import Languages
    from sapwood.tasks.pipeline.model import Pipeline
    from sapwood.tasks.pipeline.output import Format


def _options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    texts = "a pipeline; texts, or folders of them; '-': standard input"
    add("files", type=verb.ModelInput, metavar="MODEL|FILE", nargs="*", default=(), help=texts)
    add("--format", choices=tuple(_formats()), help="what comes out; without, table on a terminal and conllu elsewhere")
    kinds = "raw text, also a sentence a line, lines of tokens with spaces between, or CoNLL-U, whose words stay"
    add("--input", choices=("text", "lines", "tokens", "conllu"), default="text", help=f"what goes in: {kinds}")
    language = "without a MODEL: the language of each text (auto), of each paragraph, or one for all, such as de"
    add("--language", type=_language, metavar="auto|paragraph|CODE", help=language)
    add("--parts", metavar="PART,...", help=f"only these of {listed(STAGES)}")
    errors = "what to do with bytes that are not UTF-8: stop, or put U+FFFD in their place"
    add("--errors", choices=("strict", "replace"), default="strict", help=errors)
    add("--confidence", action="store_true", help="add how sure the model is of tags, features, arcs and names")
    least = "write the N sentences that the model is least sure of, the least sure one first; with confidences"
    add("--least-sure", type=whole_number(1, 1_000_000), metavar="N", help=least)
    verb.add_records(parser)
    add("--text", default="text", metavar="NAME", help="of records: what they call the text")
    verb.add_cluster(parser)


def _annotate(
    files: list[str],
    format: str | None,
    input: str,
    language: str | None,
    parts: str | None,
    errors: str,
    confidence: bool,
    least_sure: int | None,
    to: str | None,
    text: str,
    **where: Unpack[verb.Where],
) -> None:
    from sapwood.tasks.pipeline.output import LeastSure, check_confidences

    model, texts = _model_and_texts(files, language)
    texts = verb.in_folders(texts, where["output"])
    pipeline: Languages | Pipeline
    if model is None:
        if where["workers"] is not None:
            raise OptionError("--workers have one model; name it, or a --language")
        pipeline = _languages(language or AUTO, parts, input).set_params(threads=where["threads"])
        pipeline = verb.strictly(pipeline, where) if where["strict"] else pipeline
    else:
        pipeline = verb.with_strictness(_pipeline(model, parts, input), where)
    if to is not None:
        from sapwood.cli.use.records import document_answers, write_records

        verb.check_records(to, texts, where["output"], alone=True)
        answers = document_answers(pipeline, confidence=confidence)
        write_records(texts, text, answers, {"entities": None, "sentences": None}, to)
        return
    if verb.elsewhere(where):
        if least_sure is not None:
            raise OptionError("--least-sure compares the sentences of all texts, which --output does not do")
        options = {"format": format or "conllu", "input": input, "errors": errors, "confidence": confidence}
        annotate_into_folder(pipeline, model or LANGUAGE, texts, where, **options)
        return
    format = format or ("table" if sys.stdout.isatty() else "conllu")
    if format == "tree" and "parse" not in (pipeline.params.parts or STAGES):
        raise OptionError("trees need the part parse, which the pipeline does not have")
    if confidence:
        check_confidences(format, _formats())
    write = _formats()[format].writer()
    if least_sure is not None:
        write, confidence = LeastSure(write, least_sure), True
    files_written = pipeline.writer.of_files(
        read_chunks(texts), write, input=input, errors=errors, confidence=confidence, several=len(texts) > 1
    )
    for written in files_written:
        write_out(written, drawn=format in ("table", "tree"))


def _language(text: str) -> str:
    """Return a language, or one of the ways in which it is told. Raises ArgumentTypeError for any other word.

    >>> _language("de"), _language("DE"), _language("pt-BR")  # a language tag begins with its language (RFC 5646)
    ('de', 'de', 'pt')
    """
    code = text.lower().partition("-")[0]
    if code not in (known := (AUTO, "paragraph", *PIPELINES)):
        raise ArgumentTypeError(f"{text!a} is none of {', '.join(known)}")
    return code


def _model_and_texts(files: list[str], language: str | None) -> tuple[str | None, list[str]]:
    """Return the name of the pipeline, None if the language chooses it, and the names of the texts.

    Raises DataError if a text does not exist, OptionError if a model and a language are named.
    """
    first = files[0] if files else "-"
    chosen = first == AUTO  # as `sapwood.load` and `sapwood serve` call the choice by language
    named = not chosen and (first in BUNDLED or first.endswith(".sap") or is_model(str(model_path(first))))
    if named and language is not None:
        raise OptionError(f"{first} is a model, and reads all texts; --language goes without one")
    model = first if named else language if language in PIPELINES else None
    texts = files[1:] if named or chosen else list(files)
    for text in texts:
        if text != "-" and not os.path.exists(text):  # noqa: PTH110
            models = f", and no model of this name comes with sapwood (there is {', '.join(BUNDLED)})"
            raise DataError(f"{text!r}: no such file{models if text == first else ''}")
        if text != "-" and is_model(text):
            raise DataError(f"{text!r} is a model, and no text; it stands first: sapwood annotate {text} TEXT ...")
    return model, texts


def _pipeline(model: str, parts: str | None, input: str) -> Pipeline:
    from sapwood.tasks.pipeline.model import Pipeline
    from sapwood.tasks.pipeline.options import of_parts

    def choose(file: ModelFile) -> ModelFile:
        return file if parts is None else of_parts(file, [*filter(None, parts.split(","))])

    pipeline = load_as(Pipeline, model, choose)
    pipeline.writer.check_input(input)
    return pipeline


def _languages(language: str, parts: str | None, input: str) -> Languages:
    from sapwood.tasks.pipeline.languages import Languages
    from sapwood.tasks.pipeline.options import PipelineOptions

    wanted = [] if parts is None else [*filter(None, parts.split(","))]
    PipelineOptions(parts=wanted).check_options()
    by = "paragraph" if language == "paragraph" else "document"
    languages = Languages.bundled().set_params(by=by, parts=tuple(wanted))
    languages.writer.check_input(input)
    return languages


def _table(sentence: Sentence) -> str:
    from sapwood.base.drawing.terminal import word_table

    columns = {"id": [str(token.id) for token in sentence], "text": [token.text for token in sentence]}
    for column in COLUMNS:
        shown = dict.fromkeys((None, column.nothing if column.item else None), "")
        columns[column.name] = [shown.get(value, str(value)) for value in sentence.values(column.name)]
    columns["confidence"] = [
        " ".join(f"{decision} {int(100 * confidence)}" for decision, confidence in token.confidences.items())
        for token in sentence
    ]
    heading, *rows = word_table(columns, terminal_width())
    return "\n".join([paint(heading, "bold", sys.stdout), *rows]) + "\n\n"


def _formats() -> dict[str, Format]:
    """Return the formats of documents, with the two that only a terminal shows: table and tree."""
    from sapwood.tasks.pipeline.output import FORMATS, Format, Text

    return FORMATS | {
        "table": Format(lambda: Text(_table), True),
        "tree": Format(lambda: Text(lambda sentence: sentence.draw(terminal_width()) + "\n\n"), False),
    }


VERBS = {"annotate": Verb(verb.help_of("annotate"), _options, _annotate)}
