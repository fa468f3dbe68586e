# Named entities (CoNLL-2003 and the like). Columns: word, part-of-speech tag, entity label.
# The baseline of Ratinov & Roth (2009) and Zhang & Johnson (2003) without word lists; to use one, add
# lines like U90:%in[0,0,"cities.txt"].

# Words
U00:%x[-2,0]
U01:%x[-1,0]
U02:%x[0,0]
U03:%x[1,0]
U04:%x[2,0]
U05:%X[0,0]
U06:%X[-1,0]/%X[0,0]
U07:%X[0,0]/%X[1,0]

# How the word is spelt
U10:%prefix[0,0,2]
U11:%prefix[0,0,3]
U12:%prefix[0,0,4]
U13:%suffix[0,0,2]
U14:%suffix[0,0,3]
U15:%suffix[0,0,4]
U16:%digit[0,0]%hyphen[0,0]

# Shapes: John -> Xx, 1990s -> dx, U.N. -> X.X.
U20:%shape[-2,0]
U21:%shape[-1,0]
U22:%shape[0,0]
U23:%shape[1,0]
U24:%shape[2,0]
U25:%shape[-1,0]/%shape[0,0]
U26:%shape[0,0]/%shape[1,0]
U27:%shape[-1,0]/%shape[0,0]/%shape[1,0]
U28:%X[-1,0]/%shape[0,0]
U29:%shape[0,0]/%X[1,0]

# Tags
U30:%x[-1,1]
U31:%x[0,1]
U32:%x[1,1]
U33:%x[-1,1]/%x[0,1]
U34:%x[0,1]/%x[1,1]

# The label before, alone and with the word and its shape
B40
B41:%x[0,0]
B42:%x[-1,0]
B43:%shape[0,0]

# Word clusters, where they are given
U60:%cluster[-1,0]
U61:%cluster[0,0]
U62:%cluster[1,0]
U63:%cluster[-1,0,8]
U64:%cluster[0,0,8]
U65:%cluster[1,0,8]
