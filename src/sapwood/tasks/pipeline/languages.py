"""Each text by the pipeline of its language: a classifier proposes languages, the pipelines' familiarity decides.

A text is judged by its first 4,096 letters. Where the classifier is sure of one language, the pipeline of that language
reads the text; if there is none, or it finds the text strange, the text is refused, as the analysis by the model of
another language is wrong nearly everywhere. Where it is not sure, the pipeline that knows most words of the text is
taken, of those that it finds possible. Of too few letters, or of words that none of these knows, it is English, with a
warning.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from itertools import chain
from typing import Any, Literal, Self

from sapwood.documents.doc import Doc
from sapwood.errors import DataError, OptionError
from sapwood.io.memory import check_list, of_arrow
from sapwood.io.source import STANDARD_INPUT, check_not_utf16, encoded, whole_blocks
from sapwood.model.base import Model, with_listener
from sapwood.model.file.bundled import LANGUAGE, PIPELINES, TRAINING, path_to_load
from sapwood.model.file.schema import ModelFile
from sapwood.model.language import FEWEST, LETTERS, SURE, beginning, has_letters, proposed
from sapwood.model.parts import Contents
from sapwood.model.records import Records
from sapwood.options import THREADS, Options, option
from sapwood.parts import STAGES
from sapwood.tasks.pipeline.data import Given, are_words
from sapwood.tasks.pipeline.model import Pipeline
from sapwood.tasks.pipeline.output import Writer
from sapwood.tasks.pipeline.writer import DocumentWriter

_POSSIBLE = 0.02  # confidence, from which on a language is considered where none is sure
_KNOWN = 0.4  # share of a text's familiar words / that of texts of the model's kind, at least, where none is sure
_ADVICE = "name a model, or a language, to read it all the same"


_BYTES = 64 * LETTERS  # at the beginning of a text, in which letters are looked for
_PARAGRAPH = re.compile(rb"(?:.*\S.*\n?)+(?:[^\S\n]*\n)*|\s+")
_FORM = re.compile(r"(?m)^\d+\t([^\t\n]+)\t")  # the form of a word in CoNLL-U


class UnknownLanguageError(DataError):
    """A text is in no language for which there is a pipeline."""


class StrangeTextError(UnknownLanguageError):
    """A text looks like a language, but the pipeline of that language does not know its words."""


class LanguagesOptions(Options):
    """The options of pipelines that are chosen by language."""

    by: Literal["document", "paragraph"] = option(
        default="document", help="whether a file has one language, or each of its paragraphs has its own"
    )
    parts: tuple[str, ...] = option(default=(), help="parts of the analysis; without, all that a pipeline has")
    threads: int = THREADS


class Languages(Model[LanguagesOptions]):
    """The bundled pipelines, each for the texts of its language; one is loaded when the first such text comes.

    >>> nlp = Languages.bundled()  # sapwood.load("auto")
    >>> nlp.language_of("Die Königin wohnt seit gestern in Wien.")
    'de'
    >>> [token.lemma for token in nlp("Die Königin wohnt seit gestern in Wien.")][:4]
    ['der', 'Königin', 'wohnen', 'seit']
    """

    _params_type = LanguagesOptions
    task = "pipeline"
    _noun = "choice of a pipeline by language"
    by: str
    parts: tuple[str, ...]

    @classmethod
    def bundled(cls) -> Self:
        """Return the choice among the bundled pipelines. Raises ModelError."""
        return cls._of_file(ModelFile.load(path_to_load(LANGUAGE)))

    def language_of(self, text: str, name: str = "text") -> str:
        """Return the code of the language whose pipeline is to read a text. Warn if that is a guess.

        Raises DataError if there is none for its language.
        """
        code, why = self.told(text, name)
        if not code:
            code = self.codes[0]
            if why:
                self.familiarity_.on_warning(f"{name}: {why}; it is read by {code!r}; {_ADVICE}")
        return code

    def told(self, text: str, name: str) -> tuple[str, str]:
        """Return the code of the language, or none and why it is not certain. Raises DataError as `language_of`."""
        start = beginning(text)
        if not has_letters(start):
            return "", f"fewer than {FEWEST} letters do not tell the language" if start.strip() else ""
        best_ones = proposed(start)
        code, confidence = best_ones[0]
        if confidence < SURE:
            possible = [code for code, confidence in best_ones if code in self.codes and confidence >= _POSSIBLE]
            known = {code: self._judged(code, start)[0] for code in possible}
            best = max(known, key=lambda code: known[code], default="")
            if best and known[best] >= _KNOWN:
                return best, ""
            return "", f"its language is not certain, {code!r} by {confidence:.0%}"
        looks = f"{name}: it is in the language {code!r}, by a confidence of {confidence:.0%}"
        if code not in self.codes:
            there = f"there are pipelines for {', '.join(self.codes)}"
            raise UnknownLanguageError(f"{looks}; {there}; {TRAINING}; {_ADVICE}")
        share, is_strange = self._judged(code, start)
        if is_strange:
            raise StrangeTextError(f"{looks}, but has {share:.0%} of the words of such texts; {_ADVICE}")
        return code, ""

    def pipeline(self, code: str) -> Pipeline:
        """Return the pipeline of a language, loaded at the first call, with the options. Raises ModelError."""
        judge = self.familiarity_
        chosen = with_listener(self._loaded(code)[1], judge.on_warning, strict=judge.strict, short=judge.short)
        return chosen.set_params(threads=self.threads)

    def among(self, pipelines: Mapping[str, Pipeline]) -> Self:
        """Return a choice among these pipelines, by the codes of their languages."""
        result = copy(self)
        result._pipelines = {code: (each, each) for code, each in pipelines.items()}
        result.codes = tuple(pipelines)
        return result

    def __call__(self, text: Given, *, confidence: bool = False) -> Doc:
        """Analyse a text or list of words by the pipeline of its language, as pipelines do. Raises DataError."""
        return next(self.pipe([text], confidence=confidence))

    def pipe(self, texts: Iterable[Given], *, confidence: bool = False) -> Iterator[Doc]:
        """Yield the analysis of each text or list of words. Raises DataError at one in a language without pipeline."""
        check_list(texts, "texts")
        for number, text in enumerate(of_arrow(texts), 1):
            code = self.language_of(_words(text), f"text {number}")
            yield self.pipeline(code)(text, confidence=confidence)

    @property
    def contents(self) -> Contents:
        """The contents of the pipeline for texts whose language is not certain."""
        return self._loaded(self.codes[0])[0].contents

    @property
    def _records(self) -> Records | None:
        return self._loaded(self.codes[0])[0]._records

    @property
    def writer(self) -> LanguagesWriter:
        return LanguagesWriter(self)

    def _judged(self, code: str, text: str) -> tuple[float, bool]:
        """Return the share of a text's familiar words beside that of the pipeline's own texts; is it strange?"""
        whole, _ = self._loaded(code)
        [doc] = whole.core_of(["segment"]).read_each([encoded(text)], 1)
        return whole.familiarity_.relative(doc)

    def _loaded(self, code: str) -> tuple[Pipeline, Pipeline]:
        """Return the pipeline of a language, and that of the wanted parts."""
        if code not in self._pipelines:
            whole = Pipeline.load(code)
            self._pipelines[code] = whole, whole.only(*self.parts) if self.parts else whole
        return self._pipelines[code]

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        self._pipelines: dict[str, tuple[Pipeline, Pipeline]] = {}  # whole, and of the wanted parts
        self.codes: tuple[str, ...] = tuple(PIPELINES)


class LanguagesWriter(DocumentWriter):
    """A writer of documents by the pipelines of their languages, which it says in formats that have a place for it."""

    def __init__(self, languages: Languages) -> None:
        self._languages, self._parts = languages, languages.parts or tuple(STAGES)

    def check_input(self, input: str) -> None:
        """Raise OptionError if the wanted parts cannot read the input, or it has no paragraphs."""
        super().check_input(input)
        if self._languages.by == "paragraph" and input != "text":
            raise OptionError(f"paragraphs with languages of their own are those of raw text, not of {input}")

    def check_confidence(self) -> None:
        """All pipelines that come with the package are calibrated."""

    def of_files(
        self, files: Iterable[tuple[str, Iterable[bytes]]], write: Writer, *, several: bool = False, **how: Any
    ) -> Iterator[bytes]:
        """Yield the analysis of files as bytes, as DocumentWriter does.

        Raises DataError for a file in an unknown language; if it is one of several, when the others are written.
        """
        self._refused: list[str] | None = [] if several else None
        yield from super().of_files(files, write, several=several, **how)
        if self._refused:
            raise DataError(f"left out, as no pipeline is for their language: {', '.join(self._refused)}")

    def of_text(
        self, chunks: Iterable[bytes], write: Writer, heading: bytes, *, name: str, input: str, **how: Any
    ) -> Iterator[bytes]:
        language = ""
        try:
            for code, first, text in self._texts(chunks, name, input):
                if code != language:
                    heading, language = heading + write.next_language(code), code
                chosen = self._languages.pipeline(code).writer
                yield from chosen.of_text(text, write, heading, name=name, input=input, **how | {"first": first})
                heading = b""
        except UnknownLanguageError as error:
            if self._refused is None:
                raise
            self._refused.append(name)
            self._languages.familiarity_.on_warning(f"{error}; it is left out")

    def _texts(self, chunks: Iterable[bytes], name: str, input: str) -> Iterator[tuple[str, int, Iterable[bytes]]]:
        """Yield the parts of a text: the language, the place of the first byte, and the bytes."""
        if self._languages.by == "paragraph":
            yield from self._paragraphs(chunks, name)
            return
        start, rest = _read_beginning(iter(chunks), name, input)
        check_not_utf16(start, name)
        yield self._languages.language_of(text_in(start, input), name), 0, chain([start], rest)

    def _paragraphs(self, chunks: Iterable[bytes], name: str) -> Iterator[tuple[str, int, Iterable[bytes]]]:
        """Yield paragraphs. One whose language is not certain goes with the one before, the first with the next.

        So does one that is strange, such as a listing of a program.
        """
        held, first, line, before = b"", 0, 1, ""
        for block in whole_blocks(chunks, "sentence", name):
            for paragraph in _PARAGRAPH.findall(block):
                held += paragraph
                try:
                    code, _ = self._languages.told(text_in(paragraph, "text"), f"{name}:{line}")
                except StrangeTextError:
                    code = ""
                line += paragraph.count(b"\n")
                before = code or before
                if len(held) >= _BYTES and not before:
                    before = self._languages.language_of(text_in(held, "text"), name)
                if before:
                    yield before, first, [held]
                    first, held = first + len(held), b""
        if held:
            yield self._languages.language_of(text_in(held, "text"), name), first, [held]


def _read_beginning(chunks: Iterator[bytes], name: str, input: str) -> tuple[bytes, Iterator[bytes]]:
    """Return the beginning of a text that tells its language, and what follows.

    That is so many letters, or bytes of a text with few letters. Of what is typed at a terminal it is the first
    paragraph, or line where lines are read.
    """
    typed = name == STANDARD_INPUT and sys.stdin.isatty()
    end = b"\n" if input in ("lines", "tokens") else b"\n\n"
    start, letters = b"", 0
    for chunk in chunks:
        start += chunk
        letters += sum(map(str.isalpha, text_in(chunk[: 8 * LETTERS], input)))
        if letters >= LETTERS or len(start) >= _BYTES or (typed and start.endswith(end)):
            break
    return start, chunks


def text_in(data: bytes, input: str) -> str:
    """Return the beginning of a text that comes as bytes, of CoNLL-U its words."""
    text = data[:_BYTES].decode(errors="ignore")
    return " ".join(_FORM.findall(text)) if input == "conllu" else text


def _words(given: Given) -> str:
    """Return a text, or the words of a sentence or several in one."""
    return " ".join(map(_words, given)) if are_words(given) else given  # type: ignore[return-value]
