"""A laboratory: the algorithms behind sapwood in plain Python, each once, to be read, stepped through and compared.

Each file is one algorithm, with its pseudocode above its code and the paper's letters in both. They train on the same
data as the core, in the same order, and learn the same weights, as the tests check. Of the generative models the core
has the grammar only. None is fast.

==================  ==================================================================================================
``learner``         the sparse averaged perceptron of any search: the update, `min_updates`, averaging, steps;
                    ``passive_aggressive``: no further than needed; ``pruning``: without rare features
``voted``           every vector of a training decodes and votes, for any search
``multiclass``      one weight vector a class
``l1``              logistic regression with an L1 penalty; ``penalties``: cumulative, or by truncated gradients
``tagging``         features of tokens by a template; ``greedy``, ``easiest_first`` and ``viterbi`` find the labels
``naive_bayes``     generative models: counts as weights, for the same argmax; ``hmm``: for the same ``viterbi``
``eisner``          the best projective tree, order 1 and 2; ``arc_parser`` learns the scores
``k_best``          the k best structures, by any search for the best one; ``mira`` learns from k trees at once
``easy_first``      the surest attachment of two neighbours first
``arc_hybrid``      a transition system; ``beam`` searches and learns with early update
``parsing``         words, dependency trees, and features of a parser's decisions by a template
``ranking``         the ranking perceptron in primal form; ``dual`` has it in dual form, with any kernel
``tree_kernel``     fragments that two trees share; ``subsequence_kernel``: subsequences of two sequences;
                    ``polynomial_kernel``: conjunctions of features that two candidates share
``grammar``         a grammar off a treebank; ``cky`` finds its best trees; ``trees`` reads brackets
``binary``          two classes: ``vanilla``, and six ways to vote and to average, with their costs
==================  ==================================================================================================

`Learner.steps` trains and yields a `Step` for each update: input, gold, guess, violation, weights before and after.
"""

from sapwood.lab.learner import Learner, Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sapwood.lab.binary.algorithms import (
        ALGORITHMS,
        AveragedImproved,
        AveragedLazy,
        AveragedNaive,
        AveragedUpdates,
        Perceptron,
        Vanilla,
        VotedImproved,
        VotedNaive,
    )
    from sapwood.lab.binary.examples import Examples, SparseVector

__all__ = [
    "ALGORITHMS", "AveragedImproved", "AveragedLazy", "AveragedNaive", "AveragedUpdates", "Examples", "Learner",
    "Perceptron", "SparseVector", "Step", "Vanilla", "VotedImproved", "VotedNaive",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import the perceptrons for two classes when they are asked for, because they need NumPy."""
    if name in __all__:
        from sapwood.lab.binary import algorithms

        return getattr(algorithms, name)
    raise AttributeError(f"module 'sapwood.lab' has no attribute {name!r}")
