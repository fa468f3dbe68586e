"""Pictures of dependency trees: small ones by eye, any tree by what must hold of every picture."""

import doctest
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sapwood.base.drawing.sentence
import sapwood.base.drawing.svg
import sapwood.base.drawing.terminal
from sapwood.base.drawing.sentence import cells
from sapwood.base.drawing.svg import svg_inline
from sapwood.draw import svg_page, svg_tree, text_tree
from sapwood.errors import DataError
from sapwood_lab.parsing import non_projective


@pytest.mark.parametrize(
    "module",
    [sapwood.draw, sapwood.base.drawing.sentence, sapwood.base.drawing.svg, sapwood.base.drawing.terminal],
    ids=lambda m: m.__name__,
)
def test_examples_of_the_modules_are_right(module):
    tried = doctest.testmod(module)
    assert tried.attempted and not tried.failed


def sentence(text):
    """Forms, heads, deprels and tags of lines of word, tag, head and deprel."""
    forms, tags, heads, deprels = zip(*map(str.split, text.strip().splitlines()), strict=True)
    return forms, list(map(int, heads)), deprels, tags


LETTER = sentence("""
A         DET    2  det
letter    NOUN   4  nsubj:pass
is        AUX    4  aux:pass
expected  VERB   0  root
from      ADP    7  case
the       DET    7  det
bank      NOUN   2  nmod
today     NOUN   4  obl:tmod
""")

LIBRARY = sentence("""
私      PRON   7  nsubj
は      ADP    1  case
図書館  NOUN   7  obl
で      ADP    3  case
本      NOUN   7  obj
を      ADP    5  case
読む    VERB   0  root
""")


# For a terminal


def picture(text):
    """The lines of a picture whose left edge is drawn in the test."""
    return "\n".join(line.strip().removeprefix("|") for line in text.strip().splitlines())


def test_text_of_a_projective_tree_is_drawn():
    forms = ["She", "gave", "the", "very", "old", "dog", "a", "bone"]
    heads = [2, 0, 6, 5, 6, 2, 8, 2]
    deprels = ["nsubj", "root", "det", "advmod", "amod", "iobj", "det", "obj"]
    assert text_tree(forms, heads, deprels) == picture("""
        |  ┌─────► She   nsubj
        |──┼─────► gave  root
        |  │ ┌───► the   det
        |  │ │ ┌─► very  advmod
        |  │ ├─┴─► old   amod
        |  ├─┴───► dog   iobj
        |  │ ┌───► a     det
        |  └─┴───► bone  obj
    """)


def test_text_of_a_tree_that_is_not_projective_has_crossing_lines():
    assert text_tree(*LETTER) == picture("""
        |    ┌───► A         DET   det
        |  ┌─┼───► letter    NOUN  nsubj:pass
        |  ├─│───► is        AUX   aux:pass
        |──┼─│───► expected  VERB  root
        |  │ │ ┌─► from      ADP   case
        |  │ │ ├─► the       DET   det
        |  │ └─┴─► bank      NOUN  nmod
        |  └─────► today     NOUN  obl:tmod
    """)


def test_text_of_crossing_subtrees_has_lines_of_their_own():
    #  3 and 4 have the same head, and their modifiers 1 and 2 make their lines cross.
    assert text_tree(list("abcde"), [3, 4, 5, 5, 0], list("vwxyz")) == picture("""
        |    ┌───► a  v
        |    │ ┌─► b  w
        |  ┌─┴─│─► c  x
        |  ├───┴─► d  y
        |──┴─────► e  z
    """)


def test_text_of_several_roots_has_a_tree_for_each():
    assert text_tree(list("abcd"), [0, 1, 0, 3], ["root", "x", "root", "y"]) == picture("""
        |┌─┬─► a  root
        |│ └─► b  x
        |└─┬─► c  root
        |  └─► d  y
    """)


def test_wide_characters_take_two_columns():
    assert text_tree(*LIBRARY) == picture("""
        |  ┌─┬─► 私      PRON  nsubj
        |  │ └─► は      ADP   case
        |  ├─┬─► 図書館  NOUN  obl
        |  │ └─► で      ADP   case
        |  ├─┬─► 本      NOUN  obj
        |  │ └─► を      ADP   case
        |──┴───► 読む    VERB  root
    """)


def test_combining_characters_take_none():
    lines = text_tree(["cafe\N{COMBINING ACUTE ACCENT}", "noir"], [0, 1], ["x", "y"]).splitlines()
    assert [line.rindex(" ") for line in lines] == [12, 11]


def test_deprels_that_are_not_there_are_left_out():
    assert text_tree(["a", "b"], [2, 0], ["_", "_"]) == "  ┌─► a\n──┴─► b"
    assert text_tree(["a", "b"], [2, 0], ["_", "x"]) == "  ┌─► a  _\n──┴─► b  x"


