# Lemmas, with word clusters where they are given. Columns: form, upos, xpos, feats, and of clitics alone next and tags (core/rewriting/next_words.hpp). Every line looks at one row alone, so that equal ones are tagged once.

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

# What stands behind a clitic: she's been, she's here
U50:%X[0,form]/%x[0,next]
U51:%X[0,form]/%x[0,tags]
U52:%X[0,form]/%prefix[0,tags,3]
U53:%suffix[0,form,1]/%x[0,next]
U54:%suffix[0,form,1]/%x[0,tags]
U55:%suffix[0,form,1]/%prefix[0,tags,3]
