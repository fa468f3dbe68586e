"""Word clusters: files of them, the table in a model, and the macro %cluster."""

import copy
import lzma
import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sapwood
from sapwood import Classifier, DataError, OptionError, SequenceTagger, _core
from sapwood.io.lexicons import EVERY_WORD, read_clusters

PATHS = "00\tthe\t9\n010\tdog\t5\n010\tcat\t4\n011\tRome\t3\n1\t1111\t2\n"
SENTENCES = [[("the", "D"), ("dog", "N")], [("a", "D"), ("cat", "N")]]
TEMPLATE = "U0:%cluster[0,0]\n"


def clusters_of(text, most=EVERY_WORD):
    return _core.WordClusters.read(text.encode(), "paths", most)


@pytest.fixture
def paths(tmp_path):
    (tmp_path / "paths").write_text(PATHS)
    return tmp_path / "paths"


# Looking up


@pytest.mark.parametrize(
    ("word", "bits"),
    [("the", "00"), ("The", "00"), ("THE", "00"), ("Rome", "011"), ("rome", None), ("ROME", None), ("1111", "1"),
     ("2024", "1"), ("12", None), ("a", None), ("", None)],
)  # fmt: skip
def test_the_form_is_looked_up_then_its_lower_case(word, bits):
    assert clusters_of(PATHS).find(word) == bits


WORDS = st.text(alphabet="abAB19é", min_size=1, max_size=4)
LEAVES = ["00", "010", "0110", "0111", "1"]


@given(
    st.lists(st.tuples(WORDS, st.sampled_from(LEAVES), st.integers(0, 9)), min_size=1, unique_by=lambda line: line[0]),
    st.lists(WORDS),
    st.integers(1, 100),
)
@example([("a", "00", 0)], ["b"], 1)
def test_the_table_is_a_dict_of_the_more_frequent_words(lines, others, most):
    """The table is a dict from fingerprints to bits, of which the more frequent words are kept."""
    table = clusters_of("".join(f"{bits}\t{word}\t{count}\n" for word, bits, count in lines), most)
    kept = sorted(lines, key=lambda line: -line[2])[:most]
    known = {}
    for word, bits, _ in kept:
        known.setdefault(_core.key_of(word) >> (64 - table.key_bits), bits)

    def oracle(word):
        lower = word.lower()
        forms = (word, lower, "".join("1" if c.isdigit() else c for c in lower))
        found = [known.get(_core.key_of(form) >> (64 - table.key_bits)) for form in forms]
        return next((bits for bits in found if bits is not None), None)

    words = [*others, *(word for word, _, _ in lines)]
    assert [table.find(word) for word in words] == [oracle(word) for word in words]
    assert len(table) == len(known)
    assert table.strings == sorted({bits for _, bits, _ in kept})
    assert table.key_bits == len(kept).bit_length() + 10


def test_a_wrong_match_is_rare_and_the_table_small():
    """23 bits a word for 1,000 classes; one unknown word in 1,024 at most is taken for a known one."""
    table = clusters_of("".join(f"{k % 1000:010b}\tw{k}\t1\n" for k in range(50_000)))
    wrong = sum(table.find(f"u{k}") is not None for k in range(100_000))
    assert wrong / 100_000 < 1.2 / 1024
    bits = 8 * sum(map(len, (table.high, table.low, table.classes)))
    assert bits / 50_000 < 23.2
    assert len(table.tree) < 700


# Files


def test_files_may_be_compressed_and_need_no_counts(tmp_path):
    path = tmp_path / "clusters.tsv.xz"
    path.write_bytes(lzma.compress("\ufeff0\tthe\r\n\r\n1\tdog".encode()))
    table = read_clusters(path)
    assert [table.find(word) for word in ("the", "dog")] == ["0", "1"]


def test_the_most_frequent_words_are_kept(paths):
    table = read_clusters(paths, 2)
    assert [table.find(word) for word in ("the", "dog", "cat", "Rome")] == ["00", "010", None, None]
    assert table.strings == ["00", "010"]


def test_log_probabilities_are_counts_too():
    assert clusters_of("0\ta\t-3.5\n1\tb\t-1\n", 1).find("b") == "1"


