"""The words of the generated language: spelling, inflection, derivation and closed classes.

A corpus of any size needs a vocabulary that never ends, and a test set has to be in the same language as its training
set whatever the seed of either. Both follow when a word is a *function*: the open class ``c`` has a word of rank 0, 1,
2, ... without end, and the word is computed from ``(c, rank)`` by mixing bits and spelling them in syllables. Nothing
is stored, and rank 7 of a class is the same word in every corpus. To draw a word is to draw a rank.

Ranks follow Zipf's law as Mandelbrot amended it, ``p(r) ~ (q + r) ** -1.5``. The probability of a
rank of at least ``r`` is ``(q / (q + r)) ** 0.5``, which inverts in closed form: ``rank = q / u**2 - q``
for a uniform ``u``. That takes no table, and only multiplication and division, which every machine
rounds alike (a power function may not). The open tail keeps unknown words coming in test data.

Spelling tells a learner something about the tag, but not everything, as in English. ``-s`` is a plural or a verb,
``-ed`` a past tense, a participle or an adjective, ``-ing`` a verb, a noun or an adjective, ``-er`` a noun or a
comparative. Many verbs are spelled like the noun of the same rank, some adjectives are spelled like nouns, some adverbs
like adjectives, some names like nouns, and the commonest verbs are irregular.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

NOUNS = ("person", "thing", "idea", "event", "place")
VERBS = ("act", "make", "give", "say", "want", "go", "turn", "seem")
# The Mandelbrot offset q of a class: the greater, the flatter its head and the longer its tail.
SCALE = {
    "person": 9.0, "thing": 13.0, "idea": 10.0, "event": 9.0, "place": 6.0,
    "act": 9.0, "make": 6.0, "give": 3.0, "say": 3.0, "want": 3.0, "go": 6.0, "turn": 3.0, "seem": 2.0,
    "first": 6.0, "last": 16.0, "town": 6.0, "firm": 10.0, "quality": 14.0, "manner": 6.0,
    "digits": 8.0, "compound": 20.0,
}  # fmt: skip
_SPACE = {name: number for number, name in enumerate(SCALE)}


def weights(text: str) -> list[tuple[str, float]]:
    """Read a text of words, each followed by its weight."""
    words = text.split()
    return [(word, float(weight)) for word, weight in zip(words[::2], words[1::2], strict=True)]


def _table(text: str) -> list[str]:
    """Return a list to pick from by some bits. Each word is repeated as often as its weight says."""
    return [word for word, weight in weights(text) for _ in range(int(weight))]


_ONSETS = _table("""
    b 3 bl 1 br 1 c 3 ch 1 cl 1 cr 1 d 3 dr 1 f 2 fl 1 fr 1 g 2 gl 1 gr 1 h 3 j 1 k 1 kn 1 l 3 m 4 n 3
    p 3 pl 1 pr 1 qu 1 r 3 s 4 sc 1 sk 1 sl 1 sm 1 sn 1 sp 1 st 2 str 1 sw 1 t 3 th 1 tr 1
    v 2 w 2 y 1 z 1
""")
_VOWELS = _table("""
    a 12 e 13 i 12 o 10 u 7 ai 2 au 1 ea 2 ee 2 ei 1 ie 1 oa 1 oo 2 ou 2 é 1 å 1 ö 1
""")
_CODAS = _table("""
    . 6 b 1 d 2 ft 1 k 1 l 3 ld 1 ll 1 lt 1 m 2 mp 1 n 5 nd 2 ng 1 nk 1 nt 1 p 1 r 4 rd 1 rk 1
    rm 1 rn 1 rt 1 s 2 sh 1 sk 1 ss 1 st 1 t 4 th 1 w 1 x 1 y 1
