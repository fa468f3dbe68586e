"""The model of a component: of the package, a file, training, or a pipeline that spaCy has saved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import sapwood._core as _core
from sapwood.errors import ModelError, OptionError
from sapwood.loading import load_as
from sapwood.model.file.bundled import PIPELINES, model_path
from sapwood.model.file.schema import ModelFile
from sapwood.parts import STAGES
from sapwood.tasks.pipeline.data import tagsets
from sapwood.tasks.pipeline.model import Pipeline

AUTO = "auto"
_FILE = "model.sap"
_LIFTED = "\N{UPWARDS ARROW}"  # between a relation and its head's, of words that a projective parser cannot reach


class WithModel:
    """A base of objects that spaCy saves and loads with their model, which can be left out as ``model``."""

    model: ComponentModel

    def to_disk(self, path: str | Path, *, exclude: Sequence[str] = ()) -> None:
        """Write the model to a folder, which is made. Raises ModelError."""
        if "model" in exclude:
            return
        Path(path).mkdir(parents=True, exist_ok=True)
        if not self.model.is_to_be_trained:
            self.model.pipeline.save(Path(path) / _FILE)

    def from_disk(self, path: str | Path, *, exclude: Sequence[str] = ()) -> Self:
        """Take the model that `to_disk` has written. Raises ModelError."""
        folder = Path(path)
        if "model" in exclude:
            return self
        if (folder / _FILE).exists():
            self.model.install(load_as(Pipeline, folder / _FILE))
        elif folder.is_dir():
            self.model.forget()
        else:
            raise ModelError(f"{folder}: no model of {self.model.component} is there")
        return self

    def to_bytes(self, *, exclude: Sequence[str] = ()) -> bytes:
        """Return the model's file as bytes; there are none if it is left out, or yet to be trained."""
        return b"" if "model" in exclude or self.model.is_to_be_trained else self.model.pipeline.model_.dump()

    def from_bytes(self, data: bytes, *, exclude: Sequence[str] = ()) -> Self:
        """Take the model of `to_bytes`, if there is one. Raises ModelError."""
        if data and "model" not in exclude:
            name = self.model.component
            file = ModelFile.of_bytes(data, name)
            if file.task != Pipeline.task:
                raise ModelError(f"{name}: a model for the task {file.task!a}, not a pipeline")
            self.model.install(Pipeline._of_file(file))
        return self


class ComponentModel:
    """The model of a component. A model file is read when it is first needed: spaCy may bring another one before.

    source : the path of a pipeline's file, "auto" for the one that comes with the package for a language, None for one
        that is yet to be trained
    parts : of the analysis; empty for all that the model has
    """

    def __init__(self, source: str | None, language: str, parts: Sequence[str], component: str) -> None:
        if not (source is None or isinstance(source, str)):  # a model of spaCy's, from a config
            raise OptionError(f"model of {component} is the path of a sapwood model, not a {type(source).__name__}")
        if source == AUTO and language not in PIPELINES:
            raise ModelError(
                f"{component}: no model for the language '{language}' comes with sapwood, only for "
                f'{", ".join(PIPELINES)}; name one in the config: {{"model": "my.sap"}}, or None to train one'
            )
        if not set(parts) <= set(STAGES):
            raise OptionError(f"parts of {component} are some of {', '.join(STAGES)}; got {','.join(parts)}")
        self._source, self._language, self.component = source, language, component
        self._wanted = tuple(part for part in STAGES if part in parts)
        self._loaded: Pipeline | None = None
        self._cores: dict[tuple[str, ...], _core.Pipeline] = {}

    @property
    def is_to_be_trained(self) -> bool:
        """True if there is no model, and no file of one."""
        return self._loaded is None and self._source is None

    @property
    def pipeline(self) -> Pipeline:
        """The model. Raises ModelError if there is none, or if it lacks a part of the component."""
        if self._loaded is None:
            if self._source is None:
                raise ModelError(f"{self.component} has no model yet; name a file, or train it by nlp.initialize")
            self.install(load_as(Pipeline, self._language if self._source == AUTO else self._source))
        assert self._loaded is not None
        return self._loaded

    @property
    def is_there(self) -> bool:
        """True if there is a model, or a file of one."""
        if self._loaded is not None or self._source is None:
            return self._loaded is not None
        return self._source in (AUTO, *PIPELINES) or Path(model_path(self._source)).exists()

    @property
    def parts(self) -> Sequence[str]:
        """The parts of the analysis that the component does."""
        return self._wanted or self.pipeline.params.parts

    def labels(self) -> tuple[set[str], set[str], set[str]]:
        """Return the tags, relations and kinds of names that the component may give; none before training."""
        if self.is_to_be_trained:
            return set(), set(), set()
        models, parts = self.pipeline.models_, self.parts
        relations = models["parser"].labels_ if "parse" in parts else ()
        names = models["entities"].labels_ if "entities" in parts else ()
        return (
            tagsets(models)["xpos"] - {"_"} if "tag" in parts else set(),
            {label.partition(_LIFTED)[0] for label in relations},
            {label[2:] for label in names if label != "O"},
        )

    @property
    def reads_tags(self) -> bool:
        """True if parts go by tags: all but names of a model without tags."""
        return "tagger" in self.pipeline.models_

    @property
    def trained_parts(self) -> list[str]:
        """The parts that a model has to learn: those of the component, and tags, by which all others go."""
        if not self._wanted:
            return []
        wanted = {*self._wanted, *(() if self._wanted == ("segment",) else ("tag",))}
        return [part for part in STAGES if part in wanted]

    def install(self, model: Pipeline) -> None:
        """Take a model. Raises ModelError if it lacks a part of the component."""
        parts = model.params.parts
        if missing := [part for part in self._wanted if part not in parts]:
            raise ModelError(
                f"{self.component} needs a model with the part {missing[0]}; this one has {', '.join(parts)}"
            )
        if self._wanted:
            model = model.only(*(self.trained_parts if "tagger" in model.models_ else self._wanted))
        self._loaded, self._cores = model, {}

    def forget(self) -> None:
        """Have no model, as before training."""
        self._loaded, self._source = None, None

    def core(self, *parts: str) -> _core.Pipeline:
        """Return the core's pipeline of some parts; without `tag` it gets documents with tags, if they go by tags."""
        pipeline = self.pipeline
        if parts not in self._cores:
            self._cores[parts] = pipeline.core_of(parts, tagged=self.reads_tags and not {"tag", "segment"} & set(parts))
        return self._cores[parts]

    def __getstate__(self) -> dict[str, object]:
        """Copies and pickles do without the core's objects."""
        return vars(self) | {"_cores": {}}
