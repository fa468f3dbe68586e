"""What all models have in common.

A model is its options, and when it is fitted `model_`, what its file holds. A task adds how it reads data, how it
begins training, and what it makes of a model file (`_install`). Whoever inspects, scores or saves models asks them by
the methods of `Model`, not for their types.
"""

from __future__ import annotations

import os

from sapwood.errors import DataError, ModelError, OptionError
from sapwood.learning.options import Options, changed, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, ClassVar, Literal, NamedTuple, Protocol, Self

    from sklearn.utils import Tags

    from sapwood import _core
    from sapwood._core import PackedModel, WordClusters
    from sapwood.io.lists import CandidateList
    from sapwood.learning.cross_validation import Data
    from sapwood.learning.epochs import Trainer
    from sapwood.learning.events import Callback, Started
    from sapwood.learning.options import Values
    from sapwood.modelfile.schema import ModelFile
    from sapwood.models.answers import Answers
    from sapwood.models.support import Support, Weights

    class Report(Protocol):
        """Scores of a model on a test set."""

        def format(self) -> str:
            """Return the scores as text."""

        def as_dict(self) -> Mapping[str, object]:
            """Return the scores by their names."""

    class Output(NamedTuple):
        """Something that a feature speaks for or against."""

        name: str
        label: str | None = None  # the label in it, if there is one

else:
    from collections import namedtuple

    Output = namedtuple("Output", ["name", "label"], defaults=[None])


_PATH = (str, os.PathLike)


class Model(Options):
    """A model of any task: what `load` returns."""

    task: ClassVar[str]  # as the model file has it
    noun: ClassVar[str]  # what messages call it
    support_: Support | None = None  # the examples that the fitted model keeps instead of weights, if it does

    threads: int = option(default=1, least=1, metavar="N", help="work on so many cores; the results are the same")

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write the model to one file, whole or not at all; return its bytes. Raises ModelError."""
        self._check_fitted()
        return self.model_.save(path)

    @property
    def labels_(self) -> list[str]:
        """The labels that the fitted model gives."""
        self._check_fitted()
        return self.model_.labels

    def evaluate(self, source: os.PathLike[str]) -> Report:
        """Predict what a file has gold answers for, and score it. Raises DataError."""
        raise NotImplementedError

    def answers(self, source: os.PathLike[str]) -> list[Answers]:
        """Return what a file has gold answers for and the model's. Raises ModelError for some tasks, and DataError."""
        raise ModelError(f"reports need a tagger, parser, classifier, lemmatizer or pipeline, not a {self.noun}")

    def n_best_lists(self, data: bytes, name: str, n: int) -> list[CandidateList]:
        """Return a list of the n best structures for each sentence of a file's bytes, with gold where it has it.

        Raises ModelError if the model gives no structures, OptionError if its search has no exact n best, DataError
        with the place; the file is called `name` there.
        """
        raise ModelError(f"n best lists come from taggers, parsers and grammars; this model is a {self.noun}")

    def cross_lists(self, path: os.PathLike[str], n: int, folds: int) -> Iterator[CandidateList]:
        """Yield a list for each sentence of a training file, fold by fold, by a model trained on the other folds.

        Raises what n_best_lists does, and OptionError if the model cannot be trained again.
        """
        raise ModelError(f"n best lists come from taggers, parsers and grammars; this model is a {self.noun}")

    def explain_lines(self, data: bytes, name: str, asked: _core.Question) -> Iterator[bytes]:
        """Yield, as lines of JSON, why the model decides as it does about what a file's bytes hold.

        asked : of which decisions, and against what (`question` in sapwood.models.explanation)

        Raises ModelError if the model cannot say why, OptionError for a label, sentence or token that is not there, and
        DataError with the place; the file is called `name` there.
        """
        raise ModelError(f"this {self.noun} cannot explain its decisions")

    def learned(self) -> str:
        """Return what the fitted model has learned, and how much of it."""
        if self.support_ is not None:
            return f"{len(self.support_):,} support {self.support_.unit}s"
        return f"{sum(table.packed.features for table in self.model_.tables):,} features"

    def stored(self) -> str:
        """Return how the fitted model keeps what it has learned."""
        return self.model_.described_weights() if self.support_ is None else self.support_.stored

    def remarks(self) -> list[str]:
        """Return what is worth saying about a model after its training, a sentence each."""
        return []

    def tables(self) -> list[str]:
        """Return what the weights of each table of the fitted model are about."""
        return []

    def outputs(self) -> list[list[Output]]:
        """Return the outputs of each table, in the order of their numbers."""
        return []

    def weights(self) -> Iterator[tuple[Output, float, str]]:
        """Yield output, weight and feature of every weight that is not zero."""
        return iter(())

    def owners(self) -> dict[str, str]:
        """Return whose bytes the arrays of the model file are, by what their names begin with."""
        return {"clusters": "word clusters"} | {str(n): f"{table} weights" for n, table in enumerate(self.tables())}

    def _feature(self, table: int, row: int) -> str:
        names = self.model_.tables[table].names
        return (names[row] if names is not None else "") or f"feature {row}"

    def _check_fitted(self) -> None:
        if not hasattr(self, "model_"):
            raise ModelError(f"this {self.noun} is not fitted yet; call fit, or load a model")

    def _install(self, model: ModelFile) -> None:
        """Take what a model file holds. Raises SapwoodError if it does not hold it."""
        self.model_: ModelFile = model

    @classmethod
    def of_model(cls, model: ModelFile) -> Self:
        """Return what a model file holds. Raises SapwoodError if it does not hold it."""
        result = cls._with_options_of(model)
        result._install(model)
        return result

    @classmethod
    def _with_options_of(cls, model: ModelFile) -> Self:
        """Return an object that is not fitted, with the options that a model file has. Raises SapwoodError."""
        declared = cls.options()
        found = {name: value for name, value in model.options.items() if name in declared}
        if foreign := [name for name in found if not declared[name].kept]:
            raise ModelError(f"its options have {foreign[0]}, which a model file does not keep")
        if "bits" in declared:
            found |= {"bits": model.bits}
        if "template" in declared and model.template:
            found |= {"template": model.template}
        result = cls().set_params(**found)
        result.check_options()
        return result

    def kept(self) -> Values:
        """Return the options that the model file keeps."""
        return {name: getattr(self, name) for name, declared in self.options().items() if declared.kept}

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn whether the model is fitted."""
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that data are lists of anything, and that they have answers."""
        from sklearn.utils import InputTags, Tags, TargetTags

        inputs = InputTags(two_d_array=False, string=True)
        return Tags(estimator_type=None, target_tags=TargetTags(required=True), input_tags=inputs)

    def __getstate__(self) -> Values:
        """Return what copies and pickles have: the options and the model, as if it were saved and loaded."""
        fitted = {name: getattr(self, name) for name in ("model_", "classes_") if name in vars(self)}
        return self.get_params() | fitted

    def __setstate__(self, state: Values) -> None:
        """Take back what __getstate__ gave."""
        if "model_" in state:
            vars(self).update(vars(self.of_model(state["model_"])))
        vars(self).update(state)


