"""A second set of frames of lists, headings, wrapped prose and tables, by another hand."""

from collections.abc import Iterator
from itertools import product
from textwrap import wrap

from typed import Frame, sentences

_BULLETS = [
    ["-"] * 5, ["*"] * 5, ["•"] * 5, ["–"] * 5, ["—"] * 5, ["+"] * 5, ["‣"] * 5, ["▪"] * 5, ["◦"] * 5, ["✓"] * 5,
    ["1.", "2.", "3.", "4.", "5."], ["8.", "9.", "10.", "11.", "12."], ["1)", "2)", "3)", "4)", "5)"],
    ["(1)", "(2)", "(3)", "(4)", "(5)"], ["A.", "B.", "C.", "D.", "E."], ["a)", "b)", "c)", "d)", "e)"],
    ["(a)", "(b)", "(c)", "(d)", "(e)"], ["i)", "ii)", "iii)", "iv)", "v)"], ["I.", "II.", "III.", "IV.", "V."],
    ["2.1", "2.2", "2.3", "2.4", "2.5"],
]  # fmt: skip
_LISTS = [
    ("Shopping for Sunday", ["milk", "a dozen eggs", "brown rice", "dish soap", "something for the dog"]),
    (
        "How to reset the router:",
        ["Unplug the cable", "Wait thirty seconds", "Plug it back in and press the red button"],
    ),
    ("What we still don't know", ["Who pays for the hall", "Whether Karen can come", "How long the permit lasts"]),
    ("Known issues", ["crashes on startup when the config file is missing", "dark mode ignores the sidebar"]),
    ("The winners were:", ["Maria Lopez, 34 points", "Jun Tanaka, 31 points", "Femi Adeyemi, 29 points", "Ola Berg"]),
    ("Benefits", ["Free parking", "25 days of paid leave", "Health insurance for you and your family", "Gym"]),
]
_ENDS = ("", ",", ";", ".", "!")
_PASSAGES = [
    "My grandmother kept bees behind the old schoolhouse - nobody else in the village dared - and sold the honey at "
    "the market every second Saturday.|In 1974 she had nineteen hives, and by the spring of 1976 only 5 were left.|She "
    "never said why.|The hives stand there to this day, empty and grey.",
    "The bridge opened to traffic on 3 May 1931, after a strike that lasted 11 weeks and cost the contractor a "
    "fortune.|It was the longest of its kind – some 540 metres from pier to pier – until 1958, when a longer one was "
    "built in Norway.|Two lanes were added in 1990.|Do not stop on it.",
    "If you have never pruned a rose before, start in late winter and take off a third of each stem - a bit more if "
    "the plant is weak.|Use sharp, clean shears!|Cut at an angle, about 1 cm above a bud, and burn what you take away, "
    "because the spores of black spot live on for 12 months or longer.",
    "When the program starts it reads the settings file, which may hold up to 64 entries, and then waits for a client "
    "to connect.|Each client gets a thread of its own – 8 at most – and is dropped after 30 seconds of silence.|What "
    "happens then depends on the mode.|See the manual.",
    "I met Carol A. Reed in Boston in 2003, and we shared a desk for 4 years.|She taught me nearly everything I know "
    "about bookbinding - the glue, the thread, the patience - and asked for nothing in return.|Have you ever had a "
    "friend like that?|I hope so.",
]


def lists() -> Iterator[Frame]:
    """Yield lists with each bullet, with and without a heading, with each end."""
    for (k, bullets), (n, end) in product(enumerate(_BULLETS), enumerate(_ENDS)):
        for heading in (False, True):
            head, items = _LISTS[(k + n) % len(_LISTS)]
            lines = [f"{mark} {item}{end}" for mark, item in zip(bullets, items, strict=False)]
            yield sentences("\n|".join([head, *lines] if heading else lines))


def indented() -> Iterator[Frame]:
    """Yield lists whose lines are indented, or have an empty line around them, between two paragraphs."""
    for (head, items), mark, (before, after) in product(
        _LISTS, ("-", "*", "•", "#."), (("  ", "\n"), ("    ", "\n\n"), ("\t", "\n"), ("", "\n\n"))
    ):
        marks = [mark.replace("#", str(k + 1)) for k in range(len(items))]
        lines = [f"{before}{sign} {item}" for sign, item in zip(marks, items, strict=False)]
        yield sentences(f"{head}\n\n|{f'{after}|'.join(lines)}\n\n|That is all we have so far. |More will come.")


def hanging() -> Iterator[Frame]:
    """Yield lists whose items go on in a second line, which is indented."""
    items = [
        [
            "the old lock on the garden gate, which has been\n@stuck since last autumn",
            "a new hinge for the cellar door",
        ],
        ["Read the whole contract before you sign it, even the\n@small print", "Keep a copy"],
        [
            "support for reading compressed files without a\n@temporary copy on the disk",
            "smaller icons",
            "fewer warnings",
        ],
        ["Bring sturdy boots, because the last part of the path\n@is steep and wet", "Bring water"],
        [
            "a letter from your employer that says how long you\n@have worked there",
            "two photographs",
            "the fee in cash",
        ],
    ]
    for texts, mark in product(items, ("-", "*", "•", "1.", "a)")):
        marks = [mark, *({"1.": ["2.", "3."], "a)": ["b)", "c)"]}.get(mark, [mark] * 2))]
        lines = [f"{sign} {item.replace('@', ' ' * (len(mark) + 1))}" for sign, item in zip(marks, texts, strict=False)]
        yield sentences("\n|".join(lines))


