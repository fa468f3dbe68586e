"""Columns that training had: a text that lacks one, or has other values in it, is named; others are not."""

import random
import warnings

import pytest
from heard import heard

from sapwood import DependencyParser, SequenceTagger, UnfamiliarWarning

TAGS = [("NOUN", "NN"), ("VERB", "VBZ"), ("ADP", "IN"), ("PUNCT", ".")]
XPOS, UPOS, FEATS = 4, 3, 5


def sentences(count, seed=1):
    """Rows of CoNLL-U; every other word is a noun, and feats are empty in half of the words."""
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        rows = []
        for number in range(1, 10):
            upos, xpos = TAGS[0] if number % 2 else chance.choice(TAGS)
            feats = "Number=Sing" if number % 2 else "_"
            word = f"{upos.lower()}{chance.randrange(40):02}"
            rows.append([str(number), word, word, upos, xpos, feats, str(number - 1), "dep", "_", "_"])
        found.append(rows)
    return found


def conllu(data):
    return "".join("".join("\t".join(row) + "\n" for row in rows) + "\n" for rows in data)


def changed(data, column, new, chosen=lambda sentence: True):
    """The same sentences with new(cell) in a column of those that are chosen by their number."""
    return [
        [[*row[:column], new(row[column]), *row[column + 1 :]] if chosen(s) else row for row in rows]
        for s, rows in enumerate(data)
    ]


