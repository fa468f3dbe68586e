// Start here: what a search is.
//
// Every task is one loop (docs/architecture.md):
//
//     features of a candidate structure -> score -> search for the best one -> wrong? -> violation -> update
//
// A search knows how structures are put together and nothing about learning. It reads scores that
// somebody else computed, from weights in training (learner/weight_table.hpp) or from a frozen model
// (model/frozen_table.hpp), and returns the best structure. The learner (learner/learner.hpp) is handed the
// features of the gold structure and of the guess and does not know how the guess was found. So a new search
// is one file here, plus the few lines that name its features, and gets averaging, min_updates, margins, the
// model file and the command line for nothing.
//
// For label sequences the meeting point is the Lattice below: the scorer fills it, the search walks it.
//
//     score(y) = sum over i of  emission[i][y_i] + bigram_i[y_(i-1)][y_i] + trigram_i[y_(i-2)][y_(i-1)][y_i]
//
//     argmax.hpp         each label by itself
//     greedy.hpp         left to right; the labels already given are features of the next decision
//     easiest_first.hpp  in the order of confidence; the labels given on both sides are features
//     viterbi.hpp        the best sequence of all, order 1 or 2, and the n best
//
// For dependency trees (tree.hpp) each search has its own:
//
//     eisner.hpp, eisner_siblings.hpp   the best projective tree of all, and the n best (order 1)
//     easy_first.hpp                    the most confident attachment of neighbours first
//     beam.hpp, arc_hybrid.hpp          transitions from left to right, the best few kept
//
// Ties go to the lowest label. Scores are float while training and in float32 models, and int32 in
// quantised ones, where every search is exact.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "learner/rows.hpp"

namespace sapwood {

using Label = uint32_t;

// Cost augmentation: every wrong label of a token is scored `cost` higher in the training search.
inline void add_cost(float* scores, size_t labels, Label gold, float cost) {
    const float kept = scores[gold];
    for (Label y = 0; y < labels; ++y) scores[y] += cost;
    scores[gold] = kept;
}

// What stands where there is no label, numbered behind the L labels: before the first token (so that label
// history is numbered 0..L), after the last, and at a token that has no label yet.
inline Label boundary_label(size_t labels) {
    return static_cast<Label>(labels);
}
inline Label end_label(size_t labels) {
    return static_cast<Label>(labels + 1);
}
inline Label unknown_label(size_t labels) {
    return static_cast<Label>(labels + 2);
}

// Scores of label n-grams that end at token i: a matrix that is the same for every token, and what
// single tokens add to it (features that join the labels with a word, say).
template <class S>
struct Transitions {
    struct Extra {
        uint32_t cell;
        S score;
    };

    AlignedVector<S> base;      // [(L + 1)^k][stride], k = 1 or 2 labels of history
    AlignedVector<S> scratch;   // the same, for one token
    std::vector<Extra> extras;  // by token
    std::vector<size_t> first;  // [n + 1] where each token's extras begin; empty if there are none at all

    const S* at(size_t i) {
        if (first.empty() || first[i] == first[i + 1]) return base.data();
        scratch = base;
        for (size_t k = first[i]; k < first[i + 1]; ++k) scratch[extras[k].cell] += extras[k].score;
        return scratch.data();
    }
};

template <class S>
struct Lattice {
    size_t n = 0;               // tokens
    size_t labels = 0;          // L
    size_t stride = 0;          // padded(L)
    AlignedVector<S> emission;  // [n][stride]
    Transitions<S> bigram, trigram;

    void resize(size_t tokens, size_t label_count) {
        n = tokens;
        labels = label_count;
        stride = padded(label_count);
        emission.resize(n * stride);
    }
};

}  // namespace sapwood
