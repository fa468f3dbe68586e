// The inner loop of Viterbi: out[y] = offset[y] + max over h of (alpha[h] + T[h][y]), vectorised over y.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sapwood {

// alpha[h] lies at alpha[h * alpha_stride], T[h] at T + h * T_stride; offset and out: [width], a multiple of
// kLanes.
void max_plus(const float* alpha, size_t alpha_stride, const float* T, size_t T_stride, size_t histories,
              const float* offset, size_t width, float* out);
void max_plus(const int32_t* alpha, size_t alpha_stride, const int32_t* T, size_t T_stride, size_t histories,
              const int32_t* offset, size_t width, int32_t* out);

}  // namespace sapwood
