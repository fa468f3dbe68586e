"""Records of explanations, as the core writes them, and their tables for a terminal and for a browser."""

from collections import defaultdict
from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple, NotRequired, TypedDict

from sapwood.base.drawing.sentence import Paint, cells, escaped, fitted, printable, unpainted


class FeatureRecord(TypedDict):
    """The part of a feature in a decision, as the core writes it."""

    text: str
    label: str  # the answer that the weight speaks for
    value: float
    weight: float
    contribution: float


class ExplanationRecord(TypedDict):
    """An explanation, as the core writes it."""

    part: NotRequired[str]  # the part of a pipeline that decided
    sentence: int
    token: int
    word: str
    decision: str
    chosen: str
    against: str | None
    outvoted: NotRequired[str]  # the answer that a committee gives in the place of the chosen one
    margin: float
    scale: NotRequired[float]
    features: list[FeatureRecord]


_NUMBER = 9  # terminal columns of a contribution
_LABELS = 34  # most terminal columns of the labels that a feature speaks for or against


class SummedFeature(NamedTuple):
    """A feature with all labels that it has weights for."""

    contribution: float
    feature: str
    weights: str  # by label


def text_explanation(explanation: ExplanationRecord, top: int = 10, width: int = 80, paint: Paint = unpainted) -> str:
    """Return the decision, and the `top` features that count most.

    explanation : as the core writes it in JSON
    paint : gives a text the style "bold", "green" or "red"
    """
    lines = [paint(printable(_place(explanation)), "bold")]
    lines += wrap(printable(choice(explanation)), width, break_on_hyphens=False)
    rows = summed_features(explanation["features"])
    shown = rows[:top]
    labels = min(max((cells(row.weights) for row in shown), default=0), _LABELS)
    room = max(width - _NUMBER - labels - 4, 16)
    for contribution, text, weights in shown:
        number = paint(f"{contribution:+{_NUMBER}.3f}", "green" if contribution > 0 else "red")
        lines.append(f"{number}  {fitted(text, room)}  {fitted(weights, labels).rstrip()}".rstrip())
    if len(rows) > top:
        rest = sum(row.contribution for row in rows[top:])
        lines.append(f"{rest:+{_NUMBER}.3f}  {len(rows) - top} other features")
    return "\n".join(lines)


def html_explanation(explanation: ExplanationRecord) -> str:
    """Return the decision and all its features as an HTML table; all text is escaped."""
    colours = {True: "#1a7f37", False: "#b3261e"}
    body = "".join(
        f'<tr><td style="text-align:right;color:{colours[contribution > 0]}">{contribution:+.3f}</td>'
        f'<td style="text-align:left">{escaped(text)}</td><td style="text-align:left">{escaped(weights)}</td></tr>'
        for contribution, text, weights in summed_features(explanation["features"])
    )
    caption = f"{escaped(_place(explanation))}<br>{escaped(choice(explanation))}"
    return (
        f'<table><caption style="text-align:left">{caption}</caption>'
        f"<thead><tr><th>contribution</th><th>feature</th><th>weights</th></tr></thead><tbody>{body}</tbody></table>"
    )


def _place(explanation: ExplanationRecord) -> str:
    part = f"{explanation['part']}: " if explanation.get("part") else ""
    word = f": {explanation['word']}" if explanation["word"] else ""
    return f"{part}sentence {explanation['sentence']}, token {explanation['token']}{word}"


def choice(explanation: ExplanationRecord) -> str:
    """Return the choice in words, with the answer that it is compared with."""
    if explanation["decision"].startswith("label "):  # whether an example has it, yes or no
        return f"{explanation['decision']}: {explanation['chosen']}, by {explanation['margin']:.3f}"
    is_said = explanation["decision"] == "label" or explanation["chosen"].startswith(explanation["decision"])
    kind = "" if is_said else f"{explanation['decision']} "
    outvoted = f"; outvoted by {explanation['outvoted']}" if "outvoted" in explanation else ""
    if explanation["against"] is None:
        return f"{kind}{explanation['chosen']}: there was no choice{outvoted}"
    return f"{kind}{explanation['chosen']}, not {explanation['against']}, by {explanation['margin']:.3f}{outvoted}"


def summed_features(features: Sequence[FeatureRecord]) -> list[SummedFeature]:
    """Return each feature once, with all labels that it has weights for; those that count most come first."""
    sums: defaultdict[str, float] = defaultdict(float)
    weights: defaultdict[str, list[str]] = defaultdict(list)
    for feature in features:
        text = printable(feature["text"])
        sums[text] += feature["contribution"]
        times = "" if abs(feature["value"]) == 1 else f"{abs(feature['value']):g} x "
        weights[text].append(f"{times}{printable(feature['label'])} {feature['weight']:+.1f}".strip())
    order = sorted(sums, key=lambda text: -abs(sums[text]))
    return [SummedFeature(sums[text], text, ", ".join(weights[text])) for text in order]
