"""Where extended grapheme clusters go on: Unicode Standard Annex #29, GB6 to GB13, by Python's table of characters."""

import unicodedata

ZWJ = "\u200d"
PREFIXES = "\u0600\u0601\u0605\u06dd\u070f\u08e2\u0d4e\U000110bd\U000111c2"  # of Grapheme_Cluster_Break=Prepend
FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_HANGUL = {  # the parts of a syllable: first consonants, vowels, last consonants
    "L": (("\u1100", "\u115f"), ("\ua960", "\ua97c")),
    "V": (("\u1160", "\u11a7"), ("\ud7b0", "\ud7c6")),
    "T": (("\u11a8", "\u11ff"), ("\ud7cb", "\ud7fb")),
}
_MORE = (("\u200c", "\u200d"), ("\U0001f3fb", "\U0001f3ff"), ("\U000e0020", "\U000e007f"))  # that extend, beside marks
_EMOJI = (("\u2600", "\u27bf"), ("\U0001f300", "\U0001f3fa"), ("\U0001f400", "\U0001faff"))


def inside(text: str) -> set[int]:
    """Return the places in a text at which a cluster goes on, but for those beside a space, which ends tokens."""
    return {k for k in range(1, len(text)) if not text[k - 1].isspace() and not text[k].isspace() and goes_on(text, k)}


def extends(character: str) -> bool:
    """Return true for what belongs to any character before it: marks, joiners, skin tones, tags."""
    return unicodedata.category(character)[0] == "M" or _is_in(_MORE, character)


def goes_on(text: str, k: int) -> bool:
    """Return true if there is no boundary between two characters of a text, neither of which is a space."""
    after = text[k]
    begin = k  # of the marks before the place
    while begin > 0 and extends(text[begin - 1]):
        begin -= 1
    base, marks = text[begin - 1 : begin], text[begin:k]
    letters = k - len(text[:k].rstrip(FLAG_LETTERS))
    return (
        extends(after)
        or text[k - 1] in PREFIXES
        or _hangul(text[k - 1]) + _hangul(after) in ("LL", "LV", "LS", "LF", "SV", "ST", "VV", "VT", "FT", "TT")
        or (marks.endswith(ZWJ) and _is_emoji(base) and _is_emoji(after))
        or ("\u094d" in marks and "\u200c" not in marks and _is_devanagari(base) and _is_devanagari(after))
        or (letters % 2 == 1 and after in FLAG_LETTERS)
    )


def _is_in(ranges: tuple[tuple[str, str], ...], character: str) -> bool:
    return any(first <= character <= last for first, last in ranges)


def _hangul(character: str) -> str:
    """Return the part of a syllable that a character is; S for two of them, F for all three."""
    if "\uac00" <= character <= "\ud7a3":
        return "SF"[len(unicodedata.normalize("NFD", character)) - 2]
    return next((part for part, ranges in _HANGUL.items() if _is_in(ranges, character)), "")


def _is_emoji(character: str) -> bool:
    return character != "" and (character in "©®‼⁉™ℹ↔⌚⬛⭐〰㊗" or _is_in(_EMOJI, character))


def _is_devanagari(character: str) -> bool:
    return "\u0915" <= character <= "\u0939"  # consonants
