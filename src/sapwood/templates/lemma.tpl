# Lemmas, with word clusters where they are given. Columns: form, upos, xpos, feats. Every line looks at one word alone, so that equal words are tagged once.

# The word
U00:%x[0,form]/%x[0,upos]
U01:%X[0,form]/%x[0,upos]
U02:%X[0,form]/%x[0,xpos]

# Its tags
U10:%x[0,upos]
U11:%x[0,xpos]
U12:%x[0,feats]

# How it ends
U20:%suffix[0,form,1]/%x[0,xpos]
U21:%suffix[0,form,2]/%x[0,xpos]
U22:%suffix[0,form,3]/%x[0,xpos]
U23:%suffix[0,form,4]/%x[0,xpos]
U24:%suffix[0,form,5]/%x[0,xpos]
U25:%suffix[0,form,6]/%x[0,xpos]

# Its letters' case
U30:%shape[0,form]/%x[0,upos]
U31:%capital[0,form]/%x[0,upos]

# Word clusters: whether words like it are names
U40:%cluster[0,form]/%x[0,upos]
U41:%cluster[0,form]/%capital[0,form]/%x[0,upos]
