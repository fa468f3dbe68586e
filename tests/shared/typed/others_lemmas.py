"""A second set of frames of lemmas, by another hand."""

from collections.abc import Iterator
from itertools import product

from typed import Frame, lemma

_PAST = """rewrote:rewrite overcame:overcome underwent:undergo mistook:mistake outgrew:outgrow foresaw:foresee
withdrew:withdraw undid:undo overthrew:overthrow misunderstood:misunderstand forbade:forbid rebuilt:rebuild
overslept:oversleep outran:outrun overheard:overhear resold:resell retold:retell unwound:unwind
undertook:undertake withheld:withhold withstood:withstand misled:mislead overdid:overdo overtook:overtake
overate:overeat foretold:foretell forgave:forgive upheld:uphold beheld:behold reran:rerun redid:redo
rethought:rethink repaid:repay outshone:outshine outsold:outsell remade:remake rewound:rewind overrode:override
overran:overrun undersold:undersell retook:retake reheard:rehear outdid:outdo befell:befall unlearnt:unlearn
misspoke:misspeak overpaid:overpay oversaw:oversee outbid:outbid regrew:regrow"""
_WITH_PAST = ["Last year she {} it.", "Who {} that plan?", "The old men {} everything in silence, and then they left."]
_PARTICIPLES = """rewritten:rewrite overcome:overcome undergone:undergo outgrown:outgrow foreseen:foresee
withdrawn:withdraw
undone:undo overthrown:overthrow misunderstood:misunderstand forbidden:forbid rebuilt:rebuild overheard:overhear
resold:resell retold:retell undertaken:undertake withheld:withhold misled:mislead overdone:overdo
overtaken:overtake foretold:foretell forgiven:forgive upheld:uphold redone:redo repaid:repay remade:remake
overridden:override overrun:overrun retaken:retake outdone:outdo overseen:oversee redrawn:redraw reset:reset"""
_WITH_PARTICIPLES = ["It has been {} by the council.", "They had {} it before."]
_NEW = """rebooted:reboot texted:text mimicked:mimic panicked:panic picnicked:picnic trafficked:traffic googled:google
tweeted:tweet emailed:email photoshopped:photoshop blogged:blog unfriended:unfriend retweeted:retweet
pinged:ping rebased:rebase refactored:refactor debugged:debug livestreamed:livestream upvoted:upvote
crowdsourced:crowdsource ghosted:ghost zoomed:zoom uninstalled:uninstall geotagged:geotag skyped:skype
facetimed:facetime vlogged:vlog screenshotted:screenshot reposted:repost bookmarked:bookmark scrolled:scroll
swiped:swipe binged:binge unmuted:unmute hashed:hash cached:cache compiled:compile recompiled:recompile
reinstalled:reinstall overclocked:overclock"""
_WITH_NEW = ["She {} it on Monday.", "Who {} us first?", "We {} all night, and nobody noticed."]
_NEW_ING = """rebooting:reboot texting:text mimicking:mimic panicking:panic googling:google tweeting:tweet
emailing:email
blogging:blog unfriending:unfriend pinging:ping debugging:debug refactoring:refactor scrolling:scroll
swiping:swipe skyping:skype caching:cache reinstalling:reinstall uploading:upload vlogging:vlog
livestreaming:livestream"""
_WITH_NEW_ING = ["She was {} it when I called.", "Why are they {} us again?"]
_PLURALS = """matrices:matrix oxen:ox geese:goose alumni:alumnus lenses:lens vertices:vertex cacti:cactus fungi:fungus
nuclei:nucleus oases:oasis diagnoses:diagnosis theses:thesis crises:crisis hypotheses:hypothesis
phenomena:phenomenon criteria:criterion larvae:larva vertebrae:vertebra syllabi:syllabus stimuli:stimulus
radii:radius wives:wife knives:knife loaves:loaf thieves:thief scarves:scarf hooves:hoof elves:elf calves:calf
lice:louse mice:mouse dormice:dormouse feet:foot teeth:tooth stepchildren:stepchild buses:bus viruses:virus
heroes:hero potatoes:potato echoes:echo quizzes:quiz waltzes:waltz biases:bias bonuses:bonus canvases:canvas
atlases:atlas prefixes:prefix suffixes:suffix campuses:campus appendices:appendix indices:index codices:codex
memoranda:memorandum halves:half shelves:shelf wolves:wolf policewomen:policewoman craftsmen:craftsman
eyelashes:eyelash arches:arch gases:gas octopuses:octopus mongooses:mongoose parabolas:parabola
hippopotami:hippopotamus ellipses:ellipsis"""
_WITH_PLURALS = ["We saw two {} in the museum.", "{word} are rarely this big.", "Do all {} look alike to you?"]
_REGULAR = """houses:house cities:city boxes:box horses:horse noses:nose ties:tie pies:pie keys:key roofs:roof
chiefs:chief
photos:photo pianos:piano clothes:clothes series:series species:species sheep:sheep cases:case taxes:tax
judges:judge faces:face sizes:size prizes:prize causes:cause movies:movie cookies:cookie shoes:shoe toes:toe
stitches:stitch aches:ache caches:cache"""
_REGULAR_VERBS = """loved:love hoped:hope stopped:stop planned:plan carried:carry died:die tied:tie agreed:agree
freed:free
baked:bake asked:ask visited:visit preferred:prefer offered:offer travelled:travel wasted:waste tasted:taste
changed:change managed:manage caused:cause used:use missed:miss fixed:fix buzzed:buzz added:add called:call
filled:fill controlled:control admitted:admit edited:edit limited:limit wrote:write came:come took:take saw:see
knew:know bought:buy thought:think"""
_IN_CAPITALS = [
    ("THEY PLAYED WELL.", "PLAYED", "play"), ("SHE LAUGHED AT ME.", "LAUGHED", "laugh"),
    ("HE RUNS EVERY DAY.", "RUNS", "run"),
    ("MY DOGS ARE GONE!", "DOGS", "dog"), ("WE WAITED FOR HOURS.", "WAITED", "wait"),
    ("I LOVED THIS PLACE!!!", "LOVED", "love"),
    ("THEY STOPPED CALLING US.", "STOPPED", "stop"), ("WHO TOOK MY KEYS?", "TOOK", "take"),
    ("WHO TOOK MY KEYS?", "KEYS", "key"),
    ("I HAVE NEVER SEEN THIS.", "SEEN", "see"), ("STOP ASKING ME.", "ASKING", "ask"), ("HE LIED TO US.", "LIED", "lie"),
    ("THE FRIES WERE COLD.", "WERE", "be"), ("THEY CHARGED ME TWICE!", "CHARGED", "charge"),
    ("SHE CARRIED IT.", "CARRIED", "carry"),
    ("THIS COSTS TOO MUCH.", "COSTS", "cost"), ("NOBODY CARES ABOUT IT.", "CARES", "care"),
    ("I AM SELLING TWO BIKES.", "BIKES", "bike"),
    ("I AM SELLING TWO BIKES.", "SELLING", "sell"), ("SHE WENT HOME.", "WENT", "go"),
    ("IT BROKE AFTER A WEEK.", "BROKE", "break"),
    ("THE WAITERS WERE RUDE.", "WAITERS", "waiter"), ("WE PAID FOR THREE MEALS.", "MEALS", "meal"),
    ("WE PAID FOR THREE MEALS.", "PAID", "pay"), ("DO NOT EAT THE COOKIES!", "COOKIES", "cookie"),
    ("IT KEEPS CRASHING.", "KEEPS", "keep"),
    ("IT KEEPS CRASHING.", "CRASHING", "crash"), ("HE TRIED TO HELP.", "TRIED", "try"),
    ("i NEEDED that", "NEEDED", "need"),
    ("they HATED the ending", "HATED", "hate"), ("please bring all your BOOKS.", "BOOKS", "book"),
    ("it REALLY works", "works", "work"),
]  # fmt: skip
_VERBS_IN_CAPITALS = """WATCHED:watch COOKED:cook IGNORED:ignore PROMISED:promise FOLLOWED:follow WARNED:warn ROBBED:rob
MISSED:miss CLEANED:clean INVITED:invite TOLD:tell LEFT:leave FORGOT:forget SOLD:sell"""
_NOUNS_IN_CAPITALS = """ROOMS:room TABLES:table DISHES:dish BURGERS:burger TOYS:toy CITIES:city BATHS:bath KNIVES:knife
SHOES:shoe GLOVES:glove PILLOWS:pillow TOWELS:towel"""
_URLS = [
    "https://docs.example.org/guide.html#errors", "http://www.example.com/news", "https://example.com/jobs/closed",
    "www.example.org/pictures", "https://github.com/foo/bars/issues", "https://example.com/about-us",
    "http://example.net/tests/",
    "https://example.com/Files/Reports", "example.com/cookies", "https://example.org/readings?sort=dates",
    "news@example.com",
    "ftp://example.com/pub/releases", "https://example.org/wiki/Lists", "sales@shoes.example.com",
    "https://example.com/#used",
]  # fmt: skip
_WITH_URLS = ["See {} for more.", "The list is at {}.", "Is {} still up?"]


