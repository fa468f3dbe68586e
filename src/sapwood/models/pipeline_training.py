"""How the parts of a pipeline are trained, one after another, from a treebank."""

from __future__ import annotations

from pathlib import Path

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.clusters import read_clusters
from sapwood.io.conllu import has_values
from sapwood.io.entities import read_entities
from sapwood.io.lemma_lexicon import read_lemma_lexicon
from sapwood.learning.cross_validation import Items, folds_in_turn, splits
from sapwood.models.jackknife import joint_tags
from sapwood.models.lemmatizer import Lemmatizer
from sapwood.models.parser import DependencyParser
from sapwood.models.part_of_work import fit_part
from sapwood.models.segmenter import Segmenter
from sapwood.models.splitter import Splitter
from sapwood.models.tagger import SequenceTagger

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Protocol

    from sapwood.learning.events import Callback
    from sapwood.models.base import Learner, Model

    class PipelineOptions(Protocol):
        """The options of a pipeline."""

        steps: Sequence[str]
        clusters: str | os.PathLike[str] | None
        clusters_limit: int | None
        lexicon: str | os.PathLike[str] | None
        entity_data: Sequence[str]
        beam: int
        seed: int
        threads: int

    Tags = list[list[tuple[str, ...]]]  # by sentence and word: UPOS, XPOS, FEATS
    Rows = list[list[tuple[str, ...]]]  # by sentence and word: form and tags

_FOLDS = 5
_SMALL = 100_000  # words
_TAGS = ("upos", "xpos", "feats")


def train_parts(
    pipeline: PipelineOptions, data: _core.Conllu, part_options: Mapping[str, Mapping[str, Any]], report: Callback
) -> tuple[dict[str, Model], dict[str, str]]:
    """Return the fitted parts, and why parts that are not there could not be learned.

    Raises DataError if that is so of a step that the pipeline was asked for.
    """
    work = _Work(pipeline, data, part_options, report)
    steps = list(pipeline.steps) or ["segment", "tag", "lemmatize", "parse", "entities"]
    for step in steps:
        try:
            getattr(work, step)()
        except _CannotTeach as why:
            if pipeline.steps:
                raise DataError(f"{data.name}: {why}") from None
            work.skipped[step] = str(why)
    return work.parts, work.skipped


class _CannotTeach(Exception):
    """Why a treebank cannot teach a step."""


