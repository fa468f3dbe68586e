"""Checkpoints: the state of a training in a file, so that a training that was stopped goes on where it was.

A checkpoint is a container as a model file is one (sapwood.model.file.container), with these metadata, all strings:

========  ==========================================================================================================
format    "sapwood checkpoint/1"
training  JSON: what is trained, which no other training may resume: version, task, options, checksums of the data
notes     JSON: results of work before the training, by name
done      JSON list of the models that are trained: {"name", "model": metadata of a model file}
stage     JSON: the model in training: {"name", "training", "model": a checksum of all of it but the weights, "epochs":
          how many are over, "best": the best epoch's weights so far, if there are any, "goes_on": whether it began
          with what another training had learned}
learned   JSON: metadata of the model in training without its weights, from which other training goes on
========  ==========================================================================================================

The arrays ``state/NAME`` are the state of the core's trainer (core/learner/state.hpp), ``best/NAME`` those of the best
epoch's weights, ``learned/NAME`` and ``done/NAME/...`` those of models. A part of larger work is named by its number
in it, "2" for example, a part of a part "2/0".
"""

from __future__ import annotations

import json
import os
import time
import warnings
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypedDict, TypeVar

from sapwood.errors import DataError, ModelError, OptionError, SapwoodWarning
from sapwood.io.source import shown
from sapwood.model.file import container
from sapwood.model.file.container import Array, parsed
from sapwood.model.file.schema import ModelFile

if TYPE_CHECKING:
    from sapwood.training.shards import Core, Workers


class Saving(TypedDict, total=False):
    """Keyword arguments of `fit` about checkpoints and workers."""

    checkpoint: str | os.PathLike[str] | Checkpoint | None  # the file to save the state in
    every: float  # seconds between two savings, 300 if not given
    resume: str | os.PathLike[str] | None  # go on from this checkpoint, as if training had not been stopped
    from_checkpoint: str | os.PathLike[str] | Learned | None  # begin with what its training had learned
    workers: Workers | None  # of shards; without them this process trains them


T = TypeVar("T")
State = Mapping[str, tuple[str, bytes | memoryview]]


FORMAT = "sapwood checkpoint/1"
EVERY = 300.0  # seconds
LOOKS = 64  # at the clock, in an epoch

_SAVING = set(Saving.__annotations__)  # the keyword arguments that there are
_FREE = {"epochs", "threads", "cache"}  # options that may differ when a training is resumed
_SECTIONS = {"state", "best", "learned", "done"}  # of the arrays

Json = dict[str, object]


class BestRecord(TypedDict):
    """The weights of the best epoch so far."""

    epoch: int
    dev_score: float
    dev_scores: list[float]
    features: int
    weights: int
    model: dict[str, str]


class _Stage(TypedDict):
    name: str
    training: Json
    model: str
    epochs: int
    best: BestRecord | None


class Stage(_Stage, total=False):
    """The model in training."""

    goes_on: bool


class Done(TypedDict):
    """A part that is trained."""

    name: str
    model: dict[str, str]


