"""What lemmas and split words are spelled from: the token, and what training has of such tokens."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import naive_scripts as naive

import sapwood
from sapwood import Lemmatizer, Splitter, _core
from sapwood.model.file.container import Array
from sapwood.tasks.tagging.row_tagger import LEXICON_ARRAYS

NUMBERS = {"1,000": "1000", "12,000": "12000", "5,000": "5000", "11,772": "11772", "1,613": "1613", "2": "to"}
PLURALS = ["dogs", "cats", "trees", "books", "tables", "walls", "hats", "tools", "cars", "bells", "lamps", "roads"]
MEN = ["women", "men", "firemen", "postmen"]
DAYS = {"Fri.": "Friday", "Mon.": "Monday", "Sun.": "Sunday"}
PAST = {"shared": "share", "stored": "store", "cared": "care", "fired": "fire", "walked": "walk", "talked": "talk"}
PAST |= {"shaped": "shape", "taped": "tape", "wiped": "wipe", "was": "be"}
PAST |= {f"{verb}ed": verb for verb in ("park", "work", "honor", "color", "enter", "offer", "open", "ask")}
WORDS = [(form, lemma, "NUM", "CD") for form, lemma in NUMBERS.items()]
WORDS += [(form, form[:-1], "NOUN", "NNS") for form in PLURALS]
WORDS += [(form, form[:-2] + "an", "NOUN", "NNS") for form in MEN]
WORDS += [(form, lemma, "PROPN", "NNP") for form, lemma in DAYS.items()]
WORDS += [(form, lemma, "VERB", "VBD") for form, lemma in PAST.items()]
WORDS += [
    (form, form, "NOUN", "NN")
    for form in ("pen", "den", "hen", "ten", "oven", "bird", "sea", "star", "etc.", "Mr.", "Co.", "Inc.")
]
WORDS += [("The", "the", "DET", "DT")]
TAGS = sorted({(upos, xpos) for _, _, upos, xpos in WORDS})
LEXICON = [
    ("leaped", "VERB", ["leap"]),
    ("leap", "VERB", ["leap"]),
    ("favor", "VERB", ["favor"]),
    ("shore", "VERB", ["shore"]),
]
LEXICON += [(word, "NOUN", [word]) for word in ("yen", "omen", "dog", "mouse")]


def conllu(words):
    lines = (f"1\t{form}\t{lemma}\t{upos}\t{xpos}\t_\t0\troot\t_\t_\n" for form, lemma, upos, xpos in words)
    return "\n".join(lines) + "\n"


def lists_of(model):
    """The lists of scripts in a model file, by edit, as the oracle has them."""
    edits = list(dict.fromkeys(naive.edit_of(label) for label in model.labels if not naive.keeps_letters(label)))
    lines = bytes(model.extra["script_lists"].data).decode().split("\n")
    return {edit: set(line.split("\t")) - {""} for edit, line in zip(edits, lines, strict=True)}


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    path = tmp_path_factory.mktemp("guard") / "train.conllu"
    path.write_text(conllu(WORDS * 3))
    return path


@pytest.fixture(scope="module")
def lemmatizer(treebank):
    return Lemmatizer(epochs=5).fit(treebank)


def lemma(model, form, upos, xpos):
    [[found]] = model.predict([[(form, upos, xpos, "_")]])
    return found


# Numbers

TOKENS = st.text("0123456789,.-sthé٣", min_size=1, max_size=10).filter(lambda token: any(c.isdecimal() for c in token))


@given(TOKENS, st.sampled_from(TAGS))
def test_a_token_with_a_digit_changes_case_at_most(lemmatizer, token, tags):
    found = lemma(lemmatizer, token, *tags)
    assert found.lower() == token.lower() or (token, found) in NUMBERS.items()


def test_numbers_that_training_has_have_its_lemmas(lemmatizer):
    for form, number in NUMBERS.items():
        assert lemma(lemmatizer, form, "NUM", "CD") == number


def test_numbers_of_models_from_older_files_stay_as_they_are(lemmatizer):
    """They have no lists, by which training's own numbers would be known."""
    old = lemmatizer.model_.replaced(extra={k: a for k, a in lemmatizer.model_.extra.items() if k != "script_lists"})
    model = Lemmatizer._of_file(old)
    for form in ("4,000,000", "11,772", "9,613", "3", "mid-1980s"):
        assert lemma(model, form, "NUM", "CD") == form
    assert lemma(model, "walls", "NOUN", "NNS") == "wall"


# Endings and irregular words


@pytest.mark.parametrize(
    ("form", "tags", "expected"),
    [
        ("yen", ("NOUN", "NNS"), "yen"),
        ("chairmen", ("NOUN", "NNS"), "chairman"),
        ("Sec.", ("PROPN", "NNP"), "Sec."),
        ("Fig.", ("PROPN", "NNP"), "Fig."),
        ("Fri.", ("PROPN", "NNP"), "Friday"),
        ("was", ("VERB", "VBD"), "be"),
        ("saw", ("VERB", "VBD"), "saw"),
        ("shoes", ("NOUN", "NNS"), "shoe"),
    ],
)  # fmt: skip
def test_scripts_rewrite_forms_like_those_of_training(lemmatizer, form, tags, expected):
    assert lemma(lemmatizer, form, *tags) == expected


