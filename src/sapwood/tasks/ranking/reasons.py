"""Explanations of a reranker's choices, and the answers that a report on them is made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.base.candidates import CandidateList
from sapwood.errors import OptionError
from sapwood.model.answers import Answers, Place, Property
from sapwood.model.explanation import Feature, question

if TYPE_CHECKING:
    from sapwood.model.explanation_records import ExplanationRecord


def explain_candidate(
    number: int,
    scores: Sequence[float],
    asked: _core.Question,
    scale: float,
    features: Callable[[int, int], list[Feature]],
) -> bytes | None:
    """Explain the choice of a candidate. Return None if the question is against the chosen one, or one not in the list.

    features : gives the features by which two candidates differ, by their numbers in the list
    """
    chosen, *others = sorted(range(len(scores)), key=lambda k: (-scores[k], k))
    against = against_candidate(asked)
    if against is None and others:
        against = others[0]
    elif against is not None and against not in others:
        return None
    name = f"candidate {chosen + 1}"
    if against is None:
        return _core.explanation_line(number, "candidate", name, None, 0.0, scale, [])
    other, margin, found = f"candidate {against + 1}", scores[chosen] - scores[against], features(chosen, against)
    return _core.explanation_line(number, "candidate", name, other, margin, scale, found)


def against_candidate(asked: _core.Question) -> int | None:
    """Return the number of the candidate that the question is against, from 0. Raises OptionError if it is none."""
    if not asked.against:
        return None
    if not asked.against.isascii() or not asked.against.isdigit() or int(asked.against) < 1:
        raise OptionError(f"a candidate is given by its number in the list, from 1, not '{asked.against}'")
    return int(asked.against) - 1


def choice_answers(
    lists: Sequence[CandidateList],
    losses: Sequence[Sequence[float]],
    choices: Sequence[int],
    explain: Callable[[list[CandidateList], _core.Question], Iterator[bytes]] | None,
) -> Answers:
    """Return the candidates that a reranker chose, by their ranks by the base model's score.

    losses : [lists][candidates]
    choices : [lists] the number of the candidate that was chosen

    Right is a candidate with the least loss of its list. Gold is the first of these. `explain` explains the choices;
    None for a model without reasons.
    """
    gold, guess, right, reranked, events = [], [], [], [], []
    sizes: list[list[Sequence[str]]] = []
    for each, loss, choice in zip(lists, losses, choices, strict=True):
        order = sorted(range(len(loss)), key=lambda k: (-each.candidates[k].score, k))
        best = min(order, key=lambda k: loss[k])
        chosen = choice if loss[choice] > loss[best] else best
        gold.append(best)
        guess.append(chosen)
        right.append([f"rank {order.index(best) + 1}"])
        reranked.append([f"rank {order.index(chosen) + 1}"])
        events.append([_event(order[0], best, chosen)])
        sizes.append([(f"{len(loss)} candidates",)])

    def reasons(places: Sequence[Place]) -> list[ExplanationRecord | None]:
        found: list[ExplanationRecord | None] = []
        for s, _ in places:
            against = str(gold[s] + 1) if gold[s] != guess[s] else None
            lines = b"".join(explain([lists[s]], question(against=against)) if explain is not None else ())
            found.append(json.loads(lines) | {"sentence": s + 1} if lines else None)
        return found

    properties = [Property("what happened", events, of_errors=True), Property("size of the list", sizes)]
    words = [_words_of(each) for each in lists]
    return Answers(
        "choices", "list", words, right, reranked, reasons, whole=True, properties=properties, own_scores=True
    )


def _event(first: int, best: int, chosen: int) -> Sequence[str]:
    if chosen == best:
        return ()
    if chosen == first:
        return ("the base model's first was kept, and another is better",)
    if best == first:
        return ("the base model's first was the best, and was left",)
    return ("the base model's first was left for one that is not the best",)


def _words_of(each: CandidateList) -> list[str]:
    if each.tokens:
        return [row[0] for row in each.tokens]
    if each.kind == "tree":
        return [word for _, word in _core.read_tree(each.candidates[0].structure, each.where)[1]]
    return []
