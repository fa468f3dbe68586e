"""Names end with the cells of a table and with lines that nobody wrapped, and go on over the ends of wrapped ones."""

from itertools import pairwise

import pytest

import sapwood

WRAPPED = (
    "The committee met on Tuesday in the town hall, and after some hours Maria\nSchneider of the town council spoke."
)


@pytest.fixture(scope="module")
def nlp():
    return sapwood.load("en")


def names(doc):
    return [entity.text for entity in doc.entities]


@pytest.mark.parametrize("border", ["\n", "\r\n", "\r", "\n  ", " \n", "\t", " \t ", "\n\n", "\t\t"])
def test_no_name_goes_on_behind_a_border(nlp, border):
    people = ["John Smith", "Mary Jones", "Peter Brown", "Angela Merkel", "New York", "Times Square"]
    assert any(name not in people for name in names(nlp(" ".join(people))))  # one goes on, where there is no border
    doc = nlp(border.join(people))
    assert len(names(doc)) >= 4
    for name in names(doc):
        assert any(name in one for one in people)


@pytest.mark.parametrize("text", ["New\tYork", "lives in New\nYork", "it is New\tYork\tTimes"])
def test_what_would_go_on_begins_a_name(nlp, text):
    [first, *others] = [token.entity for token in nlp(text) if token.text in ("New", "York", "Times")]
    assert first.startswith("B-")
    assert all(label[:2] in ("B-", "O") for label in others)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\n   "])
def test_a_wrapped_name_goes_on(nlp, line_end):
    assert f"Maria{line_end}Schneider" in names(nlp(WRAPPED.replace("\n", line_end)))
    assert "Maria Schneider" in names(nlp(WRAPPED.replace("\n", " ")))
    quoted = "é" * 30 + "\n" + WRAPPED  # the line counts, in characters, and no line before it
    assert "Maria\nSchneider" in names(nlp(quoted))


def test_the_length_of_a_line_is_counted_in_characters(nlp):
    [short, long] = [nlp(f"{'é' * letters} lives in New\nYork City.") for letters in (30, 40)]  # 43 and 53
    assert [token.entity[0] for token in short if token.text == "York"] == ["B"]
    assert [token.entity[0] for token in long if token.text == "York"] == ["I"]


def test_words_of_a_multiword_token_are_no_border(nlp):
    doc = nlp("The dog of New\tYork's mayor, who can't\tcome, and New York's dog.")
    assert "York" in names(doc) or "York's" in names(doc)
    assert any(name.startswith("New York") for name in names(doc))


def test_tabs_between_given_tokens_are_none(nlp, run_cli, tmp_path):
    """Where tokens are given they have to be told apart, and a tab says no more than a space."""
    (tmp_path / "spaces").write_text("John Smith lives in New York .\n")
    (tmp_path / "tabs").write_text("John\tSmith\tlives\tin\tNew\tYork\t.\n")
    outs = [run_cli(["annotate", "en", str(tmp_path / name), "--input", "tokens"]).out for name in ("spaces", "tabs")]
    assert [out.count("NER=I-") for out in outs] == [2, 2]
    assert names(nlp(["John", "Smith", "lives", "in", "New", "York", "."])) == ["John Smith", "New York"]
    out = run_cli(["annotate", "en", str(tmp_path / "tabs"), "--input", "lines"]).out
    assert out.count("NER=I-") == 0


def test_what_was_written_is_read_again_with_the_same_names(nlp, tmp_path):
    for text in (WRAPPED, "John Smith\nMary Jones\n", "New\tYork\tTimes\n"):
        doc = nlp(text)
        again = sapwood.Doc.from_conllu(nlp.fill(doc.to_conllu().encode()).decode())
        assert names(again) == names(doc)


@pytest.mark.parametrize(
    "given",
    ["John Smith Bank of America", "Maria Schneider Bank of America of New York\nNew York's", ["Smith", "Bank"]],
)
def test_each_name_begins_with_its_mark(nlp, given):
    """Two names without a word between them, too, so that readers who take I- after another label amiss have B-."""
    doc = nlp(given)
    assert len(names(doc)) > 1 or isinstance(given, list)
    for sentence in doc.sentences:
        labels = ["O", *(token.entity for token in sentence)]
        for before, label in pairwise(labels):
            assert not label.startswith("I-") or before[1:] == label[1:]
