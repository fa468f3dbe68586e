"""Sentences of a treebank as rows of cells, to be changed and put together anew, and their CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sapwood import _core

Row = list[str]  # ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC
Sentence = list[Row]
Text = list[Sentence]  # sentences of one paragraph

FORM, LEMMA, UPOS, XPOS, FEATS, DEPREL, MISC = 1, 2, 3, 4, 5, 7, 9


def in_conllu(texts: Iterable[Text]) -> bytes:
    """Return paragraphs in CoNLL-U."""
    lines = []
    for text in texts:
        for k, sentence in enumerate(text):
            lines += ["# newpar"] * (k == 0) + ["\t".join(row) for row in _numbered(sentence)] + [""]
    return "\n".join([*lines, ""]).encode()


def paragraphs_of(treebank: _core.Conllu) -> Iterator[Text]:
    """Yield the paragraphs of a treebank."""
    paragraph: Text = []
    for block in treebank.replace({}).decode().split("\n\n"):
        lines = block.split("\n")
        rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
        rows = [row for row in rows if "." not in row[0]]
        if any(line.startswith(("# newpar", "# newdoc")) for line in lines) and paragraph:
            yield paragraph
            paragraph = []
        if rows:
            paragraph.append(rows)
    if paragraph:
        yield paragraph


def _numbered(sentence: Sentence) -> Iterator[Row]:
    """Yield the rows with new numbers and no heads: a range, of which only the length counts, goes before its words."""
    number = 0
    for row in sentence:
        if "-" in row[0]:
            begin, end = map(int, row[0].split("-"))
            yield [f"{number + 1}-{number + 1 + end - begin}", *row[1:]]
        else:
            number += 1
            yield [str(number), *row[1:6], "_", "_", "_", row[MISC]]


def word_row(form: str, upos: str, xpos: str = "_", lemma: str = "", after: str = "_") -> Row:
    """Return the row of a word; `after` is "No" if no space follows it."""
    misc = "SpaceAfter=No" if after == "No" else "_"
    return ["0", form, lemma or form, upos, xpos, "_", "_", "_", "_", misc]


def is_odd(sentence: Sentence) -> bool:
    """Return true for a sentence with typing errors, addresses or signs."""
    return any("Typo" in row[FEATS] or row[XPOS] in ("ADD", "NFP", "GW") for row in sentence)


def in_token(sentence: Sentence, place: int) -> bool:
    """Return true if the row and the next are of one token."""
    left = 0
    for row in sentence[: place + 1]:
        if "-" in row[0]:
            begin, end = map(int, row[0].split("-"))
            left = end - begin + 2
        left = max(0, left - 1)
    return left > 0


def ended(sentence: Sentence, end: str) -> Sentence:
    """Return a copy that ends with another mark, or none."""
    rows = [row.copy() for row in sentence]
    while len(rows) > 1 and rows[-1][UPOS] == "PUNCT":
        rows.pop()
    for row in rows:
        if row[MISC].startswith("SpacesAfter"):
            row[MISC] = "_"
    if end:
        set_gap(rows, "SpaceAfter=No")
        rows.append(word_row(end, "PUNCT", end if end != ";" else ":"))
    return rows


def closed(sentence: Sentence, closing: str) -> Sentence:
    """Return the sentence with a bracket or quotation mark right behind it."""
    sentence[-1][MISC] = "SpaceAfter=No"
    return [*sentence, word_row(closing, "PUNCT")]


def set_gap(rows: Sentence, misc: str) -> None:
    """Say what is behind the last token: for a token of several words, its range's MISC counts."""
    rows[-1][MISC] = misc
    for k in range(len(rows) - 1, -1, -1):
        if "-" in rows[k][0]:
            begin, end = map(int, rows[k][0].split("-"))
            if k + end - begin + 1 == len(rows) - 1:
                rows[k][MISC] = misc
            return


def with_gap(rows: Sentence, gap: str) -> Sentence:
    """Return the sentence with a gap behind it."""
    set_gap(rows, f"SpacesAfter={gap}")
    return rows


def join(sentence: Sentence, word: Row) -> None:
    """Make the last word of a sentence, or its last token, and this word one token."""
    last = next((k for k in range(len(sentence) - 1, -1, -1) if "-" in sentence[k][0]), None)
    if last is not None:
        begin, end = map(int, sentence[last][0].split("-"))
        if last + end - begin + 1 == len(sentence) - 1:
            sentence[last][0] = f"{begin}-{end + 1}"
            sentence[last][FORM] += word[FORM]
            return
    form = sentence[-1][FORM] + word[FORM]
    sentence.insert(len(sentence) - 1, ["1-2", form, *["_"] * 7, "_"])
