"""A page of cases for whoever has to account for decisions: reasons in words, and the words marked in the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sapwood.base.drawing.sentence import escaped, on_one_line
from sapwood.explain.page import page_head
from sapwood.model.explanation_records import ExplanationRecord, choice


class Reason(NamedTuple):
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
    reasons: list[Reason]


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


def _text(words: Sequence[str], at: int | None, reasons: Sequence[Reason]) -> str:
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
