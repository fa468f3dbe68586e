"""English as people type it, made out of the sentences of a treebank: what its texts have little of.

Lists, sentences without a space between them, notes in brackets, capitals, odd apostrophes, emoji,
contractions ("the soup's ready", "he's been", "they'd left") that the treebank spells out, "sooo", and the templates of
typed_templates.txt, in which abbreviations, numbers and addresses stand among words. All is in CoNLL-U, in random
order, the same each time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from recipes.en.typed_forms import contractions, is_irregular, past_of, past_tags
from recipes.en.typed_rows import (
    FORM,
    LEMMA,
    MISC,
    UPOS,
    XPOS,
    Sentence,
    Text,
    closed,
    ended,
    in_token,
    is_odd,
    paragraphs_of,
    set_gap,
    with_gap,
    word_row,
)
from recipes.en.typed_templates import Words
from sapwood import _core
from sapwood.io.lexicons import LexiconEntry

_HERE = Path(__file__).parent
_ENDS = (".", "!", "?")
_SIGNS = ("-", "*", "•", "–", "—", "+", "·", "▪", "→", "►", "✓", "#", "○")
_APOSTROPHES = ("'", "’", "`", "´")


class Typed:
    """The sentences of a treebank, as people would have typed them."""

    def __init__(self, treebank: _core.Conllu, seed: int = 1) -> None:
        self.draw = random.Random(seed)
        self.paragraphs = list(paragraphs_of(treebank))
        self.sentences = [sentence for paragraph in self.paragraphs for sentence in paragraph]
        self.short = [s for s in self.sentences if 2 <= len(s) <= 12 and not is_odd(s)]
        self.words = Words(self.sentences)

    def layout(self, times: int) -> Iterator[Text]:
        """Yield what is about spaces and line ends, for a segmenter: lists, glued ends, notes, emoji."""
        for _ in range(times):
            yield self._list()
            yield self._glued()
            yield self._noted()
            yield self._beside()
            yield self._with_emoji()

    def clitics(self, times: int) -> Iterator[Text]:
        """Yield contractions in capitals and with other apostrophes, for a segmenter and a splitter."""
        with_clitics = [s for s in self.sentences if any("-" in row[0] for row in s) and len(s) <= 30]
        for sentence in self.draw.sample(with_clitics, min(times, len(with_clitics))):
            shown = [row.copy() for row in sentence]
            mark = self.draw.choice(_APOSTROPHES)
            case = self.draw.choice((str.upper, str.upper, str.capitalize, str.lower))
            for row in shown:
                row[FORM] = row[FORM].replace("'", mark)
                if case is not str.capitalize:
                    row[FORM] = case(row[FORM])
            yield [shown]

    def capitals(self, times: int, *, names: bool) -> Iterator[Text]:
        """Yield short sentences in capitals; without `names`, whose lemmas may be in capitals or not, if wanted."""
        short = [s for s in self.short if names or all(row[UPOS] != "PROPN" for row in s)]
        for sentence in self.draw.sample(short, times):
            shown = [row.copy() for row in sentence]
            for row in shown:
                row[FORM] = row[FORM].upper()
            yield [shown]

    def contracted(self, most: int) -> Iterator[Text]:
        """Yield sentences in which "is", "has", "had" and "would" are written as 's and 'd behind their subjects."""
        found = [made for sentence in self.sentences for made in contractions(sentence)]
        self.draw.shuffle(found)
        kinds: Counter[tuple[str, bool]] = Counter()
        for verb, is_noun, sentence in found:
            kinds[verb, is_noun] += 1
            if kinds[verb, is_noun] <= most:
                yield self._curled([sentence])

    def templates(self, times: int) -> Iterator[Text]:
        """Yield the templates of typed_templates.txt, each so often, with words in their slots."""
        lines = (_HERE / "typed_templates.txt").read_text(encoding="utf-8").splitlines()
        for line in lines:
            if line and not line.startswith("##"):
                for _ in range(times):
                    yield self._curled(self.words.filled(line, self.draw))

    def lexicon(self, entries: Sequence[LexiconEntry], frequencies: Mapping[str, float], most: int) -> Iterator[Text]:
        """Yield short sentences with the irregular forms of a lexicon, and with verbs made of nouns, for a lemmatizer.

        frequencies : of words in some text, by which the commonest ones are taken
        """
        verbs = {entry.lemmas[0] for entry in entries if entry.upos == "VERB"}
        irregular: dict[str, list[tuple[str, str]]] = {"VERB": [], "NOUN": []}
        for form, upos, lemmas in entries:
            lemma = min(lemmas, key=lambda each: "-" in each)
            if upos not in irregular or not form.isalpha() or form != form.lower():
                continue
            if lemma.endswith("ick") and lemma[:-1] in verbs:  # mimicked, of which some lexicons say mimick
                irregular[upos].append((form, lemma[:-1]))
            elif is_irregular(form, lemma, upos):
                irregular[upos].append((form, lemma))
        forms: dict[str, list[str]] = {}
        for form, lemma in irregular["VERB"]:
            forms.setdefault(lemma, []).append(form)
        for upos, pairs in irregular.items():
            for form, lemma in sorted(pairs, key=lambda pair: (-frequencies.get(pair[0], -99.0), pair))[:most]:
                # A lemmatizer remembers what it has seen twice.
                for xpos in past_tags(form, forms[lemma]) if upos == "VERB" else ("NNS", "NNS"):
                    yield self.words.around(form, upos, xpos, lemma, self.draw)
        nouns = [noun for noun in self.words.of_tag["NN"] if 3 <= len(noun) <= 7 and noun.islower()]
        for noun in self.draw.sample(nouns, min(most, len(nouns))):
            yield self.words.around(past_of(noun), "VERB", "VBD", noun, self.draw)

    def lengthened(self) -> Iterator[Text]:
        """Yield common short words whose last letter is drawn out, "sooo" and "VERYYYY", for a lemmatizer."""
        rows = Counter((row[FORM], row[UPOS], row[XPOS], row[LEMMA]) for s in self.sentences for row in s)
        for (form, upos, xpos, lemma), count in sorted(rows.items()):
            is_word = form == lemma == form.lower() and form.isalpha() and 2 <= len(form) <= 6
            if is_word and count >= 15 and xpos in ("RB", "JJ", "UH"):
                for times in (2, 3, 4, 5):
                    case = self.draw.choice((str.lower, str.lower, str.capitalize, str.upper))
                    yield [[word_row(case(form + form[-1] * times), upos, xpos, lemma)]]

    def _curled(self, text: Text) -> Text:
        """Return the text with curly apostrophes in two cases of five."""
        if self.draw.random() < 0.4:
            for row in (row for sentence in text for row in sentence):
                row[FORM] = row[FORM].replace("'", "’")
        return text

    def _list(self) -> Text:
        draw = self.draw
        kind, count = draw.randrange(9), draw.randint(2, 6)
        sign, end = draw.choice(_SIGNS), draw.choice(("", "", "", ",", ";", "."))
        closing = draw.choice(").")
        letters = "abcdefgh" if draw.random() < 0.7 else "ABCDEFGH"
        roman = ["i", "ii", "iii", "iv", "v", "vi", "vii"]
        marks = [
            *[[[sign] for _ in range(count)]] * 3,
            *[[[str(n), "."] for n in range(1, count + 1)]] * 2,
            [[str(n), ")"] for n in range(1, count + 1)],
            [["(", str(n), ")"] for n in range(1, count + 1)],
            [[letters[n], closing] for n in range(count)],
            [["(", letters[n], ")"] for n in range(count)],
            [[roman[n].upper() if letters == "ABCDEFGH" else roman[n], "."] for n in range(count)],
        ][kind]
        text: Text = []
        if draw.random() < 0.6:
            heading = ended(draw.choice(self.short), draw.choice(("", ":", ":")))
            # The core knows items of lists by their lines, so a heading may be right above them.
            text.append(with_gap(heading, "\\n" * draw.choice((1, 1, 2))))
        for mark in marks:
            item = ended(draw.choice(self.short), end)
            if draw.random() < 0.5 and item[0][UPOS] not in ("PROPN", "_") and item[0][FORM] != "I":
                item[0][FORM] = item[0][FORM].lower()
            if draw.random() < 0.15:
                item.insert(0, word_row(draw.choice(self.words.lists["emoji"]), "SYM"))
            first = [word_row(form, "PUNCT", after="No") for form in mark]
            first[-1][MISC] = "_"
            text.append(with_gap([*first, *item], "\\n" + ("\\s\\s" if draw.random() < 0.2 else "")))
        set_gap(text[-1], "SpacesAfter=\\n\\n")
        return text

    def _glued(self) -> Text:
        one, two = self._pair(lambda s: s[-1][FORM] in _ENDS and s[-2][FORM][-1].isalpha())
        one[-1][MISC] = "SpaceAfter=No"
        if two[0][UPOS] not in ("PRON", "DET", "ADV") or self.draw.random() < 0.5:
            one[-1][FORM] = self.draw.choice(("!", "!", "?", "!!", "..."))  # a full stop may be one of a name: Node.js
        return [one, two]

    def _noted(self) -> Text:
        one, two = self._pair(lambda s: s[-1][FORM] == ".")
        notes = [str(self.draw.randint(1, 99)) for _ in range(self.draw.choice((1, 1, 1, 2)))]
        marks = [word_row(form, "PUNCT", after="No") for note in notes for form in ("[", note, "]")]
        marks[-1][MISC] = "_"
        commas = [k for k, row in enumerate(one) if row[FORM] == ","]
        if commas and self.draw.random() < 0.4:
            place = commas[0]
            one[place][MISC] = "SpaceAfter=No"
            return [[*one[: place + 1], *marks, *one[place + 1 :]], two]
        one[-1][MISC] = "SpaceAfter=No"
        return [[*one, *marks], two]

    def _beside(self) -> Text:
        one, two = self._pair(lambda s: s[-1][FORM] in _ENDS)
        if self.draw.random() < 0.5:
            opening, closing = self.draw.choice(("()", '""', "“”", "«»", "[]"))
            return [[word_row(opening, "PUNCT", after="No"), *closed(one, closing)], [
                word_row(opening, "PUNCT", after="No"), *closed(two, closing)]]  # fmt: skip
        one[-1][FORM] = "?"
        first = [word_row("-", "PUNCT")] if self.draw.random() < 0.5 else []
        return [[*first, *one], [word_row(self.draw.choice("-–—"), "PUNCT"), *two]]

    def _with_emoji(self) -> Text:
        draw = self.draw
        one, two = self._pair(lambda s: s[-1][FORM] in _ENDS)
        signs = [
            word_row(draw.choice(self.words.lists["emoji"]), "SYM", after=draw.choice(("No", "_")))
            for _ in range(draw.choice((1, 1, 1, 2, 3)))
        ]
        signs[-1][MISC] = draw.choice(("No", "_", "_")).replace("No", "SpaceAfter=No")
        match draw.randrange(5):
            case 0:  # behind the sentence, with its mark or without
                rows = one if draw.random() < 0.5 else one[:-1]
                rows[-1][MISC] = draw.choice(("_", "SpaceAfter=No"))
                signs[-1][MISC] = "_"
                return [[*rows, *signs], two]
            case 1:  # before the mark
                one[-2][MISC] = draw.choice(("_", "SpaceAfter=No"))
                signs[-1][MISC] = "SpaceAfter=No"
                return [[*one[:-1], *signs, one[-1]], two]
            case 2:
                return [[*signs, *one], two]
            case 3:  # inside
                place = draw.randrange(1, len(one))
                if in_token(one, place - 1):
                    place = len(one)
                one[place - 1][MISC] = draw.choice(("_", "SpaceAfter=No"))
                signs[-1][MISC] = "_"
                return [[*one[:place], *signs, *one[place:]], two]
        one[-1][MISC] = "SpaceAfter=No"
        signs[-1][MISC] = "_"
        return [[*one, *signs], two]

    def _pair(self, fits: Callable[[Sentence], bool]) -> tuple[Sentence, Sentence]:
        """Return copies of two short sentences that begin with a capital letter, the first of which fits."""
        while True:
            one, two = self.draw.sample(self.short, 2)
            if fits(one) and one[0][FORM][0].isupper() and two[0][FORM][0].isupper() and two[-1][FORM] in _ENDS:
                one, two = [[row.copy() for row in each] for each in (one, two)]
                one[-1][MISC] = two[-1][MISC] = "_"
                return one, two


def with_apostrophes(treebank: _core.Conllu) -> bytes:
    """Return the sentences without those in which a noun's 's is written without an apostrophe, which misleads."""

    def is_kept(block: str) -> bool:
        rows = [line.split("\t") for line in block.split("\n") if line[:1].isdigit()]
        return not any(
            "-" in row[0] and row[FORM].isalpha() and rows[k + 1][UPOS] in ("NOUN", "PROPN")
            for k, row in enumerate(rows)
        )

    return "\n\n".join([*filter(is_kept, treebank.replace({}).decode().split("\n\n"))]).encode() + b"\n\n"
