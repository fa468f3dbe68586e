"""Taggers whose labels are edit scripts: what a lemmatizer and a splitter have in common, as methods of both.

A script rewrites a form, cities to city by ``[:-3]y`` (core/text/edit_script.hpp). The scripts of a treebank are chosen
so that few of them make all of its lemmas, or split all of its tokens, and the tagger chooses among them for each form.
"""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeVar, Unpack

from sapwood import _core
from sapwood.events import Callback
from sapwood.io.conllu import Treebank, read_treebank
from sapwood.model.file.schema import ModelFile
from sapwood.training.checkpoints import Run, Saving
from sapwood.training.task import Training


class Rewriter(Protocol):
    """A tagger of edit scripts, which says what its rows are, and scores them."""

    def begin_treebank(self, data: _core.Conllu, run: Run) -> Training:
        """Return what is trained on a treebank. Raises SapwoodError."""

    def complete(self, data: _core.Conllu) -> None:
        """Add to the trained model what does not need training."""

    def score_of(self, data: _core.Conllu) -> float:
        """Return what held-out data are scored by, in percent."""

    def rows_of(self, data: _core.Conllu) -> _core.Columns:
        """Return the rows that the tagger labels. Raises DataError."""

    def check_fitted(self) -> None:
        """Raise NotFittedError if the model is not fitted."""

    def _train(self, *how: Any) -> Self:
        """Train, and take the model."""

    @classmethod
    def of_model(cls, model: ModelFile) -> Self:
        """Return what a model file holds."""


Model = TypeVar("Model", bound=Rewriter)


def fit(
    self: Model,
    treebank: Treebank,
    /,
    *,
    dev: Treebank | None = None,
    dev_fraction: float | None = None,
    on_event: Callback | None = None,
    **saving: Unpack[Saving],
) -> Model:
    """Train on a treebank in CoNLL-U: a pathlib.Path, or a list of them.

    `dev`, or every k-th sentence (`dev_fraction`), is held out to score each epoch; the best epoch's model is
    kept. Raises OptionError, TemplateError or DataError, each naming the place.
    """
    learned_from: list[_core.Conllu] = []

    def read(train: _core.Conllu | None) -> _core.Conllu:
        return read_treebank(treebank if train is None else dev)

    def begin(data: _core.Conllu, held_out: _core.Conllu | None, run: Run) -> Training:
        learned_from.append(data)
        training = self.begin_treebank(data, run)
        training.facts["data_checksum"] = f"{data.checksum:016x}"
        if held_out is not None:
            training.score = lambda model, weights: self.of_model(model).score_of(held_out)
        return training

    self._train(read, begin, dev, dev_fraction, on_event, saving)
    self.complete(learned_from[0])
    return self
