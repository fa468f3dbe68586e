"""The forms of a parser's answers: records, lists for a reranker, confidences, and the material of reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from typing import TYPE_CHECKING, Any

import sapwood._core as _core
from sapwood.errors import DataError
from sapwood.io.columns import given_tokens
from sapwood.io.conllu import read_conllu, treebank_in_memory, with_items
from sapwood.model.answers import Answers, Explain, Place, Property, Tree, ask
from sapwood.model.confidence import DecisionStage, Numbers
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, NamedWeights, Output, feature_name
from sapwood.model.records import INPUT, AnswerRecord, Records, sentence_record, texts_of_sentences
from sapwood.tasks.parsing.data import Trees, shown_tags
from sapwood.training.nbest import proposed_lists

if TYPE_CHECKING:
    from sapwood.base.candidates import CandidateList
    from sapwood.metrics.brackets import Bracket
    from sapwood.metrics.trees import TreeReport
    from sapwood.model.explanation_records import ExplanationRecord
    from sapwood.tasks.parsing.options import ParserOptions

_NONE = "no constituent"


def arc_decisions(gold: Trees, guess: Trees, margins: Sequence[Numbers], labelling: object) -> list[DecisionStage]:
    """Return the stages of the decisions: heads, then relations; with joint labels one stage of both."""
    pairs = list(zip(gold, guess, strict=True))
    right = [[[a == b for a, b in zip(g[part], p[part], strict=True)] for g, p in pairs] for part in (0, 1)]
    if labelling == "joint":
        right = [[[a and b for a, b in zip(*each, strict=True)] for each in zip(*right, strict=True)]]
    return [DecisionStage(*stage) for stage in zip(margins, right, strict=False)]


def with_arc_confidences(data: _core.Conllu, trees: Trees, confidences: Numbers) -> _core.Conllu:
    """Return a treebank with trees and a confidence in the arc of every word, as ArcConfidence= in MISC."""
    misc = [
        [with_items(cell, {"ArcConfidence": f"{number:.4f}"}) for cell, number in zip(*sentence, strict=True)]
        for sentence in zip(data.column("misc"), confidences, strict=True)
    ]
    heads = [list(map(str, heads)) for heads, _ in trees]
    return data.with_columns({"head": heads, "deprel": [list(deprels) for _, deprels in trees], "misc": misc})


class ParserRecords(Records):
    """Answers of a parser about CoNLL-U, or about words alone where it needs no tags."""

    decided: Mapping[str, str] = {"head": "", "deprel": ""}

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        file = model.model_
        self.inputs = ("conllu", "tokens") if "tagger" in file.parts or file.options.get("untagged") else ("conllu",)
        self.tags = file.columns[0]  # the first of its tag columns

    def _file(self, data: bytes, kind: str) -> bytes:
        if kind != "tokens":
            return data
        lines = given_tokens(data, INPUT)
        return treebank_in_memory([line for line in lines if line], (), None, INPUT).to_bytes()

    def _records(self, block: _core.Conllu, confidence: bool) -> Iterator[AnswerRecord]:
        model = self._model
        trees = model.parser_.predict(block, model.threads)
        sure = model.confidence.of(block, model.threads) if confidence else None
        columns = {name: block.column(name) for name in model.params.tag_columns}
        texts = zip(texts_of_sentences(block), block.column("form"), trees, strict=True)
        for s, (text, words, (heads, relations)) in enumerate(texts):
            values = {name: column[s] for name, column in columns.items()} | {"head": heads, "deprel": relations}
            yield sentence_record(text, words, values, "arc", sure[s] if sure else ())


def read_trees(
    data: bytes, name: str, train: bool, line: int, before: _core.Conllu | None, *, single_root: bool
) -> _core.Conllu:
    """Return the sentences of CoNLL-U, with trees if they are to train on. Raises DataError."""
    treebank = read_conllu(data, name, line, before)
    if train:
        treebank.trees(single_root)
    return treebank


def tree_lists(parser: _core.Parser, model: ModelFile, data: _core.Conllu, n: int) -> list[CandidateList]:
    """Return a list of trees for each sentence, with its words and their tags. Raises OptionError."""
    columns = [data.column(field) for field in ("form", *model.columns[: model.label])]
    gold: Sequence[tuple[list[int], list[str]] | None]
    try:
        gold = data.trees(False)
    except DataError:  # without trees, or with broken ones, there is no gold
        gold = [None] * data.sentences
    return proposed_lists("heads", parser.n_best(data, n), columns, gold, data.name)


def tree_report(gold: Trees, guess: Trees, data: _core.Conllu) -> TreeReport:
    """Return the scores of trees; the tags in `data` say what is punctuation."""
    from sapwood.metrics import tree_scores

    return tree_scores(gold, guess, shown_tags(data))


def tree_answers(
    words: list[list[str]], tags: list[list[str]], gold: Sequence[Tree], guess: Sequence[Tree], explain: Explain
) -> Answers:
    """Return the answers of a parser. Reasons are those of the head if the head is wrong, else of the relation."""

    def reasons(places: Sequence[Place]) -> list[ExplanationRecord | None]:
        found: list[ExplanationRecord | None] = []
        for s, t in places:
            wrong_head = gold[s][0][t] != guess[s][0][t]
            against = str(gold[s][0][t]) if wrong_head else gold[s][1][t]
            records = ask(explain, (s, t), against)
            relations = [record for record in records if record["decision"] == "relation"]
            chosen = records if wrong_head or not relations else relations
            found.append(chosen[0] if chosen else None)
        return found

    pairs = [((list(g[0]), list(g[1])), (list(h[0]), list(h[1]))) for g, h in zip(gold, guess, strict=True)]
    relations = [g[1] for g, _ in pairs], [h[1] for _, h in pairs]
    return Answers("trees", "sentence", words, *relations, reasons, tags, pairs)


def bracket_answers(gold: Sequence[str], guess: Sequence[str]) -> Answers:
    """Return a grammar's answers: its category for the words of each gold constituent, or none.

    There are no reasons, as a grammar has no features.
    """
    from sapwood.metrics.brackets import brackets_of

    words, gold_labels, guess_labels, marked, lengths = [], [], [], [], []
    for number, trees in enumerate(zip(gold, guess, strict=True), 1):
        wanted, found = starmap(brackets_of, zip(trees, (f"gold, tree {number}", f"guess, tree {number}"), strict=True))
        for (label, begin, end), answer in _aligned(wanted.brackets, found.brackets):
            words.append(wanted.words)
            gold_labels.append([label])
            guess_labels.append([answer])
            marked.append(range(begin, end))
            lengths.append([_length(end - begin)])

    return Answers(
        "constituents",
        "constituent",
        words,
        gold_labels,
        guess_labels,
        marked=marked,
        whole=True,
        properties=[Property("words of the constituent", lengths)],
        own_scores=True,
    )


def _aligned(gold: Counter[Bracket], guess: Counter[Bracket]) -> Iterator[tuple[Bracket, str]]:
    """Yield each gold bracket with the category that the guess has for the same words, or _NONE."""
    wrong = sorted((guess - gold).elements())
    missing = gold - guess
    for bracket in sorted(gold.elements(), key=lambda b: (b[1], -b[2], b[0])):
        if missing[bracket] == 0:
            yield bracket, bracket[0]
            continue
        missing[bracket] -= 1
        other = next((b for b in wrong if b[1:] == bracket[1:]), None)
        if other is not None:
            wrong.remove(other)
        yield bracket, _NONE if other is None else other[0]


def _length(words: int) -> Sequence[str]:
    if words >= 10:
        return ("10 words or more",)
    return ("4 to 9 words" if words >= 4 else f"{words} words" if words > 1 else "1 word",)


def parser_contents(
    model: ModelFile, options: ParserOptions, core: _core.Parser, inside: Mapping[str, Any]
) -> Contents:
    """Return the contents of a parser, and the arrays of the models inside it: its own tagger, or its committee.

    Outputs have the names of core/parsing/output_names.hpp.
    """
    structures = {"eisner": ["arc", "sibling"][: options.order], "easy-first": ["attachment"], "beam": ["transition"]}
    outputs = [[Output(name, label) for name, label in table] for table in core.outputs]

    def weights() -> NamedWeights:
        for table, row, output, weight in core.weights():
            yield outputs[table][output], weight, feature_name(model, table, row)

    return Contents(
        model,
        tables=structures[options.search] + ["label"] * (model.options["labelling"] == "second-stage"),
        outputs=outputs,
        weights=weights,
        arrays={f"{p}/{n}": f"{p}'s {a}" for p, model in inside.items() for n, a in model.contents.arrays.items()},
        remarks=_remarks(model, options),
    )


def _remarks(model: ModelFile, options: ParserOptions) -> list[str]:
    facts, found = model.provenance, list[str]()
    if options.committee:
        found.append("features and weights are those of the first parser of its committee")
    if facts.get("non_projective_sentences"):
        done = "left out" if options.non_projective == "skip" else f"{facts['lifted_arcs']:,} arcs lifted"
        found.append(f"{facts['non_projective_sentences']:,} sentences had arcs that cross others: {done}")
    return found
