"""The bundled English model on forty everyday inputs, written down before any model's output was looked at.

A line of everyday.tsv is an input and, behind a tab, its sentences, ` || ` between them, as words with their UPOS, by
the conventions of EWT and GUM. Options were chosen on everyday-dev.tsv and on the development parts of the treebanks.
"""

import re
from pathlib import Path

import pytest

from recipes.en.short_sentences import written_sentences
from sapwood._core import Conllu

HERE = Path(__file__).parent


def table(name):
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


def analysis(doc):
    words = [f"{form}/{tag}" for form, tag in zip(doc.forms, doc.values("upos"), strict=True)]
    return " || ".join(" ".join(words[slice(*sentence.words)]) for sentence in doc.sentences)


def test_39_of_40_are_right(english):
    everyday = table("everyday.tsv")
    assert len(everyday) == 40
    assert [text for text, gold in everyday.items() if analysis(english(text)) != gold] == [
        "I have a cat. Her name is Luna."  # a name that is taken for a noun
    ]


@pytest.mark.parametrize("name", ["everyday.tsv", "everyday-dev.tsv"])
def test_words_of_the_tables_stand_in_their_texts(name):
    for text, gold in table(name).items():
        words = [word.rpartition("/")[0] for word in re.split(r" \|\| | ", gold)]
        assert "".join(words) == text.replace(" ", "")


def test_no_input_is_trained_on_nor_a_copy_with_a_word_changed():
    paragraphs = []
    written = Conllu.read(written_sentences(), "written")
    for line, forms in zip(written.replace({}).decode().split("\n\n"), written.column("form"), strict=False):
        if line.startswith("# newpar"):
            paragraphs.append([])
        paragraphs[-1] += [form.lower() for form in forms]
    for name in ("everyday.tsv", "everyday-dev.tsv"):
        for gold in table(name).values():
            words = [word.rpartition("/")[0].lower() for word in re.split(r" \|\| | ", gold)]
            for other in paragraphs:
                assert len(other) != len(words) or sum(a != b for a, b in zip(words, other, strict=True)) > 1
