// What training and classifying must agree on: the labels, and what a table's outputs stand for.
#pragma once
#include <cstddef>
#include <cstdint>

#include "search/argmax.hpp"

namespace sapwood {

// Two classes share one weight vector, w . phi(x) > 0 being the second (Schneider 2017: "equivalent to sign(w . phi)");
// more have one each.
struct ClassSpec {
    size_t labels;

    size_t outputs() const { return labels == 2 ? 1 : labels; }

    // From the scores of the outputs to those of the labels; room for padded(labels).
    template <class S>
    void expand_binary(S* scores) const {
        if (labels != 2) return;
        scores[1] = scores[0];
        scores[0] = 0;
    }
};

}  // namespace sapwood
