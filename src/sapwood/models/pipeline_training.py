"""How the parts of a pipeline are trained, one after another, from a treebank."""

from __future__ import annotations

from pathlib import Path

from sapwood import _core
from sapwood.errors import DataError
from sapwood.learning.cross_validation import Items, folds_in_turn, splits
from sapwood.models.lemmatizer import Lemmatizer
from sapwood.models.parser import DependencyParser
from sapwood.models.segmenter import Segmenter
from sapwood.models.splitter import Splitter
from sapwood.models.tagger import SequenceTagger

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Protocol

    from sapwood.learning.events import Callback, Event
    from sapwood.models.base import Learner, Model

    class Wishes(Protocol):
        """The options of a pipeline that training looks at."""

        steps: Sequence[str]
        clusters: str | os.PathLike[str] | None
        clusters_limit: int | None
        lexicon: str | os.PathLike[str] | None
        entity_data: Sequence[str]
        beam: int
        seed: int
        threads: int

    Tags = list[list[tuple[str, ...]]]  # by sentence and word: UPOS, XPOS, FEATS

_FOLDS = 5
_SMALL = 100_000  # words
_TAGS = ("upos", "xpos", "feats")


def train_parts(
    pipeline: Wishes, data: _core.Conllu, part_options: Mapping[str, Mapping[str, Any]], report: Callback
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
        self, pipeline: Wishes, data: _core.Conllu, options: Mapping[str, Mapping[str, Any]], report: Callback
    ) -> None:
        self.pipeline = pipeline
        self.options = options
        self.data = data
        self.report = report
        self.parts: dict[str, Model] = {}
        self.skipped: dict[str, str] = {}
        self.forms = Items(data.column("form"))
        self.gold = Items([list(zip(*tags, strict=True)) for tags in zip(*map(data.column, _TAGS), strict=True)])
        self.tagger: SequenceTagger
        self.morphology: SequenceTagger | None = None
        self.jackknifed: Tags | None = None
        self.clusters: Any = None
        if pipeline.clusters is not None:
            from sapwood.io.clusters import read_clusters

            self.clusters = read_clusters(pipeline.clusters, pipeline.clusters_limit)
        if pipeline.lexicon is not None:  # so that an error comes before the training, not in its midst
            from sapwood.io.lemma_lexicon import read_lemma_lexicon

            read_lemma_lexicon(pipeline.lexicon)

    def segment(self) -> None:
        """Learn where tokens begin, and which of them are several words."""
        if self.data.text().marked == 0:
            raise _CannotTeach("it does not tell where there are no spaces (SpaceAfter=No), so no segmenter is learned")
        self.parts["segmenter"] = self._fitted("segmenter", Segmenter(), self.data)
        if self.data.multiwords:
            self.parts["splitter"] = self._fitted("splitter", Splitter(), self.data)

    def tag(self) -> None:
        """Learn UPOS and XPOS, and FEATS given these."""
        if not self._has("upos") and not self._has("xpos"):
            raise _CannotTeach("no word has a tag, so no tagger is learned")
        self.tagger, self.morphology = self._taggers(self.forms, self.gold, self.report)
        self.parts["tagger"] = self.tagger
        if self.morphology is not None:
            self.parts["morphology"] = self.morphology
        else:
            self.skipped["feats"] = "no word has morphological features"

    def lemmatize(self) -> None:
        """Learn lemmas, given the tags of the treebank."""
        if not self._has("lemma"):
            raise _CannotTeach("no word has a lemma, so no lemmatizer is learned")
        self.parts["lemmatizer"] = self._fitted("lemmatizer", Lemmatizer(lexicon=self.pipeline.lexicon), self.data)

    def parse(self) -> None:
        """Learn trees, given tags as new text has them."""
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
        from sapwood.io.entities import read_entities

        labelled = read_entities(self.data, list(map(Path, self.pipeline.entity_data)))
        if labelled is None:
            raise _CannotTeach("it has no names (NER= in MISC), and no other data have been given")
        rows: list[list[tuple[str, ...]]] = []
        labels: list[list[str]] = []
        if labelled.of_treebank:
            for forms, tags, entities in zip(self.forms, self._predicted(), labelled.of_treebank, strict=True):
                if entities is not None:
                    rows.append([(form, *tag) for form, tag in zip(forms, tags, strict=True)])
                    labels.append(entities)
        if labelled.others:
            others = [[form for form, _ in sentence] for sentence in labelled.others]
            tagged = _tagged(others, self.tagger, self.morphology)
            rows += [[(f, *t) for f, t in zip(s, ts, strict=True)] for s, ts in zip(others, tagged, strict=True)]
            known = {label for sentence in labels for label in sentence}
            labels += [
                [label if label in known or not known else "O" for _, label in sentence] for sentence in labelled.others
            ]
        tagger = SequenceTagger(
            template="entities", encoding="iobes", columns=["form", *_TAGS, "label"], **self._clusters()
        )
        self.parts["entities"] = self._fitted("entities", tagger, rows, labels)

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
        self, forms: Sequence[list[str]], gold: Sequence[Sequence[tuple[str, ...]]], report: Callback, epochs: int = 8
    ) -> tuple[SequenceTagger, SequenceTagger | None]:
        """Return a tagger of UPOS and XPOS, and one of FEATS."""
        tagger = SequenceTagger(template="tags", search="greedy", history="own", epochs=epochs, **self._clusters())
        tagger.set_params(columns=["form", "label"])
        self._set("tagger", tagger)
        pairs = [[f"{upos} {xpos}" for upos, xpos, _ in sentence] for sentence in gold]
        _fit(tagger, report, "tagger", [[(form,) for form in s] for s in forms], pairs)
        if all(feats == "_" for sentence in gold for _, _, feats in sentence):
            return tagger, None
        morphology = SequenceTagger(template="morphology", search="greedy", dictionary="upos+xpos", epochs=epochs)
        morphology.set_params(columns=["form", "upos", "xpos", "label"])
        self._set("morphology", morphology)
        rows = [[(f, u, x) for f, (u, x, _) in zip(s, tags, strict=True)] for s, tags in zip(forms, gold, strict=True)]
        _fit(morphology, report, "morphology", rows, [[feats for _, _, feats in sentence] for sentence in gold])
        return tagger, morphology

    def _fitted(self, name: str, part: Learner, *data: Any) -> Learner:
        self._set(name, part)
        _fit(part, self.report, name, *data)
        return part

    def _set(self, name: str, part: Learner) -> None:
        part.set_params(seed=self.pipeline.seed, threads=self.pipeline.threads, **self.options.get(name, {}))

    def _clusters(self) -> dict[str, Any]:
        return {} if self.clusters is None else {"clusters": self.clusters}

    def _has(self, column: str) -> bool:
        return any(value != "_" for sentence in self.data.column(column) for value in sentence)


