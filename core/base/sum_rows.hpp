// scores[y] = sum over f of W[row f][y]: the inner loop of every linear model.
//
// Labels run across vector lanes and stay in registers while the rows stream by, in the order of the
// features, so that the sum is the same to the bit whatever the machine's vector width. The loop is
// written with vector types because GCC may otherwise interchange it (keep the scores in memory and
// walk the rows inside), which costs a factor of four; bench/core/kernels.py watches over it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "base/aligned.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(SAPWOOD_SANITIZED)
#define SAPWOOD_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SAPWOOD_CLONES
#endif

namespace sapwood {

// base: [rows][stride] weights; rows: [n] row numbers; scores: [padded(width)], overwritten.
void sum_rows(const float* base, size_t stride, const uint32_t* rows, size_t n, size_t width, float* scores);
void sum_rows(const int16_t* base, size_t stride, const uint32_t* rows, size_t n, size_t width, int32_t* scores);
void sum_rows(const int8_t* base, size_t stride, const uint32_t* rows, size_t n, size_t width, int32_t* scores);
void sum_rows(const int32_t* base, size_t stride, const uint32_t* rows, size_t n, size_t width, int32_t* scores);
// In 16 bits, which must not overflow: sums of at most 256 rows of int8 do not.
void sum_rows(const int8_t* base, size_t stride, const uint32_t* rows, size_t n, size_t width, int16_t* scores);
void sum_rows(const int16_t* base, size_t stride, const uint32_t* rows, size_t n, size_t width, int16_t* scores);

// The same with a value for each row: scores[y] = sum over f of values[f] * W[row f][y].
void sum_rows(const float* base, size_t stride, const uint32_t* rows, const float* values, size_t n, size_t width,
              float* scores);
void sum_rows(const int16_t* base, size_t stride, const uint32_t* rows, const float* values, size_t n, size_t width,
              float* scores);
void sum_rows(const int8_t* base, size_t stride, const uint32_t* rows, const float* values, size_t n, size_t width,
              float* scores);

}  // namespace sapwood
