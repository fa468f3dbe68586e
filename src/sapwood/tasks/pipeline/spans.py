"""Texts with spans as treebanks of names, to learn from and to calibrate on, and how well a pipeline finds spans.

The texts are cut and tagged by a pipeline, the base: the bundled one of their language, if it knows their words. Else
they are cut by rule: words are letters and digits, and each character of a script without spaces is one; all else is a
token of its own. A span is widened to whole tokens. A token is in one span, so of spans that share tokens the longest
stays. What had to be changed is counted in a warning.
"""

from __future__ import annotations

import os
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import sapwood._core as _core
from sapwood.errors import DataError, ModelError, OptionError
from sapwood.io.conllu import has_values, read_treebank, with_words
from sapwood.io.entities import NAMES, items_of
from sapwood.io.lexicons import read_clusters
from sapwood.io.records import Remarks
from sapwood.io.source import encoded, shown
from sapwood.io.span_offsets import Annotated, Span, remarks_on_spans
from sapwood.io.spans import are_spans, read_spans
from sapwood.model.base import AnyModel
from sapwood.model.file.bundled import AUTO, FOLDER, PIPELINES
from sapwood.model.language import recognised
from sapwood.options import Values
from sapwood.parts import ITEMS, PART_NAMED, TAGS, Part
from sapwood.tasks.pipeline.data import tag_rows, tagged
from sapwood.tasks.pipeline.options import BASE, OF_NAMES, PipelineOptions
from sapwood.tasks.tagging.model import SequenceTagger
from sapwood.templates import find_template, without_tags

if TYPE_CHECKING:
    from sapwood.metrics.chunks import SpanReport
    from sapwood.training.run import Run
    from sapwood.training.suspects import Suspect

_JUDGED = 20_000  # characters by which the language of texts is told
_MARK = "\ufeff"  # a byte order mark, which is no token of the core's either
_ENDS = frozenset(".!?\u2026\u3002\uff01\uff1f")  # marks that end sentences
_ASIA = "\u0e00"  # from which on there are scripts without spaces
_NO_SPACES = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")


class Base(NamedTuple):
    """The pipeline whose tokens or tags names are learned on, and the parts that are to be learned."""

    pipeline: Any  # None if there is none
    name: str | None
    stages: Sequence[str]  # stages that the pipeline does
    parts: Sequence[str]  # parts of the analysis; empty: all that can be taught
    threads: int

    @property
    def models(self) -> dict[str, AnyModel]:
        """The pipeline's models of its stages and of names, whose lists and word clusters are used."""
        found = {} if self.pipeline is None else self.pipeline.models_
        return {part: model for part, model in found.items() if PART_NAMED[part].stage in (*self.stages, "entities")}

    def kept(self, options: Values) -> Values:
        """Return options as the file keeps them: with the name of this pipeline, None where one was named in vain."""
        return options | ({"base": self.name} if "base" in options or self.pipeline is not None else {})

    def treebank(self, source: Any) -> _core.Conllu:
        """Return a treebank as it is, and files of spans as `of_spans` does. Raises DataError."""
        return self.of_spans(read_spans(source)).treebank if are_spans(source) else read_treebank(source)

    def of_spans(self, texts: list[Annotated]) -> SpanTreebank:
        """Return texts with spans as a treebank, cut by the pipeline, or by rule."""
        core = None if self.pipeline is None else self.pipeline.core_of(["segment"])
        return treebank_of_spans(texts, core, self.threads)


def span_training_data(source: Any, options: PipelineOptions, cls: type[AnyModel]) -> tuple[_core.Conllu, Base]:
    """Return data to learn from, and the base.

    Spans have one, and treebanks without tags if it is named, or nothing but names is wanted of them.

    cls : the class of pipelines. Raises DataError, and ModelError if there is no such pipeline.
    """
    parts = options.parts or (OF_NAMES if are_spans(source) else ())
    if are_spans(source):
        if options.names:
            raise OptionError("names are for treebanks; texts with spans have their own")
        texts = read_taught(source)
        base = base_for(options, (each.text for each in texts), parts, BASE, cls)
        return base.of_spans(texts).treebank, base
    data = with_words(read_treebank(source))
    wanted = options.base not in (AUTO, None) or (parts and set(OF_NAMES).issuperset(parts))
    if not wanted or "tag" not in (parts or BASE) or has_values(data, TAGS):
        return data, Base(None, None, (), parts, options.threads)
    return data, base_for(options, [data.text(apart=True).text.decode()], parts, BASE[1:], cls)


def read_taught(source: Any) -> list[Annotated]:
    """Return the texts of files with their spans, to learn from. Raises DataError if there is no span."""
    texts = read_spans(source)
    if not any(each.spans for each in texts):
        raise DataError(f"{texts[0].record.where}: from here on no text has a span")
    return texts


