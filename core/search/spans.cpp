// The inner loops: maxima over k of a sum of two or three vectors. A vector is as wide as the widest maximum
// instruction, because GCC computes the maximum of wider vectors element by element.
#include "search/spans.hpp"

#include <cstring>

namespace sapwood {

void Chart::resize(size_t positions) {
    if (rows_.size() == positions) return;
    // The last block of a row begins at most at its last span.
    const auto width = [&](size_t w) { return (positions - w + 2 * kSpanLanes - 2) / kSpanLanes * kSpanLanes; };
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
typedef double Doubles __attribute__((vector_size(kVectorBytes)));
constexpr size_t kWide = 4 * kSpanLanes;  // lanes per step; several independent maxima hide the latency of each

[[gnu::always_inline]] inline Doubles load(const double* from) {
    Doubles vector;
    std::memcpy(&vector, from, sizeof vector);
    return vector;
}

// out[i] = max(out[i], max over k < count of term(k, i)) for i < lanes; term returns a vector that starts at i.
template <size_t lanes, class Term>
[[gnu::always_inline]] inline void max_over(size_t count, Term&& term, double* out) {
    constexpr size_t step = kVectorBytes / sizeof(double);
    Doubles best[lanes / step];
    std::memcpy(best, out, sizeof best);
    for (size_t k = 0; k < count; ++k)
        for (size_t v = 0; v < lanes / step; ++v) {
            const Doubles value = term(k, v * step);
            best[v] = value > best[v] ? value : best[v];
        }
    std::memcpy(out, best, sizeof best);
}

// The same for begin <= y < end, rounded up to whole blocks.
template <class Term>
[[gnu::always_inline]] inline void max_over_row(size_t count, size_t begin, size_t end, Term&& term, double* out) {
    size_t y = begin;
    const auto at_y = [&](size_t k, size_t i) __attribute__((always_inline)) { return term(k, y + i); };
    for (; y + kWide <= end; y += kWide) max_over<kWide>(count, at_y, out + y);
    for (; y < end; y += kSpanLanes) max_over<kSpanLanes>(count, at_y, out + y);
}

void clear(double* out, size_t width) {
    std::fill_n(out, (width + kSpanLanes - 1) / kSpanLanes * kSpanLanes, kImpossible);
}

// out[s] = max(out[s], max over first <= k < last of (A[k][s] + B[w - gap - k][s + gap + k])) for begin <= s < end.
SAPWOOD_CLONES void max_split_range(const Chart& A, const Chart& B, size_t w, size_t first, size_t last, size_t gap,
                                    size_t begin, size_t end, double* out) {
    const double* const* a = A.rows() + first;
    const double* const* b = B.rows() + w - gap - first;
    const size_t shift = gap + first;
    const auto term = [=](size_t k, size_t s)
                          __attribute__((always_inline)) { return load(a[k] + s) + load(*(b - k) + shift + k + s); };
    max_over_row(last - first, begin, end, term, out);
}

}  // namespace

// The charts of long sentences do not fit into the cache, so widths are processed in groups. At the first width of a
// group, the cuts into parts that are narrower than the group are evaluated for all its widths, tile by tile. The other
// cuts of a width are evaluated when that width is computed.
void SpanCharts::max_split(Kind kind, size_t w) {
    constexpr size_t kLong = 400, kGroup = 16, kTile = 256, kDepth = 16;
    const auto [kind_a, kind_b, first, gap] = kRules[kind];
    const Chart &A = charts_[kind_a], &B = charts_[kind_b];
    Chart& out = charts_[kind];
    const size_t positions = n_ + 1;
    size_t& narrow = narrow_[kind];  // cuts into parts narrower than this have been evaluated
    if (n_ >= kLong && w % kGroup == 0) {
        narrow = w;
        const size_t end = std::min(w + kGroup, positions);
        for (size_t v = w; v < end; ++v) clear(out[v], positions - v);
        for (size_t tile = 0; tile < positions - w; tile += kTile)
            for (size_t k = first; k < w; k += kDepth)
                for (size_t v = w; v < end; ++v) {
                    const size_t k_first = std::max(k, v + 1 - gap - w), k_last = std::min(k + kDepth, w);
                    if (k_first < k_last)
                        max_split_range(A, B, v, k_first, k_last, gap, tile, std::min(tile + kTile, positions - v),
                                        out[v]);
                }
    }
    if (narrow == 0) {
        clear(out[w], positions - w);
        max_split_range(A, B, w, first, first + w, gap, 0, positions - w, out[w]);
    } else {
        const size_t wide_b = std::max<size_t>(first, w + 1 - gap - narrow);  // B's part is wide below this k
        max_split_range(A, B, w, first, wide_b, gap, 0, positions - w, out[w]);
        max_split_range(A, B, w, narrow, first + w, gap, 0, positions - w, out[w]);
    }
}

SAPWOOD_CLONES void max_split_parts(const Chart& A, const Chart& B, size_t w, size_t s, const double* parts,
                                    double* out) {
    const double* const* a = A.rows() + 1;
    const double* const* b = B.rows() + w - 1;
    const auto term = [=](size_t k, size_t lane) __attribute__((always_inline)) {
        return load(a[k] + s + lane) + load(*(b - k) + s + 1 + k + lane) + load(parts + (k + 1) * kSpanLanes + lane);
    };
    std::copy_n(parts, kSpanLanes, out);
    max_over<kSpanLanes>(w - 1, term, out);
}

}  // namespace sapwood
