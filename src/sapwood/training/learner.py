"""What all models of the perceptron family have in common: they are trained, go on learning, and can be made small."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, Unpack

from sapwood.errors import ModelError, OptionError
from sapwood.io.source import paths_in
from sapwood.model.base import Model
from sapwood.model.capabilities import Shrinks
from sapwood.model.explanation import Explanations, Reasons, question
from sapwood.training.options import LearnerOptions, Mixing

if TYPE_CHECKING:
    from sapwood.events import Callback
    from sapwood.model.file.schema import ModelFile
    from sapwood.model.small import Goal, Small
    from sapwood.options import Values
    from sapwood.training.checkpoints import Learned, Run, Saving
    from sapwood.training.cross_validation import Data
    from sapwood.training.shards.streams import Stream
    from sapwood.training.task import Training


L = TypeVar("L", bound=LearnerOptions)
Made = TypeVar("Made")
Folder = str | os.PathLike[str] | None


class Learner(Model[L]):
    """A model that the perceptron family trains, epoch by epoch."""

    # What to look at if there are oddly many labels; empty: there may be any number; None: they are not the user's.
    label_hint: str | None = None
    _learned: Learned | None = None  # what partial_fit goes on from
    mixing: Mixing | None = None  # of shards, if it is not the one that their number asks for: for experiments

    @property
    def params(self) -> L:
        """The options as an object of their own, with their types; to change it does not change the model."""
        options = super().params
        options.mixing = self.mixing
        return options

    def fit(
        self,
        data: Any,
        /,
        *,
        dev: Any = None,
        dev_fraction: float | None = None,
        on_event: Callback | None = None,
        **saving: Unpack[Saving],
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
        raise NotImplementedError

    shrink = Shrinks.shrink

    def shrunk(self) -> dict[str, Small]:
        """Return how the model was made small, by its noun; empty if it was not."""
        return {} if self.small_ is None else {self.noun: self.small_}

    @property
    def reasons(self) -> Reasons[Any]:
        """The explanations of its decisions."""
        raise NotImplementedError

    def explain(
        self,
        data: Any,
        /,
        *,
        sentence: int | None = None,
        token: int | None = None,
        against: str | None = None,
        why_not: str | None = None,
    ) -> Explanations:
        """Explain decisions about data, or about one sentence or one token, counted from 1.

        data : as `predict` takes them; of segmenters a text, of lemmatizers and splitters a treebank. The page on
            explanations says what a sentence, a token and an answer are in each task.
        against : compare with this answer, not with the second best; decisions that have it are left out
        why_not : the same; `flip` has the features without which the answer would be this one

        Raises ModelError if the model has no sum of features to explain, OptionError for a sentence, token or answer
        that is not there, and what `predict` raises.
        """
        return Explanations.read(self.reasons.of(data, question(sentence, token, against, why_not)))

    def smaller(self, goal: Goal) -> Callable[..., Self]:
        """Return the `fit` of an object that trains a model as this one was trained, and makes it so small."""
        model = self.untrained().set_params(max_bytes=None)
        if goal.below is not None:
            return model.set_params(drop_below=goal.below).fit
        return partial(model.fit, small=goal)

    def _train(
        self,
        read: Callable[[Data | None], Data],
        begin: Callable[[Data, Data | None, Run], Training],
        dev: object,
        dev_fraction: float | None,
        on_event: Callback | None,
        saving: Saving,
        unit: str = "sentences",
        stream: Stream | None = None,
    ) -> Self:
        """Train, and take the model; `Work` says what the arguments are."""
        from sapwood.training.run import Work, train  # what only training needs is not imported before

        fitted = train(Work(self, read, begin, dev, dev_fraction, unit, stream), on_event, saving)
        self.install(fitted.model)
        self.small_, self._learned = fitted.small, fitted.learned
        return self

    def _pass(self, *data: object, on_event: Callback | None, **more: object) -> Self:
        """Make one pass over data, as `fit` takes them, and go on from the passes before. Raises what `fit` does."""
        if self.params.patience is not None or self.params.max_bytes is not None:
            raise OptionError("patience and max_bytes need all the data; use fit")
        if self.params.runs > 1:
            raise OptionError("each run goes over all the data in another order, and needs them at once; use fit")
        if self._learned is None and hasattr(self, "model_"):
            raise ModelError(
                f"this {self.noun} was trained by fit, or comes from a file: partial_fit has nothing to go on from; "
                "call partial_fit from the first data on, or fit with from_checkpoint"
            )
        saving: Saving = {"one_pass": True, "from_checkpoint": self._learned}
        fit: Callable[..., Self] = self.fit
        return fit(*data, on_event=on_event, **more, **saving)

    def __getstate__(self) -> Values:
        """Return what copies and pickles have: the options, the model, and what partial_fit goes on from."""
        return super().__getstate__() | ({} if self._learned is None else {"_learned": self._learned})

    @classmethod
    def untrained_from(cls, model: ModelFile, given: Values) -> Self:
        """Return an object that is not fitted, with the options of a model but for those that are given.

        model : one with or without weights. Raises OptionError if it has word lists, whose folder is not given.
        """
        then = cls._with_options_of(model).set_params(**given)
        then.model_ = model
        return then.untrained().set_params(**given)

    def is_slow(self, data: Any, /) -> bool:
        """Whether data to train on have a sentence so long that the model warns of it by itself."""
        return False

    def check_known(self, known: ModelFile) -> None:
        """Raise OptionError if training cannot go on from one of this model."""
        if known.task != self.task:
            raise OptionError(f"the checkpoint is of a model for the task '{known.task}', not '{self.task}'")


def stream_of(
    make: Callable[[Any, str], Made],
    source: object,
    answers: object,
    scratch: Folder,
    dev_fraction: float | None,
    *,
    stream: bool,
) -> Made | None:
    """Return make(path or paths, folder for scratch files) of the training data if they are to be a stream.

    Raises OptionError if they cannot be one.
    """
    if not stream:
        if scratch is not None:
            raise OptionError("scratch is the folder where stream keeps the examples; give stream, too")
        return None
    if not paths_in(source):
        raise OptionError("stream reads a file, whose path is a pathlib.Path; train on data in memory without it")
    if answers is not None:
        raise OptionError("labels beside a file: a file has them in it")
    if dev_fraction is not None:
        raise OptionError("dev_fraction needs all data in memory; with stream give dev, a file to score each epoch on")
    return make(source, scratch_folder(scratch))


def scratch_folder(given: Folder) -> str:
    """Return the folder for scratch files: the one that is given, $TMPDIR, or one that is on a disk.

    /tmp is in memory on some machines, /var/tmp is not.
    """
    if given is not None:
        return os.fspath(given)
    if folder := os.environ.get("TMPDIR"):
        return folder
    disk = Path("/var/tmp")
    if disk.is_dir() and os.access(disk, os.W_OK):
        return str(disk)
    return tempfile.gettempdir()
