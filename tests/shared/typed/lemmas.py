"""Lemmas of irregular verbs with a prefix, new verbs, irregular plurals, words in capitals, addresses."""

from collections.abc import Iterator

from typed import Frame, lemma

_PREFIXED = [
    ("rewrote", "rewrite"),
    ("overcame", "overcome"),
    ("underwent", "undergo"),
    ("mistook", "mistake"),
    ("withdrew", "withdraw"),
    ("forgave", "forgive"),
    ("overthrew", "overthrow"),
    ("undertook", "undertake"),
    ("foresaw", "foresee"),
    ("misheard", "mishear"),
    ("rebuilt", "rebuild"),
    ("outgrew", "outgrow"),
    ("overheard", "overhear"),
    ("redrew", "redraw"),
    ("misread", "misread"),
    ("undid", "undo"),
    ("outran", "outrun"),
    ("resold", "resell"),
    ("oversaw", "oversee"),
    ("withheld", "withhold"),
]
_NEW = [
    ("rebooted", "reboot"),
    ("texted", "text"),
    ("mimicked", "mimic"),
    ("googled", "google"),
    ("emailed", "email"),
    ("panicked", "panic"),
    ("tweeted", "tweet"),
    ("blogged", "blog"),
    ("picnicked", "picnic"),
    ("friended", "friend"),
    ("retweeted", "retweet"),
    ("debugged", "debug"),
]
_PLURALS = [
    ("matrices", "matrix"),
    ("oxen", "ox"),
    ("geese", "goose"),
    ("alumni", "alumnus"),
    ("lenses", "lens"),
    ("mice", "mouse"),
    ("feet", "foot"),
    ("teeth", "tooth"),
    ("knives", "knife"),
    ("wolves", "wolf"),
    ("crises", "crisis"),
    ("theses", "thesis"),
    ("criteria", "criterion"),
    ("cacti", "cactus"),
    ("indices", "index"),
    ("loaves", "loaf"),
    ("halves", "half"),
    ("nuclei", "nucleus"),
    ("diagnoses", "diagnosis"),
    ("vertices", "vertex"),
]
_CAPITALS = [
    ("PLAYED", "play"),
    ("WALKED", "walk"),
    ("HOUSES", "house"),
    ("RUNNING", "run"),
    ("WENT", "go"),
    ("CHILDREN", "child"),
    ("BETTER", "good"),
    ("IS", "be"),
    ("THEIR", "their"),
    ("BOUGHT", "buy"),
    ("GAMES", "game"),
    ("STOPPED", "stop"),
]
_SAME = [
    "https://example.org/notes#errors",
    "https://example.com/pages",
    "http://example.org/items",
    "www.example.net/stores",
    "info@bakers.example.com",
    "https://example.org/wiki/Cats",
    "https://cats.example.com",
    "ftp://files.example.org/notes",
]


def verbs() -> Iterator[Frame]:
    """Yield past forms of irregular verbs with a prefix."""
    yield from (lemma(f"They {form} it.", form, right) for form, right in _PREFIXED)


def new_verbs() -> Iterator[Frame]:
    """Yield past forms of new verbs and of those that end with c."""
    yield from (lemma(f"They {form} yesterday.", form, right) for form, right in _NEW)


def plurals() -> Iterator[Frame]:
    """Yield irregular plurals."""
    yield from (lemma(f"We saw two {form} there.", form, right) for form, right in _PLURALS)


def capitals() -> Iterator[Frame]:
    """Yield words in capitals among words in capitals."""
    texts = {
        "PLAYED": "THEY PLAYED WELL.",
        "WALKED": "WE WALKED HOME.",
        "HOUSES": "THE HOUSES ARE OLD.",
        "RUNNING": "HE WAS RUNNING.",
        "WENT": "WE WENT THERE.",
        "CHILDREN": "THE CHILDREN SLEEP.",
        "BETTER": "THIS IS A BETTER ONE.",
        "IS": "IT IS LATE.",
        "THEIR": "THEY SOLD THEIR CAR.",
        "BOUGHT": "SHE BOUGHT IT.",
        "GAMES": "ALL GAMES ARE FREE.",
        "STOPPED": "IT STOPPED.",
    }
    yield from (lemma(texts[form], form, right) for form, right in _CAPITALS)


def addresses() -> Iterator[Frame]:
    """Yield addresses, which are their own lemmas."""
    yield from (lemma(f"Look at {address} today.", address, address) for address in _SAME)


KINDS = {
    "verbs with a prefix": verbs,
    "new verbs": new_verbs,
    "irregular plurals": plurals,
    "lemmas in capitals": capitals,
    "lemmas of addresses": addresses,
}
