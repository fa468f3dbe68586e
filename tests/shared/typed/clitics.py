"""Clitics in every case and with every apostrophe, and what only looks like them."""

from collections.abc import Iterator
from itertools import product

from typed import Frame, lemma, words

_CLITICS = [
    ("we·'ve", "{} found the key·."),
    ("he·'ll", "{} call you back·."),
    ("you·'re", "{} too late·."),
    ("they·'d", "{} like some tea·."),
    ("I·'m", "{} at the door·."),
    ("it·'s", "{} raining again·."),
    ("do·n't", "{} touch that·."),
    ("ca·n't", "{} you hear me·?"),
    ("wo·n't", "{} this work·?"),
    ("is·n't", "{} that odd·?"),
    ("could·n't", "{} they wait·?"),
    ("that·'s", "{} my coat·."),
    ("who·'s", "{} at the door·?"),
    ("let·'s", "{} go home·."),
    ("she·'d", "{} know that·."),
    ("have·n't", "{} you eaten·?"),
]
_DOUBLE = [
    ("I·'d·'ve", "{} paid for you·."),
    ("you·'d·'ve", "{} loved it·."),
    ("they·'d·'ve", "{} seen us·."),
    ("could·n't·'ve", "{} been him·."),
    ("should·n't·'ve", "We {} come·."),
    ("would·n't·'ve", "It {} worked·."),
    ("we·'d·'ve", "{} won·."),
    ("might·n't·'ve", "They {} known·."),
]
_SHORTENED = [
    "We ran 'cause it rained·.",
    "We stayed 'til noon·.",
    "He is workin' late·.",
    "They were singin' all night·.",
    "Just chillin' at home·.",
    "Tell 'em to wait·.",
    "She left 'bout noon·.",
    "Rock 'n' roll is old·.",
    "We go walkin' and swimmin' there·.",
    "He was famous during the '90s·.",
]
_NAMES = [
    "Williams",
    "Hughes",
    "Evans",
    "Jenkins",
    "Collins",
    "Brooks",
    "Andrews",
    "Phillips",
    "Stevens",
    "Matthews",
    "Roberts",
    "Adams",
    "Harris",
    "Reynolds",
    "Jacobs",
]
_NOUNS = [
    "teachers",
    "farmers",
    "painters",
    "neighbours",
    "drivers",
    "lawyers",
    "visitors",
    "students",
    "actors",
    "bakers",
    "tourists",
    "winners",
    "owners",
    "dancers",
    "voters",
]
_HAS = [
    "She's missed her train.",
    "He's eaten already.",
    "It's grown a lot.",
    "It's been three weeks.",
    "Who's moved the ladder?",
    "He's got two cats.",
    "She's just arrived.",
    "What's happened here?",
    "Tom's never seen snow.",
    "He's always hated cats.",
    "It's stopped raining.",
    "She's had enough.",
    "Somebody's broken it.",
    "Everything's changed.",
    "That's gone wrong.",
    "Where's he been?",
    "He's written to us.",
    "She's already paid.",
    "It's taken years.",
    "He's become a judge.",
]
_IS = [
    "She's happy.",
    "He's a dentist.",
    "It's cold outside.",
    "Who's that?",
    "That's my bag.",
    "He's reading.",
    "She's in the garden.",
    "What's wrong?",
    "It's broken.",
    "He's scared of bees.",
    "There's a problem.",
    "She's going home.",
    "Here's the bill.",
    "It's not fair.",
    "He's married.",
    "Where's my hat?",
    "She's needed at the desk.",
    "It's closed on Mondays.",
    "How's your mother?",
    "He's lost without her.",
]
_HAD = [
    "You'd better wait.",
    "We'd better turn back.",
    "If I'd seen you, I would have waved.",
    "He'd already sold it.",
    "She'd been ill.",
    "They'd never met.",
    "I'd forgotten it.",
    "It'd rained all night.",
    "You'd seen it before.",
    "We'd just arrived.",
    "He'd dropped his phone.",
    "She'd hidden the letters.",
    "I'd had enough.",
    "They'd gone home.",
    "If she'd asked, he would know.",
    "He'd better hurry.",
    "We'd met in Rome.",
    "I'd written to him.",
    "You'd promised.",
    "She'd grown tall.",
]
_WOULD = [
    "I'd prefer some tea.",
    "She'd go if she could.",
    "They'd never do that.",
    "He'd rather walk.",
    "We'd love to.",
    "You'd know better.",
    "It'd be nice.",
    "I'd say no.",
    "He'd be late.",
    "She'd have helped.",
]
_AFTER_NOUN = [
    "The train's late.",
    "My phone's dead.",
    "Dinner's ready.",
    "Peter's here.",
    "The door's open.",
    "Your tea's cold.",
    "Mum's asleep.",
    "The bus's coming.",
    "The water's warm.",
    "Grandma's in hospital.",
    "The shop's closed.",
    "My car's broken.",
    "The baby's crying.",
    "School's out.",
    "Anna's tired.",
    "The game's over.",
]
_POSSESSIVE = [
    "The train's driver slept.",
    "My phone's screen broke.",
    "Peter's dog barks.",
    "The door's handle is loose.",
    "Anna's book is lost.",
    "The school's roof leaks.",
    "Dad's car is new.",
    "The city's mayor resigned.",
    "We saw Ben's flat.",
    "The cat's tail is long.",
]


