"""Messages in the words of a request, which has members and a text where a command has options and files."""

from __future__ import annotations

import re

from sapwood.model.records import INPUT

_LINE = re.compile(rf"{INPUT}:(\d+): ")
_OPTION = re.compile(r"(?<!\S)--input (\w+)")
_OF_COMMANDS = re.compile(r"'sapwood \w|(?<!\S)--[a-z]")


def in_words_of_request(message: str) -> str:
    """Return a message as a client is told it: of its text's lines, and without advice for the command line.

    >>> in_words_of_request("input:3: this looks like CSV; classifiers read it by --format csv")
    'line 3 of the text: this looks like CSV'
    >>> in_words_of_request("without it, give --input tokens")
    'without it, give input=tokens'
    """
    message = _LINE.sub(r"line \1 of the text: ", message, count=1)
    if message.startswith(f"{INPUT}: "):
        message = f"the text: {message.removeprefix(f'{INPUT}: ')}"
    first, *others = message.split("; ")
    said = [clause for clause in others if not _OF_COMMANDS.search(_OPTION.sub("", clause))]
    return _OPTION.sub(r"input=\1", "; ".join([first, *said]))
