"""Raw text to sentences, words, tags, lemmas, trees and names: a model whose parts are models.

Each part is trained by itself and may be replaced. What a part learns from, the parts before it have predicted: the
parser and the names see tags of five folds, each tagged by a tagger that has learned from the others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Self, Unpack

from sapwood import __version__, _core
from sapwood.errors import DataError, ModelError, OptionError
from sapwood.events import ignore
from sapwood.io.conllu import read_treebank, with_items
from sapwood.io.text import encoded
from sapwood.model.answers import filled_answers
from sapwood.model.base import AnyModel, Model
from sapwood.model.doc import Doc
from sapwood.model.explanation import explain
from sapwood.model.file.schema import PARTS, ModelFile
from sapwood.model.load import model_class
from sapwood.model.reading import DocBlock, Reading, doc_blocks, lines_as_conllu
from sapwood.tasks.pipeline.confidence import add_confidences, calibrate_parts
from sapwood.tasks.pipeline.options import PART_MODELS, PipelineOptions, check_tags
from sapwood.tasks.pipeline.output import written
from sapwood.tasks.pipeline.reasons import explain_parts, explain_words
from sapwood.tasks.pipeline.training import options_again, train_models
from sapwood.tasks.segmenting.model import Segmenter
from sapwood.tasks.segmenting.places import places_of
from sapwood.training.checkpoints import Run
from sapwood.training.cross_validation import check_held_out, hold_out
from sapwood.training.saved_training import described
from sapwood.training.small.making import shrink

if TYPE_CHECKING:
    from sapwood.events import Callback
    from sapwood.metrics.conll2018 import Conll2018Report
    from sapwood.model.answers import Answers
    from sapwood.model.reading import Block, Reading
    from sapwood.model.small import Small
    from sapwood.options import Values
    from sapwood.training.checkpoints import Saving


_PIECE = 1 << 14  # bytes of a text that is analysed piece by piece
_LONG = 1 << 17  # bytes of a line that are kept for its end to come
_ORDER = [model for models in PART_MODELS.values() for model in models]


class Pipeline(Model[PipelineOptions]):
    """Analyses raw text: sentences, tokens and words, tags, lemmas, trees, names.

    >>> Pipeline(parts=["segment", "tag"])
    Pipeline(parts=['segment', 'tag'])
    """

    params_type = PipelineOptions
    task = "pipeline"
    noun = "pipeline"
    explain = explain
    shrink = shrink

    def fit(
        self,
        treebank: os.PathLike[str] | _core.Conllu,
        /,
        *,
        dev: os.PathLike[str] | _core.Conllu | None = None,
        dev_fraction: float | None = None,
        model_options: Mapping[str, Values] | None = None,
        on_event: Callback | None = None,
        **saving: Unpack[Saving],
    ) -> Self:
        """Train all models on a treebank in CoNLL-U, whose path is a pathlib.Path.

        dev : a treebank on which each epoch of each model is scored; the best epoch's weights are kept
        dev_fraction : hold out this part of the treebank instead
        model_options : options that differ from a model's defaults, {"parser": {"min_updates": 20}} for example

        Parts that the treebank cannot teach are left out; `skipped_` says why. Raises OptionError, or DataError:
        also if it cannot teach a part that was asked for.
        """
        self.params.check_options()
        check_held_out(dev, dev_fraction)
        if saving.get("from_checkpoint") is not None:
            raise OptionError("a pipeline cannot go on with other data; its models can, one by one")
        if saving.get("workers") is not None:
            raise OptionError("a pipeline trains its models in this process; leave workers out")
        run = Run.of(on_event or ignore, saving)
        data, held_out = read_treebank(treebank), None if dev is None else read_treebank(dev)
        if run.checkpoint is not None:
            options = model_options or {}
            run.checkpoint.begin(described(self, data, held_out, dev_fraction, **{"options of its models": options}))
        if dev_fraction is not None:
            data, held_out = hold_out(data, dev_fraction, "sentences")
        models, self.skipped_ = train_models(self.params, data, held_out, model_options or {}, run)
        if not models:
            raise DataError(f"{data.name}: it teaches no part of the analysis; {'; '.join(self.skipped_.values())}")
        self.install(whole(models, self.params.kept(), data))
        for name, model in models.items():
            self.models_[name].small_ = model.small_
        return self

    def smaller(
        self, bytes: int | None, loss: float | None, how: Values, drop_lines: float | None
    ) -> Callable[..., Self]:
        """Return the `fit` of an object that trains a model as this one was trained, and makes it so small."""
        self.check_fitted()
        if drop_lines is not None:
            raise OptionError("a pipeline has no template of its own; lines are left out of one model's template")
        extra = [name for model in self.model_.parts.values() for name in model.extra]
        if self.params.lexicon is None and any(name.startswith("lexicon.") for name in extra):
            raise OptionError("the pipeline was trained with a lexicon, which it does not keep; lexicon names its file")
        again = type(self)(**self.get_params() | {"clusters": self.model_.clusters})
        return partial(again.fit, model_options=options_again(self.models_, self.model_, bytes, loss, how))

    def shrunk(self) -> dict[str, Small]:
        """Return how each model was made small, by its name."""
        return {name: model.small_ for name, model in self.models_.items() if model.small_ is not None}

    def __call__(self, text: str, *, confidence: bool = False) -> Doc:
        """Analyse a text, with confidences if they are wanted.

        Raises DataError for text that is not Unicode, or with a NUL character, and ModelError for confidences of a
        pipeline that is not calibrated.
        """
        return next(self.pipe([text], confidence=confidence))

    def pipe(self, texts: Iterable[str], threads: int | None = None, *, confidence: bool = False) -> Iterator[Doc]:
        """Yield the analysis of each text, in their order, as many at a time as keep the threads busy."""
        self.check_fitted()
        threads, rest = threads or self.params.threads, iter(texts)
        while batch := list(islice(rest, 32 * threads if threads > 1 else 1)):
            for doc in self.pipeline_.read_each([encoded(text) for text in batch], threads):
                if confidence:
                    self.add_confidences(doc)
                yield Doc(doc)

    def annotate(self, chunks: Iterable[bytes], *, name: str = "input", prompt: bool = False) -> Iterator[_core.Doc]:
        """Yield the documents of a text that comes in chunks of bytes, as soon as they are certain.

        Memory is bounded, whatever the text: a paragraph that does not end is cut between sentences. Results do not
        depend on the chunks. A paragraph is certain with the beginning of the next or, if `prompt`, with an empty
        line; then more empty lines at the end of the input are not kept. Raises DataError with the place of a byte.
        """
        self.check_fitted()
        text, first, continues = b"", 0, False

        def read(goes_on: bool) -> Iterator[_core.Doc]:
            nonlocal text, first, continues
            part = text[: _whole_characters(text)] if goes_on else text
            docs = self.pipeline_.read(part, name, first, goes_on, continues, prompt, self.params.threads)
            if docs:
                continues = docs[-1].within_paragraph
                done = sum(doc.size for doc in docs)
                text, first = text[done:], first + done
            yield from docs

        for chunk in chunks:
            text += chunk
            if b"\n" in chunk or len(text) > _LONG:
                yield from read(True)
        if text:
            yield from read(True)
        if text:
            yield from read(False)

    def written(self, chunks: Iterable[bytes], *, name: str = "input", **options: Any) -> Iterator[bytes]:
        """Yield the analysis of a text as bytes. See `Model`; options are `format`, `input`, `errors`, `confidence`."""
        self.check_fitted()
        return written(self, chunks, name, **options)

    def written_as(self, **options: Any) -> str:
        """Return the format of `written`."""
        return str(options.get("format", "conllu"))

    def calibrate_on(self, file: os.PathLike[str], *, method: str | None = None, names: Sequence[str] = ()) -> str:
        """Do what `calibrate` does on a file, and say how far confidences are from the truth. See `Model`."""
        if method not in (None, "isotonic"):
            raise OptionError(f"a pipeline's method of calibration is isotonic, not {method}")
        errors = self.calibrate(file, names=names).calibration_errors_
        return "calibration error " + ", ".join(f"{part} {100 * error:.2f} %" for part, error in errors.items())

    def calibrate(self, treebank: os.PathLike[str] | _core.Conllu, *, names: Sequence[str] = ()) -> Self:
        """Fit confidences of tags, features, arcs and names on a treebank that training did not see, and keep them.

        names : files of names for the treebank's sentences, as in training; without, NER= in its MISC

        Parts for which the treebank has no gold answers stay as they are. `calibration_errors_` says how far the
        confidences of the others are from the truth, by cross-validation in five folds. Raises DataError.
        """
        self.check_fitted()
        gold = read_treebank(treebank)
        filled = _core.Conllu.read(self.fill(gold.replace({}), gold.name), gold.name)
        self.calibration_errors_: dict[str, float] = calibrate_parts(self.models_, gold, filled, names)
        self.install(self.model_.replaced(parts={name: model.model_ for name, model in self.models_.items()}))
        return self

    def add_confidences(self, doc: _core.Doc) -> None:
        """Keep with a document how sure the pipeline is of its tags, features, arcs and names.

        They are in MISC and in JSON then. Raises ModelError if no part is calibrated.
        """
        self.check_fitted()
        add_confidences(self.models_, doc)

    def reasons(self, text: str, asked: _core.Question) -> Iterator[bytes]:
        """Yield why each part decided as it did about a text, each on what the parts before it gave."""
        return self.explain_lines(encoded(text), "text", asked)

    def explain_lines(self, data: bytes, name: str, asked: _core.Question) -> Iterator[bytes]:
        """Yield why each part decided as it did about raw text, as lines of JSON. Raises OptionError and DataError."""
        self.check_fitted()
        return self._explained_text(data, name, asked)

    def _explained_text(self, data: bytes, name: str, asked: _core.Question, part: str = "") -> Iterator[bytes]:
        analysed, first = [], 1
        for doc in self.pipeline_.read(data, name, threads=self.params.threads):
            analysed.append(doc.to_conllu(first))
            first += doc.sentence_count
        return explain_parts(self._only(part), b"".join(analysed), data, name, asked, of_words=not part)

    def _only(self, part: str) -> Mapping[str, AnyModel]:
        """Return all models, or the one that is called `part`. Raises OptionError if there is none."""
        if part and part not in self.models_:
            raise OptionError(f"the pipeline's parts are {', '.join(self.models_)}; got {part}")
        return {part: self.models_[part]} if part else self.models_

    def inputs(self) -> Sequence[str]:
        """Return what can be shown: text, if the pipeline cuts it, and sentences of words."""
        return ("text", "conllu", "tokens") if "segment" in self.params.parts else ("conllu", "tokens")

    def _reading(self, data: bytes, name: str, kind: str) -> Reading:
        words = data if kind != "tokens" else lines_as_conllu(data, name)

        def surely(docs: Iterable[_core.Doc], confidence: bool) -> Iterator[_core.Doc]:
            for doc in docs:
                if confidence:
                    self.add_confidences(doc)
                yield doc

        def blocks(confidence: bool) -> Iterator[Block]:
            if kind == "text":
                segmenter = self.models_["segmenter"]
                assert isinstance(segmenter, Segmenter)
                whole = len(data) <= _PIECE
                docs = self.pipeline_.read(data, name) if whole else self.annotate(pieces(data), name=name)
                yield from doc_blocks(surely(docs, confidence), places_of(segmenter.segmenter_), self.models_)
            else:
                [doc] = surely([self.pipeline_.read_words(_core.Conllu.read(words, name))], confidence)
                yield DocBlock(doc, file=self.fill(words, name, confidence=confidence), parts=self.models_)

        def explain(asked: _core.Question, part: str) -> Iterator[bytes]:
            if kind == "text":
                return self._explained_text(data, name, asked, part)
            return explain_words(self._only(part), self.fill(words, name), name, asked)

        def answers(part: str) -> Sequence[str]:
            return self._only(part)[part].labels_ if part else ()

        formats = ("json", "conllu", *(["svg"] if "parse" in self.params.parts else []))
        calibrated = any(part.model_.calibration is not None for part in self.models_.values())
        return Reading(formats, blocks, explain, calibrated, answers)

    def fill(self, data: bytes, name: str = "input", *, confidence: bool = False) -> bytes:
        """Return CoNLL-U with lemmas, tags, trees and names (NER= in MISC); all else stays.

        confidence : with confidences in MISC, too; raises ModelError if no part is calibrated

        Raises DataError if the data are no CoNLL-U.
        """
        self.check_fitted()
        treebank = _core.Conllu.read(data, name)
        doc = self.pipeline_.read_words(treebank)
        if confidence:
            self.add_confidences(doc)
        found = {field: doc.column(field) for field in ("lemma", "upos", "xpos", "feats", "deprel")}
        if doc.heads is not None:
            found["head"] = [str(head) for head in doc.heads]
        cells = [misc for sentence in treebank.column("misc") for misc in sentence]
        if (names := doc.column("entity")) is not None:
            labels = [{"NER": None if label == "O" else label} for label in names]
            cells = list(map(with_items, cells, labels))
        for decision, values in doc.confidences.items():
            item = f"{decision.capitalize()}Confidence"
            sure = [{item: None if value != value else f"{value:.4f}"} for value in values]
            cells = list(map(with_items, cells, sure))
        found["misc"] = cells
        firsts = [word for _, word, _ in doc.sentences]
        spans = list(pairwise(firsts))
        return treebank.replace(
            {field: [values[a:b] for a, b in spans] for field, values in found.items() if values is not None}
        )

    def only(self, *parts: str) -> Self:
        """Return a pipeline of these parts. Raises OptionError for a part that this one does not have."""
        self.check_fitted()
        return self.of_model(of_parts(self.model_, parts))

    def evaluate(self, source: os.PathLike[str] | _core.Conllu, *, tokens: bool = False) -> Conll2018Report:
        """Analyse the raw text of a treebank, or with `tokens` its words, and compare. Raises DataError."""
        from sapwood.metrics.conll2018 import conll2018_scores

        self.check_fitted()
        data = read_treebank(source)
        if tokens:
            docs = [self.pipeline_.read_words(data)]
        else:
            docs = self.pipeline_.read(data.text().text, data.name, threads=self.params.threads)
        system, first = [], 1
        for doc in docs:
            system.append(doc.to_conllu(first))
            first += doc.sentence_count
        return conll2018_scores(data.replace({}), b"".join(system), gold_name=data.name)

    def answers(self, source: os.PathLike[str] | _core.Conllu) -> list[Answers]:
        """Return what the parts say about a treebank's words, in the order of the parts, with the reasons.

        Raises DataError if the treebank has gold answers for none of the parts.
        """
        self.check_fitted()
        gold = read_treebank(source)
        filled = _core.Conllu.read(self.fill(gold.replace({}), gold.name), gold.name)
        return filled_answers(self.models_, gold, filled)

    def remarks(self) -> list[str]:
        """Return which parts the treebank could not teach, and why."""
        return [f"without {part}: {why}" for part, why in self.skipped_.items()]

    def learned(self) -> str:
        """Return what the fitted pipeline's parts are."""
        return ", ".join(self.model_.parts)

    def stored(self) -> str:
        """Return how the fitted pipeline keeps what it has learned."""
        return "; ".join(f"{name}: {part.described_weights()}" for name, part in self.model_.parts.items())

    def owners(self) -> dict[str, str]:
        """Return whose bytes the arrays of the model file are, by what their names begin with."""
        parts = {
            f"{name}/{array}": f"{name}'s {owner}"
            for name, part in self.models_.items()
            for array, owner in part.owners().items()
        }
        return super().owners() | parts

    def install(self, model: ModelFile) -> None:
        """Take what a model file holds. Raises SapwoodError if it does not hold it."""
        if not model.parts:
            raise ModelError("it has no part of the analysis")
        super().install(model)

        self.models_: dict[str, AnyModel] = {
            name: model_class(PARTS[self.task][name]).of_model(model.parts[name])
            for name in _ORDER
            if name in model.parts
        }
        self.params.parts = [part for part, models in PART_MODELS.items() if models[0] in model.parts]

        self.pipeline_: _core.Pipeline = self.core_of(self.params.parts)

    def core_of(self, parts: Sequence[str], *, tagged: bool = False) -> _core.Pipeline:
        """Return the core's pipeline of some of the parts; `tagged`: it gets documents that have tags already."""
        self.check_fitted()
        wanted = {model for part in parts for model in PART_MODELS[part]}

        def core(part: str, attribute: str) -> Any:
            return getattr(self.models_[part], attribute) if part in wanted and part in self.models_ else None

        return _core.Pipeline(
            core("segmenter", "segmenter_"),
            core("splitter", "splitter_"),
            core("tagger", "tagger_"),
            core("morphology", "tagger_"),
            core("lemmatizer", "lemmatizer_"),
            core("parser", "parser_"),
            core("entities", "tagger_"),
            tagged,
        )


