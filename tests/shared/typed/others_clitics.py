"""A second set of frames of clitics, by another hand: which chunks have one, and of which verb it is the short form."""

from collections.abc import Iterator
from itertools import product

from typed import Frame, lemma, words

_CAPITALS = [
    "I·'M", "YOU·'RE", "WE·'VE", "HE·'LL", "SHE·'D", "THEY·'RE", "IT·'S", "THAT·'S", "WHO·'S", "DO·N'T", "CA·N'T",
    "WO·N'T", "IS·N'T",
    "DID·N'T", "SHOULD·N'T", "LET·'S", "THERE·'S", "WHAT·'S", "AI·N'T", "COULD·N'T", "I·'VE", "THEY·'LL", "WAS·N'T",
    "HERE·'S",
]  # fmt: skip
_WITH_CAPITALS = [
    "{} GOING TO BELIEVE THIS",
    "I SAID {} ENOUGH·!",
    "{} a joke·, right·?",
    "WHAT IF {} TRUE·?",
    "oh {} ok·.",
]
_MIXED = [
    "I·'Ve", "You·'Re", "It·'S", "Do·N'T", "We·'Ll", "Ca·N't", "DO·n't", "HE·'s", "Is·N'T", "They·'Re", "i·'M",
    "WE·'re", "IT·'s",
    "WO·n't", "That·'S", "She·'D", "DID·n't", "I·'LL", "who·'S", "Was·N'T",
]  # fmt: skip
_WITH_MIXED = ["Well {} late again·.", "{} what they said", "and then {} over·, ok·?"]
_LOWER = [
    "I·'m", "you·'re", "we·'ve", "he·'ll", "she·'d", "it·'s", "do·n't", "ca·n't", "wo·n't", "is·n't", "did·n't",
    "let·'s", "there·'s",
    "who·'s", "That·'s", "Do·n't", "I·'ve", "would·n't", "they·'ll", "What·'s", "does·n't", "You·'ll", "i·'d", "Ai·n't",
]  # fmt: skip
_WITH_LOWER = [
    "{} going to be fine·.",
    "I think {} about time·.",
    "Well·, {} true·?",
    "and {} ok",
    "“·{} it·,·” he said·.",
]
_SIGNS = [
    "I·`m",
    "you·`re",
    "we·´ve",
    "he·`ll",
    "it·´s",
    "do·n`t",
    "ca·n´t",
    "is·n`t",
    "that·`s",
    "driver·`s",
    "they·´re",
    "did·n´t",
]
_WITH_SIGNS = ["Well {} car here", "so {} ok·, I guess·.", "because {} old·?"]
_DOUBLE = [
    "I·'d·'ve", "he·'d·'ve", "she·'d·'ve", "would·n't·'ve", "could·n't·'ve", "should·n't·'ve", "we·'d·'ve",
    "they·'d·'ve",
    "you·'d·'ve", "might·n't·'ve", "I·'ll·'ve", "who·'d·'ve", "it·'d·'ve", "there·'d·'ve", "must·n't·'ve",
]  # fmt: skip
_WITH_DOUBLE = ["{} known better·.", "I guess {} cried·, too·.", "if {} seen it"]
_SHORT = [
    "We left 'cause it rained·.", "Wait 'til noon·.", "I told 'em so·.", "How 'bout lunch·?",
    "Give me some lovin' now·.",
    "There is nothin' to do·.", "He is goin' home·.", "She was runnin' late·.", "We were just talkin'·.",
    "They came 'round at six·.",
    "my good ol' dog", "a cup o' tea", "yes ma'am·!", "at ten o'clock", "stayed up 'til dawn", "'cause I said so",
    "Get 'em·!",
    "what a lot of cookin'", "keep movin'·, folks", "He went fishin' again·.", "it was nothin'·, really",
    "Sittin' here all day",
    "'Til then·, be good·.", "It is 'bout time·.", "feelin' good", "Quit yellin' at me·!", "'Cause nobody asked me·.",
    "She loves singin' and dancin'·.", "I saw 'em leave·.", "go 'round the back", "Doin' fine·, thanks·.",
    "the class of '85",
    "back in the '90s we did", "summer of '69", "He said 'em all·.", "you are kiddin' me·, right·?", "not 'til Friday",
]  # fmt: skip
_NAMES = [
    "Andrews", "Williams", "James", "Chris", "Dennis", "Lewis", "Hughes", "Phillips", "Adams", "Brooks", "Jacobs",
    "Stevens",
    "Edwards", "Peters", "Collins", "Rogers", "Simmons", "Hopkins", "Watkins", "Jenkins", "Perkins", "Hastings",
    "Jennings",
    "Matthews", "Saunders", "Sanders", "Sims", "Bates", "Yates", "Woods", "Fields", "Waters", "Rivers", "Hicks",
    "Banks",
    "Los Angeles", "Texas", "Paris", "Athens", "Memphis", "Dallas", "Wales", "Naples", "Cannes", "Illinois", "Honduras",
    "O'Brien", "D'Angelo", "O'Hara", "D'Souza", "McDonalds", "Starbucks", "Walgreens", "Levis", "Marcus", "Silas",
]  # fmt: skip
_WITH_NAMES = [
    "{} was on the list·.",
    "I met the agent of {} in May·.",
    "Have you heard of {}·?",
    "so {} and I left early",
]
_PLURALS = [
    "plumbers", "electricians", "dentists", "barbers", "kids", "neighbors", "tenants", "nurses", "uncles", "cousins",
    "drivers",
    "roofers", "painters", "lawyers", "owners", "teachers", "girls", "boys", "dogs", "ladies", "cooks", "vendors",
    "monkeys",
    "guests", "waiters", "servers", "pilots", "heroes", "parents", "friends", "wills", "wells", "shells", "sheds",
    "dens", "vets",
]  # fmt: skip
_WITH_PLURALS = [
    "The {} came late again·.",
    "best {} in town·!",
    "I asked two {} about it·.",
    "{} never listen",
    "Are all {} so rude·?",
]
_LOOKALIKES = [
    "Well·, it was hot as hell·.", "He was ill for a week·.", "The bike is in the shed·.", "They were late·.",
    "We wed in June·.",
    "She found a shell on the beach·.", "He lets me in·.", "Whose coat is it·?", "The blame is theirs·.",
    "Its roof leaks·.",
    "Is it hers or ours·?", "The ids are wrong·.", "a yes or no", "Hell of a ride·!", "the news was bad",
    "It has no lens·.",
    "this bus goes west", "He always wins·.", "the physics of glass", "a series of tests",
]  # fmt: skip
_HAS = [
    "She's been to Oslo twice.", "He's got two new jobs.", "It's taken three weeks so far.",
    "Who's eaten my soup?", "It's become a habit.", "She's never seen snow.", "He's already left.",
    "What's happened to you?", "I think it's started raining.", "She's burnt the toast again.",
    "He's had enough.", "It's always worked before.", "There's been an accident.", "She's got to go.",
    "Nobody knows where he's been.", "It's rained all week.", "Everything's changed since May.",
    "He's just called from the station.", "She's written four books.", "It's been ages!",
    "Has she said what he's done?", "That's got nothing to do with me.", "He's not slept at all.",
    "She's finally found a flat.", "It's broken all records.", "He's known her for years.",
    "Who's got the time?", "She's grown so much.", "It's stopped.", "He's come a long way.",
    "The one who's paid gets a seat.", "Where's your brother gone?", "What's he done?", "How's it been?",
    "What's the doctor said?", "She's had the flu since Monday.", "It's only happened once.",
]  # fmt: skip
_IS = [
    "She's a nurse.", "He's late again.", "It's raining.", "Who's at the door?", "It's too cold.", "She's not here.",
    "What's that?",
    "He's waiting for you.", "That's fine with me.", "It's sold in tins.", "There's a hole in it.", "She's never home.",
    "He's very good at chess.", "It's called a lute.", "I think she's right.", "Where's my coat?",
    "It's carved from oak.",
    "He's getting old.", "She's just a kid.", "How's your mother?", "It's about time.", "He's being watched.",
    "Here's the bill.",
    "She's always tired.", "It's needed for cutting glass.", "He's in the garden.", "It's broken.",
    "She's going to sing.",
    "Everyone's welcome.", "It's known as the Old Mill.", "What's wrong with him?", "He's afraid of dogs.",
]  # fmt: skip
_HAD = [
    "You'd better leave now.", "If I'd noticed, I would have called.", "She'd already gone.",
    "They'd been there before.",
    "I wish he'd told me.", "We'd just sat down when it rang.", "He'd never seen the sea.", "I'd better ask first.",
    "She said she'd lost it.", "They'd had a fight.", "By then we'd eaten.", "He knew I'd lied.",
    "If only you'd asked!",
    "She'd left the door open.", "I'd forgotten her name.", "He'd got used to it.", "We'd better not.",
    "They'd sold the farm.",
    "It'd been raining for days.", "I thought you'd finished.", "He'd worked there since 1990.", "She'd spent it all.",
    "You'd better believe it.", "We found that they'd moved.", "I'd barely slept.", "When he'd paid, he left.",
    "She'd been sick all week.", "Who'd taken it?", "He'd better be home.", "The dog was what we'd wanted.",
]  # fmt: skip
_WOULD = [
    "I'd love some coffee.", "She'd love to come.", "We'd go if we could.", "He'd never do that.", "I'd rather stay.",
    "Who'd want one?",
    "They'd be happy.", "You'd think so.", "It'd be nice.", "I'd be glad to help.", "She said she'd call.",
    "He'd say no.",
    "If I had time, I'd read.", "We'd have to ask.", "I'd appreciate it.", "They'd probably lose.", "That'd be great.",
    "I'd have paid more.", "You'd need a permit.", "He'd just laugh at us.", "I thought they'd win.",
    "She'd have been proud.",
    "We'd cut it in half if we could.", "I'd recommend it.", "He'd come tomorrow if he were free.",
    "I'd always buy here.",
]  # fmt: skip
_NOUN_IS = [
    "The soup's ready.", "John's here.", "My phone's dead again.", "Dinner's on the table.",
    "The shop's closed on Sundays.",
    "Anna's coming with us.", "The car's too small.", "My mom's a teacher.", "The train's late.",
    "Your coat's on the chair.", "The problem's that nobody cares.", "Dad's asleep.", "The water's cold.",
    "My brother's in Peru.",
    "I think the battery's low.", "The game's about to start.", "Lisa's not coming.", "The door's open.",
    "Lunch's over.",
    "The food's great here!", "This place's amazing.", "Mike's waiting outside.", "The kitchen's a mess.",
    "Winter's coming.",
    "The answer's no.", "The traffic's terrible today.", "Everybody says the manager's nice.",
    "My back's killing me.", "The internet's down.", "Tom's very tall.", "The music's too loud.", "Her dog's so cute.",
]  # fmt: skip
_NOUN_HAS = [
    "The train's left.", "My dad's been ill.", "John's got a cold.", "The price's gone up.", "Anna's lost her phone.",
    "The rain's stopped.", "My phone's died again.", "The shop's been sold.", "Somebody's taken my pen.",
    "Maria's never liked it.",
    "The dog's eaten my lunch.", "The team's won every game.", "Ben's already paid.", "The weather's been awful.",
    "My wife's got one.",
    "The milk's gone bad.", "The bank's sent a letter.", "Winter's come early.", "The door's been locked since May.",
    "I hear Paul's moved to Perth.",
]  # fmt: skip
_POSSESSIVE = [
    "John's car is red.", "The soup's taste was odd.", "My sister's friend called.", "The dog's tail is long.",
    "I read today's paper.", "Anna's new flat is small.", "The company's profits fell.", "We met at Tom's.",
    "It is my father's.", "Where is Lisa's coat?", "The city's oldest church burned.", "She took the baby's hand.",
    "Last week's game was dull.",
    "A bird's nest fell.", "The world's best coffee is here.", "Who took Ben's ready meal?",
    "Ben's plan failed.", "The museum's roof leaks.", "I lost my brother's keys.", "Have you seen Maria's dog?",
    "It was Paul's idea.",
    "The men's room is upstairs.", "She read the child's letter aloud.", "We stayed at a friend's house.",
    "The sun's heat was too much.",
    "The president's car was late.", "Nobody's perfect record lasts.", "a stone's throw from the beach",
    "In yesterday's mail, I found it.",
    "The boy's father is a cook and his mother's shop is here.", "This is Dad's old chair.",
    "The school's new gym opened.",
    "It is women's work.", "The store's open hours changed.", "Everyone's coats were wet.",
]  # fmt: skip
# What follows decides: subjects, and what may follow each short form.
_PRONOUNS = ["She", "He", "it", "Who", "Maybe he", "I hear she"]
_NOUNS = ["The manager", "My cousin", "Laura", "Your neighbor", "I think the whole team", "The old man"]
_AFTER = {
    ("'s", "have"): [
        "been there twice", "got two of them", "just bought a boat", "never liked it", "already eaten my lunch",
        "had bad luck today",
        "forgotten the keys", "told everyone", "always hated mornings", "taken the last seat",
    ],
    ("'s", "be"): [
        "late again", "waiting outside", "not from here", "the best in town", "very tired", "on the phone",
        "being repaired",
        "too slow for me", "going to win", "coming at six",
    ],
    ("'d", "have"): [
        "better go home now", "just left when we came", "never flown before that", "already eaten by then",
        "known it for years", "lost it the day before", "seen it twice by May", "forgotten to call us",
    ],
    ("'d", "would"): [
        "like to go", "rather stay", "be glad to help", "never say that", "have to ask first", "probably say yes",
        "do it again", "love that",
    ],
    ("'s", "'s"): [
        "phone rang", "new job is hard", "house is for sale", "first idea was better", "brother called",
        "car broke down",
        "dog bit me", "oldest friend lied", "kitchen smells", "two sons left",
    ],
}  # fmt: skip
_BEFORE_PARTICIPLES = [
    "I like the film's ending.", "My mom's cooking is great.", "The team's lost ball was found.",
    "The king's left hand shook.",
    "Peter's broken bike is here.", "He fixed the engine's worn parts.", "The book's written language is Welsh.",
    "The hotel's running water was brown.", "The teacher's very long speech bored us.", "Mike's waiting room is full.",
    "The city's growing debt worries us.", "Janell's broken leg has healed.", "I read the author's collected poems.",
    "The court's closed session began.", "Anna's singing woke us.", "The army's fallen men lie here.",
    "We need the owner's written consent.",
    "The farm's fenced fields are wet.", "The bank's leading man quit.", "Tom's drinking was a problem.",
]  # fmt: skip


