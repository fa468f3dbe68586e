"""Feature templates: CRF++'s and Wapiti's files as they are, and what they expand to."""

from pathlib import Path

import pytest

from sapwood import SequenceTagger, _core
from sapwood.templates import find_template, shipped_templates
from sapwood_lab.template import Line

# CRF++'s example/chunking/template (Kudo), as it is distributed.
CRFPP = """\
# Unigram
U00:%x[-2,0]
U01:%x[-1,0]
U02:%x[0,0]
U03:%x[1,0]
U04:%x[2,0]
U05:%x[-1,0]/%x[0,0]
U06:%x[0,0]/%x[1,0]

U10:%x[-2,1]
U11:%x[-1,1]
U12:%x[0,1]
U13:%x[1,1]
U14:%x[2,1]
U15:%x[-2,1]/%x[-1,1]
U16:%x[-1,1]/%x[0,1]
U17:%x[0,1]/%x[1,1]
U18:%x[1,1]/%x[2,1]

U20:%x[-2,1]/%x[-1,1]/%x[0,1]
U21:%x[-1,1]/%x[0,1]/%x[1,1]
U22:%x[0,1]/%x[1,1]/%x[2,1]

# Bigram
B
"""
# What Wapiti's pattern files make use of.
WAPITI = r"""# A pattern file
*

u:wrd 1 L=%x[-1,0]
u:wrd 1 X=%x[ 0,0]
*:wrd X=%X[0,0]
u:pre 1 X=%m[ 0,0,"^.?"]
u:pre 2 X=%m[ 0,0,"^.?.?"]
u:suf 2 X=%m[ 0,0,".?.?$"]
*:caps X=%t[ 0,0,"^\u"]
u:digit=%t[0,0,"\d"]
u:punc=%t[0,0,"\p"]	# a trailing comment
U:any=%t[0,0,"^\u\l*$"]
u:lower=%M[0,0,"^.?.?.?"]
u:first=%x[@1,0]
u:last=%x[@-1,0]
b:tag=%x[0, 1]
"""
SENTENCE = [("The", "DT", "X"), ("IBM-PC", "NNP", "Y"), ("cost", "VBD", "X"), ("$5", "CD", "Y"), (".", ".", "X")]


def compile_template(text, columns=("word", "pos", "label"), label=2):
    return _core.Template(text, "t.tpl", list(columns), label)


def features(template, sentence=SENTENCE, search="viterbi", **options):
    """The texts of all features of one sentence: with such a margin every token is a mistake, so all get a weight."""
    options = {"epochs": 4, "min_updates": 1, "bits": 32, "gamma": 1e6, **options}
    tagger = SequenceTagger(template=template, names=True, search=search, **options).fit([sentence])
    return {name for table in tagger.model_.tables for name in table.names}


def test_a_crfpp_file_is_taken_as_it_is():
    template = compile_template(CRFPP)
    assert template.lines == 20
    assert template.columns_needed == 2
    assert template.word_lists == []


def test_a_wapiti_file_is_taken_as_it_is():
    template = compile_template(WAPITI)
    assert template.lines == 12 + 2 * 3  # three stars stand for a U and a B line each
    assert template.columns_needed == 2


def test_crfpp_features_are_those_seen_by_eye():
    found = features(CRFPP)
    assert {name for name in found if name.startswith(("U00", "U04", "U05", "U22"))} == {
        # two rows before
        "U00:_B-2", "U00:_B-1", "U00:The", "U00:IBM-PC", "U00:cost",
        # two rows after
        "U04:cost", "U04:$5", "U04:.", "U04:_B+1", "U04:_B+2",
        # conjunctions keep the text between the macros
        "U05:_B-1/The", "U05:The/IBM-PC", "U05:IBM-PC/cost", "U05:cost/$5", "U05:$5/.",
        "U22:DT/NNP/VBD", "U22:NNP/VBD/CD", "U22:VBD/CD/.", "U22:CD/./_B+1", "U22:./_B+1/_B+2",
    }  # fmt: skip
    assert "B" in found


