"""The laboratory: the algorithms behind sapwood in plain Python, each once, to be read, stepped through and compared.

Each file is one algorithm, with its pseudocode above its code and the paper's letters in both. They train on the same
data as the core, in the same order, and learn the same weights, as the tests check. Of the generative models the core
has the grammar only. They are fast enough for homework of some hundred sentences.

===============================  =====================================================================================
``binary``                       two classes: ``vanilla``, and six ways to vote and to average, with their costs
``learner``                      the structured perceptron of any search, whose ``training`` yields a ``step`` for each
                                 update; ``options``: its parts
``losses, passive_aggressive``   margins: what a wrong part costs; steps no further than needed
``average, lazy_average``        the mean of all weights, as it is defined, and without adding them up
``sparsity, voted``              weights that are scored after enough updates; vectors that vote, for any search
``multiclass, l1, penalties``    one weight vector a class; logistic regression with an L1 penalty, in two ways
``tagging, template``            features of tokens; ``greedy``, ``guided`` and ``easiest_first`` find labels
``viterbi, trellis``             the best label sequence; ``label_scores``: of each label once; ``viterbi_against`` all
``naive_bayes, hmm``             generative models: counts as weights, for the same argmax and the same trellis
``parsing, atoms``               dependency trees; words, and features of a parser's decisions
``eisner, arc_parser``           the best projective tree, order 1 and 2; ``eisner_against``: gold against all others
``k_best, mira``                 the k best structures, by any search for the best one; learning from k trees at once
``easy_first, pending``          the surest attachment of two neighbours first
``beam, arc_hybrid``             beam search with early update, over a transition system
``ranking, dual``                the ranking perceptron in primal form, and in dual form with any kernel:
                                 ``tree_kernel``, ``subsequence_kernel``, ``polynomial_kernel``
``grammar, cky, trees``          a grammar off a treebank, its best trees, and trees in brackets
``readers``                      columns and CoNLL-U, read without the core
``walks, draw``                  trainings to walk through, and pictures of their updates and searches
``lessons``                      six lessons with exercises
``command``                      ``sapwood-lab``
``base, errors``                 what is sapwood's, too: files, trees as text and SVG, a command line's arguments
===============================  =====================================================================================

What they define comes from here, too: ``from sapwood_lab import ViterbiTagger``. A file is imported when a name of it
is asked for.
"""

from importlib import import_module
from typing import Any

__version__ = "0.4.0.dev0"

_NAMES = {
    "learner": "Learner",
    "options": "perceptron",
    "step": "Step",
    "losses": "hamming constant regret",
    "average": "Average",
    "lazy_average": "LazyAverage",
    "passive_aggressive": "PassiveAggressive",
    "voted": "Voted",
    "multiclass": "Multiclass",
    "l1": "L1Regression",
    "penalties": "Cumulative Truncated",
    "greedy": "GreedyTagger",
    "easiest_first": "EasiestFirstTagger",
    "viterbi": "ViterbiTagger",
    "naive_bayes": "NaiveBayes",
    "hmm": "HMM",
    "arc_parser": "ArcParser",
    "mira": "KBestParser",
    "easy_first": "EasyFirstParser",
    "beam": "BeamParser",
    "atoms": "Sentence",
    "parsing": "Tree",
    "ranking": "RankingPerceptron",
    "dual": "DualPerceptron",
    "grammar": "Grammar",
    "base.candidates": "Candidate CandidateList",
    "readers": "read_columns read_conllu read_trees",
    "binary.costs": "Examples SparseVector",
    "binary.algorithms": "ALGORITHMS AveragedImproved AveragedLazy AveragedNaive AveragedUpdates Perceptron Vanilla"
    " VotedImproved VotedNaive",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = sorted(name for name in _HOME if not _HOME[name].startswith("binary"))  # which needs NumPy


def __getattr__(name: str) -> Any:
    """Import a name from its file when it is asked for."""
    if name in _HOME:
        return getattr(import_module(f"sapwood_lab.{_HOME[name]}"), name)
    raise AttributeError(f"module 'sapwood_lab' has no attribute {name!r}")
