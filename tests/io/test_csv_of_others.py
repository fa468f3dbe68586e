"""CSV as Excel, R, pandas and people write it."""

import random
from collections import Counter

import pytest
from commands import run_command

from sapwood import DataError
from sapwood.io.example_files import read_examples
from sapwood.io.examples import Layout
from sapwood.io.labels import read_labels
from sapwood.io.records import CsvReader, Remarks

PLAIN = 'label,text\nup,good fun\ndown,"bad, dull"\nup,"say ""hi"""\n'
SAME = {
    "plain": PLAIN,
    "a blank behind the comma": 'label, text\nup, good fun\ndown, "bad, dull"\nup, "say ""hi"""\n',
    "blanks behind it, but in the header": 'label,text\nup, good fun\ndown,  "bad, dull"\nup, "say ""hi"""\n',
    "blanks on both sides in the header": 'label , text \nup,good fun\ndown,"bad, dull"\nup,"say ""hi"""\n',
    "blanks in front of all": ' label,text\n up,good fun\n down,"bad, dull"\n up,"say ""hi"""\n',
    "semicolons": 'label;text\nup;good fun\ndown;bad, dull\nup;"say ""hi"""\n',
    "semicolons, all quoted": '"label";"text"\n"up";"good fun"\n"down";"bad, dull"\n"up";"say ""hi"""\n',
    "bars": 'label|text\nup|good fun\ndown|bad, dull\nup|"say ""hi"""\n',
    "tabs": 'label\ttext\nup\tgood fun\ndown\tbad, dull\nup\t"say ""hi"""\n',
    "Excel": "sep=,\n" + PLAIN,
    "Excel, CRLF": ("sep=,\n" + PLAIN).replace("\n", "\r\n"),
    "Excel, CR": ("sep=,\n" + PLAIN).replace("\n", "\r"),
    "Excel, quoted": '"sep=,"\n' + PLAIN,
    "Excel, with a mark": "\ufeffsep=,\n" + PLAIN,
    "Excel, semicolons": "sep=;\n" + 'label;text\nup;good fun\ndown;bad, dull\nup;"say ""hi"""\n',
    "Excel, tabs": "sep=\t\n" + 'label\ttext\nup\tgood fun\ndown\tbad, dull\nup\t"say ""hi"""\n',
    "R, names of rows": '"","label","text"\n"1","up","good fun"\n"2","down","bad, dull"\n"3","up","say ""hi"""\n',
    "R, write.table": '"label"\t"text"\n"1"\t"up"\t"good fun"\n"2"\t"down"\t"bad, dull"\n"3"\t"up"\t"say ""hi"""\n',
    "R, write.table without quotes": "label\ttext\n1\tup\tgood fun\n2\tdown\tbad, dull\n3\tup\t" + '"say ""hi"""\n',
    "R, write.csv2": '"";"label";"text"\n"1";"up";"good fun"\n"2";"down";"bad, dull"\n"3";"up";"say ""hi"""\n',
    "pandas, index": ',label,text\n0,up,good fun\n1,down,"bad, dull"\n2,up,"say ""hi"""\n',
    "blank lines": PLAIN.replace("\n", "\n\n"),
}
SINGLE = {
    "all": "'label','text'\n'up','it''s good'\n'down','bad, dull'\n",
    "all, blanks": "'label', 'text'\n'up', 'it''s good'\n'down', 'bad, dull'\n",
    "rows": "label,text\n'up','it''s good'\n'down','bad, dull'\n",
    "where it must be": "label,text\nup,'it''s good'\ndown,'bad, dull'\n",
    "semicolons": "'label';'text'\n'up';'it''s good'\n'down';'bad, dull'\n",
    "CRLF": "'label','text'\r\n'up','it''s good'\r\n'down','bad, dull'\r\n",
}


def rows(text, tabs=False):
    with Remarks() as remarks:
        records = list(CsvReader("x", "text", tabs, remarks).records(text.encode()))
        return [(record.values["label"], record.values["text"]) for record in records]


@pytest.mark.parametrize("kind", SAME)
def test_dialects_are_read(kind):
    assert rows(SAME[kind]) == [("up", "good fun"), ("down", "bad, dull"), ("up", 'say "hi"')]


