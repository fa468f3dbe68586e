"""Scores of a retrieved set against the set that should have been retrieved."""

from collections.abc import Collection, Hashable

from sapwood.metrics.labels import LabelScore


def set_scores(gold: Collection[Hashable], retrieved: Collection[Hashable]) -> LabelScore:
    """Score a set of answers to one query against the right answers.

    Rhymes for "hinge" (Schneider 2017, "Feature-based Classification with the Perceptron"): of 13 gold rhymes a system
    finds 10, and 1 word that does not rhyme.

    >>> both = {"binge", "cringe", "fringe", "hinge", "impinge", "infringe", "syringe", "tinge", "twinge", "unhinge"}
    >>> scores = set_scores(gold=both | {"klinge", "minge", "vinje"}, retrieved=both | {"ainge"})
    >>> (scores.correct, scores.guessed), (scores.correct, scores.gold)
    ((10, 11), (10, 13))
    >>> f"precision {scores.precision:.0f} %, recall {scores.recall:.0f} %, F1 {scores.f1:.0f} %"
    'precision 91 %, recall 77 %, F1 83 %'
    """
    wanted, found = set(gold), set(retrieved)
    return LabelScore("retrieved", gold=len(wanted), guessed=len(found), correct=len(wanted & found))
