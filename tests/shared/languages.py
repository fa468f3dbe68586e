"""A sentence in several languages: those that have a bundled pipeline, and others."""

PIPED = {
    "ca": "Els nens juguen al parc i després tornen a casa amb la seva mare.",
    "de": "Die Kinder spielen im Park und gehen danach mit ihrer Mutter nach Hause.",
    "en": "The children play in the park and then go home with their mother.",
    "es": "Los niños juegan en el parque y luego vuelven a casa con su madre.",
    "fr": "Les enfants jouent dans le parc puis rentrent à la maison avec leur mère.",
    "it": "I bambini giocano nel parco e poi tornano a casa con la loro madre.",
    "pt": "As crianças brincam no parque e depois voltam para casa com a mãe.",
    "ro": "Copiii se joacă în parc și apoi se întorc acasă cu mama lor.",
    "sv": "Barnen leker i parken och går sedan hem med sin mamma.",
}
OTHERS = {
    "nl": "De kinderen spelen in het park en gaan daarna met hun moeder naar huis.",
    "fi": "Lapset leikkivät puistossa ja menevät sitten kotiin äitinsä kanssa.",
    "ru": "Дети играют в парке, а потом идут домой с мамой.",
    "zh": "孩子们在公园里玩，然后和妈妈一起回家。",
}
