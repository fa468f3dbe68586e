# Splitting tokens into words, where the words of the treebank are known. Columns: form, known.
# `known` tells which parts of the token are words, y or n: all of it; all but the first letter, the first two, the first
# three; all but the last two, the last one.

# The token
U00:%x[0,form]
U01:%X[0,form]

# How it begins and ends
U10:%prefix[0,form,1]
U11:%prefix[0,form,2]
U12:%prefix[0,form,3]
U13:%prefix[0,form,4]
U20:%suffix[0,form,1]
U21:%suffix[0,form,2]
U22:%suffix[0,form,3]
U23:%suffix[0,form,4]
U30:%prefix[0,form,1]/%suffix[0,form,1]
U31:%prefix[0,form,2]/%suffix[0,form,2]
U32:%shape[0,form]

# Its neighbours
U40:%X[-1,form]
U41:%X[1,form]
U42:%X[0,form]/%X[-1,form]
U43:%X[0,form]/%X[1,form]

# Which of its parts are words
U50:%x[0,known]
U51:%prefix[0,known,2]
U52:%prefix[0,known,2]/%prefix[0,form,1]
U53:%prefix[0,known,3]/%prefix[0,form,2]
U54:%prefix[0,known,4]/%prefix[0,form,3]
U55:%prefix[0,known,1]/%suffix[0,known,1]/%suffix[0,form,1]
U56:%prefix[0,known,1]/%suffix[0,known,2]/%suffix[0,form,2]
U57:%prefix[0,known,3]/%suffix[0,known,1]

# How often tokens are split as they are
U60:
