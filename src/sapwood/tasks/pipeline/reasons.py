"""Explanations of a pipeline's decisions, and the answers that a report on it is made of."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import sapwood._core as _core
from sapwood.errors import DataError
from sapwood.io.conllu import has_values, read_conllu, rows_of
from sapwood.io.entities import items_of
from sapwood.io.formats import warn_of_format
from sapwood.io.source import encoded
from sapwood.model.answers import Answers, row_reasons
from sapwood.model.familiarity import Familiarity
from sapwood.parts import COLUMNS, PART_OF, PARTS, TAGGED, TAGS
from sapwood.tasks.parsing.answers import tree_answers
from sapwood.tasks.pipeline.confidence import Models
from sapwood.tasks.pipeline.data import reads_and_fills, tagsets
from sapwood.tasks.rewriting.answers import lemma_answers
from sapwood.tasks.tagging.data import joint_tags

_WORDS = ("form", *TAGS)  # columns of the rows that taggers in a pipeline read


class PipelineReasons(NamedTuple):
    """The explanations of a pipeline's decisions: of each part, about the output of the parts before it."""

    parts: _core.DecidingParts  # as the core explains them
    core: _core.Pipeline
    fill: Callable[[_core.Conllu], _core.Conllu]  # completes a treebank
    threads: int
    familiarity: Familiarity

    def of(self, text: str, asked: _core.Question) -> Iterator[bytes]:
        """Yield explanations of the decisions about a text, as `of_bytes` does."""
        return self.of_bytes(encoded(text), "text", asked)

    def of_bytes(
        self, data: bytes, name: str, asked: _core.Question, *, input: str = "text", part: str = ""
    ) -> Iterator[bytes]:
        """Yield explanations of the decisions about a file, as lines of JSON that begin with the part's name.

        input : text, tokens or conllu, as `Pipeline.written` has it
        part : explain this part only, by whose own numbers the question is asked. Without it the numbers are those of
            words: a splitter is asked about the token of the word, a segmenter, which has places, is not asked.

        Raises OptionError for a part or a sentence that is not there, or an answer that no part has, and DataError.
        """
        reasons = _core.PipelineReasons(self.parts, asked, part, input == "text")
        if input == "text":
            warn_of_format(data, name, "text", self.familiarity.on_warning)
            words = _core.Conllu.of_docs(self.core.read(data, name, threads=self.threads), name)
        elif input == "tokens":
            words = self.core.read_lines(data, name).treebank(name)
        else:
            words = self.fill(read_conllu(data, name))
        if input == "text" and words.sentences == 0:
            raise DataError(f"{name}: there is no sentence in it")
        reasons.begin(words, data if input == "text" else b"")
        return _each(reasons, self.threads)


def _each(reasons: _core.PipelineReasons, threads: int) -> Iterator[bytes]:
    while (lines := reasons.next(threads)) is not None:
        yield lines


def answers_by_part(models: Models, gold: _core.Conllu, filled: _core.Conllu) -> list[Answers]:
    """Return the answers of a pipeline's models to a treebank's words, part by part.

    filled : the treebank, completed by the pipeline

    Raises DataError if the treebank has gold answers for none of the parts.
    """
    words, tags = gold.column("form"), gold.column("upos")
    rows = _core.Columns.build(rows_of(filled, _WORDS), None, gold.name)
    found: list[Answers] = []
    for part in PARTS:
        if part.task != "tag" or part.is_plain or part.name not in models:
            continue
        _, columns = reads_and_fills(part, models[part.name])
        labels = joint_tags(gold, columns)
        for column in (column for column in COLUMNS if column.name in columns and has_values(gold, [column.name])):
            reasons = row_reasons(partial(models[part.name].reasons.of_encoded, rows), labels)
            gold_tags = None if column.name == "upos" else tags
            answers = gold.column(column.name), filled.column(column.name)
            found.append(Answers(column.compared, "sentence", words, *answers, reasons, gold_tags))
            if len(columns) == 1:  # where there are two, confidences are in both together
                found[-1] = _with_confidences(found[-1], models[part.name], rows)
    if "lemmatizer" in models and has_values(gold, ["lemma"]):
        found.append(lemma_answers(gold, filled.column("lemma"), partial(models["lemmatizer"].reasons.of, filled)))
    if "parser" in models and has_values(gold, ["head"]):
        explain = partial(models["parser"].reasons.of_encoded, filled)
        trees = tree_answers(words, tags, gold.trees(False), filled.trees(False), explain)
        found.append(_with_confidences(trees, models["parser"], filled))
    for column in (column for part in PARTS if part.name in models for column in part.columns if column.item):
        known = items_of(gold, column)
        if known is not None:
            guess = items_of(filled, column) or [[column.nothing] * len(sentence) for sentence in words]
            reasons = row_reasons(partial(models[PART_OF[column.name].name].reasons.of_encoded, rows), known)
            found.append(Answers(column.compared, "sentence", words, known, guess, reasons, tags))
    if not found:
        raise DataError(f"{gold.name}: it has gold answers for none of the pipeline's parts")
    return found


def _with_confidences(answers: Answers, model: Any, data: _core.Columns | _core.Conllu) -> Answers:
    return answers if not model.confidence.calibrated else answers._replace(confidences=model.confidences(data))


def warn_of_tagsets(gold: _core.Conllu, models: Models) -> dict[str, dict[str, int]]:
    """Warn of tags and relations of a treebank that are of other tagsets than those of the models.

    Return how often the treebank has labels that no model has, by tagset.
    """
    from sapwood.metrics.evaluation import unseen_labels, warn_of_tagset

    known: dict[str, Iterable[str]] = {name: tags for name, tags in tagsets(models).items() if name in TAGGED}
    if "parser" in models:
        known["deprel"] = models["parser"].labels_
    for column, labels in known.items():
        found = chain.from_iterable(gold.column(column))
        warn_of_tagset(f"{gold.name}, {column.upper()}", found, labels, "the model")
    return {column.upper(): unseen_labels(gold.column(column), labels) for column, labels in known.items()}