def test_no_words_give_an_empty_picture():
    assert text_tree([], [], []) == ""
    assert ElementTree.fromstring(svg_tree([], [], [])).tag.endswith("svg")


def test_lines_become_as_narrow_as_wanted():
    forms = ["An", "extraordinarily", "long", "図書館図書館図書館"]
    heads, deprels = [4, 3, 4, 0], ["det", "advmod", "amod", "root"]
    assert max(map(cells, text_tree(forms, heads, deprels).splitlines())) == 34
    assert text_tree(forms, heads, deprels, width=34) == text_tree(forms, heads, deprels)
    assert text_tree(forms, heads, deprels, width=31) == picture("""
        | ┌─► An                  det
        | │┌► extraordinarily     advmod
        | ├┴► long                amod
        |─┴─► 図書館図書館図書館  root
    """)
    assert text_tree(forms, heads, deprels, width=26) == picture("""
        | ┌─► An             det
        | │┌► extraordinar…  advmod
        | ├┴► long           amod
        |─┴─► 図書館図書館…  root
    """)


@pytest.mark.slow
def test_a_word_may_be_as_long_as_it_likes():
    assert text_tree(["a" * 1_000_000], [0], ["root"], width=20) == "─► aaaaaaaaaa…  root"


# As SVG


def texts(svg, name):
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.get("class") == name]


def arcs(svg):
    """(left, right, height of the line, side of the arrow) of each arc with two ends."""
    elements = [element for element in ElementTree.fromstring(svg).iter() if element.get("class") in ("arc", "arrow")]
    found = []
    for arc, arrow in zip(elements[::2], elements[1::2], strict=True):
        assert (arc.get("class"), arrow.get("class")) == ("arc", "arrow")
        tip = float(re.match(r"M([\d.]+)", arrow.get("d"))[1])
        numbers = re.fullmatch(
            r"M([\d.]+) [\d.]+V([\d.]+)q0 -7 7 -7H([\d.]+)q7 0 7 7V[\d.]+",  # up, along and down
            arc.get("d"),
        )
        if numbers:
            left, lowest, right = map(float, numbers.groups())
            found.append((left, right + 7, -lowest, "left" if tip == left else "right"))
    return found


def test_svg_has_every_word_tag_and_deprel():
    svg = svg_tree(*LETTER)
    forms, _, deprels, tags = LETTER
    assert texts(svg, "form") == list(forms)
    assert texts(svg, "tag") == list(tags)
    assert sorted(texts(svg, "deprel")) == sorted(deprels)
    assert texts(svg_tree(["a"], [0], ["_"]), "deprel") == []


def test_arrow_heads_are_at_modifiers():
    found = arcs(svg_tree(["the", "dog", "barked", "loudly"], [2, 3, 0, 3], ["det", "nsubj", "root", "advmod"]))
    assert [side for *_, side in sorted(found)] == ["left", "left", "right"]


def test_an_arc_is_higher_than_those_under_it():
    #   +-------------+  3
    #   +---------+   |  2
    #   +-----+   |   |  1
    #   a     b   c   d
    by_left = sorted(arcs(svg_tree(list("abcd"), [0, 1, 1, 1], ["x"] * 4)), key=lambda arc: arc[1])
    heights = [height for _, _, height, _ in by_left]
    assert heights[1] - heights[0] == heights[2] - heights[1] == 22
    starts = [left for left, *_ in by_left]
    assert starts == sorted(starts, reverse=True)  # a longer arc starts further left, so that none crosses another


def test_labels_have_room_in_their_arcs():
    ((left, right, _, _),) = arcs(svg_tree(["a", "b"], [0, 1], ["root", "compound:preverb"]))
    assert right - left > 11 * 0.5 * len("compound:preverb")


def test_a_page_stacks_its_sentences():
    svg = svg_page([LETTER, LIBRARY, (["Go"], [0], ["root"], None)])
    groups = [element for element in ElementTree.fromstring(svg) if element.tag.endswith("}g")]
    tops = [float(re.fullmatch(r"translate\(0 ([\d.]+)\)", group.get("transform"))[1]) for group in groups]
    assert len(tops) == 3 and tops[0] == 0 < tops[1] < tops[2]
    assert texts(svg, "form") == [*LETTER[0], *LIBRARY[0], "Go"]
    assert ElementTree.fromstring(svg_page([])).get("width") == "0"


