"""Taggers of every search with small templates, and corpora for them of few words and labels."""

from random import Random

from hypothesis import strategies as st

from sapwood import SequenceTagger

TEMPLATE = "U00:%x[0,0]\nU01:%x[-1,0]\nU02:%x[1,0]/%x[0,0]\nB\n"
HISTORY = "U00:%x[0,0]\nU01:%x[1,0]\nU02:%y[-1]\nU03:%x[0,0]/%y[-2]/%y[-1]\n"
SECOND = TEMPLATE + "U03:%y[-2]/%y[-1]\nU04:%x[0,0]/%y[-1]\n"
KINDS = {
    "argmax": (TEMPLATE, {"search": "argmax"}),
    "greedy": (HISTORY, {"search": "greedy"}),
    "easiest-first": (HISTORY + "U04:%y[+1]\n", {"search": "easiest-first"}),
    "viterbi": (TEMPLATE + "B:%x[0,0]\n", {"search": "viterbi"}),
    "viterbi-2": (SECOND, {"search": "viterbi", "order": 2}),
}

words = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("XYZ")), min_size=1, max_size=4)
corpora = st.lists(words, min_size=1, max_size=6)


def fitted(kind, corpus, **options):
    template, search = KINDS[kind]
    common = {"template": template, "min_updates": 1, "epochs": 2, "names": True}
    return SequenceTagger(**common | search | options).fit(corpus)


def weights_of(tagger):
    """(feature, labels) -> weight, as the laboratory has them."""
    found = {}
    for output, weight, name in tagger.contents.weights():
        feature, _, before = name.partition(" after ")
        found[feature, (*before.split(), output.name)] = weight
    return found


def slow_weights(tagger):
    """The same of a tagger of the laboratory."""
    return {(f, y if isinstance(y, tuple) else (y,)): w for (f, y), w in tagger.weights().items()}


def drawn(seed, count=12):
    """Sentences that differ enough for scores not to tie where steps are fractions, which are rounded."""
    random = Random(seed)
    return [
        [tuple(map(random.choice, ("abcd", "XY", "NVP"))) for _ in range(random.randint(1, 4))] for _ in range(count)
    ]