class Training:
    """What a task hands over to be trained: a trainer that has the data, and the model without weights."""

    def __init__(
        self,
        trainer: Trainer[Any],
        model: ModelFile,
        *,
        units: int,  # of an epoch
        facts: dict[str, object],  # of the data, for the model's provenance
        started: Callable[[float], Started],  # the event, by the seconds that reading took
        score: Callable[[ModelFile, Weights], float] | None,  # percent, of a model with its weights
        names: Callable[[PackedModel], list[list[str]]],  # the features' texts of each table
        epochs: int | None = None,  # if another number than the options say
        step: int | None = None,  # units between two events
    ) -> None:
        self.trainer, self.model, self.units, self.facts = trainer, model, units, facts
        self.started, self.score, self.names = started, score, names
        self.epochs, self.step = epochs, step


class Learner(Model):
    """A model that the perceptron family trains, epoch by epoch."""

    update: Literal["perceptron", "margin", "pa"] = option(
        default="margin",
        kept=True,
        help="what happens at a mistake: a step (perceptron, Collins 2002), one that has to win by gamma (margin), or "
        "the smallest that does (pa: passive-aggressive, Crammer et al. 2006, with C = 1)",
    )
    gamma: float = option(
        default=1.0, least=0, most=1e6, metavar="G", kept=True, help="cost of a mistake, for margin and pa"
    )
    average: bool = option(
        default=True, kept=True, help="average the weights over all examples (Freund & Schapire 1999)"
    )
    min_updates: int = option(
        default=5,
        least=1,
        metavar="K",
        kept=True,
        help="updates in which a feature must have taken part to count (the sparse averaged perceptron, Goldberg & "
        "Elhadad 2011)",
    )
    epochs: int = option(default=10, least=1, metavar="N", help="passes over the data, at most")
    patience: int | None = option(
        default=None, least=1, metavar="N", help="stop after so many epochs without a better score on held-out data"
    )
    seed: int = option(default=1, least=0, most=(1 << 64) - 1, metavar="S", help="seed of the shuffling")
    bits: Literal[8, 16, 32] = option(default=8, help="bits of a weight in the model; 32 is float")
    shrink: float = option(
        default=0.0,
        least=0,
        below=1,
        metavar="F",
        kept=True,
        help="drop the weights that are smaller than this part of the largest",
    )
    names: bool = option(default=False, help="keep the features' texts in the model, for 'inspect'")
    threads: int = changed(
        default=1, help="work on so many cores, for scoring and prediction; the results are the same"
    )

    def fit(
        self,
        data: Any,
        /,
        *,
        dev: Any = None,
        dev_fraction: float | None = None,
        on_event: Callback | None = None,
    ) -> Self:
        """Train on a file, or on data in memory; tasks may take gold answers apart, and say more."""
        raise NotImplementedError

    def check_options(self) -> None:
        """Raise OptionError if an option has a value that it cannot have, or if options contradict each other."""
        super().check_options()
        if self.update == "pa" and self.gamma == 0:
            raise OptionError("passive-aggressive updates need a gamma above 0")

    def _check_training(self, dev: object, dev_fraction: float | None) -> None:
        """Raise OptionError as check_options does, or if the held-out data are not what training needs."""
        from sapwood.learning.cross_validation import check_held_out

        self.check_options()
        check_held_out(dev, dev_fraction)
        if self.patience is not None and dev is None and dev_fraction is None:
            raise OptionError("patience needs held-out data: give dev or dev_fraction")

    def _train(
        self,
        read: Callable[[Data | None], Data],
        begin: Callable[[Data, Data | None, Callback], Training],
        dev: object,
        dev_fraction: float | None,
        on_event: Callback | None,
        unit: str = "sentences",
    ) -> Self:
        """Run the epochs, and keep the best model.

        read : gives the training data and, given these, the held-out data of `dev`
        begin : what is trained, given both
        """
        import time

        from sapwood import __version__
        from sapwood.learning.cross_validation import hold_out
        from sapwood.learning.epochs import run_epochs
        from sapwood.learning.events import ignore
        from sapwood.models.support import with_weights

        self._check_training(dev, dev_fraction)
        started = time.perf_counter()
        train, held_out = read(None), None
        if dev is not None:
            held_out = read(train)
        if dev_fraction is not None:
            train, held_out = hold_out(train, dev_fraction, unit)
        report = on_event or ignore
        training = begin(train, held_out, report)
        report(training.started(time.perf_counter() - started))

        def score(weights: Weights) -> float:
            assert training.score is not None
            return training.score(with_weights(training.model, weights), weights)

        trained = run_epochs(
            training.trainer,
            tokens=training.units,
            epochs=training.epochs or self.epochs,
            patience=self.patience,
            bits=self.bits,
            shrink=self.shrink,
            score=score if training.score is not None and held_out is not None else None,
            report=report,
            **({} if training.step is None else {"step": training.step}),
        )
        model = with_weights(training.model, trained.weights)
        if self.names and model.tables:
            for table, texts in zip(model.tables, training.names(trained.weights), strict=True):
                table.names = texts
        model.provenance = {
            "sapwood": __version__,
            "seed": self.seed,
            **training.facts,
            **trained.provenance(),
        }
        self._install(model)
        return self


