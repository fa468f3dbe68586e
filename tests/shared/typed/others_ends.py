"""A second set of frames of abbreviations and of ends of sentences, by another hand."""

from collections.abc import Iterator
from itertools import product

from typed import Frame, sentences, words

_PLACES = [
    "fig. 4", "figs. 2 and 3", "ch. 7", "chap. 12", "vol. 3", "p. 118", "pp. 20-31", "no. 6", "nos. 4 and 5",
    "sec. 2.1",
    "art. 9", "para. 14", "eq. 5", "vol. XII", "ch. IV", "bk. II", "pl. 6", "col. 3", "app. B", "Fig. 8", "Vol. II",
    "No. 10", "Sec. 5", "Ch. 3", "App. C", "Eq. 12", "Art. 50", "Pt. 2", "vol. 2, no. 4", "op. cit. p. 9",
    "ibid. p. 40",
]  # fmt: skip
_IN_PLACES = [
    "The whole story is told in {}, which nobody reads.",
    "Have you looked at {} yet?",
    "Compare {} with the map on the wall. |It is quite different.",
    "It is an old rule (see {}) that still holds.",
    "Others have shown this as well ({}). |We disagree.",
    "a better drawing is in {} of the report",
]
_BEFORE = [
    "The chapel dates from ca. 1450 and has no roof.", "He was born c. 1620 in Leiden.",
    "It takes approx. 30 minutes on foot.", "This was known before (cf. Miller 1998).",
    "For a different view, cf. Sandra Okafor on tides.", "Letters of a Farmer, ed. Jane Harlow, is out of print.",
    "The Iliad, trans. Robert Fagles, is on the list.", "They sailed to three ports, viz. Genoa, Naples and Tunis.",
    "All islands (incl. Skye) were searched.", "Some countries, e.g. Norway, never joined.",
    "We meet on the second day, i.e. Tuesday, at noon.", "Read the notes, esp. Chapter 2, before the exam.",
    "Poems, 3rd ed. 1911, is what you need.", "It was published by Holt et al. 2009 in Nature.",
    "Maria Vance (b. 1951) paints harbours.", "Otto Lang (d. 1832) left no will.",
    "He came here in Feb. 2011 with a friend.",
    "On Sept. 30 the shop closes for good.", "The office moves to Aug. 5 instead.",
    "The exam is on Thurs. Nov. 12 at nine.",
    "Call ext. 402 and ask for Dana.", "Tel. 555-0134 is the number of the desk.", "Attn. Sarah Dunn, third floor.",
    "Does cf. Boole 1854 mean anything to you?", "This form, cf. Latin pater, is very old.",
    "It grew by approx. 12 percent in a year.", "Ask for Rm. 12 or Apt. 9 at the door.",
]  # fmt: skip
_TITLED = [
    "Rep. Alice Monroe", "Reps. Diaz and Holt", "Sen. Boyd", "Sens. Warner and Cole", "Gov. Hart", "Col. Reyes",
    "Capt. Ito",
    "Lt. Shaw", "Sgt. Dale Pepper", "Prof. Lindqvist", "Rev. Osei", "Gen. Blake", "Maj. Tom Avery", "Msgr. Rossi",
    "Pres. Ford", "Supt. Kelly", "Fr. Brennan", "Mme. Duval", "Adm. Byrd", "Insp. Morse", "Atty. Gen. Dana Cruz",
    "Drs. Patel and Wong", "Messrs. Hall and Knox", "Mrs. Quigley", "Hon. Rita Chow", "Cpl. Jansen", "Det. Rojas",
    "Albert I. Jones", "Carla I. Stone", "J. R. Whitlock", "T. S. Moran", "Samuel L. Fisk", "W.E.B. Carver",
    "C.S. Pell",
    "George W. Tyler", "P. T. Ames", "U.S. Senator Mark Bell", "N.Y. Governor Ames", "U.K. Prime Minister Dale",
    "L.A. Mayor Ruiz", "U.N. Secretary Holm", "Martin Dale Jr. of Ohio", "St. Anselm", "Ste. Marie",
    "Asst. Chief Bowen",
]  # fmt: skip
_WITH_TITLED = [
    "Yesterday {} spoke for an hour.", "Who invited {} to the dinner?",
    "The letter from {} arrived. |Nobody opened it.",
    "We thank {}.",
]  # fmt: skip
_CASES = [
    "Brown v. Board of Education", "Miranda v. Arizona", "Marbury v. Madison", "Gideon v. Wainwright", "Mapp v. Ohio",
    "Loving v. Virginia", "Kramer vs. Kramer", "Ortiz v. City of Reno", "Smith v. Jones", "United States v. Nixon",
]  # fmt: skip
_WITH_CASES = [
    "In {}, the court changed its mind.", "Everyone studies {} in the first year.", "Was {} decided in May?",
    "The judge cited {}. |The lawyers sighed.",
]  # fmt: skip
_MEASURES = [
    "We bought 6 ft. of rope at the store.", "Add 12 oz. of flour and stir.", "He lost 5 lbs. in a week.",
    "Melt 3 lb. of butter in a big pot.", "Heat 2 tbsp. oil in a pan.", "Stir in 1 tsp. salt and let it rest.",
    "The board is 4 in. wide and warped.", "They called back 10 min. later.", "It was 2 hrs. before anyone came.",
    "The farm covers 5 sq. miles of marsh.", "The lake is 25 mi. north of here.", "Pour in 1 qt. milk slowly.",
    "They live on Elm st. near the park.", "The shop on 5th ave. is closed.", "The govt. has no plan for this.",
    "I called tech. support twice today.", "She works in the sales dept. of a bank.", "There is a max. of four guests.",
    "The avg. speed was higher last year.", "The bus stops on Lake Blvd. near the mall.",
    "Our house on Oak Rd. has no bell.",
    "Take Hwy. 9 to the coast.", "ACME CORP. IS HIRING AGAIN.", "THE BAKER INC. OFFICE IS CLOSED TODAY.",
    "GLOBEX LTD. HAS MOVED TO LEEDS.", "SMITH BROS. WILL OPEN AT NOON.", "HOLT & CO. SOLD IT LAST YEAR.",
    "ask the mgmt. about the heating", "the univ. library closes at six", "It is a misc. category for the rest.",
    "My apt. is on the top floor.", "The Dunn Corp. share price fell.", "Acme Inc. makes ladders.",
    "Holt Ltd. was sold.",
    "They sell nails, screws etc. in small bags.", "Bring paper, pens, etc. for the kids.",
    "Mix 8 fl. oz. of water in.",
    "A 40 gal. tank is plenty for six fish.", "It cost 20 cts. a piece back then.", "The U.S. is not a member.",
    "The U.K. Parliament rose at ten.", "A U.S. Navy ship lay off shore.", "The N.Y. Public Library has a copy.",
]  # fmt: skip
_INITIALISMS = [
    "U.S.A.", "F.B.I.", "J.F.K.", "C.I.A.", "U.N.", "B.B.C.", "I.R.S.", "Y.M.C.A.", "L.A.", "N.Y.P.D.", "U.S.S.R.",
    "A.C.L.U.",
    "M.I.T.", "U.K.", "E.U.", "P.T.A.", "U.A.E.", "N.H.S.", "D.M.V.", "R.A.F.",
]  # fmt: skip
_WITH_INITIALISMS = [
    "The {} was founded a long time ago·.", "He worked for the {} until he retired·.", "Did the {} ever answer you·?",
    "She joined the {}·, then left it·.", "Both the {} and its critics agree·.", "In the {}·, nobody asks·.",
    "It is a rumour (·the {} denied it·) at best·.", "The {}·'s plan was simple·.", "as the {} says·, call first",
    "We saw the old {} building·.",
]  # fmt: skip
_FINAL = [
    "He runs a shop called Dunn Inc.", "The boat belongs to Holt Ltd.", "She left Marsh & Co.",
    "They sued the Acme Corp.",
    "My sister lives in the U.S.", "His parents came from the U.K.", "The meeting ended at 5 p.m.",
    "We were up at 4 a.m.",
    "Her doctor is Ann Weld, M.D.", "My boss is Karl Muth, Ph.D.", "The house was built by Abe Lott Jr.",
    "Bring pens, paper, etc.", "I grew up on Mill St.", "The bank is on Park Ave.", "We flew to Washington, D.C.",
    "The wall was built in 40 B.C.", "It weighs almost 30 lbs.", "It is now owned by Lamb Bros.",
    "The fence is over 6 ft.",
    "He used to work for the F.B.I.", "It closes at 11 P.M.", "They moved to L.A.",
]  # fmt: skip
_NEXT = ["She never came back.", "The rest is history.", "But we stayed.", "It was a mistake.", "Have you been there?"]
_GLUED = [
    ("Great food", "Will come back"), ("The room was filthy", "We left the same day"),
    ("Thank you so much", "You saved us"),
    ("I called three times", "Nobody answered"), ("My son loved it", "He wants to go again"),
    ("Best pizza in town", "Try it"),
    ("Where did you buy it", "I want one too"), ("Do they deliver", "What does it cost"),
    ("Stay away", "They are crooks"),
    ("It works fine", "No problems so far"), ("Happy birthday", "See you on Monday"), ("Is this normal", "Please help"),
]  # fmt: skip
_NO_END = [
    "We built it with Node.js and a lot of coffee.", "Open the file README.md in an editor.",
    "She shops at J.Crew a lot.",
    "Edit config.yaml before you start.", "The server runs ASP.NET on Windows.", "I read it on Amazon.com last night.",
    "Call os.Exit when you are done.", "It costs 3.50 at most.", "Version 2.0.1 fixes this.",
    "Have you tried Vue.js or D3.js yet?",
    "She stars in Jeopardy! this week.", "What is System.Out in Java?", "They played Oklahoma! in the old theatre.",
    "Section 4.B covers this.", "Write to Jane.Doe@Example.com about it.", "The file is Report_Final.docx on my desk.",
    "Set timeout=0.5 in the file.", "Use http://example.com/?Query=1 for that.", "He is at 10.0.0.1 right now.",
    "The ratio was 1.5:1 in June.", "Book it on Booking.com for less.", "Run setup.py first, then main.py itself.",
    "The word.doc file is gone.", "Go to Goldstar.com and get tickets.", "The class java.util.List is an interface.",
    "Mail Kevin.A.Boone@example.com or me.", "Her site is www.JaneDoe.com these days.",
    "It is on page 4.2 of the guide.",
    "I typed np.Array by mistake.", "Use index.html or index.php for this.", "My IP is 192.168.0.12 at home.",
    "Ask Info@Example.com for a map.", "He uses Next.js at work and Three.js at home.",
]  # fmt: skip
_NOTES = [
    "The home side won·.·[·{0}·] |The crowd went wild·.", "He moved to Rome in 1920·,·[·{0}·] where he died·.",
    "Nobody knows why·.·[·{0}·]·[·{1}·] |It was never found·.", "The castle burned down·,·[·{0}·] and was rebuilt·.",
    "It has 300 members·[·{0}·] and no office·.", "Critics disliked the film·.·[·{0}·] |In 1988·, it was restored·.",
    "They married in May·.·[·{0}·] |She had two sons·.·[·{1}·] |Both became priests·.",
    "The river is long·;·[·{0}·] the lake is deep·.",
]  # fmt: skip
_BRACKETS = [
    "(See the note.) |(See the figure.)", "He left early. |(Nobody saw him go.) |She stayed.",
    "The door was open. |(It always was.)", "(Laughter.) |Thank you all.",
    "We ate (it was good) and left. |Then it rained.",
    "Is it far? |- No.", "Is it good? |- Yes, very.", "Did you see her? |– Not since May.", "Who did this? |— I did.",
    "Are you ready? |- Almost! |- Then hurry up.", "What a mess! |– I know.", "“Come in.” |He opened the door.",
    '"Where is it?" she asked.', '"Wait!" cried the man at the door.', '"I am tired," he said. |"Let us go home."',
    '"Is he here?" |"No."', "“Stop!” |The car stopped.", "'Why not?' asked Ben.", '"We lost." |"Again?"',
    "He said it was over (it was not). |We left.", "[Music plays.] |Good evening, everyone.",
    "She wrote “The End.” |Then she slept.", '"You won!" he shouted. |Everyone laughed.', "Really?! |- Yes!",
]  # fmt: skip