def test_wapiti_features_are_those_seen_by_eye():
    the, ibm, cost, *rest = SENTENCE
    found = features(WAPITI, [the, ("Big", "JJ", "X"), ibm, cost, ("a", "DT", "X"), *rest])
    for name in (
        "U:wrd 1 L=_B-1", "U:wrd 1 L=The",
        "U:wrd X=the", "B:wrd X=the", "U:wrd X=ibm-pc",
        "U:pre 1 X=T", "U:pre 2 X=Th", "U:pre 2 X=IB", "U:suf 2 X=st", "U:suf 2 X=.",
        "U:caps X=true", "B:caps X=false",
        "U:digit=true", "U:digit=false", "U:punc=true",
        "U:any=true", "U:any=false",
        "U:lower=the", "U:lower=ibm",
        "U:first=The", "U:last=.",
        "B:tag=NNP",
    ):  # fmt: skip
        assert name in found, name
    assert not any("comment" in name or name.endswith(" ") for name in found)


@pytest.mark.parametrize("length", [1, 2, 5])
def test_crfpp_features_are_those_that_crfpp_prints(length):
    sentence = SENTENCE[:length] if length > 1 else [SENTENCE[1]]
    corpus = [sentence, [("q", "Q", "X")], [("r", "R", "Y")]]
    tagger = SequenceTagger(template=CRFPP, names=True, bits=32, min_updates=1, epochs=1, gamma=1e6, average=False)
    tagger.fit(corpus)
    names = {name for table in tagger.model_.tables for name in table.names}
    lines = [line for line in CRFPP.splitlines() if line.startswith(("U", "B"))]
    expected = {
        text
        for line in map(Line, lines)
        for rows in corpus
        for i in range(len(rows))
        for text, _ in line.features(rows, i)
    }
    assert names <= expected
    assert {name for name in expected if name.startswith("U05")} <= names


@pytest.mark.parametrize(
    ("macro", "values"),
    [
        ("%lower[0,0]", ["the", "ibm-pc", "cost", "$5", "."]),
        ("%X[0,0]", ["the", "ibm-pc", "cost", "$5", "."]),
        ("%prefix[0,0,3]", ["The", "IBM", "cos", "$5", "."]),
        ("%suffix[0,0,2]", ["he", "PC", "st", "$5", "."]),
        ("%Suffix[0,0,2]", ["he", "pc", "st", "$5", "."]),
        ("%shape[0,0]", ["Xx", "X-X", "x", "$d", "."]),
        ("%digit[0,0]", ["false", "false", "false", "true", "false"]),
        ("%hyphen[0,0]", ["false", "true", "false", "false", "false"]),
        ("%capital[0,0]", ["true", "true", "false", "false", "false"]),
        ('%t[0,0,"^\\u*$"]', ["false", "false", "false", "false", "false"]),
        ('%t[0,0,"\\d"]', ["false", "false", "false", "true", "false"]),
        ('%m[0,0,"-.*$"]', ["", "-PC", "", "", ""]),
        ('%m[0,0,"#"]', ["", "", "", "", ""]),
        (r'%t[0,0,"\(a\|b\)\+"]', ["false", "false", "false", "false", "false"]),  # letters, as the backslashes say
        ('%t[0,0,"C++|"]', ["false", "false", "false", "false", "false"]),
        ("%x[@1,0]", ["The"] * 5),
        ("%x[@2,0]", ["IBM-PC"] * 5),
        ("%x[@-1,0]", ["."] * 5),
        ("%x[@-2,0]", ["$5"] * 5),
        ("%x[0,word]", ["The", "IBM-PC", "cost", "$5", "."]),
        ("%x[ +1 , pos ]", ["NNP", "VBD", "CD", ".", "_B+1"]),
        ("%lower[-1,0]", ["_B-1", "the", "ibm-pc", "cost", "$5"]),
        ("%shape[1,0]", ["X-X", "x", "$d", ".", "_B+1"]),
        ("%y[-1]", ["%y[-1] y[-1]=_B-1", "%y[-1] y[-1]=X", "%y[-1] y[-1]=Y"]),
        ("%y[-2]/%y[-1]", ["%y[-2]/%y[-1] y[-2]=_B-1 y[-1]=_B-1", "%y[-2]/%y[-1] y[-2]=_B-1 y[-1]=X",
                           "%y[-2]/%y[-1] y[-2]=X y[-1]=Y", "%y[-2]/%y[-1] y[-2]=Y y[-1]=X"]),
    ],
)  # fmt: skip
def test_every_macro_gives_its_values(macro, values):
    found = features(f"U1:{macro}\nU2:%x[0,0]\n", search="greedy", columns=["word", "pos", "label"])
    assert {name for name in found if name.startswith("U1:")} == {f"U1:{value}" for value in values}


