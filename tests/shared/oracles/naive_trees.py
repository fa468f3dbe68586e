"""Scores of dependency trees, counted word by word and one at a time; nothing is clever here."""


def bucket(head, word):
    """The name of an arc's length."""
    distance = abs(head - word)
    if head == 0:
        return "root"
    return str(distance) if distance < 3 else "3-6" if distance < 7 else "7+"


def universal(deprel):
    return deprel.split(":")[0]


def is_content(deprel):
    return universal(deprel) not in ["aux", "case", "cc", "clf", "cop", "det", "mark", "punct"]


def words_of(gold, guess, tags):
    """One dict a word, with all that one could want to know."""
    return [
        {
            "length": len(a.heads),
            "tag": tag,
            "gold_head": a.heads[m - 1],
            "guess_head": b.heads[m - 1],
            "gold_deprel": a.deprels[m - 1],
            "guess_deprel": b.deprels[m - 1],
            "gold_distance": bucket(a.heads[m - 1], m),
            "guess_distance": bucket(b.heads[m - 1], m),
        }
        for a, b, upos in zip(gold, guess, tags, strict=True)
        for m, tag in enumerate(upos, start=1)
    ]


def share(words, is_right):
    return 100 * sum(map(is_right, words)) / len(words) if words else 0.0


def right_head(word):
    return word["gold_head"] == word["guess_head"]


def right_label(word):
    return word["gold_deprel"] == word["guess_deprel"]


def right_universal_label(word):
    return universal(word["gold_deprel"]) == universal(word["guess_deprel"])


def attachment(words):
    """UAS, LAS, LAS of universal deprels, label accuracy and CLAS."""
    gold = [word for word in words if is_content(word["gold_deprel"])]
    guessed = [word for word in words if is_content(word["guess_deprel"])]
    recall = share(gold, lambda word: right_head(word) and right_universal_label(word))
    precision = share(guessed, lambda word: right_head(word) and right_universal_label(word))
    return {
        "words": len(words),
        "uas": share(words, right_head),
        "las": share(words, lambda word: right_head(word) and right_label(word)),
        "universal_las": share(words, lambda word: right_head(word) and right_universal_label(word)),
        "label_accuracy": share(words, right_label),
        "clas": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
    }


def precision_and_recall(words, what, value):
    """Of the arcs whose deprel or distance, ``what``, has this value in the guess, and in gold."""
    guessed = [word for word in words if word[f"guess_{what}"] == value]
    gold = [word for word in words if word[f"gold_{what}"] == value]

    def is_right(word):
        return right_head(word) and word[f"gold_{what}"] == word[f"guess_{what}"]

    return share(guessed, is_right), share(gold, is_right)
