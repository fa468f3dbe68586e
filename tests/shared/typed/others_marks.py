"""A second set of frames of numbers, money, addresses, quotation marks and emoji, by another hand."""

from collections.abc import Iterator
from itertools import product

from typed import Frame, sentences, words

_NUMBERS = [
    "52.3·%", "8·%", "0.05·%", "€·80", "£·9.99", "$·1,250.00", "¥·500", "$·3·M", "$·10·k", "20·kg", "375·mm", "5·km",
    "16·GB",
    "20·-·25·%", "0.1·-·13.5", "5·-·7", "1990·-·1995", "10·–·12", "24·°·C", "75·°·F", "3.14", "1,000,000", "10:30",
    "1990s",
    "#·3", "20·+", "15th", "50·€", "1.5·x", "9/11", "40·ft",
]  # fmt: skip
_WITH_NUMBERS = [
    "They wrote {} on the form·.", "It was less (·{}·) than before·.", "What does {} mean here·?",
    "We ended up with {}·.",
    "mostly {}·, sometimes more", "Then it said {}·! |I laughed·.",
]  # fmt: skip
_MONEY = [
    "I paid only·$·12 for it·.", "It was €·80·, now it is €·65·.", "The fee is £·30·-·£·40 a month·.",
    "open 5·-·7·pm every day",
    "We open at 7·am and close at 9·pm·.", "from 9·am·-·5·pm on weekdays", "The flight leaves at 6:45·pm sharp·.",
    "Come by 2·-·4·pm or call us·.", "rents of $·900·-·1,100 are common", "cost me just·$·5 with tax·!",
    "a 12·-·year·-·old boy",
    "Prices start at €·19.99·/·month·.", "It rose by 3.2·% in May (·2.1·% in June·)·.", "around·$·300·, give or take",
    "She ran 10·km in 52:30·.", "The box holds 500·g of rice·.", "a 6·-·month lease with 2·% off",
    "It hit 40·°·C (·104·°·F·)·.",
    "Only €·5·! |Come and see·.", "Was it 1·% or 10·%·?", "They won 3·-·2 at home·.", "pages 12·-·18 are missing",
    "the 2019·–·2020 season", "(·about 45·%·) of them left", "(·€·12·) per person", "up to·$·2·M a year",
    "sold for·£·75 in 1998·.",
    "Half of 0.5 is 0.25·.", "Add 2.5·ml of dye·.", "He is 25·% faster·, I think·.", "The ratio is 0.1·-·0.3 at most·.",
    "Meet us at 11:30·am·-·noon·.", "We need 8·GB of memory·.", "over 1.2 million people",
    "It costs 5·€ here·.", "They charged me·$·40·!",
]  # fmt: skip
_SAFE_NUMBERS = [
    "Call me at 555-0182·.", "My number is 303-832-8160·.", "Ring (·713·) 853-3242 after six·.",
    "The date is 04/26/2001·.",
    "It was 2004-06-16·.", "The 9/11 report came out·.", "Mail ann.lee@example.com today·.",
    "Write to o.brandt@mail.example.org·.", "The bus leaves at 10:45·.", "It grew from 1.5 to 2.75·.",
    "She owes 1,250 crowns·.",
    "in the late 1980s·, they left", "the 21st of May", "He finished 3rd·.", "Room 12B is free·.",
    "The F·-·16 flew over us·.",
    "Use the A4 or the A380·.", "It is 4:05 in Lima·.", "an MP3 of the talk", "Fax me at +44 20 7946 0018·.",
    "COVID·-·19 hit us hard·.",
    "She scored 9.75·.", "at 12:55:42 it stopped", "Is 713-664-7478 yours·?", "Try 1-800-555-0199·.",
]  # fmt: skip
_URLS = [
    "https://en.wikipedia.org/wiki/Mercury_(planet)", "http://example.org/a_(b)_c",
    "https://en.wikipedia.org/wiki/Java_(island)#Name",
    "git+https://github.com/foo/bar.git", "ssh://git@host.example.org/repo.git", "ftp://ftp.example.com/pub/readme.txt",
    "www.example.com/path?x=1&y=2", "example.com", "docs.python.org/3/library/re.html",
    "http://localhost:8080/index.html",
    "https://doi.org/10.1000/182", "https://www.example.com/maps/@52.1,4.3,12z", "mailto:info@example.com",
    "https://example.com/~jane/cv.pdf",
    "jane.doe+news@mail.example.co.uk", "first_last@example.com", "j_smith99@uni-example.edu",
    "https://example.org/x-y_z",
    "https://example.com/what%27s-new", "http://192.168.0.1/admin", "https://example.com/search?q=a+b%20c",
    "https://en.wikipedia.org/wiki/C_(programming_language)",
    "Jane.Doe@example.com", "Kevin.A.Boone@example.com",
]  # fmt: skip
_WITH_URLS = [
    "Go to {} for more·.", "The page is {}·.", "The guide (·{}·) is old·.", "See {}·, then call us·.",
    "Have you seen {}·?",
    "{} is down again", "Ask for it at <·{}·> first·.", "Look at {}·! |It is great·.", "The link is {}·. |It works·.",
]  # fmt: skip
_HANDLES = ["@7eleven", "@jane_doe", "@mike99", "#throwback", "#oneday2024", "@The_Real_Bob", "@nasa", "#MondayMood"]
_WITH_HANDLES = ["Thanks {} for the help·!", "I follow {}·, do you·?", "cc {}", "It was by {}·.", "so true {} lol"]
_QUOTES = [("«", "»"), ("“", "”"), ("‘", "’"), ('"', '"'), ("„", "“")]
_WITH_QUOTES = [
    "She answered {0}·no·{1} and left·.", "What does {0}·late fee·{1} mean·?", "{0}·Come in·,·{1} she said·.",
    "They call it {0}·the pit·{1}·.", "Her book·, {0}·A Long Road·{1}·, sold well·.", "so {0}·fresh·{1}·, right·?",
    "It is (·{0}·in a sense·{1}·) over·.", "He wrote {0}·I am here·.·{1} |Nobody came·.",
]  # fmt: skip
_EMOJI = ["😀", "😂", "❤️", "👍🏽", "🎉", "🙏", "👩‍💻", "🇮🇹", "🔥", "🤷🏻‍♀️"]
_WITH_EMOJI = [
    "Thanks {}·! |See you·.", "Great day·{}·!", "love this·{}", "wow {}·, so good", "Is it over·?·{}",
    "It was fun·.·{} |Bye·.",
    "so happy (·{}·) today", "miss you·!·{}", "yay·{} we won", "{}·Happy birthday·, Tom·!", "I laughed {}·.",
    "why {}·?",
    "the cake was amazing·{}·.", "No way·!!·{}", "cool·, {} and you·?", "Good luck·{}·, everyone·!",
]  # fmt: skip
_GRAPHEMES = [
    "👨‍👩‍👧‍👦", "🏳️‍🌈", "👩🏽‍💻", "🇫🇷", "🇧🇷", "1️⃣", "#️⃣", "*️⃣", "❤️", "👍🏿", "🧑‍🚀", "🤦🏻‍♀️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👩‍❤️‍👨",
    "☺️", "✌🏼", "☀️", "🏴‍☠️",
    "👁️‍🗨️", "🧔🏾‍♂️", "🇺🇳", "⚽️", "🫱🏻‍🫲🏿", "e\u0301",
]  # fmt: skip
_WITH_GRAPHEMES = [
    "We had fun {} today.", "so good{}", "{}{} yes!", "Look: {}, then {}.", "a{}b", "Happy new year!{}", "({})",
    "{}\nNext line", "ok{}ok {}",
    "LOVE{}", "we won 5{} and {}", "{}-{}", "#{}", "{}😀{}", "{}'s day", "{}{}{}", "{}{}", "no{}{}{}", "1{}2{}3",
    "{}.{}", "hi,{}", "“{}”",
]  # fmt: skip