def test_labels_on_both_sides_are_named_as_far_as_they_are_known():
    corpus = [[("a", "X"), ("b", "Y")]]
    found = features("U1:%y[-1]/%y[+1]\nU2:%x[0,0]\n", corpus[0], search="easiest-first")
    assert "U1:%y[-1]/%y[+1] y[-1]=X y[+1]=_B+1" in found
    values = {name.removeprefix("U1:%y[-1]/%y[+1]") for name in found if name.startswith("U1:")}
    assert values <= {f" y[-1]={left} y[+1]={right}" for left in ("_B-1", "_?", "X") for right in ("_B+1", "_?", "Y")}


@pytest.mark.parametrize("search", ["viterbi", "greedy", "argmax"])
def test_lines_that_look_ahead_are_left_out_of_other_searches(search):
    text = "U1:%x[0,0]\nB\n"
    both = [
        SequenceTagger(template=template, search=search, min_updates=1, bits=32).fit([SENTENCE])
        for template in (text, text + "U2:%y[+1]\nU3:%y[-1]/%x[0,0]/%y[+1]\nB4:%y[+1]/%y[+2]\n")
    ]
    assert list(both[0].contents.weights()) == list(both[1].contents.weights())


def test_macros_know_unicode():
    sentence = [("Ärger", "X"), ("ÉTÉ", "Y"), ("straße", "X"), ("ΣΟΦΙΑ", "Y"), ("Жук-2", "X"), ("東京", "Y")]
    line = "U:%lower[0,0] %prefix[0,0,2] %suffix[0,0,2] %shape[0,0] %capital[0,0]\n"
    assert features(line, sentence, search="argmax") == {
        "U:ärger Är er Xx true",
        "U:été ÉT TÉ X true",
        "U:straße st ße x false",
        "U:σοφια ΣΟ ΙΑ X true",
        "U:жук-2 Жу -2 Xx-d true",
        "U:東京 東京 東京 東京 false",
    }


def test_word_lists_take_the_longest_phrase(tmp_path):
    (tmp_path / "places.txt").write_text("New York\nNew York City\n  Paris \r\n\nCity\n")
    (tmp_path / "t.tpl").write_text('U:%in[0,0,"places.txt"]/%x[0,0]\n')
    words = ["in", "New", "York", "City", "or", "Paris", "City", "new"]
    sentence = list(zip(words, "XYXYXYXY", strict=True))
    assert features(tmp_path / "t.tpl", sentence, search="argmax") == {
        "U:O/in", "U:B/New", "U:I/York", "U:I/City", "U:O/or", "U:B/Paris", "U:B/City", "U:O/new"
    }  # fmt: skip


def test_word_lists_may_be_read_regardless_of_case(tmp_path):
    (tmp_path / "places.txt").write_text("new york\n")
    (tmp_path / "t.tpl").write_text('U:%In[0,0,"places.txt"]/%x[0,0]\n')
    sentence = [("NEW", "X"), ("York", "Y"), ("x", "X")]
    assert features(tmp_path / "t.tpl", sentence, search="argmax") == {"U:B/NEW", "U:I/York", "U:O/x"}


