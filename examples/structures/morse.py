"""A run of dots and dashes without gaps becomes letters. A part is a letter, where it begins, and the letter before."""

import sapwood

CODES = {"a": ".-", "c": "-.-.", "d": "-..", "e": ".", "h": "....", "i": "..", "l": ".-..", "n": "-.", "o": "---"}
CODES |= {"r": ".-.", "s": "...", "t": "-"}
WORDS = "cat hat the ten net nor east seat north stone these those three chair train trail store shore noise dance"


def features(run, part):
    _, letter, before = part
    return [letter, before + letter]


def search(run, score):
    best = {(0, "^"): (0.0, [])}  # end of a letter, and the letter -> the best score, and its parts
    for place in range(len(run)):
        for (_, before), (total, parts) in [each for each in best.items() if each[0][0] == place]:
            for letter, code in CODES.items():
                part, end = (place, letter, before), (place + len(code), letter)
                if run.startswith(code, place) and (end not in best or total + score(part) > best[end][0]):
                    best[end] = total + score(part), [*parts, part]
    return max((found for (end, _), found in best.items() if end == len(run)), key=lambda found: found[0])[1]


def keyed(word):
    """Return the run of a word, and its parts."""
    begins = [sum(len(CODES[letter]) for letter in word[:k]) for k in range(len(word))]
    return "".join(CODES[letter] for letter in word), list(zip(begins, word, "^" + word[:-1], strict=True))


if __name__ == "__main__":
    model = sapwood.structured(features, search, loss=lambda part, gold: 1, epochs=20)
    model.fit([keyed(word) for word in WORDS.split()])
    for word in ["north", "noise", "those"]:
        run, _ = keyed(word)
        print(run, "".join(letter for _, letter, _ in model.predict([run])[0]))
    print(f"F1 of parts: {model.evaluate([keyed(word) for word in WORDS.split()]).f1:.1f}")
