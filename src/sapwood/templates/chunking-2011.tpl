# Text chunking with the features that Goldberg & Elhadad (2011) name for their Table 1: "the identities of words and
# pos-tags surrounding the word being classified, the two previous chunk tags, and various conjunctions of those", after
# Sha & Pereira (2003) and Zhang et al. (2001). Which conjunctions they took is not told; these are of both papers.
# For comparison with the paper, and for greedy search; templates/chunking.tpl adds how the word is spelt.

# Words
U00:%x[-2,0]
U01:%x[-1,0]
U02:%x[0,0]
U03:%x[1,0]
U04:%x[2,0]
U05:%x[-2,0]/%x[-1,0]
U06:%x[-1,0]/%x[0,0]
U07:%x[0,0]/%x[1,0]
U08:%x[1,0]/%x[2,0]

# Tags: all pairs of the window, and three in a row
U10:%x[-2,1]
U11:%x[-1,1]
U12:%x[0,1]
U13:%x[1,1]
U14:%x[2,1]
U15:%x[-2,1]/%x[-1,1]
U16:%x[-2,1]/%x[0,1]
U17:%x[-2,1]/%x[1,1]
U18:%x[-2,1]/%x[2,1]
U19:%x[-1,1]/%x[0,1]
U20:%x[-1,1]/%x[1,1]
U21:%x[-1,1]/%x[2,1]
U22:%x[0,1]/%x[1,1]
U23:%x[0,1]/%x[2,1]
U24:%x[1,1]/%x[2,1]
U25:%x[-2,1]/%x[-1,1]/%x[0,1]
U26:%x[-1,1]/%x[0,1]/%x[1,1]
U27:%x[0,1]/%x[1,1]/%x[2,1]

# Words with tags
U30:%x[0,0]/%x[-1,1]
U31:%x[0,0]/%x[0,1]
U32:%x[0,0]/%x[1,1]
U33:%x[-1,0]/%x[0,1]
U34:%x[1,0]/%x[0,1]

# Chunk tags, with tags and with words
U40:%y[-1]
U41:%y[-2]/%y[-1]
U42:%x[-2,1]/%y[-1]
U43:%x[-1,1]/%y[-1]
U44:%x[0,1]/%y[-1]
U45:%x[1,1]/%y[-1]
U46:%x[2,1]/%y[-1]
U47:%x[0,1]/%y[-2]/%y[-1]
U48:%x[-1,0]/%y[-1]
U49:%x[0,0]/%y[-1]
U50:%x[0,0]/%x[1,0]/%y[-1]
