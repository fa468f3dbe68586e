"""The file of a fitted pipeline, and its recipe: the training of its models, again, or to smaller ones."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import sapwood._core as _core
from sapwood.errors import OptionError
from sapwood.model.base import AnyModel
from sapwood.model.file.records import Familiar
from sapwood.model.file.schema import ModelFile
from sapwood.model.small import Goal, Small
from sapwood.options import Values
from sapwood.parts import PART_NAMED, PARTS
from sapwood.tasks.pipeline.options import BASE
from sapwood.training.learner import check_silver_named, known_training
from sapwood.version import __version__

_LARGE = 0.05  # part of a pipeline's weights, above which a model's weights are worth dropping


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
        columns=["text"],
        options=options,
        parts=parts,
        clusters=next((part.clusters for part in parts.values() if part.clusters is not None), None),
        provenance={"sapwood": __version__, **facts, **silver},
        familiar=familiar,
        card=card,
    )


class PipelineRecipe:
    """The training of a fitted pipeline, as far as its file knows it.

    untrained : gives a pipeline that is not fitted, with the same options
    """

    def __init__(self, untrained: Callable[[], Any], models: Mapping[str, AnyModel], file: ModelFile) -> None:
        self.untrained, self._models, self._file = untrained, models, file

    def shrunk(self) -> dict[str, Small]:
        """Return the sizes and scores on the way to each model that was made small, by its name."""
        return {name: model.recipe.small for name, model in self._models.items() if model.recipe.small is not None}

    def smaller(self, goal: Goal) -> Callable[..., Any]:
        """Return the `fit` of an unfitted pipeline with the same options, which makes its models so small."""
        pipeline = self.untrained()
        check_silver_named(pipeline.get_params(), self._file)
        own, models = self._own_lexicons(), self._models
        if self._file.options.get("base") is not None:  # its models stay
            models = {name: model for name, model in models.items() if PART_NAMED[name].stage not in BASE}
        extra = [name for part in models if part not in own for name in self._file.parts[part].extra]
        if pipeline.lexicon is None and any(name.startswith("lexicon.") for name in extra):
            raise OptionError(
                "the pipeline was trained with a lexicon, which it does not keep; lexicon gives its words"
            )
        options = _shrinking_options(models, self._file, goal)
        for name, lexicon in own.items():
            options[name] = {**options[name], "lexicon": lexicon}
        return partial(pipeline.fit, model_options=options)

    def _own_lexicons(self) -> dict[str, _core.Lexicon]:
        """Return the lexicons of names and of other labels, which the file keeps whole: of these, tags suffice."""
        plain = {
            part.name: self._file.parts[part.name] for part in PARTS if part.is_plain and part.name in self._models
        }
        found = {name: _core.Lexicon.of_model(model) for name, model in plain.items()}
        return {name: lexicon for name, lexicon in found.items() if lexicon is not None}


def _shrinking_options(models: Mapping[str, AnyModel], model: ModelFile, goal: Goal) -> dict[str, Values]:
    """Return the options to train a pipeline's models once more, so that all of it is so small.

    The weights of each model shall shrink by the same factor. Models with hardly any stay as they are.

    Raises OptionError if what stays has as many bytes.
    """
    options = {name: part.params.kept() | known_training(part.model_) for name, part in models.items()}
    if goal.bytes is None:
        how = {"small": goal} if goal.below is None else {"drop_below": goal.below}
        return {name: known | how for name, known in options.items()}
    bytes = goal.bytes
    weights = {name: model.parts[name].weight_bytes() for name in models}
    large = {name: size for name, size in weights.items() if size > _LARGE * sum(weights.values())}
    rest = model.size() - sum(large.values())
    if bytes <= rest:
        raise OptionError(f"{rest:,} bytes of the pipeline stay: clusters, labels and the like")
    factor = min(1.0, (bytes - rest) / sum(large.values()))
    for name, size in large.items():
        options[name]["small"] = goal._replace(bytes=model.parts[name].size() - size + int(size * factor))
    return options
