# Part-of-speech tags in a pipeline, with word clusters and a lexicon where they are given. Columns: form, tag.

# Words, lower-cased
U00:%X[-2,form]
U01:%X[-1,form]
U02:%X[0,form]
U03:%X[1,form]
U04:%X[2,form]
U05:%X[-1,form]/%X[0,form]
U06:%X[0,form]/%X[1,form]

# How the word is spelt
U10:%x[0,form]
U11:%prefix[0,form,1]
U12:%prefix[0,form,2]
U13:%prefix[0,form,3]
U14:%prefix[0,form,4]
U15:%suffix[0,form,1]
U16:%suffix[0,form,2]
U17:%suffix[0,form,3]
U18:%suffix[0,form,4]
U19:%suffix[0,form,5]
U20:%shape[0,form]
U21:%shape[0,form]/%suffix[0,form,2]

# How its neighbours are spelt
U30:%suffix[-1,form,3]
U31:%suffix[1,form,3]
U32:%shape[-1,form]
U33:%shape[1,form]
U34:%shape[-1,form]/%shape[0,form]/%shape[1,form]
U35:%suffix[0,form,3]/%suffix[1,form,3]

# The tags before
U40:%y[-1]
U41:%y[-2]/%y[-1]
U42:%y[-1]/%X[0,form]
U43:%y[-1]/%suffix[0,form,3]
U44:%y[-1]/%X[1,form]

# Word clusters
U50:%cluster[0,form]
U51:%cluster[1,form]
U52:%cluster[-1,form]
U53:%cluster[0,form,6]
U54:%cluster[1,form,6]
U55:%cluster[-1,form,6]/%cluster[0,form,6]
U56:%cluster[0,form,6]/%cluster[1,form,6]
U57:%cluster[2,form,6]
U58:%y[-1]/%cluster[0,form]
U59:%y[-1]/%cluster[0,form,6]/%cluster[1,form,6]
U60:%cluster[0,form,8]/%suffix[0,form,3]

# Tags in the lexicon
U70:%lexicon[0,form]
U71:%lexicon[0,form]/%y[-1]
U72:%lexicon[-1,form]/%lexicon[0,form]/%lexicon[1,form]
U73:%lexicon[0,form]/%lexicon[1,form]
U74:%lexicon[1,form]
U75:%lexicon[0,form]/%suffix[0,form,3]
U76:%lexicon[0,form]/%shape[0,form]
