"""Gold held against all other label sequences, for a constant loss (Dyer 2015, "Another View").

A loss of parts is added to the scores of labels, so that Viterbi finds the sequence of highest score and cost. If each
sequence but gold costs gamma, however much of it is wrong, chi_i is the best score of those that end in gold's label at
token i (order 2: its last two labels), gold or not::

    chi_i = max of  chi_(i-1) + s(i, y_(i-1), y_i)
            and, over h other than y_(i-1),  alpha_(i-1)[h] + gamma + s(i, h, y_i)

and y' is the best of chi_n and, over all other last labels, of alpha_n + gamma. alpha and s are those of
`sapwood_lab.trellis`; ties are settled as there.

>>> from sapwood_lab.trellis import after_each, forward
>>> s = after_each(lambda i, labels: 3.0 * labels.count("a"))
>>> trellis = forward(2, ["a", "b"], 1, s)
>>> viterbi_against(("a", "a"), 2.0, trellis, s), viterbi_against(("a", "a"), 4.0, trellis, s)
(('a', 'a'), ('a', 'b'))
"""

from sapwood_lab.trellis import START, Labels, Scores, Trellis, way


def viterbi_against(gold: Labels, gamma: float, trellis: Trellis, s: Scores) -> Labels:
    """Return the sequence of highest score if gamma is added to that of every sequence but gold."""
    alpha, back = trellis
    n, order = len(gold), len(next(iter(alpha[0])))
    padded = (START,) * order + gold
    state = [padded[i : i + order] for i in range(n + 1)]  # gold's, after i tokens
    chi, came = 0.0, [state[0]]  # came[i]: the state from which chi_i came; at the end, the best of the last states
    for i in range(n + 1):
        into = {h: score + gamma for h, score in alpha[i].items()} | {state[i]: chi}
        if i < n:
            before = [h for h in into if h[1:] == state[i][1:]]
            into = {h: into[h] + score for h, score in zip(before, s(i, before, gold[i]), strict=True)}
        came.append(max(into, key=into.__getitem__))
        chi = into[came[-1]]
    i = n
    while i > 0 and came[i + 1] == state[i]:
        i -= 1
    return way(back, i, came[i + 1]) + gold[i:]
