"""What a tagger says about an input, to be shown sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from sapwood import _core
from sapwood.io.columns import read_rows
from sapwood.model.reading import Block, Reading, lines_as_columns, row_units, sentence_blocks, without_parts
from sapwood.tasks.tagging.confidence import TaggerConfidence
from sapwood.tasks.tagging.data import check_columns
from sapwood.tasks.tagging.row_tagger import RowTagger


def reading_of(
    tagger: RowTagger[Any],
    data: bytes,
    name: str,
    kind: str,
    labelled: Callable[[_core.Columns, bool], bytes],
    confidence: TaggerConfidence,
) -> Reading:
    """Return what `Model.reading` does, of columns, or of words alone. Raises DataError.

    labelled : gives the bytes of rows with their labels, and confidences if they are wanted
    """
    from sapwood.metrics.chunks import looks_like_chunks

    text = data if kind == "columns" else lines_as_columns(data, name)
    rows = read_rows(text, name)
    model, labels = tagger.model_, tagger.labels_
    check_columns(model, tagger.tagger_.labels, rows, data)
    chunks = looks_like_chunks(labels)

    def blocks(with_confidence: bool) -> Iterator[Block]:
        tagger.familiarity.check(rows, name)
        for lines in sentence_blocks(text):
            some = _core.Columns.read(lines, name, 1, rows)
            guess = tagger.tagger_.predict(some, tagger.params.threads)
            sure = confidence.of(some, tagger.threads) if with_confidence else ()
            units = row_units(some, model.columns, model.label, guess, chunks, sure)
            yield Block(units, labelled(some, with_confidence))

    explain = without_parts(partial(tagger.reasons.of_encoded, rows))
    return Reading(("json", "columns"), blocks, explain, confidence.calibrated, lambda part: labels)
