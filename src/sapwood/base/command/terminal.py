"""The one way out of the command line to a person: text in colours, in which nothing that came out of a file can steer.

A terminal obeys control characters: a label or a file's name with ESC in it could rename the window, fill the clipboard
or overwrite what stands above. `show` writes them as escapes, wherever the text goes. `write_out` does so on a terminal
alone; in pipes and files data stay as they are, byte for byte.
"""

import os
import sys
from typing import TextIO

from ..writing import escape_controls

_STYLES = {"bold": "1", "error": "1;31", "red": "31", "green": "32", "yellow": "33"}


def terminal_width() -> int | None:
    """Return the columns of the terminal; None if standard output is none."""
    from shutil import get_terminal_size  # shutil imports all kinds of compression

    return get_terminal_size().columns if sys.stdout.isatty() else None


def paint(text: str, style: str, stream: TextIO) -> str:
    """Return a text in a style, or as it is where the stream is no terminal or colours are not wanted."""
    text = escape_controls(text)
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def show(text: str = "", stream: TextIO | None = None, *, end: str = "\n") -> None:
    """Print a text, on standard output if no stream is given."""
    show_drawn(escape_controls(text), stream, end=end)


def show_drawn(text: str, stream: TextIO | None = None, *, end: str = "\n") -> None:
    """Print a text with styles that `paint` or a drawing made, which escape the words in it."""
    print(text, end=end, file=stream or sys.stdout, flush=stream is sys.stderr)


def show_report(text: str) -> None:
    """Print tables on standard output; on a terminal the heading of each, its first line, is bold."""
    heading = True
    for line in text.split("\n"):
        show_drawn(paint(line, "bold", sys.stdout) if heading and line else escape_controls(line))
        heading = not line


def write_out(data: bytes, *, drawn: bool = False) -> None:
    """Write bytes on standard output, so that they have left the process when this returns.

    drawn : they are a text with styles that `paint` or a drawing made
    """
    sys.stdout.flush()
    if not drawn and sys.stdout.isatty():
        data = escape_controls(data.decode(errors="backslashreplace")).encode()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
