"""Senseval 2's files: words with their parts of speech, of which one is inside ``<head>`` and has a sense."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from sapwood.errors import DataError


class Instance(NamedTuple):
    """A word in its context."""

    tokens: list[tuple[str, str]]  # words and their parts of speech
    marked: int  # the number of the word that has the sense
    sense: str  # or ""
    line: int


_SENSE = re.compile(r'<answer\b[^<>]*?\bsenseid="([^"<>]*)"')
_WORD = re.compile(r'<(/?)head>|<wf pos="([^<>]*)">([^<]*|\s*<\s*)</wf>')


def instances(text: str, name: str) -> Iterator[Instance]:
    """Yield the instances of a file, which is like XML but need not be well-formed. Raises DataError with the line."""
    end, line = 0, 1
    while (start := text.find("<instance", end)) >= 0:
        line += text.count("\n", end, start)
        where = f"{name}:{line}"
        stop = text.find("</instance>", start)
        if stop < 0:
            raise DataError(f"{where}: the instance does not end")
        instance = text[start + len("<instance") : stop]
        if "<instance" in instance:
            raise DataError(f"{where}: the instance does not end before the next one begins")
        sense = _SENSE.search(instance)
        tokens: list[tuple[str, str]] = []
        marked = None
        for item in _WORD.finditer(instance.partition("<context>")[2]):
            if item[2] is None:
                if not item[1]:
                    marked = len(tokens)
            elif item[2] and (word := item[3].strip()):
                tokens.append((word, item[2]))
        if marked is None or marked >= len(tokens):
            raise DataError(f"{where}: the instance has no word inside <head>")
        yield Instance(tokens, marked, sense[1] if sense is not None else "", line)
        line += text.count("\n", start, stop)
        end = stop
    if end == 0:
        raise DataError(f"{name}: there is no <instance> in it; is it a Senseval file?")
