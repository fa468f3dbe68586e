"""English as people type it, made out of a treebank and of templates."""

import os
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from recipes.en.typed_forms import past_of, past_tags
from recipes.en.typed_rows import in_conllu, paragraphs_of
from recipes.en.typed_sentences import Typed
from recipes.en.typed_templates import Words
from sapwood import DataError
from sapwood._core import Conllu
from sapwood.io.conllu import read_treebank

TAGS = {"N": ("NOUN", "NN"), "V": ("VERB", "VBD"), "D": ("DET", "DT"), "J": ("ADJ", "JJ"), ".": ("PUNCT", ".")}
SENTENCES = ("The/D cat/N sang/V ./.", "A/D red/J dog/N came/V ./.", "The/D man/N saw/V a/D cow/N !/.")


@pytest.fixture(scope="module")
def treebank():
    blocks = []
    for sentence in SENTENCES * 10:
        rows = [word.rsplit("/", 1) for word in sentence.split()]
        lines = [f"{k}\t{form}\t{form.lower()}\t{TAGS[t][0]}\t{TAGS[t][1]}" for k, (form, t) in enumerate(rows, 1)]
        blocks.append("# newpar\n" + "\n".join(f"{line}\t_\t{k}\tdep\t_\t_" for k, line in enumerate(lines)) + "\n\n")
    return Conllu.read("".join(blocks).encode(), "treebank")


def text_of(texts):
    return Conllu.read(in_conllu(texts), "made").text().text.decode().strip("\n")


def test_a_template_has_the_treebanks_words_and_its_own(treebank):
    words = Words([sentence for text in paragraphs_of(treebank) for sentence in text])
    made = words.filled("The {NN} ='s/AUX/VBZ/have been/AUX/VBN/be {JJ} _. || A cat sang _!", random.Random(1))
    assert re.fullmatch(r"The (cat|dog|man|cow)'s been red\.A cat sang!", text_of([made]))
    assert [row[2:5] for row in made[0][3:5]] == [["have", "AUX", "VBZ"], ["be", "AUX", "VBN"]]
    with pytest.raises(DataError, match="'zebra' is a word that the treebank lacks"):
        words.filled("The zebra sang", random.Random(1))
    with pytest.raises(DataError, match="two spaces in a row"):
        words.filled("The  cat", random.Random(1))


def test_the_same_seed_makes_the_same_text_and_another_seed_another(treebank):
    texts = [in_conllu(Typed(treebank, seed).layout(20)) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_layout_is_lists_glued_ends_notes_and_emoji(treebank):
    text = text_of(Typed(treebank).layout(60))
    for part in ("\n- ", "\n1. ", "!The", ".[", "“", "💯"):
        assert part in text, part


def test_capitals_keep_tags_and_lemmas(treebank):
    for [sentence] in Typed(treebank).capitals(5, names=True):
        assert all(row[1] == row[1].upper() for row in sentence)
        assert {row[2] for row in sentence} <= {
            "the",
            "a",
            "cat",
            "sang",
            "red",
            "dog",
            "came",
            "man",
            "saw",
            "cow",
            ".",
            "!",
        }


def test_lengthened_words_keep_the_lemma_of_the_short_one():
    text = "\n\n".join(["1\tso\tso\tADV\tRB\t_\t0\troot\t_\t_\n2\tred\tred\tADJ\tVBN\t_\t1\tdep\t_\t_"] * 15 + [""])
    rows = [sentence[0] for [sentence] in Typed(Conllu.read(text.encode(), "so")).lengthened()]
    assert [row[1].lower() for row in rows] == ["sooo", "soooo", "sooooo", "soooooo"]
    assert {tuple(row[2:5]) for row in rows} == {("so", "ADV", "RB")}


@pytest.mark.parametrize(
    ("verb", "past"),
    [
        ("text", "texted"),
        ("blog", "blogged"),
        ("panic", "panicked"),
        ("phone", "phoned"),
        ("cry", "cried"),
        ("play", "played"),
    ],
)
def test_regular_pasts(verb, past):
    assert past_of(verb) == past


def test_irregular_forms_are_past_participle_or_both():
    assert past_tags("rewritten", ["rewrote", "rewritten"]) == ("VBN", "VBN")
    assert past_tags("rewrote", ["rewrote", "rewritten"]) == ("VBD", "VBD")
    assert past_tags("retold", ["retold"]) == ("VBD", "VBN")


@pytest.mark.slow
@pytest.mark.corpus
def test_words_of_templates_have_tags_that_the_treebank_gives_them():
    """But for a few that are right and rare, "'ve" behind "I'd", say; and none has tags within its form."""
    folder = Path(os.environ["SAPWOOD_DATA"])
    files = [next(folder.glob(f"{name}-ud-train.conllu*")) for name in ("ewt/en_ewt", "gum/en_gum_open")]
    treebank = Conllu.read(b"".join(read_treebank(file).replace({}) for file in files), "EWT and GUM")
    known: dict[str, Counter] = {}
    for forms, tags in zip(treebank.column("form"), treebank.column("upos"), strict=True):
        for form, tag in zip(forms, tags, strict=True):
            known.setdefault(form.lower(), Counter())[tag] += 1
    rare, total = Counter(), 0
    for text in Typed(treebank).templates(2):
        for row in (row for sentence in text for row in sentence if row[3] != "_"):
            counts, total = known.get(row[1].lower(), Counter()), total + 1
            assert row[3] not in row[1].split("/"), row
            if counts.total() >= 10 and counts[row[3]] < 0.05 * counts.total():
                rare[row[1], row[3]] += 1
    assert rare.total() < 0.01 * total, rare.most_common(20)