""")
_FROM_VERB = _table("er 2 or 1 ment 1 tion 2 ing 1 ance 1 al 1")
_FROM_QUALITY = _table("ness 1 ity 1 ism 1 y 1")
_VERBAL = _table("ize 1 ify 1 ate 1 en 1")
_ADJECTIVAL = _table("al 2 ous 1 ive 1 able 1 y 2 ic 1 ful 1 less 1 ary 1 ish 1")
_FAMILY = _table("son 1 berg 1 ton 1 ley 1 er 1 a 1 o 1 ini 1 ez 1 ers 1")
_DIGITS = _table("two 1 three 1 four 1 five 1 six 1 seven 1 eight 1 ten 1 twelve 1 twenty 1")
_MOVERS = ("act", "act", "make", "go")  # the verbs that nouns are made from
_DIALECT = 1_476_004_428  # determines the vocabulary; the common words of this one are inoffensive
_MASK = (1 << 64) - 1


def _mix(number: int) -> int:
    """Scatter a number over 64 bits (the finaliser of SplitMix64)."""
    z = (number + 0x9E3779B97F4A7C15) & _MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)


def _number(word_class: str, rank: int) -> int:
    """Return the bits that a word of a class is made from."""
    return _mix((_DIALECT + rank) * 32 + _SPACE[word_class])


def _pick(bits: int, table: Sequence[str]) -> str:
    return table[bits % len(table)]


def _root(word_class: str, rank: int) -> str:
    """Spell the root of a rank: one syllable for the commonest, more for the rarer."""
    bits = _number(word_class, rank)
    syllables = min(5, max(1, (rank.bit_length() + (bits & 3)) // 4))
    word = ""
    for _ in range(syllables - 1):
        word += _pick(bits, _ONSETS) + _pick(bits >> 7, _VOWELS)
        bits = _mix(bits)
    return word + _pick(bits, _ONSETS) + _pick(bits >> 7, _VOWELS) + _pick(bits >> 13, _CODAS).strip(".")


def _fate(purpose: int, word_class: str, rank: int) -> tuple[int, int]:
    """Return a number below 100 that decides how a word is formed, and bits for the details."""
    bits = _mix(_number(word_class, rank) + purpose)
    return bits % 100, bits >> 8


def _noun(word_class: str, rank: int) -> str:
    fate, bits = _fate(1, word_class, rank)
    if fate < 20:
        verb = _verb(_pick(bits, _MOVERS), rank)
        return _attach(verb, _pick(bits >> 4, _FROM_VERB))
    if fate < 30:
        return _attach(_root("quality", rank), _pick(bits, _FROM_QUALITY))
    return _root(word_class, rank)


def _verb(word_class: str, rank: int) -> str:
    fate, bits = _fate(2, word_class, rank)
    if fate < 62:
        return _root(_pick(bits, NOUNS), rank)
    if fate < 72:
        return _attach(_root(word_class, rank), _pick(bits, _VERBAL))
    return _root(word_class, rank)


def _adjective(word_class: str, rank: int) -> str:
    if word_class == "compound":
        return _compound(word_class, rank)
    fate, bits = _fate(3, word_class, rank)
    if fate < 20:
        return _root(_pick(bits, NOUNS), rank)
    if fate < 28:
        return _past(_pick(bits, VERBS), rank)
    if fate < 34:
        return _attach(_verb(_pick(bits, VERBS), rank), "ing")
    if fate < 60:
        return _attach(_root(word_class, rank), _pick(bits, _ADJECTIVAL))
    return _root(word_class, rank)


def _adverb(word_class: str, rank: int) -> str:
    fate, _ = _fate(4, word_class, rank)
    if fate < 76:
        return _attach(_adjective("quality", rank), "ly")
    if fate < 88:
        return _adjective("quality", rank)
    return _root(word_class, rank)


def _name(word_class: str, rank: int) -> str:
    fate, bits = _fate(5, word_class, rank)
    word = _root(_pick(bits, NOUNS) if fate < 22 else word_class, rank)
    if 22 <= fate < 45:
        word += _pick(bits, _FAMILY)
    return word[0].upper() + word[1:]


def _numeral(word_class: str, rank: int) -> str:
    """Write a number: a small one, a year, a price, or a long one with commas."""
    fate, bits = _fate(6, word_class, rank)
    if fate < 30:
        return str(rank % 100)
    if fate < 50:
        return str(1900 + bits % 130)
    if fate < 75:
        return f"{bits % 200}.{(bits >> 10) % 100}"
    return f"{1 + bits % 900},{(bits >> 10) % 1000:03d}" + ",000" * (bits >> 20 & 1)


def _compound(word_class: str, rank: int) -> str:
    """Join two words by a hyphen, as in *state-owned*, *two-year*, *high-speed*."""
    fate, bits = _fate(7, word_class, rank)
    noun, common = _noun(_pick(bits, NOUNS), rank), bits >> 16 & 63
    if fate < 40:
        return f"{noun}-{_past(_pick(bits >> 5, VERBS), common)}"
    if fate < 70:
        return f"{_pick(bits >> 5, _DIGITS)}-{_noun('thing', common)}"
    return f"{_adjective('quality', common)}-{noun}"


def _attach(stem: str, suffix: str) -> str:
    """Add a suffix that starts with a vowel or a consonant, keeping the spelling pronounceable."""
    if suffix[0] in "aeiouy" and stem[-1] == "e":
        return stem[:-1] + suffix
    if stem[-1] == "y" and len(stem) > 2 and stem[-2] not in "aeiou" and suffix[0] != "i":
        return stem[:-1] + "i" + suffix
    return stem + suffix


def _with_s(stem: str) -> str:
    if stem.endswith(("s", "x", "z", "ch", "sh")):
        return stem + "es"
    return _attach(stem, "es") if stem[-1] == "y" and stem[-2] not in "aeiou" else stem + "s"


def _irregular(stem: str, bits: int) -> str:
    """Change the last vowel, as in *sing, sang*."""
    for place in range(len(stem) - 1, -1, -1):
        if stem[place] in "aeiou":
            return stem[:place] + _pick(bits, "aoue") + stem[place + 1 :]
    return stem


def _past(word_class: str, rank: int) -> str:
    fate, bits = _fate(8, word_class, rank)
    stem = _verb(word_class, rank)
    if rank < 200 and fate < 40:
        return stem if fate < 10 else _irregular(stem, bits)
    return _attach(stem, "ed")


def _participle(word_class: str, rank: int) -> str:
    fate, _ = _fate(8, word_class, rank)
    if rank < 200 and 10 <= fate < 18:
        return _attach(_verb(word_class, rank), "en")
    return _past(word_class, rank)


# The function that spells the word of a class and rank, for each tag of the open classes.
FORMS: dict[str, Callable[[str, int], str]] = {
    "NN": _noun,
    "NNS": lambda word_class, rank: _with_s(_noun(word_class, rank)),
    "VB": _verb,
    "VBP": _verb,
    "VBZ": lambda word_class, rank: _with_s(_verb(word_class, rank)),
    "VBD": _past,
    "VBN": _participle,
    "VBG": lambda word_class, rank: _attach(_verb(word_class, rank), "ing"),
    "JJ": _adjective,
    "JJR": lambda word_class, rank: _attach(_adjective(word_class, rank), "er"),
    "JJS": lambda word_class, rank: _attach(_adjective(word_class, rank), "est"),
    "RB": _adverb,
    "NNP": _name,
    "NNPS": lambda word_class, rank: _with_s(_name(word_class, rank)),
    "CD": _numeral,
}

# The closed classes: tag and, after the dot, its role; then words and their weights.
_CLOSED = Path(__file__).with_name("closed_classes.txt").read_text(encoding="utf-8")
CLOSED = dict(line.split(" ", 1) for line in _CLOSED.splitlines())
