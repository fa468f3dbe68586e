"""Formats of corpora that nobody reads here are named, and so are columns that are no words or no labels."""

import warnings

import pytest

from sapwood import DataError, DependencyParser, SequenceTagger
from sapwood.errors import SapwoodWarning
from sapwood.io.formats import other_format
from sapwood.tasks.parsing.grammar import PhraseParser


def row(*cells):
    return "\t".join(cells) + "\n"


OF_CORPORA = {
    "vertical text": "<s>\n" + row("Mara", "NP") + row("left", "VVD") + "<g/>\n" + row(".", "SENT") + "</s>\n",
    "vertical text of a document": '<doc id="1">\n<p>\n<s n="1">\n' + row("Mara", "NP") + "</s>\n</p>\n</doc>\n",
    "Vowpal Wabbit": "1 |w good film\n-1 |w bad film\n" * 3,
    "Vowpal Wabbit, with tags and values": "1 2.0 'first|w good:2 |meta len:3\n0 'second |w bad:1 |meta len:5\n" * 3,
    "ARFF": "% rows\n@relation x\n@attribute c {y,n}\n@data\ny\n",
    "NEGRA": "#FORMAT 3\n#BOS 1 0 0 0\n" + row("Mara", "NE", "--", "HD", "500") + row("#500", "NP") + "#EOS 1\n",
    "word/TAG, as in Brown": "The/at dog/nn ran/vbd ./.\nMr./np-tl Lee's/np$ dog/nn ate/vbd it/ppo ./.\n",
}


@pytest.mark.parametrize("name", OF_CORPORA)
@pytest.mark.parametrize("reader", [SequenceTagger(template="U00:%x[0,0]\n"), PhraseParser(), DependencyParser(beam=1)])
def test_formats_of_corpora_are_named_by_who_reads_others(tmp_path, name, reader):
    (file := tmp_path / "file").write_text(OF_CORPORA[name] * 3)
    found = name.partition(",")[0].partition(" of ")[0]
    with pytest.raises(DataError, match=f"this looks like {found}"):
        reader.fit(file)


@pytest.mark.parametrize(
    "text",
    [
        "12 | Ada\n13 | Bob and more\n",  # a table of a database
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "<s>\nMara\nleft\n</s>\n",  # no columns
        "either/or and/or he/she is/was here\n",
        "We write @relation and @attribute.\n",
    ],
)
def test_what_only_begins_like_them_is_none_of_them(text):
    assert other_format(text * 9, "text") is None or "looks like HTML" in other_format(text * 9, "text")


LEMMAS = [("Mara", "NP", "Mara"), ("wrote", "VVD", "write"), ("old", "JJ", "old"), ("books", "NNS", "book")] * 9


def columns_heard(folder, text, **options):
    (file := folder / "file.txt").write_text(text)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", SapwoodWarning)
        SequenceTagger(template="U00:%x[0,0]\n", epochs=1, min_updates=1, **options).fit(file)
    return [str(each.message).removeprefix(f"{file}: ") for each in heard]


def test_lemmas_behind_tags_are_no_labels(tmp_path):
    with_tags, alone = ["".join(row(*cells) for cells in rows) for rows in (LEMMAS, [(a, c) for a, _, c in LEMMAS])]
    said = "has the words again, or their lemmas (Mara, write, old), and is read as the label"
    assert columns_heard(tmp_path, with_tags) == [f"column 3 {said}; --columns word,label,_ if tags stand in column 2"]
    assert columns_heard(tmp_path, alone) == [f"column 2 {said}"]
    assert columns_heard(tmp_path, with_tags, columns="word,label,_") == []
    assert columns_heard(tmp_path, "".join(row(a, c, b) for a, b, c in LEMMAS)) == []


def test_a_language_in_front_of_all_words_is_said(tmp_path):
    rows = [(f"en:{word}", "B-PER" if tag == "NP" else "O") for word, tag, _ in LEMMAS]
    assert columns_heard(tmp_path, "".join(row(*cells) for cells in rows)) == [
        "all words of column 1 begin with en: (en:Mara, en:wrote, en:old); leave it out, as no text has it"
    ]
    rows[-1] = ("books", "O")
    assert columns_heard(tmp_path, "".join(row(*cells) for cells in rows)) == []


def test_a_tab_in_a_comment_makes_no_columns(tmp_path):
    """As MultiCoNER's files have it, whose cells stand between blanks."""
    text = "".join(f"# id {k}\tdomain=en\nmara _ _ B-PER\nleft _ _ O\n{k} _ _ O\n\n" for k in range(9))
    assert [line for line in columns_heard(tmp_path, text) if "has texts" in line] == []


NESTED = [("Ada", "B-PER", "O"), ("sang", "O", "O"), ("in", "O", "O"), ("Lund", "B-LOC", "O")] * 9
INNER = [("University", "B-LOC", "O"), ("of", "I-LOC", "O"), ("Bergen", "I-LOC", "B-LOC")]


def test_of_two_levels_of_names_the_outer_one_is_taken(tmp_path):
    """As in GermEval 2014, whose first column counts."""
    rows = [*NESTED, *INNER]
    plain = "".join(row(*cells) for cells in rows)
    said = "column 2 has more names of the kinds of the last one, read as the label"
    assert columns_heard(tmp_path, plain) == [f"{said}; --columns word,label,_ takes the outer names"]
    counted = "".join(row(str(k), *cells) for k, cells in enumerate(rows, 1))
    [line] = columns_heard(tmp_path, counted)
    assert line.startswith("column 1 counts") and line.endswith("; --columns _,word,label,_ takes the outer names")
    chunks = "".join(row(a, "B-NP" if b[0] == "B" else b.replace("LOC", "NP"), c) for a, b, c in rows)
    assert columns_heard(tmp_path, chunks) == []
