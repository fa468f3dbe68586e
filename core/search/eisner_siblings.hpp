// Second-order projective parsing (McDonald & Pereira 2006), which also scores pairs of adjacent siblings.
//
//     score(tree) = sum over the words m of (arc(h, m) + sibling(h, c, m)),   h the head of m
//
// where c is the next child of h between h and m, or none if m is the innermost child on its side. A head with the
// children c1 < c2 < h < d1 < d2 has the parts (h, none, c2), (h, c2, c1), (h, none, d1), (h, d1, d2).
//
//     siblings(s, t) = max over s <= r < t of (C_right(s, r) + C_left(r + 1, t))
//     I_right(s, t)  = arc(s, t) + max of  C_left(s + 1, t) + sibling(s, none, t)
//                                     and  I_right(s, r) + siblings(r, t) + sibling(s, r, t)   for s < r < t
//     I_left(s, t)   = arc(t, s) + max of  C_right(s, t - 1) + sibling(t, none, s)
//                                     and  siblings(s, r) + I_left(r, t) + sibling(t, r, s)    for s < r < t
//
// C_right and C_left are those of order 1. The search takes O(n^3) time and 20 n^2 bytes. The n^3 / 3 sibling parts are
// not stored. The caller computes them for one arc at a time: once for each arc that is not forbidden, and once more
// for the arcs of the best tree. Forbidding arcs (kForbidden) in advance therefore saves the computation of their
// sibling parts, which makes long sentences affordable.
//
// Ties go to the first alternative, then to the leftmost r. For forbidden parts and `single_root` see eisner.hpp.
#pragma once
#include "search/spans.hpp"
#include "search/tree.hpp"

namespace sapwood {

// siblings(h, m, out) writes the scores of the sibling parts of the arc h -> m to out, [|h - m|]: out[0] for an arc
// without an inner sibling, out[d] for 1 <= d < |h - m| for the inner sibling at distance d from h.
//
// arc: [n + 1][n + 1] scores, head first; entries [h][0] and [h][h] are not read.
template <class S>
class SiblingEisner {
  public:
    // Finds the best tree of n words and returns its score.
    template <class Siblings>
    double best(const S* arc, Siblings&& siblings, size_t n, bool single_root, Tree& tree) {
        tree.resize(n);
        forward(arc, siblings, n, single_root);
        if (n == 0) return 0;
        double total = charts_.score({kCompleteRight, 0, static_cast<uint32_t>(n)});
        items_.assign(1, charts_.whole(single_root));
        while (!items_.empty()) {
            const Item item = items_.back();
            items_.pop_back();
            if (item.w == 0) continue;
            if (item.kind == kIncompleteRight || item.kind == kIncompleteLeft) {
                cut_incomplete(item, siblings, tree);
                continue;
            }
            const auto score = [&](uint32_t k) {
                const auto [a, b] = SpanCharts::parts(item, k);
                return charts_.score(a) + charts_.score(b) + (item.kind == kGoal ? root_[k] : 0);
            };
            const uint32_t k = SpanCharts::best_split(item, score);
            if (item.kind == kGoal) total = score(k);
            const auto [a, b] = SpanCharts::parts(item, k);
            items_.push_back(a);
            items_.push_back(b);
        }
        return total;
    }

  private:
    template <class Siblings>
    void forward(const S* arc, Siblings& siblings, size_t n, bool single_root) {
        charts_.resize(n);
        row_.resize(n + 1);
        parts_.resize((n + 1) * kSpanLanes);
        root_.assign(n + 1, kImpossible);
        for (size_t w = 1; w <= n; ++w) {
            StopCheck::every(w, n * n);
            charts_.max_split(kSiblings, w);
            for (size_t s = 0; s + w <= n; s += kSpanLanes)
                for (const Kind kind : {kIncompleteRight, kIncompleteLeft})
                    incomplete(kind, w, s, arc, siblings, single_root);
            charts_.max_split(kCompleteRight, w);
            charts_.max_split(kCompleteLeft, w);
        }
        for (size_t m = 1; single_root && m <= n; ++m) {
            if (arc[m] == kForbidden<S>) continue;
            siblings(0, m, row_.data());
            root_[m] = part_score(row_[0]) + part_score(arc[m]);
        }
    }