# Whatever comes


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2J", "�[2J"),  # clears the screen
        ("a\nb\rc\td\0", "a�b�c�d�"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}exe.txt", "�exe.txt"),
        ("\N{LINE SEPARATOR}\x85\x9b31m", "���31m"),
        ("\ud800", "�"),  # half a character
        ("\ufffe", "�"),  # not allowed in XML
        ("<script>alert('&')</script>", "<script>alert('&')</script>"),
        ("]]>\"'", "]]>\"'"),
    ],
)
def test_text_steers_nothing(hostile, shown):
    drawing = ([hostile], [0], [hostile], [hostile])
    assert text_tree(*drawing) == f"──► {shown}  {shown}  {shown}".rstrip()
    svg = svg_tree(*drawing)
    assert "<script" not in svg
    assert texts(svg, "form") == texts(svg, "tag") == texts(svg, "deprel") == [shown]


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ((["a"], [0, 1], ["x"]), "cannot draw 1 words with 2 heads; "),
        ((["a"], [0], []), "cannot draw 1 words with 0 deprels; "),
        ((["a"], [0], ["x"], ["A", "B"]), "cannot draw 1 words with 2 tags; "),
        ((["a"], [2], ["x"]), "cannot draw the tree: word 1 has head 2; "),
        ((["a", "b"], [2, 1], ["x", "y"]), "cannot draw the tree: the head of word 1 is under word 1 itself; "),
    ],
)
@pytest.mark.parametrize("draw", [text_tree, svg_tree])
def test_what_cannot_be_drawn(draw, drawing, message):
    with pytest.raises(DataError) as error:
        draw(*drawing)
    assert str(error.value).startswith(message)


@st.composite
def drawings(draw):
    """Any tree over any text: each word in a random order hangs on the root or on one before it."""
    n = draw(st.integers(1, 12))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for i, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:i]]))
    column = st.lists(st.text(min_size=1, max_size=12), min_size=n, max_size=n)
    return draw(column), heads, draw(column), draw(st.none() | column)


@pytest.mark.slow
@given(drawings())
def test_every_svg_is_xml_with_all_words_and_no_arcs_on_each_other(drawing):
    svg = svg_tree(*drawing)
    assert len(texts(svg, "form")) == len(drawing[0])
    found = arcs(svg)
    assert len(found) == sum(head > 0 for head in drawing[1])
    for left, right, height, _ in found:
        for other_left, other_right, other_height, _ in found:
            under = left < other_left < right or left < other_right < right  # in whole or, crossing, in part
            if under:
                assert height != other_height
            if left < other_left < other_right < right:
                assert height > other_height
            if under and not non_projective(drawing[1]):
                assert height > other_height  # its legs stay under the line


@given(drawings(), st.none() | st.integers(0, 120))
def test_every_text_has_a_line_a_word_and_keeps_to_its_width(drawing, width):
    lines = text_tree(*drawing, width=width).split("\n")
    assert len(lines) == len(drawing[0])
    assert all(line.isprintable() for line in lines)
    if width is not None:
        narrowest = 14 + 3 * 8 + 2 * 2
        assert max(map(cells, lines)) <= max(width, narrowest)


@given(drawings())
def test_the_heads_can_be_read_off_every_text(drawing):
    """Follow the line of each word to the bus of its head, and the bus to the word whose own line ends there."""
    heads = drawing[1]
    n = len(heads)
    lines = [line[: line.index("►")] for line in text_tree(["w"] * n, heads, ["_"] * n).split("\n")]
    left_end = [re.search("[┌├└─][─│┬┴┼]*$", line).start() for line in lines]  # of each word's own line

    def bus(row, column):
        """All rows that a vertical line through this cell goes to."""
        first = last = row
        while lines[first][column] in "│├└┴┼┤┘":
            first -= 1
        while lines[last][column] in "│├┌┬┼┤┐":
            last += 1
        return range(first, last + 1)

    roots = [row for row in range(n) if left_end[row] == 0]
    assert [row + 1 for row in roots] == [m for m, h in enumerate(heads, start=1) if h == 0]
    for row in set(range(n)) - set(roots):
        column = left_end[row]
        (head,) = [at for at in bus(row, column) if lines[at][column] in "┬┴┼"]
        assert heads[row] == head + 1


@given(drawings().filter(lambda drawing: not non_projective(drawing[1])))
def test_no_line_of_a_projective_tree_passes_a_bus(drawing):
    n = len(drawing[1])
    assert "─│" not in text_tree(["w"] * n, drawing[1], ["_"] * n)


def test_labels_of_arcs_lead_to_their_words():
    forms, heads, deprels, tags = LETTER
    svg = svg_inline((forms, heads, deprels, tags), (), "a <tree>", "#word-")
    links = [element for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("a")]
    names = {f"{deprel}, arc to {form}: why?" for deprel, form in zip(deprels, forms, strict=True)}
    assert {link.get("aria-label") for link in links} == names
    assert {link.get("href") for link in links} == {f"#word-{k}" for k in range(1, len(forms) + 1)}
    assert ElementTree.fromstring(svg).get("aria-label") == "a <tree>"
