"""The grammar of the generated language, a table in ``grammar.txt``.

The grammar is a probabilistic tree-substitution grammar: a rule rewrites a symbol into a small tree, so that the table
reads like the brackets it produces. The dots of a symbol carry what has to agree: ``VP.s`` is a verb phrase whose verb
is singular, ``verb.vbn.give`` a participle of a verb of giving. Split symbols express lexical dependencies in a
context-free grammar. Every class of verbs has its own frames, and every class of nouns its own prepositions. Verbs and
prepositions also prefer some classes of objects. So words are more informative than tags, and the number of a subject
must be remembered over everything between it and its verb.

Notation. A line without indentation begins with a symbol; its alternatives, between bars, follow on that line or
indented below it. Each is a weight and a body. In a body

============== ==========================================================================
``*x``         the head, to which every other item is attached; a single item needs no star
``x/nsubj``    by that relation
``(NP ...)``   a node of the tree; a symbol in lower case makes no node, one in capitals does
``(& ...)``    a conjunct: a head and what belongs to it, without a node of its own
``of:IN``      the word *of* tagged ``IN``
``NN.person``  a word of a closed or open class of ``sapwood.datasets.lexicon``
``+x``         a word that goes on with the chunk on its left, which another rule began
``{n}``        each value of a feature: bound by the name of the symbol, else an alternative each
============== ==========================================================================

Chunks are as in CoNLL-2000 and follow from the tree: the base noun phrase up to its head (a
possessive *'s* begins another), the group of verbs and what stands inside it, the bare preposition,
subordinator, particle. ``derivation`` compiles the table.
"""

from pathlib import Path

FEATURES = {
    "n": {"s": 62, "p": 38},
    "f": {"s": 1, "p": 1, "vb": 1, "vbn": 1, "vbg": 1, "ger": 1, "imp": 1},
    "c": {"person": 26, "thing": 27, "idea": 20, "event": 15, "place": 12},
    "v": {"act": 1, "make": 1, "give": 1, "say": 1, "want": 1, "go": 1, "turn": 1, "seem": 1},
}

# The prepositions that follow a noun or a verb of a class, and the classes of objects, each with its weight.
PREPOSITIONS = {
    "person": "of 20 from 30 with 20 in 15 at 15", "thing": "of 40 with 26 for 20 in 10 on 4",
    "idea": "of 60 about 14 for 14 on 8 as 4", "event": "of 30 in 24 between 12 by 10 at 12 against 10",
    "place": "of 20 in 40 near 20 between 5 with 5", "act": "with 40 for 22 in 14 on 10 by 6 as 8",
    "make": "from 34 for 24 into 18 as 14 with 10", "give": "to 80 for 14 on 6",
    "go": "to 34 from 16 into 14 at 8 in 8 through 8 on 6 over 6 like 4",
    "turn": "to 24 into 30 on 22 for 14 with 10",
    "time": "in 26 at 12 on 12 after 16 before 13 during 4 for 4 since 10 until 8 as 4", "agent": "by 100",
}  # fmt: skip
OBJECTS = {
    "of": "thing 30 idea 26 person 22 place 12 event 10", "in": "place 50 event 20 idea 20 thing 10",
    "at": "place 55 event 45", "on": "thing 46 idea 30 event 24", "by": "person 80 thing 10 idea 10",
    "with": "thing 46 person 40 idea 14", "for": "person 40 thing 30 event 18 idea 12",
    "from": "place 46 person 30 thing 24", "to": "person 46 place 40 event 14", "into": "place 50 thing 30 idea 20",
    "about": "idea 50 person 30 event 20", "between": "person 50 place 50", "against": "person 70 idea 30",
    "near": "place 80 person 20", "through": "place 60 event 40", "over": "place 50 idea 50",
    "like": "person 60 thing 40", "as": "thing 40 person 40 idea 20", "during": "event 100",
    "after": "event 80 thing 20", "before": "event 80 person 20", "since": "event 100", "until": "event 100",
    "when": "event 70 place 8 thing 14 idea 8", "act": "thing 50 person 30 idea 10 event 10",
    "make": "thing 40 idea 40 event 20", "give": "thing 70 idea 30", "say": "idea 70 event 30",
    "want": "person 40 thing 40 event 20", "turn": "thing 70 idea 30",
}  # fmt: skip

TABLE = Path(__file__).with_name("grammar.txt").read_text(encoding="utf-8")
