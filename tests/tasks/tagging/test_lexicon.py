"""Lexicons of taggers: the tags that words may have, the table in a model, and the macro %lexicon."""

import copy
import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sapwood
from sapwood import Classifier, DataError, OptionError, SequenceTagger, _core
from sapwood.io.lexicons import read_lemma_lexicon
from sapwood.tasks.tagging.row_tagger import tag_lexicon
from sapwood.templates import find_template

LEXICON = "walk,verb,walk\nwalk,noun,walk\nthe,det,the\nRome,propn,Rome\nwalk,noun,walk\n11,num,11\n"
SENTENCES = [[("The", "D"), ("walk", "N")], [("a", "D"), ("Rome", "N")]]
TEMPLATE = "U0:%lexicon[0,0]\n"


@pytest.fixture
def lexicon(tmp_path):
    (tmp_path / "words.csv").write_text(LEXICON)
    return tmp_path / "words.csv"


# Looking up


@pytest.mark.parametrize(
    ("word", "tags"),
    [("walk", "NOUN+VERB"), ("WALK", "NOUN+VERB"), ("The", "DET"), ("Rome", "PROPN"), ("rome", "none"),
     ("11", "NUM"), ("42", "NUM"), ("walks", "none"), ("", "none")],
)  # fmt: skip
def test_the_form_is_looked_up_then_its_lower_case(lexicon, word, tags):
    table = tag_lexicon(lexicon)
    assert table.find(word) == tags
    assert table.tags == ["DET", "NOUN", "NUM", "PROPN", "VERB"]
    assert len(table) == 4


WORDS = st.text(alphabet="abAB19é", max_size=4)


@pytest.mark.slow
@given(st.lists(st.tuples(WORDS, st.sampled_from("NVA") | st.text("N'é ", min_size=1)), min_size=1), st.lists(WORDS))
@example([("a", "N")], ["b"])
def test_the_table_is_a_dict_of_sets_of_tags(entries, others):
    """The table is a dict from fingerprints to sets of tags; of words with the same fingerprint the first counts."""
    table = tag_lexicon([(word, tag, [word]) for word, tag in entries])
    sets, known = {}, {}
    for word, tag in entries:
        sets.setdefault(word, set()).add(tag)
    for word, tags in sets.items():
        known.setdefault(_core.key_of(word) >> (64 - table.key_bits), "+".join(sorted(tags, key=str.encode)))

    def oracle(word):
        lower = word.lower()
        forms = (word, lower, "".join("1" if c.isdigit() else c for c in lower))
        found = [known.get(_core.key_of(form) >> (64 - table.key_bits)) for form in forms]
        return next((tags for tags in found if tags is not None), "none")

    words = [*others, *sets]
    assert [table.find(word) for word in words] == [oracle(word) for word in words]
    assert len(table) == len(known)
    assert table.tags == sorted({tag for _, tag in entries}, key=str.encode)


@pytest.mark.slow
def test_the_table_is_small():
    """18 bits a word for 17 tags in some 20 sets: 13 for a fingerprint and 5 for the set."""
    entries = [(f"w{k}", f"T{(k % 20 * step) % 17:02}", []) for k in range(50_000) for step in (1, 2)]
    table = tag_lexicon(entries)
    assert len(table.tags) == 17
    assert 8 * sum(map(len, (table.high, table.low, table.classes, table.tree))) / 50_000 < 18.2


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([], "the lexicon: there is no word in it"),
        ([("a", "", [])], "the lexicon: a tag is empty"),
        ([("a", "N+V", [])], r"the lexicon: a tag has a \+ in it"),
        ([("a", "N\nV", [])], "the lexicon: a tag has a line end or another control character in it"),
        ([("a", "\ud800", [])], "the lexicon: a word or tag is not Unicode"),
        ([("a", f"T{k}", []) for k in range(256)], "the lexicon: it has more than 255 tags"),
    ],
)
def test_entries_that_are_none(entries, message):
    with pytest.raises(DataError, match=f"^{message}"):
        SequenceTagger(template=TEMPLATE, lexicon=entries).fit(SENTENCES)


def test_files_that_are_none(tmp_path):
    for text, message in (
        ("a,b\n", "bad:1: a line has"),
        ("", "bad: there is no word in it"),
        ("a,b+c,d", "bad: a tag"),
    ):
        (tmp_path / "bad").write_text(text)
        with pytest.raises(DataError, match=message):
            SequenceTagger(template=TEMPLATE, lexicon=tmp_path / "bad").fit(SENTENCES)


# In a model


def names(template, **options):
    once = {"epochs": 1, "min_updates": 1, "average": False, "gamma": 1e6, "bits": 32}
    tagger = SequenceTagger(template=template, names=True, **once, **options).fit(SENTENCES)
    return sorted(name for table in tagger.model_.tables for name in table.names)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("U:%lexicon[0,0]", ["U:DET", "U:NOUN+VERB", "U:PROPN", "U:none"]),
        ("U:%lexicon[-1,0]", ["U:DET", "U:_B-1", "U:none"]),
        ("U:%lexicon[@1,0]-%lexicon[ 0 , 0 ]", ["U:DET-DET", "U:DET-NOUN+VERB", "U:none-PROPN", "U:none-none"]),
        ("U:%Lexicon[0,0]-%x[0,0]", ["U:DET-The", "U:NOUN+VERB-walk", "U:none-Rome", "U:none-a"]),
        ("U:%x[0,0]/%lexicon[1,0]", ["U:Rome/_B+1", "U:The/NOUN+VERB", "U:a/PROPN", "U:walk/_B+1"]),
    ],
)
def test_features_are_named_by_their_tags(lexicon, line, expected):
    assert names(line + "\n", lexicon=lexicon) == expected


def test_a_lexicon_and_clusters_serve_beside_each_other(lexicon, tmp_path):
    (tmp_path / "paths").write_text("0\tthe\t9\n1\twalk\t5\n")
    template = "U:%lexicon[0,0]/%cluster[0,0]\nU1:%cluster[0,0]\nU2:%lexicon[0,0]\n"
    both = names(template, lexicon=lexicon, clusters=tmp_path / "paths")
    assert {"U:DET/0", "U:NOUN+VERB/1", "U:PROPN/none", "U:none/none"} < set(both)
    assert {name[:2] for name in names(template, lexicon=lexicon)} == {"U2"}
    assert {name[:2] for name in names(template, clusters=tmp_path / "paths")} == {"U1"}


@pytest.mark.filterwarnings("ignore:.* the training data:sapwood.SapwoodWarning")
@pytest.mark.parametrize("search", ["viterbi", "greedy", "easiest-first", "argmax"])
def test_a_tagger_keeps_its_lexicon(lexicon, tmp_path, search):
    tagger = SequenceTagger(template=TEMPLATE, lexicon=lexicon, search=search, min_updates=1)
    tagger.fit(SENTENCES, dev=SENTENCES)
    lexicon.unlink()
    tagger.save(tmp_path / "m.sap")
    for again in (sapwood.load(tmp_path / "m.sap"), copy.deepcopy(tagger), pickle.loads(pickle.dumps(tagger))):
        assert again.predict([["THE", "walk"]]) == [["D", "N"]]
        assert {name: a.data for name, a in again.model_.extra.items()} == {
            name: a.data for name, a in tagger.model_.extra.items()
        }
    again = sapwood.load(tmp_path / "m.sap")
    assert again.lexicon is None
    assert "lexicon" in again.contents.arrays.values()


def test_a_lexicon_may_be_given_as_it_was_read_or_built(lexicon):
    models = [
        SequenceTagger(template=TEMPLATE, lexicon=given, min_updates=1).fit(SENTENCES).model_.arrays()
        for given in (lexicon, str(lexicon), read_lemma_lexicon(lexicon), tag_lexicon(lexicon))
    ]
    assert all(model == models[0] for model in models)
    table = tag_lexicon(lexicon)
    assert tag_lexicon(table) is table
    again = pickle.loads(pickle.dumps(table))
    assert [again.find(word) for word in ("walk", "the", "x")] == ["NOUN+VERB", "DET", "none"]


def test_a_tagger_that_is_trained_again_in_folds_has_its_lexicon(lexicon, tmp_path):
    (tmp_path / "train.txt").write_text("The\tD\nwalk\tN\n\n" * 2 + "a\tD\nRome\tN\n\n" * 2)
    path = tmp_path / "m.sap"
    SequenceTagger(template=TEMPLATE, lexicon=lexicon, min_updates=1).fit(tmp_path / "train.txt").save(path)
    lexicon.unlink()
    best = [
        each.candidates[0].structure for each in sapwood.load(path).lists.cross_validated(tmp_path / "train.txt", 2, 2)
    ]
    assert best == [["D", "N"]] * 4


def test_without_a_lexicon_nothing_changes():
    """The lines are left out: the same arrays as without them."""
    text = find_template("tags").text
    assert "%lexicon" in text
    plain = "".join(line for line in text.splitlines(True) if "%lexicon" not in line)
    options = {"search": "greedy", "history": "own", "columns": ["form", "label"], "min_updates": 1}
    with_lines = SequenceTagger(template=text, **options).fit(SENTENCES).model_
    without = SequenceTagger(template=plain, **options).fit(SENTENCES).model_
    assert with_lines.arrays() == without.arrays()
    assert {**with_lines.metadata(), "template": ""} == {**without.metadata(), "template": ""}
    assert "extra" not in without.metadata()


def test_a_template_that_does_not_look_at_it(lexicon):
    with pytest.raises(OptionError, match=r"^a lexicon is given, but the template has no line that looks at it"):
        SequenceTagger(template="U:%x[0,0]\n", lexicon=lexicon).fit(SENTENCES)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("U:%lexicon[0,0,3]", "expected ']'"),
        ("U:%lexicon[0]", "expected ','"),
        ("U:%lexicons[0,0]", "unknown macro %lexicons; there are .* %cluster %lexicon %y"),
    ],
)
def test_lines_that_are_wrong(line, message):
    with pytest.raises(sapwood.TemplateError, match=message):
        SequenceTagger(template=line + "\n").fit(SENTENCES)


def test_templates_of_documents_have_no_lexicon():
    with pytest.raises(sapwood.TemplateError, match=r"unknown macro %lexicon; there are .* %cluster %chars %d"):
        Classifier(template="C:%lexicon[0,word]\n").fit(["the dog"], ["a"])


def test_the_command_line_takes_a_lexicon(lexicon, tmp_path, run_cli):
    (tmp_path / "train.txt").write_text("The\tD\nwalk\tN\n\na\tD\nRome\tN\n")
    (tmp_path / "t.tpl").write_text(TEMPLATE)
    (tmp_path / "test.txt").write_text("THE\nWALK\n")
    tagger = SequenceTagger(template=tmp_path / "t.tpl", lexicon=lexicon, min_updates=1, names=True)
    tagger.fit(tmp_path / "train.txt").save(tmp_path / "m.sap")
    shown = run_cli(["inspect", tmp_path / "m.sap"]).out
    assert "high (lexicon)" in shown
    assert "U0:NOUN+VERB" in shown
    assert run_cli(["tag", tmp_path / "m.sap", tmp_path / "test.txt"]).out == "THE\tD\nWALK\tN\n"
    assert "U0:NOUN+VERB" in run_cli(["explain", tmp_path / "m.sap", tmp_path / "test.txt", "--token", 2]).out
