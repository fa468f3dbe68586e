"""The component of spaCy's pipelines: a sapwood pipeline, or some parts of it.

spaCy checks settings by the annotations of `initialize` and of the factory, so they are evaluated.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

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

import sapwood._core as _core
from sapwood.errors import DataError, OptionError
from sapwood.io.conllu import has_values
from sapwood.io.source import encoded
from sapwood.parts import TAGS
from sapwood.spacy import earlier
from sapwood.spacy.analysis import Annotation
from sapwood.spacy.attributes import ROOT
from sapwood.spacy.docs import read_doc, spacy_doc, treebank_of, write_doc
from sapwood.spacy.labels import find_chunks_by_trees, in_spacys_words, words_for
from sapwood.spacy.models import AUTO, ComponentModel, WithModel
from sapwood.tasks.pipeline.model import Pipeline
from sapwood.tasks.pipeline.options import OF_NAMES

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
    labels : "own": relations and names are the model's; "spacy": in the words of spaCy's English pipelines
    """

    def __init__(self, name: str, model: ComponentModel, tokens: str, threads: int, labels: str = "own") -> None:
        if tokens not in ("own", "given"):
            raise OptionError(f"tokens of {name} is one of own, given; not {tokens!r}")
        if type(threads) is not int or threads < 1:
            raise OptionError(f"threads of {name} is a whole number from 1, not {threads!r}")
        if labels not in ("own", "spacy"):
            raise OptionError(f"labels of {name} is one of own, spacy; not {labels!r}")
        self.name, self.model, self.tokens, self.threads = name, model, tokens, threads
        self.in_spacys_words = labels == "spacy"

    @property
    def pipeline(self) -> Pipeline:
        """The sapwood pipeline that does the work."""
        return self.model.pipeline

    @property
    def labels(self) -> tuple[str, ...]:
        """The tags, relations and kinds of names that the component may give, none before it is trained."""
        tags, relations, names = self.model.labels()
        if self.in_spacys_words:
            relations, names = words_for(relations, names)
        return *sorted(tags), *sorted(ROOT.get(each, each) for each in relations), *sorted(names)

    @property
    def hide_labels(self) -> bool:
        """True if there is no file of the model; what spaCy tells of a pipeline does without the labels then."""
        return not self.model.is_there

    def __call__(self, doc: SpacyDoc) -> SpacyDoc:
        """Return the document with what the model found; with tokens of its own it is another document."""
        try:
            return next(self._analysed([doc]))
        except Exception as error:
            self.get_error_handler()(self.name, self, [doc], error)
            return doc

    def pipe(self, stream: Iterable[SpacyDoc], *, batch_size: int = 128) -> Iterator[SpacyDoc]:
        """Yield the documents of a stream with what the model found.

        A batch that fails is done again, one document after the other; the error handler gets those that fail.
        """
        for docs in minibatch(stream, size=batch_size):
            try:
                found = list(self._analysed(docs))
            except Exception as error:
                if len(docs) > 1:
                    yield from self.pipe(docs, batch_size=1)
                else:
                    self.get_error_handler()(self.name, self, docs, error)
            else:
                yield from found

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

        Of examples with entities alone names are learned (see `base` among the options of `sapwood.Pipeline`). A model
        that is there stays if no treebank is named. Raises OptionError and DataError, and TypeError if
        `get_examples` is no function that returns examples.
        """
        validate_get_examples(get_examples, f"{type(self).__name__}.initialize")
        if treebank is None and not self.model.is_to_be_trained:
            return
        data = Path(treebank) if treebank is not None else treebank_of(get_examples())
        parts = self.model.trained_parts
        if isinstance(data, _core.Conllu) and not has_values(data, (*TAGS, "lemma", "head")):
            parts = parts or list(OF_NAMES)
        self.model.install(Pipeline(**{"parts": parts, **(options or {})}).fit(data, dev=dev and Path(dev)))

    def score(self, examples: Iterable[Example], **settings: object) -> dict[str, object]:
        """Return the scores of spaCy for what the component does: tag_acc, dep_las, ents_f and the like."""
        examples = list(examples)
        scorers = [scorer for part in self.model.parts for scorer in _SCORERS[part]]
        return {name: value for scorer in scorers for name, value in scorer(examples, **settings).items()}

    def __reduce__(self) -> tuple[object, ...]:
        handler = {name: value for name, value in vars(self).items() if name == "error_handler"}
        labels = "spacy" if self.in_spacys_words else "own"
        return type(self), (self.name, self.model, self.tokens, self.threads, labels), handler

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)

    def _analysed(self, docs: Sequence[SpacyDoc]) -> Iterator[SpacyDoc]:
        makes_tokens = self.tokens == "own" and "segment" in self.model.parts
        return self._made_anew(docs) if makes_tokens else self._completed(docs)

    def _found(self, core: _core.Doc) -> Annotation:
        analysis = Annotation.of(core)
        return in_spacys_words(analysis) if self.in_spacys_words else analysis

    def _made_anew(self, docs: Sequence[SpacyDoc]) -> Iterator[SpacyDoc]:
        texts = [encoded(doc.text) for doc in docs if not doc.has_unknown_spaces]
        found = iter(self.model.core(*self.model.parts).read_each(texts, self.threads))
        for doc in docs:
            if doc.has_unknown_spaces:
                yield from self._completed([doc])
                continue
            analysis = self._found(next(found))
            if starts := earlier.sentence_starts(doc):
                analysis = self._of_sentences(doc, starts)
            made = spacy_doc(analysis, doc.vocab)
            same = earlier.same_words(doc, made)
            if not same and earlier.has_chosen_words(doc):
                yield from self._completed([doc])
                continue
            earlier.carry_over(doc, made, same, self.name)
            yield made

    def _of_sentences(self, doc: SpacyDoc, starts: Mapping[int, bool]) -> Annotation:
        """Return the analysis of a document's text by the model's tokens, in sentences that were set before."""
        [core] = self.model.core("segment").read_each([encoded(doc.text)], 1)
        parts = [part for part in self.model.parts if part != "segment"]
        analysis = Annotation.of(core).with_starts(starts)
        return self._filled(analysis, parts) if parts else analysis

    def _completed(self, docs: Sequence[SpacyDoc]) -> Iterator[SpacyDoc]:
        parts = [part for part in self.model.parts if part != "segment"]
        for doc in docs:
            analysis, units = read_doc(doc)
            written = list(parts)
            if "segment" in self.model.parts and not doc.has_annotation("SENT_START", require_complete=True):
                analysis = self._with_sentences(analysis, earlier.sentence_starts(doc))
                written.append("segment")
            elif len(analysis.columns["form"]) > 1 and not doc.has_annotation("SENT_START"):
                raise DataError(
                    f"{self.name}: the document has no sentences; add the part segment, or put a sentencizer of "
                    "spaCy in front"
                )
            blocked = earlier.blocked_tokens(doc)
            if parts:
                analysis = self._filled(analysis, parts, [units[i][0] for i in blocked if units[i][1]])
            write_doc(doc, analysis, units, written)
            earlier.block(doc, blocked)
            yield doc

    def _filled(self, analysis: Annotation, parts: Sequence[str], blocked: Collection[int] = ()) -> Annotation:
        given = () if "tag" in parts or not self.model.reads_tags else TAGS
        cores = parts
        if missing := [name for name in given if name not in analysis.columns]:
            if not analysis.columns["form"]:
                return analysis
            if list(parts) != ["entities"]:
                raise DataError(f"{self.name}: the document has no tags ({missing[0]}); put a tagger in front")
            given, cores = (), ["tag", *parts]  # names go by tags of the model's own, which the document does not get
        doc = self.model.core(*cores).complete(analysis.doc(given))
        self.model.pipeline.familiarity_.check(doc, "text")
        found = self._found(doc)
        for name in missing:
            found.columns.pop(name, None)
        columns = analysis.columns | found.columns
        if "entities" in parts and "entity" in analysis.columns:
            columns["entity"] = earlier.with_given_names(columns["entity"], analysis.columns["entity"], blocked)
        return analysis._replace(columns=columns, heads=analysis.heads if found.heads is None else found.heads)

    def _with_sentences(self, analysis: Annotation, starts: Mapping[int, bool]) -> Annotation:
        """Return the analysis with the model's sentences: each begins with the token in which the model's begins.

        starts : places of the text where a sentence begins, or does not begin, whatever the model says
        """
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
        return analysis._replace(sentences=sentences).with_starts(starts)


def _make(
    nlp: Language, name: str, model: str | None, parts: list[str], tokens: str, threads: int, labels: str = "own"
) -> SapwoodPipe:
    if not parts or "parse" in parts:
        find_chunks_by_trees(SpacyDoc(nlp.vocab))
    return SapwoodPipe(name, ComponentModel(model, nlp.lang, parts, name), tokens, threads, labels)


sapwood = Language.factory(
    "sapwood",
    default_config={"model": AUTO, "parts": [], "tokens": "own", "threads": 1},
    assigns=[
        *("token.tag", "token.pos", "token.morph", "token.lemma", "token.dep", "token.head", "token.is_sent_start"),
        *("doc.sents", "doc.ents", "token.ent_iob", "token.ent_type"),
    ],
    retokenizes=True,
    default_score_weights={"tag_acc": 0.5, "dep_las": 0.5},
    func=_make,
)
