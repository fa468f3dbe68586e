# Splitting tokens into words. Column: form.

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

# How often tokens are split as they are
U50:
