"""Cases: reasons in words say what features say, marks stand where they look, and no text gets out of the page."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import sapwood
from sapwood import Classifier, DependencyParser, OptionError, SequenceTagger
from sapwood.explain.cases import Cases
from sapwood.explain.wording import wording_of
from sapwood.templates import find_template, shipped_templates

TEXTS = ["the refund was late", "a crash on start", "refund please", "it did crash again"] * 3
LABELS = ["money", "bug"] * 6
HOSTILE = "</mark><script>alert(1)</script>\"'&\x1b"


@pytest.fixture
def tickets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Classifier(min_updates=1).fit(TEXTS, LABELS).save("m.sap")
    first, second = {"id": "T-1", "text": "The refund was late"}, {"id": "T-2", "text": f"refund {HOSTILE} crash"}
    Path("t.jsonl").write_text("".join(json.dumps(record) + "\n" for record in (first, second, {"text": "?"})))
    return sapwood.load("m.sap")


@pytest.mark.parametrize(
    ("line", "feature", "said"),
    [
        ("U1:%x[-1,0]", "U1:refund", "the word before is 'refund'"),
        ("U1:%X[2,0]", "U1:_B+1", "the word 2 places after is outside of the text"),
        ("U1:%suffix[0,0,3]", "U1:ing", "the word ends in -ing"),
        ("U1:%prefix[1,pos,2]", "U1:NN", "the pos of the word after begins with 'NN'"),
        ("U1:%x[0,1]/%shape[0,0]", "U1:NN/Xx", "the pos of the word is 'NN' and the letters of the word are like Xx"),
        ("U1:%digit[0,0]", "U1:false", "a digit is not in the word"),
        ('U1:%in[0,0,"a]b.txt"]', "U1:B", 'the word is at the beginning of a phrase of "a]b.txt"'),
        (r'U1:%t[0,0,"^\u\""]', "U1:true", r'"^\u\"" is found in the word'),
        ("U1:%cluster[0,0,4]", "U1:0110", "the word is of the cluster 0110"),
        ("U1:%y[-1]/%x[0,0]", "U1:%y[-1]/a y[-1]=DT", "the word is 'a' and the label before is DT"),
        ("U1:%y[-1]", "U1:%y[-1] y[-1]=_B-1", "the label before is outside of the text"),
        ("B", "B", "the label before counts"),
        ("A4:%chars[0,0,3]", "A4:<fu", "somewhere in the text the letters '<fu' are in the word"),
        ("A1:%X[0,0]/%X[1,0]", "A1:too/late", "the text has 'too', then 'late'"),
        ("U:%d[author]", "U:me", "the field author is 'me'"),
        ("N3:length %tokens", "N3:length %tokens", "it is always so"),
    ],
)  # fmt: skip
def test_features_are_said_by_the_line_that_made_them(line, feature, said):
    assert wording_of(f"# a line\n{line}\n", ["word", "pos", "label"])(feature).said == said


@pytest.mark.parametrize(
    ("template", "feature"),
    [
        ("U1:%x[0,0]/%x[1,0]", "U1:and/or/not"),  # where is the end of the first?
        ("U:%x[0,0]\nU:%x[-1,0]", "U:a"),  # of which line is it?
        ("U1:%digit[0,0]%hyphen[0,0]", "U1:truefalse"),
        ("U1:%x[0,0]", "U2:a"),
        ("U1:a%x[0,0]a", "U1:a"),
    ],
)
def test_a_feature_that_can_be_read_twice_or_not_at_all_keeps_its_code(template, feature):
    found = wording_of(template, ["word", "label"])(feature)
    assert (found.said, found.codes, found.rows, found.words) == (feature, {}, [], [])


def test_every_line_of_the_shipped_templates_has_words():
    for task in ("tag", "classify"):
        for name in shipped_templates(task):
            text = find_template(name, task).text
            for line in filter(re.compile(r"[UABCN]\w*:.").match, text.splitlines()):
                value = iter("abcdefgh")
                feature = re.sub(r"%(?!y|before|after|offset|tokens)\w+(\[[^\]]*\])?", lambda _, v=value: next(v), line)
                word = wording_of(line, ["word", "tag", "label"])(feature)
                many = len(re.findall(r"%(?!y|before|after|offset|tokens)\w+", line))
                joined = len(re.findall(r"%\w+\[[^\]]*\]%", line))  # nothing stands between their values
                assert joined or (word.said != feature and word.said.count(" and ") <= many), line


def test_atoms_of_parsers_are_said_with_a_legend():
    found = wording_of("[transitions]\nS0t N0lw S1-S0\n", ["form"])("S0t=NN N0lw=a S1-S0=2")
    assert found.said == (
        "the tag of the top of the stack is 'NN' and the form of the first child of the next word is 'a' and S1-S0=2"
    )
    assert found.codes == {
        "S0t": "the tag of the top of the stack",
        "N0lw": "the form of the first child of the next word",
    }
    shipped = find_template("beam", "parse").text.split("[transitions]")[1]
    for atom in {atom for line in shipped.splitlines() for atom in line.split("#")[0].split() if "-" not in atom}:
        assert wording_of("", [])(f"{atom}=1").codes, atom


def test_the_page_of_chosen_cases(tickets, run_cli):
    done = run_cli(["explain", "m.sap", "t.jsonl", "--sentence", "T-2,T-1,3", "-o", "cases.html", "--top", 4])
    assert done.status == 0
    page = Path("cases.html").read_text()
    assert re.findall("<h2>(.*?)</h2>", page)[:3] == ["Example T-2 (2)", "Example T-1 (1)", "Example 3"]
    assert "<td>the text has &#x27;refund&#x27;</td>" in page and "<dt><code>A1</code></dt>" in page
    assert "<script" not in page and "\x1b" not in page
    HTMLParser().feed(page)
    rows = re.findall(r"<h3>money, not bug, by (\S+)</h3>.*?<table>(.*?)</table>", page, re.DOTALL)
    assert rows
    for margin, table in rows:
        parts = map(float, re.findall(r"<td>([-+][\d.]+)</td>", table))
        assert sum(parts) == pytest.approx(float(margin), abs=0.01)
    marks = re.findall(r'<mark class="pro" style="[^"]*" title="[^"]*">(.*?)</mark>', page.split("Example T-1 (1)")[1])
    assert "refund" in marks


def test_cases_are_chosen_by_ids_sent_ids_and_numbers(tickets, run_cli, tmp_path):
    for wrong, message in (
        ("T-9", "no sentence or example has the id 'T-9'"),
        ("0", "no sentence or example has the id '0'"),
        ("9" * 5000, "no sentence or example has the id '999"),
        ("T-1,", "no sentence or example has the id ''"),
    ):
        done = run_cli(["explain", "m.sap", "t.jsonl", "--sentence", wrong])
        assert done.status == 2 and message in done.err
    assert "there is no example 4" in run_cli(["explain", "m.sap", "t.jsonl", "--sentence", "4", "-o", "x.html"]).err
    assert not (tmp_path / "x.html").exists()
    assert "give one of them" in run_cli(["explain", "m.sap", "t.jsonl", "--json", "a.json", "-o", "x.html"]).err
    rows = [("a", "DT"), ("dog", "NN"), ("ran", "VB")]
    tagger = SequenceTagger(template="U1:%x[0,0]\nU2:%x[-1,0]\n", min_updates=1).fit([rows, rows])
    data = b"# sent_id = s1\na\ndog\n\n# sent_id = s2\na\nran\n\n"
    cases = Cases(tagger, data.replace(b"# sent_id = s1\n", b"").replace(b"# sent_id = s2\n", b""), "t")
    assert cases.numbers(["2", "1"]) == [2, 1]
    [case] = cases.cases(cases.lines([2], None, None))
    assert (case.title, list(case.words)) == ("Sentence 2", ["a", "ran"])
    second = case.decisions[1]
    assert second.at == 1
    assert {reason.said: reason.places for reason in second.reasons} == {
        "the word is 'ran'": {1},
        "the word before is 'a'": {0},
    }
    with pytest.raises(OptionError, match="t: no sentence or example has the id 's1'"):
        cases.numbers(["s1"])


def test_sentences_of_conllu_are_chosen_by_sent_id(tmp_path):
    row = "1\t{}\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"
    path = tmp_path / "t.conllu"
    path.write_text(f"# sent_id = x-1\n{row.format('Dogs')}# sent_id = x-2\n{row.format('Cats')}")
    found = Cases(DependencyParser(min_updates=1).fit(path), path.read_bytes(), "t")
    assert found.numbers(["x-2", "x-1", "2"]) == [2, 1, 2]