FORMS = st.text("aeimnorstwy.'EF", min_size=1, max_size=8) | st.sampled_from([form for form, *_ in WORDS])


@given(FORMS | TOKENS, st.sampled_from(TAGS))
def test_lemmas_are_spelled_from_the_form_and_from_what_scripts_have_for_such_forms(lemmatizer, form, tags):
    lists = lists_of(lemmatizer.model_)
    made = {label: naive.apply_script(label, form) for label in lemmatizer.labels_ if naive.allows(lists, label, form)}
    assert [lemma(lemmatizer, form, *tags)] in [*made.values(), [form]]


SCRIPTS = st.sampled_from(["[:]", "[l:]", "[l:-1]", "[:-1]", "a[1:-2]o", "be"])
ROWS = st.lists(
    st.tuples(st.text("abs1", min_size=1, max_size=5), SCRIPTS).filter(lambda row: naive.apply_script(row[1], row[0])),
    min_size=1,
    max_size=60,
)


@pytest.mark.slow
@given(ROWS)
def test_lists_are_those_of_the_oracle(rows):
    labels = list(dict.fromkeys(script for _, script in rows))
    text = _core.script_lists(_core.Columns.build([rows], None, "rows"), labels, "")
    edits = list(dict.fromkeys(naive.edit_of(label) for label in labels if not naive.keeps_letters(label)))
    found = dict(zip(edits, (set(line.split("\t")) for line in text.split("\n")), strict=bool(edits)))
    assert found == naive.script_lists(rows)
    again = _core.script_lists(_core.Columns.build([rows[:1]], None, "rows"), labels, text).split("\n")
    assert all(set(line.split("\t")) >= found[edit] for edit, line in zip(edits, again, strict=bool(edits)))


# Known words


def test_known_words_decide_between_lemmas(treebank, lemmatizer, tmp_path):
    assert lemma(lemmatizer, "leaped", "VERB", "VBD") == "leape"
    model = Lemmatizer(epochs=5, lexicon=LEXICON).fit(treebank)
    for form, tags, expected in (
        ("leaped", ("VERB", "VBD"), "leap"),
        ("favored", ("VERB", "VBD"), "favor"),
        ("omen", ("NOUN", "NNS"), "omen"),
        ("shored", ("VERB", "VBD"), "shore"),
    ):
        assert lemma(model, form, *tags) == expected
    model.save(tmp_path / "m.sap")
    again = sapwood.load(tmp_path / "m.sap")
    assert lemma(again, "favored", "VERB", "VBD") == "favor"
    assert set(LEXICON_ARRAYS) <= set(again.model_.extra)


def test_words_with_a_rare_script_are_left_out(tmp_path):
    words = [*WORDS * 3, ("$ervice", "service", "NOUN", "NN")]
    (tmp_path / "t.conllu").write_text(conllu(words))
    models = [Lemmatizer(epochs=3, min_words=n, runs=2).fit(tmp_path / "t.conllu") for n in (1, 2)]
    assert [any("s[1:]" in label for label in model.labels_) for model in models] == [True, False]
    assert lemma(models[1], "$ervice", "NOUN", "NN") == "$ervice"


# Model files


def test_lists_that_do_not_fit_are_refused(lemmatizer):
    for data, message in ((b"a\nb", "a list of forms for each"), (b"\xff", "not UTF-8")):
        extra = lemmatizer.model_.extra | {"script_lists": Array.of("U8", data)}
        with pytest.raises(sapwood.ModelError, match=message):
            Lemmatizer._of_file(lemmatizer.model_.replaced(extra=extra))


def test_a_pipeline_has_the_words_of_its_lexicon_once(tmp_path):
    nlp = sapwood.load("en")
    tagger, words = (nlp.model_.parts[part].extra for part in ("tagger", "lemmatizer"))
    assert all(tagger[name] == words[name] for name in LEXICON_ARRAYS)
    nlp.save(tmp_path / "en.sap")
    from sapwood.model.file import container

    metadata, arrays = container.read(tmp_path / "en.sap")
    assert json.loads(metadata["coded"])["lemmatizer/extra.lexicon.classes"] == ["same", "tagger/extra.lexicon.classes"]
    assert "lemmatizer/extra.lexicon.classes" not in arrays


# Split words


SPLITS = [("du", ["de", "le"]), ("it's", ["it", "'s"]), ("dont", ["do", "nt"]), ("aux", ["à", "les"])]


@pytest.fixture(scope="module")
def splitter(tmp_path_factory):
    lines = []
    for token, words in SPLITS * 4:
        lines.append(f"1-2\t{token}" + "\t_" * 8)
        lines += [f"{k}\t{word}\t_\tX\t_\t_\t{k - 1}\tdep\t_\t_" for k, word in enumerate(words, 1)]
        lines.append("")
    path = tmp_path_factory.mktemp("splits") / "t.conllu"
    path.write_text("\n".join(lines) + "\n")
    return Splitter(epochs=5).fit(path)


@given(st.text("du itso'nax07", min_size=1, max_size=7).filter(lambda token: " " not in token))
def test_split_words_are_spelled_from_the_token_and_from_scripts(splitter, token):
    [[words]] = splitter.predict([[token]])
    assert words in [naive.apply_script(label, token) for label in splitter.labels_] or words == [token]
    if any(c.isdigit() for c in token):
        assert "".join(words) == token
