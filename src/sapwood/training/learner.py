"""How models of the perceptron family are trained: epochs, held-out data, runs and shards, shrinking."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Self, Unpack

from sapwood._core import WordClusters
from sapwood.errors import ModelError, OptionError, SapwoodWarning
from sapwood.options import option
from sapwood.training.learner_options import LearnerOptions

if TYPE_CHECKING:
    from sapwood.events import Callback, Started
    from sapwood.model.file.schema import ModelFile
    from sapwood.model.small import Small
    from sapwood.model.support import Weights
    from sapwood.options import Values
    from sapwood.training.checkpoints import Learned, Run, Saving
    from sapwood.training.cross_validation import Data
    from sapwood.training.epochs import Trainer
    from sapwood.training.shards.mixing import Workers
    from sapwood.training.shards.streams import Stream
    from sapwood.training.task import Training


_PATH = (str, os.PathLike)
# A task with more labels than this, of which each has fewer examples than that, is hardly what was meant.
_MANY_LABELS, _FEW_EXAMPLES = 100, 50
_PROVENANCE = 1024  # bytes, at most, of what a model file says of its training, which is known last


class Learner(LearnerOptions):
    """A model that the perceptron family trains, epoch by epoch."""

    label_hint = ""  # what to look at if there are oddly many labels; empty: there may be any number
    _learned: Learned | None = None  # what partial_fit goes on from
    # Called after the epochs, with the model and the function that scores it on held-out data.
    after_training: Callable[[ModelFile, Callable[[ModelFile], float]], None] | None = None

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

    def _smaller(
        self, bytes: int | None, loss: float | None, how: Values, drop_lines: float | None
    ) -> Callable[..., Self]:
        again = self.again().set_params(max_bytes=bytes, max_loss=loss, **how)
        if drop_lines is None:
            return again.fit
        from functools import partial

        from sapwood.training.small.template_lines import fit_without_lines

        return partial(fit_without_lines, again, drop_lines)

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
        """Run the epochs, and keep the best model.

        read : gives the training data and, given these, the held-out data of `dev`
        begin : what is trained, given both
        stream : the whole of the training data, which `begin` reads; `read` gives their first part
        """
        import time

        from sapwood import __version__
        from sapwood.events import ignore
        from sapwood.model.support import with_weights
        from sapwood.training.checkpoints import Learned, Run
        from sapwood.training.cross_validation import hold_out
        from sapwood.training.epochs import run_epochs
        from sapwood.training.saved_training import SavedTraining, described, go_on

        self._check_training(dev, dev_fraction)
        if saving.get("workers") is not None:
            self.check_shards()
        if self.shards > 1 and stream is not None:
            raise OptionError("shards are parts of data in memory, and a stream is not; leave out one of both")
        if self.runs > 1 and stream is not None:
            raise OptionError(
                "runs need all examples in memory, and a stream keeps them on disk; leave out one of both"
            )
        run = Run.of(on_event or ignore, saving)
        if run.known is not None:
            self._check_known(run.known)
        started = time.perf_counter()
        train, held_out = read(None), None
        if dev is not None:
            held_out = read(train)

        def describe() -> None:
            if run.checkpoint is not None:
                run.checkpoint.begin(described(self, stream or train, held_out, dev_fraction))

        if stream is None:
            describe()
        if dev_fraction is not None:
            train, held_out = hold_out(train, dev_fraction, unit)
        report = run.report
        training = begin(train, held_out, run)
        examples = len(train) if training.examples is None else training.examples
        training.trainer = self._averaged(training, examples)
        if stream is not None:  # it is read, and its checksum known
            describe()
        if run.source is not None and run.known is not None:
            go_on(training, run.source, run.known)
        if run.checkpoint is not None:
            run.checkpoint.goes_on = run.known is not None
        beginning = training.started(time.perf_counter() - started)
        self._remark_on_labels(beginning)
        report(beginning)

        def score(weights: Weights) -> float:
            assert training.score is not None
            return training.score(with_weights(training.model, weights), weights)

        held_out_score = score if training.score is not None and held_out is not None else None
        with self._trainer_of(training, examples, saving.get("workers"), unit) as trainer:
            trained = run_epochs(
                trainer,
                tokens=training.units,
                epochs=1 if run.one_pass else training.epochs or self.epochs,
                patience=self.patience,
                bits=self.bits,
                shrink=self.drop_below,
                score=held_out_score,
                report=report,
                saved=None if run.checkpoint is None else SavedTraining(run.checkpoint, training),
                **({} if training.step is None else {"step": training.step}),
            )
        model, weights, facts = training.model, trained.weights, trained.provenance()
        if self.after_training is not None and training.score is not None:
            score_of = training.score
            self.after_training(with_weights(model, weights), lambda given: score_of(given, weights))
        if small := self.made_small(training.trainer, model, training.units, held_out_score, report):
            self.small_, weights = small, small.weights
            facts |= small.provenance()
        if self.batch > 1:
            facts["batch"] = self.batch
        if self.runs > 1:
            facts["runs"] = self.runs
        if self.shards > 1:
            facts |= {"shards": self.shards, "mixing": self.mixing, "mixings": self.mixings}
        model.provenance = {"sapwood": __version__, "seed": self.seed, **training.facts, **facts}
        model = with_weights(model, weights)
        if self.names and model.tables:
            for table, texts in zip(model.tables, training.names(weights), strict=True):
                table.names = texts
        self._install(model)
        self._learned = Learned(training.trainer.state(), training.model) if run.one_pass else None
        return self

    def _remark_on_labels(self, event: Started) -> None:
        """Warn if there are so many labels that they hardly are what is to be learned."""
        if self.label_hint and event.labels > _MANY_LABELS and event.labels * _FEW_EXAMPLES > event.tokens:
            import warnings

            message = f"{event.labels:,} labels in {event.tokens:,} {event.unit}: {self.label_hint}"
            warnings.warn(message, SapwoodWarning, stacklevel=2)

    def _averaged(self, training: Training, examples: int) -> Trainer[Any]:
        """Return what trains, and averages several runs if they are wanted."""
        if self.runs == 1:
            return training.trainer
        from sapwood.training.runs import averaged

        shard = training.shard
        assert shard is not None
        every = range(examples)
        settings = {"runs": self.runs, "seed": self.seed, "threads": self.threads}
        return averaged(training.trainer, lambda seed: shard(every, seed), **settings)

    def _trainer_of(
        self, training: Training, examples: int, workers: Workers | None, unit: str
    ) -> AbstractContextManager[Trainer[Any]]:
        """Return what is trained epoch by epoch, in shards if there are some. Raises OptionError."""
        from contextlib import nullcontext

        if self.shards == 1:
            return nullcontext(training.trainer)
        from sapwood.training.shards.mixing import Threads, mixing_trainer, seed_of, shards_of

        assert training.shard is not None
        chosen = shards_of(examples, self.shards, self.mixings, unit)
        shards = [training.shard(some, seed_of(self.seed, k)) for k, some in enumerate(chosen)]
        return mixing_trainer(training.trainer, shards, workers or Threads(self.threads), self.mixing, self.mixings)

    def _pass(self, *data: Any, on_event: Callback | None) -> Self:
        """Make one pass over data, as `fit` takes them, and go on from the passes before. Raises what `fit` does."""
        if self.patience is not None or self.max_bytes is not None or self.max_loss is not None:
            raise OptionError("patience, max_bytes and max_loss need all the data; use fit")
        if self.runs > 1:
            raise OptionError("each run goes over all the data in another order, and needs them at once; use fit")
        if self._learned is None and hasattr(self, "model_"):
            raise ModelError(
                f"this {self.noun} was trained by fit, or comes from a file: partial_fit has nothing to go on from; "
                "call partial_fit from the first data on, or fit with from_checkpoint"
            )
        saving: Saving = {"one_pass": True, "from_checkpoint": self._learned}
        fit: Callable[..., Self] = self.fit
        return fit(*data, on_event=on_event, **saving)

    def __getstate__(self) -> Values:
        """Return what copies and pickles have: the options, the model, and what partial_fit goes on from."""
        return super().__getstate__() | ({} if self._learned is None else {"_learned": self._learned})

    @classmethod
    def like(cls, model: ModelFile, given: Values) -> Self:
        """Return an object that is not fitted, with the options of a model but for those that are given.

        model : one with or without weights. Raises OptionError if it has word lists, whose folder is not given.
        """
        then = cls._with_options_of(model).set_params(**given)
        then.model_ = model
        return then.again().set_params(**given)

    def _check_known(self, known: ModelFile) -> None:
        """Raise OptionError if training cannot go on from one of this model."""
        if known.task != self.task:
            raise OptionError(f"the checkpoint is of a model for the task '{known.task}', not '{self.task}'")

    def made_small(
        self,
        trainer: Trainer[Any],
        model: ModelFile,
        tokens: int,
        score: Callable[[Any], float] | None,
        report: Callback,
    ) -> Small | None:
        """Return the small weights that max_bytes or max_loss ask for, after the epochs; None if neither does.

        model : without weights. tokens : of an epoch. score : percent on held-out data, of weights
        """
        if self.max_bytes is None and self.max_loss is None:
            return None
        from sapwood.training.small.shrinking import Goal, shrink

        return shrink(
            trainer,
            goal=Goal(self.max_bytes, self.max_loss, self.drop_by, self.levels, self.retrain),
            tokens=tokens,
            bits=self.bits,
            size=lambda weights: model.with_weights(weights).size() + _PROVENANCE,
            score=score,
            report=report,
        )


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


def hash_bits_option() -> Any:
    """Declare how many bits of a feature's key count."""
    return option(
        default=None,
        least=10,
        most=32,
        metavar="N",
        kept="given",
        help="have at most 2^N features: those whose keys have the same first N bits share their weights (the hash "
        "kernel, Shi et al. 2009), which bounds memory and costs accuracy",
    )


class TemplateLearner(ClusterLearner):
    """A learner whose template may name word lists."""

    hash_bits: int | None = hash_bits_option()

    word_lists: str | os.PathLike[str] | None = option(
        default=None,
        metavar="DIR",
        help="folder that the template's word lists are in, if not the template's own; nothing outside of it is read",
    )

    def check_options(self) -> None:
        """Raise OptionError if an option has a value that it cannot have, or if options contradict each other."""
        super().check_options()
        if self.hash_bits is not None and self.names:
            raise OptionError("features that share their weights by hash_bits have no names; leave out names")
