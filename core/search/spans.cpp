// The inner loops: maxima over k of a sum of two or three vectors. Vectors are as wide as a machine's maximum:
// GCC takes that of wider ones element by element.
#include "search/spans.hpp"

#include <cstring>

namespace sapwood {

void Chart::resize(size_t positions) {
    if (rows_.size() == positions) return;
    // The last block of a row begins at most at its last span.
    const auto width = [&](size_t w) {
        return (positions - w + 2 * kSpanLanes - 2) / kSpanLanes * kSpanLanes;
    };
    size_t cells = 0;
    for (size_t w = 0; w < positions; ++w) cells += width(w);
    if (cells_.size() < cells) cells_.resize(cells);
    rows_.resize(positions);
    double* row = cells_.data();
    for (size_t w = 0; w < positions; row += width(w++)) rows_[w] = row;
}

namespace {

#ifdef __x86_64__
constexpr size_t kVectorBytes = 32;
#else
constexpr size_t kVectorBytes = 16;
#endif
typedef double Vector __attribute__((vector_size(kVectorBytes)));
constexpr size_t kWide = 4 * kSpanLanes;  // so many lanes at once, so that maxima do not wait for each other

[[gnu::always_inline]] inline Vector load(const double* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof vector);
    return vector;
}

// out[i] = max of out[i] and, over k < count, term(k, i) for i < lanes; term gives a vector from i on.
template <size_t lanes, class Term>
[[gnu::always_inline]] inline void max_over(size_t count, Term&& term, double* out) {
    constexpr size_t step = kVectorBytes / sizeof(double);
    Vector best[lanes / step];
    std::memcpy(best, out, sizeof best);
    for (size_t k = 0; k < count; ++k)
        for (size_t v = 0; v < lanes / step; ++v) {
            const Vector value = term(k, v * step);
            best[v] = value > best[v] ? value : best[v];
        }
    std::memcpy(out, best, sizeof best);
}

// out[y] = max over k < count of term(k, y) for y < width, rounded up to whole blocks.
template <class Term>
[[gnu::always_inline]] inline void max_over_row(size_t count, size_t width, Term&& term, double* out) {
    std::fill_n(out, (width + kSpanLanes - 1) / kSpanLanes * kSpanLanes, kImpossible);
    size_t y = 0;
    const auto at_y = [&](size_t k, size_t i) __attribute__((always_inline)) { return term(k, y + i); };
    for (; y + kWide <= width; y += kWide) max_over<kWide>(count, at_y, out + y);
    for (; y < width; y += kSpanLanes) max_over<kSpanLanes>(count, at_y, out + y);
}

}  // namespace

SAPWOOD_CLONES void max_split(const Chart& A, const Chart& B, size_t w, size_t first, size_t gap,
                              double* out) {
    const double* const* a = A.rows() + first;
    const double* const* b = B.rows() + w - gap - first;
    const size_t shift = gap + first;
    const auto term = [=](size_t k, size_t s) __attribute__((always_inline)) {
        return load(a[k] + s) + load(*(b - k) + shift + k + s);
    };
    max_over_row(w, A.positions() - w, term, out);
}

SAPWOOD_CLONES void max_split_parts(const Chart& A, const Chart& B, size_t w, size_t s, const double* parts,
                                    double* out) {
    const double* const* a = A.rows() + 1;
    const double* const* b = B.rows() + w - 1;
    const auto term = [=](size_t k, size_t lane) __attribute__((always_inline)) {
        return load(a[k] + s + lane) + load(*(b - k) + s + 1 + k + lane) +
               load(parts + (k + 1) * kSpanLanes + lane);
    };
    std::copy_n(parts, kSpanLanes, out);
    max_over<kSpanLanes>(w - 1, term, out);
}

SAPWOOD_CLONES void max_rows(const double* alpha, size_t alpha_stride, const double* T, size_t stride,
                             size_t count, size_t width, double* out) {
    const auto term = [=](size_t k, size_t y) __attribute__((always_inline)) {
        return load(T + k * stride + y) + alpha[k * alpha_stride];
    };
    max_over_row(count, width, term, out);
}

SAPWOOD_CLONES void max_row_pairs(const double* A, const double* B, size_t stride, size_t count, size_t width,
                                  double* out) {
    const auto term = [=](size_t k, size_t y) __attribute__((always_inline)) {
        return load(A + k * stride + y) + load(B + k * stride + y);
    };
    max_over_row(count, width, term, out);
}

}  // namespace sapwood
