"""What the parts of a pipeline say about a text, and why: each goes by what the parts before it gave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.io.conllu import has_values, rows_of
from sapwood.io.entities import read_entities
from sapwood.model.answers import Answers, lemma_answers, row_reasons, tree_answers
from sapwood.tasks.pipeline.confidence import Models, joint_labels

_WORDS = ("form", "upos", "xpos", "feats")  # columns of the rows that taggers in a pipeline see


def explain_parts(
    models: Models, analysed: bytes, data: bytes, name: str, asked: _core.Question, *, of_words: bool = True
) -> Iterator[bytes]:
    """Yield the explanations of all parts, as lines of JSON that begin with the part's name.

    models : the parts by their names
    analysed : what all of them gave, in CoNLL-U
    of_words : the question's numbers are those of words, for all parts: a splitter is asked about the token that the
        word is of, a segmenter, which has places in place of words, is not asked. Otherwise they are the part's own.

    Raises OptionError for a sentence that is not there, or an answer that no part has.
    """
    words = _core.Conllu.read(analysed, name)
    rows = _core.Columns.build(rows_of(words, _WORDS), None, name)
    ways: dict[str, Callable[[], Iterator[bytes]]] = {
        "segmenter": lambda: models["segmenter"].explain_lines(data, name, asked),
        "splitter": lambda: _tokens(models["splitter"], words, analysed, name, asked, of_words=of_words),
        "parser": lambda: models["parser"].explain_lines(analysed, name, asked),
    }
    failed: OptionError | None = None
    any_part = False
    for part, model in models.items():
        if part == "segmenter" and of_words and (asked.sentence, asked.token) != (None, None):
            continue
        way = ways.get(part) or partial(model.explained_rows, rows, asked)
        try:
            for block in way():
                any_part = True
                yield _of_part(part, block)
        except OptionError as error:  # this part has no such answer, or fewer paragraphs than there are sentences
            failed = error
    if failed is not None and not any_part:
        raise failed


def _tokens(
    splitter: Any, words: _core.Conllu, analysed: bytes, name: str, asked: _core.Question, *, of_words: bool
) -> Iterator[bytes]:
    """Yield why tokens were split as they were, for the tokens of the words that are asked about."""
    if not of_words or asked.token is None:
        yield from splitter.explain_lines(analysed, name, asked)
        return
    begin = 0
    for s, sentence in enumerate(words.column("form")):
        if asked.sentence in (None, s) and asked.token < len(sentence):
            word = begin + asked.token
            joined = (min(end, word + 1) - first - 1 for first, end, _ in words.multiwords if begin <= first <= word)
            token = asked.token - sum(joined)
            of_token = _core.Question(
                sentence=s, token=token, against=asked.against, flip_to_against=asked.flip_to_against
            )
            yield from splitter.explain_lines(analysed, name, of_token)
        begin += len(sentence)


def explain_words(models: Models, analysed: bytes, name: str, asked: _core.Question) -> Iterator[bytes]:
    """Yield the explanations of the parts that read words, as `explain_parts` does. Raises OptionError."""
    readers = {part: model for part, model in models.items() if part not in ("segmenter", "splitter")}
    if not readers:
        raise OptionError(f"{name}: the words were given; {' and '.join(models)} did not make them")
    return explain_parts(readers, analysed, b"", name, asked)


def _of_part(part: str, block: bytes) -> bytes:
    """Add the part's name to lines of JSON, in which there are no line ends but at the end."""
    begin = b'\n{"part": "%s", "sentence": ' % part.encode()
    return (b"\n" + block)[:-1].replace(b'\n{"sentence": ', begin)[1:] + b"\n" if block else b""


def answers_of(models: Models, gold: _core.Conllu, filled: _core.Conllu) -> list[Answers]:
    """Return the answers of a pipeline to a treebank's words, part by part.

    models : the parts by their names
    filled : the treebank with what the parts gave

    Raises DataError if the treebank has gold answers for none of the parts.
    """
    words, tags, joint = gold.column("form"), gold.column("upos"), joint_labels(gold)
    rows = _core.Columns.build(rows_of(filled, _WORDS), None, gold.name)
    found: list[Answers] = []
    for part, title, field, labels in (
        ("tagger", "UPOS", "upos", joint),
        ("tagger", "XPOS", "xpos", joint),
        ("morphology", "features", "feats", gold.column("feats")),
    ):
        if part in models and has_values(gold, [field]):
            reasons = row_reasons(partial(models[part].explained_rows, rows), labels)
            seen = None if field == "upos" else tags
            found.append(Answers(title, "sentence", words, gold.column(field), filled.column(field), reasons, seen))
            if part == "morphology":  # a tagger has confidences in UPOS and XPOS together
                found[-1] = _with_confidences(found[-1], models[part], rows)
    if "lemmatizer" in models and has_values(gold, ["lemma"]):
        found.append(lemma_answers(gold, filled.column("lemma"), partial(models["lemmatizer"].explained_rows, rows)))
    if "parser" in models and has_values(gold, ["head"]):
        explain = partial(models["parser"].explain_lines, filled.replace({}), gold.name)
        trees = tree_answers(words, tags, gold.trees(False), filled.trees(False), explain)
        found.append(_with_confidences(trees, models["parser"], filled))
    names = read_entities(gold, []) if "entities" in models else None
    if names is not None:
        outside = [["O"] * len(sentence) for sentence in words]
        guess = read_entities(filled, [])
        said = outside if guess is None else _or_outside(guess.of_treebank, outside)
        known = _or_outside(names.of_treebank, outside)
        reasons = row_reasons(partial(models["entities"].explained_rows, rows), known)
        found.append(Answers("names", "sentence", words, known, said, reasons, tags))
    if not found:
        raise DataError(f"{gold.name}: it has gold answers for none of the pipeline's parts")
    return found


def _or_outside(labels: Sequence[list[str] | None], outside: list[list[str]]) -> list[list[str]]:
    """Return the labels of names of each sentence; where nothing is known of one, its words are outside of names."""
    return [found or none for found, none in zip(labels, outside, strict=True)]


def _with_confidences(answers: Answers, model: Any, data: _core.Columns | _core.Conllu) -> Answers:
    """Add how sure a model is of its answers, if it is calibrated."""
    return answers if model.model_.calibration is None else answers._replace(confidences=model.confidences(data))


def warn_of_tagsets(gold: _core.Conllu, models: Models) -> None:
    """Warn of tags and relations of a treebank that are of other tagsets than those of the models."""
    from sapwood.metrics.evaluation import warn_of_tagset

    known: dict[str, Iterable[str]] = {}
    if "tagger" in models:
        known["upos"], known["xpos"] = zip(*(label.split(" ") for label in models["tagger"].labels_), strict=True)
    if "parser" in models:
        known["deprel"] = models["parser"].labels_
    for column, labels in known.items():
        found = chain.from_iterable(gold.column(column))
        warn_of_tagset(f"{gold.name}, {column.upper()}", found, labels, "the model")
