# Text chunking (CoNLL-2000). Columns: word, part-of-speech tag, chunk label.
# The windows and conjunctions of Sha & Pereira (2003) and Zhang et al. (2001), for any search: lines that look
# at labels are history in greedy search and transitions in Viterbi.

# Words, lower-cased but for one
U00:%X[-2,0]
U01:%X[-1,0]
U02:%X[0,0]
U03:%X[1,0]
U04:%X[2,0]
U05:%X[-2,0]/%X[-1,0]
U06:%X[-1,0]/%X[0,0]
U07:%X[0,0]/%X[1,0]
U08:%X[1,0]/%X[2,0]
U09:%X[-1,0]/%X[1,0]
U10:%X[-1,0]/%X[0,0]/%X[1,0]
U11:%x[0,0]

# How the word is spelt
U12:%suffix[0,0,2]
U13:%suffix[0,0,3]
U14:%suffix[0,0,4]
U15:%shape[0,0]

# Tags
U20:%x[-3,1]
U21:%x[-2,1]
U22:%x[-1,1]
U23:%x[0,1]
U24:%x[1,1]
U25:%x[2,1]
U26:%x[3,1]
U27:%x[-2,1]/%x[-1,1]
U28:%x[-1,1]/%x[0,1]
U29:%x[0,1]/%x[1,1]
U30:%x[1,1]/%x[2,1]
U31:%x[-2,1]/%x[-1,1]/%x[0,1]
U32:%x[-1,1]/%x[0,1]/%x[1,1]
U33:%x[0,1]/%x[1,1]/%x[2,1]

# Words with tags
U40:%X[0,0]/%x[-1,1]
U41:%X[0,0]/%x[1,1]
U42:%X[-1,0]/%x[0,1]
U43:%suffix[0,0,3]/%x[-1,1]
U44:%suffix[0,0,3]/%x[1,1]

# The labels before, alone and with words
B50
B51:%X[-1,0]
B52:%X[0,0]
B53:%X[0,0]/%X[1,0]
U54:%y[-2]/%y[-1]

# The labels after, as far as they are known: easiest-first search only
U60:%y[+1]
U61:%y[-1]/%y[+1]
U62:%X[0,0]/%y[+1]
U63:%X[1,0]/%y[+1]
