#include "search/max_plus.hpp"

#include <cstring>

#include "base/sum_rows.hpp"

namespace sapwood {

namespace {

template <class S>
[[gnu::always_inline]] inline void max_plus_all(const Arcs<S>& arcs, const S* offset, size_t width, S* out) {
    typedef S Vector __attribute__((vector_size(kLanes * sizeof(S))));
    const auto [alpha, alpha_stride, T, T_stride, histories] = arcs;
    for (size_t y = 0; y < width; y += kLanes) {
        Vector best, t;
        std::memcpy(&best, T + y, sizeof best);
        best += alpha[0];
        for (size_t h = 1; h < histories; ++h) {
            std::memcpy(&t, T + h * T_stride + y, sizeof t);
            t += alpha[h * alpha_stride];
            best = t > best ? t : best;
        }
        std::memcpy(&t, offset + y, sizeof t);
        best += t;
        std::memcpy(out + y, &best, sizeof best);
    }
}

}  // namespace

SAPWOOD_CLONES void max_plus(const Arcs<float>& arcs, const float* offset, size_t width, float* out) {
    max_plus_all(arcs, offset, width, out);
}

SAPWOOD_CLONES void max_plus(const Arcs<int32_t>& arcs, const int32_t* offset, size_t width, int32_t* out) {
    max_plus_all(arcs, offset, width, out);
}

}  // namespace sapwood
