"""Lesson 1: typical mistakes, and what the checkers say of them."""

import pytest
from lesson_runs import wrong

SUM = "sum(weight * number for weight, number in zip(w, x))"
UPDATE = "if guess(w, x) != y:"
ADD = "            total = [summed + weight for summed, weight in zip(total, w)]\n            presented += 1\n"
MISTAKES = [
    ("guess", SUM, "sum(w) * sum(x)", "the sum of w times the sum of x"),
    ("guess", "zip(w, x)", "zip(w[:2], x)", "the third number, which is the constant"),
    ("guess", "> 0", ">= 0", "the score is exactly 0, and such a tie goes to -1"),
    ("guess", "1 if score(w, x) > 0 else -1", "score(w, x) > 0", "a guess is 1 or -1"),
    ("guess", "return sum", "sum", "does the function end with `return`?"),
    ("vanilla", UPDATE, "if True:", "when the guess is right, too"),
    ("vanilla", "weight + y * number", "weight - y * number", "the wrong way"),
    ("vanilla", "weight + y * number", "weight + number", "y does not count"),
    ("vanilla", "    return w", "            return w", "which is too"),
    ("vanilla", "range(epochs)", "range(1)", "There is only one epoch"),
    ("vanilla", "weight + y * number", "weight + y * nr", "not defined\n    in the line  w = ["),
    ("voted", "            v[-1] += 1", "                v[-1] += 1", "only wrong ones gave a vote?"),
    ("voted", "W, v = [[0, 0, 0]], [0]", "W, v = [], []", "IndexError"),
    ("voted", "                W.append([weight + y * number for weight, number in zip(W[-1], x)])",
     "                for k in range(3): W[-1][k] += y * x[k]\n                W.append(W[-1])", "the same list"),
    ("voted", "            if guess", "            v[-1] += 1\n            if guess", "votes; each of"),
    ("voted", "                v.append(0)\n            v[-1] += 1",
     "                v.append(0)\n                v[-2] += 1\n            else:\n                v[-1] += 1",
     "the vote of a text is for the weights after it"),
    ("voted", "W.append([weight", "W[-1] = ([weight", "both lists have the same length"),
    ("majority", "n * guess(w, x)", "n * score(w, x)", "The scores were added up"),
    ("majority", "n * guess(w, x)", "guess(w, x)", "Every vector had one vote"),
    ("majority", "> 0", ">= 0", "Ties go to -1"),
    ("averaged", "return [summed / presented for summed in total]", "return w", "These are the last weights"),
    ("averaged", "summed / presented", "summed", "it has not been divided"),
    ("averaged", "summed / presented", "summed / len(examples)", "and not by that of all presented ones"),
    ("averaged", "summed / presented", "summed / epochs", "The sum was divided by the number of epochs"),
    ("averaged", ADD, ADD.replace("            ", "                "), "those after a right guess count, too"),
    ("averaged", "            if guess", ADD + "            if guess", "which is too"),
    ("averaged", UPDATE, "if True:", "when the guess is right, too"),
]  # fmt: skip


@pytest.mark.few(4)
@pytest.mark.parametrize("exercise, old, new, said", MISTAKES)
def test_a_mistake_is_told(exercise, old, new, said):
    verdict = wrong(1, exercise, old, new)
    assert not verdict.passed
    assert said in verdict.message, verdict.message