def _curled(frame: str) -> Iterator[str]:
    """Yield a frame with a straight and with a curled apostrophe."""
    yield frame
    yield frame.replace("'", "’")


def _framed(chunks: list[str], frames: list[str], curl: bool = True) -> Iterator[Frame]:
    """Yield each chunk in each frame."""
    for chunk, frame in product(chunks, frames):
        text = frame.format(chunk)
        yield from map(words, _curled(text) if curl else [text])


def capitals() -> Iterator[Frame]:
    """Yield clitics in capitals."""
    yield from _framed(_CAPITALS, _WITH_CAPITALS)


def mixed() -> Iterator[Frame]:
    """Yield clitics in mixed case."""
    yield from _framed(_MIXED, _WITH_MIXED)


def lower() -> Iterator[Frame]:
    """Yield clitics in lower case."""
    yield from _framed(_LOWER, _WITH_LOWER)


def signs() -> Iterator[Frame]:
    """Yield clitics after an accent that stands for the apostrophe."""
    yield from _framed(_SIGNS, _WITH_SIGNS, curl=False)


def double() -> Iterator[Frame]:
    """Yield two clitics in a row."""
    yield from _framed(_DOUBLE, _WITH_DOUBLE)


def short() -> Iterator[Frame]:
    """Yield shortened words, whose apostrophe is theirs."""
    for frame in _SHORT:
        yield from map(words, _curled(frame))


