// The inner loop of Viterbi: out[y] = offset[y] + max over h of (alpha[h] + T[h][y]), y across vector lanes.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sapwood {

// The arcs into a run of states y, from as many states as there are histories.
template <class S>
struct Arcs {
    const S* alpha;  // alpha[h] lies at alpha[h * alpha_stride]
    size_t alpha_stride;
    const S* transition;  // T[h] at transition + h * transition_stride
    size_t transition_stride;
    size_t histories;  // at least 1

    // The score of the best path to y that comes from history h.
    S operator()(size_t h, size_t y) const { return alpha[h * alpha_stride] + transition[h * transition_stride + y]; }
};

// offset and out: [width], a multiple of kLanes.
void max_plus(const Arcs<float>& arcs, const float* offset, size_t width, float* out);
void max_plus(const Arcs<int32_t>& arcs, const int32_t* offset, size_t width, int32_t* out);

}  // namespace sapwood
