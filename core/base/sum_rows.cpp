#include "base/sum_rows.hpp"

#include <cstring>

namespace sapwood {

namespace {

template <class T>
struct Vector {
    typedef T type __attribute__((vector_size(kLanes * sizeof(T))));
};

// Adds rows begin..end into Count vectors of labels of type S.
template <size_t Count, class W, class S>
[[gnu::always_inline]] inline void sum_block(const W* base, size_t stride, const uint32_t* begin, const uint32_t* end,
                                             typename Vector<S>::type* sum) {
    for (const uint32_t* row = begin; row < end; ++row) {
#pragma GCC unroll 4
        for (size_t v = 0; v < Count; ++v) {
            typename Vector<W>::type w;
            std::memcpy(&w, base + *row * stride + v * kLanes, sizeof w);
            sum[v] += __builtin_convertvector(w, typename Vector<S>::type);
        }
    }
}

// int8 weights are summed in 16 bits, which cannot overflow within 256 rows of at most 127, then in 32.
template <size_t Count>
[[gnu::always_inline]] inline void sum_labels(const int8_t* base, size_t stride, const uint32_t* rows, size_t n,
                                              int32_t* scores) {
    Vector<int32_t>::type total[Count] = {};
    for (size_t f = 0; f < n; f += 256) {
        Vector<int16_t>::type sum[Count] = {};
        sum_block<Count, int8_t, int16_t>(base, stride, rows + f, rows + (n - f < 256 ? n : f + 256), sum);
        for (size_t v = 0; v < Count; ++v) total[v] += __builtin_convertvector(sum[v], Vector<int32_t>::type);
    }
    std::memcpy(scores, total, sizeof total);
}

template <size_t Count, class W, class S>
[[gnu::always_inline]] inline void sum_labels(const W* base, size_t stride, const uint32_t* rows, size_t n, S* scores) {
    typename Vector<S>::type sum[Count] = {};
    sum_block<Count, W, S>(base, stride, rows, rows + n, sum);
    std::memcpy(scores, sum, sizeof sum);
}

template <class W, class S>
[[gnu::always_inline]] inline void sum_all(const W* base, size_t stride, const uint32_t* rows, size_t n, size_t width,
                                           S* scores) {
    size_t vectors = padded(width) / kLanes;
    for (; vectors >= 4; vectors -= 4, base += 4 * kLanes, scores += 4 * kLanes)
        sum_labels<4>(base, stride, rows, n, scores);
    switch (vectors) {
        case 3:
            return sum_labels<3>(base, stride, rows, n, scores);
        case 2:
            return sum_labels<2>(base, stride, rows, n, scores);
        case 1:
            return sum_labels<1>(base, stride, rows, n, scores);
        default:
            return;
    }
}

// A vector of labels after the other: features with values are few, or bound by memory.
template <class W>
[[gnu::always_inline]] inline void weigh_all(const W* base, size_t stride, const uint32_t* rows, const float* values,
                                             size_t n, size_t width, float* scores) {
    for (size_t v = 0; v < padded(width); v += kLanes) {
        Vector<float>::type sum = {};
        for (size_t f = 0; f < n; ++f) {
            typename Vector<W>::type w;
            std::memcpy(&w, base + rows[f] * stride + v, sizeof w);
            sum += __builtin_convertvector(w, Vector<float>::type) * values[f];
        }
        std::memcpy(scores + v, &sum, sizeof sum);
    }
}

}  // namespace

// A template cannot be cloned for several machines, so each pair of types is written out.
#define SAPWOOD_SUM_ROWS(W, S)                                                                               \
    SAPWOOD_CLONES void sum_rows(const W* base, size_t stride, const uint32_t* rows, size_t n, size_t width, \
                                 S* scores) {                                                                \
        sum_all(base, stride, rows, n, width, scores);                                                       \
    }
#define SAPWOOD_WEIGH_ROWS(W)                                                                                       \
    SAPWOOD_CLONES void sum_rows(const W* base, size_t stride, const uint32_t* rows, const float* values, size_t n, \
                                 size_t width, float* scores) {                                                     \
        weigh_all(base, stride, rows, values, n, width, scores);                                                    \
    }

SAPWOOD_SUM_ROWS(float, float)
SAPWOOD_SUM_ROWS(int8_t, int32_t)
SAPWOOD_SUM_ROWS(int16_t, int32_t)
SAPWOOD_SUM_ROWS(int32_t, int32_t)
SAPWOOD_SUM_ROWS(int8_t, int16_t)
SAPWOOD_SUM_ROWS(int16_t, int16_t)
SAPWOOD_WEIGH_ROWS(float)
SAPWOOD_WEIGH_ROWS(int8_t)
SAPWOOD_WEIGH_ROWS(int16_t)

}  // namespace sapwood
