"""How the models of a pipeline are trained, one after another, from a treebank."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.events import Preparing, ignore
from sapwood.io.clusters import read_clusters
from sapwood.io.conllu import has_values
from sapwood.io.entities import read_entities
from sapwood.io.lemma_lexicon import read_lemma_lexicon
from sapwood.model.base import known_training
from sapwood.tasks.parsing.jackknife import joint_tags
from sapwood.tasks.parsing.model import DependencyParser
from sapwood.tasks.rewriting.lemmatizer import Lemmatizer
from sapwood.tasks.rewriting.splitter import Splitter
from sapwood.tasks.segmenting.model import Segmenter
from sapwood.tasks.tagging.lexicon import tag_lexicon
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.training.checkpoints import Run
from sapwood.training.cross_validation import Items, folds_in_turn, splits
from sapwood.training.part_of_work import fit_part

if TYPE_CHECKING:
    from sapwood.model.base import AnyModel
    from sapwood.model.file.schema import ModelFile
    from sapwood.options import Values
    from sapwood.training.checkpoints import Run
    from sapwood.training.learner import Learner


class PipelineOptions(Protocol):
    """The options of a pipeline."""

    parts: Sequence[str]
    clusters: str | os.PathLike[str] | None
    clusters_limit: int | None
    lexicon: str | os.PathLike[str] | None
    names: Sequence[str]
    beam: int
    seed: int
    threads: int


Tags = list[list[tuple[str, ...]]]  # by sentence and word: UPOS, XPOS, FEATS

Rows = list[list[tuple[str, ...]]]  # by sentence and word: form and tags


_FOLDS = 5
_LARGE = 0.05  # part of a pipeline's weights, above which a model's weights are worth dropping
_NOT_OF_FOLDS = ("epochs", "runs", "max_bytes", "max_loss", "drop_by", "levels", "retrain", "patience")
_SMALL = 100_000  # words
_TAGS = ("upos", "xpos", "feats")


def train_models(
    pipeline: PipelineOptions,
    data: _core.Conllu,
    held_out: _core.Conllu | None,
    options: Mapping[str, Values],
    run: Run,
) -> tuple[dict[str, AnyModel], dict[str, str]]:
    """Return the fitted models by name, and for each part that the treebank could not teach the reason.

    options : of models, by name, where they differ from the defaults

    Raises DataError if the treebank cannot teach a part that the pipeline was asked for.
    """
    work = _Work(pipeline, data, held_out, options, run)
    learn = {
        "segment": work.segment,
        "tag": work.tag,
        "lemmatize": work.lemmatize,
        "parse": work.parse,
        "entities": work.entities,
    }
    for part in pipeline.parts or learn:
        try:
            learn[part]()
        except _CannotTeach as why:
            if pipeline.parts:
                raise DataError(f"{data.name}: {why}") from None
            work.skipped[part] = str(why)
    return work.models, work.skipped


def options_again(
    models: Mapping[str, AnyModel], model: ModelFile, bytes: int | None, loss: float | None, how: Values
) -> dict[str, dict[str, Any]]:
    """Return the options to train a pipeline's models again, so that it has so many bytes or loses so many points.

    how : options of all of them that say how

    The weights of each model shall shrink by the same factor. Models with hardly any stay as they are.

    Raises OptionError if what stays has as many bytes.
    """
    how = how | {"max_loss": loss}
    options = {name: part.params.kept() | known_training(part.model_) | how for name, part in models.items()}
    if bytes is None:
        return options
    weights = {name: part.weight_bytes() for name, part in model.parts.items()}
    large = {name: size for name, size in weights.items() if size > _LARGE * sum(weights.values())}
    rest = model.size() - sum(large.values())
    if bytes <= rest:
        raise OptionError(f"{rest:,} bytes of the pipeline stay: clusters, labels and the like")
    factor = min(1.0, (bytes - rest) / sum(large.values()))
    for name, size in large.items():
        options[name]["max_bytes"] = model.parts[name].size() - size + int(size * factor)
    return options


class _CannotTeach(Exception):
    """Why a treebank cannot teach a part of the analysis."""


class _Gold:
    """A treebank's forms and tags, by sentence."""

    def __init__(self, data: _core.Conllu) -> None:
        pairs = joint_tags(data, ("upos", "xpos"))
        self.forms = Items(data.column("form"))
        self.tags = Items([list(zip(*tags, strict=True)) for tags in zip(pairs, data.column("feats"), strict=True)])

    def select(self, chosen: Sequence[int]) -> _Gold:
        """Return some of the sentences."""
        some = copy(self)
        some.forms, some.tags = self.forms.select(chosen), self.tags.select(chosen)
        return some

    def pairs(self) -> tuple[Rows, list[list[str]]]:
        """Return the rows of a tagger of UPOS and XPOS, and their labels."""
        return _rows(self.forms), [[pair for pair, _ in sentence] for sentence in self.tags]

    def features(self) -> tuple[Rows, list[list[str]]]:
        """Return the rows of a tagger of FEATS, and their labels."""
        tags = [[pair.split(" ") for pair, _ in sentence] for sentence in self.tags]
        return _rows(self.forms, tags), [[feats for _, feats in sentence] for sentence in self.tags]