def numbers() -> Iterator[Frame]:
    """Yield numbers with signs and units in sentences and brackets."""
    for number, frame in product(_NUMBERS, _WITH_NUMBERS):
        yield words(frame.format(number))


def money() -> Iterator[Frame]:
    """Yield prices, ranges and measures, also without a space before them."""
    yield from map(words, _MONEY)


def glued_prices() -> Iterator[Frame]:
    """Yield prices without a space before them."""
    for word, price in product(("only", "just", "for", "about", "paid", "costs"), ("$·12", "€·80", "£·5", "$·1,200")):
        yield words(f"Lunch was {word}·{price} back then·.")
        yield words(f"{word}·{price}·!")


def safe_numbers() -> Iterator[Frame]:
    """Yield dates, times, phone numbers and names with digits, which are one word."""
    yield from map(words, _SAFE_NUMBERS)


def addresses() -> Iterator[Frame]:
    """Yield addresses of pages and mails, before marks and in brackets: words, and sentences where there are two."""
    for url, frame in product(_URLS, _WITH_URLS):
        yield words(frame.format(url))
    for url in _URLS:
        yield sentences(f"The link is {url}. |It works.")


def handles() -> Iterator[Frame]:
    """Yield names and topics of people who post, one word each."""
    for name, frame in product(_HANDLES, _WITH_HANDLES):
        yield words(frame.format(name))


def quotes() -> Iterator[Frame]:
    """Yield quotation marks of several kinds."""
    for pair, frame in product(_QUOTES, _WITH_QUOTES):
        yield words(frame.format(*pair))


def emoji() -> Iterator[Frame]:
    """Yield emoji beside marks and words, a word each."""
    for sign, frame in product(_EMOJI, _WITH_EMOJI):
        yield words(frame.format(sign))


def graphemes() -> Iterator[Frame]:
    """Yield signs of several characters, which no cut divides."""
    for (k, sign), frame in product(enumerate(_GRAPHEMES), _WITH_GRAPHEMES):
        signs = [sign, *(_GRAPHEMES[(k + step) % len(_GRAPHEMES)] for step in (1, 7))][: frame.count("{}")]
        yield Frame(frame.format(*signs), "graphemes", signs)


KINDS = {
    "numbers (2)": numbers,
    "money, ranges, measures (2)": money,
    "glued prices (2)": glued_prices,
    "dates, phones, codes (2)": safe_numbers,
    "addresses (2)": addresses,
    "handles and topics (2)": handles,
    "quotation marks (2)": quotes,
    "emoji (2)": emoji,
    "graphemes (2)": graphemes,
}
