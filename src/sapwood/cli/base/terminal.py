"""What a terminal shows: colours, unless NO_COLOR is set, and nothing that came out of a file and could steer it."""

import os
import sys
from typing import TextIO

_STYLES = {"bold": "1", "error": "1;31", "red": "31", "green": "32", "yellow": "33"}


def paint(text: str, style: str, stream: TextIO) -> str:
    """Return a text in a style, or as it is where the stream is no terminal or colours are not wanted."""
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def print_report(text: str) -> None:
    """Print tables on standard output; on a terminal the heading of each, its first line, is bold."""
    heading = True
    for line in text.split("\n"):
        print(paint(line, "bold", sys.stdout) if heading and line else line)
        heading = not line
