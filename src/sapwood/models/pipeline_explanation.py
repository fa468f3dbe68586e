"""Why the parts of a pipeline decided as they did about a text: each on what the parts before it gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sapwood.models.pipeline import Pipeline

_WORDS = ("form", "upos", "xpos", "feats")  # columns of the rows that taggers in a pipeline see


def explain_parts(pipeline: Pipeline, data: bytes, name: str, asked: _core.Question) -> Iterator[bytes]:
    """Yield the explanations of all parts, as lines of JSON that begin with the part's name.

    Raises OptionError for a sentence that is not there, or an answer that no part has.
    """
    docs = pipeline.pipeline_.read(data, name, threads=pipeline.threads)
    analysed, first = [], 1
    for doc in docs:
        analysed.append(doc.to_conllu(first))
        first += doc.sentence_count
    words = _core.Conllu.read(b"".join(analysed), name)
    columns = [words.column(field) for field in _WORDS]
    rows = _core.Columns.build(
        [list(zip(*sentence, strict=True)) for sentence in zip(*columns, strict=True)], None, name
    )
    ways: dict[str, Callable[[], Iterator[bytes]]] = {
        "segmenter": lambda: pipeline.models_["segmenter"].explain_lines(data, name, asked),
        "splitter": lambda: pipeline.models_["splitter"].explain_lines(b"".join(analysed), name, asked),
        "parser": lambda: pipeline.models_["parser"].explain_lines(b"".join(analysed), name, asked),
    }
    failed: OptionError | None = None
    any_part = False
    for part, model in pipeline.models_.items():
        way = ways.get(part) or (lambda model=model: model.explained_rows(rows, asked))  # type: ignore[misc]
        try:
            for block in way():
                any_part = True
                yield _of_part(part, block)
        except OptionError as error:  # this part has no such answer, or fewer paragraphs than there are sentences
            failed = error
    if failed is not None and not any_part:
        raise failed


def _of_part(part: str, block: bytes) -> bytes:
    """Add the part's name to lines of JSON, in which there are no line ends but at the end."""
    begin = b'\n{"part": "%s", "sentence": ' % part.encode()
    return (b"\n" + block)[:-1].replace(b'\n{"sentence": ', begin)[1:] + b"\n" if block else b""