    // Computes I_right or I_left for a block of spans of width w from s on. parts_[0] is the score of the first
    // alternative, and parts_[k] the sibling score of the cut k. Parts of forbidden arcs are not set.
    template <class Siblings>
    void incomplete(Kind kind, size_t w, size_t s, const S* arc, Siblings& siblings, bool single_root) {
        const bool right = kind == kIncompleteRight;
        const Chart &C = charts_[right ? kCompleteLeft : kCompleteRight], &between = charts_[kSiblings];
        const size_t n = charts_.words(), lanes = std::min(kSpanLanes, n + 1 - w - s);
        double added[kSpanLanes] = {};
        bool allowed = false;
        for (size_t lane = 0; lane < lanes; ++lane) {
            const size_t h = s + lane + (right ? 0 : w), m = s + lane + (right ? w : 0);
            added[lane] = m == 0 || (single_root && h == 0) ? kImpossible : part_score(arc[h * (n + 1) + m]);
            if (added[lane] == kImpossible) continue;
            allowed = true;
            siblings(h, m, row_.data());
            StopCheck::every(s, 100 * w);
            for (size_t k = 1; k < w; ++k) parts_[k * kSpanLanes + lane] = part_score(row_[right ? k : w - k]);
            parts_[lane] = part_score(row_[0]) + C[w - 1][right ? h + 1 : m];
        }
        Chart& I = charts_[kind];
        double* out = I[w] + s;
        if (allowed)
            max_split_parts(right ? I : between, right ? between : I, w, s, parts_.data(), out);
        else
            std::fill_n(out, lanes, kImpossible);
        for (size_t lane = 0; lane < lanes; ++lane) out[lane] += added[lane];
    }

    // Adds the arc of the item to the tree and pushes the items of its best alternative.
    template <class Siblings>
    void cut_incomplete(Item item, Siblings& siblings, Tree& tree) {
        const bool right = item.kind == kIncompleteRight;
        const uint32_t s = item.s, w = item.w, t = s + w, h = right ? s : t, m = right ? t : s;
        tree.heads[m] = h;
        siblings(h, m, row_.data());
        const Item first = right ? Item{kCompleteLeft, s + 1, w - 1} : Item{kCompleteRight, s, w - 1};
        const uint32_t best = best_of(0, w, [&](uint32_t k) {
            if (k == 0) return part_score(row_[0]) + charts_.score(first);
            const auto [a, b] = with_sibling(item, k);
            return charts_.score(a) + charts_.score(b) + part_score(row_[right ? k : w - k]);
        });
        if (best == 0) {
            items_.push_back(first);
            return;
        }
        const auto [a, b] = with_sibling(item, best);
        items_.push_back(a);
        items_.push_back(b);
    }

    static SpanCharts::Parts with_sibling(Item item, uint32_t k) {
        const bool right = item.kind == kIncompleteRight;
        return {{right ? kIncompleteRight : kSiblings, item.s, k},
                {right ? kSiblings : kIncompleteLeft, item.s + k, item.w - k}};
    }

    SpanCharts charts_{true};
    std::vector<S> row_;           // [n + 1] sibling parts of one arc
    AlignedVector<double> parts_;  // [n + 1][kSpanLanes] sibling parts of a block of spans, by cut
    std::vector<double> root_;     // [n + 1] score of each word as the only child of the root
    std::vector<Item> items_;      // stack of items that have yet to be cut
};

// The score of a tree, with its parts added up in the order of the words.
template <class S, class Siblings>
double tree_score(const S* arc, Siblings&& siblings, const Tree& tree) {
    const size_t n = tree.words();
    std::vector<S> row(n + 1);
    std::vector<size_t> last(n + 1);  // distance of the last child seen on the current side, 0 if none
    double sum = 0;
    const auto add = [&](size_t h, size_t m, size_t distance) {
        siblings(h, m, row.data());
        sum += part_score(arc[h * (n + 1) + m]) + part_score(row[last[h]]);
        last[h] = distance;
    };
    for (size_t m = 1; m <= n; ++m)
        if (const size_t h = tree.heads[m]; h < m) add(h, m, m - h);
    last.assign(n + 1, 0);
    for (size_t m = n; m >= 1; --m)
        if (const size_t h = tree.heads[m]; h > m) add(h, m, h - m);
    return sum;
}

}  // namespace sapwood
