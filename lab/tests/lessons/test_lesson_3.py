"""Lesson 3: typical mistakes, and what the checkers say of them."""

import pytest
from lesson_runs import wrong

MISTAKES = [
    ("cost", "loss(a, b)", "loss(b, a)", "gold comes first"),
    ("cost", "loss(a, b)", "a != b", "Wrong labels are counted"),
    ("cost", "for a, b in zip(gold, guess))", "for a, b in zip(gold, guess)) / len(gold)", "This is the mean"),
    ("cost", "return sum(", "return max(", "which is too low"),
    ("augmented", "+ loss(", "- loss(", "The cost is subtracted"),
    ("augmented", "loss(gold[i], y)", "loss(y, gold[i])", "gold comes first"),
    ("augmented", "loss(gold[i], y)", "loss(gold[i], h)", "The loss is that of h"),
    ("augmented", "loss(gold[i], y)", "1", "Gold has a cost, too"),
    ("augmented", "loss(gold[i], y)", "(y != gold[i])", "Every wrong label costs 1"),
    ("augmented", "s(i, h, y) + loss", "loss", "s is missing"),
    ("augmented", "    return augmented_s", "    return augmented_s(0, START, gold[0])", "it should return a function"),
    ("hinge", "with_cost = augmented(s, gold, loss)", "with_cost = s", "without any cost"),
    ("hinge", "total(with_cost, worst)", "total(s, worst)", "but not in the result"),
    ("hinge", "labels, with_cost)", "labels, s)", "The search does not add the cost"),
    ("hinge", "total(with_cost, worst) - total(s, gold)", "total(s, gold) - total(with_cost, worst)", "never below 0"),
    ("hinge", " - total(s, gold)", "", "has not been subtracted"),
    ("MarginTagger", "if gold is not None:", "if False:", "These are the weights without any loss"),
    ("MarginTagger", "if gold is not None:\n            s = augmented(s, gold, self.loss)",
     "s = augmented(s, gold or [None] * len(words), self.loss)", "your code stopped with"),
    ("MarginTagger", "if gold is not None:\n            s = augmented(s, gold, self.loss)",
     "s = augmented(s, gold or ['DT'] * len(words), self.loss)", "gives other labels than Viterbi"),
    ("MarginTagger", "self.loss)", "lambda a, b: 2 * self.loss(a, b))", "the weights after 2 epochs differ"),
    ("prices", "    if gold == guess:\n        return 0\n", "", "that is right, and costs 0"),
    ("prices", "gold[:2] == guess[:2]", "len(gold) == len(guess)", "different word classes"),
    ("prices", "return 1 if", "return 2 if", "it should cost 1"),
    ("step", "min(C, hinge / square)", "hinge / square", "It is never longer than C"),
    ("step", "min(", "max(", "The larger one of both"),
    ("step", "/ square)", "/ square**0.5)", "not by its root"),
    ("step", "hinge / square", "hinge", "not been divided by the sum of squares"),
    ("step", "min(C, hinge / square)", "C", "It is always C"),
]  # fmt: skip


@pytest.mark.few(1)
@pytest.mark.parametrize("exercise, old, new, said", MISTAKES)
def test_a_mistake_is_told(exercise, old, new, said):
    verdict = wrong(3, exercise, old, new)
    assert not verdict.passed
    assert said in verdict.message, verdict.message