_QUOTED = [
    "<Where have you been?> she asked.", "<Sit down!> said the nurse.", "He shouted, <Run!> |Nobody moved.",
    "<It is late,> said Ann. |<We should go.>", "<Is this yours?> |The boy shook his head.",
    "The sign says <No dogs.> |We obeyed.", "<Never again,> he thought.",
]  # fmt: skip
_ASKED = [
    ("Is it far?", "No, ten minutes."), ("Who broke the vase?", "Not me."), ("Can I come in?", "Of course!"),
    ("Did they pay?", "Only half."), ("Where is Tom?", "At the bank."), ("What a day!", "Tell me about it."),
]  # fmt: skip


def places() -> Iterator[Frame]:
    """Yield abbreviations before numbers and Roman ones."""
    for place, frame in product(_PLACES, _IN_PLACES):
        yield sentences(frame.format(place))


def before() -> Iterator[Frame]:
    """Yield abbreviations before names, years and other capitals."""
    yield from map(sentences, _BEFORE)


def titled() -> Iterator[Frame]:
    """Yield titles and initials before names."""
    for name, frame in product(_TITLED, _WITH_TITLED):
        yield sentences(frame.format(name))


def cases() -> Iterator[Frame]:
    """Yield court cases."""
    for name, frame in product(_CASES, _WITH_CASES):
        yield sentences(frame.format(name))


