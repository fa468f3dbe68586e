"""The forms of a classifier's answers: lines, members of records, and records for a page."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypedDict, Unpack

import sapwood._core as _core
from sapwood.io.example_files import (
    LINES,
    are_lines,
    check_format_of_examples,
    format_by_name,
    has_tabs,
    parse_examples,
)
from sapwood.io.examples import Examples, texts_as_examples
from sapwood.io.record_writer import RecordWriter
from sapwood.io.records import CsvReader, Record, Remarks
from sapwood.io.source import STANDARD_INPUT, plain_text, shown, with_lines
from sapwood.model.explanation import question
from sapwood.model.familiarity import Familiarity, Monitor
from sapwood.model.records import INPUT, AnswerRecord, Records, as_lines
from sapwood.tasks.classifying.answers import LabelReasons
from sapwood.tasks.classifying.data import examples_in, layout_of
from sapwood.tasks.classifying.options import ClassifierOptions
from sapwood.tasks.classifying.scorer import Scorer, unknown_examples

STRONGEST = 3  # reasons of a record
_BEST = 5  # labels of an example that are written with their scores


class Writing(TypedDict, total=False):
    """Options of writing the labels of a file, which `Classifier.annotate` describes."""

    format: str | None
    top: int
    to: str | None
    reasons: bool


class LabelWriter:
    """A writer of labels: of each example's label, the margin to the second best or the confidence."""

    reads_tables = True  # its input may be Parquet

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
        with Remarks(monitor.warn) as remarks:
            csv = CsvReader(place, self._layout.text, has_tabs(name), remarks)
            blocks = csv.whole_rows(blocks) if (name, format) == (STANDARD_INPUT, "csv") else blocks
            parts = self._parsed(blocks, name, format, remarks, csv)
            for data, block in monitor.parts(parts, words_of=lambda part: part[0].content):
                lines, empty = self._scorer.lines(data, threads, how.get("top", 0))
                unknown += empty
                if records is not None:
                    answers = answers_about(data, lines, self._scorer, threads, explained)
                    lines = records.written(_records_of(data, block), answers)
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
        with Remarks(self._familiarity.on_warning) as remarks:
            [(examples, _)] = self._parsed([data], name, format, remarks)
            return examples

    def written(self, chunks: Iterable[bytes], *, name: str = "input", **options: Any) -> Iterator[bytes]:
        """Yield the labels of a file's examples, checked as a whole; options are those of `Classifier.annotate`."""
        data = b"".join(chunks)
        return self.annotate([data] if data else [], name, **options)

    def output_format(self, **options: Any) -> str:
        return str(options.get("to") or "labels")

    def _parsed(
        self, blocks: Iterable[bytes], name: str, format: str | None, remarks: Remarks, csv: CsvReader | None = None
    ) -> Iterator[tuple[Examples, bytes]]:
        layout = self._layout._replace(format=format or format_by_name(name, self._layout.format))
        place, tabs = shown(name), has_tabs(name)
        if layout.format != LINES:
            check_format_of_examples(layout.format)
        for block, line in with_lines(blocks):
            examples = parse_examples(
                block, place, layout, remarks, fixed=True, keep_all=True, tabs=tabs, first_line=line, csv=csv
            )
            yield examples, block


def _records_of(data: Examples, block: bytes) -> Sequence[Record]:
    """Return the records of a block of a file; of a format that has none, one for each line, or for each example."""
    if data.records:
        return data.records
    texts = block.decode(errors="replace").removesuffix("\n").split("\n")
    if len(texts) == len(data) and data.documents is not None:
        return [Record(0, "", {"text": text.removesuffix("\r")}) for text in texts]
    labels = data.answers.labels
    gold = ({} if y < 0 else {"label": labels[y]} for y in data.answers.gold)
    return [Record(0, "", {"example": k, **label}) for k, label in enumerate(gold, 1)]


