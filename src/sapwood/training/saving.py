"""The saver of a run: it writes the state of a training into a checkpoint file, and reads it to go on from there."""

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Callable, Mapping

import sapwood._core as _core
from sapwood.errors import DataError, ModelError, OptionError, warn
from sapwood.model.file import container
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import Support, Weights
from sapwood.training.checkpoints import FORMAT, BestRecord, Checkpoint, CheckpointFile, Json, Stage, differences
from sapwood.training.task import Best, Trainer

EVERY = 300.0  # seconds
LOOKS = 64  # at the clock, in an epoch
_OF_DATA = {"root_labels", "left_labels", "right_labels", "untagged", "tag_columns"}  # options that data have
_KEYS = "keys."  # name, and number of the table, of an array of the best weights' full keys


class Saver:
    """Saves a training, or a part of larger work, in a file, and goes on from it."""

    def __init__(self, file: _File, name: str = "") -> None:
        self._file = file
        self._name = name
        self._parts = 0
        self._training: Json = {}
        self._saved_at_once = False
        self.goes_on = False  # whether training began with what another one had learned

    @classmethod
    def to(cls, path: str | os.PathLike[str], resume: str | os.PathLike[str] | None, every: float | None) -> Saver:
        """Return the saver to a path; resume : the file that training goes on from. Raises ModelError for others."""
        content = None if resume is None else CheckpointFile(resume)
        container.check_writable(path, alone=True)
        return cls(_File(path, EVERY if every is None else every, content))

    def part(self) -> Saver:
        self._parts += 1
        return Saver(self._file, f"{self._name}/{self._parts - 1}".lstrip("/"))

    def begin(self, training: Json) -> None:
        """Keep the fingerprint of a training. Raises OptionError if the file has that of another one."""
        self._training = training
        if not self._name:
            self._file.training = training
        content = self._file.content
        if content is None or (self._name and content.stage["name"] != self._name):
            return
        then = content.stage["training"] if self._name else content.training
        if found := differences(then, json.loads(json.dumps(training))):
            raise OptionError(f"{content.path}: it belongs to another training: {'; '.join(found)}")

    def known(self) -> ModelFile | None:
        """Return the model in the file, without weights, if this part is in training, and began from another."""
        content = self._file.content
        if content is None or content.stage["name"] != self._name or not content.stage["goes_on"]:
            return None
        return content.checkpoint().model

    def note(self, name: str, make: Callable[[], object]) -> object:
        """Return a result, JSON, that is made now or was before the training was stopped."""
        key = f"{self._name}:{name}"
        if key not in self._file.notes:
            self._file.notes[key] = make()
        return self._file.notes[key]

    def finished(self, task: str, whole: ModelFile | None = None) -> ModelFile | None:
        """Return the model of this part, if it was trained before. Raises ModelError if it has another task.

        whole : with the word clusters that it shares
        """
        before = self._file.before
        model = None if before is None else before.done(self._name, whole)
        if before is not None and model is not None:
            if model.task != task:
                raise before.error(f"its part {self._name!a} is a model for another task than {task!a}")
            self.finish(model, whole)
        return model

    def finish(self, model: ModelFile, whole: ModelFile | None = None) -> None:
        """Keep the model of this part, whose own parts are not needed any more."""
        done = self._file.done
        for part in [part for part in done if part.startswith(f"{self._name}/")]:
            del done[part]
        done[self._name] = model.metadata(whole), model.arrays(whole)

    def resumed(self, trainer: Trainer, epochs: int) -> tuple[int, Best | None]:
        """Let a trainer go on from the file, if it has this part; return the epochs that are over and the best.

        Raises OptionError if it has more epochs than are wanted, and ModelError if it cannot be used.
        """
        self._trainer, self._model = trainer, f"{_checksum(trainer.model):08x}"
        # The best weights need nothing of the model but what a file of them has to have.
        self._bare = trainer.model.replaced(template="", word_lists=[], clusters=None, parts={}, extra={})
        content = self._file.content
        if content is None or content.stage["name"] != self._name:
            return 0, None
        stage = content.stage
        if stage["model"] != self._model:
            raise OptionError(
                f"{content.path}: it belongs to another training: template, clusters, word lists, lexicon or labels "
                "differ; train anew, or begin with its weights (from_checkpoint, --from)"
            )
        try:
            trainer.core.resume(content.state)
        except (DataError, ModelError) as error:
            raise content.error(error) from None
        self._file.content = None
        if stage["epochs"] > epochs:
            raise OptionError(f"{content.path}: {stage['epochs']} epochs are over, and epochs is {epochs}")
        return stage["epochs"], None if stage["best"] is None else _best_in(content, stage["best"])

    def save_if_due(self, epochs: int, best: Best | None, at_once: bool) -> None:
        """Save the state, with so many epochs over, if it is time for that; `at_once`: now, unless that was done."""
        is_due = time.monotonic() - self._file.saved >= self._file.every
        if is_due or (at_once and not self._saved_at_once):
            self._saved_at_once = at_once
            self.save(epochs, best)

    def save(self, epochs: int, best: Best | None) -> None:
        """Write the file: the trainer's state, how many epochs are over, and the best weights so far.

        Warns if it cannot be written; the file that was there before stays.
        """
        arrays = {f"state/{name}": Array.of(*array) for name, array in self._trainer.core.state().items()}
        record = None
        if best is not None and best.dev_score is not None:  # without held-out data the last epoch is the best
            record, best_arrays = _record_of(best, self._bare)
            arrays |= {f"best/{name}": array for name, array in best_arrays.items()}
        stage = Stage(
            name=self._name,
            training=self._training,
            model=self._model,
            epochs=epochs,
            best=record,
            goes_on=self.goes_on,
        )
        self._file.write(stage, self._trainer.model, arrays)


