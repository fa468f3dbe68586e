"""The Golden Rules of sentence boundaries (pragmatic_segmenter's for English), with the sentences that they expect."""

from collections.abc import Iterator

from typed import Frame, sentences

_RULES = [
    "Hello World. |My name is Jonas.",
    "What is your name? |My name is Jonas.",
    "There it is! |I found it.",
    "My name is Jonas E. Smith.",
    "Please turn to p. 55.",
    "Were Jane and co. at the party?",
    "They closed the deal with Pitt, Briggs & Co. at noon.",
    "Let's ask Jane and co. |They should know.",
    "They closed the deal with Pitt, Briggs & Co. |It closed yesterday.",
    "I can see Mt. Fuji from here.",
    "St. Michael's Church is on 5th st. near the light.",
    "That is JFK Jr.'s book.",
    "I visited the U.S.A. last year.",
    "I live in the E.U. |How about you?",
    "I live in the U.S. |How about you?",
    "I work for the U.S. Government in Virginia.",
    "I have lived in the U.S. for 20 years.",
    "At 5 a.m. Mr. Smith went to the bank. |He left the bank at 6 P.M. |Mr. Smith then went to the store.",
    "She has $100.00 in her bag.",
    "She has $100.00. |It is in her bag.",
    "He teaches science (He previously worked for 5 years as an engineer.) at the local University.",
    "Her email is Jane.Doe@example.com. |I sent her an email.",
    "The site is: https://www.example.50.com/new-site/awesome_content.html. |Please check it out.",
    "She turned to him, 'This is great.' she said.",
    'She turned to him, "This is great." she said.',
    'She turned to him, "This is great." |She held the book out to show him.',
    "Hello!! |Long time no see.",
    "Hello?? |Who is there?",
    "Hello!? |Is that you?",
    "Hello?! |Is that you?",
    "1.) The first item |2.) The second item",
    "1.) The first item. |2.) The second item.",
    "1) The first item |2) The second item",
    "1) The first item. |2) The second item.",
    "1. The first item |2. The second item",
    "1. The first item. |2. The second item.",
    "• 9. The first item |• 10. The second item",
    "⁃9. The first item |⁃10. The second item",
    "a. The first item |b. The second item |c. The third list item",
    "This is a sentence\ncut off in the middle because pdf.",
    "It was a cold \nnight in the city.",
    "features\n|contact manager\n|events, activities\n",
    "You can find it at N°. 1026.253.553. |That is where the treasure is.",
    "She works at Yahoo! in the accounting department.",
    "We make a good team, you and I. |Did you see Albert I. Jones yesterday?",
    "Thoreau argues that by simplifying one’s life, “the laws of the universe will appear less complex. . . .”",
    "“Bohr [...] used the analogy of parallel stairways [...]” (Smith 55).",
    "If words are left off at the end of a sentence, and that is all that is omitted, indicate the omission with "
    "ellipsis marks (preceded and followed by spaces) and then indicate the end of the sentence with a period . . . . "
    "|Next sentence.",
    "I never meant that.... |She left the store.",
    "I wasn’t really ... well, what I mean...see . . . what I'm saying, the thing is . . . I didn’t mean it.",
    "One further habit which was somewhat weakened . . . was that of combining words into self-interpreting compounds. "
    "|. . . The practice was not abandoned. . . .",
    "Hello world.|Today is Tuesday.|Mr. Smith went to the store and bought 1,000.|That is a lot.",
]


def golden_rules() -> Iterator[Frame]:
    """Yield the rules."""
    yield from map(sentences, _RULES)


KINDS = {"golden rules (2)": golden_rules}
