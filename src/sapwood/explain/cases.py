"""Chosen cases with the reasons of each decision in words, for a page (sapwood.explain.cases_page) that people keep."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby

from sapwood.base.drawing.sentence import printable
from sapwood.errors import OptionError
from sapwood.explain.cases_page import Case, Decision, Reason
from sapwood.explain.wording import Wording, wording_of
from sapwood.model.base import AnyModel
from sapwood.model.explanation import Reasons, Unit, question
from sapwood.model.explanation_records import ExplanationRecord, summed_features
from sapwood.model.parts import require_capability

_MARK = "# sent_id = "
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


class Cases:
    """The sentences or examples of a file, with the explanations of a model's decisions about them."""

    def __init__(self, model: AnyModel, data: bytes, name: str) -> None:
        self._file, self._data, self._name = model.model_, data, name
        self._reasons = require_capability(model, "reasons")
        self._read = self._reasons.read(data, name) if isinstance(self._reasons, Reasons) else data

    @cached_property
    def _units(self) -> list[Unit]:
        """The examples of a model that decides about them as a whole."""
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
        """Yield the cases that explanations are of, in their order."""
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
        reasons = list[Reason]()
        lower = [printable(word).lower() for word in words]
        for contribution, text, weights in summed_features(record["features"]):
            word = wording(text)
            places = [at + row for row in word.rows if 0 <= at + row < len(words)] if at is not None else []
            if word.words:
                run = [each.lower() for each in word.words]
                begins = (k for k in range(len(words)) if lower[k : k + len(run)] == run)
                places += [k + row for k in begins for row in range(len(run))]
            reasons.append(Reason(contribution, word.said, text, weights, word.codes, set(places)))
        return Decision(record, at, reasons)


def _sentence_ids(data: bytes) -> list[str]:
    """Return the sent_id of each sentence of CoNLL-U; empty ones where there are none."""
    ids, filled = [""], False
    for line in data.decode(errors="replace").splitlines():
        if line.startswith(_MARK):
            ids[-1] = line.removeprefix(_MARK).strip()
        if not line.strip() and filled:
            ids.append("")
        filled = bool(line.strip())
    return ids if any(ids) else []