def measures() -> Iterator[Frame]:
    """Yield measures, streets, firms and other abbreviations after which a sentence goes on."""
    yield from map(sentences, _MEASURES)


def initialisms() -> Iterator[Frame]:
    """Yield initialisms, which keep their last period within a sentence."""
    for name, frame in product(_INITIALISMS, _WITH_INITIALISMS):
        yield words(frame.format(name))


def final() -> Iterator[Frame]:
    """Yield abbreviations that end a sentence, before another one."""
    for first, second in product(_FINAL, _NEXT):
        yield sentences(f"{first} |{second}")


def glued() -> Iterator[Frame]:
    """Yield sentences without a space between them."""
    for first, second in _GLUED:
        question = first.split()[0] in ("Where", "Do", "Is")
        for mark, end in product(("?", "??", "?!") if question else ("!", ".", "!!", "!!!"), (".", "", "!")):
            yield sentences(f"{first}{mark}|{second}{end}")


def no_end() -> Iterator[Frame]:
    """Yield names and numbers with a mark inside that ends nothing."""
    yield from map(sentences, _NO_END)


def notes() -> Iterator[Frame]:
    """Yield notes in square brackets after a mark: both the words and the sentences are asked."""
    for frame, (one, two) in product(_NOTES, ((1, 2), (4, 5), (12, 30), (117, 118), ("a", "b"))):
        yield words(frame.format(one, two))
        yield sentences(frame.format(one, two).replace("·", ""))


def brackets() -> Iterator[Frame]:
    """Yield sentences in brackets and quotation marks, and answers after a dash."""
    yield from map(sentences, _BRACKETS)
    for (left, right), frame in product(('""', "“”", "''", "‘’"), _QUOTED):
        yield sentences(frame.replace("<", left).replace(">", right))
    for dash, (question, reply) in product("-–—", _ASKED):
        yield sentences(f"{question} |{dash} {reply}")
    for one, two in product(("(See the map.)", "(Laughter.)", "(Why not?)"), ("(So they say.)", "(I was there!)")):
        yield sentences(f"We turned back. |{one} |It was dark.")
        yield sentences(f"{one} |{two}")


KINDS = {
    "abbreviations before numbers (2)": places,
    "abbreviations before capitals (2)": before,
    "titles and initials (2)": titled,
    "court cases (2)": cases,
    "measures, streets, firms (2)": measures,
    "initialisms (2)": initialisms,
    "abbreviations that end sentences (2)": final,
    "ends without a space (2)": glued,
    "marks that end nothing (2)": no_end,
    "notes in brackets (2)": notes,
    "brackets, quotations and dashes (2)": brackets,
}