class Content:
    """What a checkpoint file holds, checked but for the arrays of the state, which the core checks."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = shown(path)
        self._metadata, arrays = container.read(path, "checkpoint")
        if (version := self._metadata.get("format")) != FORMAT:
            if "task" in self._metadata:
                raise ModelError(
                    f"{self.path}: this is a model, not a checkpoint, which training writes by --checkpoint"
                )
            raise self.error(f"its format is {version!a}, this version of sapwood reads {FORMAT!a}")
        self.training, self.notes = self._json("training", Json), self._json("notes", Json)
        self.stage, self._done = self._json("stage", Stage), self._json("done", list[Done])
        self._learned = self._json("learned", dict[str, str])
        self.arrays: dict[str, dict[str, Array]] = {section: {} for section in _SECTIONS}
        for name, array in arrays.items():
            section, _, rest = name.partition("/")
            if section not in _SECTIONS:
                raise self.error(f"it has an array that does not belong there: {section[:40]!a}")
            self.arrays[section][rest] = array
        if self.stage["epochs"] >= 1 << 32:
            raise self.error("its 'stage' has a number of epochs that is out of range")

    @property
    def state(self) -> State:
        """The state of the core's trainer."""
        return {name: (array.dtype, array.data) for name, array in self.arrays["state"].items()}

    def error(self, what: object) -> ModelError:
        """Return the error that this file gives rise to."""
        return ModelError(f"{self.path}: not a usable checkpoint: {what}; train again, or from another checkpoint")

    def model(self, metadata: dict[str, str], arrays: dict[str, Array], whole: ModelFile | None = None) -> ModelFile:
        """Return a model by its metadata and arrays, one of `whole`. Raises ModelError."""
        return ModelFile.parse(metadata, arrays, self.path, whole)

    def learned(self) -> ModelFile:
        """Return the model that it trains, without weights. Raises ModelError."""
        return self.model(self._learned, self.arrays["learned"])

    def done(self, name: str, whole: ModelFile | None) -> ModelFile | None:
        """Return a part that is trained, if it is. Raises ModelError."""
        metadata = next((entry["model"] for entry in self._done if entry["name"] == name), None)
        if metadata is None:
            return None
        inside = f"{name}:"
        arrays = {key.removeprefix(inside): a for key, a in self.arrays["done"].items() if key.startswith(inside)}
        return self.model(metadata, arrays, whole)

    def _json(self, name: str, kind: type[T]) -> T:
        try:
            return parsed(self._metadata.get(name, ""), kind, f"{name!a} in its header")
        except ModelError as flaw:
            raise self.error(flaw) from None


@dataclass(eq=False)
class Learned:
    """What a training in memory has learned, from which another one goes on; copies and pickles have it, too."""

    state: State | None  # None: nothing yet
    model: ModelFile  # without weights
    path: ClassVar[str] = "partial_fit"

    def learned(self) -> ModelFile:
        """Return the model that it trains, without weights."""
        return self.model

    def error(self, what: object) -> ModelError:
        """Return the error that going on from it gives rise to."""
        return ModelError(f"what was learned before cannot be used: {what}")