def cased() -> Iterator[Frame]:
    """Yield clitics in capitals and in mixed case, with a straight and a curly apostrophe."""
    for (clitic, around), case, mark in product(_CLITICS, (str.upper, str.title, str.lower), "'’"):
        shown = clitic.replace("·", "\0")
        shown = case(shown) if case is not str.title else shown[0].upper() + shown[1:]
        text = around.format(shown.replace("\0", "·"))
        yield words((text.upper() if case is str.upper else text).replace("'", mark))


def odd_apostrophes() -> Iterator[Frame]:
    """Yield clitics with a grave or acute accent in the place of the apostrophe."""
    for (clitic, around), mark in product(_CLITICS, "`´"):
        yield words(around.format(clitic[0].upper() + clitic[1:]).replace("'", mark))


def double() -> Iterator[Frame]:
    """Yield two clitics behind a word."""
    for (clitic, around), mark in product(_DOUBLE, "'’"):
        yield words(around.format(clitic).replace("'", mark))


def shortened() -> Iterator[Frame]:
    """Yield words that begin or end with an apostrophe, which they keep."""
    for text, mark in product(_SHORTENED, "'’"):
        yield words(text.replace("'", mark))


def false_ones() -> Iterator[Frame]:
    """Yield names and plurals that end with s, of which nothing is cut."""
    for name, first in product(_NAMES, ("Julie", "Mark", "Ellen")):
        yield words(f"We met {first} {name} there·.")
        yield words(f"{first} {name} won·!")
    for noun, around in product(
        _NOUNS,
        (
            "The {} left early·.",
            "We need {} now·.",
            "Two {} came·.",
            "some {}",
            "Our {} agree·.",
            "{} wait here·.",
            "He paid the {}·.",
        ),
    ):
        yield words(around.format(noun))


def has() -> Iterator[Frame]:
    """Yield 's that is "has"."""
    yield from (lemma(text, "'s", "have") for text in _HAS)


def is_() -> Iterator[Frame]:
    """Yield 's that is "is"."""
    yield from (lemma(text, "'s", "be") for text in _IS)


def had() -> Iterator[Frame]:
    """Yield 'd that is "had"."""
    yield from (lemma(text, "'d", "have") for text in _HAD)


def would() -> Iterator[Frame]:
    """Yield 'd that is "would"."""
    yield from (lemma(text, "'d", "would") for text in _WOULD)


def after_nouns() -> Iterator[Frame]:
    """Yield 's behind a noun that is "is"."""
    yield from (lemma(text, "'s", "be") for text in _AFTER_NOUN)


def possessives() -> Iterator[Frame]:
    """Yield 's of a possessive."""
    yield from (lemma(text, "'s", "'s") for text in _POSSESSIVE)


KINDS = {
    "clitics in every case": cased,
    "accents as apostrophes": odd_apostrophes,
    "two clitics": double,
    "shortened words": shortened,
    "no clitics": false_ones,
    "'s is has": has,
    "'s is is": is_,
    "'d is had": had,
    "'d is would": would,
    "'s is is, after a noun": after_nouns,
    "'s is possessive": possessives,
}