def go_on(trainer: Trainer, source: Checkpoint) -> None:
    """Let a trainer begin with the weights of a checkpoint. Raises OptionError if it was trained with other options."""
    if source.state is None:
        return
    then, now = _compared(source.model), json.loads(json.dumps(_compared(trainer.model)))
    if found := differences({"options": then}, {"options": now}, _OF_DATA):
        raise OptionError(f"{source.path or 'partial_fit'}: training cannot go on from it: {'; '.join(found)}")
    try:
        trainer.core.go_on_from(source.state)
    except ModelError as error:
        raise source.error(error) from None


class _File:
    """The file, and all that goes into it beside the part in training."""

    def __init__(self, path: str | os.PathLike[str], every: float, content: CheckpointFile | None) -> None:
        self.path, self.every = path, every
        self.before = content  # the file when training was resumed
        self.content = content  # the same, until the part in training has taken its state
        self.saved = time.monotonic()
        self.training: Json = {}
        self.notes: Json = {} if content is None else dict(content.notes)
        self.done: dict[str, tuple[dict[str, str], dict[str, Array]]] = {}

    def write(self, stage: Stage, learned: ModelFile, arrays: dict[str, Array]) -> None:
        values = {
            "training": self.training,
            "notes": self.notes,
            "done": [{"name": name, "model": metadata} for name, (metadata, _) in self.done.items()],
            "stage": stage,
            "learned": learned.metadata(),
        }
        arrays |= {f"learned/{name}": array for name, array in learned.arrays().items()}
        for part, (_, kept) in self.done.items():
            arrays |= {f"done/{part}:{name}": array for name, array in kept.items()}
        metadata = {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}
        try:
            container.write(self.path, arrays, {"format": FORMAT, **metadata}, alone=True)
        except ModelError as error:
            warn(f"the checkpoint is not saved: {error}")
        self.saved = time.monotonic()


def _record_of(best: Best, bare: ModelFile) -> tuple[BestRecord, dict[str, Array]]:
    model = bare.with_weights(best.weights)
    arrays, features, weights = model.arrays(), 0, 0
    if isinstance(best.weights, _core.PackedModel):
        features, weights = best.weights.features, best.weights.weights
        for table, keys in enumerate(best.weights.full_keys):
            arrays[f"{_KEYS}{table}"] = Array.of("U64", keys)
    assert best.dev_score is not None
    record = BestRecord(
        epoch=best.best_epoch,
        dev_score=best.dev_score,
        dev_scores=list(best.dev_scores),
        features=features,
        weights=weights,
        model=model.metadata(),
    )
    return record, arrays


def _best_in(content: CheckpointFile, record: BestRecord) -> Best:
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


def _compared(model: ModelFile) -> Mapping[str, object]:
    """Return the options of a model, and all else that has to be the same if its training is to go on."""
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


def _checksum(model: ModelFile) -> int:
    crc = zlib.crc32(json.dumps(model.metadata(), sort_keys=True).encode())
    for name, array in model.arrays().items():
        crc = zlib.crc32(array.data, zlib.crc32(name.encode(), crc))
    return crc
