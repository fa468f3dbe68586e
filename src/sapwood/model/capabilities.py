"""What only some models can do. A model that cannot do it has no such method, and `able` says so to whoever asks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar, runtime_checkable

from sapwood import _core
from sapwood.errors import ModelError

if TYPE_CHECKING:
    from sapwood.events import Callback
    from sapwood.io.lists import CandidateList
    from sapwood.model.file.schema import ModelFile
    from sapwood.model.small import Small


@runtime_checkable
class Explains(Protocol):
    """A model that can say why it decides as it does."""

    def explain_lines(self, data: bytes, name: str, asked: _core.Question) -> Iterator[bytes]:
        """Yield, as lines of JSON, why the model decides as it does about what a file's bytes hold.

        asked : of which decisions, and against what (`question` in sapwood.model.explanation)

        Raises ModelError if the model cannot say why, OptionError for a label, sentence or token that is not there, and
        DataError with the place; the file is called `name` there.
        """


@runtime_checkable
class Proposes(Protocol):
    """A model that can say which structures it finds best, for a reranker to choose from."""

    def n_best_lists(self, data: bytes, name: str, n: int) -> list[CandidateList]:
        """Return a list of the n best structures for each sentence of a file's bytes, with gold where it has it.

        Raises OptionError if the search has no exact n best, DataError with the place; the file is called `name` there.
        """

    def cross_lists(self, path: os.PathLike[str], n: int, folds: int) -> Iterator[CandidateList]:
        """Yield a list for each sentence of a training file, fold by fold, by a model trained on the other folds."""


@runtime_checkable
class Calibrates(Protocol):
    """A model whose confidences can be fitted."""

    def calibrate_on(self, file: os.PathLike[str], *, method: str | None = None, names: Sequence[str] = ()) -> str:
        """Fit confidences on a file with gold answers that training did not see, and return what was found, in words.

        method : how; None is the model's own choice
        names : files of names that belong to a treebank, as training takes them

        Raises OptionError for a method or names that the model does not take, and DataError.
        """


@runtime_checkable
class Annotates(Protocol):
    """A model with which a verb annotates files."""

    def written(self, chunks: Iterable[bytes], *, name: str = "input", **options: Any) -> Iterator[bytes]:
        """Yield what the command line writes about an input that comes in chunks of bytes, with the verb's options.

        Raises OptionError, and DataError, where the input is called `name`.
        """

    def written_as(self, **options: Any) -> str:
        """Return what `written` gives with these options: "columns", "conllu", "json", "labels", "html" or "text"."""


@runtime_checkable
class Shrinks(Protocol):
    """A model that can be made small."""

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
        """Return a smaller model; see sapwood.training.small.making."""

    def shrunk(self) -> dict[str, Small]:
        """Return how the model, or each of its parts, was made small, by name; empty if it was not."""

    def set_params(self, **values: object) -> Self:
        """Set options by name and return self."""

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write the model to one file, and return its bytes."""


@runtime_checkable
class GoesOn(Protocol):
    """A model that can go on learning from other data."""

    @classmethod
    def like(cls, model: ModelFile, given: dict[str, Any]) -> Self:
        """Return an object that is not fitted, with the options of a model but for those that are given."""


Capability = TypeVar("Capability")
_CANNOT: dict[type, str] = {
    Explains: "has no weights of features to explain; taggers, parsers, classifiers, rerankers and pipelines have",
    Proposes: "has no n best lists; taggers, parsers and grammars have",
    Calibrates: "has no confidences; taggers, parsers, classifiers and pipelines have",
    Annotates: "annotates nothing; taggers, parsers, classifiers and pipelines do",
    Shrinks: "has no weights that could be dropped; taggers, parsers and the like have",
    GoesOn: "cannot go on learning from other data; taggers, parsers, classifiers and rerankers can",
}


class Named(Protocol):
    """A model, as far as messages are concerned."""

    @property
    def noun(self) -> str:
        """What messages call it."""


def able(model: Named, capability: type[Capability]) -> Capability:
    """Return the model, if it can do this. Raises ModelError if it cannot."""
    if not isinstance(model, capability):
        raise ModelError(f"a {model.noun} {_CANNOT[capability]}")
    return model


def cannot(noun: str, method: str) -> str:
    """Return what to say to whoever asks a model for a method of a capability that it lacks; nothing for others."""
    for capability, words in _CANNOT.items():
        if method in vars(capability) and not method.startswith("_"):
            return f": a {noun} {words}"
    return ""
