// Charts over the spans of a sentence, for projective parsers of the Eisner (1996) kind.
//
// An item of such a parser covers a span s..t of the positions 0..n (0 is the root). Its score is that of the best
// structure of its kind over the span, in Eisner's notation:
//
//     C_right(s, t)   s with all its descendants up to t               C_left(s, t)   t with all its descendants from s
//     I_right(s, t)   the same, where t is a child of s that still     I_left(s, t)   the mirror image
//                     lacks its own descendants on the far side
//     siblings(s, t)  s and t as adjacent children of a head outside the span
//
// Each score is a maximum over the places where the span can be cut (see kRules), so a parse takes O(n^3) time.
// Vectorising the maximum of a single span would be slow, because the loop is short and ends by combining the lanes of
// a vector. So the charts are stored by diagonals, chart[width][s]: all spans of one width are computed together, each
// in its own lane, and the same cut of neighbouring spans lies in neighbouring memory.
//
// Scores of every type are added up in double. This is exact for int32, because a tree has fewer than 2^53 / 2^31
// parts. Charts store no back pointers. Reading out the tree repeats the maximum for the few spans of the tree, with
// additions in the same order, so that it finds the same values.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/stop_check.hpp"
#include "base/sum_rows.hpp"

namespace sapwood {

// The score of a part that must not be in a tree: minus infinity, or the lowest number of an integer type.
template <class S>
constexpr S kForbidden =
    std::is_floating_point_v<S> ? -std::numeric_limits<S>::infinity() : std::numeric_limits<S>::lowest();

constexpr double kImpossible = kForbidden<double>;

template <class S>
double part_score(S score) {
    return score == kForbidden<S> ? kImpossible : static_cast<double>(score);
}

constexpr size_t kSpanLanes = 4;  // rows of charts can be read and written in blocks of this many spans

// The scores of all spans: chart[w][s] is the score of the span s..s+w. A triangle of doubles.
class Chart {
  public:
    // Makes room for positions 0 .. positions - 1. The scores are then unspecified.
    void resize(size_t positions);

    double* operator[](size_t w) { return rows_[w]; }
    const double* operator[](size_t w) const { return rows_[w]; }
    const double* const* rows() const { return rows_.data(); }

  private:
    std::vector<double*> rows_;    // [positions]
    AlignedVector<double> cells_;  // row w: positions - w spans of width w, padded to whole blocks
};

// For a block of kSpanLanes spans of width w from s on, where each cut has an additional score:
// out[lane] = max(parts[0][lane], max over 0 < k < w of (A[k][s + lane] + B[w - k][s + k + lane] + parts[k][lane])).
// parts: [w][kSpanLanes]; out: [kSpanLanes].
void max_split_parts(const Chart& A, const Chart& B, size_t w, size_t s, const double* parts, double* out);

enum Kind : uint8_t { kCompleteRight, kCompleteLeft, kIncompleteRight, kIncompleteLeft, kSiblings, kGoal };

struct Item {
    Kind kind;
    uint32_t s, w;  // the span s..s+w
};

// The two items into which a span of width w is cut: a on s..s+k and b on s+k+gap..s+w, for first <= k < first + w.
//
//     C_right(s, t) = max over r  I_right(s, r) + C_right(r, t)          s < r <= t
//     C_left(s, t)  = max over r  C_left(s, r) + I_left(r, t)            s <= r < t
//     siblings, and order 1's I_right and I_left before the arc's score is added:
//                     max over r  C_right(s, r) + C_left(r + 1, t)       s <= r < t
struct Rule {
    Kind a, b;
    uint32_t first, gap;
};
constexpr Rule kRules[] = {{kIncompleteRight, kCompleteRight, 1, 0},
                           {kCompleteLeft, kIncompleteLeft, 0, 0},
                           {kCompleteRight, kCompleteLeft, 0, 1},
                           {kCompleteRight, kCompleteLeft, 0, 1},
                           {kCompleteRight, kCompleteLeft, 0, 1}};

// The lowest of first <= k < first + count with the highest score(k); count > 0.
template <class Score>
uint32_t best_of(uint32_t first, uint32_t count, Score&& score) {
    uint32_t best = first;
    double highest = score(first);
    for (uint32_t k = first + 1; k < first + count; ++k)
        if (const double value = score(k); value > highest) highest = value, best = k;
    return best;
}

// The charts of a sentence, one for each kind of item. A whole tree is C_right(0, n). If the root must have a single
// child, a whole tree is the goal item, which is cut at that child:
//
//     goal = max over m  C_left(1, m) + C_right(m, n) + the score of the arc 0 -> m
class SpanCharts {
  public:
    explicit SpanCharts(bool with_siblings) : kinds_(with_siblings ? 5 : 4) {}

    void resize(size_t words) {
        n_ = words;
        std::fill_n(narrow_, kinds_, size_t{0});
        for (size_t kind = 0; kind < kinds_; ++kind) charts_[kind].resize(n_ + 1);
        for (const Kind kind : {kCompleteRight, kCompleteLeft})
            std::fill_n(charts_[kind][0], n_ + 1, 0.0);  // a single word
    }
    size_t words() const { return n_; }
    Chart& operator[](Kind kind) { return charts_[kind]; }
    double score(Item item) const { return charts_[item.kind][item.w][item.s]; }

    // Computes the row of spans of width w of a kind by its rule. Rows must be computed in the order of w.
    void max_split(Kind kind, size_t w);

    Item whole(bool single_root) const { return {single_root ? kGoal : kCompleteRight, 0, static_cast<uint32_t>(n_)}; }

    // An item has the cuts first_split <= k < first_split + its width. The cuts of the goal are the root's children m.
    static uint32_t first_split(Item item) { return item.kind == kGoal ? 1 : kRules[item.kind].first; }

    struct Parts {
        Item a, b;
    };
    static Parts parts(Item item, uint32_t k) {
        if (item.kind == kGoal) return {{kCompleteLeft, 1, k - 1}, {kCompleteRight, k, item.w - k}};
        const Rule rule = kRules[item.kind];
        return {{rule.a, item.s, k}, {rule.b, item.s + k + rule.gap, item.w - k - rule.gap}};
    }

    // The best cut; the lowest one among equals.
    template <class Score>
    static uint32_t best_split(Item item, Score&& score) {
        return best_of(first_split(item), item.w, score);
    }

  private:
    size_t kinds_, n_ = 0;
    size_t narrow_[5];  // see max_split
    Chart charts_[5];
};

}  // namespace sapwood
