# Names in a pipeline (after Ratinov & Roth 2009), with word clusters, and a lexicon of names, where they are given.
# Columns: form, upos, xpos, feats, entity.

# Words
U00:%x[-2,form]
U01:%x[-1,form]
U02:%x[0,form]
U03:%x[1,form]
U04:%x[2,form]
U05:%X[0,form]
U06:%X[-1,form]/%X[0,form]
U07:%X[0,form]/%X[1,form]
U08:%X[-1,form]/%X[1,form]

# How the word is spelt
U10:%prefix[0,form,2]
U11:%prefix[0,form,3]
U12:%prefix[0,form,4]
U13:%suffix[0,form,2]
U14:%suffix[0,form,3]
U15:%suffix[0,form,4]
U16:%digit[0,form]%hyphen[0,form]

# Shapes
U20:%shape[-2,form]
U21:%shape[-1,form]
U22:%shape[0,form]
U23:%shape[1,form]
U24:%shape[2,form]
U25:%shape[-1,form]/%shape[0,form]
U26:%shape[0,form]/%shape[1,form]
U27:%shape[-1,form]/%shape[0,form]/%shape[1,form]
U28:%X[-1,form]/%shape[0,form]
U29:%shape[0,form]/%X[1,form]

# Tags
U30:%x[-1,xpos]
U31:%x[0,xpos]/%x[0,upos]
U32:%x[1,xpos]
U33:%x[-1,upos]/%x[0,upos]
U34:%x[0,upos]/%x[1,upos]
U35:%x[-1,upos]/%x[0,upos]/%x[1,upos]

# Word clusters
U40:%cluster[-1,form]
U41:%cluster[0,form]
U42:%cluster[1,form]
U43:%cluster[0,form,4]
U44:%cluster[0,form,6]
U45:%cluster[0,form,10]
U46:%cluster[-1,form,6]
U47:%cluster[1,form,6]
U48:%cluster[-2,form,6]
U49:%cluster[2,form,6]
U50:%cluster[-1,form,8]/%cluster[0,form,8]
U51:%cluster[0,form,8]/%cluster[1,form,8]
U52:%cluster[0,form,6]/%shape[0,form]
U53:%cluster[-1,form,6]/%shape[0,form]

# What is around, in words, shapes and clusters
U54:%cluster[-2,form]
U55:%cluster[2,form]
U56:%cluster[0,form,12]
U57:%cluster[-1,form]/%cluster[0,form]
U58:%cluster[0,form]/%cluster[1,form]
U59:%cluster[-1,form,8]/%cluster[0,form,8]/%cluster[1,form,8]
U70:%cluster[0,form]/%shape[1,form]
U71:%cluster[-1,form]/%shape[0,form]
U72:%cluster[1,form]/%shape[0,form]
U73:%cluster[-2,form,8]/%cluster[-1,form,8]/%shape[0,form]
U74:%cluster[0,form,8]/%suffix[0,form,3]
U75:%shape[-2,form]/%shape[-1,form]/%shape[0,form]
U76:%shape[0,form]/%shape[1,form]/%shape[2,form]
U77:%X[-2,form]/%X[-1,form]/%shape[0,form]
U78:%shape[0,form]/%X[1,form]/%X[2,form]
U79:%x[-2,xpos]/%x[-1,xpos]/%x[0,xpos]
U80:%x[0,xpos]/%x[1,xpos]/%x[2,xpos]

# Lists of names that words are in: the tags of the lexicon
U90:%lexicon[0,form]/%shape[0,form]
U91:%lexicon[-1,form]/%shape[0,form]
U92:%lexicon[1,form]/%shape[0,form]
U93:%lexicon[-1,form]/%lexicon[0,form]/%shape[0,form]
U94:%lexicon[0,form]/%lexicon[1,form]/%shape[0,form]
U95:%lexicon[0,form]/%x[0,xpos]

# The label before, alone and with the word and its shape
B60
B61:%x[0,form]
B62:%x[-1,form]
B63:%shape[0,form]
B64:%cluster[0,form,6]