class Checkpoint:
    """A file that a training saves its state in, and goes on from: the whole of it, or what is about one part."""

    def __init__(self, file: _File, name: str = "") -> None:
        self._file = file
        self._name = name
        self._parts = 0
        self._training: Json = {}
        self.goes_on = False  # whether training began with what another one had learned

    @staticmethod
    def of(saving: Saving) -> Checkpoint | None:
        """Return the checkpoint that arguments of `fit` ask for. Raises OptionError, and ModelError for a bad file."""
        if foreign := set(saving) - _SAVING:
            how = "options are given to the class, as in Classifier(epochs=5)"
            raise OptionError(f"fit has no argument {min(foreign)!r}; {how}")
        path, resume = saving.get("checkpoint"), saving.get("resume")
        if isinstance(path, Checkpoint):
            return path
        every = saving.get("every")
        target = path if path is not None else resume
        if target is None:
            if every is not None:
                raise OptionError("every is how often a checkpoint is saved; checkpoint names the file")
            return None
        if every is not None and not 0 <= every <= 1e9:
            raise OptionError(f"every is a number of seconds from 0 up, not {every!r}")
        if resume is not None and saving.get("from_checkpoint") is not None:
            raise OptionError("resume goes on with the same training, from_checkpoint begins another: give one of them")
        content = None if resume is None else Content(resume)
        container.check_writable(target, alone=True)
        return Checkpoint(_File(target, EVERY if every is None else every, content))

    def part(self) -> Checkpoint:
        """Return what is about the next part of the work."""
        self._parts += 1
        return Checkpoint(self._file, f"{self._name}/{self._parts - 1}".lstrip("/"))

    def begin(self, training: Json) -> None:
        """Say what is trained, before work that takes time. Raises OptionError if it was another in the file."""
        self._training = training
        if not self._name:
            self._file.training = training
        content = self._file.content
        if content is None:
            return
        if not self._name:
            self._compare(content.training, training)
        elif content.stage["name"] == self._name:
            self._compare(content.stage["training"], training)

    def known(self) -> ModelFile | None:
        """Return the model in the file, without weights, if this part is in training, and began from another."""
        content = self._file.content
        if content is None or content.stage["name"] != self._name or content.stage.get("goes_on") is not True:
            return None
        return content.learned()

    def note(self, name: str, make: Callable[[], object]) -> object:
        """Return what make() gives, and gave before the training was stopped; it is JSON."""
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

    def resumed(self, trainer: Core, model: ModelFile) -> tuple[Content, Stage] | None:
        """Give a trainer the state in the file, if that is this part's; return the file's content and stage."""
        self._model = f"{_checksum(model):08x}"
        self._learned = model
        content = self._file.content
        if content is None or content.stage["name"] != self._name:
            return None
        if content.stage["model"] != self._model:
            raise OptionError(
                f"{content.path}: it belongs to another training: template, clusters, word lists, lexicon or labels "
                "differ; train anew, or begin with its weights (from_checkpoint, --from)"
            )
        try:
            trainer.resume(content.state)
        except (DataError, ModelError) as error:
            raise content.error(error) from None
        self._file.content = None
        return content, content.stage

    def is_due(self) -> bool:
        """Whether the time between two savings is over."""
        return time.monotonic() - self._file.saved >= self._file.every

    def save(self, trainer: Core, epochs: int, best: BestRecord | None, arrays: Mapping[str, Array]) -> None:
        """Write the file: the trainer's state, how many epochs are over, what is best so far with its arrays.

        Warns if it cannot be written; the file that was there before stays.
        """
        state = {f"state/{name}": Array.of(dtype, data) for name, (dtype, data) in trainer.state().items()}
        best_arrays = {f"best/{name}": array for name, array in arrays.items()}
        stage = Stage(
            name=self._name, training=self._training, model=self._model, epochs=epochs, best=best, goes_on=self.goes_on
        )
        self._file.write(stage, self._learned, {**state, **best_arrays})

    def _compare(self, then: Json, now: Json) -> None:
        content = self._file.content
        assert content is not None
        if found := differences(then, json.loads(json.dumps(now))):
            raise OptionError(f"{content.path}: it belongs to another training: {'; '.join(found)}")


def differences(then: Mapping[str, object], now: Mapping[str, object], free: set[str] = _FREE) -> list[str]:
    """Return in words how two trainings differ, by what `begin` was told of them, but for some options."""
    found = []
    for name in dict.fromkeys((*now, *then)):
        match name, then.get(name), now.get(name):
            case "options", dict(a), dict(b):
                found += [
                    f"{option} was {_short(a.get(option))}, and is {_short(b.get(option))}"
                    for option in dict.fromkeys((*b, *a))
                    if option not in free and a.get(option) != b.get(option)
                ]
            case "sapwood" | "task", a, b if a != b:
                found.append(f"{name} was {_short(a)}, and is {_short(b)}")
            case _, a, b if a != b:
                found.append(f"the {name} changed")
    return found


class _File:
    """The file, and what is in it besides the part in training."""

    def __init__(self, path: str | os.PathLike[str], every: float, content: Content | None) -> None:
        self.path, self.every = path, every
        self.before = content  # what the file held when training was resumed
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
            warnings.warn(f"the checkpoint is not saved: {error}", SapwoodWarning, stacklevel=2)
        self.saved = time.monotonic()


def _checksum(model: ModelFile) -> int:
    crc = zlib.crc32(json.dumps(model.metadata(), sort_keys=True).encode())
    for name, array in model.arrays().items():
        crc = zlib.crc32(array.data, zlib.crc32(name.encode(), crc))
    return crc


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
