"""A laboratory: the algorithms behind sapwood in plain Python, each once, to be read, stepped through and compared.

Each file is one algorithm, with its pseudocode above its code and the paper's letters in both. They train on the same
data as the core, in the same order, and learn the same weights, as the tests check. Of the generative models the core
has the grammar only. They are fast enough for homework of some hundred sentences.

==================  ==================================================================================================
``learner``         the structured perceptron of any search; ``training`` yields a ``step`` for each update; ``options``
``losses``          margins: what a wrong part costs; ``passive_aggressive``: no further than needed
``average``         the mean of all weights, as it is defined, and ``lazy_average`` without adding them up
``sparsity``        weights that are scored after enough updates, and those of rare features left out
``voted``           every vector of a training decodes and votes, for any search
``multiclass``      one weight vector a class
``l1``              logistic regression with an L1 penalty; ``penalties``: cumulative, or by truncated gradients
``tagging``         features of tokens, by a ``template``; ``greedy`` and ``easiest_first`` find labels
``viterbi``         the best label sequence, by the ``trellis`` of its ``label_scores``; ``viterbi_against`` all others
``naive_bayes``     generative models: counts as weights, for the same argmax; ``hmm``: for the same ``trellis``
``eisner``          the best projective tree, order 1 and 2; ``eisner_against``: gold against all others;
                    ``arc_parser`` learns the scores
``k_best``          the k best structures, by any search for the best one; ``mira`` learns from k trees at once
``easy_first``      the surest attachment of two ``pending`` trees first; ``guided``: a decision is repeated until it is
                    right
``arc_hybrid``      a transition system; ``beam`` searches and learns with early update
``parsing``         dependency trees; ``atoms``: words, and features of a parser's decisions by a template
``ranking``         the ranking perceptron in primal form; ``dual`` has it in dual form, with any kernel
``tree_kernel``     fragments that two trees share; ``subsequence_kernel``: subsequences of two sequences;
                    ``polynomial_kernel``: conjunctions of features that two candidates share
``grammar``         a grammar off a treebank; ``cky`` finds its best trees; ``trees`` reads brackets
``readers``         columns and CoNLL-U, read without the core
``binary``          two classes: ``vanilla``, and six ways to vote and to average, with their costs
==================  ==================================================================================================

What they define comes from here, too: ``from sapwood.lab import ViterbiTagger``. A file is imported when a name of it
is asked for.
"""

from importlib import import_module
from typing import Any

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
        return getattr(import_module(f"sapwood.lab.{_HOME[name]}"), name)
    raise AttributeError(f"module 'sapwood.lab' has no attribute {name!r}")
