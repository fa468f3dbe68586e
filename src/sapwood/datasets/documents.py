"""Generated examples for classifiers, used where there is no corpus: reviews, and texts on several topics.

Some words are drawn with probabilities that depend on the class, most are not. So neither task is learned without
mistakes. The examples show that everything works, and nothing about language.
"""

import os
import random
from collections.abc import Iterable, Iterator, Sequence

from sapwood.base.writing import make_folder, write_text
from sapwood.errors import OptionError

_SYLLABLES = ("ba", "do", "ki", "lu", "me", "no", "pa", "ri", "so", "tu", "ve", "zi")
SHARED = 1500  # words whose probability does not depend on the class
TELLING = 60  # words of each class
_TOPICS = ("news", "money", "sport", "music", "travel", "food")


def made_words(count: int, generator: random.Random) -> list[str]:
    """Return so many different words, made of syllables."""
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(generator.choices(_SYLLABLES, k=generator.randint(2, 4)))] = None
    return list(words)


def frequent_word(words: list[str], generator: random.Random) -> str:
    """Draw one of the words that do not depend on the class."""
    return words[min(int(generator.expovariate(0.004)), SHARED - 1)]


def generate_reviews(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield (text, label): first the "neg" half of `count` reviews, then the "pos" half."""
    generator = random.Random(seed)
    words = made_words(SHARED + 2 * TELLING, generator)
    shared, telling = words[:SHARED], (words[SHARED : SHARED + TELLING], words[SHARED + TELLING :])
    for k in range(count):
        side = k >= count // 2
        text = []
        for _ in range(generator.randint(30, 90)):
            if generator.random() < 0.1:
                text.append(generator.choice(telling[side if generator.random() < 0.7 else 1 - side]))
            else:
                text.append(frequent_word(shared, generator))
        yield " ".join(text), ("neg", "pos")[side]


def generate_topics(count: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Yield (text, labels): none to five of six topics; every second text has the first one, the last is rare."""
    generator = random.Random(seed)
    words = made_words(SHARED + len(_TOPICS) * TELLING, generator)
    for _ in range(count):
        labels = [t for t in range(len(_TOPICS)) if generator.random() < 0.5 / (t + 1)][:5]
        text = []
        for _ in range(generator.randint(30, 90)):
            draw = generator.random()
            if draw < 0.15 and labels:
                topic = generator.choice(labels)
            elif draw < 0.2:
                topic = generator.randrange(len(_TOPICS))  # a word that misleads
            else:
                text.append(frequent_word(words, generator))
                continue
            text.append(words[SHARED + topic * TELLING + generator.randrange(TELLING)])
        yield " ".join(text), [_TOPICS[t] for t in labels]


def write_texts(kind: str, folder: str | os.PathLike[str], count: int, seed: int = 1) -> dict[str, int]:
    """Write train.txt, dev.txt and test.txt of generated "reviews" or "topics" and return their sizes.

    A line is __label__LABEL for each label, and a text. A tenth each is for dev and test. Raises OptionError for fewer
    than three texts and DataError if a file cannot be written.
    """
    if count < 3:
        raise OptionError(f"there are {count} {kind}; three splits need at least 3")
    examples: Iterable[tuple[str, Sequence[str]]] = generate_topics(count, seed)
    if kind == "reviews":
        examples = ((text, [label]) for text, label in generate_reviews(count, seed))
    lines = ["".join(f"__label__{label} " for label in labels) + f"{text}\n" for text, labels in examples]
    random.Random(seed).shuffle(lines)
    tenth = max(1, len(lines) // 10)
    parts = {"train": lines[2 * tenth :], "dev": lines[:tenth], "test": lines[tenth : 2 * tenth]}
    made = make_folder(folder)
    for name, part in parts.items():
        write_text(made / f"{name}.txt", "".join(part), named=False)
    return {name: len(part) for name, part in parts.items()}
