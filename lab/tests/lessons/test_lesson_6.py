"""Lesson 6: typical mistakes, and what the checkers say of them."""

import pytest
from lesson_runs import wrong_at_last

MISTAKES = [
    ("valid", " and not waiting", "", "child that is still pending"),
    ("valid", "gold[modifier] == head", "gold[head] == modifier", "should not be"),
    (
        "valid",
        "gold[word] == modifier for word in pending",
        "gold[word] == head and word != modifier for word in pending",
        "not the head",
    ),
    ("valid", "for word in pending", "for word in range(len(gold))", "attached already"),
    ("valid", "    return gold", "    gold", "None"),
    ("easy_first", "max(actions", "min(actions", "the lowest wins"),
    ("easy_first", "max(actions(pending)", "max(reversed(actions(pending))", "the last one is made"),
    ("easy_first", "head, modifier = arc(pending, best)", "modifier, head = arc(pending, best)", "changed places"),
    ("easy_first", "max(actions(pending)", "max(actions(pending)[:2]", "first place"),
    (
        "easy_first",
        "key=lambda action: score(pending, action)",
        "key=lambda action: score(list(range(n)), (pending[action[0]], action[1]))",
        "the scores of the beginning are used to the end",
    ),
    ("easy_first", "        pending.remove(modifier)\n", "        pending = list(pending)\n", "shorter each time"),
    ("easy_first", "    return heads", "", "None"),
    ("guided", ">= value", ">  value", "not behind"),
    ("guided", "in actions(pending) if", "in actions(pending)[::-1] if", "the last one is taken"),
    (
        "guided",
        "pending.remove(arc(pending, right)[1])",
        "pending.remove(arc(pending, max(actions(pending), key=lambda at: value(w, phi(pending, at))))[1])",
        "w",
    ),
    (
        "guided",
        "right = max(rights, key=lambda action: value(w, phi(pending, action)))",
        "right = rights[0]",
        "not the first",
    ),
    ("guided", "w.get(feature, 0) - 1", "w.get(feature, 0)", "not taken off"),
    ("guided", "w.get(feature, 0) + 1", "w.get(feature, 0)", "not added"),
    (
        "guided",
        "        if value(w, phi(pending, wrong)) >= value(w, phi(pending, right)):\n",
        "        if True:\n",
        "though the valid one is ahead",
    ),
    (
        "guided",
        "        if value(w, phi(pending, wrong))",
        "        while value(w, phi(pending, wrong))",
        "w: the weight of",
    ),
    (
        "my_place",
        "f\"noun behind {tag1} {tag2} {tags[3]} {nouns[0] if nouns else '-'}\",",
        "",
        "of the heads are right, and 97%",
    ),
    ("my_place", "return [", "return set() and [", "should be a list"),
    ("beam_search", "(s + score(derivation, y)", "(score(derivation, y)", "last step alone"),
    ("beam_search", "reverse=True", "reverse=False", "lowest"),
    ("beam_search", "key=lambda pair: pair[0], ", "", "ties"),
    ("beam_search", "beams = [[(0, ())]]", "beams = []\n    last = [(0, ())]", "not yet"),
    ("beam_search", "successors[:k]", "successors", "the k best"),
    ("beam_search", "successors[:k]", "successors[:1]", "not yet"),
    ("beam_search", "(*derivation, y))", "[*derivation, y])", "a derivation is a tuple"),
    ("beam_search", "        successors.sort(key=lambda pair: pair[0], reverse=True)\n", "", "not yet"),
    (
        "update_at",
        "            return t\n",
        "            return None if beams[-1][0][1] == gold else len(gold)\n",
        "made after the end",
    ),
    ("update_at", "            return t\n", "            return t - 1\n", "one too small"),
    ("update_at", "return len(gold) if beams[-1][0][1] != gold else None", "return None", "there is an update, too"),
    ("update_at", "return len(gold) if beams[-1][0][1] != gold else None", "return len(gold)", "nothing to update"),
    ("update_at", "not in [derivation for _, derivation in beam]", "!= beam[0][1]", "gold need not be the best"),
    ("update_at", "max(steps,", "max(reversed(steps),", "last one is taken"),
    ("update_at", "beams[t][0][0] - gold_scores[t]", "gold_scores[t] - beams[t][0][0]", "smallest"),
    (
        "update_at",
        "return max(steps, key",
        "return early_update(beams, gold, gold_scores)\n    return max(steps, key",
        "early update",
    ),
    (
        "update_at",
        "steps = [t for t, beam in enumerate(beams) if beam[0][1] != gold[:t]]",
        "steps = list(range(len(beams)))",
        "though nothing is wrong",
    ),
    (
        "update_at",
        "    return max(steps,",
        "    if beams[-1][0][1] == gold:\n        return None\n    return max(steps,",
        "on the way",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("exercise, old, new, said", MISTAKES)
def test_a_mistake_is_told(exercise, old, new, said):
    verdict = wrong_at_last(6, exercise, old, new)
    assert not verdict.passed
    assert said in verdict.message, verdict.message
