"""Lists, headings, wrapped prose, tables: what a line end means."""

from collections.abc import Iterator
from itertools import product
from textwrap import wrap

from typed import Frame, sentences

_BULLETS = [
    ["-"] * 4,
    ["*"] * 4,
    ["•"] * 4,
    ["–"] * 4,
    ["+"] * 4,
    ["→"] * 4,
    ["1.", "2.", "3.", "4."],
    ["1)", "2)", "3)", "4)"],
    ["(1)", "(2)", "(3)", "(4)"],
    ["a)", "b)", "c)", "d)"],
    ["a.", "b.", "c.", "d."],
    ["(a)", "(b)", "(c)", "(d)"],
    ["i.", "ii.", "iii.", "iv."],
    ["I.", "II.", "III.", "IV."],
]
_ITEMS = [
    ["two red onions", "one can of chickpeas", "fresh thyme", "a pinch of salt"],
    ["Close all windows", "Turn off the heater", "Lock the back door", "Leave the key under the mat"],
    ["New sorting for long tables", "Faster startup", "Fixed a crash when saving twice"],
    ["passport and visa", "warm socks", "a torch", "charger for the phone"],
]
_HEADINGS = ["What you need for the stew:", "Before you leave", "Changes in this release", "Packing list"]
_PROSE = [
    "The harbour was quiet that morning, and most of the boats had not gone out.|Marta counted eleven of them - the "
    "twelfth had sunk in the storm - before she walked back to the mill.|Nobody had seen her father since Tuesday.",
    "Our train left Lisbon at 7 in the evening and reached Porto three hours later.|The seats were narrow, but the "
    "view over the river made up for that.|In the end we shared a taxi with a couple from Ghent.",
    "The committee met in March 1987 and again in the summer of 1988.|It heard forty witnesses, among them two "
    "ministers and the head of the water board, and wrote a report of 300 pages.|Few people ever read it.",
    "You should water the seedlings twice a day during the first week.|After that, once every 2 or 3 days is enough, "
    "and a little less if the weather turns cold.|Do not move the pots until May.",
    "She bought the house from a dentist who had moved to Perth.|The roof leaked in 4 places and the cellar smelled of "
    "mould, yet she never regretted it.|Today it is worth three times as much.",
]


def lists() -> Iterator[Frame]:
    """Yield lists with each bullet, with and without a heading, whose items end with nothing, a comma, ";" or "."."""
    for (k, bullet), end, heading in product(enumerate(_BULLETS), ("", ",", ";", "."), (False, True)):
        items = _ITEMS[k % len(_ITEMS)]
        lines = [f"{mark} {item}{end}" for mark, item in zip(bullet, items, strict=False)]
        yield sentences("\n|".join([_HEADINGS[k % len(_HEADINGS)], *lines] if heading else lines))


def wrapped() -> Iterator[Frame]:
    """Yield prose that is wrapped at widths at which some lines begin with a dash or a number."""
    for prose, width in product(_PROSE, range(38, 80, 3)):
        plain = prose.replace("|", " ")
        ends, at = [], 0
        for part in prose.split("|"):
            at = plain.index(part, at) + len(part)
            ends.append(at)
        text = "\n".join(wrap(plain, width, break_on_hyphens=False))
        yield sentences("".join(c + "|" * (k + 1 in ends[:-1]) for k, c in enumerate(text)))


def headings() -> Iterator[Frame]:
    """Yield a line without an end that stands above prose, after an empty line or not."""
    titles = ["Opening hours", "How to get here", "About the author", "Terms of Use", "Frequently asked questions"]
    for title, prose in product(titles, _PROSE[:4]):
        yield sentences(f"{title}\n\n|{prose.replace('|', ' |')}")


def borders() -> Iterator[Frame]:
    """Yield rows of a table, whose cells tabs divide, and short lines: no name goes over a tab or a line end."""
    rows = [
        ["Anna Berg", "Oslo", "Norsk Bank"],
        ["Tom Vance", "New York", "Leeds United"],
        ["Rui Costa", "Faro", "Red Cross"],
        ["Maria Lopez", "Madrid", "Shell"],
        ["John Smith", "South Africa", "Ford Motor"],
    ]
    for first, second in product(rows, rows):
        if first is not second:
            yield Frame("\n".join("\t".join(row) for row in (first, second)), "borders", [])
            yield Frame("\n".join([*first, *second]), "borders", [])


KINDS = {"lists": lists, "wrapped prose": wrapped, "headings": headings, "names at tabs and line ends": borders}
