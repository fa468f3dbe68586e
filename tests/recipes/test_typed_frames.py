"""The frames of typed English (tests/shared/typed) are not what a model learns from."""

import re
from pathlib import Path

from typed import kinds

from recipes.en import typed_templates

_MOST = 3  # words in a row that a frame may share with a template; a clitic is one: "if I'd" has three
_WORD = re.compile(r"['’]?[^\W\d_]+\.?|[^\s'’]+")
_TAGS = re.compile(r"/[A-Z]+/[A-Z]+(?:/\S+)?(?= |$)")


def runs(words):
    """Return the runs of more words than a frame may share; marks, numbers and slots of a template divide them."""
    found = {tuple(words[k : k + _MOST + 1]) for k in range(len(words) - _MOST)}
    return {run for run in found if all(re.fullmatch(r"['’]?[^\W\d_]+\.?", word) for word in run)}


def test_no_frame_has_the_words_of_a_template():
    path = Path(typed_templates.__file__).with_suffix(".txt")
    learned = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("##"):
            plain = re.sub(r"(^| )[_=]", r"\1", _TAGS.sub("", line)).lower()
            learned.update((run, line) for run in runs(plain.split()))
    assert len(learned) > 50
    shared = {
        (kind, frame.text, learned[run])
        for kind, frames in kinds().items()
        for frame in frames()
        for run in runs(_WORD.findall(re.sub(r"(\w)\.(?=$|[\s·])", r"\1 .", frame.text.lower()))) & learned.keys()
    }
    assert not shared
