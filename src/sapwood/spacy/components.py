"""Components of spaCy's pipelines: a sapwood pipeline, or one part of it.

spaCy checks settings by the annotations of `initialize` and of the factories, so they are evaluated.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Self

import srsly
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.pipeline.dep_parser import parser_score
from spacy.pipeline.lemmatizer import lemmatizer_score
from spacy.pipeline.morphologizer import morphologizer_score
from spacy.pipeline.senter import senter_score
from spacy.pipeline.tagger import tagger_score
from spacy.scorer import get_ner_prf
from spacy.tokens import Doc as SpacyDoc
from spacy.training import Example, validate_get_examples
from spacy.util import minibatch

from sapwood.errors import DataError, OptionError
from sapwood.io.source import encoded
from sapwood.spacy.analysis import TAGS, Analysis
from sapwood.spacy.codes import Codes
from sapwood.spacy.docs import read, spacy_doc, treebank_of, write
from sapwood.spacy.earlier import carry_over, has_words, with_names
from sapwood.spacy.models import AUTO, ComponentModel, WithModel
from sapwood.tasks.pipeline.model import Pipeline

_WRITES = {"segment": "sentences", "tag": "tags", "lemmatize": "lemma", "parse": "heads", "entities": "entity"}
_SCORERS: dict[str, tuple[Callable[..., dict[str, object]], ...]] = {
    "segment": (senter_score,),
    "tag": (tagger_score, morphologizer_score),
    "lemmatize": (lemmatizer_score,),
    "parse": (parser_score,),
    "entities": (get_ner_prf,),
}


class SapwoodPipe(WithModel, Pipe):  # type: ignore[misc]
    """A component that analyses documents by a sapwood pipeline.

    tokens : "own": the document is made anew, with the tokens and sentences of the model; "given": its tokens stay
    """

    def __init__(self, name: str, model: ComponentModel, tokens: str, threads: int) -> None:
        if tokens not in ("own", "given"):
            raise OptionError(f"tokens of {name} is one of own, given; not {tokens!r}")
        if type(threads) is not int or threads < 1:
            raise OptionError(f"threads of {name} is a whole number from 1, not {threads!r}")
        self.name, self.model, self.tokens, self.threads = name, model, tokens, threads
        self._codes: Codes | None = None

    @property
    def pipeline(self) -> Pipeline:
        """The sapwood pipeline that does the work."""
        return self.model.pipeline

    def __call__(self, doc: SpacyDoc) -> SpacyDoc:
        """Return the document with what the model found; with tokens of its own it is another document."""
        analysed = self._made_anew if self._makes_tokens() else self._completed
        try:
            return next(analysed([doc]))
        except Exception as error:
            self.get_error_handler()(self.name, self, [doc], error)
            return doc

    def pipe(self, stream: Iterable[SpacyDoc], *, batch_size: int = 128) -> Iterator[SpacyDoc]:
        """Yield the documents of a stream with what the model found."""
        analysed = self._made_anew if self._makes_tokens() else self._completed
        for docs in minibatch(stream, size=batch_size):
            try:
                yield from analysed(docs)
            except Exception as error:
                self.get_error_handler()(self.name, self, docs, error)

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        treebank: Path | None = None,
        dev: Path | None = None,
        options: dict[str, object] | None = None,
    ) -> None:
        """Train the model on a treebank in CoNLL-U or, if the component has no model, on spaCy's examples.

        dev : a treebank on which each epoch is scored
        options : of `sapwood.Pipeline`, such as clusters, lexicon, names, beam, seed

        A model that is there stays if no treebank is named. Raises OptionError and DataError, and TypeError if
        `get_examples` is no function that returns examples.
        """
        validate_get_examples(get_examples, f"{type(self).__name__}.initialize")
        if treebank is None and not self.model.is_to_be_trained:
            return
        data = Path(treebank) if treebank is not None else treebank_of(get_examples())
        parts = self.model.trained_parts
        self.model.install(Pipeline(**{"parts": parts, **(options or {})}).fit(data, dev=dev and Path(dev)))

    def score(self, examples: Iterable[Example], **settings: object) -> dict[str, object]:
        """Return the scores of spaCy for what the component does: tag_acc, dep_las, ents_f and the like."""
        examples = list(examples)
        scorers = [scorer for part in self.model.parts for scorer in _SCORERS[part]]
        return {name: value for scorer in scorers for name, value in scorer(examples, **settings).items()}

    def to_bytes(self, *, exclude: Sequence[str] = ()) -> bytes:
        """Return the model as bytes."""
        data: bytes = srsly.msgpack_dumps({} if "model" in exclude else {"model": self.model.to_bytes()})
        return data

    def from_bytes(self, data: bytes, *, exclude: Sequence[str] = ()) -> Self:
        """Take the model of `to_bytes`. Raises ModelError."""
        found = srsly.msgpack_loads(data)
        if "model" in found and "model" not in exclude:
            self.model.from_bytes(found["model"])
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles are made anew."""
        handler = {name: value for name, value in vars(self).items() if name == "error_handler"}
        return type(self), (self.name, self.model, self.tokens, self.threads), handler

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take back the error handler."""
        self.__dict__.update(state)

    def _makes_tokens(self) -> bool:
        return self.tokens == "own" and "segment" in self.model.parts

    def _codes_of(self, doc: SpacyDoc) -> Codes:
        if self._codes is None or self._codes.vocab is not doc.vocab:
            self._codes = Codes(doc.vocab)
        return self._codes

    def _made_anew(self, docs: Sequence[SpacyDoc]) -> Iterator[SpacyDoc]:
        """Yield documents with the model's own tokens, in place of those that came from a tokenizer."""
        given = [has_words(doc) for doc in docs]
        texts = [encoded(doc.text) for doc, keep in zip(docs, given, strict=True) if not keep]
        found = iter(self.model.core(*self.model.parts).read_each(texts, self.threads))
        for doc, keep in zip(docs, given, strict=True):
            if keep:
                yield from self._completed([doc])
                continue
            made = spacy_doc(Analysis.of(next(found)), self._codes_of(doc))
            carry_over(doc, made, self.name)
            made.user_data = doc.user_data | made.user_data
            made.cats, made._context = doc.cats, doc._context
            yield made

    def _completed(self, docs: Sequence[SpacyDoc]) -> Iterator[SpacyDoc]:
        """Yield the documents, with their tokens."""
        parts = [part for part in self.model.parts if part != "segment"]
        for doc in docs:
            analysis, units = read(doc)
            written = [_WRITES[part] for part in parts]
            if "segment" in self.model.parts and (not parts or not doc.has_annotation("SENT_START")):
                analysis = self._with_sentences(analysis)
                written.append("sentences")
            elif len(analysis.columns["form"]) > 1 and not doc.has_annotation("SENT_START"):
                raise DataError(
                    f"{self.name}: the document has no sentences; put sapwood_segmenter, or a sentencizer of spaCy, "
                    "in front"
                )
            if parts:
                analysis = self._filled(analysis, parts)
            write(doc, analysis, units, written, self._codes_of(doc))
            yield doc

    def _filled(self, analysis: Analysis, parts: Sequence[str]) -> Analysis:
        given = () if "tag" in parts else TAGS
        if missing := [name for name in given if name not in analysis.columns]:
            if analysis.columns["form"]:
                raise DataError(f"{self.name}: the document has no tags ({missing[0]}); put a tagger in front")
            return analysis
        doc = self.model.core(*parts).complete(analysis.doc(given))
        self.model.pipeline.look_at(doc, "text")
        completed = analysis.with_columns_of(Analysis.of(doc))
        if "entities" in parts and "entity" in analysis.columns:
            completed.columns["entity"] = with_names(completed.columns["entity"], analysis.columns["entity"])
        return completed

    def _with_sentences(self, analysis: Analysis) -> Analysis:
        """Return the analysis with the model's sentences: each begins with the token in which the model's begins."""
        [core] = self.model.core("segment").read_each([encoded(analysis.text)], 1)
        begins = [core.tokens[token][0] for token, _, _ in core.sentences[:-1]]
        paragraphs = [paragraph for _, _, paragraph in core.sentences]
        sentences: list[tuple[int, int, bool]] = []
        s = 0
        for t, (_, end) in enumerate(analysis.tokens):
            if s < len(begins) and begins[s] < end:
                sentences.append((t, analysis.first_words[t], paragraphs[s]))
                while s < len(begins) and begins[s] < end:
                    s += 1
        sentences.append((len(analysis.tokens), analysis.first_words[-1], False))
        columns = {name: values for name, values in analysis.columns.items() if name != "deprel"}
        return analysis._replace(sentences=sentences, columns=columns, heads=None)


