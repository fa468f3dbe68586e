"""Words of names in public lists: first and last names, cities, regions, countries and companies.

They stand in the lexicon of the English pipeline beside other words: a word's tags say which lists it is in. Lists of
names are what a small model lacks most [Ratinov & Roth 2009], and a word of a lexicon takes two to three bytes. Names
of several words are left out. The lists are those of the US census, most frequent first (public domain), of names by
country (CC0), of GeoNames (CC BY 4.0), UN/LOCODE and the S&P 500 (PDDL).

Ratinov and Roth: Design Challenges and Misconceptions in Named Entity Recognition (CoNLL 2009).
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from measure.corpora import corpus_files
from sapwood.io.lexicons import LexiconEntry
from sapwood.io.source import plain_text, read_bytes, shown

# The lists of each tag, with how many of their lines are read: all (None) where the most frequent are not first.
_LISTS: dict[str, dict[str, int | None]] = {
    "FIRST": {
        "given_names_us_census_female": 2500,
        "given_names_us_census_male": 2500,
        "given_names_by_country": None,
    },
    "LAST": {"surnames_us_census": 6000, "surnames_by_country": None},
    "CITY": {"cities_geonames": None},
    "REGION": {"regions_geonames": None, "subdivisions_unlocode": None},
    "COUNTRY": {"countries_geonames": None},
    "COMPANY": {"companies_sp500": None},
}
_FORMS_OF_COMPANIES = ("inc.", "inc", "corp.", "corp", "corporation", "company", "co.", "plc", "ltd.", "group")


def name_words(folder: Path, common: Collection[str] | None = None) -> list[LexiconEntry]:
    """Return words in small letters, each with a tag for every kind of list that it is in.

    folder : of corpora; the lists are in its folder gazetteers
    common : words in any case; others are left out, which are too rare to be worth their bytes; None: none is

    Raises DataError if a list is missing.
    """
    known = None if common is None else {word.lower() for word in common}
    found = set()
    for tag, lists in _LISTS.items():
        for name, most in lists.items():
            [path] = corpus_files(folder, "gazetteers", f"{name}.txt")
            lines = plain_text(read_bytes(path), shown(path)).splitlines()
            words = map(_single, lines[:most])
            found |= {(word, tag) for word in words if word[:1].isalpha() and (known is None or word in known)}
    return [LexiconEntry(word, tag, [word]) for word, tag in sorted(found)]


def _single(name: str) -> str:
    """Return the one word of a name in small letters, without a company's legal form; nothing if it has several.

    >>> _single("Adobe Inc."), _single("New York")
    ('adobe', '')
    """
    first, *others = name.lower().split() or [""]
    return first.rstrip(",") if all(word in _FORMS_OF_COMPANIES for word in others) else ""
