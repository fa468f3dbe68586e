"""The learners: models of the perceptron family, which are trained, go on learning, and can be made small."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, Unpack

from sapwood.errors import ModelError, OptionError
from sapwood.model.base import Model
from sapwood.model.file.records import Abstention
from sapwood.model.file.schema import ModelFile
from sapwood.options import Values
from sapwood.training.options import FitKeywords, LearnerOptions, Mixing

if TYPE_CHECKING:
    from sapwood.events import Callback, Event
    from sapwood.model.confidence import DecisionStage
    from sapwood.model.small import Goal, Small
    from sapwood.training.checkpoints import Checkpoint
    from sapwood.training.run import Fitted, Run
    from sapwood.training.task import Trainer

L = TypeVar("L", bound=LearnerOptions)
M = TypeVar("M")


class Learner(Model[L]):
    """A model that the perceptron family trains, epoch by epoch."""

    _learned: Checkpoint | None = None  # the state from which partial_fit goes on
    calibration_error_: float  # error of the confidences, from 0 to 1, once `calibrate` has found it
    mixing: Mixing | None  # rule for shards, set in experiments

    @property
    def params(self) -> L:
        options = super().params
        options.mixing = vars(self).get("mixing")
        return options

    def fit(self, data: Any, /, **how: Unpack[FitKeywords]) -> Self:
        """Train on a file, whose path is a pathlib.Path, or on data in memory; the class says what data are.

        Ctrl-C ends training with the epoch; a second one raises KeyboardInterrupt.

        dev : held-out data, by which each epoch is scored; the last epoch's model is kept unless another is better
        beyond chance
        dev_fraction : hold out this part of the data instead, evenly spread
        on_event : takes the events of training (sapwood.events)
        checkpoint : a file that the state of training is saved in every `every` seconds (300 if it is not given), after
        the first Ctrl-C and at the end; a path
        resume : go on from a checkpoint of the same data and options. The model is the same as if training had not been
        stopped. The state is saved in this file, if `checkpoint` does not name another.
        from_checkpoint : begin with what the training of a checkpoint had learned, from other or more data
        workers : trains the shards, such as sapwood.dask.ShardWorkers; without it, this process does, on `threads`
        stream : read the file once, part by part, and keep the examples in scratch files, which are mapped into memory;
        the model is the same. Only taggers, classifiers and rerankers read streams
        scratch : folder of the scratch files; if it is not given, $TMPDIR or /var/tmp

        Raises OptionError if data or options differ from the checkpoint's, or TemplateError or DataError, each naming
        the place, ModelError if a checkpoint cannot be used.
        """
        return self._fit_to(None, data, **how)

    def _fit_to(self, goal: Goal | None, *data: Any, **how: Unpack[FitKeywords]) -> Self:
        """Train to a goal of how small the model shall be; without one, to that of the options, if they have one."""
        return self._learn(self._run(how, goal=goal), *data, dev=how.get("dev"))

    def _learn(self, *data: Any, **more: Any) -> Self:
        """Train in a run, the first argument, on data and held-out data (`dev`) as `fit` takes them."""
        raise NotImplementedError

    @property
    def recipe(self) -> Recipe[Self]:
        """The training of the fitted model, which can be done again."""
        self.check_fitted()
        return Recipe(self, self._data_options())

    def _data_options(self) -> Values:
        """Return further options for training the model again, which its file keeps under other names."""
        return {}

    def _run(self, how: FitKeywords, goal: Goal | None = None, **more: Any) -> Run:
        """Return the run that keyword arguments of `fit` ask for, to a goal; more : fields of the run."""
        from sapwood.model.small import Goal
        from sapwood.training.options import check_held_out
        from sapwood.training.run import Run

        run, options = Run.of(self, how, **more), self.params
        run.goal = goal or (None if options.max_bytes is None else Goal(options.max_bytes))
        if run.goal is not None:
            run.goal.check(held_out=check_held_out(how))
            if options.names:
                raise OptionError("a model that is made small does not keep the names of its features; leave out names")
        return run

    def _train(
        self, run: Run, trainer: Callable[..., Trainer], data: Any, held_out: Any = None, **more: Any
    ) -> Fitted[Any]:
        """Train on data in memory or in parts; trainer, more : fields of the task."""
        from sapwood.training.run import train
        from sapwood.training.task import Task, in_parts

        fitted = train(Task(self.task, self.params, trainer, in_parts(data), held_out, **more), run)
        self._install(fitted.model)
        self._small, self._learned = fitted.small, fitted.learned
        return fitted

    def _calibrated(self, *decisions: Sequence[DecisionStage]) -> Self:
        """Fit the curves of confidences to decisions about held-out data, and keep them with the model."""
        from sapwood.model.confidence import calibrate_decisions

        calibration, self.calibration_error_ = calibrate_decisions(*decisions)
        self._install(self.model_.replaced(calibration=calibration))
        self._confidence.report = f"calibration error {100 * self.calibration_error_:.2f} %"
        return self

    def _keep_abstention(self, found: Abstention) -> None:
        """Keep with the calibrated model from which confidence on it answers."""
        from sapwood.model.abstention import abstention_report

        report, calibration = self.confidence.report, self.model_.calibration
        assert calibration is not None
        self._install(self.model_.replaced(calibration=calibration | {"abstention": found}))
        self.confidence.report = f"{report}\n{abstention_report(found)}"

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
        run = self._run({"on_event": on_event}, source=before, one_pass=True)
        return self._learn(run, *data, **more)

    def __getstate__(self) -> Values:
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
        elif isinstance(event, Preparing):
            run.report(event)

    run.report(Preparing(what, done, parts))
    saver, whole = None, None
    if run.saver is not None:
        saver = run.saver.part()
        if (clusters := getattr(learner, "clusters", None)) is not None:  # the whole work shares them
            whole = ModelFile(task="", clusters=clusters)
        if (model := saver.finished(learner.task, whole)) is not None:
            learner._install(model)
            return
    part = learner._run({"dev": dev, "on_event": progress}, goal, saver=saver, monitors_data=False)
    learner._learn(part, *data, dev=dev)
    if learner.model_.provenance["stopped_by"] == "interrupted":
        raise KeyboardInterrupt
    if saver is not None:
        saver.finish(learner.model_, whole)


class Recipe(Generic[M]):
    """The training of a fitted learner, as far as its file knows it.

    options : further options for training, which the file keeps under other names
    """

    def __init__(self, learner: M, options: Values) -> None:
        self._learner: Any = learner
        self._options = options

    @property
    def small(self) -> Small | None:
        """The sizes and scores on the way to a small model, if this object was made small."""
        found: Small | None = self._learner._small
        return found

    def shrunk(self) -> dict[str, Small]:
        """Return `small` by the noun of the model, as a pipeline has it by the names of its models."""
        return {} if self.small is None else {self._learner._noun: self.small}

    def untrained(self) -> M:
        """Return a learner that is not fitted, with the options of this one's training, as far as they are known.

        Raises OptionError if the template has word lists, and `word_lists` does not name their folder.
        """
        options, file = self._learner.get_params(), self._learner.model_
        if file.word_lists and options.get("word_lists") is None:
            raise OptionError("the template has word lists, which a model does not keep; word_lists names their folder")
        options |= dict.fromkeys(options.keys() & {"patience", "cv"})  # they chose the epochs
        options |= known_training(file)
        if file.clusters is not None:
            options |= {"clusters": file.clusters, "clusters_limit": None}
        result: M = type(self._learner)(**options | self._options)
        return result

    def smaller(self, goal: Goal) -> Callable[..., M]:
        """Return the `fit` of an unfitted learner with the same options, which makes the model so small."""
        learner: Any = self.untrained()
        check_silver_named(learner.get_params(), self._learner.model_)
        learner.set_params(max_bytes=None, names=False)
        if goal.below is None:
            return partial(learner._fit_to, goal)
        fit: Callable[..., M] = learner.set_params(drop_below=goal.below).fit
        return fit


def check_silver_named(options: Values, file: ModelFile) -> None:
    """Raise OptionError if a model was trained with silver data, and the options to train it again name none."""
    if "silver_sentences" in file.provenance and not len(options["silver"]):
        raise OptionError("the model was trained with silver data, which it does not keep; silver names their files")


def known_training(file: ModelFile) -> Values:
    """Return the options of training that a model file has in its provenance: epochs, seed and runs."""
    return {name: file.provenance[name] for name in ("epochs", "seed", "runs") if name in file.provenance}


def untrained_like(cls: type[M], file: ModelFile, given: Values) -> M:
    """Return a learner that is not fitted, with the options of a file but for those that are given.

    file : a model with or without weights. Raises OptionError if it has word lists, whose folder is not given.
    """
    learner: Any = cls
    then = learner._with_options_of(file).set_params(**given)
    then.model_ = file
    result: M = then.recipe.untrained().set_params(**given)
    return result