TEST = sentences(80, seed=2)
STRANGE = [
    (changed(TEST, XPOS, lambda _: "_"), "100% of column 5 (xpos) is empty, in the model's training data 0% was"),
    (changed(TEST, XPOS, lambda _: "-"), "column 5 (xpos)"),
    (changed(TEST, XPOS, lambda _: "None"), "0% of the values in column 5 (xpos)"),
    (changed(TEST, UPOS, str.lower), "0% of the values in column 4 (upos)"),
    (changed(TEST, UPOS, lambda _: "X"), "100% of column 4 (upos)"),
    (changed(TEST, FEATS, lambda _: "_"), "100% of column 6 (feats) is empty, in the model's training data 4"),
    (changed(TEST, XPOS, lambda _: "_", lambda s: s % 2 == 0), "50% of column 5 (xpos)"),
    (changed(TEST, XPOS, lambda _: "_", lambda s: s >= 40), "column 5 (xpos)"),
    (changed(TEST * 4, UPOS, str.upper, lambda s: s < 300)[:-1] + changed(TEST * 4, UPOS, str.lower), "(upos)"),
    (changed(TEST[:1], XPOS, lambda _: "_"), "100% of column 5 (xpos)"),
    (changed(changed(TEST, XPOS, lambda _: "_"), UPOS, lambda _: "_"), "column 4 (upos) is empty"),
]
ORDINARY = [
    TEST,
    TEST[:1],
    [rows[:3] for rows in TEST[:1]],
    changed(TEST, FEATS, lambda _: "_", lambda s: s == 7),
    changed(TEST, XPOS, lambda _: "_", lambda s: s % 8 == 0),
    changed(TEST, UPOS, lambda _: "SYM", lambda s: s % 9 == 0),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("columns")


def written(folder, data, name="in.conllu"):
    (path := folder / name).write_text(conllu(data))
    return path


@pytest.fixture(scope="module")
def parser(folder):
    return DependencyParser(epochs=1, beam=1).fit(written(folder, sentences(200), "train.conllu"))


def said_of(work):
    return heard(work, UnfamiliarWarning)[1]


@pytest.mark.parametrize(("data", "what"), STRANGE)
def test_a_parser_names_the_column(parser, folder, data, what):
    path = written(folder, data)
    for work in (parser.predict, parser.evaluate, lambda p: [*parser.annotate([p.read_bytes()])]):
        [message] = said_of(lambda work=work: work(path))
        assert what in message


@pytest.mark.parametrize("data", ORDINARY)
def test_other_texts_are_read_without_a_word(parser, folder, data):
    assert said_of(lambda: parser.predict(written(folder, data))) == []


def test_in_memory_words_without_tags_are_named(parser):
    words = [[row[1] for row in rows] for rows in TEST]
    [message] = said_of(lambda: parser.predict(words))
    assert "xpos" in message
    assert "'sapwood tag'" in message


def test_blocks_are_judged_together(parser, folder):
    blocks = [conllu(changed([rows], XPOS, lambda _: "_")).encode() for rows in TEST]
    assert len(said_of(lambda: [*parser.annotate(blocks)])) == 1


@pytest.mark.parametrize("verb", ["parse", "eval"])
def test_the_command_line_warns_and_refuses(parser, folder, run_cli, verb):
    parser.save(folder / "m.sap")
    path = written(folder, STRANGE[0][0])
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        run = run_cli([verb, folder / "m.sap", path])
    assert (run.status, run.err.count("column 5 (xpos)")) == (0, 1)
    if verb == "parse":
        run = run_cli([verb, folder / "m.sap", path, "--strict"])
        assert (run.status, run.out) == (1, "")
        assert "column 5 (xpos)" in run.err
        assert run_cli([verb, folder / "m.sap", written(folder, TEST), "--strict"]).status == 0


@pytest.mark.parametrize(
    ("options", "column"),
    [
        ({"tag_columns": ["upos"]}, XPOS),
        ({"tags": "predicted"}, XPOS),
        ({"tags": "jackknife"}, UPOS),
        ({"template": "[transitions]\nS0w\nN0w\nS0c N0c\n", "labelling": "joint"}, XPOS),
        ({"template": "[transitions]\nS0w\nN0w\nS0t N0t\nS0vl\n", "labelling": "joint"}, FEATS),
    ],
)
def test_columns_that_are_not_read_may_be_empty(folder, options, column):
    parser = DependencyParser(epochs=1, beam=1, **options).fit(written(folder, sentences(200), "train.conllu"))
    assert said_of(lambda: parser.predict(written(folder, changed(TEST, column, lambda _: "_")))) == []


@pytest.mark.parametrize("share", [2, 3, 1])
def test_a_column_that_was_partly_empty_in_training_may_be_empty(folder, share):
    train = changed(sentences(200), XPOS, lambda _: "_", lambda s: s < 200 / share)
    parser = DependencyParser(epochs=1, beam=1).fit(written(folder, train, "train.conllu"))
    assert said_of(lambda: parser.predict(written(folder, changed(TEST, XPOS, lambda _: "_")))) == []
    assert said_of(lambda: parser.predict(written(folder, TEST))) == []


ROWS = [[(row[1], row[XPOS], "BI"[number % 2]) for number, row in enumerate(rows)] for rows in sentences(200)]
TEMPLATE = "U1:%x[0,0]\nU2:%x[0,1]/%x[0,0]\n"


@pytest.mark.parametrize(
    ("train", "new", "what"),
    [
        (lambda tag: tag, lambda tag: "_", "100% of column 2 (1) is empty"),
        (lambda tag: tag, lambda tag: "-", "100% of column 2 (1) is empty"),
        (lambda tag: tag, str.lower, "column 2 (1)"),
        (lambda tag: "_", lambda tag: tag, "0% of the values in column 2 (1)"),
        (lambda tag: "X", lambda tag: tag, "0% of the values in column 2 (1)"),
        (lambda tag: "NN", lambda tag: "_", "100% of column 2 (1) is empty"),
        (lambda tag: tag, lambda tag: tag, None),
        (lambda tag: "_", lambda tag: "_", None),
    ],
)
def test_a_tagger_names_the_column(folder, run_cli, train, new, what):
    rows = [[(word, train(tag), label) for word, tag, label in row] for row in ROWS]
    tagger = SequenceTagger(template=TEMPLATE, epochs=1).fit(rows)
    tagger.save(folder / "t.sap")
    data = [[(word, new(tag)) for word, tag, _ in row] for row in ROWS[:60]]
    assert [what in message for message in said_of(lambda: tagger.predict(data))] == [True] * (what is not None)
    (path := folder / "in.txt").write_text("\n".join("".join("\t".join(row) + "\n" for row in rows) for rows in data))
    run = run_cli(["tag", folder / "t.sap", path, "--strict"])
    assert run.status == (what is not None)
    assert (what or "") in run.err


def test_words_may_stand_in_another_column_than_the_first(folder):
    rows = [[("0", *token) for token in row] for row in ROWS]
    tagger = SequenceTagger(template="U1:%x[0,1]\nU2:%x[0,2]\n", epochs=1).fit(rows)
    assert [column["name"] for column in tagger.model_.familiar.columns] == ["1", "2"]
    assert said_of(lambda: tagger.predict([[token[:3] for token in row] for row in rows])) == []
    other = [[("0", f"andere{k}{tag}", tag) for k, (_, _, tag, _) in enumerate(row)] for row in rows]
    assert "another language" in said_of(lambda: tagger.predict(other))[0]


def test_a_stream_learns_the_same(folder, tmp_path):
    path = tmp_path / "rows.txt"
    path.write_text("\n".join("".join("\t".join(row) + "\n" for row in rows) for rows in ROWS))
    tagger = SequenceTagger(template=TEMPLATE, epochs=1).fit(path)
    assert SequenceTagger(template=TEMPLATE, epochs=1).fit(path, stream=True).model_.familiar == tagger.model_.familiar


def test_files_from_before_know_the_words_alone(parser, folder):
    words = {key: parser.model_.familiar.columns[0][key] for key in ("share", "sentences", "windows")}
    earlier = parser.model_.replaced(familiar=parser.model_.familiar._replace(columns=[words]))
    earlier.save(folder / "earlier.sap")
    loaded = DependencyParser.load(folder / "earlier.sap")
    assert said_of(lambda: loaded.predict(written(folder, STRANGE[0][0]))) == []