def of_parts(model: ModelFile, parts: Sequence[str]) -> ModelFile:
    """Return a pipeline's model of some of its parts. Raises OptionError for a part that it does not have."""
    there = [part for part, models in PART_MODELS.items() if models[0] in model.parts]
    if not parts or not set(parts) <= set(there):
        raise OptionError(f"the pipeline's parts are {', '.join(there)}; got {','.join(parts) or 'none'}")
    check_tags(parts)
    wanted = {name for part in parts for name in PART_MODELS[part]}
    return model.replaced(parts={name: kept for name, kept in model.parts.items() if name in wanted})


def whole(models: dict[str, AnyModel], options: dict[str, object], data: _core.Conllu) -> ModelFile:
    """Return the model file of fitted models."""
    files = {name: part.model_ for name, part in models.items()}
    model = ModelFile(
        task=Pipeline.task, labels=[], template="", columns=["text"], label=0, options=options, bits=8, parts=files
    )
    model.clusters = next((file.clusters for file in files.values() if file.clusters is not None), None)
    facts = {"sentences": data.sentences, "words": data.words, "data_checksum": f"{data.checksum:016x}"}
    model.provenance = {"sapwood": __version__, **facts}
    return model


def pieces(data: bytes, size: int = _PIECE) -> Iterator[bytes]:
    """Yield a text in pieces, each of which is read before the next."""
    for begin in range(0, len(data), size):
        yield data[begin : begin + size]


def _whole_characters(text: bytes) -> int:
    """Return the size of a text without a character at the end that may be cut."""
    size = len(text)
    for at in range(size - 1, max(size - 4, -1), -1):
        if text[at] >= 0xC0:
            return at
        if text[at] < 0x80:
            return size
    return size
