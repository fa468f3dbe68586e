"""What the tests of rerankers share: lists in which the base model is wrong about what a kernel can see."""

import random

from sapwood.io.lists import Candidate, CandidateList

NOUNS = ["dog", "cat", "park", "man"]


def attachments(count, seed):
    """Lists of two trees: a phrase of "with" goes to the verb, one of "of" to the noun; the base model likes verbs."""
    chosen = random.Random(seed)
    lists = []
    for _ in range(count):
        a, b, c = (chosen.choice(NOUNS) for _ in range(3))
        tag, word = chosen.choice([("IN", "with"), ("OF", "of")])
        np, pp = f"(NP (DT the) (NN {b}))", f"(PP ({tag} {word}) (NP (DT the) (NN {c})))"
        verb = f"(S (NP (DT the) (NN {a})) (VP (VBD saw) {np} {pp}))"
        noun = f"(S (NP (DT the) (NN {a})) (VP (VBD saw) (NP {np} {pp})))"
        wrong = word == "of"
        lists.append(
            CandidateList(
                "tree",
                [Candidate(verb, -1.0, 2.0 * wrong), Candidate(noun, -1.1 - chosen.random(), 2.0 * (not wrong))],
            )
        )
    return lists


def as_labels(lists):
    """The same choice with labels: those after "of" are to end in X, and what begins in A is a hint of it."""
    result = []
    for each in lists:
        hint = "A" if each.candidates[0].loss else "B"
        candidates = [
            Candidate([hint, "O", "O", last], candidate.score, candidate.loss)
            for candidate, last in zip(each.candidates, "YX", strict=True)
        ]
        result.append(CandidateList("labels", candidates, [["w"]] * 4))
    return result


def as_heads(lists):
    return [
        CandidateList(
            "heads",
            [
                Candidate(((0, 1, 2 - k), (("a" if each.candidates[0].loss else "b"), "obj", "pp")), c.score, c.loss)
                for k, c in enumerate(each.candidates)
            ],
            [["saw"], ["dog"], ["park"]],
        )
        for each in lists
    ]


def as_features(lists):
    return [
        CandidateList(
            "features",
            [
                Candidate(
                    {"verb" if k == 0 else "noun": 1, "of" if each.candidates[0].loss else "with": 1}, c.score, c.loss
                )
                for k, c in enumerate(each.candidates)
            ],
        )
        for each in lists
    ]


def lists_of(rows):
    """Lists of candidates with features: [[(features, score, loss), ...], ...]."""
    return [CandidateList("features", [Candidate(f, score, loss) for f, score, loss in each]) for each in rows]
