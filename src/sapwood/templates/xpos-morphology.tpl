# The treebank's tag and morphological features of a word whose UPOS is known. Columns: form, upos, tags.

# The word and its UPOS
U00:%x[0,upos]
U01:%x[0,upos]/%X[0,form]
U02:%X[0,form]
U03:%x[0,upos]/%suffix[0,form,2]
U04:%x[0,upos]/%suffix[0,form,3]
U05:%x[0,upos]/%suffix[0,form,4]
U06:%x[0,upos]/%suffix[0,form,5]
U07:%suffix[0,form,1]
U08:%x[0,upos]/%prefix[0,form,3]
U09:%x[0,upos]/%shape[0,form]

# Its neighbours
U10:%x[-1,upos]/%x[0,upos]
U11:%x[0,upos]/%x[1,upos]
U12:%X[-1,form]/%X[0,form]
U13:%X[0,form]/%X[1,form]
U14:%X[-1,form]/%x[0,upos]
U15:%x[0,upos]/%X[1,form]
U16:%x[-1,upos]/%X[0,form]
U17:%X[0,form]/%x[1,upos]
U18:%x[-2,upos]/%x[-1,upos]/%x[0,upos]
U19:%x[0,upos]/%x[1,upos]/%x[2,upos]
U20:%X[-2,form]/%x[0,upos]
U21:%x[0,upos]/%X[2,form]

# The tags before
U30:%x[0,upos]/%y[-1]
U31:%X[0,form]/%y[-1]
U32:%x[0,upos]/%suffix[0,form,2]/%y[-1]
U33:%x[0,upos]/%suffix[0,form,3]/%y[-1]
U34:%x[0,upos]/%y[-2]/%y[-1]
