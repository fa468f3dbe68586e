"""Texts that are no feature template: the error names the line, and nothing hangs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapwood import OptionError, SequenceTagger, TemplateError, _core
from sapwood.templates import find_template

SENTENCE = [("The", "DT", "X"), ("IBM-PC", "NNP", "Y"), ("cost", "VBD", "X"), ("$5", "CD", "Y"), (".", ".", "X")]


def compile_template(text, columns=("word", "pos", "label"), label=2):
    return _core.Template(text, "t.tpl", list(columns), label)


def features(template, sentence=SENTENCE, search="viterbi", **options):
    """The texts of all features of one sentence: with such a margin every token is a mistake, so all get a weight."""
    options = {"epochs": 4, "min_updates": 1, "bits": 32, "gamma": 1e6, **options}
    tagger = SequenceTagger(template=template, names=True, search=search, **options).fit([sentence])
    return {name for table in tagger.model_.tables for name in table.names}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("X00:%x[0,0]", "a line starts with U, B or *"),
        ("some nonsense", "a line starts with U, B or *"),
        ("U00:%x[0,0", "expected ']' at character"),
        ("U00:%x[0]", "expected ','"),
        ("U00:%x[,0]", "expected a row offset"),
        ("U00:%x[a,0]", "expected a row offset"),
        ("U00:%x[0,]", "there is no column ''"),
        ("U00:%x 0,0", "expected '['"),
        ("U00:%x", "expected '['"),
        ("U00:%", "unknown macro %;"),
        ("U00:100%", "unknown macro %;"),
        ("U00:%q[0,0]", "unknown macro %q; there are %x"),
        ("U00:%x[101,0]", "at most 100"),
        ("U00:%x[-99999999999,0]", "expected a row offset"),
        ("U00:%x[0,3]", "there is no column 3; the data has 0 (word), 1 (pos), 2 (label) = the label"),
        ("U00:%x[0,-1]", "there is no column '-1'"),
        ("U00:%x[0,chunk]", "there is no column 'chunk'"),
        ("U00:%x[0,99999999999999999999999]", "there is no column"),
        ("U00:%x[0,2]", "column 2 is the label"),
        ("U00:%x[0,label]", "column label is the label"),
        ("U00:%prefix[0,0]", "expected ','"),
        ("U00:%prefix[0,0,0]", "at least one character"),
        ("U00:%suffix[0,0,-2]", "at least one character"),
        ("U00:%t[0,0]", "expected ','"),
        ("U00:%t[0,0,a]", "double quotes"),
        ('U00:%t[0,0,"a]', "does not end"),
        ('U00:%t[0,0,"*a"]', "must follow a character"),
        ('U00:%t[0,0,"(0|1|2)*"]', "a pattern with |: brackets, bars and + are letters there"),
        ('U00:%t[0,0,"^cat|dog$"]', "a pattern with |"),
        ('U00:%m[0,0,"[A-Z]"]', "a pattern with [ and ]"),
        ('U00:%m[0,0,"x(ab)"]', "a pattern with ( and )"),
        ('U00:%t[0,0,"\\d{4}"]', "a pattern with { and }"),
        ('U00:%t[0,0,"^\\d+$"]', "a pattern with +"),
        ('U00:%t[0,0,".+x"]', "a pattern with +"),
        ('U00:%m[0,0,"a\\\\"', "expected ']'"),
        ('U00:%m[0,0,"a\\', "does not end"),
        ('U00:%in[0,0]', "expected ','"),
        ("U00:%x[*1,0]", "indirect rows"),
        ("U00:%y[0]", "%y takes [-2], [-1], [+1] or [+2]"),
        ("U00:%y[3]", "%y takes [-2], [-1], [+1] or [+2]"),
        ("U00:%y[-3]", "%y takes [-2], [-1], [+1] or [+2]"),
        ("U00:%y[-2]", "needs %y[-1] beside it"),
        ("U00:%y[+2]", "needs %y[+1] beside it"),
    ],
)  # fmt: skip
def test_errors_name_the_line(line, message):
    with pytest.raises(TemplateError) as caught:
        compile_template(f"U:%x[0,0]\n\n# comment\n{line}\nB\n")
    assert str(caught.value).startswith("t.tpl:4: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(alphabet='UB*:%xtmyin[]01,-@"\\#^?$a é\n', max_size=30))
def test_any_text_is_a_template_or_an_error(text):
    try:
        template = compile_template(text)
    except TemplateError as error:
        assert str(error).startswith("t.tpl:")
        assert "\n" not in str(error)
    else:
        assert template.lines > 0


@given(st.text(alphabet="ab.*?^$\\dulp", max_size=8), st.text(alphabet="abAB01.-é ", max_size=12))
def test_patterns_never_hang_and_match_within_the_word(pattern, word):
    escaped = pattern.replace('"', "")
    word = word.strip() or "x"
    try:
        found = features(f'U:%m[0,0,"{escaped}"]\n', [(word, "X"), ("q", "Y")], search="argmax")
    except TemplateError as error:
        assert str(error).startswith("template:1: ")
    else:
        assert all(name.removeprefix("U:") in word or name.removeprefix("U:") in "q" for name in found)


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_a_template_without_a_line_is_refused(text):
    with pytest.raises(TemplateError, match=r"t\.tpl: the template has no line"):
        compile_template(text)


def test_bytes_that_are_no_template_are_refused(tmp_path):
    with pytest.raises(TemplateError, match="not UTF-8"):
        compile_template("U:%x[0,0]\n\0")
    (tmp_path / "binary.tpl").write_bytes(b"U:\xff\n")
    with pytest.raises(TemplateError, match=r"binary\.tpl:1: invalid UTF-8"):
        find_template(tmp_path / "binary.tpl")
    with pytest.raises(TemplateError, match="it is a folder"):
        find_template(tmp_path)
    with pytest.raises(TemplateError, match=r"no such template file, and the shipped ones are .*chunking"):
        find_template("chunkin")


def test_a_word_list_that_is_missing_is_named(tmp_path):
    from sapwood import SapwoodError

    (tmp_path / "t.tpl").write_text('U:%in[0,0,"cities.txt"]\n')
    with pytest.raises(SapwoodError, match=r"word list.*cities\.txt"):
        SequenceTagger(template=tmp_path / "t.tpl").fit([SENTENCE])


def test_options_and_templates_fail_apart():
    with pytest.raises(OptionError):
        SequenceTagger(template="nonsense\n", order=7).fit([SENTENCE])
