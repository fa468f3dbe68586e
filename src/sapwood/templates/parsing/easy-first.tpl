# Easy-first parsing: features of attaching p0 and p1 to each other.
#
# Atoms: core/features/easy_first_features.hpp. Of the lines of Goldberg &
# Elhadad (2010) those are left out that carry little on English Web Treebank: most pairs with right children, pairs
# of forms, and those on prepositions, which in Universal Dependencies are children.

[attachments]

# Goldberg & Elhadad (2010): structure
p-1len
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

# each of the six
p-2t
p-2w
p-2t p-2lt
p-2t p-2rt
p-1t
p-1w
p-1t p-1lt
p-1t p-1rt
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
p3t
p3w
p3t p3lt
p3t p3rt

# pairs
p0t p1t
p0t p1t p0lt p1lt
p0t p2t
p0t p2w
p0w p2t
p-1t p0t
p-1t p0w
p-1w p0t
p-1t p0t p-1lt p0lt
p-1t p2t
p-1t p2w
p-1w p2t
p1t p2t
p1w p2w
p1t p2w
p1w p2t
p1t p2t p1lt p2lt

# more of each: forms with tags, second tags, morphology, suffixes, children's words, valencies
p-1w p-1t
p-1c
p-1f
p-1s
p-1l
p-1t p-1lw
p-1t p-1rw
p-1t p-1vl p-1vr
p-1w p-1vl p-1vr
p0w p0t
p0c
p0f
p0s
p0l
p0t p0lw
p0t p0rw
p0t p0vl p0vr
p0w p0vl p0vr
p1w p1t
p1c
p1f
p1s
p1l
p1t p1lw
p1t p1vl p1vr
p1w p1vl p1vr
p2w p2t
p2c
p2f
p2s
p2l
p2t p2lw
p2t p2vl p2vr
p2w p2vl p2vr

# p0 and p1: more attributes, and with their distance
p0c p1c
p0t p0f p1t p1f
p0f p1f
p0w p1c
p0c p1w
p0s p1t
p0t p1s
p0w p0-p1
p1w p0-p1
p0t p0-p1
p1t p0-p1
p0c p1c p0-p1

# three and more neighbours
p-1t p0t p1t
p0t p1t p2t
p-1c p0c p1c
p0c p1c p2c
p-1c p0c p1c p2c
p-2c p-1c p0c p1c
p0c p1c p2c p3c

# valencies
p0t p1t p0vl
p0t p1t p0vr
p0t p1t p1vl
p0t p1t p1vr
p0t p1t p0vr p1vl
p0t p1t p0nc p1nc
p0t p1t p0vl p0vr p1vl p1vr
p0w p0vr
p1w p1vl
p-1t p0t p1t p0nc p1nc
p0t p1t p2t p0nc p1nc
p0t p1t p2t p1vr
p-1t p0t p1t p0vl
p0t p1t p2t p2nc
p-1t p0t p1t p-1nc
p0t p1t p0len p1len

# children: case markers, determiners, auxiliaries
p0t p1w p0lt
p0t p1t p0lt
p1w p0lw
p0c p1c p0lw
p0lw p1t
p0c p1c p0rw
p0rw p1t
p1t p0t p1lw
p1t p0t p1lt
p0w p1lw
p1t p0t p1lt p1l2t
p1c p0c p1lw
p1lw p0t
p1rw p0t
p0t p1t p2t p2lt
p0t p1t p2t p1lt
p-1w p1t p1lw
p-1t p1t p1lw
p1t p2t p2lw

# tags of all children
p0t p0cr
p1t p1cl
p0w p0cr
p1w p1cl
p0t p1t p0cr
p0t p1t p1cl
p0t p1t p0cl
p0t p1t p1cr
p0t p1t p0cr p1cl
p0t p1t p0cl p0cr
p0t p1t p1cl p1cr
p0w p0cl p0cr
p1w p1cl p1cr
p-1t p-1cr
p2t p2cl
p-1t p0t p1t p0cl p0cr
p1t p2t p1cr p2cl
p-1t p0t p-1cr p0cl

# word clusters, where they are given
p0z
p1z
p0z p1z
p0y p1y
p0z p1t
p0t p1z
p-1z p0z
p1z p2z