def test_lines_of_one_text_share_their_features():
    """A bag of words, as in CRF++: the identifier tells features apart, not the line."""
    corpus = [[("a", "X"), ("b", "Y")]]
    options = {"search": "argmax", "min_updates": 1, "names": True, "epochs": 1, "average": False, "bits": 32}
    bag = SequenceTagger(template="U:%x[-1,0]\nU:%x[0,0]\n", update="perceptron", **options).fit(corpus)
    apart = SequenceTagger(template="U1:%x[-1,0]\nU2:%x[0,0]\n", update="perceptron", **options).fit(corpus)
    assert sorted(bag.model_.tables[0].names) == ["U:a", "U:b"]  # only token b is a mistake, `a` before it
    assert sorted(apart.model_.tables[0].names) == ["U1:a", "U2:b"]
    assert bag.predict([["b"]]) == bag.predict([["a"]]) == [["Y"]]
    assert apart.predict([["b"], ["a"]]) == [["Y"], ["X"]]


def test_comments_and_spaces_are_left_out():
    text = '\ufeff# a comment\r\n\r\n  U1:%x[0,0]  # behind\r\nU2:a#b %x[0,0]\r\nU3:%t[0,0," #"]\r\n'
    assert features(text, search="argmax") >= {"U1:The", "U2:a#b The", "U3:false"}


COLUMNS = {
    "chunking": ["word", "pos", "label"],
    "chunking-2011": ["word", "pos", "label"],
    "crfsuite-chunking": ["word", "pos", "label"],
    "entities": ["form", "upos", "xpos", "feats", "label"],
    "lemma": ["form", "upos", "xpos", "feats", "next", "tags", "label"],
    "morphology": ["form", "upos", "xpos", "label"],
    "ner": ["word", "pos", "label"],
    "pos": ["word", "label"],
    "segment": ["kind", "gap", "head", "tail", "before", "after", "later", "label"],
    "split": ["form", "label"],
    "split-words": ["form", "known", "label"],
    "tags": ["form", "label"],
    "xpos-morphology": ["form", "upos", "label"],
}


def test_shipped_templates_are_listed():
    assert shipped_templates() == list(COLUMNS)


@pytest.mark.parametrize("name", shipped_templates())
def test_shipped_templates_compile_and_learn(name):
    text, shown, folder = find_template(name)
    assert shown == name
    columns = COLUMNS[name]
    template = _core.Template(text, name, columns, len(columns) - 1)
    assert template.lines > 10
    assert all((folder / word_list).is_file() for word_list in template.word_lists)
    assert text.lstrip().startswith("#")  # says what it is for
    corpus = [[(row[0], *[row[1]] * (len(columns) - 2), row[-1]) for row in SENTENCE]]
    for search in ("viterbi", "easiest-first", "greedy", "argmax"):
        options = {"template": name, "columns": columns, "search": search, "min_updates": 1, "epochs": 5}
        tagger = SequenceTagger(**options).fit(corpus)
        assert tagger.score(corpus) > 0.5


def test_a_template_is_found_by_name_by_path_and_by_text(tmp_path):
    text = find_template("crfsuite-chunking").text
    (tmp_path / "own.tpl").write_text(text)
    assert find_template(tmp_path / "own.tpl").text == find_template(str(tmp_path / "own.tpl")).text == text
    assert find_template(text).text == text
    assert isinstance(find_template(text).folder, Path)


def test_a_file_in_the_working_directory_does_not_hide_a_shipped_one(tmp_path, monkeypatch):
    (tmp_path / "crfsuite-chunking").write_text("U:%x[0,0]\n")
    monkeypatch.chdir(tmp_path)
    assert find_template("crfsuite-chunking").text != "U:%x[0,0]\n"
