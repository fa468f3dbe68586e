// Start here: what a search is, and what it tells the learner.
//
// Every task is one loop (docs/architecture.md):
//
//     features of a candidate structure -> score -> search for the best one -> wrong? -> violation -> update
//
// A search knows how structures are put together and nothing about learning. It reads scores that somebody else
// computed, from the weights in training (learner/weight_table.hpp) or from a frozen model (model/frozen_table.hpp),
// and returns the best structure.
//
// In training a search answers as a Decision, below: which structure won, and by which features gold and guess
// differ. Nothing else is asked of it. Learner::present (learner/presenting.hpp) asks, and alone decides what the
// answer means: the cost that is added, whether there is an update and how far it goes, what counts as a mistake, and
// when the averaging clock ticks. Trainer (learner/trainer.hpp) walks the training data. So a new search is one file
// here, plus the few lines that name its features, and gets averaging, min_updates, margins, k-best updates, pruning by
// count, progress, quantisation and the model file for nothing; tests/core/search/test_toy_search.cpp shows one.
//
// For label sequences (lattice.hpp):
//
//     argmax.hpp         each label by itself
//     greedy.hpp         left to right; the labels already given are features of the next decision
//     easiest_first.hpp  in the order of confidence; the labels given on both sides are features
//     viterbi.hpp        the best sequence of all, order 1 or 2, and the n best
//
// For dependency trees (tree.hpp):
//
//     eisner.hpp, eisner_siblings.hpp   the best projective tree of all, and the n best (order 1)
//     easy_first.hpp                    the most confident attachment of neighbours first
//     beam.hpp, arc_hybrid.hpp          transitions from left to right, the best few kept
//
// Ties go to the lowest number: of a label, an output, a candidate in its list. They do so in training as in
// prediction, so a gold structure that ties with a wrong one of a higher number has won. Where training ranks right and
// wrong choices apart, gold has to be ahead (Duel in contest.hpp). Scores are float while training and in float32
// models, and int32 in quantised ones, where every search is exact.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sapwood {

using Label = uint32_t;

// Takes phi(x, gold) - phi(x, guess), feature by feature: (table, feature, output, value).
template <class V>
concept FeatureDifference = requires(V difference, uint32_t number, float value) {
    difference.gold(number, number, number, value);
    difference.guess(number, number, number, value);
};

// One search in training, as the learner sees it. `V` is what takes the differing features.
//
//     search(cost)    searches with `cost` added for each wrong part of a structure, or, if the learner has a constant
//                     cost, once to every structure but gold; true if gold did not win
//
// and, if it did not:
//
//     mistakes()      how many parts of the winner are wrong, in the unit in which the task counts
//     loss()          score(guess) + cost(guess) - score(gold)
//     differ(v)       names the features by which gold and guess differ; of several guesses (k-best), each by itself
template <class D, class V>
concept Decision = requires(D decision, float cost, V& difference) {
    { decision.search(cost) } -> std::same_as<bool>;
    { decision.mistakes() } -> std::convertible_to<size_t>;
    decision.differ(difference);
};

// Cost augmentation: every wrong label of a token is scored `cost` higher in the training search.
inline void add_cost(float* scores, size_t labels, Label gold, float cost) {
    const float kept = scores[gold];
    for (Label y = 0; y < labels; ++y) scores[y] += cost;
    scores[gold] = kept;
}

}  // namespace sapwood