class _Work:
    """The models so far, and the tags that new text would have."""

    def __init__(
        self,
        pipeline: PipelineOptions,
        data: _core.Conllu,
        held_out: _core.Conllu | None,
        options: Mapping[str, Values],
        run: Run,
    ) -> None:
        self.pipeline = pipeline
        self.options = options
        self.data = data
        self.held_out = held_out
        self.run = run
        self.models: dict[str, AnyModel] = {}
        self.skipped: dict[str, str] = {}
        self.gold = _Gold(data)
        self.held_out_gold = None if held_out is None else _Gold(held_out)
        self.tagger: SequenceTagger | None = None
        self.morphology: SequenceTagger | None = None
        self.jackknifed: Tags | None = None
        self.clusters: _core.WordClusters | None = None
        if pipeline.clusters is not None:
            self.clusters = read_clusters(pipeline.clusters, pipeline.clusters_limit)
        # Files are read before training, so that what is wrong with them is said at once.
        self.lexicon = None if pipeline.lexicon is None else read_lemma_lexicon(pipeline.lexicon)
        self.tag_lexicon = tag_lexicon(self.lexicon) if self.lexicon else None
        self.names = read_entities(data, list(map(Path, pipeline.names)))
        self.held_out_names = None if held_out is None else read_entities(held_out, [])

    def segment(self) -> None:
        """Learn where tokens begin, and which of them are several words."""
        if self.data.text().marked == 0:
            raise _CannotTeach("it does not tell where there are no spaces (SpaceAfter=No), so no segmenter is learned")
        self.models["segmenter"] = self._fitted("segmenter", Segmenter(), self.data, dev=self.held_out)
        if self.data.multiwords:
            self.models["splitter"] = self._fitted("splitter", Splitter(), self.data, dev=self.held_out)

    def tag(self) -> None:
        """Learn UPOS and XPOS, and FEATS given these."""
        if not has_values(self.data, ("upos", "xpos")):
            raise _CannotTeach("no word has a tag, so no tagger is learned")
        self.tagger, self.morphology = self._taggers(self.gold, self.held_out_gold, self.run)
        self.models["tagger"] = self.tagger
        if self.morphology is not None:
            self.models["morphology"] = self.morphology
        else:
            self.skipped["feats"] = "no word has morphological features"

    def lemmatize(self) -> None:
        """Learn lemmas, given the tags of the treebank."""
        self._need_tags()
        if not has_values(self.data, ("lemma",)):
            raise _CannotTeach("no word has a lemma, so no lemmatizer is learned")
        lemmatizer = Lemmatizer(lexicon=self.lexicon, **self._clusters())
        self.models["lemmatizer"] = self._fitted("lemmatizer", lemmatizer, self.data, dev=self.held_out)

    def parse(self) -> None:
        """Learn trees, given tags as new text has them."""
        self._need_tags()
        try:
            self.data.trees(False)
        except DataError as error:
            raise _CannotTeach(f"its sentences have no trees, so no parser is learned ({error})") from None
        data, held_out = _with_tags(self.data, self._predicted()), None
        if self.held_out is not None and self.held_out_gold is not None:
            held_out = _with_tags(self.held_out, self._tagged(self.held_out_gold.forms))
        # In a small treebank few features take part in ten updates: `sapwood train parse --dev-fraction 0.2` on French
        # Sequoia has LAS 80.9 with 10, 86.5 with 5.
        least = 5 if data.words < _SMALL else 10
        parser = DependencyParser(beam=self.pipeline.beam, min_updates=least, **self._clusters())
        self.models["parser"] = self._fitted("parser", parser, data, dev=held_out)

    def entities(self) -> None:
        """Learn names, given tags as new text has them."""
        self._need_tags()
        labelled = self.names
        if labelled is None:
            raise _CannotTeach("it has no names (NER= in MISC), and no other data have been given")
        rows: Rows = []
        labels: list[list[str]] = []
        if labelled.of_treebank:
            for forms, tags, entities in zip(self.gold.forms, self._predicted(), labelled.of_treebank, strict=True):
                if entities is not None:
                    rows += _rows([forms], [tags])
                    labels.append(entities)
        if labelled.others:
            others = [[form for form, _ in sentence] for sentence in labelled.others]
            rows += _rows(others, self._tagged(others))
            known = {label for sentence in labels for label in sentence}
            labels += [
                [label if label in known or not known else "O" for _, label in sentence] for sentence in labelled.others
            ]
        names = SequenceTagger(
            template="entities", encoding="iobes", columns=["form", *_TAGS, "label"], **self._clusters()
        )
        self.models["entities"] = self._fitted("entities", names, rows, labels, dev=self._held_out_names())

    def _held_out_names(self) -> Rows | None:
        """Return the held-out words with their tags and the labels of names, if there are any."""
        if self.held_out_gold is None or self.held_out_names is None:
            return None
        forms = self.held_out_gold.forms
        labels = [labels or ["O"] * len(s) for labels, s in zip(self.held_out_names.of_treebank, forms, strict=True)]
        return _labelled(_rows(forms, self._tagged(forms)), labels)

    def _need_tags(self) -> None:
        if self.tagger is None:
            raise _CannotTeach("it has no tags, by which this part goes")

    def _tagged(self, forms: Sequence[list[str]]) -> Tags:
        assert self.tagger is not None
        return _tagged(forms, self.tagger, self.morphology)

    def _predicted(self) -> Tags:
        """Return the tags that each fold has from taggers that learned from the others."""
        if self.jackknifed is None:
            forms = self.gold.forms
            found: Tags = [[] for _ in forms]
            folds = folds_in_turn(len(forms), min(_FOLDS, len(forms)))
            quiet = Run(ignore, self.run.checkpoint)
            for fold, (others, inside) in enumerate(splits(folds)):
                self.run(Preparing("tagging the training data in folds", fold, _FOLDS))
                taggers = self._taggers(self.gold.select(others), None, quiet, of_fold=True)
                for s, tags in zip(inside, _tagged(forms.select(inside), *taggers), strict=True):
                    found[s] = tags
            self.jackknifed = found
        return self.jackknifed

    def _taggers(
        self, gold: _Gold, held_out: _Gold | None, run: Run, *, of_fold: bool = False
    ) -> tuple[SequenceTagger, SequenceTagger | None]:
        """Return a tagger of UPOS and XPOS, and one of FEATS; those of a fold are trained faster, and not shrunk."""
        epochs = 5 if of_fold else 8
        tagger = SequenceTagger(template="tags", search="greedy", history="own", epochs=epochs, **self._clusters())
        tagger.set_params(columns=["form", "label"], lexicon=self.tag_lexicon)
        dev = None if held_out is None else _labelled(*held_out.pairs())
        self._fit("tagger", tagger, run, *gold.pairs(), dev=dev, of_fold=of_fold)
        if all(feats == "_" for sentence in gold.tags for _, feats in sentence):
            return tagger, None
        morphology = SequenceTagger(template="morphology", search="greedy", dictionary="upos+xpos", epochs=epochs)
        morphology.set_params(columns=["form", "upos", "xpos", "label"])
        dev = None if held_out is None else _labelled(*held_out.features())
        self._fit("morphology", morphology, run, *gold.features(), dev=dev, of_fold=of_fold)
        return tagger, morphology

    def _fitted(self, name: str, model: Learner[Any], *data: Any, dev: Any) -> Learner[Any]:
        self._fit(name, model, self.run, *data, dev=dev)
        return model

    def _fit(self, name: str, model: Learner[Any], run: Run, *data: Any, dev: Any, of_fold: bool = False) -> None:
        options = {"seed": self.pipeline.seed, "threads": self.pipeline.threads, **self.options.get(name, {})}
        model.set_params(**{key: value for key, value in options.items() if not of_fold or key not in _NOT_OF_FOLDS})
        fit_part(model, *data, dev=dev, what=f"training the {name}", run=run)

    def _clusters(self) -> Values:
        return {} if self.clusters is None else {"clusters": self.clusters}


