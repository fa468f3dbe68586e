# The second stage of a parser: features of naming the arcs of a finished tree, for any search whose template has no
# [labels] of its own. Atoms: core/features/arc_label_features.hpp.

[labels]

# words and tags of the arc
hw
ht
hc
mw
mt
mc
mf
ms
ml
hw ht
mw mt
hw mw
hw mt
ht mw
ht mt
hc mc
ht mf
hf mf
hw mc
hc mw
ht ms
hl ml
# direction and distance
mt d
mw d
ht d
hw d
ht mt d
hc mc d
hw mt d
ht mw d
# neighbours
mt m-1t
mt m+1t
mt m-1t m+1t
mw m-1w
mw m+1w
mw m+1t
m-1w mt
m+1w mt
ht h+1t mt
ht h-1t mt
ht mt m+1t
ht mt m-1t
ht mt m-1w
ht mt m+1w
# children of the modifier: case markers, determiners, copulas
mlw
mlt
mrw
mrt
mlw mt
mlw mw
mlw ht mt
mlw hw mt
mlw hw mw
mlt mt ht
mrt mt ht
mrw mt
mlt mrt mt ht
mlw mt ht d
mlc mc hc d
mt mvl mvr
ht mt mvl mvr
ht mt mvl mvr d
# siblings
it mt ht
ot mt ht
it mt ht d
ot mt ht d
iw mt ht
iw mw ht
iw mt hw
ow mt ht
ic mc oc hc
ic mc oc hc d
# head of the head
gt ht mt
gt ht mt d
gc hc mc
gw ht mt
gw mt
# head's spelling and features
hf mt d
hs mt
hs ms
mf d
mf ht d
mp ht