class _Work:
    """The parts so far, and the tags that new text would have."""

    def __init__(
        self, pipeline: PipelineOptions, data: _core.Conllu, options: Mapping[str, Mapping[str, Any]], report: Callback
    ) -> None:
        self.pipeline = pipeline
        self.options = options
        self.data = data
        self.report = report
        self.parts: dict[str, Model] = {}
        self.skipped: dict[str, str] = {}
        self.forms = Items(data.column("form"))
        pairs = joint_tags(data, ("upos", "xpos"))
        self.gold = Items([list(zip(*tags, strict=True)) for tags in zip(pairs, data.column("feats"), strict=True)])
        self.tagger: SequenceTagger | None = None
        self.morphology: SequenceTagger | None = None
        self.jackknifed: Tags | None = None
        self.clusters: Any = None
        if pipeline.clusters is not None:
            self.clusters = read_clusters(pipeline.clusters, pipeline.clusters_limit)
        # Files are read before training, so that what is wrong with them is said at once.
        self.lexicon = None if pipeline.lexicon is None else read_lemma_lexicon(pipeline.lexicon)
        self.entity_data = read_entities(data, list(map(Path, pipeline.entity_data)))

    def segment(self) -> None:
        """Learn where tokens begin, and which of them are several words."""
        if self.data.text().marked == 0:
            raise _CannotTeach("it does not tell where there are no spaces (SpaceAfter=No), so no segmenter is learned")
        self.parts["segmenter"] = self._fitted("segmenter", Segmenter(), self.data)
        if self.data.multiwords:
            self.parts["splitter"] = self._fitted("splitter", Splitter(), self.data)

    def tag(self) -> None:
        """Learn UPOS and XPOS, and FEATS given these."""
        if not has_values(self.data, ("upos", "xpos")):
            raise _CannotTeach("no word has a tag, so no tagger is learned")
        self.tagger, self.morphology = self._taggers(self.forms, self.gold, self.report)
        self.parts["tagger"] = self.tagger
        if self.morphology is not None:
            self.parts["morphology"] = self.morphology
        else:
            self.skipped["feats"] = "no word has morphological features"

    def lemmatize(self) -> None:
        """Learn lemmas, given the tags of the treebank."""
        self._need_tags()
        if not has_values(self.data, ("lemma",)):
            raise _CannotTeach("no word has a lemma, so no lemmatizer is learned")
        self.parts["lemmatizer"] = self._fitted("lemmatizer", Lemmatizer(lexicon=self.lexicon), self.data)

    def parse(self) -> None:
        """Learn trees, given tags as new text has them."""
        self._need_tags()
        try:
            self.data.trees(False)
        except DataError as error:
            raise _CannotTeach(f"its sentences have no trees, so no parser is learned ({error})") from None
        tags = self._predicted()
        columns = {name: [[word[k] for word in s] for s in tags] for k, name in enumerate(_TAGS)}
        data = _core.Conllu.read(self.data.replace(columns), self.data.name)
        # In a small treebank few features take part in ten updates: `sapwood train parse --dev-fraction 0.2` on French
        # Sequoia has LAS 80.9 with 10, 86.5 with 5.
        least = 5 if data.words < _SMALL else 10
        parser = DependencyParser(beam=self.pipeline.beam, min_updates=least, **self._clusters())
        self.parts["parser"] = self._fitted("parser", parser, data)

    def entities(self) -> None:
        """Learn names, given tags as new text has them."""
        tagger = self._need_tags()
        labelled = self.entity_data
        if labelled is None:
            raise _CannotTeach("it has no names (NER= in MISC), and no other data have been given")
        rows: Rows = []
        labels: list[list[str]] = []
        if labelled.of_treebank:
            for forms, tags, entities in zip(self.forms, self._predicted(), labelled.of_treebank, strict=True):
                if entities is not None:
                    rows += _rows([forms], [tags])
                    labels.append(entities)
        if labelled.others:
            others = [[form for form, _ in sentence] for sentence in labelled.others]
            tagged = _tagged(others, tagger, self.morphology)
            rows += _rows(others, tagged)
            known = {label for sentence in labels for label in sentence}
            labels += [
                [label if label in known or not known else "O" for _, label in sentence] for sentence in labelled.others
            ]
        names = SequenceTagger(
            template="entities", encoding="iobes", columns=["form", *_TAGS, "label"], **self._clusters()
        )
        self.parts["entities"] = self._fitted("entities", names, rows, labels)

    def _need_tags(self) -> SequenceTagger:
        if self.tagger is None:
            raise _CannotTeach("it has no tags, which this step looks at")
        return self.tagger

    def _predicted(self) -> Tags:
        """Return the tags that each fold has from taggers that learned from the others."""
        if self.jackknifed is None:
            from sapwood.learning.events import Preparing, ignore

            found: Tags = [[] for _ in self.forms]
            folds = folds_in_turn(len(self.forms), min(_FOLDS, len(self.forms)))
            for fold, (others, inside) in enumerate(splits(folds)):
                self.report(Preparing("tagging the training data in folds", fold, _FOLDS))
                taggers = self._taggers(self.forms.select(others), self.gold.select(others), ignore, epochs=5)
                for s, tags in zip(inside, _tagged(self.forms.select(inside), *taggers), strict=True):
                    found[s] = tags
            self.jackknifed = found
        return self.jackknifed

    def _taggers(
        self, forms: Sequence[list[str]], gold: Sequence[Sequence[tuple[str, str]]], report: Callback, epochs: int = 8
    ) -> tuple[SequenceTagger, SequenceTagger | None]:
        """Return a tagger of UPOS and XPOS, and one of FEATS."""
        tagger = SequenceTagger(template="tags", search="greedy", history="own", epochs=epochs, **self._clusters())
        tagger.set_params(columns=["form", "label"])
        self._fit("tagger", tagger, report, _rows(forms), [[pair for pair, _ in sentence] for sentence in gold])
        if all(feats == "_" for sentence in gold for _, feats in sentence):
            return tagger, None
        morphology = SequenceTagger(template="morphology", search="greedy", dictionary="upos+xpos", epochs=epochs)
        morphology.set_params(columns=["form", "upos", "xpos", "label"])
        rows = _rows(forms, [[pair.split(" ") for pair, _ in sentence] for sentence in gold])
        self._fit("morphology", morphology, report, rows, [[feats for _, feats in sentence] for sentence in gold])
        return tagger, morphology

    def _fitted(self, name: str, part: Learner, *data: Any) -> Learner:
        self._fit(name, part, self.report, *data)
        return part

    def _fit(self, name: str, part: Learner, report: Callback, *data: Any) -> None:
        part.set_params(seed=self.pipeline.seed, threads=self.pipeline.threads, **self.options.get(name, {}))
        fit_part(part, *data, what=f"training the {name}", report=report)

    def _clusters(self) -> dict[str, Any]:
        return {} if self.clusters is None else {"clusters": self.clusters}


def _rows(forms: Iterable[Sequence[str]], tags: Iterable[Sequence[Sequence[str]]] | None = None) -> Rows:
    """Return the rows of a tagger: the form of each word and, if they are given, its tags."""
    if tags is None:
        return [[(form,) for form in sentence] for sentence in forms]
    pairs = zip(forms, tags, strict=True)
    return [[(form, *of_word) for form, of_word in zip(*sentence, strict=True)] for sentence in pairs]


def _tagged(forms: Sequence[list[str]], tagger: SequenceTagger, morphology: SequenceTagger | None) -> Tags:
    """Return the tags of words: UPOS, XPOS and FEATS."""
    tags: Tags = [[tuple(label.split(" ")) for label in sentence] for sentence in tagger.predict(_rows(forms))]
    if morphology is None:
        return [[(*of_word, "_") for of_word in sentence] for sentence in tags]
    return [
        [(*of_word, feats) for of_word, feats in zip(*sentence, strict=True)]
        for sentence in zip(tags, morphology.predict(_rows(forms, tags)), strict=True)
    ]
