# Text chunking (CoNLL-2000). Columns: word, part-of-speech tag, chunk label.
# The windows and conjunctions of Sha & Pereira (2003) and Zhang et al. (2001), for any search: a B line
# looks at the label before, as history in greedy search and as a transition in Viterbi.

# Words
U00:%x[-2,0]
U01:%x[-1,0]
U02:%x[0,0]
U03:%x[1,0]
U04:%x[2,0]
U05:%x[-1,0]/%x[0,0]
U06:%x[0,0]/%x[1,0]
U07:%x[-1,0]/%x[1,0]
U08:%suffix[0,0,2]
U09:%suffix[0,0,3]

# Tags
U10:%x[-3,1]
U11:%x[-2,1]
U12:%x[-1,1]
U13:%x[0,1]
U14:%x[1,1]
U15:%x[2,1]
U16:%x[3,1]
U17:%x[-2,1]/%x[-1,1]
U18:%x[-1,1]/%x[0,1]
U19:%x[0,1]/%x[1,1]
U20:%x[1,1]/%x[2,1]
U21:%x[-2,1]/%x[-1,1]/%x[0,1]
U22:%x[-1,1]/%x[0,1]/%x[1,1]
U23:%x[0,1]/%x[1,1]/%x[2,1]

# Words with tags
U30:%x[0,0]/%x[-1,1]
U31:%x[0,0]/%x[1,1]
U32:%x[-1,0]/%x[0,1]

# The label before, alone and with words
B40
B41:%x[-1,0]
B42:%x[0,0]
B43:%x[0,0]/%x[1,0]
