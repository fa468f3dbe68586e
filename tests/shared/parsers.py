"""What the tests of parsers share."""

from sapwood.base.heads import check_heads
from sapwood.datasets.treebank import generate

KINDS = {
    "beam": {},
    "greedy": {"beam": 1},
    "easy-first": {"search": "easy-first"},
    "eisner": {"search": "eisner"},
    "eisner-2": {"search": "eisner", "order": 2},
}
MORE = {
    "unlabelled beam": {"labelling": "none"},
    "joint easy-first": {"search": "easy-first", "labelling": "joint"},
    "unlabelled eisner": {"search": "eisner", "labelling": "none"},
    "float": {"beam": 1, "bits": 32},
    "committee": {"committee": True},
}
QUICK = {"epochs": 2, "min_updates": 2}


class Made(dict):
    """What is made when it is first asked for: its key -> what `make` gives for it."""

    def __init__(self, make):
        self._make = make

    def __missing__(self, key):
        self[key] = self._make(key)
        return self[key]


def tagged(count, seed=1):
    """Sentences of (form, xpos, upos, feats), and their trees."""
    sentences = list(generate(count, seed))
    words = [[(*pair, "_") for pair in zip(s.words, s.tags, s.upos, strict=True)] for s in sentences]
    return words, [(s.heads, s.deprels) for s in sentences]


def rows(count, seed):
    """Sentences of words with their tags, as taggers learn from them."""
    return [[(form, xpos) for form, xpos, *_ in sentence] for sentence in tagged(count, seed)[0]]


def check_parses(parses, sentences, *, single_root=True):
    """Each sentence has a tree, as the parser promises."""
    assert len(parses) == len(sentences)
    for parse, sentence in zip(parses, sentences, strict=True):
        assert len(parse.heads) == len(parse.deprels) == len(sentence)
        check_heads(parse.heads, "parse")
        assert parse.heads.count(0) == 1 or not single_root


def saved(parser, path):
    """The bytes of a parser's model file."""
    parser.save(path)
    return path.read_bytes()
