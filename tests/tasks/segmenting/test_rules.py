"""What a segmenter does by rule, whatever its treebank: items of lists, graphemes, addresses with brackets, lines."""

from itertools import pairwise

import pytest

from sapwood._core import Conllu
from sapwood.datasets.treebank import generate
from sapwood.tasks.pipeline.output import documents_of
from sapwood.tasks.segmenting.model import Segmenter


@pytest.fixture(scope="module")
def segmenter():
    text = "".join(s.conllu(f"s{k}", "attached") for k, s in enumerate(generate(300, 1)))
    return Segmenter(epochs=3).fit(Conllu.read(text.encode(), "attached"))


def sentences(segmenter, text):
    return [text[sentence[0][0] : sentence[-1][1]] for sentence in segmenter.predict(text)]


def tokens(segmenter, text):
    return [text[begin:end] for sentence in segmenter.predict(text) for begin, end in sentence]


@pytest.mark.parametrize(
    "marks",
    [
        "---",
        "***",
        "•••",
        "–––",
        "→→→",
        "☐☐☐",
        ("##", "##", "##"),
        ("1.", "2.", "3."),
        ("9)", "10)", "11)"),
        ("(1)", "(2)", "(3)"),
        ("[1]", "[2]", "[3]"),
        ("a.", "b.", "c."),
        ("A)", "B)", "C)"),
        ("(a)", "(b)", "(c)"),
        ("i.", "ii.", "iii."),
        ("1.1.", "1.2.", "1.3."),
        ("-", "*", "+"),
    ],
)
@pytest.mark.parametrize("end", ["", ",", "."])
def test_each_item_of_a_list_is_a_sentence(segmenter, marks, end):
    items = [f"{mark} the old {word}{end}" for mark, word in zip(marks, ("dog", "cat", "bird"), strict=True)]
    assert sentences(segmenter, "\n".join(items)) == items
    assert sentences(segmenter, "what we saw\n" + "\r\n  ".join(items)) == ["what we saw", *items]


@pytest.mark.parametrize(
    "text",
    [
        "the old dog\n- so it was said - sees a cat",
        "it was in\n1984. the old",
        "a cat\nI. the",
        "1. the old dog",
        "- the old dog\nsees a cat",
        "the dog\n123456. a\n123457. b",
        "a\nand. so\nor. so",
        "a (b\nc) d\n) e",
    ],
)
def test_a_single_line_with_a_mark_is_no_list(segmenter, text):
    plain = text.replace("\n", " ")
    assert [s.replace("\n", " ") for s in sentences(segmenter, text)] == sentences(segmenter, plain)


def test_items_may_go_on_in_lines_of_their_own(segmenter):
    text = "- the old dog\n  sees\n- a cat\n  and a bird"
    assert sentences(segmenter, text) == ["- the old dog\n  sees", "- a cat\n  and a bird"]


@pytest.mark.parametrize(
    "sign",
    [
        "👨‍👩‍👧‍👦",
        "🇩🇪",
        "👍🏽",
        "1️⃣",
        "#️⃣",
        "🏳️‍🌈",
        "❤️‍🔥",
        "🤷🏿‍♀️",
        "e\u0301",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "👩‍❤️‍💋‍👨",
    ],
)
def test_no_grapheme_is_cut(segmenter, sign):
    for text in (sign, f"a {sign} b", f"a{sign}.", f"{sign}{sign}{sign}", f"!{sign}?", f"the dog.{sign} a cat"):
        begins = {begin for s in segmenter.predict(text) for begin, _ in s}
        inside = {k for at in range(len(text)) if text.startswith(sign, at) for k in range(at + 1, at + len(sign))}
        assert not begins & inside, text


def test_three_letters_of_flags_are_a_flag_and_a_letter(segmenter):
    text = "🇩🇪🇫"
    assert 1 not in {begin for s in segmenter.predict(text) for begin, _ in s}


def test_a_mark_is_not_joined_to_a_word_that_ends_with_a_joiner(segmenter):
    for mark in ".,!”…—":
        text = f"the dog\u200d{mark} a cat"
        places = [place for inside in segmenter.segmenter_.places(text.encode()) for place in inside]
        assert 8 in places or mark in tokens(segmenter, text)


