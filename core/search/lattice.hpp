// Scores of label sequences: the scorer fills a lattice, a search walks it.
//
//     score(y) = sum over i of  emission[i][y_i] + bigram_i[y_(i-1)][y_i] + trigram_i[y_(i-2)][y_(i-1)][y_i]
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned.hpp"
#include "base/stop_check.hpp"
#include "search/search.hpp"

namespace sapwood {

// Three numbers that follow those of the L labels. They stand for the place before the first token (so that label
// histories are numbered 0..L), the place after the last token, and a token that has no label yet.
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
        StopCheck::after(base.size());
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