def no_clitics() -> Iterator[Frame]:
    """Yield names and plurals in -s, and words that look like a clitic's, none of which is cut."""
    yield from _framed(_NAMES, _WITH_NAMES, curl=False)
    yield from _framed(_PLURALS, _WITH_PLURALS, curl=False)
    yield from map(words, _LOOKALIKES)


def _of(texts: list[str], form: str, right: str, subjects: list[str] | None = None) -> Iterator[Frame]:
    """Yield frames of the lemma of a clitic: of the texts, and of each subject with each of what may follow."""
    for text in texts:
        yield lemma(text, form, right)
    for subject, after in product(subjects or [], _AFTER.get((form, right), [])):
        yield lemma(f"{subject}{form} {after}{'?' if subject == 'Who' else '.'}", form, right)
    for subject, after in product((subjects or [])[:2], _AFTER.get((form, right), [])[::2]):
        yield lemma(f"{subject}’{form[1:]} {after}, right?", "’" + form[1:], right)


def has() -> Iterator[Frame]:
    """Yield 's that is has, after a pronoun."""
    yield from _of(_HAS, "'s", "have", _PRONOUNS)


def is_() -> Iterator[Frame]:
    """Yield 's that is is, after a pronoun."""
    yield from _of(_IS, "'s", "be", _PRONOUNS)


