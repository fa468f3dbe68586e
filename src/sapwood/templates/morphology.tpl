# Morphological features of a word whose tags are known. Columns: form, upos, xpos, feats.

# The word and its tags
U00:%x[0,upos]/%x[0,xpos]
U01:%x[0,upos]/%x[0,xpos]/%X[0,form]
U02:%X[0,form]
U03:%x[0,upos]/%x[0,xpos]/%suffix[0,form,2]
U04:%x[0,upos]/%x[0,xpos]/%suffix[0,form,3]
U05:%x[0,upos]/%x[0,xpos]/%suffix[0,form,4]
U06:%suffix[0,form,1]
U07:%x[0,upos]/%x[0,xpos]/%shape[0,form]

# Its neighbours
U10:%x[-1,xpos]/%x[-1,upos]/%x[0,upos]/%x[0,xpos]
U11:%x[0,upos]/%x[0,xpos]/%x[1,xpos]/%x[1,upos]
U12:%X[-1,form]/%X[0,form]
U13:%X[0,form]/%X[1,form]
U14:%X[-1,form]/%x[0,upos]/%x[0,xpos]
U15:%x[0,upos]/%x[0,xpos]/%X[1,form]
U16:%x[-1,upos]/%x[-1,xpos]/%X[0,form]
U17:%X[0,form]/%x[1,upos]/%x[1,xpos]
U18:%x[-2,upos]/%x[-1,upos]/%x[0,upos]/%x[0,xpos]
U19:%x[0,upos]/%x[0,xpos]/%x[1,upos]/%x[2,upos]
U20:%X[-2,form]/%x[0,upos]/%x[0,xpos]
U21:%x[0,upos]/%x[0,xpos]/%X[2,form]

# The features before
U30:%x[0,upos]/%x[0,xpos]/%y[-1]
U31:%X[0,form]/%y[-1]
U32:%x[0,upos]/%x[0,xpos]/%suffix[0,form,2]/%y[-1]
