"""Ends without a space, numbers, money, addresses, quotation marks, emoji."""

from collections.abc import Iterator
from itertools import product

from typed import Frame, sentences, words

_GLUED = [
    ("The soup was cold", "Never again"),
    ("Lovely staff", "Will come back"),
    ("We had a great time", "The kids loved it"),
    ("Do not buy this", "It broke in a week"),
    ("Best pizza in town", "Try the garlic one"),
    ("It is so quiet here", "I sleep well"),
    ("My order never came", "Nobody answers the phone"),
    ("They fixed my bike", "It rides like new"),
]
_NOTED = [
    ("The river is 300 km long", "It rises in the hills"),
    ("She was born in Ulm", "Her father was a clerk"),
    ("The bridge fell in 1912", "A new one was built later"),
    ("He lost the election", "His party split"),
    ("The bird lays two eggs", "Both parents feed the young"),
]
_AMOUNTS = [
    ("(·41.7·%·)", "The share {} was small."),
    ("41.7·%", "It rose by {} in May."),
    ("€·65", "It costs {} a night."),
    ("£·20", "We paid {} each."),
    ("¥·900", "A bowl is {} there."),
    ("€·3.50", "Coffee is {} now."),
    ("$·1.2·m", "They raised {} in a year."),
    ("only·$·15", "Tickets are {} online."),
    ("just·$·9", "Lunch is {} today."),
    ("only·£·30", "It was {} then."),
    ("4·-·6·pm", "The shop is open {} daily."),
    ("8·am", "We start at {} sharp."),
    ("10·-·11·am", "The class is {} now."),
    ("0.2·-·7.5", "Values of {} are normal."),
    ("15·-·20", "Wait {} minutes."),
    ("1998·-·2004", "He led it {} and left."),
    ("7/12", "We meet on {} again."),
    ("3/4", "Add {} cup of milk."),
    ("24/7", "They are open {} here."),
    ("12:30·pm", "Lunch is at {} today."),
    ("50·kg", "A sack of {} fell."),
    ("20·km", "It is {} from here."),
    ("~·40", "There were {} guests."),
    ("+·12·%", "Sales are {} this year."),
    ("90·%·+", "About {} agreed."),
    ("#·3", "He wore {} that day."),
    ("$·40·k", "He earns {} a year."),
    ("€·12·/·kg", "Cheese is {} here."),
]
_ADDRESSES = [
    "https://en.example.org/wiki/Mercury_(element)",
    "http://example.com/a_(b)_c",
    "https://example.org/Ruby_(disambiguation)#Music",
    "git+https://example.com/tool.git",
    "ssh://git@example.com/repo",
    "ftp://files.example.org/pub",
    "@9gag_fan",
    "@3rdcoast",
    "@maria_k",
    "tom_baker@example.com",
    "a.b-c@mail.example.co.uk",
    "first.last+news@example.org",
    "www.example.net/x?y=1&z=2",
    "example.com/path/to/page.html",
    "https://example.com:8080/login",
    "http://127.0.0.1:5000/",
    "mailto:info@example.org",
    "#throwback",
    "https://example.org/~user/notes.txt",
    "https://youtu.be/dQw4w9WgXcQ?t=43",
    "doi:10.1000/xyz123",
    "https://example.com/search?q=a+b",
    "example.org",
    "user_name@sub.example.com",
]
_EMOJI = ["😀", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪", "1️⃣", "❤️", "👩🏿‍🚀", "🏳️‍🌈", "😂", "🎉", "🤷‍♀️", "☕"]


def glued() -> Iterator[Frame]:
    """Yield sentences that end without a space behind them."""
    for (one, two), mark in product(_GLUED, "!.?"):
        yield sentences(f"{one}{mark}|{two}{mark}")


def notes() -> Iterator[Frame]:
    """Yield footnotes' numbers behind a full stop, and behind a comma."""
    for one, two in _NOTED:
        yield sentences(f"{one}.[1] |{two}.")
        yield sentences(f"{one}.[12][13] |{two}.")
        yield sentences(f"In 1920,[4] {two[0].lower()}{two[1:]}.")
        yield words(f"In 1920·,·[·4·] {two[0].lower()}{two[1:]}·.")
        yield words(f"{one}·.·[·7·]| {two}·.")


def beside() -> Iterator[Frame]:
    """Yield sentences in brackets, and answers behind a dash."""
    pairs = [("See the map", "See the list"), ("We laughed", "Nobody else did"), ("It was late", "He had to go")]
    for one, two in pairs:
        yield sentences(f"({one}.) |({two}.)")
        yield sentences(f"{one}. |({two}.)")
        yield sentences(f'"{one}." |"{two}."')
    for question, reply in [
        ("Is it warm", "Yes"),
        ("Are you coming", "Not today"),
        ("Who won", "We did"),
        ("Did it hurt", "A little"),
    ]:
        yield sentences(f"{question}? |- {reply}.")
        yield sentences(f"- {question}? |- {reply}.")


def amounts() -> Iterator[Frame]:
    """Yield numbers with their signs and units."""
    for amount, around in _AMOUNTS:
        before, after = around.split("{}")
        yield words(f"{before}{amount}{after[:-1]}·{after[-1]}")


def addresses() -> Iterator[Frame]:
    """Yield addresses inside of a sentence, in brackets, and before its full stop."""
    for address in _ADDRESSES:
        yield words(f"We found it at {address} last week·.")
        yield words(f"The page (·{address}·) is old·.")


def quoted() -> Iterator[Frame]:
    """Yield words in quotation marks of all kinds."""
    for one, two in ("«»", "“”", "„“", "‘’", "‹›", '""', "''"):
        yield words(f"He said {one}·maybe·{two} again·.")
        yield words(f"The {one}·old mill·{two} is gone·.")


def emoji() -> Iterator[Frame]:
    """Yield emoji behind words and marks, and between them, each of which is a word of its own."""
    for sign in _EMOJI:
        yield words(f"Thank you {sign}")
        yield words(f"Thank you·!·{sign}")
        yield words(f"I love it·{sign}·!")
        yield words(f"So good·{sign} see you")
        yield words(f"{sign}·Good morning·!")


def several_emoji() -> Iterator[Frame]:
    """Yield emoji in a row: none of them is cut inside."""
    for one, two in zip(_EMOJI, [*_EMOJI[3:], *_EMOJI[:3]], strict=True):
        yield Frame(f"Well done {one}{two}{one} all", "graphemes", [one, two, one])
        yield Frame(f"Yes{one}{two}!", "graphemes", [one, two])


KINDS = {
    "ends without a space": glued,
    "notes in brackets": notes,
    "brackets, quotations and dashes": beside,
    "numbers and money": amounts,
    "addresses": addresses,
    "quotation marks": quoted,
    "emoji": emoji,
    "emoji in a row": several_emoji,
}
