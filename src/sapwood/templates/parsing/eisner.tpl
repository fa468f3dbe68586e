# Graph-based parsing.

[arcs]
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
hc
mc
hf
mf
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
hw mc
hc mw
hw ht mc
hc mw mt
hc mc
hf mf
ht hf mt mf
ht h+1t m-1t mt
h-1t ht m-1t mt
ht h+1t mt m+1t
h-1t ht mt m+1t
h-1t ht mt
ht h+1t mt
ht m-1t mt
ht mt m+1t
hc h+1c m-1c mc
h-1c hc m-1c mc
hc h+1c mc m+1c
h-1c hc mc m+1c
ht bt mt
hc bc mc
# word clusters, where they are given
hz
mz
hz mz
hy my
hx mx
hz mt
ht mz
hw mz
hz mw

[siblings]
ht st mt
st mt
sw mw
sw mt
st mw
hc sc mc
sc mc
hw st mt
ht sw mt
ht st mw
hw sw mt
hw st mw
sl ml
