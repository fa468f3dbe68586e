"""The state of a model's training in a checkpoint: it is saved, and goes on from there."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sapwood import __version__, _core
from sapwood.errors import DataError, ModelError, OptionError
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import Support, Weights
from sapwood.options import Values
from sapwood.training.checkpoints import LOOKS, BestRecord, Checkpoint, Content, Learned, differences
from sapwood.training.task import Best

if TYPE_CHECKING:
    from sapwood.training.task import Trainer


_OF_DATA = {"root_labels", "left_labels", "right_labels", "untagged", "tag_columns"}  # options that data have
_FEW = 100  # items of a list that are told one by one
_KEYS = "keys."  # name, and number of the table, of an array of the best weights' full keys


class SavedTraining:
    """The checkpoint of a trainer, in which its state and the best epoch's weights are saved."""

    def __init__(self, checkpoint: Checkpoint, trainer: Trainer) -> None:
        self._checkpoint = checkpoint
        self._trainer = trainer
        # The best weights need nothing of the model but what a file of them has to have.
        self._bare = trainer.model.replaced(template="", word_lists=[], clusters=None, parts={}, extra={})
        self._saved_at_once = False

    def resumed(self, epochs: int) -> tuple[int, Best | None]:
        """Let the trainer go on from a checkpoint, if there is one; return the epochs that are over and the best.

        Raises OptionError if it has more epochs than are wanted, and ModelError if it cannot be used.
        """
        found = self._checkpoint.resumed(self._trainer.core, self._trainer.model)
        if found is None:
            return 0, None
        content, stage = found
        if stage["epochs"] > epochs:
            raise OptionError(f"{content.path}: {stage['epochs']} epochs are over, and epochs is {epochs}")
        return stage["epochs"], None if stage["best"] is None else self._best(content, stage["best"])

    def step(self, step: int, tokens: int) -> int:
        """Return how many tokens to train on before it is time to save the state, perhaps."""
        return max(1, min(step, tokens // LOOKS))

    def save(self, epochs: int, best: Best | None, at_once: bool) -> None:
        """Save the state, with so many epochs over, if it is time for that; `at_once`: now, unless that was done."""
        if self._checkpoint.is_due() or (at_once and not self._saved_at_once):
            self._saved_at_once = at_once
            self.end(epochs, best)

    def end(self, epochs: int, best: Best | None) -> None:
        """Save the state at the end of training."""
        record: BestRecord | None = None
        arrays: dict[str, Array] = {}
        if best is not None and best.dev_score is not None:  # without held-out data the last epoch is the best
            model = self._bare.with_weights(best.weights)
            arrays = model.arrays()
            features = weights = 0
            if isinstance(best.weights, _core.PackedModel):
                features, weights = best.weights.features, best.weights.weights
                for table, keys in enumerate(best.weights.full_keys):
                    arrays[f"{_KEYS}{table}"] = Array.of("U64", keys)
            record = BestRecord(
                epoch=best.best_epoch,
                dev_score=best.dev_score,
                dev_scores=list(best.dev_scores),
                features=features,
                weights=weights,
                model=model.metadata(),
            )
        self._checkpoint.save(self._trainer.core, epochs, record, arrays)

    def _best(self, content: Content, record: BestRecord) -> Best:
        """Return the best epoch's weights. Raises ModelError."""
        scores, arrays = record["dev_scores"], dict(content.arrays["best"])
        keys = [arrays.pop(f"{_KEYS}{table}").data for table in range(len(arrays)) if f"{_KEYS}{table}" in arrays]
        model = content.model(record["model"], arrays)
        try:
            weights: Weights | None = Support.of_model(model, "", "")
        except (DataError, ModelError) as error:
            raise content.error(error) from None
        if weights is None:
            tables = [table.packed for table in model.tables]
            if [8 * table.features for table in tables] != [len(data) for data in keys]:
                raise content.error("its best weights do not have the keys of each table")
            counts = record["features"], record["weights"]
            weights = _core.PackedModel(model.bits, model.scale, tables, *counts, [bytes(data) for data in keys])
        return Best(weights, record["epoch"], record["dev_score"], record["epoch"], "epochs", tuple(scores))


def go_on(trainer: Trainer, source: Content | Learned, known: ModelFile) -> None:
    """Let a trainer begin with the weights of a checkpoint. Raises OptionError if it was trained with other options."""
    if source.state is None:
        return
    model = trainer.model
    then, now = _compared(known), json.loads(json.dumps(_compared(model)))
    found = differences({"options": then}, {"options": now}, _OF_DATA)
    if found:
        raise OptionError(f"{source.path}: training cannot go on from it: {'; '.join(found)}")
    try:
        trainer.core.go_on_from(source.state)
    except ModelError as error:
        raise source.error(error) from None


def _compared(model: ModelFile) -> dict[str, object]:
    """Return what of a model has to be the same if its training is to go on."""
    names = list(model.columns)
    names[model.label] = "label"
    return {
        "template": model.template,
        "columns": names,
        "clusters": 0 if model.clusters is None else len(model.clusters),
        "word lists": [name for name, _ in model.word_lists],
        "arrays": sorted(model.extra),
        **model.options,
    }


def described(
    task: str, options: Values, train: object, held_out: object, dev_fraction: float | None, **more: object
) -> dict[str, object]:
    """Return what tells a training from others: version, task, options, checksums of the data; more, by name."""
    found = {
        "sapwood": __version__,
        "task": task,
        "options": {name: _digest(value) for name, value in options.items()},
        "training data": _checksum(train),
        "held-out data": None if held_out is None else _checksum(held_out),
        "fraction held out": dev_fraction,
    }
    return found | {name: _digest(value) for name, value in more.items()}


def _checksum(data: object) -> str:
    found = getattr(data, "checksum", None)
    return f"{zlib.crc32(repr(data).encode()) if found is None else found:016x}"


def _digest(value: object) -> object:
    """Return the value of an option as JSON; of a file, or an object, a checksum of what is in it."""
    match value:
        case str() | os.PathLike():
            return _digest_of_path(value)
        case None | bool() | int() | float():
            return value
        case Mapping():
            return {str(name): _digest(inner) for name, inner in value.items()}
        case list() | tuple():
            if len(value) <= _FEW:
                return [_digest(inner) for inner in value]
            return f"{len(value)} entries with the checksum {zlib.crc32(repr(value).encode()):08x}"
        case _core.WordClusters():
            data = b"".join((value.high, value.low, value.classes, value.tree))
            return f"clusters with the checksum {zlib.crc32(data):08x}"
    return type(value).__name__


def _digest_of_path(value: str | os.PathLike[str]) -> str:
    path = Path(value)
    with suppress(OSError, ValueError):  # the name of a template, or its text
        if path.is_file():
            return f"a file with the checksum {zlib.crc32(path.read_bytes()):08x}"
        if path.is_dir():
            crc = 0
            for file in sorted(path.iterdir()):
                crc = zlib.crc32(file.read_bytes(), zlib.crc32(file.name.encode(), crc)) if file.is_file() else crc
            return f"a folder with the checksum {crc:08x}"
    return str(value)