def base_for(
    options: PipelineOptions, texts: Iterable[str], parts: Sequence[str], stages: Sequence[str], cls: type[AnyModel]
) -> Base:
    """Return the base for texts. Without one, nothing but names are learned without tags."""
    pipeline, name = _chosen(options.base, "\n\n".join(texts)[:_JUDGED], cls)
    if pipeline is None and set(OF_NAMES).issuperset(parts):
        parts = [part for part in parts if part != "tag"]
    return Base(pipeline, name, stages, parts, options.threads)


def _chosen(base: str | os.PathLike[str] | None, text: str, cls: type[AnyModel]) -> tuple[Any, str | None]:
    """Return a pipeline that cuts texts and tags words, and its name; None and None if there is none."""
    is_auto = base == AUTO
    if is_auto:
        base = recognised(text)
        base = base if base in PIPELINES and (FOLDER / f"{base}.sap").exists() else None
    if base is None:
        return None, None
    found: Any = cls.load(base)
    if not set(BASE) <= set(found.parts):
        raise ModelError(f"{shown(base)}: a base cuts texts and tags words; this one has {', '.join(found.parts)}")
    [doc] = found.core_of(["segment"]).read_each([encoded(text)], 1)
    return (None, None) if is_auto and found.familiarity_.relative(doc)[1] else (found, os.fspath(base))


class SpanTreebank(NamedTuple):
    """Texts with spans as a treebank whose words have names."""

    texts: list[Annotated]
    treebank: _core.Conllu
    first_words: list[int]  # [texts] number of the first word of each
    places: list[tuple[int, int]]  # [words] begin and end of each word's token in its text


def treebank_of_spans(texts: list[Annotated], core: _core.Pipeline | None, threads: int) -> SpanTreebank:
    """Return texts with spans as a treebank, cut by the core of a pipeline or by rule. Raises DataError."""
    data = [encoded(each.text, each.record.where) for each in texts]
    cut = [_cut(each.text) for each in texts] if core is None else core.read_each(data, threads)
    with remarks_on_spans() as faults:
        docs = [_labelled(doc, each.spans, faults) for doc, each in zip(cut, texts, strict=True)]
    first_words: list[int] = []
    places: list[tuple[int, int]] = []
    for doc in docs:
        first_words.append(len(places))
        for place, (first, after) in zip(doc.tokens, pairwise(doc.first_words), strict=True):
            places += [place] * (after - first)
    name = texts[0].record.where.rpartition(":")[0] or texts[0].record.where
    return SpanTreebank(texts, _core.Conllu.of_docs(docs, name), first_words, places)


def evaluate_spans(pipeline: Any, source: object) -> SpanReport:
    """Return the scores of the spans that a pipeline finds in files. Raises DataError, ModelError without names."""
    from sapwood.metrics.chunks import span_scores

    if "entities" not in pipeline.parts:
        raise ModelError(f"the pipeline finds no names; its parts are {', '.join(pipeline.parts)}")
    texts = read_spans(source)
    docs = pipeline.pipe([each.text for each in texts])
    guess = [[(name.start, name.end, name.label) for name in doc.entities] for doc in docs]
    return span_scores([[(s.start, s.end, s.label) for s in each.spans] for each in texts], guess)


def _labelled(doc: _core.Doc, spans: Sequence[Span], faults: Remarks) -> _core.Doc:
    tokens, words, sentences = doc.tokens, doc.first_words, doc.sentences
    begins, ends = [begin for begin, _ in tokens], [end for _, end in tokens]
    labels, owners = ["O"] * doc.words, dict[int, Span]()
    for span in sorted(spans, key=lambda span: span.start - span.end):  # type: ignore[operator]
        first, after = bisect_right(ends, span.start), bisect_left(begins, span.end)  # type: ignore[type-var]
        if first >= after:
            faults.add("there is no token in it, and it is left out", span.where, span)
            continue
        if taken := next((owners[t] for t in range(first, after) if t in owners), None):
            if taken[:3] == span[:3]:
                faults.add("it is there twice, and counts once", span.where, span)
            else:
                faults.add("they share words, and the first is left out", span.where, f"{span} and {taken}")
            continue
        if (begins[first], ends[after - 1]) != (span.start, span.end):
            whole = Span(begins[first], ends[after - 1], span.label, doc.text[begins[first] : ends[after - 1]])
            faults.add("it begins or ends inside of a token, and is widened", span.where, f"{span} to {whole}")
        inside = [s for s in sentences[1:-1] if first < s[0] < after]
        if inside:
            faults.add("a sentence ends inside of it, and goes on there", span.where, span)
            sentences = [s for s in sentences if s not in inside]
        owners |= dict.fromkeys(range(first, after), span)
        labels[words[first] : words[after]] = [f"I-{span.label}"] * (words[after] - words[first])
        labels[words[first]] = f"B-{span.label}"
    columns = {"form": doc.column("form") or [], "entity": labels}
    return _core.Doc.build(doc.text, tokens, words, sentences, columns, None, ITEMS)


