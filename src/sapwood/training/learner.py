"""The learners: models of the perceptron family, which are trained, go on learning, and can be made small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeVar, Unpack

from sapwood.errors import ModelError, OptionError
from sapwood.model.base import Model
from sapwood.model.file.schema import ModelFile
from sapwood.training.options import LearnerOptions, Mixing

if TYPE_CHECKING:
    from sapwood.events import Callback, Event
    from sapwood.model.small import Goal
    from sapwood.options import Values
    from sapwood.training.checkpoints import Checkpoint
    from sapwood.training.recipe import Recipe
    from sapwood.training.run import Fitted, Run, RunKeywords
    from sapwood.training.task import Task


L = TypeVar("L", bound=LearnerOptions)


class Learner(Model[L]):
    """A model that the perceptron family trains, epoch by epoch."""

    _learned: Checkpoint | None = None  # the state from which partial_fit goes on
    mixing: Mixing | None  # rule for shards, set in experiments

    @property
    def params(self) -> L:
        """The options as an object of their own, with their types; to change it does not change the model."""
        options = super().params
        options.mixing = vars(self).get("mixing")
        return options

    def fit(
        self,
        data: Any,
        /,
        *,
        dev: Any = None,
        dev_fraction: float | None = None,
        on_event: Callback | None = None,
        **keywords: Unpack[RunKeywords],
    ) -> Self:
        """Train on a file, or on data in memory; tasks may take gold answers apart, and say more.

        checkpoint : a file that the state of training is saved in every `every` seconds (300 if it is not given), after
        the first Ctrl-C and at the end; a path
        resume : go on from a checkpoint of the same data and options. The model is the same as if training had not been
        stopped. The state is saved in this file, if `checkpoint` does not name another.
        from_checkpoint : begin with what the training of a checkpoint had learned, from other or more data
        workers : trains the shards, such as sapwood.dask.ShardWorkers; without it, this process does, on `threads`

        Raises OptionError if data or options differ from the checkpoint's, ModelError if it cannot be used.
        """
        return self._learn(self._run(dev, dev_fraction, on_event, keywords), data, dev=dev)

    def _learn(self, *data: Any, **more: Any) -> Self:
        """Train in a run, the first argument, on data and held-out data (`dev`) as `fit` takes them."""
        raise NotImplementedError

    @property
    def recipe(self) -> Recipe[Self]:
        """The training of the fitted model, which can be done again."""
        from sapwood.training.recipe import Recipe  # imports for training alone come late

        self.check_fitted()
        return Recipe(self, self._data_options())

    def _data_options(self) -> Values:
        """Return further options for training the model again, which its file keeps under other names."""
        return {}

    def _fit_to(
        self,
        goal: Goal,
        data: Any,
        dev: Any = None,
        dev_fraction: float | None = None,
        on_event: Callback | None = None,
    ) -> Self:
        return self._learn(self._run(dev, dev_fraction, on_event, {}, goal=goal), data, dev=dev)

    def _run(
        self, dev: object, dev_fraction: float | None, on_event: Callback | None, keywords: RunKeywords, **more: Any
    ) -> Run:
        from sapwood.training.run import Run

        return Run.of(self, dev, dev_fraction, on_event, keywords, **more)

    def _train(self, task: Task[Any], run: Run) -> Fitted[Any]:
        from sapwood.training.run import train

        fitted = train(task, run)
        self._install(fitted.model)
        self._small, self._learned = fitted.small, fitted.learned
        return fitted

    def _pass(self, *data: object, on_event: Callback | None, first: ModelFile | None = None, **more: Any) -> Self:
        """Make one pass over data, as `fit` takes them, and go on from the passes before. Raises what `fit` does.

        first : the model, without weights, that the first pass begins with; it has all labels that there will be
        """
        from sapwood.training.checkpoints import Checkpoint

        if self.params.patience is not None or self.params.max_bytes is not None:
            raise OptionError("patience and max_bytes need all the data; use fit")
        if self.params.runs > 1:
            raise OptionError("each run goes over all the data in another order, and needs them at once; use fit")
        if self._learned is None and hasattr(self, "model_"):
            raise ModelError(
                f"this {self._noun} was trained by fit, or comes from a file: partial_fit has nothing to go on from; "
                "call partial_fit from the first data on, or fit with from_checkpoint"
            )
        before = self._learned or (None if first is None else Checkpoint(None, first, all_labels=True))
        run = self._run(None, None, on_event, {}, source=before, one_pass=True)
        return self._learn(run, *data, **more)

    def __getstate__(self) -> Values:
        """Return the state of copies and pickles: the options, the model, and the state of partial_fit."""
        return super().__getstate__() | ({} if self._learned is None else {"_learned": self._learned})


def fit_part(
    learner: Learner[Any],
    *data: object,
    what: str,
    run: Run,
    dev: object = None,
    goal: Goal | None = None,
    done: int = 0,
    parts: int = 1,
) -> None:
    """Train a model, and report how far it is, as part number `done` of so many `parts` of the work `what`.

    data : what the model's `fit` takes; dev : held-out data, or None; goal : how small the model shall be

    A part that the checkpoint of a resumed training has is not trained again. Raises KeyboardInterrupt after Ctrl-C, as
    work without one of its parts cannot be kept; and what `fit` raises.
    """
    from sapwood.events import EpochDone, Preparing

    def progress(event: Event) -> None:
        if isinstance(event, EpochDone):
            run.report(Preparing(what, done, parts, event.epoch / event.epochs))

    run.report(Preparing(what, done, parts))
    saver, whole = None, None
    if run.saver is not None:
        saver = run.saver.part()
        if (clusters := getattr(learner, "clusters", None)) is not None:  # the whole work shares them
            whole = ModelFile(
                task="", labels=[], template="", columns=[], label=0, options={}, bits=8, clusters=clusters
            )
        if (model := saver.finished(learner.task, whole)) is not None:
            learner._install(model)
            return
    part = learner._run(dev, None, progress, {}, saver=saver, goal=goal, monitors_data=False)
    learner._learn(part, *data, dev=dev)
    if learner.model_.provenance["stopped_by"] == "interrupted":
        raise KeyboardInterrupt
    if saver is not None:
        saver.finish(learner.model_, whole)
