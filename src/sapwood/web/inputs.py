"""The kinds of input that models read, the kind of a text by its beginning, and the formats of answers."""

from collections.abc import Sequence

from sapwood.errors import OptionError
from sapwood.model.base import AnyModel
from sapwood.model.records import Records

INPUT_NAMES = {  # kind -> its name for people
    "text": "plain text",
    "tokens": "a sentence a line, its tokens between spaces",
    "conllu": "CoNLL-U",
    "columns": "a token a line, with its columns",
    "examples": "an example a line",
    "records": "a record of JSON a line",
}
_START = 10_000  # bytes of a text by which its kind is told


def records_of(model: AnyModel) -> Records:
    """Return the answers of a model that is served, which has some."""
    assert model._records is not None
    return model._records


def formats_of(model: AnyModel) -> tuple[str, ...]:
    """Return the formats in which a model's analysis is written: JSON, its own, and SVG where there are trees."""
    records = records_of(model)
    return ("json", records.format, "svg") if records.tags is not None else ("json", records.format)


def is_calibrated(model: AnyModel) -> bool:
    """Return true if the model has confidences."""
    return model.confidence is not None and model.confidence.calibrated


def likely_kind(data: bytes, asked: str, inputs: Sequence[str]) -> str:
    """Return the kind of an input: the one that is asked for, one that it looks like, or the usual one."""
    if asked != "auto":
        return asked
    start = data if len(data) <= _START else data[:_START].rpartition(b"\n")[0]
    return next((kind for kind, alike in _LOOKS.items() if kind in inputs and alike(start)), inputs[0])


def checked_kind(model: AnyModel, data: bytes, asked: str) -> str:
    """Return the kind of an input for a model. Raises OptionError if the model does not read the one asked for."""
    inputs = records_of(model).inputs
    kind = likely_kind(data, asked, inputs)
    if kind not in inputs:
        known = " or ".join(f"{each} ({INPUT_NAMES[each]})" for each in inputs)
        raise OptionError(f"this {model._noun} does not read {kind}; it reads {known}")
    return kind


def _like_conllu(start: bytes) -> bool:
    first = next((line for line in start.splitlines() if line and not line.startswith(b"#")), b"")
    return first.count(b"\t") == 9 and first[:1].isdigit()


def _like_columns(start: bytes) -> bool:
    """Return true for tabs, or several lines of one or two cells; sentences have no tabs, and more words."""
    cells = {len(line.split()) for line in start.splitlines() if line.strip()}
    return b"\t" in start or (start.strip().count(b"\n") > 0 and cells in ({1}, {2}))


_LOOKS = {"conllu": _like_conllu, "columns": _like_columns}
