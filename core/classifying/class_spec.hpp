// What training and classifying must agree on: the labels, and what a table's outputs stand for.
#pragma once
#include <cstddef>
#include <cstdint>

#include "search/argmax.hpp"

namespace sapwood {

// Two classes share one weight vector, w . phi(x) > 0 being the second (Schneider 2017: "equivalent to sign(w . phi)");
// more than two have one weight vector each. Where an example has any number of labels (`several`), each label is a
// decision of its own, label or not, and has a weight vector of its own.
struct ClassSpec {
    size_t labels;
    bool several = false;

    size_t outputs() const { return labels == 2 && !several ? 1 : labels; }

    // From the scores of the outputs to those of the labels; room for padded(labels).
    template <class S>
    void expand_binary(S* scores) const {
        if (labels != 2 || several) return;
        scores[1] = scores[0];
        scores[0] = 0;
    }
};

}  // namespace sapwood
