# Graph-based parsing with the features of McDonald (2006, section 3.2; McDonald, Crammer & Pereira 2005) alone, for
# comparison with papers that use them; templates/parsing/eisner.tpl adds coarse tags, morphology and word clusters.
# Each is joined with direction and distance, too. "p" is the first five letters, here lower-cased and of every word, not
# only of longer ones. Atoms: core/features/arc_features.hpp.

[arcs]

# head and modifier
hw ht
hw
ht
mw mt
mw
mt
hp ht
hp
mp mt
mp

# both
hw ht mw mt
ht mw mt
hw mw mt
hw ht mt
hw ht mw
hw mw
ht mt
hp ht mp mt
ht mp mt
hp mp mt
hp ht mt
hp ht mp
hp mp

# tags between them
ht bt mt

# tags around them, and with one of these tags left out
ht h+1t m-1t mt
h-1t ht m-1t mt
ht h+1t mt m+1t
h-1t ht mt m+1t
h-1t ht mt
ht h+1t mt
ht m-1t mt
ht mt m+1t