def _pairs(packed: str) -> Iterator[list[str]]:
    """Yield the forms and lemmas that "form:lemma" names."""
    for pair in packed.split():
        yield pair.split(":")


def _of(packed: str, frames: list[str]) -> Iterator[Frame]:
    """Yield each form in each frame."""
    for (form, right), frame in product(_pairs(packed), frames):
        if "{word}" in frame:
            yield lemma(frame.format(word=form.capitalize()), form.capitalize(), right)
        else:
            yield lemma(frame.format(form), form, right)


def prefixed() -> Iterator[Frame]:
    """Yield irregular verbs with a prefix."""
    yield from _of(_PAST, _WITH_PAST)
    yield from _of(_PARTICIPLES, _WITH_PARTICIPLES)


def new_verbs() -> Iterator[Frame]:
    """Yield verbs that no old list knows."""
    yield from _of(_NEW, _WITH_NEW)
    yield from _of(_NEW_ING, _WITH_NEW_ING)


def plurals() -> Iterator[Frame]:
    """Yield irregular plurals, and those of nouns in -s, -x, -z."""
    yield from _of(_PLURALS, _WITH_PLURALS)


def regular() -> Iterator[Frame]:
    """Yield what has always been right: plurals and pasts that are common."""
    yield from _of(
        _REGULAR, ["I saw the {} there.", "We talked about {} and other things.", "How many {} do you need?"]
    )
    yield from _of(_REGULAR_VERBS, ["Yesterday they {} it.", "She {} me, and I was glad."])


def in_capitals() -> Iterator[Frame]:
    """Yield verbs and nouns in capitals."""
    for text, form, right in _IN_CAPITALS:
        yield lemma(text, form, right)
    yield from _of(_VERBS_IN_CAPITALS, ["THEY {} US LAST WEEK.", "she {} it, I swear"])
    yield from _of(_NOUNS_IN_CAPITALS, ["ALL THE {} WERE DIRTY.", "they have the best {} in town"])


def addresses() -> Iterator[Frame]:
    """Yield addresses, whose lemma is the address."""
    for url, frame in product(_URLS, _WITH_URLS):
        yield lemma(frame.format(url), url, url)


KINDS = {
    "verbs with a prefix (2)": prefixed,
    "new verbs (2)": new_verbs,
    "irregular plurals (2)": plurals,
    "regular lemmas (2)": regular,
    "lemmas in capitals (2)": in_capitals,
    "lemmas of addresses (2)": addresses,
}