def test_zeros_that_were_lost_at_the_end_come_back():
    table = clusters_of("01\tto\t3\n0111\tbe\t2\n0101\tor\t1\n11\tnot\t1\n")
    assert [table.find(word) for word in ("to", "be", "or", "not")] == ["0100", "0111", "0101", "11"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "paths: there is no word in it"),
        ("\n\n", "paths: there is no word in it"),
        ("01 the 3\n", "paths:1: there is no tab"),
        ("0\ta\n012\tthe\t3\n", "paths:2: the cluster is not a string of 0 and 1"),
        ("\tthe\t3\n", "paths:1: the cluster is not a string of 0 and 1"),
        ("17\tthe\t3\n", "paths:1: the cluster is not a string of 0 and 1"),
        ("0" * 256 + "\tthe\t3\n", "paths:1: the cluster has more than 255 bits"),
        ("0\t\t3\n", "paths:1: there is no word"),
        ("0\tthe\tmany\n", "paths:1: the count is not a number"),
        ("0\tthe\t3x\n", "paths:1: the count is not a number"),
        ("0\tthe\tnan\n", "paths:1: the count is not a number"),
        ("0\tthe\t3\t4\n", "paths:1: the count is not a number"),
        ("0\tthe\t1\n1\tdog\t2\n1\tthe\t3\n", "paths:3: the word is already in line 1"),
        ("0\ta\n00\tb\n", "paths: its clusters are not the leaves of a binary tree: 00 and 00"),
        ("0\ta\0\n", "paths:1: NUL byte: this is not a text file"),
    ],
)  # fmt: skip
def test_files_that_are_none_are_refused(text, message):
    with pytest.raises(DataError) as caught:
        clusters_of(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_utf8_is_refused():
    with pytest.raises(DataError, match=r"^paths:2: invalid UTF-8"):
        _core.WordClusters.read(b"0\ta\n1\t\xff\n", "paths", 9)


@given(st.binary(max_size=60) | st.text(alphabet="01\ta\n-.5", max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(data):
    try:
        table = _core.WordClusters.read(data, "paths", 9)
    except DataError as error:
        assert "\n" not in str(error)
    else:
        assert len(table) >= 1


# In a model


def names(template, columns, clusters, **options):
    once = {"epochs": 1, "min_updates": 1, "average": False, "gamma": 1e6, "bits": 32}
    tagger = SequenceTagger(template=template, names=True, clusters=clusters, **once, **options).fit(columns)
    return sorted(name for table in tagger.model_.tables for name in table.names)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("U:%cluster[0,0]", ["U:00", "U:010", "U:none"]),
        ("U:%cluster[0,0,2]", ["U:00", "U:01", "U:none"]),
        ("U:%cluster[0,0,1]/%cluster[0,0]", ["U:0/00", "U:0/010", "U:none/none"]),
        ("U:%cluster[ -1 , 0 , 100 ]", ["U:00", "U:_B-1", "U:none"]),
        ("U:%cluster[@1,0]-%x[0,0]", ["U:00-dog", "U:00-the", "U:none-a", "U:none-cat"]),
        ("U:%Cluster[@-1,0]-%x[0,0]", ["U:010-a", "U:010-cat", "U:010-dog", "U:010-the"]),
        ("U:%x[0,0]\nU1:%cluster[0,0,1]", ["U1:0", "U1:none", "U:a", "U:cat", "U:dog", "U:the"]),
    ],
)
def test_features_are_named_by_their_clusters(paths, line, expected):
    assert names(line + "\n", SENTENCES, paths) == expected


def test_a_template_with_clusters_may_be_used_without_them():
    assert names("U:%cluster[0,0]\nU1:%x[0,0]\n", [[("a", "D"), ("dog", "N")]], None) == ["U1:a", "U1:dog"]


@pytest.mark.parametrize("search", ["viterbi", "greedy", "easiest-first", "argmax"])
def test_a_tagger_keeps_its_clusters(paths, tmp_path, search):
    tagger = SequenceTagger(template=TEMPLATE, clusters=paths, search=search, min_updates=1).fit(SENTENCES)
    paths.unlink()
    tagger.save(tmp_path / "m.sap")
    for again in (sapwood.load(tmp_path / "m.sap"), copy.deepcopy(tagger), pickle.loads(pickle.dumps(tagger))):
        assert again.predict([["THE", "cat"]]) == [["D", "N"]]
    assert sapwood.load(tmp_path / "m.sap").clusters is None


def test_clusters_may_be_given_as_they_were_read(paths):
    table = read_clusters(paths)
    tagger = SequenceTagger(template=TEMPLATE, clusters=table, min_updates=1).fit(SENTENCES)
    assert tagger.model_.clusters is table
    again = pickle.loads(pickle.dumps(table))
    assert (again.high, again.low, again.classes, again.tree) == (table.high, table.low, table.classes, table.tree)


def test_a_model_without_clusters_says_nothing_of_them(tmp_path):
    tagger = SequenceTagger(template="U:%x[0,0]\n", min_updates=1).fit(SENTENCES)
    assert "clusters" not in tagger.model_.metadata()
    assert not [name for name in tagger.model_.arrays() if "clusters" in name]


def test_a_classifier_of_texts_keeps_its_clusters(paths, tmp_path):
    template = "C:%cluster[0,word]\nA:%cluster[0,word,1]/%cluster[1,word,1]\n"
    classifier = Classifier(template=template, clusters=paths, min_updates=1, names=True)
    classifier.fit(["the dog", "Rome 1984"], ["a", "b"]).save(tmp_path / "m.sap")
    assert sapwood.load(tmp_path / "m.sap").predict(["THE cat", "Rome 2001"]).tolist() == ["a", "b"]
    assert {"C:010", "A:0/0"} < set(classifier.model_.tables[0].names)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"template": "U:%x[0,0]\n"}, "clusters are given, but the template has no line that looks at them"),
        ({"clusters": None, "clusters_limit": 3}, "clusters_limit is about a file of word clusters"),
        ({"clusters_limit": 0}, "clusters_limit is a whole number from 1"),
    ],
)
def test_options_that_contradict_each_other_are_refused(paths, options, message):
    with pytest.raises(OptionError, match=f"^{message}"):
        SequenceTagger(**{"template": TEMPLATE, "clusters": paths} | options).fit(SENTENCES)


