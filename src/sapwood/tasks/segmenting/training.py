"""Training of segmenters: the places of a treebank's text are rows for a tagger."""

from sapwood import _core
from sapwood.errors import OptionError
from sapwood.model.familiarity import familiar_in
from sapwood.model.file.container import Array
from sapwood.tasks.segmenting.options import PLACES, SegmenterOptions
from sapwood.tasks.tagging.training import Labels, Rows, row_trainer
from sapwood.training.run import Run
from sapwood.training.task import InMemory, Trainer

_COLUMNS = ["kind", "gap", "head", "tail", "before", "after", "later", "label"]  # core/segmenting/segment_rows.hpp


def segmenter_trainer(
    options: SegmenterOptions,
    data: InMemory[_core.Columns],
    held_out: _core.Columns | None,
    run: Run,
    *,
    places: bytes,
    words: _core.Conllu,
) -> Trainer:
    """Return the trainer of a segmenter: rows of places, the table of places, and the text as words."""
    if run.known is not None:
        raise OptionError("a segmenter cannot go on with other data, by which it chose what it decides; train anew")
    rows = Rows(
        task="segment",
        data=data,
        held_out=held_out,
        names=_COLUMNS,
        label=len(_COLUMNS) - 1,
        extra={PLACES: Array.of("U8", places)},
        score=_begins_f1,
    )
    trainer = row_trainer(rows, options)
    trainer.familiar = lambda: familiar_in([words], {"form": 0})  # rows are places, not words
    return trainer


def _begins_f1(gold: Labels, guess: Labels) -> float:
    """Return the F1 of places at which a token or sentence begins, in percent."""
    pairs = [(g, p) for gs, ps in zip(gold, guess, strict=True) for g, p in zip(gs, ps, strict=True)]
    right = sum(g == p != "." for g, p in pairs)
    begins = sum((g != ".") + (p != ".") for g, p in pairs)
    return 200 * right / begins if begins else 100.0
