"""Forms of words that treebanks have few of: contractions of what they spell out, regular pasts, irregular forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recipes.en.typed_rows import DEPREL, FORM, MISC, UPOS, XPOS, Sentence, in_token


def past_of(verb: str) -> str:
    """Return the past of a regular verb: text, texted; blog, blogged; panic, panicked; phone, phoned; cry, cried."""
    vowels = "aeiou"
    if verb[-1] == "e":
        return verb + "d"
    if verb[-1] == "c":
        return verb + "ked"
    if verb[-1] == "y" and verb[-2] not in vowels:
        return verb[:-1] + "ied"
    short = sum(letter in vowels for letter in verb) == 1 and verb[-2] in vowels and verb[-1] not in vowels + "wxy"
    return verb + verb[-1] * short + "ed"


def is_irregular(form: str, lemma: str, upos: str) -> bool:
    """Return true if it is a past or plural that no rule of spelling makes of its lemma."""
    if upos == "VERB":
        made = form.endswith(("s", "ing")) or form in (past_of(lemma), lemma + "ed", lemma + lemma[-1] + "ed", lemma)
        return not made
    regular = (lemma, lemma + "s", lemma + "es", lemma.removesuffix("y") + "ies", lemma + lemma[-1] + "es")
    return form not in regular or (form == lemma + "es" and lemma.endswith("s"))


def past_tags(form: str, forms: Iterable[str]) -> tuple[str, str]:
    """Return the tags of an irregular form of a verb, one of its `forms`: past, participle, or both."""
    if form.endswith(("n", "ne")):
        return "VBN", "VBN"
    return ("VBD", "VBD") if any(each.endswith(("n", "ne")) for each in forms) else ("VBD", "VBN")


_CLITICS = {"is": "'s", "has": "'s", "had": "'d", "would": "'d"}


def contractions(sentence: Sentence) -> Iterator[tuple[str, bool, Sentence]]:
    """Yield the sentence with a verb contracted, the verb, and whether a noun is its subject."""
    for k, row in enumerate(sentence):
        verb = row[FORM]
        if k == 0 or verb not in _CLITICS or row[UPOS] != "AUX" or k + 2 >= len(sentence):
            continue
        before = sentence[k - 1]
        if (
            before[MISC] != "_"
            or "-" in before[0]
            or in_token(sentence, k - 2)
            or sentence[k + 1][UPOS] in ("PUNCT", "PART")
        ):
            continue
        is_noun = before[UPOS] in ("NOUN", "PROPN") and before[FORM][-1] != "s" and before[DEPREL].startswith("nsubj")
        is_pronoun = (
            before[XPOS] in ("PRP", "WP", "EX", "DT")
            and before[UPOS] == "PRON"
            and before[DEPREL].startswith(("nsubj", "expl"))
        )
        if not (is_pronoun or (is_noun and verb in ("is", "has"))):
            continue
        if verb == "has" and not sentence[k + 1][XPOS].startswith(("VBN", "RB")):
            continue
        made = [each.copy() for each in sentence]
        made[k][FORM] = _CLITICS[verb]
        made.insert(k - 1, ["1-2", before[FORM] + _CLITICS[verb], *["_"] * 7, row[MISC]])
        yield verb, is_noun, made
