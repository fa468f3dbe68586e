# Easy-first parsing with the features of Goldberg & Elhadad (2010, table 1), as they are, for comparison with the
# paper; templates/parsing/easy-first.tpl has better ones for Universal Dependencies.
# Atoms: core/features/easy_first_features.hpp.

[attachments]

# structure: is it a leaf, how long, how far from the next
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

# one partial tree
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

# two partial trees
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

# PP attachment: p0pp, p1pp and p2pp are the words if they are prepositions (tags IN, TO, ADP)
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
