"""What all models have in common.

A model is its options, and when it is fitted `model_`, what its file holds. A task adds how it reads data, how it
begins training, and what it makes of a model file (`_install`). Whoever inspects, scores or saves models asks them by
the methods of `Model`, not for their types.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

from sapwood.errors import DataError, ModelError, OptionError
from sapwood.model.explanation import Explanations, question
from sapwood.model.reading import INPUTS
from sapwood.options import Options, option

if TYPE_CHECKING:
    from sklearn.utils import Tags

    from sapwood import _core
    from sapwood.events import Callback
    from sapwood.io.lists import CandidateList
    from sapwood.model.answers import Answers
    from sapwood.model.explanation import Explanations
    from sapwood.model.file.schema import ModelFile
    from sapwood.model.reading import Reading
    from sapwood.model.small import Small
    from sapwood.model.support import Support
    from sapwood.options import Values


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


_PATH = (str, os.PathLike)


class Model(Options):
    """A model of any task: what `load` returns."""

    task: ClassVar[str]  # as the model file has it
    noun: ClassVar[str]  # what messages call it
    small_: Small | None = None  # how the model was made small, if it was by this object
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
        """Return what a file has gold answers for and the model's. Raises DataError."""
        raise NotImplementedError

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
        """Return why the model decides as it does about data, or about one sentence or one token, counted from 1.

        data : what `predict` takes; of segmenters and pipelines a text, of lemmatizers and splitters a treebank. What a
            sentence, a token and an answer are in each task, the page on explanations says.
        against : compare with this answer, not with the second best; decisions that have it are left out
        why_not : the same; `flip` has the features without which the answer would be this one

        Raises ModelError if the model cannot say why, OptionError for a sentence, token or answer that is not there,
        and what `predict` raises.
        """
        self._check_fitted()
        return Explanations.read(self._reasons(data, question(sentence, token, against, why_not)))

    def _reasons(self, data: Any, asked: _core.Question) -> Iterator[bytes]:
        """Yield the explanations of data in memory or in a file, as `explain_lines` does of bytes."""
        raise ModelError(f"this {self.noun} cannot explain its decisions")

    def explain_lines(self, data: bytes, name: str, asked: _core.Question) -> Iterator[bytes]:
        """Yield, as lines of JSON, why the model decides as it does about what a file's bytes hold.

        asked : of which decisions, and against what (`question` in sapwood.model.explanation)

        Raises ModelError if the model cannot say why, OptionError for a label, sentence or token that is not there, and
        DataError with the place; the file is called `name` there.
        """
        raise ModelError(f"this {self.noun} cannot explain its decisions")

    def inputs(self) -> Sequence[str]:
        """Return what `reading` takes, the usual kind first: names of sapwood.model.reading.INPUTS."""
        return ()

    def written(self, chunks: Iterable[bytes], *, name: str = "input", **options: Any) -> Iterator[bytes]:
        """Yield what the command line writes about an input that comes in chunks of bytes, with the verb's options.

        Raises ModelError if no verb annotates with models of this task, OptionError, and DataError, where the input is
        called `name`.
        """
        raise ModelError(f"a {self.noun} annotates nothing; taggers, parsers, classifiers and pipelines do")

    def written_as(self, **options: Any) -> str:
        """Return what `written` gives with these options: "columns", "conllu", "json", "labels", "html" or "text"."""
        return ""

    def reading(self, data: bytes, name: str, kind: str) -> Reading:
        """Return what the model says about an input of some kind, and why, to be shown sentence by sentence.

        Raises OptionError for a kind that is not one of `inputs`, and DataError with the place; the input is called
        `name` there.
        """
        self._check_fitted()
        if kind not in self.inputs():
            known = " or ".join(f"{each} ({INPUTS[each]})" for each in self.inputs()) or "nothing that can be shown"
            raise OptionError(f"this {self.noun} does not read {kind}; it reads {known}")
        return self._reading(data, name, kind)

    def _reading(self, data: bytes, name: str, kind: str) -> Reading:
        """Return what `reading` does, of one of the kinds that the model reads."""
        raise NotImplementedError

    def calibrate_on(self, file: os.PathLike[str], *, method: str | None = None, names: Sequence[str] = ()) -> str:
        """Fit confidences on a file with gold answers that training did not see, and return what was found, in words.

        method : how; None is the model's own choice
        names : files of names that belong to a treebank, as training takes them

        Raises ModelError if models of this task have no confidences, OptionError for a method or names that they do
        not take, and DataError.
        """
        raise ModelError(f"a {self.noun} has no confidences; taggers, parsers, classifiers and pipelines have")

    def shrink(
        self,
        data: Any,
        /,
        *,
        dev: Any = None,
        dev_fraction: float | None = None,
        bytes: int | None = None,
        loss: float | None = None,
        by: str = "magnitude",
        levels: str = "uneven",
        retrain: bool = True,
        drop_lines: float | None = None,
        on_event: Callback | None = None,
    ) -> Self:
        """Return a smaller model: trained on data as this one was, then with ever fewer weights, which are trained on.

        dev, dev_fraction : held-out data, as `fit` takes them
        bytes : the model has so many bytes at most
        loss : the smallest model whose score on held-out data is at most so many points below that of the whole one
        by : what goes first, by "magnitude" or by "group-l1"; the option `drop_by` says more
        levels : of the weights, "uneven" or "even"; the option `levels` says more
        retrain : whether the remaining weights are trained on; the option `retrain` says more
        drop_lines : leave out lines of the template first, as long as the score on held-out data falls by at most so
        many points; with 0 they are lines that bring nothing. `loss` counts from there.

        In a pipeline bytes are shared out as the parts have them now, and with `loss` the score of each part may fall
        by so much. `shrunk()` of what is returned has the sizes and scores on the way.

        Raises OptionError, ModelError if a model of this task has no weights that could be dropped, and what `fit`
        raises. Warns if the model cannot be made as small as that.
        """
        if (bytes is None) == (loss is None):
            raise OptionError("say how small the model is to be, by bytes or by loss")
        if loss is not None and dev is None and dev_fraction is None:
            raise OptionError("loss needs held-out data: give dev or dev_fraction")
        if drop_lines is not None and not 0 <= drop_lines <= 100:
            raise OptionError(f"drop_lines is a number of points from 0 to 100, not {drop_lines!r}")
        fit = self._smaller(bytes, loss, {"drop_by": by, "levels": levels, "retrain": retrain}, drop_lines)
        return fit(data, dev=dev, dev_fraction=dev_fraction, on_event=on_event)

    def _smaller(
        self, bytes: int | None, loss: float | None, how: Values, drop_lines: float | None
    ) -> Callable[..., Self]:
        """Return the `fit` of an object that trains a model as this one was trained, and makes it so small.

        how : options of the learners that make them small
        """
        raise ModelError(f"a {self.noun} has no weights that could be dropped; taggers, parsers and the like have")

    def shrunk(self) -> dict[str, Small]:
        """Return how the model, or each of its parts, was made small, by name; empty if it was not."""
        return {} if self.small_ is None else {self.noun: self.small_}

    def again(self) -> Self:
        """Return an object that is not fitted, with what is known of the options that this model was trained with.

        Raises OptionError if the template has word lists, and `word_lists` does not name their folder.
        """
        self._check_fitted()
        if self.model_.word_lists and getattr(self, "word_lists", None) is None:
            raise OptionError("the template has word lists, which a model does not keep; word_lists names their folder")
        known = known_training(self.model_)
        if self.model_.clusters is not None:
            known |= {"clusters": self.model_.clusters, "clusters_limit": None}
        return type(self)(**self.get_params() | known | self._data_options())

    def _data_options(self) -> Values:
        """Return the options that training again needs besides: the model file has them in other words."""
        return {}

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
        values = {name: (declared, getattr(self, name)) for name, declared in self.options().items() if declared.kept}
        return {
            name: value
            for name, (declared, value) in values.items()
            if declared.kept != "given" or value != declared.default
        }

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


def known_training(model: ModelFile) -> Values:
    """Return the options of training that a model file knows besides those that it keeps."""
    return {name: model.provenance[name] for name in ("epochs", "seed", "runs") if name in model.provenance}


def is_file(source: object, wanted: str) -> bool:
    """Whether data are in a file, whose path is a pathlib.Path or the like.

    Raises DataError for a string, which may be meant as a path or as data; `wanted` says what data in memory are.
    """
    if isinstance(source, (str, bytes)):
        raise DataError(f"data are {wanted}; a string is neither that nor a file, whose path is a pathlib.Path")
    return isinstance(source, os.PathLike)
