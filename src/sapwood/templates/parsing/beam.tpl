# Transition parsing with a beam: features of the next transition, after Zhang & Nivre (2011), for the arc-hybrid
# system, where S1 stands for the head that S0 may get and S0's children are complete. Lines whose weights said
# little on the development set of English Web Treebank are left out. Atoms: core/features/transition_features.hpp.

[transitions]

# one word of the stack or the buffer
S0w S0t
S0w
S0t
S1w S1t
S1w
S1t
N0w N0t
N0w
N0t
N1w N1t
N1w
N1t
N2w N2t
N2w
N2t
S2t
S2w S2t
S0f
S1f
N0f
S0s
N0s
S0p
N0p
S0l
S1l
N0l

# S0 with the next words, where to attach to the right
S0t N0t
N0t N1t
N0t N1t N2t
S0t N0t N1t
S0t S0f N0t N0f
S0f N0f
S0c N0c
S0c N0c N1c
S0c N0c N1c N2c
S0c N0w
S0s N0t

# S1 with S0, where to attach to the left
S1t S0t
S1t S1f S0t S0f
S1f S0f
S1c S0c
S1w S0c
S1t S0s

# further context
S1t N0t
S1w N0t
S1t N0w
S1c S0c N0c
S2c S1c S0c
S1c S0c N0c N1c
S0c N0c N1c N2c S1c

# distances
S0w S0-N0
S0t S0-N0
N0w S0-N0
N0t S0-N0
S0t N0t S0-N0
S1t S1-S0
S0t S1-S0
S1t S0t S1-S0
S0c S0-N0 N0c
S1c S1-S0 S0c
S0c N0c N1c S0-N0
S1c S0c S1-S0 S1vr
S0c N0c S0-N0 N0vl
S1c S1-S0 S0c N0c

# how many children
S0w S0vr
S0t S0vr
S0w S0vl
S0t S0vl
S1w S1vr
S1t S1vr
S1w S1vl
S1t S1vl
N0w N0vl
N0t N0vl
S0c N0c S0vr S0vl
S1c S0c S1vr S0vr
S1w S1vr S0c

# the labels of the children, as a set
S0w S0sr
S0t S0sr
S0w S0sl
S0t S0sl
S1w S1sr
S1t S1sr
S1w S1sl
S1t S1sl
N0w N0sl
N0t N0sl
S0c S0sr N0c
S0c S0sl N0c
S1c S1sr S0c
S1c S1sl S0c
S1c S0c S0sl
S1c S0c S0sr
S0c N0c N0sl
S1c S1sr S0c N0c
S0c S0sr S0sl N0c
S1c S0c S0sl S0sr
S1t S1sr S0t
S0t S0sr N0t
S1w S0c S1sr
S0f S0sl N0f
S1f S1sr S0f

# children
S0lw
S0lt
S0ld
S0rt
S0rd
S1lw
S1lt
S1ld
S1rt
S1rd
N0lw
N0lt
N0ld
S0l2w
S0l2t
S0l2d
S1l2t
S1l2d
N0l2w
N0l2t
N0l2d
N0w S0lw
S1t S0t S0ld
S0c S0lc N0c
S1c S0c S0lc
S1c S1lc S0c
S0c N0c N0lc
S0c S0lc S0l2c
N0c N0lc N0l2c
S1c S0c S0lw
S1w S0c S0ld

# word clusters, where they are given
S0z
S1z
N0z
N1z
S0z N0z
S1z S0z
S0y N0y
S1y S0y
S0z N0t
S0t N0z
S1z S0t
S1t S0z
