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

import json
import os
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import sapwood._core as _core
from sapwood.errors import ModelError
from sapwood.io.json_text import parsed
from sapwood.io.source import shown
from sapwood.model.file import container
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.options import Values
from sapwood.version import __version__

T = TypeVar("T")
State = Mapping[str, tuple[str, bytes | memoryview]]
Json = dict[str, object]

FORMAT = "sapwood checkpoint/1"
_SECTIONS = {"state", "best", "learned", "done"}  # prefixes of the arrays
_FREE = {"epochs", "threads", "cache"}  # options that may differ when a training is resumed
_FEW = 100  # items of a list that are told one by one


class BestRecord(TypedDict):
    """The weights of the best epoch so far."""

    epoch: int
    dev_score: float
    dev_scores: list[float]
    features: int
    weights: int
    model: dict[str, str]


class Stage(TypedDict):
    """The model in training."""

    name: str
    training: Json
    model: str
    epochs: int
    best: BestRecord | None
    goes_on: bool


class TrainedPart(TypedDict):
    """A part that is trained."""

    name: str
    model: dict[str, str]


@dataclass(eq=False)
class Checkpoint:
    """The state of a training and its model without weights, with which another training begins."""

    state: State | None  # None: nothing is learned yet
    model: ModelFile
    path: str = ""  # the file that it is from, if there is one
    all_labels: bool = False  # the model has all labels that there will be

    def error(self, what: object) -> ModelError:
        """Return the error that going on from it gives rise to."""
        if self.path:
            return unusable(self.path, what)
        return ModelError(f"what was learned before cannot be used: {what}")


class CheckpointFile:
    """The contents of a checkpoint file, checked but for the arrays of the state, which the core checks."""

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
        self.stage, self._done = self._json("stage", Stage), self._json("done", list[TrainedPart])
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
        return {name: (array.dtype, array.data) for name, array in self.arrays["state"].items()}

    def error(self, what: object) -> ModelError:
        return unusable(self.path, what)

    def model(self, metadata: dict[str, str], arrays: dict[str, Array], whole: ModelFile | None = None) -> ModelFile:
        """Return a model by its metadata and arrays, one of `whole`. Raises ModelError."""
        return ModelFile.parse(metadata, arrays, self.path, whole)

    def checkpoint(self) -> Checkpoint:
        """Return the state and the model that is trained. Raises ModelError."""
        return Checkpoint(self.state, self.model(self._learned, self.arrays["learned"]), self.path)

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


def unusable(path: str, what: object) -> ModelError:
    """Return the error of a file that is no usable checkpoint."""
    return ModelError(f"{path}: not a usable checkpoint: {what}; train again, or from another checkpoint")


def fingerprint(
    task: str, options: Values, train: Any, held_out: Any, dev_fraction: float | None, **more: object
) -> dict[str, object]:
    """Return the fingerprint of a training: version, task, options, checksums of the data; more, by name."""
    found = {
        "sapwood": __version__,
        "task": task,
        "options": {name: _digest(value) for name, value in options.items()},
        "training data": f"{train.checksum:016x}",
        "held-out data": None if held_out is None else f"{held_out.checksum:016x}",
        "fraction held out": dev_fraction,
    }
    return found | {name: _digest(value) for name, value in more.items()}


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
        case _core.Columns() | _core.Conllu():
            return f"data with the checksum {value.checksum:016x}"
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


def differences(then: Mapping[str, object], now: Mapping[str, object], free: set[str] = _FREE) -> list[str]:
    """Return in words how two trainings differ, by their fingerprints, but for some options."""
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


def _short(value: object) -> str:
    text = "not given" if value is None else value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
