"""A model's card: a text in Markdown for people, on data, licence, author, figures and limits."""

import os

from sapwood.errors import DataError, ModelError
from sapwood.io.source import plain_text, read_bytes, shown

LARGEST = 1 << 16  # bytes


def read_card(path: str | os.PathLike[str]) -> str:
    """Return the text of a model's card. Raises DataError."""
    name = shown(path)
    card = plain_text(read_bytes(path), name).replace("\r\n", "\n").strip()
    try:
        checked_card(card)
    except ModelError as flaw:
        raise DataError(f"{name}: {flaw}") from None
    if not card:
        raise DataError(f"{name}: there is nothing in it; a card says data, licence and author of a model")
    return card + "\n"


def checked_card(card: str) -> str:
    """Return a model's card. Raises ModelError if it is too large, or no text."""
    try:
        size = len(card.encode())
    except UnicodeEncodeError:
        raise ModelError("its card is not Unicode") from None
    if size > LARGEST:
        raise ModelError(f"its card has {size:,} bytes; the largest has {LARGEST:,}")
    if "\0" in card:
        raise ModelError("its card has a NUL character")
    return card
