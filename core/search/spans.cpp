#include "search/spans.hpp"

#include <cstring>

namespace sapwood {

void Chart::resize(size_t positions) {
    if (rows_.size() == positions) return;
    // The last block of a row begins at most at its last span and B is read up to w columns further on.
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

typedef double Vector __attribute__((vector_size(kSpanLanes * sizeof(double))));

// `blocks` vectors of spans side by side, so that their maxima do not wait for each other.
template <size_t blocks>
[[gnu::always_inline]] inline void max_split_block(const double* const* A, const double* const* B, size_t s,
                                                   size_t shift, size_t w, double* out) {
    Vector best[blocks], a, b;
    for (Vector& none : best) none = Vector{} + kImpossible;
    for (size_t k = 0; k < w; ++k) {
        const double* left = A[k] + s;
        const double* right = *(B - k) + s + shift + k;
        for (size_t block = 0; block < blocks; ++block) {
            std::memcpy(&a, left + block * kSpanLanes, sizeof a);
            std::memcpy(&b, right + block * kSpanLanes, sizeof b);
            a += b;
            best[block] = a > best[block] ? a : best[block];
        }
    }
    std::memcpy(out + s, best, sizeof best);
}

}  // namespace

SAPWOOD_CLONES void max_split(const Chart& A, const Chart& B, size_t w, size_t first, size_t gap,
                              double* out) {
    const double* const* a = A.rows() + first;
    const double* const* b = B.rows() + w - gap - first;
    const size_t spans = A.positions() - w, shift = gap + first;
    size_t s = 0;
    for (; s + 4 * kSpanLanes <= spans; s += 4 * kSpanLanes) max_split_block<4>(a, b, s, shift, w, out);
    for (; s < spans; s += kSpanLanes) max_split_block<1>(a, b, s, shift, w, out);
}

SAPWOOD_CLONES void max_split_parts(const Chart& A, const Chart& B, size_t w, size_t s, const double* parts,
                                    double* out) {
    const double* const* rows_a = A.rows();
    const double* const* rows_b = B.rows() + w;
    Vector best, a, b;
    std::memcpy(&best, parts, sizeof best);
    for (size_t k = 1; k < w; ++k) {
        std::memcpy(&a, rows_a[k] + s, sizeof a);
        std::memcpy(&b, *(rows_b - k) + s + k, sizeof b);
        a += b;
        std::memcpy(&b, parts + k * kSpanLanes, sizeof b);
        a += b;
        best = a > best ? a : best;
    }
    std::memcpy(out, &best, sizeof best);
}

}  // namespace sapwood
