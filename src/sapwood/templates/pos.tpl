# Part-of-speech tagging of English and languages like it. Columns: word, tag.
# Ratnaparkhi's (1996) features and a few more: words around, spelling, the tag before.

# Words, lower-cased
U00:%X[-2,0]
U01:%X[-1,0]
U02:%X[0,0]
U03:%X[1,0]
U04:%X[2,0]
U05:%X[-1,0]/%X[0,0]
U06:%X[0,0]/%X[1,0]

# How the word is spelt
U10:%x[0,0]
U11:%prefix[0,0,1]
U12:%prefix[0,0,2]
U13:%prefix[0,0,3]
U14:%prefix[0,0,4]
U15:%suffix[0,0,1]
U16:%suffix[0,0,2]
U17:%suffix[0,0,3]
U18:%suffix[0,0,4]
U19:%suffix[0,0,5]
U20:%shape[0,0]

# How its neighbours are spelt
U30:%suffix[-1,0,3]
U31:%suffix[1,0,3]
U32:%shape[-1,0]
U33:%shape[1,0]

# The tag before
B

# The tag after, as far as it is known: easiest-first search only
U40:%y[+1]
U41:%y[-1]/%y[+1]

# Word clusters, where they are given
U50:%cluster[-1,0]
U51:%cluster[0,0]
U52:%cluster[1,0]
U53:%cluster[-1,0,8]
U54:%cluster[0,0,8]
U55:%cluster[1,0,8]
