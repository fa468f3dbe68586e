"""Why the parts of a pipeline decided as they did about a text: each on what the parts before it gave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from sapwood import _core
from sapwood.errors import OptionError

_WORDS = ("form", "upos", "xpos", "feats")  # columns of the rows that taggers in a pipeline see


def explain_parts(
    models: Mapping[str, Any], analysed: bytes, data: bytes, name: str, asked: _core.Question, *, of_words: bool = True
) -> Iterator[bytes]:
    """Yield the explanations of all parts, as lines of JSON that begin with the part's name.

    models : the parts by their names
    analysed : what all of them gave, in CoNLL-U
    of_words : the question's numbers are those of words, for all parts: a splitter is asked about the token that the
        word is of, a segmenter, which has places in place of words, is not asked. Otherwise they are the part's own.

    Raises OptionError for a sentence that is not there, or an answer that no part has.
    """
    words = _core.Conllu.read(analysed, name)
    columns = [words.column(field) for field in _WORDS]
    rows = _core.Columns.build(
        [list(zip(*sentence, strict=True)) for sentence in zip(*columns, strict=True)], None, name
    )
    ways: dict[str, Callable[[], Iterator[bytes]]] = {
        "segmenter": lambda: models["segmenter"].explain_lines(data, name, asked),
        "splitter": lambda: _tokens(models["splitter"], words, analysed, name, asked, of_words=of_words),
        "parser": lambda: models["parser"].explain_lines(analysed, name, asked),
    }
    failed: OptionError | None = None
    any_part = False
    for part, model in models.items():
        if part == "segmenter" and of_words and (asked.sentence, asked.token) != (None, None):
            continue
        way = ways.get(part) or partial(model.explained_rows, rows, asked)
        try:
            for block in way():
                any_part = True
                yield _of_part(part, block)
        except OptionError as error:  # this part has no such answer, or fewer paragraphs than there are sentences
            failed = error
    if failed is not None and not any_part:
        raise failed


def _tokens(
    splitter: Any, words: _core.Conllu, analysed: bytes, name: str, asked: _core.Question, *, of_words: bool
) -> Iterator[bytes]:
    """Yield why tokens were split as they were, for the tokens of the words that are asked about."""
    if not of_words or asked.token is None:
        yield from splitter.explain_lines(analysed, name, asked)
        return
    begin = 0
    for s, sentence in enumerate(words.column("form")):
        if asked.sentence in (None, s) and asked.token < len(sentence):
            word = begin + asked.token
            joined = (min(end, word + 1) - first - 1 for first, end, _ in words.multiwords if begin <= first <= word)
            token = asked.token - sum(joined)
            of_token = _core.Question(
                sentence=s, token=token, against=asked.against, flip_to_against=asked.flip_to_against
            )
            yield from splitter.explain_lines(analysed, name, of_token)
        begin += len(sentence)


def explain_words(models: Mapping[str, Any], analysed: bytes, name: str, asked: _core.Question) -> Iterator[bytes]:
    """Yield the explanations of the parts that read words, as `explain_parts` does. Raises OptionError."""
    readers = {part: model for part, model in models.items() if part not in ("segmenter", "splitter")}
    if not readers:
        raise OptionError(f"{name}: the words were given; {' and '.join(models)} did not make them")
    return explain_parts(readers, analysed, b"", name, asked)


def _of_part(part: str, block: bytes) -> bytes:
    """Add the part's name to lines of JSON, in which there are no line ends but at the end."""
    begin = b'\n{"part": "%s", "sentence": ' % part.encode()
    return (b"\n" + block)[:-1].replace(b'\n{"sentence": ', begin)[1:] + b"\n" if block else b""