def answers_about(
    data: Examples, lines: bytes, scorer: Scorer, threads: int, reasons: LabelReasons | None
) -> list[dict[str, Any]]:
    """Return the members for each example: `label`, `margin`, of a calibrated model `confidence`, perhaps `reasons`.

    lines : the line of each example, as `LabelWriter` writes it without `top`

    All are None where there is no label. A model that abstains has `abstained`, true or false, and no label where it is
    true. A multi-label model has a list of labels, which may be empty, and the numbers
    of its least sure decision. The reasons are the features that spoke most for the label, or for one of several.
    """
    found: list[dict[str, Any]] = []
    calibrated, several = scorer.calibration is not None, scorer.several
    margins = _margins(data, scorer, threads) if calibrated else []
    answer: dict[str, Any]
    for k, line in enumerate(lines.decode().split("\n")[:-1]):
        label, _, number = line.rpartition("\t")
        unanswered = label == "_" and "_" not in scorer.file.labels
        if k in data.null or (unanswered and float(number) == 0):
            answer = dict.fromkeys(["label", "confidence", "margin"] if calibrated else ["label", "margin"])
            found.append(answer | ({} if scorer.least is None else {"abstained": True}))
            continue
        answer = {"label": None if unanswered else [*filter(None, label.split("|"))] if several else label}
        if calibrated:
            answer["confidence"] = float(number)
        answer["margin"] = margins[k] if calibrated else float(number)
        found.append(answer if scorer.least is None else answer | {"abstained": unanswered})
    if reasons is not None:
        _add_reasons(found, data, reasons, scorer)
    return found


def _margins(data: Examples, scorer: Scorer, threads: int) -> list[float]:
    """Return the margin to the second best label, or of several labels the distance of the nearest to its threshold."""
    scores = scorer.scores(scorer.rows(data), threads)
    found = []
    for row in scores:
        if scorer.several:
            margin = min(map(abs, row))
        else:
            second, best = sorted(row)[-2:]
            margin = best - second
        found.append(float(f"{margin:.6g}"))
    return found


def _add_reasons(found: list[dict[str, Any]], data: Examples, reasons: LabelReasons, scorer: Scorer) -> None:
    numbers = [k for k, answer in enumerate(found) if answer["label"]]
    if scorer.several:
        decisions = [(k, label) for k in numbers for label in found[k]["label"]]
        lines = reasons.of_decisions(data, decisions)
        numbers = [k for k, _ in decisions]
    else:
        lines = reasons.of_each(data, numbers, [question()] * len(numbers))
    spoke: list[list[dict[str, Any]]] = [[] for _ in found]
    for k, line in zip(numbers, lines, strict=True):
        features = json.loads(line)["features"] if line else []
        spoke[k] += [feature for feature in features if feature["contribution"] > 0]
    for answer, features in zip(found, spoke, strict=True):
        features.sort(key=lambda feature: -feature["contribution"])
        answer["reasons"] = [
            {"feature": feature["text"]}
            | ({"label": feature["label"]} if scorer.several else {})
            | {"contribution": round(feature["contribution"], 4)}
            for feature in features[:STRONGEST]
        ]


class LabelRecords(Records):
    """Answers of a classifier about a text, or about the examples of a file."""

    format = "labels"

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        file = model.model_
        self.inputs = (*["text"][: file.columns[: file.label] == ["word"]], "examples", "records")

    def _written(self, data: bytes, kind: str, format: str, confidence: bool) -> Iterator[bytes]:
        examples = self._examples(data, kind)
        lines, best = self._model.writer.of_examples(examples, INPUT, 0, _BEST)
        texts = [plain_text(data, INPUT)] if kind == "text" else []
        abstains = self._model._scorer.least is not None
        yield lines if format != "json" else as_lines(_records(examples, best, lines, texts, abstains=abstains))

    def _reasons(self, data: bytes, kind: str, asked: _core.Question) -> Iterator[bytes]:
        return self._model.reasons.of_encoded(self._examples(data, kind), asked)  # type: ignore[no-any-return]

    def _examples(self, data: bytes, kind: str) -> Examples:
        if kind == "text":
            return texts_as_examples([plain_text(data, INPUT)], INPUT, layout_of(self._model.model_))
        return self._model.writer.parsed(data, INPUT, "jsonl" if kind == "records" else None)  # type: ignore[no-any-return]


def _records(
    examples: Examples, best: bytes, lines: bytes, texts: Sequence[str], *, abstains: bool
) -> Iterator[AnswerRecord]:
    """Yield examples with their labels.

    best : a line for each: its best labels, each with a score, with tabs between
    lines : a line for each that begins with its label, or with several
    texts : of the examples; without, they are made of their words or numbers
    abstains : say whether the model abstained
    """
    for k, (scored, line) in enumerate(zip(best.decode().split("\n"), lines.decode().split("\n"), strict=True)):
        if not scored:
            continue
        cells = scored.split("\t")
        scores = [{"label": y, "score": float(score)} for y, score in zip(cells[::2], cells[1::2], strict=True)]
        if texts:
            text = texts[k]
        else:
            text = f"example {k + 1}" if examples.documents is None else " ".join(examples.documents.words(k))
        label = line.partition("\t")[0]
        said = {"abstained": label == "_"} if abstains else {}
        yield {"text": text, "label": label or "no label", **said, "best": scores}