@pytest.mark.parametrize("kind", SINGLE)
def test_quotes_may_be_single(kind):
    assert rows(SINGLE[kind]) == [("up", "it's good"), ("down", "bad, dull")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("label,text\nup,'tis good\ndown,it's bad\n", [("up", "'tis good"), ("down", "it's bad")]),
        ("label,text\nup,'tis good'n all\ndown,'bad'\n", [("up", "'tis good'n all"), ("down", "'bad'")]),
        ('label,text\nup,"\'good\'"\ndown,"a ""b"""\n', [("up", "'good'"), ("down", 'a "b"')]),
        ("label,text\n1,good; fun | x\n2,bad\n", [("1", "good; fun | x"), ("2", "bad")]),
        ('label,text\n1,"good, fun"\n2,"bad, dull"\n', [("1", "good, fun"), ("2", "bad, dull")]),
        ("label,text\nsep=;,a\n", [("sep=;", "a")]),
        ("text,label\na;b,1\nc\td,2\n", [("1", "a;b"), ("2", "c\td")]),
        ('text;x,label\n"a"', None),
    ],
)
def test_marks_within_cells_stay(text, wanted):
    if wanted is None:
        with pytest.raises(DataError):
            rows(text)
    else:
        assert rows(text) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sep=;\nlabel;text\nup;a;b\n", "x:3: the row has 3 cells, and the header 2"),
        ("label, text\nup, a, b\n", "x:2: the row has 3 cells, and the header 2"),
        ("label,text\n1,good, fun\n2,bad\n", "x:2: the row has 3 cells, and the header 2"),
        ("label,text\n5,good, fun\n4,bad, dull\n", "x:2: the row has 3 cells, and the header 2"),
        ("sep=;\nlabel;review\nup;a\n", "x:2: the header has no column 'text'; it has label, review"),
        ("label; review\nup;a\n", "x:1: the header has no column 'text'; it has label, review"),
        ("text;label;text\n", "x:1: the header names a column twice"),
        ("'label','text'\n'up','a\n", "x:1: the header has no column 'text'; it has 'label', 'text'"),
        ("", "x:1: the header has no column 'text'; it has nothing"),
        ("sep=,", "x:1: the header has no column 'text'; it has sep="),
        ("sep=,\n", "x:2: the header has no column 'text'; it has nothing"),
    ],
)
def test_errors_have_their_line(text, message):
    with pytest.raises(DataError, match=message):
        rows(text)


