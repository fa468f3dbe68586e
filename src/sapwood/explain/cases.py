"""Chosen cases with the reasons of each decision in words, and their page, for whoever has to account for decisions."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from sapwood.base.drawing.sentence import escaped, on_one_line, printable
from sapwood.errors import OptionError
from sapwood.explain.page import page_head
from sapwood.explain.wording import Wording, wording_of
from sapwood.model.base import AnyModel
from sapwood.model.explanation import Reasons, Unit, question
from sapwood.model.explanation_records import ExplanationRecord, choice, summed_features
from sapwood.model.parts import require_capability

_MARK = "# sent_id = "
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


class WordedReason(NamedTuple):
    """A feature with all labels that it has weights for."""

    contribution: float
    said: str  # in words
    feature: str
    weights: str
    codes: dict[str, str]  # the codes in the feature, with what they mean
    places: set[int]  # numbers of the words that it is about


class Decision(NamedTuple):
    """A decision with its reasons."""

    record: ExplanationRecord
    at: int | None  # number of the word that it is about
    reasons: list[WordedReason]


class Case(NamedTuple):
    """A sentence or example with the decisions about it."""

    title: str
    words: Sequence[str]
    decisions: list[Decision]


def html_cases(cases: Iterable[Case], facts: Sequence[tuple[str, str]], top: int) -> Iterator[str]:
    """Yield the parts of the page, with the `top` reasons of each decision. All text is escaped."""
    yield page_head("Reasons of decisions", facts)
    yield (
        "<p>A decision is the sum of its reasons: what each contributes adds up to the margin, by which the answer is "
        'ahead of the one that it is compared with. Words are <mark class="pro">marked</mark> where they spoke for the '
        'answer, and <mark class="con">marked like this</mark> where they spoke against it.</p>\n'
    )
    codes: dict[str, str] = {}
    for case in cases:
        yield f'<section class="case">\n<h2>{escaped(case.title)}</h2>\n'
        for decision in case.decisions:
            yield _decision(decision, case.words, top)
            part = decision.record.get("part", "")
            for reason in decision.reasons[:top]:
                codes |= {f"{part} {code}".strip(): meaning for code, meaning in reason.codes.items()}
        yield "</section>\n"
    if codes:
        rows = "".join(
            f"<dt><code>{escaped(code)}</code></dt><dd>{escaped(codes[code])}</dd>" for code in sorted(codes)
        )
        yield f"<section>\n<h2>Codes of features</h2>\n<dl>{rows}</dl>\n</section>\n"
    yield "</main>\n</body>\n</html>\n"


def _decision(decision: Decision, words: Sequence[str], top: int) -> str:
    record, first, others = decision.record, decision.reasons[:top], decision.reasons[top:]
    rows = "".join(
        f'<tr class="{_side(each.contribution)}"><td>{each.contribution:+.3f}</td><td>{escaped(each.said)}</td>'
        f"<td><code>{escaped(each.feature)}</code> <small>{escaped(each.weights)}</small></td></tr>"
        for each in first
    )
    if others:
        rest = sum(each.contribution for each in others)
        rows += f'<tr><td>{rest:+.3f}</td><td colspan="2">{len(others):,} other reasons</td></tr>'
    about = f"{record['word']}: " if record["word"] and decision.at is not None else ""
    head = "<tr><th>contribution</th><th>reason</th><th>feature and its weights</th></tr>"
    return (
        f"<h3>{escaped(on_one_line(about))}{escaped(choice(record))}</h3>\n<p>{_text(words, decision.at, first)}</p>\n"
        f'<div class="wide" tabindex="0" role="group" aria-label="Reasons"><table>{head}{rows}</table></div>\n'
    )


def _text(words: Sequence[str], at: int | None, reasons: Sequence[WordedReason]) -> str:
    """Return the words, marked by what reasons that look at them contribute."""
    marks: dict[int, float] = {}
    for reason in reasons:
        for place in reason.places:
            marks[place] = marks.get(place, 0.0) + reason.contribution / len(reason.places)
    largest = max(map(abs, marks.values()), default=0.0)
    shown = []
    for number, word in enumerate(words):
        text = escaped(on_one_line(word))
        if number == at:
            text = f"<b>{text}</b>"
        if mark := marks.get(number, 0.0):
            style = f"--strength:{0.08 + 0.37 * abs(mark) / largest:.2f}"
            text = f'<mark class="{_side(mark)}" style="{style}" title="{mark:+.3f}">{text}</mark>'
        shown.append(text)
    return " ".join(shown)


def _side(contribution: float) -> str:
    return "pro" if contribution > 0 else "con"


class Cases:
    """The sentences or examples of a file, with the explanations of a model's decisions about them."""

    def __init__(self, model: AnyModel, data: bytes, name: str) -> None:
        self._file, self._data, self._name = model.model_, data, name
        self._reasons = require_capability(model, "reasons")
        self._read = self._reasons.read(data, name) if isinstance(self._reasons, Reasons) else data

    @cached_property
    def _units(self) -> list[Unit]:
        units = getattr(self._reasons, "units", None)
        return [] if units is None else units(self._read)

    @cached_property
    def _ids(self) -> list[str]:
        return [unit.id for unit in self._units] or _sentence_ids(self._data)

    @cached_property
    def _wordings(self) -> dict[str, Callable[[str], Wording]]:
        parts = {"": self._file, **self._file.parts}
        return {part: wording_of(file.template, file.columns) for part, file in parts.items()}

    def numbers(self, ids: Sequence[str]) -> list[int]:
        """Return the numbers of cases, counted from 1, by their ids, or by numbers. Raises OptionError."""
        numbers = {each: k for k, each in reversed(list(enumerate(self._ids, start=1))) if each}
        for each in ids:
            if each not in numbers and not _NUMBER.fullmatch(each):
                raise OptionError(f"{self._name}: no sentence or example has the id '{each}'")
        return [numbers.get(each) or int(each) for each in ids]

    def lines(self, numbers: Sequence[int | None], token: int | None, against: str | None) -> Iterator[bytes]:
        """Yield explanations of decisions about these cases; None stands for all."""
        for number in numbers:
            asked = question(number, token, against)
            if isinstance(self._reasons, Reasons):
                yield from self._reasons.of_encoded(self._read, asked)
            else:
                yield from self._reasons.of_bytes(self._read, self._name, asked)

    def cases(self, blocks: Iterable[bytes]) -> Iterator[Case]:
        records = (json.loads(line) for block in blocks for line in block.splitlines())
        for (number, part), some in groupby(records, key=lambda record: (record["sentence"], record.get("part", ""))):
            decided = list(some)
            yield self._case(number, part, decided)

    def _case(self, number: int, part: str, records: list[ExplanationRecord]) -> Case:
        unit = self._units[number - 1] if self._units else None
        words = {record["token"]: record["word"] for record in records} if unit is None else {}
        shown = unit.words if unit is not None else [words.get(k, "…") for k in range(1, max(words) + 1)]
        name = f"{number}" if not self._ids or not self._ids[number - 1] else f"{self._ids[number - 1]} ({number})"
        kind = "Sentence" if unit is None else "Example"
        decisions = [self._decision(record, shown, unit, self._wordings[part]) for record in records]
        whole = [] if part == "segmenter" else shown  # its decisions are about places
        return Case(f"{kind} {name}" + f": {part}" * bool(part), whole, decisions)

    def _decision(
        self, record: ExplanationRecord, words: Sequence[str], unit: Unit | None, wording: Callable[[str], Wording]
    ) -> Decision:
        at = record["token"] - 1 if unit is None else unit.marked
        reasons = list[WordedReason]()
        lower = [printable(word).lower() for word in words]
        for contribution, text, weights in summed_features(record["features"]):
            word = wording(text)
            places = [at + row for row in word.rows if 0 <= at + row < len(words)] if at is not None else []
            if word.words:
                run = [each.lower() for each in word.words]
                begins = (k for k in range(len(words)) if lower[k : k + len(run)] == run)
                places += [k + row for k in begins for row in range(len(run))]
            reasons.append(WordedReason(contribution, word.said, text, weights, word.codes, set(places)))
        return Decision(record, at, reasons)


def _sentence_ids(data: bytes) -> list[str]:
    ids, filled = [""], False
    for line in data.decode(errors="replace").splitlines():
        if line.startswith(_MARK):
            ids[-1] = line.removeprefix(_MARK).strip()
        if not line.strip() and filled:
            ids.append("")
        filled = bool(line.strip())
    return ids if any(ids) else []
