// The best class on its own: y = argmax_y w_y . phi(x).
#pragma once
#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>

#include "search/lattice.hpp"

namespace sapwood {

template <class S>
Label argmax(const S* scores, size_t labels) {
    if constexpr (std::is_integral_v<S>) {  // of integers the compiler compares several at a time
        S most = scores[0];
        for (size_t y = 1; y < labels; ++y) most = std::max(most, scores[y]);
        return static_cast<Label>(std::find(scores, scores + labels, most) - scores);
    }
    Label best = 0;
    for (Label y = 1; y < labels; ++y)
        if (scores[y] > scores[best]) best = y;
    return best;
}

// The best of the allowed labels, the lowest of those that score the same.
template <class S>
Label argmax(const S* scores, size_t labels, std::span<const Label> allowed) {
    if (allowed.empty()) return argmax(scores, labels);
    Label best = allowed[0];
    for (Label y : allowed)
        if (scores[y] > scores[best]) best = y;
    return best;
}

// Makes the scores of all labels but the allowed ones too low to win.
inline void forbid_others(float* scores, size_t labels, std::span<const Label> allowed) {
    if (allowed.empty()) return;
    auto next = allowed.begin();
    for (Label y = 0; y < labels; ++y) {
        if (next != allowed.end() && *next == y)
            ++next;
        else
            scores[y] = -std::numeric_limits<float>::infinity();
    }
}

}  // namespace sapwood
