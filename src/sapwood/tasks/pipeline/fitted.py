"""The model file of a pipeline that has been fitted, and what a checkpoint keeps of one that is being fitted."""

from __future__ import annotations

from collections.abc import Mapping

from sapwood import __version__, _core
from sapwood.model.base import AnyModel
from sapwood.model.file.records import Familiar
from sapwood.model.file.schema import ModelFile
from sapwood.options import Values


def file_of(
    models: Mapping[str, AnyModel],
    options: dict[str, object],
    data: _core.Conllu,
    familiar: Familiar | None,
    silver: dict[str, object],
    card: str,
) -> ModelFile:
    """Return the model file of a pipeline of fitted models; silver : facts about silver data."""
    parts = {name: part.model_ for name, part in models.items()}
    facts = {"sentences": data.sentences, "words": data.words, "data_checksum": f"{data.checksum:016x}"}
    return ModelFile(
        task="pipeline",
        labels=[],
        template="",
        columns=["text"],
        label=0,
        options=options,
        bits=8,
        parts=parts,
        clusters=next((part.clusters for part in parts.values() if part.clusters is not None), None),
        provenance={"sapwood": __version__, **facts, **silver},
        familiar=familiar,
        card=card,
    )


def models_described(options: Mapping[str, Values] | None, own: Mapping[str, _core.Conllu] | None) -> dict[str, object]:
    """Return the models' options and data for a checkpoint, which goes on with the same ones only."""
    data = {"data of its models": {name: f"{data.checksum:016x}" for name, data in own.items()}} if own else {}
    return {"options of its models": options or {}, **data}
