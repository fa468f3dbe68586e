"""The words of a sentence and of its translation find each other. A part is a pair of two places."""

import random

import sapwood

ENGLISH = ["the", "black", "cat", "dog", "sees", "chases", "big", "house", "a", "small", "bird", "hears"]
GERMAN = ["die", "schwarze", "Katze", "Hund", "sieht", "jagt", "große", "Haus", "ein", "kleine", "Vogel", "hört"]


def features(pair, part):
    (english, german), (i, j) = pair, part
    return [f"{english[i]} = {german[j]}", f"{j - i:+d} places"]


def search(pair, score):
    """Link the two words with the highest score, then the next two, until a sentence is used up."""
    english, german = pair
    left = sorted(((i, j) for i in range(len(english)) for j in range(len(german))), key=score, reverse=True)
    links = []
    while left:
        links.append(left[0])
        left = [(i, j) for i, j in left if i != links[-1][0] and j != links[-1][1]]
    return sorted(links)


def corpus(count, seed):
    """Return pairs of sentences, in which words are not in the same order, and their links."""
    draw, pairs, links = random.Random(seed), [], []
    for _ in range(count):
        words = draw.sample(range(len(ENGLISH)), draw.randint(2, 6))
        order = sorted(range(len(words)), key=lambda k: k + draw.choice([0, 0, 1.5]))
        pairs.append(([ENGLISH[w] for w in words], [GERMAN[words[k]] for k in order]))
        links.append(sorted((k, order.index(k)) for k in range(len(words))))
    return pairs, links


if __name__ == "__main__":
    model = sapwood.structured(features, search, epochs=5).fit(*corpus(60, seed=1))
    pairs, links = corpus(40, seed=2)
    (english, german), found = pairs[0], model.predict(pairs)[0]
    print(", ".join(f"{english[i]} = {german[j]}" for i, j in found))
    print(f"F1 of parts: {model.evaluate(pairs, links).f1:.1f}")
