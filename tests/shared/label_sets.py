"""What the tests of classifiers of several labels share: generated texts with their sets of labels."""

import random

OPTIONS = {"multi_label": True, "min_updates": 1, "bits": 32}
WORDS = {"sport": "ball goal", "money": "bank cash", "art": "paint song"}


def generated(count=200, seed=1):
    """Texts with words of each of their labels, mixed with words of none and a few that mislead; and the labels."""
    generator = random.Random(seed)
    texts, labels = [], []
    for _ in range(count):
        mine = [label for label in WORDS if generator.random() < (0.2 if label == "art" else 0.5)]
        words = [word for label in mine for word in WORDS[label].split() if generator.random() < 0.7]
        words += generator.choices(["the", "a", "of", *" ".join(WORDS.values()).split()], k=4)
        generator.shuffle(words)
        texts.append(" ".join(words))
        labels.append(mine)
    return texts, labels


TEXT, SETS = generated()
PAIRS = list(zip(TEXT, SETS, strict=True))
NEW, NEW_SETS = generated(60, seed=2)