def _fit(part: Learner, report: Callback, noun: str, *data: Any) -> None:
    """Train a part, and report how far it is. Ctrl-C ends everything: half a pipeline is none."""
    from sapwood.learning.events import EpochDone, Preparing

    def progress(event: Event) -> None:
        if isinstance(event, EpochDone):
            report(Preparing(f"training the {noun}", 0, 1, event.epoch / event.epochs))

    report(Preparing(f"training the {noun}", 0, 1))
    fit: Callable[..., Any] = part.fit
    fit(*data, on_event=progress)
    if part.model_.provenance["stopped_by"] == "interrupted":
        raise KeyboardInterrupt


def _tagged(forms: Sequence[list[str]], tagger: SequenceTagger, morphology: SequenceTagger | None) -> Tags:
    """Return the tags of words: UPOS, XPOS and FEATS."""
    pairs = [[tuple(tag.split(" ")) for tag in s] for s in tagger.predict([[(form,) for form in s] for s in forms])]
    if morphology is None:
        return [[(*tag, "_") for tag in sentence] for sentence in pairs]
    rows = [[(f, *tag) for f, tag in zip(s, tags, strict=True)] for s, tags in zip(forms, pairs, strict=True)]
    feats = morphology.predict(rows)
    return [[(*tag, f) for tag, f in zip(s, fs, strict=True)] for s, fs in zip(pairs, feats, strict=True)]