@pytest.mark.parametrize("kind", SAME)
@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
def test_classifiers_and_eval_read_them(kind, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(SAME[kind], newline="")
    answers = read_examples(tmp_path / name, Layout("", [], [])).answers
    assert [answers.labels[y] for y in answers.gold] == ["up", "down", "up"]
    assert read_labels(tmp_path / name)["labels"] == [[["up"], ["down"], ["up"]]]
    assert run_command(["train", "classify", name, "-o", "m.sap", "--min-updates", "1"]).status == 0
    said = run_command(["classify", "m.sap", name]).out.splitlines()
    assert [line.split("\t")[0] for line in said] == ["up", "down", "up"]


AS_TEXT = [("up", '"'), ("up", "good fun"), ("down", '"bad" film'), ("up", 'say "hi"'), ("up", '"so" '), ("down", '"')]
MARKED = "label\ttext\n" + "".join(f"{label}\t{text}\n" for label, text in AS_TEXT)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_quotes_between_tabs_are_text_where_one_does_not_end(end):
    assert rows(MARKED.replace("\n", end), tabs=True) == AS_TEXT
    assert rows(MARKED.replace("\n", end)) == AS_TEXT
    assert rows(MARKED.replace("\n", end)[: -len(end)], tabs=True) == AS_TEXT


def outcome(blocks):
    """Texts of the rows that come in blocks, or the error that ends them behind those before it."""
    found, line = [], 1
    with Remarks() as remarks:
        reader = CsvReader("x", "text", True, remarks)
        try:
            for block in blocks(reader):
                found.extend(record.values["text"] for record in reader.records(block, line))
                line += block.count(b"\n")
        except DataError as error:
            found.append(str(error))
    return found


def in_lines(text):
    return outcome(lambda reader: reader.whole_rows(line.encode() for line in text.splitlines(keepends=True)))


def test_quotes_are_text_in_a_pipe_from_the_first_cell_on_that_does_not_end():
    lines = [f"up\tgood fun {k}\n" for k in range(9)]
    text = "label\ttext\n" + "".join([*lines[:5], 'down\t"\n', *lines[5:], 'down\t"\n', "up\tmore\n"])
    assert in_lines(text) == [row.split("\t")[1] for row in text.splitlines()[1:]]


def test_rows_in_a_pipe_are_those_of_the_whole_file():
    chance, both = random.Random(1), Counter()
    cells = ["good", '"', '"bad" film', '"so"', 'say "hi"', '"a\nb"', '"a\tb"', "", '""', '"a ""b"""']
    for _ in range(400):
        rows = [f"up\t{chance.choice(cells)}{chance.choice(['', '', ' '])}\n" for _ in range(chance.randint(1, 5))]
        text = "label\ttext\n" + "".join(rows)
        whole = outcome(lambda _, text=text: [text.encode()])
        assert in_lines(text) == whole
        both["rows" if len(whole) == len(rows) and not whole[-1].startswith("x:") else "others"] += 1
    assert min(both.values()) > 50


def test_rows_that_a_lone_quote_would_join_are_an_error():
    """The first marks stand around a cell, so that those after them do not, either."""
    text = 'label\ttext\nup\t"good"\nup\t"\nup\tgood fun\ndown\t"\nup\tmore\n'
    assert in_lines(text)[-1] == (
        "x:3: a quotation mark begins a cell that has whole rows in it; where marks are text, write them twice and put "
        "marks around the cell"
    )


LONE = {  # a text begins with a mark, and one below ends with it, or a word is one
    "label first": 'label,text\nup,fine\ndown,bad\nup,"I went home.\ndown,Then I slept."\nup,ok\n',
    "label last": 'text,label\nfine,up\nbad,down\n"I went home.,up\nThen I slept.",down\nok,up\n',
    "numbers of rows": 'id,label,text\n1,up,fine\n2,down,bad\n3,up,"I went home.\n4,down,Then I slept."\n5,up,ok\n',
    "words": 'text,label\nGo,V\n.,P\n",P\nhe,N\nsaid,V\n",P\nNow,N\n',
    "semicolons": 'label;text\nup;fine\ndown;bad\nup;"I went\ndown;and slept"\nup;ok\n',
}


@pytest.mark.parametrize("kind", LONE)
def test_rows_that_a_lone_quote_would_join_are_an_error_between_commas_too(kind):
    for text in (LONE[kind], LONE[kind].replace("\n", "\r\n")):
        for found in (in_lines(text), outcome(lambda _, text=text: [text.encode()])):
            assert found[-1].startswith("x:4: a quotation mark begins a cell that has whole rows in it"), found
        with pytest.raises(DataError, match="x:4: a quotation mark begins"), Remarks() as remarks:
            list(CsvReader("x", "label", False, remarks).records(text.encode()))  # as `compare` reads labels


@pytest.mark.parametrize("text", ['text\nup\ndown\n"up\ndown\nup"\ndown\n', 'text\nhe\nsaid\n"\nhe\nsaid\n"\n'])
def test_a_lone_quote_joins_no_rows_of_one_column(text):
    for found in (in_lines(text), outcome(lambda _: [text.encode()])):
        assert found[-1].startswith("x:4: a quotation mark begins a cell that has whole rows in it"), found


@pytest.mark.parametrize("text", ['text\n"up"\n"down"\n"up\ndown"\n', '"text"\nup\ndown\n"up\ndown"\n'])
def test_a_cell_of_two_lines_is_one_where_other_cells_stand_in_quotes(text):
    assert in_lines(text)[-1] == "up\ndown"
    assert outcome(lambda _: [text.replace("\n", "\r").encode()])[-1] == "up\rdown"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ('label,text\nYes,a\nNo,b\nYes,"Do you?\nYes, I did"\n', "Do you?\nYes, I did"),  # a label in prose
        ('label,text,lang\nup,a,en\nup,"so, it\nis good, quite",en\n', "so, it\nis good, quite"),  # other values
        ('label,text\nup,a\nup,"one,\ntwo,\nup,down"\n', "one,\ntwo,\nup,down"),  # one of three lines
        ('text\nok\n"a\nok\nok\nok\nb"\n', "a\nok\nok\nok\nb"),
        ('text,label\nbad,\n"Hi Ann,\nThanks,\nBo",\n', "Hi Ann,\nThanks,\nBo"),  # a letter; labels may be missing
    ],
)
def test_cells_of_several_lines_are_read(text, cell):
    assert in_lines(text)[-1] == outcome(lambda _: [text.encode()])[-1] == cell


@pytest.mark.parametrize(
    "text",
    [
        'label\ttext\nup\t"good\nfun"\ndown\tdull\n',  # a line end in a cell
        'label\ttext\nup\t"good\tfun"\ndown\tdull\n',  # a tab
        'text\n"good\n fun"\n"dull"\n',  # one column
    ],
)
def test_quotes_between_tabs_stay_quotes_where_they_hold_a_cell_together(text):
    with Remarks() as remarks:
        records = list(CsvReader("x", "text", True, remarks).records(text.encode()))
    assert len(records) == 2
    assert " ".join(records[0].values["text"].split()) == "good fun"


def test_a_quote_that_does_not_end_says_how_quotes_are_written():
    with pytest.raises(DataError, match=r"^x:2: .*both its ends, and twice inside"):
        rows('label,text\nup,"good" fun\ndown,dull\n')
    with pytest.raises(DataError, match=r"^x:2: .*both its ends, and twice inside"):
        rows('"label"\t"text"\n"up"\t"say \\"hi\\""\n')  # as write.table of R has quotes inside of others
