#include "base/sum_rows.hpp"

#include <cstring>
#include <type_traits>

namespace sapwood {

namespace {

template <class T>
struct Vector {
    typedef T type __attribute__((vector_size(kLanes * sizeof(T))));
};

// A vector of weights, as numbers of type S. Taken one by one they become one instruction on each machine that a
// function is cloned for; __builtin_convertvector is taken to pieces for the least of them, before there are clones.
template <class S, class W>
[[gnu::always_inline]] inline typename Vector<S>::type load(const W* weights) {
    typename Vector<W>::type w;
    std::memcpy(&w, weights, sizeof w);
    if constexpr (std::is_same_v<W, S>) {
        return w;
    } else {
        typename Vector<S>::type s;
#pragma GCC unroll 16
        for (size_t k = 0; k < kLanes; ++k) s[k] = static_cast<S>(w[k]);
        return s;
    }
}

// Vectors are stored one by one: if they were copied together, through memory, the copy would wait for all of them.
template <size_t Count, class S>
[[gnu::always_inline]] inline void store(const typename Vector<S>::type* sum, S* scores) {
#pragma GCC unroll 8
    for (size_t v = 0; v < Count; ++v) std::memcpy(scores + v * kLanes, sum + v, sizeof sum[v]);
}

// Adds rows begin..end into Count vectors of labels of type S.
template <size_t Count, class S, class W>
[[gnu::always_inline]] inline void sum_block(const W* base, size_t stride, const uint32_t* begin, const uint32_t* end,
                                             typename Vector<S>::type* sum) {
    for (const uint32_t* row = begin; row < end; ++row) {
        const W* weights = base + *row * stride;
#pragma GCC unroll 8
        for (size_t v = 0; v < Count; ++v) sum[v] += load<S>(weights + v * kLanes);
    }
}

// int8 weights are summed in 16 bits, which cannot overflow within 256 rows of at most 127, then in 32.
template <size_t Count>
[[gnu::always_inline]] inline void sum_labels(const int8_t* base, size_t stride, const uint32_t* rows, size_t n,
                                              int32_t* scores) {
    Vector<int32_t>::type total[Count] = {};
    for (size_t f = 0; f < n; f += 256) {
        Vector<int16_t>::type sum[Count] = {};
        sum_block<Count, int16_t>(base, stride, rows + f, rows + (n - f < 256 ? n : f + 256), sum);
        for (size_t v = 0; v < Count; ++v) total[v] += __builtin_convertvector(sum[v], Vector<int32_t>::type);
    }
    store<Count>(total, scores);
}

template <size_t Count, class W, class S>
[[gnu::always_inline]] inline void sum_labels(const W* base, size_t stride, const uint32_t* rows, size_t n, S* scores) {
    typename Vector<S>::type sum[Count] = {};
    sum_block<Count, S>(base, stride, rows, rows + n, sum);
    store<Count>(sum, scores);
}

template <class W, class S>
[[gnu::always_inline]] inline void sum_all(const W* base, size_t stride, const uint32_t* rows, size_t n, size_t width,
                                           S* scores) {
    size_t vectors = padded(width) / kLanes;
    if constexpr (sizeof(S) == sizeof(int16_t))  // there are registers for so many
        for (; vectors >= 8; vectors -= 8, base += 8 * kLanes, scores += 8 * kLanes)
            sum_labels<8>(base, stride, rows, n, scores);
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
            sum += load<float>(base + rows[f] * stride + v) * values[f];
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