class ClusterLearner(Learner):
    """A learner whose template may look at the clusters of words."""

    clusters: str | os.PathLike[str] | WordClusters | None = option(
        default=None,
        metavar="FILE",
        help="word clusters that the template may look at: a file with bits, word and count a line, which 'train "
        "clusters' and Liang's program write; the model keeps them",
    )
    clusters_limit: int | None = option(
        default=None, least=1, metavar="N", help="keep the clusters of the N most frequent words only"
    )

    def check_options(self) -> None:
        """Raise OptionError if an option has a value that it cannot have, or if options contradict each other."""
        super().check_options()
        if self.clusters_limit is not None and (self.clusters is None or not isinstance(self.clusters, _PATH)):
            raise OptionError("clusters_limit is about a file of word clusters; clusters names it")

    def _read_clusters(self, used: bool) -> WordClusters | None:
        """Return the word clusters, if they are given; whether the template has lines that they are used for.

        Raises OptionError if it has none, DataError if they cannot be read.
        """
        from sapwood.io.clusters import read_clusters

        if self.clusters is None:
            return None
        if not used:
            raise OptionError("clusters are given, but the template has no line that looks at them")
        if isinstance(self.clusters, _PATH):
            return read_clusters(self.clusters, self.clusters_limit)
        return self.clusters


class TemplateLearner(ClusterLearner):
    """A learner whose template may name word lists."""

    word_lists: str | os.PathLike[str] | None = option(
        default=None,
        metavar="DIR",
        help="folder that the template's word lists are in, if not the template's own; nothing outside of it is read",
    )


def is_file(source: object, wanted: str) -> bool:
    """Whether data are in a file, whose path is a pathlib.Path or the like.

    Raises DataError for a string, which may be meant as a path or as data; `wanted` says what data in memory are.
    """
    if isinstance(source, (str, bytes)):
        raise DataError(f"data are {wanted}; a string is neither that nor a file, whose path is a pathlib.Path")
    return isinstance(source, os.PathLike)
