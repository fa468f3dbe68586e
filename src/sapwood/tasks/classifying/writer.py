"""The lines that a classifier writes about examples: a label and a number for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from sapwood.io.example_files import (
    LINES,
    are_lines,
    check_format_of_examples,
    format_by_name,
    has_tabs,
    parse_examples,
)
from sapwood.io.record_writer import RecordWriter
from sapwood.io.records import CsvReader, Record, Remarks
from sapwood.io.source import STANDARD_INPUT, shown, with_lines
from sapwood.model.familiarity import Monitor
from sapwood.tasks.classifying.data import examples_in, layout_of
from sapwood.tasks.classifying.record_answers import answers_about
from sapwood.tasks.classifying.scorer import Scorer, unknown_examples

if TYPE_CHECKING:
    from sapwood.io.examples import Examples
    from sapwood.model.familiarity import Familiarity
    from sapwood.tasks.classifying.options import ClassifierOptions
    from sapwood.tasks.classifying.reasons import LabelReasons


class Writing(TypedDict, total=False):
    """Options of writing the labels of a file, which `Classifier.annotate` describes."""

    format: str | None
    top: int
    to: str | None
    reasons: bool


class LabelWriter:
    """A writer of labels: of each example's label, the margin to the second best or the confidence."""

    def __init__(
        self, scorer: Scorer, options: ClassifierOptions, familiarity: Familiarity, reasons: LabelReasons
    ) -> None:
        self._scorer, self._options, self._familiarity, self._reasons = scorer, options, familiarity, reasons
        self._layout = layout_of(scorer.file)

    def annotate(self, blocks: Iterable[bytes], name: str, **how: Unpack[Writing]) -> Iterator[bytes]:
        """Yield the lines or records of each block of a file. See `Classifier.annotate`."""
        place, unknown, format, to = shown(name), 0, how.get("format"), how.get("to")
        records = RecordWriter(to, place) if to else None
        threads, explained = self._options.threads, self._reasons if how.get("reasons") else None
        monitor = Monitor(self._familiarity, place)
        with Remarks(place, monitor.warn) as remarks:
            csv = CsvReader(place, self._layout.text, has_tabs(name), remarks)
            blocks = csv.whole_rows(blocks) if (name, format) == (STANDARD_INPUT, "csv") else blocks
            parts = self._parsed(blocks, name, format, remarks, csv)
            for data, block in monitor.parts(parts, words_of=lambda part: part[0].content):
                lines, empty = self._scorer.lines(data, threads, how.get("top", 0))
                unknown += empty
                if records is not None:
                    answers = answers_about(data, lines, self._scorer, threads, explained)
                    lines = records.written(_records(data, block), answers)
                yield lines
            if unknown and not monitor.warned:
                monitor.warn(unknown_examples(unknown, place))

    def of_texts(self, texts: Sequence[str]) -> list[tuple[str, float]]:
        """Return the label of each text, or labels with | between them, and the number beside it."""
        data = examples_in(texts, None, self._options, self._layout)
        [lines] = self.of_examples(data, data.answers.name, 0)
        cells = (line.rpartition("\t") for line in lines.decode().split("\n")[:-1])
        return [(label, float(number)) for label, _, number in cells]

    def of_examples(self, data: Examples, name: str, *tops: int) -> list[bytes]:
        """Return the lines of examples, once for each of these numbers of best labels (`Classifier.annotate`)."""
        warned = self._familiarity.check(data.content, name)
        found = [self._scorer.lines(data, self._options.threads, top) for top in tops]
        if (unknown := found[0][1]) and not warned:
            self._familiarity.on_warning(unknown_examples(unknown, name))
        return [lines for lines, _ in found]

    def answers(self, data: bytes, name: str, format: str, *, reasons: bool = False) -> list[dict[str, Any]]:
        """Return the answers that records of examples have behind their members (see `Classifier.annotate`)."""
        examples = self.parsed(data, name, format)
        [lines] = self.of_examples(examples, name, 0)
        return answers_about(examples, lines, self._scorer, self._options.threads, self._reasons if reasons else None)

    def format_of_pipe(self, start: bytes) -> str:
        """Return the format of standard input by its beginning: a text a line, or the format of the training data."""
        layout = self._layout
        return LINES if layout.columns == ["word"] and are_lines(start, layout) else layout.format

    def parsed(self, data: bytes, name: str, format: str | None = None) -> Examples:
        """Return the examples of all lines of a file, whether they have labels or not. Raises DataError."""
        format = self.format_of_pipe(data) if name == STANDARD_INPUT else format
        with Remarks(name, self._familiarity.on_warning) as remarks:
            [(examples, _)] = self._parsed([data], name, format, remarks)
            return examples

    def written(self, chunks: Iterable[bytes], *, name: str = "input", **options: Any) -> Iterator[bytes]:
        """Yield the labels of a file's examples, checked as a whole; options are those of `Classifier.annotate`."""
        data = b"".join(chunks)
        return self.annotate([data] if data else [], name, **options)

    def output_format(self, **options: Any) -> str:
        """Return the format of `written`."""
        return str(options.get("to") or "labels")

    def _parsed(
        self, blocks: Iterable[bytes], name: str, format: str | None, remarks: Remarks, csv: CsvReader | None = None
    ) -> Iterator[tuple[Examples, bytes]]:
        """Yield the examples of each block, with the block."""
        layout = self._layout._replace(format=format or format_by_name(name, self._layout.format))
        place, tabs = shown(name), has_tabs(name)
        if layout.format != LINES:
            check_format_of_examples(layout.format)
        for block, line in with_lines(blocks):
            examples = parse_examples(
                block, place, layout, remarks, fixed=True, keep_all=True, tabs=tabs, first_line=line, csv=csv
            )
            yield examples, block


def _records(data: Examples, block: bytes) -> Sequence[Record]:
    """Return the records of a block of a file; of a format that has none, one for each line, or for each example."""
    if data.records:
        return data.records
    texts = block.decode(errors="replace").removesuffix("\n").split("\n")
    if len(texts) == len(data) and data.documents is not None:
        return [Record(0, "", {"text": text.removesuffix("\r")}) for text in texts]
    labels = data.answers.labels
    gold = ({} if y < 0 else {"label": labels[y]} for y in data.answers.gold)
    return [Record(0, "", {"example": k, **label}) for k, label in enumerate(gold, 1)]
