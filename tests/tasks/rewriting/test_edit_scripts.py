"""Edit scripts: what they make of forms, which are found for examples, and which of these are chosen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import naive_scripts as naive

from sapwood import _core
from sapwood.errors import DataError, ModelError
from sapwood.model.file.records import flaw_of_labels

ANY = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
SMALL = st.text("aAbBéÉה[]: \\-1\t\n\r\0", min_size=1, max_size=6)  # letters whose case Python and the core agree on
EXAMPLES = st.tuples(SMALL, st.lists(SMALL, min_size=1, max_size=3))
CUT = st.lists(SMALL, min_size=1, max_size=4).map(lambda words: ("".join(words), words))


def applied(script, form):
    return _core.EditScript(script).apply(form)


@pytest.mark.parametrize(
    ("form", "words", "script"),
    [
        ("cities", ["city"], "[:-3]y"),
        ("The", ["the"], "[l:]"),
        ("LONDON", ["London"], "[t:]"),
        ("was", ["be"], "be"),
        ("gekauft", ["kaufen"], "[2:-1]en"),
        ("don't", ["do", "n't"], "[:-3] [-3:]"),
        ("du", ["de", "le"], "[:1]e le"),
        ("auxquels", ["à", "lesquels"], "à les[3:]"),
        ("בבית", ["ב", "ה", "בית"], "[:1] ה [1:]"),
        ("a b", ["a b"], r"a\ b"),
    ],
)
def test_scripts_give_words_and_are_found_for_them(form, words, script):
    assert applied(script, form) == words
    assert script in [each.text for each in _core.scripts_for(form, words)]


@pytest.mark.parametrize(
    ("script", "form", "words"),
    [
        ("[m:]", "pūella", ["puella"]),
        ("[m:-1]us", "amīcī", ["amicus"]),
        ("[lm:]", "RŌMA", ["roma"]),
        ("[m:]", "שָׁלוֹם", ["שלום"]),
        ("[m:]", "ذَهَبَ", ["ذهب"]),
        ("[m\u0301:]", "домо\u0301й", ["домой"]),
        ("[m:-1]", "\u0300", None),
        ("[m:-1]", "é", None),
    ],
)
def test_scripts_drop_marks(script, form, words):
    assert applied(script, form) == words


@pytest.mark.parametrize("script", ["[m:-2] [:2]", "[mx:]", "[ml:]", "[mm:]", "[m\u0301\u00e9:]", "[m\u093c:]"])
def test_scripts_that_drop_what_is_no_mark_or_only_at_times_are_none(script):
    with pytest.raises(ModelError, match="not an edit script"):
        _core.EditScript(script)


@pytest.mark.parametrize("words", [9, 10])
def test_marks_that_ten_words_lose_are_dropped_and_others_stay(words):
    forms = [f"{a}\u0101{b}\u010d" for a in "bdfg" for b in "klm"][:words]  # the lemma keeps the second mark
    scripts = _core.choose_scripts([(form, [form.replace("\u0101", "a")]) for form in forms])
    assert (set(scripts) == {"[m\u0304:]"}) == (words == 10)


def test_marks_that_are_letters_are_never_dropped():
    forms = ["händer", "länder", "bäcker", "gäster", "täcker", "änder", "väster", "fäster", "päls", "kärl", "märke"]
    pairs = [(form, [form.removesuffix("er")]) for form in forms] + [("städer", ["stad"]), ("nätter", ["natt"])]
    assert not any("m" in script for script in _core.choose_scripts(pairs) if ":" in script)


@given(ANY, st.lists(ANY, min_size=1, max_size=4))
def test_every_script_for_an_example_is_right_for_it_and_can_be_a_label(form, words):
    scripts = _core.scripts_for(form, words)
    assert scripts
    for script in scripts:
        assert applied(script.text, form) == script.apply(form) == words
        assert script.words == len(words)
        assert len(form) >= script.shortest
    assert flaw_of_labels([script.text for script in scripts]) is None


@pytest.mark.slow
@given(EXAMPLES | CUT, SMALL)
def test_scripts_do_to_other_forms_what_the_oracle_does(example, form):
    for script in _core.scripts_for(*example):
        words = script.apply(form)
        assert words == naive.apply_script(script.text, form)
        assert (words is not None) == (len(form) >= script.shortest)


@given(CUT)
def test_words_that_are_cut_out_of_a_form_are_slices_only(example):
    form, words = example
    scripts = [script.text for script in _core.scripts_for(form, words)]
    places = [len("".join(words[:k])) for k in range(1, len(words))]
    front = ["", *places, ""]
    behind = ["", *(place - len(form) for place in places), ""]
    for numbers in (front, behind):
        assert " ".join(f"[{numbers[k]}:{numbers[k + 1]}]" for k in range(len(words))) in scripts


@pytest.mark.slow
@given(st.lists(EXAMPLES | CUT, max_size=12))
def test_scripts_are_chosen_as_the_oracle_does(examples):
    chosen = _core.choose_scripts(examples)
    distinct = list({repr(example): example for example in examples}.values())
    offers = [[script.text for script in _core.scripts_for(*example)] for example in distinct]
    expected = dict(zip(map(repr, distinct), naive.choose_scripts(offers), strict=True))
    assert chosen == [expected[repr(example)] for example in examples]


@given(st.text("[]:l-123 \\ab\tñ", max_size=12))
def test_a_text_is_a_script_or_refused(text):
    try:
        script = _core.EditScript(text)
    except ModelError:
        return
    assert script.text == text
    assert flaw_of_labels([text]) is None
    assert script.apply("abcdefgh") == naive.apply_script(text, "abcdefgh")


NO_SCRIPTS = ["", "[", "[:", "[0:]", "[:-0]", "[2:1]", "[-2:1]", "a  b", "a ", "\\x", "[100000:]", "[:][:]"]


@pytest.mark.parametrize("text", NO_SCRIPTS)
def test_text_that_is_not_a_script(text):
    with pytest.raises(ModelError, match="not an edit script"):
        _core.EditScript(text)


@pytest.mark.parametrize(("form", "words"), [("", ["a"]), ("a", []), ("a", ["b", ""])])
def test_examples_without_text_are_refused(form, words):
    with pytest.raises(DataError, match="not empty"):
        _core.scripts_for(form, words)


def test_a_word_that_is_too_long_for_a_script():
    with pytest.raises(DataError, match="too long for an edit script: bbb"):
        _core.choose_scripts([("a", ["b" * 70_000])])
