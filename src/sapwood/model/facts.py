"""Facts about a fitted model for people and for programs, of itself and of the file that it is in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sapwood.base.drawing.sentence import escaped
from sapwood.errors import DataError, OptionError
from sapwood.io.json_text import fits
from sapwood.io.source import plain_text, read_bytes, shown
from sapwood.model.file.bundled import model_path
from sapwood.model.file.schema import ModelFile

if TYPE_CHECKING:
    from sapwood.model.parts import Contents

_LARGEST = 1 << 16  # bytes of a card
_SHOWN_ELSEWHERE = ("dev_scores", "label_counts", "notes")  # entries of the provenance


def with_notes(file: ModelFile, notes: dict[str, str]) -> ModelFile:
    """Return a model file with notes of one's own beside those that it has; an empty value takes a note away.

    Raises OptionError unless names and values are texts, and names are not empty.
    """
    if not all(isinstance(text, str) for pair in notes.items() for text in pair) or "" in notes:
        raise OptionError('notes are texts by their names, such as {"prompt": "v3"}')
    kept = {name: text for name, text in (notes_of(file) | notes).items() if text}
    provenance = {name: value for name, value in file.provenance.items() if name != "notes"}
    return file.replaced(provenance=provenance | ({"notes": kept} if kept else {}))


def notes_of(file: ModelFile) -> dict[str, str]:
    """Return the notes of a model file by their names."""
    found = file.provenance.get("notes")
    return found if fits(found, dict[str, str]) else {}


def file_facts(name: str | os.PathLike[str]) -> dict[str, object]:
    """Return the SHA-256 and the bytes of a model's file, or of a bundled model; nothing if it cannot be read."""
    import hashlib

    try:
        data = Path(model_path(name)).read_bytes()
    except OSError:
        return {}
    return {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}


def now() -> str:
    """Return the time in UTC, as JSON has it."""
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def training_facts(file: ModelFile) -> dict[str, object]:
    """Return the checksum of the training data, the version that trained the model, and its notes, as far as known."""
    known = {"data_checksum": file.provenance.get("data_checksum"), "trained_by": file.provenance.get("sapwood")}
    return {name: value for name, value in known.items() if isinstance(value, str)} | {"notes": notes_of(file)}


def described(file: ModelFile, contents: Contents) -> dict[str, str]:
    """Return facts about a fitted model, in words."""
    trained = (f"{key.replace('_', ' ')} {v}" for key, v in file.provenance.items() if key not in _SHOWN_ELSEWHERE)
    lines = [line for line in file.template.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    facts = {
        "task": file.task,
        "labels": f"{len(file.labels)}: {' '.join(file.labels)}" if file.labels else "",
        "columns": ", ".join(f"{name}{' (label)' if c == file.label else ''}" for c, name in enumerate(file.columns)),
        "template": f"{len(lines)} lines" if lines else "",
        "made for": _made_for(file),
        "options": _option_values(file),
        "weights": contents.storage,
        "trained": ", ".join(trained),
        "notes": ", ".join(f"{name}={text}" for name, text in notes_of(file).items()),
    }
    for name, part in file.parts.items():
        facts[name] = f"{len(part.labels)} labels, {_option_values(part)}, {part.described_weights()}"
    return {name: value for name, value in facts.items() if value}


def _made_for(file: ModelFile) -> str:
    if file.familiar is not None and file.familiar.columns:
        [kind, *_] = file.familiar.columns
        count = len(file.familiar.frequent) // 4
        few = f"; in 999 of 1,000 windows at least {kind['windows'][0]:.0%}" if kind["windows"] else ""
        return f"texts of whose words {kind['share']:.0%} are among {count:,} frequent ones{few}"
    if file.task in ("rank", "structured", "grammar"):
        return ""
    return "not known: the training data had few words"


def _option_values(file: ModelFile) -> str:
    return ", ".join(f"{name} {value}" for name, value in file.options.items() if not isinstance(value, list))


def html_table(noun: str, file: ModelFile, contents: Contents) -> str:
    """Return the facts about a fitted model as a table of HTML, for notebooks."""
    cells = {"model": f"{noun}, {contents.learned}", **described(file, contents)}
    rows = (f"<tr><th>{name}</th><td>{escaped(value)}</td></tr>" for name, value in cells.items())
    return f"<table>{''.join(rows)}</table>"


def read_card(path: str | os.PathLike[str]) -> str:
    """Return the text of a model's card. Raises DataError."""
    name = shown(path)
    card = plain_text(read_bytes(path), name).replace("\r\n", "\n").strip()
    if (size := len(card.encode())) > _LARGEST:
        raise DataError(f"{name}: its card has {size:,} bytes; the largest has {_LARGEST:,}")
    if not card:
        raise DataError(f"{name}: there is nothing in it; a card says data, licence and author of a model")
    return card + "\n"
