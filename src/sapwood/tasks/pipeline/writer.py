"""The writer of a pipeline: files of text, tokens or CoNLL-U to documents in one of the formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sapwood.errors import OptionError
from sapwood.tasks.pipeline.output import FORMATS, check_confidences, replaced

if TYPE_CHECKING:
    from sapwood.tasks.pipeline.model import Pipeline

INPUTS = ("text", "tokens", "conllu")


class DocumentWriter:
    """A writer of the documents of a file, as soon as they are certain."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline

    def written(
        self,
        chunks: Iterable[bytes],
        *,
        name: str = "input",
        format: str = "conllu",
        input: str = "text",
        errors: str = "strict",
        confidence: bool = False,
    ) -> Iterator[bytes]:
        """Yield the analysis of a text as bytes, as `sapwood annotate` writes it. Raises OptionError and DataError.

        format : one of FORMATS; input : one of INPUTS; errors : of UTF-8, "strict" or "replace"
        """
        self._pipeline.check_fitted()
        for option, value, known in (
            ("format", format, tuple(FORMATS)),
            ("input", input, INPUTS),
            ("errors", errors, ("strict", "replace")),
        ):
            if value not in known:
                raise OptionError(f"{option} is one of {', '.join(known)}; got {value!a}")
        self.check_input(input)
        if confidence:
            check_confidences(format, FORMATS)
            self._pipeline.confidence.check()
        return self._written(chunks if errors == "strict" else replaced(chunks, name), name, format, input, confidence)

    def output_format(self, **options: Any) -> str:
        """Return the format that `written` gives with these options."""
        return str(options.get("format", "conllu"))

    def check_input(self, input: str) -> None:
        """Raise OptionError if the pipeline cannot read raw text and should."""
        if input == "text" and "segment" not in self._pipeline.params.parts:
            raise OptionError("raw text needs the part segment; without it, give --input tokens or --input conllu")

    def _written(
        self, chunks: Iterable[bytes], name: str, format: str, input: str, confidence: bool
    ) -> Iterator[bytes]:
        write, pipeline = FORMATS[format].writer(), self._pipeline
        yield write.begin()
        if input == format == "conllu":  # its comments, and whatever else it has, stay
            yield pipeline.fill(b"".join(chunks), name, confidence=confidence)
        else:
            docs = pipeline.documents(chunks, name=name, input=input)
            yield from map(write, pipeline.with_confidences(docs, confidence))
        yield write.end()
