"""Abbreviations, initials, titles, initialisms: full stops after which a sentence goes on, and those that end one."""

from collections.abc import Iterator
from itertools import product

from typed import Frame, sentences, words

_REFERENCES = [
    "fig.",
    "figs.",
    "ch.",
    "chap.",
    "vol.",
    "vols.",
    "cf.",
    "ed.",
    "eds.",
    "op. cit.",
    "pp.",
    "p.",
    "no.",
    "sec.",
    "par.",
    "art.",
    "eq.",
    "nos.",
    "ibid.",
    "app.",
]
_BEHIND = ["7", "IV", "Hartmann"]
_AROUND = [
    "This is told in {} and nowhere else.",
    "See {} for the whole story.",
    "The proof ({}) is short.",
    "Compare {} with the letters of that year.",
]

_GOES_ON = [
    "Yesterday Rep. Dolan voted against the bill.",
    "Two years ago Sen. Ruiz left the party.",
    "She wrote to Sens. Blake and Ortiz about it.",
    "The letter to Reps. Kim and Shaw was never sent.",
    "In Harper v. Sloan the court said no.",
    "The case of Dunn vs. Avery is still open.",
    "He is 6 ft. 2 and still growing.",
    "The shelf is 4 ft. wide.",
    "Add 8 oz. of butter and stir.",
    "A 12 oz. can is enough.",
    "We need 3 lb. of plums.",
    "A 5 lb. bag costs more.",
    "They met on Pine St. near the bank.",
    "The office on Fifth Ave. has closed.",
    "A govt. report says so.",
    "The local govt. office was shut.",
    "Her tech. skills are good.",
    "A tech. problem held us up.",
    "The dept. store has a sale.",
    "ACME TOOL CORP. ANNOUNCES RECORD SALES.",
    "NORDLAND INC. SELLS ITS MINES.",
    "BAKER & SON LTD. CLOSES TWO SHOPS.",
    "When I. Newton wrote it, few could read it.",
    "The novel by I. Allende was a gift.",
    "The U.K. Parliament voted late.",
    "Many U.K. Farmers Union members agree.",
    "The N.Y. Philharmonic played Mahler.",
    "His N.Y. Knicks shirt was stolen.",
    "Ask Gov. Perez about it.",
    "We saw Gen. Holt in the lobby.",
    "Then Lt. Marsh opened the door.",
    "It was Maj. Webb who called.",
    "Our guide, Prof. Adler, was ill.",
    "A note from Rev. Stokes was found.",
    "The approx. cost is 40 dollars.",
    "It takes approx. two hours.",
    "The max. speed is 90.",
    "A min. wage of ten dollars was agreed.",
    "He lives at 12 Mill Rd. with his aunt.",
    "Turn left on Elm Blvd. after the church.",
    "The est. value is low.",
    "She plays for F.C. Porto now.",
    "Mt. Baker is white all year.",
    "In Ft. Worth it rained.",
    "The shop, est. 1921, is for sale.",
    "Bring fruit, e.g. pears, and cheese.",
    "The oldest one, i.e. Dora, drives.",
    "Apples, pears, etc. are sold here.",
    "The misc. items are in the box.",
    "They live in St. Louis now.",
    "On Sept. 4 we moved.",
    "By Dec. 2019 it was over.",
    "The Jan. issue was late.",
    "Her son Wm. Tate was twelve.",
    "The play by G. B. Shaw ran for weeks.",
    "Poems by T. S. Eliot were read.",
    "A book by J. R. Hale lay there.",
    "The tall Mr. Finch bowed.",
    "The young Mrs. Cole laughed.",
    "They hired Dr. Moss again.",
    "Our lawyer, Ms. Park, agreed.",
    "The hon. member was asleep.",
    "It weighs 20 lbs. without the lid.",
    "Walk 3 mi. north.",
    "The tank holds 9 gal. of water.",
    "It cost 5 mil. euros.",
    "The assn. of bakers met.",
    "He joined the natl. team.",
    "An intl. call is dear.",
    "The univ. library is open.",
    "They ate at Joe's Rest. on Main.",
]

_INITIALISMS = [
    "U.S.A.",
    "F.B.I.",
    "J.F.K.",
    "U.S.S.R.",
    "C.I.A.",
    "D.I.Y.",
    "R.S.V.P.",
    "Y.M.C.A.",
    "N.A.S.A.",
    "U.N.",
    "E.U.",
    "D.C.",
    "L.A.",
    "B.B.C.",
    "M.I.T.",
    "P.O.",
    "R.I.P.",
    "A.I.",
]
_AMONG = [
    "He said {} twice.",
    "The {} files are lost.",
    "Nobody in the {} knew.",
    "It is a {} matter.",
    "A {} man came.",
    "Was {} on the list?",
    "They left {} in June.",
    "{} was written on it.",
    "We like {} and jazz.",
    "My {} mug broke.",
]

_ENDS = [
    "She works for Brandt Inc.|Her brother is a nurse.",
    "The mill belonged to Lowell Ltd.|They paid at once.",
    "My aunt grew up in the U.S.|It was a cold year.",
    "They live in the U.K.|Their son does not.",
    "The shop opens at 9 a.m.|Come early.",
    "The last bus goes at 11 p.m.|We missed it.",
    "My sister is an M.D.|She lives in Ohio.",
    "He has a Ph.D.|Nobody calls him doctor.",
    "They sell tea, jam, etc.|Prices are fair.",
    "The firm was called Orr & Co.|It failed in 1990.",
    "He was born in Washington D.C.|His mother taught there.",
    "The bill went to the E.U.|Nothing came of it.",
    "I met Frank Dunn Jr.|He was kind.",
    "We ate at 6 p.m.|Then it rained.",
    "They flew to L.A.|We stayed at home.",
    "It was built in 300 B.C.|Only a wall is left.",
    "She reads law, history, etc.|He reads nothing.",
    "The plant is run by Voss Corp.|Workers like it.",
    "The talk is at 10 a.m.|Please be on time.",
    "She left the F.B.I.|Then she wrote a book.",
    "They came from the U.S.S.R.|Few of them stayed.",
    "I saw it on the B.B.C.|You should watch it.",
    "We got there at noon, not at 1 p.m.|Everyone was asleep.",
    "She sued Pratt Inc.|It took four years.",
]


def references() -> Iterator[Frame]:
    """Yield abbreviations of books and papers before a number, a Roman one and a name."""
    for abbreviation, behind, around in product(_REFERENCES, _BEHIND, _AROUND):
        yield sentences(around.format(f"{abbreviation} {behind}"))


def titles() -> Iterator[Frame]:
    """Yield other abbreviations and initials inside of a sentence."""
    yield from map(sentences, _GOES_ON)


def initialisms() -> Iterator[Frame]:
    """Yield initialisms, which keep their last full stop."""
    for initials, around in product(_INITIALISMS, _AMONG):
        text = around.format(initials)
        yield words(f"{text[:-1]}·{text[-1]}")


def ends() -> Iterator[Frame]:
    """Yield abbreviations at which a sentence ends."""
    yield from (sentences(marked.replace("|", " |")) for marked in _ENDS)


KINDS = {
    "abbreviations before numbers and names": references,
    "titles, initials, measures": titles,
    "initialisms": initialisms,
    "abbreviations that end sentences": ends,
}
