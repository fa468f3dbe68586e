"""The training of a pipeline's models, one after another, from a treebank."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

import sapwood._core as _core
from sapwood.errors import DataError, OptionError, warn
from sapwood.events import Preparing, ignore
from sapwood.io.conllu import has_values, trees_in, warn_of_old_relations, with_trees
from sapwood.io.entities import Entities, not_names, read_entities
from sapwood.io.lexicons import entries_of
from sapwood.model.base import AnyModel
from sapwood.model.familiarity import familiar_in
from sapwood.model.file.records import Familiar
from sapwood.options import Values
from sapwood.parts import PART_NAMED, PARTS, STAGES, TAGGED, TAGS, Part
from sapwood.tasks.parsing.model import DependencyParser
from sapwood.tasks.pipeline.data import (
    MORPHOLOGY,
    NO_FEATS,
    TAGGER,
    Rows,
    Tags,
    filled_columns,
    fills_tags,
    has_many_xpos,
    tag_columns,
    tag_examples,
    tag_rows,
    tagged,
    with_feats,
    with_labels,
    with_tags,
    without_rare_columns,
)
from sapwood.tasks.pipeline.options import PipelineOptions, checked_model_options
from sapwood.tasks.pipeline.silver import SilverTreebank
from sapwood.tasks.pipeline.spans import clusters_of, label_tagger
from sapwood.tasks.rewriting.model import Lemmatizer, Splitter
from sapwood.tasks.segmenting.model import NO_SPACES, Segmenter
from sapwood.tasks.tagging.data import read_columns
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.tasks.tagging.row_tagger import tag_lexicon
from sapwood.training.cross_validation import folds_in_turn, splits
from sapwood.training.learner import Learner, fit_part
from sapwood.training.odd_data import warn_of_alike
from sapwood.training.run import Run

AnyLearner = Learner[Any]

_FOLDS = 5
_GOLD_TIMES = 3  # for the tagger: wrong tags cost the parser more than it gains by silver data
_NOT_OF_FOLDS = ("epochs", "runs", "max_bytes", "small", "patience")
_OWN_DATA = ("segmenter", "splitter", "tagger", "lemmatizer")  # models that may learn from a treebank of their own


def train_models(
    pipeline: PipelineOptions,
    data: _core.Conllu,
    held_out: _core.Conllu | None,
    options: Mapping[str, Values] | None,
    own: Mapping[str, _core.Conllu] | None,
    run: Run,
    base: Mapping[str, AnyModel],
    parts: Sequence[str],
) -> tuple[dict[str, AnyModel], dict[str, str], Familiar | None, dict[str, object]]:
    """Return the fitted models by name, for each part that could not be taught the reason, and facts for the file.

    The facts are the frequent words, and counts and checksum of silver data, if there are any.

    options : of models, by name, where they differ from the defaults
    own : treebanks that single models learn from, by name
    base : models of another pipeline, which stay as they are, and whose names' lists and word clusters are used
    parts : those of the analysis that are wanted; empty: all that can be taught

    Warns of these parts. Raises DataError if the treebank cannot teach a part that the pipeline was asked for, and
    OptionError for data of models that have no own: morphology, parser, names.
    """
    options, own = checked_model_options(options), own or {}
    if not own.keys() <= set(_OWN_DATA):
        raise OptionError(f"model_data are of {', '.join(_OWN_DATA)}; got {', '.join(own)}")
    kept, held_out, own, left_out = without_rare_columns(data, held_out, own)
    work = _Work(pipeline, data, kept, held_out, options, own, run, base)
    work.skipped |= left_out
    for column in filter(TAGS.__contains__, left_out):
        warn(f"without {column.upper()}: {left_out[column]}")
    learn: dict[str, Callable[[], None]] = {
        "segment": work.segment,
        "tag": work.tag,
        "lemmatize": work.lemmatize,
        "parse": work.parse,
        **{part.stage: partial(work.label, part) for part in PARTS if part.is_plain},
    }
    for part in parts or learn:
        if STAGES[part][0] in work.models:
            continue
        try:
            learn[part]()
        except _CannotTeach as why:
            if parts:
                raise DataError(f"{data.name}: {why}") from None
            work.skipped[part] = str(why)
    if not work.models:
        reasons = "; ".join(dict.fromkeys(work.skipped.values()))
        raise DataError(f"{data.name}: it teaches no part of the analysis; {reasons}")
    for part in filter(work.skipped.__contains__, learn):
        warn(f"without {part}: {work.skipped[part]}")
    for part, model in work.models.items():
        if PART_NAMED[part].decision:
            warn_of_alike(model.labels_)
    return work.models, work.skipped, work.familiar(), work.silver.facts()


class _CannotTeach(Exception):
    """The reason for which a treebank cannot teach a part of the analysis."""


class _Work:
    """The models so far, and the tags that new text would have.

    given : the data with all columns, and the places of their words
    """

    def __init__(
        self,
        pipeline: PipelineOptions,
        given: _core.Conllu,
        data: _core.Conllu,
        held_out: _core.Conllu | None,
        options: Mapping[str, Values],
        own: Mapping[str, _core.Conllu],
        run: Run,
        base: Mapping[str, AnyModel],
    ) -> None:
        self.pipeline, self.options, self.own, self.run, self.base = pipeline, options, own, run, base
        self.given, self.data, self.held_out = given, data, held_out
        self.forms = data.column("form")
        # Columns of tags that the tagger learns.
        self.tagger_learns = 1 if "tagger" not in own and has_many_xpos(data) else 2
        self.models = {part: model for part, model in base.items() if PART_NAMED[part].stage != "entities"}
        self.skipped: dict[str, str] = {}
        self.tagger: SequenceTagger | None = base.get("tagger")  # type: ignore[assignment]
        self.morphology: SequenceTagger | None = base.get("morphology")  # type: ignore[assignment]
        # Files are read before training, so that what is wrong with them is said at once.
        self.clusters = clusters_of(pipeline, base)
        self.lexicon = entries_of(pipeline.lexicon)
        self.tag_lexicon = tag_lexicon(self.lexicon, chain.from_iterable(self.forms)) if self.lexicon else None
        self.silver = SilverTreebank(pipeline.silver, data, held_out, options)
        files = list(map(Path, pipeline.names))
        plain = [(part, column) for part in PARTS for column in part.columns if column.item]
        self.labelled = {p.name: read_entities(data, files if c.has_chunks else [], c) for p, c in plain}
        self.held_out_labels = {p.name: None if held_out is None else read_entities(held_out, [], c) for p, c in plain}

    def segment(self) -> None:
        """Learn where tokens begin, and which of them are several words."""
        source = self.own.get("segmenter", self.data)
        if told := source.text(apart=True).told:
            self.models["segmenter"] = self._fitted("segmenter", Segmenter(), source, dev=self.held_out)
        if self.data.multiwords:
            split = self.own.get("splitter", self.data)
            self.models["splitter"] = self._fitted("splitter", Splitter(), split, dev=self.held_out)
        if not told:
            raise _CannotTeach(f"{NO_SPACES}, so no segmenter is learned; give text in tokens (--input tokens)")

    def tag(self) -> None:
        """Learn UPOS and XPOS, and FEATS given these; where there are many XPOS these are learned with FEATS."""
        if not has_values(self.data, TAGGED):
            raise _CannotTeach("no word has a tag, so no tagger is learned")
        learned_from = self.own.get("tagger", self.data)
        # The tagger's own data may have made sentences, several times; what words can be, the treebank says.
        self.silver.choose("tagger", TAGS[: self.tagger_learns], learned_from, agreeing=self.data)
        self.silver.choose("morphology", TAGS[self.tagger_learns :], self.data, reads=TAGS[: self.tagger_learns])
        self.tagger, self.morphology = self._taggers(self.data, range(len(self.silver)), self.held_out)
        self.models["tagger"] = self.tagger
        if self.morphology is not None:
            self.models["morphology"] = self.morphology
        else:
            self.skipped.setdefault("feats", NO_FEATS)

    def lemmatize(self) -> None:
        self._need_tags()
        if not has_values(self.data, ("lemma",)):
            why = self.skipped.pop("lemma", "no word has a lemma")
            raise _CannotTeach(f"{why}, so no lemmatizer is learned")
        lemmatizer = Lemmatizer(lexicon=self.lexicon, **self.clusters)
        held_out = self._scored_by("lemmatizer", "lemma", *filled_columns(self.data, ("xpos",)))
        self.silver.choose("lemmatizer", ("lemma",), self.data, reads=TAGGED, closed=False)
        learned_from = self.silver.with_lemmas(self.own.get("lemmatizer", self.data))
        self.models["lemmatizer"] = self._fitted("lemmatizer", lemmatizer, learned_from, dev=held_out)

    def parse(self) -> None:
        """Learn trees, given tags as new text has them."""
        self._need_tags()
        skip = self.pipeline.skip_bad
        has_one_root = skip and self.options.get("parser", {}).get("single_root", True)
        try:
            chosen = trees_in(self.given, single_root=has_one_root, skip_bad=skip)
        except DataError as error:
            raise _CannotTeach(f"sentences have no trees, so no parser is learned ({error})") from None
        gold = self.given.select(chosen)
        warn_of_old_relations(gold)
        several, held_out = sum(heads.count(0) > 1 for heads, _ in gold.trees(False)), None
        data = with_tags(self.data, self.predicted[0]).select(chosen)
        if self.held_out is not None:
            scored = with_trees(self.held_out, single_root=False, skip_bad=skip)
            held_out = with_tags(scored, self._tagged(scored.column("form")))
        given = self.options.get("parser", {})
        parser = DependencyParser(fill_tags="tag_columns" not in given and fills_tags(self.data, data), **self.clusters)
        parser.set_params(**self._options_of("parser", of_fold=True))
        if several and "single_root" not in given:
            share = f"{several:,} of {data.sentences:,} sentences have several roots"
            warn(f"{data.name}: {share}; the parser learns to give several (--skip-bad leaves such out)")
            parser.set_params(single_root=False)
        self.silver.choose_trees(gold, single_root=parser.params.single_root)
        parser.set_params(**self.pipeline.of_parser(data.words, taught=len(self.silver) > 0, given=given))
        parser.set_params(silver=self.silver.trees(self.predicted[1]))
        self.models["parser"] = self._fitted("parser", parser, data, dev=held_out)

    def label(self, part: Part) -> None:
        """Learn the values of a column in MISC, given tags as new text has them; without tags by words alone."""
        [column] = part.columns
        labelled = self.labelled[part.name] or Entities([None] * len(self.forms), [])
        rows: Rows = []
        labels: list[list[str]] = []
        for forms, tags, values in zip(self.forms, self.predicted[0], labelled.of_treebank, strict=True):
            if values is not None:
                rows += tag_rows([forms], [tags])
                labels.append(values)
        if labelled.others:
            others = [[form for form, _ in sentence] for sentence in labelled.others]
            rows += tag_rows(others, self._tagged(others))
            known = {*chain.from_iterable(labels)} or {label for sentence in labelled.others for _, label in sentence}
            labels += [[label if label in known else "O" for _, label in sentence] for sentence in labelled.others]
        tagger = label_tagger(part, self.base, self.clusters, has_tags=self.tagger is not None)
        taught: tuple[object, ...] = rows, labels
        silver = self.silver.labelled(part, labels, self.predicted[1])
        if labels:
            tagger.set_params(silver=silver)
        elif silver:
            taught = (silver,)  # gold has none of these labels, so silver is all that there is
        else:
            what = f"{column.compared} ({column.item}= in MISC), and no other data have been given"
            raise _CannotTeach(f"it has no {what}{not_names(self.data)}")
        dev = self._held_out_labels(part.name, column.nothing)
        self.models[part.name] = self._fitted(part.name, tagger, *taught, dev=dev)

    def familiar(self) -> Familiar | None:
        sentences = [*self.data.column("form"), *self.silver.learned.column("form")]
        for labelled in filter(None, self.labelled.values()):
            sentences += [[form for form, _ in sentence] for sentence in labelled.others]
        words = read_columns([[(form,) for form in sentence] for sentence in sentences], None, "words", 0)
        return familiar_in([words], {"form": 0})

    def _held_out_labels(self, part: str, nothing: str) -> Rows | None:
        labelled = self.held_out_labels[part]
        if self.held_out is None or labelled is None:
            return None
        forms = self.held_out.column("form")
        labels = [labels or [nothing] * len(s) for labels, s in zip(labelled.of_treebank, forms, strict=True)]
        return with_labels(tag_rows(forms, self._tagged(forms)), labels)

    def _need_tags(self) -> None:
        if self.tagger is None:
            raise _CannotTeach("it has no tags, by which this part goes")

    def _tagged(self, forms: Sequence[list[str]]) -> Tags:
        if self.tagger is None:
            return [[("_",) * len(TAGS)] * len(sentence) for sentence in forms]
        return tagged(forms, self.tagger, self.morphology)

    @cached_property
    def predicted(self) -> tuple[Tags, Tags]:
        """The tags of each fold of the data, gold and silver, by taggers that were trained on the remaining folds.

        A single gold sentence has no folds; it has the tags that the tagger gives it, and so have silver ones. A tagger
        of another pipeline has not learned from the data.
        """
        of_silver, gold = self.silver.data.column("form"), len(self.forms)
        if gold == 1 or self.tagger is None or self.tagger is self.base.get("tagger"):
            return self._tagged(self.forms), self._tagged(of_silver)
        forms = [*self.forms, *of_silver]
        found: Tags = [[] for _ in forms]
        folds = folds_in_turn(len(found), min(_FOLDS, gold))
        for fold, (others, inside) in enumerate(splits(folds)):
            self.run.report(Preparing("tagging the training data in folds", fold, _FOLDS))
            data = self.data.select([s for s in others if s < gold])
            taggers = self._taggers(data, [s - gold for s in others if s >= gold], None, of_fold=True)
            for s, tags in zip(inside, tagged([forms[s] for s in inside], *taggers), strict=True):
                found[s] = tags
        return found[:gold], found[gold:]

    def _taggers(
        self, data: _core.Conllu, silver: Sequence[int], held_out: _core.Conllu | None, *, of_fold: bool = False
    ) -> tuple[SequenceTagger, SequenceTagger | None]:
        """Return the tagger, and the morphology if it has tags; those of a fold are trained faster, and not shrunk.

        silver : numbers of the silver sentences that they may learn from beside the data
        """
        epochs = 5 if of_fold else 8
        tagger = SequenceTagger(template="tags", search="greedy", history="own", epochs=epochs, **self.clusters)
        tagger.set_params(columns=["form", "label"], lexicon=self.tag_lexicon)
        if held_out is not None:
            held_out = self._scored_by("tagger", *filled_columns(data, TAGS[: self.tagger_learns]))
        dev = None if held_out is None else with_labels(*tag_examples(TAGGER, held_out, self.tagger_learns))
        learned_from = tag_examples(TAGGER, data if of_fold else self.own.get("tagger", data), self.tagger_learns)
        if len(taught := self.silver.tags(TAGGER, self.tagger_learns, silver)):
            tagger.set_params(silver=taught, gold_times=_GOLD_TIMES)
        self._fitted("tagger", tagger, *learned_from, dev=dev, of_fold=of_fold)
        if not has_values(data, TAGS[self.tagger_learns :]):
            return tagger, None
        (_, *tags), learns = tag_columns(MORPHOLOGY, self.tagger_learns)
        template = "morphology" if len(learns) == 1 else "xpos-morphology"
        morphology = SequenceTagger(template=template, search="greedy", dictionary="+".join(tags), epochs=epochs)
        morphology.set_params(columns=["form", *tags, "label"])
        morphology.set_params(silver=self.silver.tags(MORPHOLOGY, self.tagger_learns, silver))
        scored = None if held_out is None else self._scored_by("morphology", *learns)
        dev = None if scored is None else with_labels(*tag_examples(MORPHOLOGY, with_feats(scored), self.tagger_learns))
        learned_from = tag_examples(MORPHOLOGY, with_feats(data), self.tagger_learns)
        self._fitted("morphology", morphology, *learned_from, dev=dev, of_fold=of_fold)
        return tagger, morphology

    def _scored_by(self, model: str, *columns: str) -> _core.Conllu | None:
        """Return the held-out data if they have these columns, by which a model is scored; else warn, return None."""
        if self.held_out is None or filled_columns(self.held_out, columns) == columns:
            return self.held_out
        lacking = " and ".join(name.upper() for name in columns if not has_values(self.held_out, (name,)))
        warn(f"{self.held_out.name}: no word has {lacking}; of the epochs of the {model} the last one is kept")
        return None

    def _fitted(self, name: str, model: AnyLearner, *data: object, dev: object, of_fold: bool = False) -> AnyLearner:
        goal = (options := self._options_of(name, of_fold=of_fold)).pop("small", None)
        model.set_params(**options)
        run = replace(self.run, report=ignore) if of_fold else self.run
        fit_part(model, *data, dev=dev, what=f"training the {name}", run=run, goal=goal)
        return model

    def _options_of(self, name: str, *, of_fold: bool) -> dict[str, Any]:
        """Return the options of a model by user and size of the data; of_fold: without what makes it slow or small."""
        given, taught = self.options.get(name, {}), len(self.silver) > 0
        options = self.pipeline.of_model(name, self.data.words, taught=taught, given=given)
        return {key: value for key, value in options.items() if not of_fold or key not in _NOT_OF_FOLDS}
