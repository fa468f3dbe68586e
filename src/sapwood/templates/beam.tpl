# Transition parsing with a beam. Atoms: core/features/transition_features.hpp.

[transitions]
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
# pairs
S0w S0t N0w N0t
S0w S0t N0w
S0w N0w N0t
S0w S0t N0t
S0t N0w N0t
S0w N0w
S0t N0t
N0t N1t
S1w S1t S0w S0t
S1w S1t S0w
S1w S0w S0t
S1w S1t S0t
S1t S0w S0t
S1w S0w
S1t S0t
S1w N0w
S1t N0t
S1w N0t
S1t N0w
# triples
N0t N1t N2t
S0t N0t N1t
S1t S0t N0t
S2t S1t S0t
S1t S0t N0w
S1t S0w N0t
S1w S0t N0t
S0t S0lt N0t
S0t S0rt N0t
S0t N0t N0lt
S1t S1lt S0t
S1t S1rt S0t
S1t S0t S0lt
S1t S0t S0rt
S1w S1rt S0t
S1w S0t S0lt
S0w S0lt N0t
S0w S0rt N0t
# distance
S0w S0-N0
S0t S0-N0
N0w S0-N0
N0t S0-N0
S0w N0w S0-N0
S0t N0t S0-N0
S1w S1-S0
S1t S1-S0
S0w S1-S0
S0t S1-S0
S1w S0w S1-S0
S1t S0t S1-S0
# valency
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
# children
S0lw
S0lt
S0ld
S0rw
S0rt
S0rd
S1lw
S1lt
S1ld
S1rw
S1rt
S1rd
N0lw
N0lt
N0ld
S0l2w
S0l2t
S0l2d
S0r2w
S0r2t
S0r2d
S1l2t
S1l2d
S1r2w
S1r2t
S1r2d
N0l2w
N0l2t
N0l2d
S0t S0lt S0l2t
S0t S0rt S0r2t
S1t S1lt S1l2t
S1t S1rt S1r2t
N0t N0lt N0l2t
# label sets
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
# morphology and coarse tags
S0f
S1f
N0f
S0t S0f N0t N0f
S1t S1f S0t S0f
S0f N0f
S1f S0f
S0c N0c
S1c S0c
S1c S0c N0c
S2c S1c S0c
S0c N0c N1c
S0c N0c N1c N2c
S1c S0c N0c N1c
S1w S0c
S1c S0w
S0w N0c
S0c N0w
# case markers and other function words
S1w S0lw
S1w S0w S0lw
S1t S0t S0lw
S1w S0t S0lw
S0w S0lw N0t
N0w S0lw
S0t S0lw N0t
S1w S1rw S0w
S1t S1rw S0t
S1d S0t
S1t S1rd S0t
S1w S1rd
S1t S1rd S1ld
S0t S0ld N0t
S0t S0rd N0t
S1t S0t S0ld
S1t S0t S0rd
S1w S0t S0ld
# spelling
S0s
S0s N0t
S1t S0s
S1s S0s
S0s N0s
N0s
S0p
N0p
S0l
S1l
N0l
S1l S0l
S0l N0l