_SHARED = {"model": AUTO, "tokens": "own", "threads": 1}


def _factory(
    name: str, parts: Sequence[str], assigns: Sequence[str], requires: Sequence[str], **scores: float | None
) -> Callable[..., SapwoodPipe]:
    """Register the factory of a component and return it."""

    def make(nlp: Language, name: str, model: str | None, tokens: str, threads: int) -> SapwoodPipe:
        return SapwoodPipe(name, ComponentModel(model, nlp.lang, parts, name), tokens, threads)

    make.__name__ = make.__qualname__ = name
    made: Callable[..., SapwoodPipe] = Language.factory(
        name,
        default_config=_SHARED,
        assigns=assigns,
        requires=requires,
        retokenizes="segment" in parts or not parts,
        default_score_weights=scores,
        func=make,
    )
    return made


_TAGS = ("token.tag", "token.pos", "token.morph")
_TREE = ("token.dep", "token.head", "token.is_sent_start", "doc.sents")
_NAMES = ("doc.ents", "token.ent_iob", "token.ent_type")
_STARTS = ("token.is_sent_start", "doc.sents")

sapwood_segmenter = _factory("sapwood_segmenter", ("segment",), _STARTS, (), sents_f=1.0)
sapwood_tagger = _factory("sapwood_tagger", ("tag",), _TAGS, ("doc.sents",), tag_acc=0.5, pos_acc=0.5)
sapwood_lemmatizer = _factory("sapwood_lemmatizer", ("lemmatize",), ("token.lemma",), _TAGS, lemma_acc=1.0)
sapwood_parser = _factory("sapwood_parser", ("parse",), _TREE, _TAGS, dep_uas=0.5, dep_las=0.5)
sapwood_entities = _factory("sapwood_entities", ("entities",), _NAMES, _TAGS, ents_f=1.0)
sapwood = _factory("sapwood", (), (*_TAGS, "token.lemma", *_TREE, *_NAMES), (), tag_acc=0.5, dep_las=0.5)