def _cut(text: str) -> _core.Doc:
    """Return a text in tokens and sentences, by rule."""
    tokens = _tokens(text)
    sentences = [(0, 0, True)] if tokens else []
    for t, ((_, end), (begin, _)) in enumerate(pairwise(tokens), 1):
        space, last = text[end:begin], text[end - 1]
        paragraph = space.count("\n") > 1
        if paragraph or (last in _ENDS and (space or last > "\u3000") and not text[begin].islower()):
            sentences.append((t, t, paragraph))
    sentences.append((len(tokens), len(tokens), False))
    forms = [text[begin:end] for begin, end in tokens]
    return _core.Doc.build(text, tokens, [*range(len(tokens) + 1)], sentences, {"form": forms}, None)


def _tokens(text: str) -> list[tuple[int, int]]:
    """Return begin and end of each token; marks, joiners and the same mark again go with the character before them."""
    found: list[tuple[int, int]] = []
    goes_on = False  # whether a letter or digit would belong to the last token
    for at, c in enumerate(text):
        category = unicodedata.category(c)
        is_word = c.isalnum() and not (c > _ASIA and unicodedata.name(c, "").startswith(_NO_SPACES))
        joins = (
            category[0] == "M" or category == "Cf" or (is_word and goes_on) or (c == text[at - 1] and not c.isalnum())
        )
        if c.isspace() or c == _MARK:
            goes_on = False
        elif joins and found and found[-1][1] == at:
            found[-1] = found[-1][0], at + 1
        else:
            found.append((at, at + 1))
            goes_on = is_word
    return found


def label_tagger(part: Part, base: Mapping[str, AnyModel], clusters: Values, *, has_tags: bool) -> SequenceTagger:
    """Return the untrained tagger of a column in MISC. It uses the lists of names of the same part of a base."""
    template = "entities" if has_tags else without_tags(find_template("entities").text)
    tagger = SequenceTagger(template=template, columns=[*part.reads, "label"], **clusters)
    if part.name in base:
        tagger.set_params(lexicon=_core.Lexicon.of_model(base[part.name].model_))
    return tagger.set_params(encoding="iobes") if part.columns[0].has_chunks else tagger


def clusters_of(options: PipelineOptions, base: Mapping[str, AnyModel]) -> Values:
    """Return the word clusters of the options, or else of the base, as an option of models; nothing without any."""
    if isinstance(options.clusters, _core.WordClusters):  # clusters of a model that is trained again
        return {"clusters": options.clusters}
    if options.clusters is not None:
        return {"clusters": read_clusters(options.clusters, options.clusters_limit)}
    found = [model.model_.clusters for model in base.values() if model.model_.clusters is not None]
    return {"clusters": found[0]} if found else {}


def span_suspects(source: Any, options: PipelineOptions, cls: type[AnyModel], folds: int, run: Run) -> list[Suspect]:
    """Return the suspects among the spans of files, with their record, in which `start` and `end` are their place.

    Tokens and tags are those that training would have (see sapwood.tasks.pipeline.spans). Raises DataError.
    """
    texts = read_taught(source)
    base = base_for(options, (each.text for each in texts), OF_NAMES, BASE, cls)
    made = base.of_spans(texts)
    forms, labels = made.treebank.column("form"), items_of(made.treebank, NAMES)
    tagger, models = base.models.get("tagger"), base.models
    tags = [[("_",) * len(TAGS)] * len(sentence) for sentence in forms]
    if tagger is not None:
        tags = tagged(forms, tagger, models.get("morphology"))  # type: ignore[arg-type]
    learner = label_tagger(PART_NAMED["entities"], models, clusters_of(options, models), has_tags=tagger is not None)
    learner.set_params(seed=options.seed, threads=options.threads)
    found = learner._suspects(run, folds, tag_rows(forms, tags), labels)
    return [_with_place(each, made) for each in found]


def _with_place(suspect: Suspect, made: SpanTreebank) -> Suspect:
    record, text, _ = made.texts[bisect_right(made.first_words, suspect.number) - 1]
    start, _ = made.places[suspect.number]
    _, end = made.places[suspect.number + suspect.words - 1]
    values = {**record.values, "start": start, "end": end}
    return suspect._replace(place=record.where, text=text[start:end], record=values)
