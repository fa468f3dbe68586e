"""Lexicons: lines of form, tag and lemma, and files of UniMorph, which have lemma, form and features."""

import pytest

from sapwood import DataError
from sapwood.io.lexicons import read_lemma_lexicon

GO = [("went", "VERB", ["go"]), ("gone", "VERB", ["go"]), ("oxen", "NOUN", ["ox"])]


@pytest.mark.parametrize(
    "text",
    [
        "go\twent\tV;PST\ngo\tgone\tV.PTCP;PST\nox\toxen\tN;PL\n",
        "go\twent\tV;PST\ngo\tgone\tV;V.PTCP;PST\n\nox\toxen\tN;PL\n\n\n",
        "go\twent\tV;PST\r\ngo\tgone\tV.PTCP;PST\r\n\r\nox\toxen\tN;NOM(PL)\r\n",
        "go\twent\tV;PST\t-\ngo\tgone\tV.PTCP;PST\tgo|ne\nox\toxen\tN;PL\tox|en\n",
        "went\tVERB\tgo\ngone\tverb\tgo\noxen\tNOUN\tox\n",
        "went,VERB,go\ngone,VERB,go\noxen,NOUN,ox\n",
    ],
)
def test_both_are_read(text, tmp_path):
    (tmp_path / "x").write_text(text, newline="")
    assert read_lemma_lexicon(tmp_path / "x") == GO


@pytest.mark.parametrize(
    ("tag", "upos"),
    [
        *[("V", "VERB"), ("N", "NOUN"), ("PROPN", "PROPN"), ("ADJ", "ADJ"), ("PRO", "PRON"), ("DET", "DET")],
        *[("ART", "DET"), ("COMP", "SCONJ"), ("CONJ", "CCONJ"), ("NUM", "NUM"), ("V.MSDR", "VERB"), ("INTJ", "INTJ")],
    ],
)
def test_tags_become_universal(tag, upos, tmp_path):
    (tmp_path / "x").write_text(f"a/b\tform\t{tag}\nc\td\tN;PL\nc\td\tV;PST\n")
    assert read_lemma_lexicon(tmp_path / "x")[0] == ("form", upos, ["a/b"])


@pytest.mark.parametrize(
    "text", ["N\tNOUN\tN\nV\tNOUN\tV\n", "U.S.\tPROPN\tU.S\n", "x\tADJ\tN;PL\ny\tADJ\ty\nz\tX\tz\n"]
)
def test_lemmas_may_look_like_tags(text, tmp_path):
    (tmp_path / "x").write_text(text)
    assert [entry.form for entry in read_lemma_lexicon(tmp_path / "x")] == [
        line[: line.index("\t")] for line in text.splitlines()
    ]


@pytest.mark.parametrize("text", ["go\twent\tV;PST\nox\toxen\n", "go\twent\tV;PST\nox\t\tN;PL\n", "a\tN\ta\n\tN\tb\n"])
def test_errors_have_their_line(text, tmp_path):
    (tmp_path / "x").write_text(text)
    with pytest.raises(DataError, match="x:2: a line has a form, a tag and a lemma"):
        read_lemma_lexicon(tmp_path / "x")


@pytest.mark.parametrize(
    ("text", "upos"),
    [
        ("dogs\tdog\tNOUN\nran\trun\tVERB\nsang\tsing\tVERB\n", "NOUN"),
        ("dogs,dog,NOUN\ncats,cat,NOUN\n", "NOUN"),
        ("dogs\tNOUN\tdog\ncats\tNOUN\tcat\n", "NOUN"),
        ("ufos\tnoun\tUFO\nusa\tpropn\tUSA\n", "NOUN"),
        ("USA\tPROPN\tUSA\nUFOS\tNOUN\tUFO\n", "PROPN"),
        ("in\tadp\tIN\n", "ADP"),
        ("dogs\tdog\tnoun\ncat\tcat\tnoun\nran\trun\tverb\n", "NOUN"),
        ("cani\tcane\tNOUN-M:p\ncane\tcane\tNOUN-M:s\nre\tre\tNOUN-M:s\n", "NOUN-M:P"),
        ("dogs\tdog\tNNS\ncat\tcat\tNN\n.\t.\t.\nox\tox\tNN\n", "NNS"),
        ("psi\tpes\tNcmpn\npes\tpes\tNcmsn\nrak\trak\tNcmsn\n", "NCMPN"),
        ("dogs,dog,noun\nA,a,det\nThe,the,det\n", "NOUN"),
        ("were\taux\tbe\nis\tverb\tbe\n", "AUX"),
        ("noun\tnoun\tnoun\nis\tverb\tbe\nam\taux\tbe\n", "NOUN"),
    ],
)
def test_the_order_of_tag_and_lemma_is_read(text, upos, tmp_path):
    (tmp_path / "x").write_text(text)
    assert read_lemma_lexicon(tmp_path / "x")[0].upos == upos
