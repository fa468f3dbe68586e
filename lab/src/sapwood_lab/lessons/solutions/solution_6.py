# %% exercise="valid"
def valid(pending, action, gold):
    """Return True if an action is valid; `gold` are the heads."""
    head, modifier = arc(pending, action)
    waiting = any(gold[word] == modifier for word in pending)
    return gold[modifier] == head and not waiting


# %% exercise="easy_first"
def easy_first(n, score):
    """Return the heads of n words (-1 for the last one that is pending)."""
    heads = [-1] * n
    pending = list(range(n))
    while len(pending) > 1:
        best = max(actions(pending), key=lambda action: score(pending, action))
        head, modifier = arc(pending, best)
        heads[modifier] = head
        pending.remove(modifier)
    return heads


# %% exercise="guided"
def value(w, features):
    return sum(w.get(feature, 0) for feature in features)


def learn_tree(w, phi, gold):
    """Go through one sentence with the gold heads `gold`, and change w where an invalid action is not behind."""
    pending = list(range(len(gold)))
    while len(pending) > 1:
        rights = [action for action in actions(pending) if valid(pending, action, gold)]
        wrongs = [action for action in actions(pending) if not valid(pending, action, gold)]
        right = max(rights, key=lambda action: value(w, phi(pending, action)))
        wrong = max(wrongs, key=lambda action: value(w, phi(pending, action)))
        if value(w, phi(pending, wrong)) >= value(w, phi(pending, right)):
            for feature in phi(pending, right):
                w[feature] = w.get(feature, 0) + 1
            for feature in phi(pending, wrong):
                w[feature] = w.get(feature, 0) - 1
        pending.remove(arc(pending, right)[1])


# %% exercise="my_place"
def my_place(words, pending, i):
    """Return what is seen at the place between p_i and p_(i+1): a list of texts."""
    around = [words[pending[k]] if 0 <= k < len(pending) else ("-", "-") for k in range(i - 1, i + 4)]
    tags = [tag for _, tag in around]
    (_, tag1), (word2, tag2) = around[1:3]
    nouns = [word for word, tag in words[pending[i + 1] + 1 :] if tag == "NN"]  # behind p_(i+1), attached or not
    return [
        *place(words, pending, i),
        "around " + " ".join(tags),
        "behind " + " ".join(tags[1:]),
        f"noun behind {tag1} {tag2} {tags[3]} {nouns[0] if nouns else '-'}",
        f"before {tags[0]} {tag1} {word2}",
    ]


# %% exercise="beam_search"
def beam_search(n, labels, score, k):
    """Return the beams of n steps. `score(derivation, y)` is the score of the step that adds the label y."""
    beams = [[(0, ())]]
    for _ in range(n):
        successors = [(s + score(derivation, y), (*derivation, y)) for s, derivation in beams[-1] for y in labels]
        successors.sort(key=lambda pair: pair[0], reverse=True)
        beams.append(successors[:k])
    return beams


# %% exercise="update_at"
def early_update(beams, gold, gold_scores):
    """Return the step t of the early update, or None."""
    for t, beam in enumerate(beams):
        if gold[:t] not in [derivation for _, derivation in beam]:
            return t
    return len(gold) if beams[-1][0][1] != gold else None


def max_violation(beams, gold, gold_scores):
    """Return the step t at which the best of the beam is ahead of gold by most, or None."""
    steps = [t for t, beam in enumerate(beams) if beam[0][1] != gold[:t]]
    return max(steps, key=lambda t: beams[t][0][0] - gold_scores[t], default=None)
