"""The perceptron for two classes, and six ways to vote and to average. Whoever begins, begins with ``vanilla``.

All present the same examples and make the same mistakes and updates. They differ in the vectors that they keep:

=====================  =============  ==============  ================================================
algorithm              space          time            output
=====================  =============  ==============  ================================================
`vanilla`              O(d)           O(U d' + d)     the last weights (Rosenblatt 1958)
`voted_naive`          O(T|D| d)      O(T|D| d)       all weights, one vote each
`voted_improved`       O(U d)         O(U d)          the same, equal ones once (Freund & Schapire 1999)
`averaged_naive`       O(d)           O(T|D| d)       the sum of all weights
`averaged_improved`    O(U d)         O(U d)          the same, equal ones once
`averaged_updates`     O(d + U d')    O(U d' + d)     the same, from the updates
`averaged_lazy`        O(d)           O(U d' + d)     the same, from two vectors (Daumé 2006)
=====================  =============  ==============  ================================================

The examples D, of d features, of which at most d' (the lecture's d_Δw) are not zero, are presented T times. U of these
presentations end in an update. What all of them spend on scoring is left out of the bounds.

``vanilla``, ``voted`` and ``averaged`` are functions of the data, in plain Python, which compute with ``vectors``.
``algorithms`` has a class for each of them that trains on matrices and counts the ``costs`` (with NumPy).
"""
