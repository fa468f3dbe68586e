"""The findings of a pipeline in texts without gold answers, sentence by sentence, for `sapwood drift`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.io.conllu import is_conllu, read_conllu
from sapwood.io.example_files import format_by_name
from sapwood.io.records import json_records
from sapwood.io.source import read_bytes, shown
from sapwood.model.observed import Observed
from sapwood.parts import COLUMNS, PART_OF
from sapwood.tasks.pipeline.output import docs_of_each

if TYPE_CHECKING:
    from sapwood.model.familiarity import Familiarity
    from sapwood.tasks.pipeline.given import Given
    from sapwood.tasks.pipeline.writer import DocumentWriter

_FIRST = [column.name for column in sorted(COLUMNS, key=lambda column: not column.is_tagset)]  # tags, if there are any


def documents_in(
    core: _core.Pipeline, writer: DocumentWriter, source: Path | Iterable[Given], threads: int
) -> Iterator[_core.Doc]:
    """Yield the documents of a file or of texts in memory. Raises DataError."""
    if not isinstance(source, Path):
        yield from docs_of_each(core, source, threads, lambda message: None)
    elif format_by_name(source) == "jsonl":
        texts = [record.text("text") for record in json_records(read_bytes(source), shown(source))]
        yield from docs_of_each(core, texts, threads, lambda message: None)
    elif is_conllu(data := read_bytes(source)):
        yield core.read_words(read_conllu(data, shown(source)))
    else:
        yield from writer.documents([data], name=shown(source))


def observed(docs: Iterable[_core.Doc], familiarity: Familiarity) -> Observed:
    """Return the tags of each sentence, or what else the pipeline gives, the confidences in them, and known words."""
    words: list[list[str]] = []
    found = Observed([], [], lambda k, place: words[k][place], [])
    for doc in docs:
        if familiarity.core is not None:
            found.counts.extend(familiarity.core.count(doc, 1))  # a window for each sentence
        treebank = _core.Conllu.of_docs([doc], "")
        name = next((name for name in _FIRST if doc.column(name) is not None), "")
        rows = treebank.column(name) if name else [[] for _ in range(treebank.sentences)]
        found.labels.extend(rows)
        words.extend(treebank.column("form"))
        if sure := doc.confidences.get(PART_OF[name].decision if name else ""):
            each = iter(sure)
            found.confidences.extend([p for p in islice(each, len(row)) if p == p] for row in rows)
    return found
