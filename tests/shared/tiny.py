"""A corpus small enough to read, a template for it, and a tagger that has learned all of it."""

# Word, tag, chunk. Small enough to read, large enough that every label has to be learned.
TINY_CORPUS = """\
the DT B-NP
old JJ I-NP
dog NN I-NP
barks VBZ B-VP
. . O

a DT B-NP
cat NN I-NP
has VBZ B-VP
slept VBN I-VP
on IN B-PP
the DT B-NP
mat NN I-NP
. . O

dogs NNS B-NP
bark VBP B-VP
at IN B-PP
cats NNS B-NP
. . O

she PRP B-NP
saw VBD B-VP
a DT B-NP
small JJ I-NP
bird NN I-NP
in IN B-PP
the DT B-NP
garden NN I-NP

the DT B-NP
saw NN I-NP
cuts VBZ B-VP
old JJ B-NP
wood NN I-NP
. . O
"""

TINY_TEMPLATE = """\
U00:%x[0,0]
U01:%x[-1,0]
U02:%x[0,1]
U03:%x[-1,1]/%x[0,1]
U04:%x[0,1]/%x[1,1]
B
"""


def sentences_of(text):
    """The sentences of a column file as lists of tuples."""
    blocks = text.replace("\r", "").strip("\n").split("\n\n")
    return [[tuple(row.split()) for row in block.split("\n")] for block in blocks]


def train_tiny(source, **options):
    """A tagger for the tiny corpus that has learned all of it."""
    from sapwood import SequenceTagger

    return SequenceTagger(**{"template": TINY_TEMPLATE, "epochs": 8, "min_updates": 1, **options}).fit(source)


def gold_of(sentences):
    """Return the last column."""
    return [[row[-1] for row in sentence] for sentence in sentences]


def inputs_of(sentences):
    """Return the columns before the last."""
    return [[row[:-1] for row in sentence] for sentence in sentences]


def events_of(source, **options):
    """A tagger that has learned from the source, and the events of its training."""
    from sapwood import SequenceTagger

    events = []
    fit = {name: options.pop(name) for name in ("dev", "dev_fraction") if name in options}
    tagger = SequenceTagger(**{"template": TINY_TEMPLATE, "min_updates": 1, "epochs": 3, **options})
    return tagger.fit(source, on_event=events.append, **fit), events
