# Where tokens and sentences begin. Columns: kind, gap, head, tail, before, after, later (core/segmenting/segment_rows.hpp).

# The characters around the place
U00:%x[0,kind]
U01:%x[0,gap]/%suffix[0,head,1]/%prefix[0,tail,1]
U02:%x[0,gap]/%suffix[0,head,2]/%prefix[0,tail,1]
U03:%x[0,gap]/%suffix[0,head,1]/%prefix[0,tail,2]
U04:%x[0,gap]/%suffix[0,head,2]/%prefix[0,tail,2]
U05:%x[0,gap]/%suffix[0,head,3]/%prefix[0,tail,3]
U06:%x[0,gap]/%suffix[0,head,3]
U07:%x[0,gap]/%prefix[0,tail,3]
U08:%x[0,gap]/%suffix[0,head,4]
U09:%x[0,gap]/%prefix[0,tail,4]

# What is before it and behind it, and the chunks beyond
U10:%x[0,gap]/%X[0,head]
U11:%x[0,gap]/%X[0,tail]
U12:%x[0,gap]/%X[0,head]/%X[0,tail]
U13:%x[0,gap]/%x[0,head]
U14:%x[0,gap]/%x[0,tail]
U15:%x[0,gap]/%X[0,before]
U16:%x[0,gap]/%X[0,after]
U17:%x[0,gap]/%suffix[0,head,1]/%X[0,tail]
U18:%x[0,gap]/%suffix[0,head,1]/%X[0,tail]/%X[0,after]
U19:%x[0,gap]/%suffix[0,before,1]/%suffix[0,head,1]/%prefix[0,tail,1]

# Shapes
U20:%x[0,gap]/%shape[0,head]/%shape[0,tail]
U21:%x[0,gap]/%shape[0,head]
U22:%x[0,gap]/%shape[0,tail]
U23:%x[0,gap]/%shape[0,tail]/%shape[0,after]
U24:%x[0,gap]/%shape[0,before]/%shape[0,head]/%shape[0,tail]
U25:%x[0,gap]/%suffix[0,head,1]/%shape[0,tail]
U26:%x[0,gap]/%shape[0,head]/%shape[0,tail]/%shape[0,after]
U27:%x[0,gap]/%shape[0,head]/%shape[0,tail]/%shape[0,before]/%shape[0,after]

# What began at the places before
U30:%x[0,gap]/%y[-1]/%suffix[0,head,1]/%prefix[0,tail,1]
U31:%x[0,gap]/%y[-2]/%y[-1]
U32:%x[0,gap]/%y[-1]/%X[0,tail]
U33:%x[0,gap]/%y[-1]/%X[0,head]

# Single characters, and what began before them: in scripts without spaces there is little else
U40:%x[0,gap]/%suffix[0,head,1]
U41:%x[0,gap]/%prefix[0,tail,1]
U42:%x[0,gap]/%suffix[0,head,2]
U43:%x[0,gap]/%prefix[0,tail,2]
U44:%x[0,gap]/%y[-1]/%prefix[0,tail,1]
U45:%x[0,gap]/%y[-1]/%suffix[0,head,1]
U46:%x[0,gap]/%y[-1]/%suffix[0,head,2]
U47:%x[0,gap]/%y[-1]/%prefix[0,tail,2]
U48:%x[0,gap]/%y[-1]