def test_the_limit_is_an_option(paths):
    tagger = SequenceTagger(template=TEMPLATE, clusters=paths, clusters_limit=1).fit(SENTENCES)
    assert len(tagger.model_.clusters) == 1


def test_a_file_that_is_missing_is_named(tmp_path):
    with pytest.raises(DataError, match="none: cannot read it"):
        SequenceTagger(template=TEMPLATE, clusters=tmp_path / "none").fit(SENTENCES)


def test_features_have_no_words(paths):
    with pytest.raises(OptionError, match="clusters are of words, and these examples are features"):
        Classifier(clusters=paths).fit([{"a": 1}, {"b": 1}], ["x", "y"])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("U:%cluster[0,0,0]", "a cluster's bits are at least one"),
        ("U:%cluster[0,0,-1]", "a cluster's bits are at least one"),
        ("U:%cluster[0]", "expected ','"),
        ("U:%cluster[0,0,x]", "expected a number of bits"),
        ("U:%cluster[0,0,8,8]", "expected ']'"),
        ("U:%clusters[0,0]", "unknown macro %clusters; there are .* %cluster %lexicon %y"),
    ],
)
def test_lines_that_are_wrong_are_named(line, message):
    with pytest.raises(sapwood.TemplateError, match=message):
        SequenceTagger(template=line + "\n").fit(SENTENCES)


def test_the_command_line_takes_clusters(paths, tmp_path, run_cli):
    (tmp_path / "train.txt").write_text("the\tD\ndog\tN\n\na\tD\ncat\tN\n")
    (tmp_path / "t.tpl").write_text(TEMPLATE)
    (tmp_path / "test.txt").write_text("THE\ncat\n")
    options = ["--template", tmp_path / "t.tpl", "--clusters", paths, "--min-updates", 1, "--feature-names"]
    run = run_cli(["train", "tag", tmp_path / "train.txt", "-o", tmp_path / "m.sap", *options])
    assert run.status == 0
    shown = run_cli(["inspect", tmp_path / "m.sap"]).out
    assert "high (word clusters)" in shown
    assert "U0:010" in shown
    assert "N" in run_cli(["tag", tmp_path / "m.sap", tmp_path / "test.txt"]).out
