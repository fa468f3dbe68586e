# The features of NLTK's PerceptronTagger, for a comparison on equal terms. Columns: word, label.
# Not the same: NLTK replaces numbers and hyphenated words by a symbol, and has the tag two before by itself.
U00
U01:%suffix[0,0,3]
U02:%prefix[0,0,1]
U03:%y[-1]
U05:%y[-2]/%y[-1]
U06:%X[0,0]
U07:%y[-1]/%X[0,0]
U08:%X[-1,0]
U09:%suffix[-1,0,3]
U10:%X[-2,0]
U11:%X[1,0]
U12:%suffix[1,0,3]
U13:%X[2,0]