@pytest.mark.parametrize(
    "address", ["https://a.test/Mercury_(planet)", "http://x.test/(a)_(b)#c(d)", "git+ssh://h.test/a(b(c)d)e"]
)
def test_a_bracket_that_an_address_opened_belongs_to_it(segmenter, address):
    for text in (f"the {address} dog", f"({address})", f"the dog ({address}).", f"{address}"):
        begins = {begin for s in segmenter.predict(text) for begin, _ in s}
        place = text.index(address)
        inside = range(place + address.index("://") + 1, place + address.rindex(")") + 1)
        assert not begins & set(inside), text


@pytest.mark.parametrize(
    "address",
    [
        "a-b.c+d_e@mail.x-y.test",
        "J.Doe@a.test",
        "www.a.test/b-c.d",
        "WWW.A.TEST/b-c.d",
        "Www.a-b.test",
        "9.to.5@b.c.test",
    ],
)
def test_an_address_is_one_token(segmenter, address):
    for text in (f"the {address} sees", f"the dog <{address}>", f"<mail:{address}> the dog", f"{address}"):
        assert any(token.endswith(address) for token in tokens(segmenter, text)), text


@pytest.mark.parametrize("text", ["a@b", "a-b@c", "@b.test", "a@.test", "www."])
def test_what_has_no_host_is_no_address(segmenter, text):
    assert "".join(tokens(segmenter, text)) == text


def test_other_brackets_do_not(segmenter):
    for text in ("the dog (so) sees", "the (http://a.test/b) dog"):
        assert all(")" not in token or token == ")" for token in tokens(segmenter, text))


@pytest.mark.parametrize("behind", ["”and", "，共有3个", "。the", "…and", "—a", "です2"])
def test_an_address_ends_before_marks_and_scripts_without_spaces(segmenter, behind):
    text = f"see http://a.test/b_(c){behind}"
    assert text.index(behind) in [place for inside in segmenter.segmenter_.places(text.encode()) for place in inside]


def test_with_lines_each_line_is_a_sentence_and_offsets_stay(segmenter):
    text = "the dog. sees a cat.\r\n\r\n  a bird\nthe old dog"
    core = segmenter._pipeline()
    for given in (text, text * 50):
        [doc] = core.read(given.encode(), "x", lines=True)
        lines = [line.strip() for line in given.splitlines() if line.strip()]
        found = []
        for (first, _, _), (end, _, _) in pairwise(doc.sentences):
            found.append(given[doc.tokens[first][0] : doc.tokens[end - 1][1]])
        assert found == lines
    assert [paragraph for *_, paragraph in core.read(text.encode(), "x", lines=True)[0].sentences[:-1]] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("size", [1, 7, 100])
@pytest.mark.parametrize("prompt", [False, True])
def test_lines_do_not_depend_on_how_text_arrives(segmenter, prompt, size):
    text = b"the old dog \nsees a  \r\n\r\n  cat. A bird\n\n\n and\na dog" * 20
    core = segmenter._pipeline()
    parts = [text[k : k + size] for k in range(0, len(text), size)]

    def sentences_of(docs):
        found, at = [], 0
        for doc in docs:
            for (first, _, begins), (end, _, _) in pairwise(doc.sentences):
                found.append((at + doc.tokens[first][0], at + doc.tokens[end - 1][1], begins))
            at += doc.size
        return found

    assert sentences_of(documents_of(core, parts, "x", prompt, 1, lines=True)) == sentences_of(
        core.read(text, "x", lines=True)
    )


def test_batches_of_lines_begin_no_paragraph(segmenter):
    docs = segmenter._pipeline().read(b"the old dog\n" * 20_000, "x", lines=True)
    assert len(docs) > 1
    assert [doc.sentences[0][2] for doc in docs] == [True] + [False] * (len(docs) - 1)


def test_a_line_of_very_many_tokens_is_cut_as_other_sentences_are(segmenter):
    [doc] = segmenter._pipeline().read(b"the dog sees " * 1000, "x", lines=True)
    firsts = [first for first, _, _ in doc.sentences]
    assert [end - first for first, end in pairwise(firsts)] == [1000, 1000, 1000]
