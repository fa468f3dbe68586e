"""Four times the size takes about four times the work, not sixteen: pictures of long sentences, and many labels.

A test compares two times of one process with each other, and leaves room between what is linear and what is quadratic.
"""

import random
import time

import pytest

from sapwood import Classifier
from sapwood.base.drawing.svg import svg_tree
from sapwood.explain import report
from sapwood.explain.page import html_report
from sapwood.io.json_text import check_depth

pytestmark = pytest.mark.slow
MOST = 9  # times the CPU for four times the size


def growth(work, small):
    """How many times longer work(4 * small) takes than work(small): the least of three."""

    def seconds(size):
        begin = time.process_time()
        work(size)
        return time.process_time() - begin

    work(small // 4)  # what is imported and filled once
    return min(seconds(4 * small) / seconds(small) for _ in range(3))


def chain_of_words(n):
    return list(range(n))


def sentences_under_one_root(n):
    """Sentences of nine words in one, as a text without full stops becomes."""
    return [
        0 if k == 0 else 1 if k % 9 == 0 else 9 * (k // 9) + 1 + random.Random(k).randrange(k % 9) for k in range(n)
    ]


def balanced(n):
    heads = [0] * n

    def split(begin, end, head):
        if begin < end:
            middle = (begin + end) // 2
            heads[middle] = head
            split(begin, middle, middle + 1)
            split(middle + 1, end, middle + 1)

    split(0, n, 0)
    return heads


def last_is_head(n):
    return [*([n] * (n - 1)), 0]


SHAPES = [chain_of_words, sentences_under_one_root, balanced, last_is_head]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("label", ["a", "a label that is wider than its arc"])
def test_a_picture(shape, label):
    def draw(n):
        svg_tree(["word"] * n, shape(n), [label] * n, ["NOUN"] * n)

    assert growth(draw, 800) < MOST


def examples(n, layout):
    texts = [f"word{k} {'ab'[k % 2]}" for k in range(n)]
    if layout == "csv":
        return "label,text\n" + "".join(f"L{k},{text}\n" for k, text in enumerate(texts))
    return "".join(f"__label__L{k} {text}\n" for k, text in enumerate(texts))


@pytest.mark.filterwarnings("ignore::sapwood.errors.SapwoodWarning")
@pytest.mark.parametrize("layout", ["csv", "txt"])
def test_training_and_reports_of_many_labels(tmp_path, layout):
    def train_and_report(n):
        path = tmp_path / f"examples.{layout}"
        path.write_text(examples(n, layout))
        model = Classifier(min_updates=1, epochs=1).fit(path)
        assert list(html_report(report(model, path)))

    assert growth(train_and_report, 1500) < MOST


def test_the_depth_of_json():
    assert growth(lambda n: check_depth('{"a": ["[", {"b": "\\\\\\""}]},' * n), 10_000) < MOST
