# Easy-first parsing.

[attachments]
p-2len
p-2nc
p-1len
p-1nc
p0len
p0nc
p1len
p1nc
p2len
p2nc
p3len
p3nc
p-2-p-1
p-2-p-1 p-2t p-1t
p-1-p0
p-1-p0 p-1t p0t
p0-p1
p0-p1 p0t p1t
p1-p2
p1-p2 p1t p2t
p2-p3
p2-p3 p2t p3t
p-2t
p-2w
p-2t p-2lt
p-2t p-2rt
p-2t p-2lt p-2rt
p-1t
p-1w
p-1t p-1lt
p-1t p-1rt
p-1t p-1lt p-1rt
p0t
p0w
p0t p0lt
p0t p0rt
p0t p0lt p0rt
p1t
p1w
p1t p1lt
p1t p1rt
p1t p1lt p1rt
p2t
p2w
p2t p2lt
p2t p2rt
p2t p2lt p2rt
p3t
p3w
p3t p3lt
p3t p3rt
p3t p3lt p3rt
p0t p1t
p0w p1w
p0t p1w
p0w p1t
p0t p1t p0lt p1lt
p0t p1t p0lt p1rt
p0t p1t p0rt p1lt
p0t p1t p0rt p1rt
p0t p2t
p0w p2w
p0t p2w
p0w p2t
p0t p2t p0lt p2lt
p0t p2t p0lt p2rt
p0t p2t p0rt p2lt
p0t p2t p0rt p2rt
p-1t p0t
p-1w p0w
p-1t p0w
p-1w p0t
p-1t p0t p-1lt p0lt
p-1t p0t p-1lt p0rt
p-1t p0t p-1rt p0lt
p-1t p0t p-1rt p0rt
p-1t p2t
p-1w p2w
p-1t p2w
p-1w p2t
p-1t p2t p-1lt p2lt
p-1t p2t p-1lt p2rt
p-1t p2t p-1rt p2lt
p-1t p2t p-1rt p2rt
p1t p2t
p1w p2w
p1t p2w
p1w p2t
p1t p2t p1lt p2lt
p1t p2t p1lt p2rt
p1t p2t p1rt p2lt
p1t p2t p1rt p2rt
p-1w p0pp p0rw
p-1t p0pp p0rw
p-1w p1pp p1rw
p-1t p1pp p1rw
p0w p1pp p1rw
p0t p1pp p1rw
p1w p2pp p2rw
p1t p2pp p2rw
p0w p2pp p2rw
p0t p2pp p2rw
p-1w p-1t
p-1c
p-1f
p-1s
p-1l
p-1t p-1lw
p-1t p-1rw
p-1t p-1vl p-1vr
p-1w p-1vl p-1vr
p-1w p-1lw
p-1w p-1rw
p0w p0t
p0c
p0f
p0s
p0l
p0t p0lw
p0t p0rw
p0t p0vl p0vr
p0w p0vl p0vr
p0w p0lw
p0w p0rw
p1w p1t
p1c
p1f
p1s
p1l
p1t p1lw
p1t p1rw
p1t p1vl p1vr
p1w p1vl p1vr
p1w p1lw
p1w p1rw
p2w p2t
p2c
p2f
p2s
p2l
p2t p2lw
p2t p2rw
p2t p2vl p2vr
p2w p2vl p2vr
p2w p2lw
p2w p2rw
p0w p0t p1t
p0t p1w p1t
p0w p0t p1w p1t
p0c p1c
p0t p0f p1t p1f
p0f p1f
p0w p1c
p0c p1w
p0s p1t
p0t p1s
p0s p1s
p0l p1l
p0w p1w p0-p1
p0w p1t p0-p1
p0t p1w p0-p1
p0w p0-p1
p1w p0-p1
p0t p0-p1
p1t p0-p1
p0c p1c p0-p1
p-1t p0t p1t
p0t p1t p2t
p-1t p0t p1t p2t
p-1c p0c p1c
p0c p1c p2c
p-1c p0c p1c p2c
p-2t p-1t p0t p1t
p0t p1t p2t p3t
p-2c p-1c p0c p1c
p0c p1c p2c p3c
p-1w p0t p1t
p-1t p0w p1t
p-1t p0t p1w
p0w p1t p2t
p0t p1w p2t
p0t p1t p2w
p-1c p0w p1c p2c
p-1c p0c p1w p2c
p-2c p-1c p0c p1c p2c p3c
p0t p1t p0vl
p0t p1t p0vr
p0t p1t p1vl
p0t p1t p1vr
p0t p1t p0vr p1vl
p0t p1t p0nc p1nc
p0t p1t p0vl p0vr p1vl p1vr
p0w p1t p0vr
p0t p1w p1vl
p0w p0vr
p1w p1vl
p0w p0nc p1t
p0t p1w p1nc
p0w p1w p0nc p1nc
p-1t p0t p1t p0nc p1nc
p0t p1t p2t p0nc p1nc
p0t p1t p2t p1vr
p-1t p0t p1t p0vl
p0t p1t p2t p2nc
p-1t p0t p1t p-1nc
p0t p1t p0len p1len
p0w p1w p0lw
p0t p1t p0lw
p0w p1t p0lt
p0t p1w p0lw
p0t p1w p0lt
p0w p1t p0lw
p0t p1t p0lt
p1w p0lw
p0t p1t p0lt p0l2t
p0c p1c p0lw
p0c p1w p0lw
p0lw p1t
p0w p1w p0rw
p0t p1t p0rw
p0w p1t p0rt
p0t p1w p0rw
p0t p1w p0rt
p0w p1t p0rw
p0t p1t p0rt
p1w p0rw
p0t p1t p0rt p0r2t
p0c p1c p0rw
p0c p1w p0rw
p0rw p1t
p1w p0w p1lw
p1t p0t p1lw
p1w p0t p1lt
p1t p0w p1lw
p1t p0w p1lt
p1w p0t p1lw
p1t p0t p1lt
p0w p1lw
p1t p0t p1lt p1l2t
p1c p0c p1lw
p1c p0w p1lw
p1lw p0t
p1w p0w p1rw
p1t p0t p1rw
p1w p0t p1rt
p1t p0w p1rw
p1t p0w p1rt
p1w p0t p1rw
p1t p0t p1rt
p0w p1rw
p1t p0t p1rt p1r2t
p1c p0c p1rw
p1c p0w p1rw
p1rw p0t
p0t p1t p2t p2lt
p0t p1t p2t p2lw
p0t p1t p2t p1rt
p0t p1t p2t p1lt
p0t p1t p2t p1lw
p-1t p0t p1t p0lw
p-1t p0t p1t p1lw
p-1w p0t p1t p1lw
p-1t p0w p1t p1lw
p-1w p1w p1lw
p-1w p1t p1lw
p-1t p1t p1lw
p0w p2w p2lw
p0w p2t p2lw
p1w p2w p2lw
p1t p2t p2lw
p1w p2t p2lw

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
