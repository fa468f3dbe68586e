"""Raw text to sentences, words, tags, lemmas, trees and names: a model whose parts are models.

Each part is trained by itself and may be replaced. What a part learns from, the parts before it have predicted: the
parser and the names see tags of five folds, each tagged by a tagger that has learned from the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, Unpack, overload

import sapwood._core as _core
from sapwood.documents.doc import Doc
from sapwood.errors import ModelError
from sapwood.io.conllu import Files, checked_text, has_values, read_conllu, read_treebank, with_trees, with_words
from sapwood.io.entities import with_names
from sapwood.io.memory import check_list, of_arrow
from sapwood.io.source import shown
from sapwood.io.spans import are_spans, read_spans
from sapwood.model.abstention import Abstain
from sapwood.model.answers import Answers
from sapwood.model.base import AnyModel, Model
from sapwood.model.facts import read_card
from sapwood.model.familiarity import Monitor
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, Observed
from sapwood.options import Values
from sapwood.parts import PARTS
from sapwood.tasks.parsing.model import DependencyParser
from sapwood.tasks.pipeline.answers import PipelineRecords
from sapwood.tasks.pipeline.confidence import PipelineConfidence, calibrate_parts, deciding_parts
from sapwood.tasks.pipeline.data import NO_FEATS, Given, reads_and_fills
from sapwood.tasks.pipeline.options import PipelineOptions, of_parts, stages_in
from sapwood.tasks.pipeline.output import docs_of_each, filled
from sapwood.tasks.pipeline.reasons import PipelineReasons, answers_by_part, warn_of_tagsets
from sapwood.tasks.pipeline.writer import DocumentWriter
from sapwood.tasks.rewriting.model import Lemmatizer, Splitter
from sapwood.tasks.segmenting.model import Segmenter
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.training.options import FitKeywords

if TYPE_CHECKING:
    from sapwood.metrics.chunks import SpanReport
    from sapwood.metrics.conll2018 import Conll2018Report
    from sapwood.tasks.pipeline.recipe import PipelineRecipe
    from sapwood.training.run import Run
    from sapwood.training.suspects import Suspect


Treebank = Files | _core.Conllu | Doc

_MODELS: dict[str, type[AnyModel]] = {  # classes of the parts, by task
    model.task: model for model in (Segmenter, Splitter, SequenceTagger, Lemmatizer, DependencyParser)
}


class Pipeline(Model[PipelineOptions]):
    """Analyses raw text: sentences, tokens and words, tags, lemmas, trees, names.

    >>> Pipeline(parts=["segment", "tag"])
    Pipeline(parts=['segment', 'tag'])
    """

    _params_type = PipelineOptions
    task = "pipeline"
    _noun = "pipeline"
    _records_type = PipelineRecords
    _card = ""  # the card of the model that this one is to replace as a smaller one

    def fit(
        self,
        treebank: Treebank,
        /,
        *,
        model_options: Mapping[str, Values] | None = None,
        model_data: Mapping[str, _core.Conllu] | None = None,
        **how: Unpack[FitKeywords],
    ) -> Self:
        """Train all models on a treebank: a pathlib.Path of CoNLL-U, a list of them, or what `Doc.from_conllu` read.

        Files of texts with spans (see sapwood.io.spans) teach names, on the tokens and tags of the pipeline `base`.

        model_options : options that differ from a model's defaults, {"parser": {"min_updates": 20}} for example;
        "small" among them says how small a model shall be, as a sapwood.model.small.Goal
        model_data : what the segmenter or the tagger (UPOS, XPOS) learns from in place of the treebank, by name

        `Learner.fit` describes the other keywords; `dev` is a treebank. A pipeline trains in this process, from the
        beginning. Parts that the treebank cannot teach are left out with a warning; `skipped_` says why. Raises
        SapwoodError.
        """
        from sapwood.tasks.pipeline.recipe import file_of
        from sapwood.tasks.pipeline.spans import span_training_data
        from sapwood.tasks.pipeline.training import train_models
        from sapwood.training.checkpoints import fingerprint
        from sapwood.training.cross_validation import hold_out
        from sapwood.training.odd_data import warn_of_odd_treebank
        from sapwood.training.run import Run

        run, dev, dev_fraction = Run.of(self, how), how.get("dev"), how.get("dev_fraction")
        card = self._card if self.params.card is None else read_card(self.params.card)
        data, base = span_training_data(treebank, self.params, type(self))
        held_out = None if dev is None else with_words(base.treebank(dev))
        if run.saver is not None:
            known: Values = {"options of its models": model_options or {}}
            if model_data:
                known["data of its models"] = {name: f"{each.checksum:016x}" for name, each in model_data.items()}
            run.saver.begin(fingerprint(self.task, self.get_params(), data, held_out, dev_fraction, **known))
        if dev_fraction is not None:
            data, held_out = hold_out(data, dev_fraction, "sentences")
        warn_of_odd_treebank(data, held_out, own_file=dev is not None)
        models, self.skipped_, familiar, silver = train_models(
            self.params, data, held_out, model_options, model_data, run, base.models, base.parts
        )
        options = base.kept(self.params.kept() | self.params.of_training())
        self._install(file_of(models, options, data, familiar, silver, card))
        for name, model in models.items():
            self.models_[name]._small = model._small
        return self

    @property
    def recipe(self) -> PipelineRecipe:
        """The training of the fitted models, which can be done again."""
        from sapwood.tasks.pipeline.recipe import PipelineRecipe

        self.check_fitted()
        return PipelineRecipe(self._untrained, self.models_, self.model_)

    def _suspects(self, run: Run, folds: int, spans: Files, labels: None = None) -> list[Suspect]:
        from sapwood.tasks.pipeline.spans import span_suspects

        return span_suspects(spans, self.params, type(self), folds, run)

    def _untrained(self) -> Self:
        model = type(self)(**self.get_params() | {"clusters": self.model_.clusters})
        model._card = self.model_.card
        return model

    def __call__(self, text: Given, *, confidence: bool = False) -> Doc:
        """Analyse a text, with confidences if they are wanted; ModelError if the pipeline is not calibrated for them.

        A list of words is a sentence of these words, a list of such lists several. Raises DataError for text that is
        not Unicode or has a NUL character, and for a word with a blank in it.
        """
        return next(self.pipe([text], confidence=confidence))

    def pipe(self, texts: Iterable[Given], threads: int | None = None, *, confidence: bool = False) -> Iterator[Doc]:
        """Yield the analysis of each text or list of words, in their order; threads read as many texts at a time."""
        self.check_fitted()
        check_list(texts, "texts")
        monitor = Monitor(self.familiarity_, "text")
        docs = docs_of_each(self.pipeline_, of_arrow(texts), threads or self.threads, monitor.warn)
        docs = monitor.parts(docs, each=True)
        yield from map(Doc, self.writer.with_confidences(docs, confidence))

    def annotate(self, chunks: Iterable[bytes], *, name: str = "input", prompt: bool = False) -> Iterator[_core.Doc]:
        """Yield the documents of a text that comes in chunks of bytes, as soon as they are certain.

        Memory is bounded, whatever the text: a paragraph that does not end is cut between sentences. Results do not
        depend on the chunks. A paragraph is certain with the beginning of the next or, if `prompt`, with an empty
        line; then more empty lines at the end of the input are not kept. Raises DataError with the place of a byte.
        """
        return self.writer.documents(chunks, name=name, prompt=prompt)

    @property
    def writer(self) -> DocumentWriter:
        self.check_fitted()
        return DocumentWriter(
            self.pipeline_, self.parts, self._confidence, self.familiarity_, self.threads, self._with_answers
        )

    def calibrate(self, treebank: Treebank, *, names: Sequence[str] = (), **abstain: Unpack[Abstain]) -> Self:
        """Fit confidences of tags, features, arcs and names on a treebank that training did not see, and keep them.

        names : files of names for the treebank's sentences, as in training; without, NER= in its MISC
        abstain : of names, as `SequenceTagger.calibrate` takes them; documents then have names that are not sure enough
        in `abstained`, and not in `entities`

        Parts for which the treebank has no gold answers stay as they are. `calibration_errors_` says how far the
        confidences of the others are from the truth, by cross-validation in five folds. Raises DataError.
        """
        self.check_fitted()
        gold = self._gold(treebank)
        self.familiarity_.warn_if_seen(gold, gold.name)
        answers = self._filled(gold)
        models = self.models_
        self.calibration_errors_: dict[str, float] = calibrate_parts(self.models_, gold, answers, names, abstain)
        self._install(self.model_.replaced(parts={name: model.model_ for name, model in self.models_.items()}))
        errors = (f"{part} {100 * error:.2f} %" for part, error in self.calibration_errors_.items())
        abstentions = (m.confidence.report.partition("\n")[2] for m in models.values() if m.task == "tag")
        self._confidence.report = "\n".join([f"calibration error {', '.join(errors)}", *filter(None, abstentions)])
        return self

    def _gold(self, source: Treebank) -> _core.Conllu:
        """Return a treebank, or files of spans, cut by this pipeline. Raises DataError."""
        if not are_spans(source):
            return read_treebank(source)
        from sapwood.tasks.pipeline.spans import treebank_of_spans

        return treebank_of_spans(read_spans(source), self.core_of(["segment"]), self.threads).treebank

    @property
    def reasons(self) -> PipelineReasons:
        self.check_fitted()
        return PipelineReasons(self._confidence.parts, self.pipeline_, self._filled, self.threads, self.familiarity_)

    def fill(self, data: bytes, name: str = "input", *, confidence: bool = False) -> bytes:
        """Return CoNLL-U with lemmas, tags, trees and names (NER= in MISC); all else stays.

        confidence : with confidences in MISC, too; raises ModelError if no part is calibrated

        Raises DataError if the data are no CoNLL-U.
        """
        self.check_fitted()
        return self._filled(read_conllu(data, name), confidence).to_bytes()

    def _filled(self, treebank: _core.Conllu, confidence: bool = False) -> _core.Conllu:
        """Return a treebank with what the pipeline finds; all else stays."""
        doc = self.pipeline_.read_words(treebank)
        self.familiarity_.check(doc, treebank.name)
        if confidence:
            self._confidence.parts.add_confidences(doc, self.threads)
        return self._with_answers(treebank, doc)

    def _with_answers(self, treebank: _core.Conllu, doc: _core.Doc) -> _core.Conllu:
        there = (part for part in PARTS if part.name in self.models_)
        columns = {name for part in there for name in reads_and_fills(part, self.models_[part.name])[1]}
        tags = self.models_["tagger"].labels_ if "tagger" in self.models_ else []
        return filled(treebank, doc, columns - ({"xpos"} if all(tag.endswith(" _") for tag in tags) else set()))

    def only(self, *parts: str) -> Self:
        """Return a pipeline of these parts. Raises OptionError for a part that this one does not have."""
        self.check_fitted()
        return self._of_file(of_parts(self.model_, parts))

    @overload
    def evaluate(
        self, source: _core.Conllu | Doc, *, tokens: bool = ..., names: Sequence[str] = ..., skip_bad: bool = ...
    ) -> Conll2018Report: ...
    @overload
    def evaluate(
        self, source: Treebank, *, tokens: bool = ..., names: Sequence[str] = ..., skip_bad: bool = ...
    ) -> Conll2018Report | SpanReport: ...
    def evaluate(
        self, source: Treebank, *, tokens: bool = False, names: Sequence[str] = (), skip_bad: bool = False
    ) -> Conll2018Report | SpanReport:
        """Analyse the raw text of a treebank, or with `tokens` its words, and compare. Raises DataError.

        Of files of spans the texts are analysed, and the offsets and labels of names compared.

        skip_bad : leave out sentences without a usable tree, with a warning that counts them
        names : files of names for the treebank's sentences, as in training; names are scored in these sentences alone
        """
        from dataclasses import replace

        from sapwood.metrics.conll2018 import conll2018_scores

        self.check_fitted()
        if are_spans(source):
            from sapwood.tasks.pipeline.spans import evaluate_spans

            return evaluate_spans(self, source)
        data, unnamed = read_treebank(source), list[int]()
        if has_values(data, ("head",)):
            data = with_trees(data, single_root=False, skip_bad=skip_bad)
        if names:
            data, unnamed = with_names(data, list(map(Path, names)))
        unseen = warn_of_tagsets(data, self.models_)
        checked_text(data)
        text = data.text(apart=True).text
        if tokens:
            docs = [self.pipeline_.read_words(data)]
        else:
            docs = self.pipeline_.read(text, data.name, threads=self.threads)
        return replace(conll2018_scores(data, _core.Conllu.of_docs(docs, "system"), unnamed=unnamed), unseen=unseen)

    def _answers(self, source: Treebank) -> list[Answers]:
        """Return the answers of the parts to a treebank's words, in their order, with the reasons.

        Raises DataError if the treebank has gold answers for none of the parts.
        """
        self.check_fitted()
        gold = self._gold(source)
        return answers_by_part(self.models_, gold, self._filled(gold))

    def _observed(self, source: Path | Iterable[Given]) -> Observed:
        """Return the findings in a text, in CoNLL-U, in the member `text` of JSON, or in texts in memory."""
        from sapwood.tasks.pipeline.answers import documents_in, observed_tags

        writer = self.writer
        docs = documents_in(self.pipeline_, writer, source, self.threads)
        return observed_tags(writer.with_confidences(docs, self._confidence.calibrated), self.familiarity_)

    @property
    def contents(self) -> Contents:
        """The parts of the fitted pipeline, and a remark on what the treebank has nothing of, which is no part."""
        self.check_fitted()
        parts = {name: part.contents for name, part in self.models_.items()}
        return Contents(
            self.model_,
            learned=", ".join(self.model_.parts),
            storage="; ".join(f"{name}: {part.described_weights()}" for name, part in self.model_.parts.items()),
            arrays={f"{p}/{n}": f"{p}'s {what}" for p, part in parts.items() for n, what in part.arrays.items()},
            remarks=self._remarks(),
        )

    def _remarks(self) -> list[str]:
        found = [f"without feats: {NO_FEATS}"] if getattr(self, "skipped_", {}).get("feats") == NO_FEATS else []
        if "entities" in self.parts and "tag" not in self.parts:
            found.append("names go by words alone, without tags")
        if (base := self.model_.options.get("base")) is not None:
            found.append(f"tokens or tags are those of the pipeline {shown(base)}")
        return found

    def _install(self, model: ModelFile) -> None:
        if not model.parts:
            raise ModelError("it has no part of the analysis")
        super()._install(model)
        self.models_: dict[str, AnyModel] = {
            part.name: _MODELS[part.task]._of_file(model.parts[part.name]) for part in PARTS if part.name in model.parts
        }
        self._confidence = PipelineConfidence(deciding_parts(self.models_))
        self.parts = stages_in(model)
        self.pipeline_: _core.Pipeline = self.core_of([*self.parts, "segment"])  # a splitter without a segmenter, too

    def core_of(self, parts: Sequence[str], *, tagged: bool = False) -> _core.Pipeline:
        """Return the core's pipeline of some of the parts; `tagged`: it gets documents that have tags already."""
        self.check_fitted()
        there = [part for part in PARTS if part.stage in parts and part.name in self.models_]
        cores: dict[str, Any] = {part.name: None for part in PARTS if not part.is_plain}
        cores |= {part.name: getattr(self.models_[part.name], part.core) for part in there if not part.is_plain}
        others = tuple(
            (getattr(self.models_[part.name], part.core), column.name, column.item, column.nothing)
            for part in there
            for column in part.columns
            if column.item
        )
        return _core.Pipeline(**cores, others=others, tagged=tagged, familiarity=self.familiarity_.core)