def _rows(forms: Iterable[Sequence[str]], tags: Iterable[Sequence[Sequence[str]]] | None = None) -> Rows:
    """Return the rows of a tagger: the form of each word and, if they are given, its tags."""
    if tags is None:
        return [[(form,) for form in sentence] for sentence in forms]
    pairs = zip(forms, tags, strict=True)
    return [[(form, *of_word) for form, of_word in zip(*sentence, strict=True)] for sentence in pairs]


def _labelled(rows: Rows, labels: Sequence[Sequence[str]]) -> Rows:
    """Return rows with their labels behind them."""
    pairs = zip(rows, labels, strict=True)
    return [[(*row, label) for row, label in zip(*sentence, strict=True)] for sentence in pairs]


def _with_tags(data: _core.Conllu, tags: Tags) -> _core.Conllu:
    """Return a treebank with other tags."""
    columns = {name: [[of_word[k] for of_word in s] for s in tags] for k, name in enumerate(_TAGS)}
    return _core.Conllu.read(data.replace(columns), data.name)


def _tagged(forms: Sequence[list[str]], tagger: SequenceTagger, morphology: SequenceTagger | None) -> Tags:
    """Return the tags of words: UPOS, XPOS and FEATS."""
    tags: Tags = [[tuple(label.split(" ")) for label in sentence] for sentence in tagger.predict(_rows(forms))]
    if morphology is None:
        return [[(*of_word, "_") for of_word in sentence] for sentence in tags]
    return [
        [(*of_word, feats) for of_word, feats in zip(*sentence, strict=True)]
        for sentence in zip(tags, morphology.predict(_rows(forms, tags)), strict=True)
    ]
