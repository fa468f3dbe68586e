"""Generated data of the lessons, the same everywhere for the same seed: tagged sentences, and texts as points.

The sentences are of a small English. Its words are ambiguous (a walk, to walk; the light, light rain), and sentences of
another seed have words that are new, whose endings tell their tags. The frequent words come first in each list.
"""

from random import Random

_WORDS = {
    "noun": """dog cat garden house river bird friend village window story table market mountain teacher forest bridge
        kitchen painter letter tower island farmer basket singer bottle lantern sailor meadow carpet gardener""",
    "verb": """bark jump open climb clean cook follow wait laugh sail gather repair mention frighten wander deliver
        discover whistle admire borrow""",
    "noun or verb": "walk talk paint watch dance plan light fish answer guard visit rain smile whisper dream touch",
    "adjective": """old small quick light quiet bright clean proud careful pale warm curious foolish grateful open calm
        generous cheerful""",
    "manner": "quick light quiet bright clean proud careful warm curious foolish grateful open calm generous cheerful",
    "determiner": "the a every this",
    "preposition": "in on with near after",
    "modal": "can will must",
}

Sentence = list[tuple[str, str]]  # words and their tags
Text = tuple[tuple[float, float, float], int]  # two measures and the constant 1; 1 for a spoken text, -1 for a written


def sentences(n: int, seed: int = 1) -> list[Sentence]:
    """Return n sentences of the seed.

    >>> for sentence in sentences(3):
    ...     print(" ".join(f"{word}/{tag}" for word, tag in sentence))
    clean/JJ farmers/NNS can/MD walk/VB cleanly/RB
    old/JJ villages/NNS dance/VBP a/DT quick/JJ clean/JJ old/JJ kitchen/NN cheerfully/RB
    windows/NNS repair/VBP
    """
    writer = _Writer(seed)
    return [writer.sentence() for _ in range(n)]


def texts(n: int, seed: int = 1, noise: float = 1.2) -> list[Text]:
    """Return n texts: how many pronouns and how many words their sentences have, compared with the mean, and a 1.

    Half of the texts are transcripts of speech, whose label is 1; their sentences have more pronouns and fewer words.

    >>> for x, y in texts(3):
    ...     print(x, y)
    (1.26, -0.47, 1.0) 1
    (1.03, -0.97, 1.0) 1
    (-0.69, -0.63, 1.0) 1
    """
    random, made = Random(seed).random, []
    for _ in range(n):
        y = 1 if random() < 0.5 else -1
        pronouns, words = (sum(random() - 0.5 for _ in range(6)) for _ in range(2))  # almost normally distributed
        made.append(((round(0.7 * y + noise * pronouns, 2), round(0.2 - 0.6 * y + noise * words, 2), 1.0), y))
    return made


class _Writer:
    """Draws sentences. Of Python's generator only `random` is used, whose numbers never change."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random

    def below(self, share: float) -> bool:
        return self.random() < share

    def word(self, kind: str) -> str:
        """Return a word of a kind; those at the beginning of the list are drawn more often."""
        words = _WORDS[kind].split()
        return words[int(len(words) * self.random() ** 1.4)]

    def sentence(self) -> Sentence:
        plural = self.below(0.35)
        return self.subject(plural) + self.predicate(plural)

    def subject(self, plural: bool) -> Sentence:
        """Return a subject, which may be a pronoun."""
        if self.below(0.25):
            return [("they" if plural else "she" if self.below(0.5) else "he", "PRP")]
        return self.phrase(plural)

    def phrase(self, plural: bool) -> Sentence:
        """Return a determiner, adjectives and a noun."""
        words: Sentence = []
        if not plural or self.below(0.5):
            words.append(("the" if plural else self.word("determiner"), "DT"))
        while self.below(0.35):
            words.append((self.word("adjective"), "JJ"))
        noun = self.word("noun or verb" if self.below(0.35) else "noun")
        words.append((_s(noun), "NNS") if plural else (noun, "NN"))
        if words[0][0] == "a" and words[1][0][0] in "aeiou":
            words[0] = ("an", "DT")
        return words

    def predicate(self, plural: bool) -> Sentence:
        """Return a verb, and what may follow: an object, an adverb, a prepositional phrase."""
        verb = self.word("noun or verb" if self.below(0.45) else "verb")
        form = self.random()
        if form < 0.35:
            words = [(verb, "VBP") if plural else (_s(verb), "VBZ")]
        elif form < 0.65:
            words = [(_ending(verb, "ed"), "VBD")]
        elif form < 0.85:
            words = [(self.word("modal"), "MD"), (verb, "VB")]
        else:
            words = [("are", "VBP") if plural else ("is", "VBZ"), (_ending(verb, "ing"), "VBG")]
        if self.below(0.5):
            words += self.phrase(self.below(0.35))
        if self.below(0.3):
            words.append((self.word("manner") + "ly", "RB"))
        while self.below(0.35):
            words += [(self.word("preposition"), "IN"), *self.phrase(self.below(0.35))]
        return words


def _s(word: str) -> str:
    return word + ("es" if word.endswith(("sh", "ch", "s")) else "s")


def _ending(word: str, ending: str) -> str:
    if word == "plan":
        return "plann" + ending
    return word.removesuffix("e") + ending
