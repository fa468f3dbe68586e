"""Generated examples for classifiers, used where there is no corpus: reviews, and a word of several senses in context.

Some words are drawn with probabilities that depend on the class, most are not. So neither task is learned without
mistakes. The examples show that everything works, and nothing about language.
"""

import random
from collections.abc import Iterator

_SYLLABLES = ("ba", "do", "ki", "lu", "me", "no", "pa", "ri", "so", "tu", "ve", "zi")
_SHARED = 1500  # words whose probability does not depend on the class
_TELLING = 60  # words of each class


def _words(count: int, generator: random.Random) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(generator.choices(_SYLLABLES, k=generator.randint(2, 4)))] = None
    return list(words)


def generate_reviews(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield (text, label): first the "neg" half of `count` reviews, then the "pos" half."""
    generator = random.Random(seed)
    words = _words(_SHARED + 2 * _TELLING, generator)
    shared, telling = words[:_SHARED], (words[_SHARED : _SHARED + _TELLING], words[_SHARED + _TELLING :])
    for k in range(count):
        side = k >= count // 2
        text = []
        for _ in range(generator.randint(30, 90)):
            if generator.random() < 0.1:
                text.append(generator.choice(telling[side if generator.random() < 0.7 else 1 - side]))
            else:
                text.append(shared[min(int(generator.expovariate(0.004)), _SHARED - 1)])
        yield " ".join(text), ("neg", "pos")[side]


def generate_senses(count: int, seed: int) -> Iterator[tuple[list[tuple[str, str]], int, str]]:
    """Yield (pairs of token and tag, index of the marked token, sense). The first of the three senses is frequent."""
    generator = random.Random(seed)
    words = _words(_SHARED + 3 * _TELLING, generator)
    for _ in range(count):
        sense = generator.choices((0, 1, 2), weights=(6, 3, 1))[0]
        tokens = [
            (words[min(int(generator.expovariate(0.004)), _SHARED - 1)], "NN") for _ in range(generator.randint(8, 24))
        ]
        marked = generator.randrange(len(tokens))
        tokens[marked] = ("target", "NN")
        start = _SHARED + sense * _TELLING
        for offset in (-2, -1, 1, 2):
            at = marked + offset
            if 0 <= at < len(tokens) and generator.random() < 0.5:
                tokens[at] = (
                    words[start + min(int(generator.expovariate(0.1)), _TELLING - 1)],
                    ("JJ", "VB", "IN")[sense],
                )
        yield tokens, marked, f"sense_{sense + 1}"