def had() -> Iterator[Frame]:
    """Yield 'd that is had."""
    yield from _of(_HAD, "'d", "have", _PRONOUNS)


def would() -> Iterator[Frame]:
    """Yield 'd that is would."""
    yield from _of(_WOULD, "'d", "would", _PRONOUNS)


def noun_is() -> Iterator[Frame]:
    """Yield 's that is is, after a noun."""
    yield from _of(_NOUN_IS, "'s", "be", _NOUNS)


def noun_has() -> Iterator[Frame]:
    """Yield 's that is has, after a noun."""
    yield from _of(_NOUN_HAS, "'s", "have", _NOUNS)


def possessive() -> Iterator[Frame]:
    """Yield 's of possessives."""
    yield from _of(_POSSESSIVE, "'s", "'s", _NOUNS)


def before_participles() -> Iterator[Frame]:
    """Yield 's of possessives before words that could follow a verb."""
    yield from _of(_BEFORE_PARTICIPLES, "'s", "'s")


KINDS = {
    "clitics in capitals (2)": capitals,
    "clitics in mixed case (2)": mixed,
    "clitics in lower case (2)": lower,
    "accents as apostrophes (2)": signs,
    "two clitics (2)": double,
    "shortened words (2)": short,
    "no clitics (2)": no_clitics,
    "'s is has (2)": has,
    "'s is is (2)": is_,
    "'d is had (2)": had,
    "'d is would (2)": would,
    "'s is is, after a noun (2)": noun_is,
    "'s is has, after a noun (2)": noun_has,
    "'s is possessive (2)": possessive,
    "'s is possessive, before participles (2)": before_participles,
}