def wrapped() -> Iterator[Frame]:
    """Yield prose wrapped at 60 to 78 columns."""
    for prose, width in product(_PASSAGES, range(60, 79)):
        plain = prose.replace("|", " ")
        ends, at = set(), 0
        for part in prose.split("|")[:-1]:
            at = plain.index(part, at) + len(part)
            ends.add(at)
        text = "\n".join(wrap(plain, width, break_on_hyphens=False))
        yield sentences("".join(c + "|" * (k + 1 in ends) for k, c in enumerate(text)))


def headings() -> Iterator[Frame]:
    """Yield headings above prose, with an empty line between and in forms of plain text."""
    titles = [
        "Installation",
        "What's new",
        "Chapter Seven",
        "A short history of the bridge",
        "3. Results",
        "Who we are",
    ]
    for (k, title), form in product(enumerate(titles), ("{}", "# {}", "## {}", "### {}", "{}:", "{}!")):
        yield sentences(f"{form.format(title)}\n\n|{_PASSAGES[k % len(_PASSAGES)].replace('|', ' |')}")


def _rows() -> Iterator[list[list[str]]]:
    """Yield tables."""
    yield [["Product", "Price", "Stock"], ["Garden chair", "$49.00", "12"], ["Folding table", "$89.50", "3"]]
    yield [["Helen Park", "Sales", "Chicago"], ["Omar Aziz", "Support", "Denver"], ["Lena Fox", "Legal", "Boston"]]
    yield [["Monday", "9:00", "Math"], ["Tuesday", "10:30", "Art with Mr. Cole"], ["Friday", "8:15", "Swimming"]]
    yield [["City", "Population"], ["Lagos", "15,388,000"], ["Lima", "11,044,607"], ["Oslo", "709,037"]]
    yield [["Rank", "Team", "Won"], ["1", "Leeds United", "21"], ["2", "Derby County", "19"], ["3", "Hull City", "18"]]


def sentences_in_lists() -> Iterator[Frame]:
    """Yield lists whose items are sentences, some of them two."""
    items = [
        [
            "Mix the flour and the salt. |Add the eggs.",
            "Knead for ten minutes. |Is it too dry? |Add water.",
            "Let it rest.",
        ],
        ["It rained on Monday. |Nobody came.", "On Tuesday we sold out!", "Closed on Wednesday. |See you next week."],
        ["Who is the landlord? |Ask for a name.", "Read the lease twice.", "Take photos of every room. |Keep them."],
    ]
    for texts, mark in product(items, ("-", "*", "•", "#.", "#)", "(#)", "@)")):
        marks = [mark.replace("#", str(k)).replace("@", "xabc"[k]) for k in (1, 2, 3)]
        yield sentences("\n|".join(f"{sign} {text}" for sign, text in zip(marks, texts, strict=True)))


def letters() -> Iterator[Frame]:
    """Yield letters: a greeting, some lines, a closing, a name."""
    greetings = ["Dear Ms. Holt,", "Hi Anna,", "Hello everyone,", "Hey Ben!", "Dear Sir or Madam:"]
    closings = ["Best regards,", "Thanks,", "Yours sincerely,", "Cheers,"]
    for (k, greeting), closing in product(enumerate(greetings), closings):
        body = _PASSAGES[k].replace("|", " |")
        yield sentences(f"{greeting}\n\n|{body}\n\n|{closing}\n|{('Tom', 'Laura Chen', 'K. Berg', 'Maria')[k % 4]}")


def cells() -> Iterator[Frame]:
    """Yield rows of tables whose cells tabs divide."""
    for rows in _rows():
        for start in range(len(rows) - 1):
            for count in range(2, len(rows) - start + 1):
                yield sentences("\n|".join("\t".join(row) for row in rows[start : start + count]))


def borders() -> Iterator[Frame]:
    """Yield lines and cells full of names, none of which runs over a border."""
    names = ["Helen Park", "Omar Aziz", "Leeds United", "New Zealand", "Chicago", "Acme Corporation", "Maria Lopez"]
    for k, glue in product(range(7), ("\n", "\t", "\n- ", "\n• ", "\n1. ", "\n\n", " \n", "\t\t")):
        picked = [names[(k + n) % 7] for n in range(4)]
        yield Frame(glue.lstrip("\n\t") + glue.join(picked), "borders", [])


KINDS = {
    "lists (2)": lists,
    "lists, indented (2)": indented,
    "lists, hanging lines (2)": hanging,
    "lists of sentences (2)": sentences_in_lists,
    "letters (2)": letters,
    "wrapped prose (2)": wrapped,
    "headings (2)": headings,
    "rows of tables (2)": cells,
    "names at borders (2)": borders,
}
