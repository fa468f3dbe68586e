// Projective parsing with siblings and grandparents (Koo & Collins 2010, model 2, with a score that is a sum).
//
//     score(tree) = sum over the words m of (arc(h, m) + sibling(h, c, m) + grandparent(g, h, m))
//
// where h is the head of m, c its child before m (eisner_siblings.hpp) and g the head of h; children of the
// root have no grandparent part. Items know the head of their head, which lies outside their span:
//
//     C_g(h, e)       h, a child of g, with all its children and theirs between h and e, on either side
//     I_g(h, m)       the same as far as m, which is a child of h and still lacks its children beyond
//     siblings_h(a, b)   a and b, next to each other as children of h
//
//     siblings_h(a, b) = max over a <= q < b of (C_h(a, q) + C_h(b, q + 1))
//     I_g(h, m) = arc(h, m) + grandparent(g, h, m)
//                 + max of  sibling(h, none, m) + C_h(m, the neighbour of h on m's side)
//                      and  sibling(h, c, m) + I_g(h, c) + siblings_h(c, m)    for c between h and m
//     C_g(h, e) = max over m between h and e or m = e of (I_g(h, m) + C_h(m, e))
//
// O(n^4) time and 24 n^3 bytes. Every maximum is taken for all g at once, across vector lanes, as g lies last
// in the charts; lanes of a g inside the span are computed and never read. Sentences of up to
// kLongestWithGrandparents words take less than 90 MB; longer ones are for SiblingEisner.
//
// Ties go to the leftmost c, m or q, no sibling counting as c = h. kForbidden and `single_root`: eisner.hpp.
#pragma once
#include "search/eisner_siblings.hpp"

namespace sapwood {

constexpr size_t kLongestWithGrandparents = 150;

// siblings(h, m, out): as for SiblingEisner. grandparents(h, m, out), h > 0, writes out[g] = grandparent(g, h, m)
// for each g outside the span of h and m; out: [n + 1], what is inside the span is not used. Both are called
// for arcs that are not forbidden only: once, siblings once more for those of the answer.
//
// arc: [n + 1][n + 1] scores, head first; entries [h][0] and [h][h] are not read.
template <class S>
class GrandparentEisner {
  public:
    // The best tree of n words and its score.
    template <class Siblings, class Grandparents>
    double best(const S* arc, Siblings&& siblings, Grandparents&& grandparents, size_t n, bool single_root,
                Tree& tree) {
        tree.resize(n);
        if (n == 0) return 0;
        resize(n);
        for (size_t w = 1; w <= n; ++w)
            for (size_t s = 0; s + w <= n; ++s) {
                const size_t t = s + w;
                max_row_pairs(C(s, s), C(t, s + 1), row_, w, row_, between(s, t));
                for (const auto& [h, m] : {std::pair(s, t), std::pair(t, s)})
                    if (m == 0 || (single_root && h == 0) || arc[h * (n + 1) + m] == kForbidden<S>)
                        std::fill_n(I(h, m), row_, kImpossible);
                    else
                        incomplete(h, m, arc[h * (n + 1) + m], siblings, grandparents);
                complete(s, t);
                complete(t, s);
            }

        const auto words = static_cast<uint32_t>(n);
        double total = *C(0, n);
        items_.assign(1, {kComplete, 0, words, 0});
        if (single_root) {
            // goal = max over m of (C_0(m, 1) + C_0(m, n) + arc(0, m) + sibling(0, none, m))
            for (size_t m = 1; m <= n; ++m) {
                added_[m] = kImpossible;
                if (arc[m] == kForbidden<S>) continue;
                siblings(0, m, sibling_.data());
                added_[m] = *C(m, 1) + *C(m, n) + part_score(arc[m]) + part_score(sibling_[0]);
            }
            const uint32_t m = best_of(1, words, [&](uint32_t k) { return added_[k]; });
            total = added_[m];
            items_ = {{kComplete, m, 1, 0}, {kComplete, m, words, 0}};
        }
        while (!items_.empty()) {
            const Part item = items_.back();
            items_.pop_back();
            if (item.h != item.e) cut(item, siblings, tree);
        }
        return total;
    }

  private:
    enum Kind : uint8_t { kComplete, kIncomplete, kBetween };
    struct Part {
        Kind kind;
        uint32_t h, e, g;  // C_g(h, e), I_g(h, e) or siblings_g(h, e)
    };

    double* C(size_t h, size_t e) { return C_.data() + (h * (n_ + 1) + e) * row_; }
    double* I(size_t h, size_t m) { return I_.data() + (h * (n_ + 1) + m) * row_; }
    double* between(size_t a, size_t b) {
        return between_.data() + (std::min(a, b) * (n_ + 1) + std::max(a, b)) * row_;
    }

    void resize(size_t n) {
        n_ = n;
        row_ = (n + kSpanLanes) / kSpanLanes * kSpanLanes;
        for (auto* chart : {&C_, &I_, &between_}) chart->resize((n + 1) * (n + 1) * row_);
        for (auto* row : {&added_, &offset_}) row->resize(row_);
        sibling_.resize(n + 1);
        grandparent_.resize(n + 1);
        for (size_t h = 0; h <= n; ++h) {
            std::fill_n(C(h, h), row_, 0.0);
            std::fill_n(I(h, h), row_, 0.0);  // no child yet
        }
    }

    // added_[c - first] is what I_g(h, m) owes to c being the child before m, whatever g is.
    template <class Siblings>
    void score_siblings(size_t h, size_t m, Siblings& siblings) {
        siblings(h, m, sibling_.data());
        const size_t first = h < m ? h : m + 1, last = h < m ? m - 1 : h;
        for (size_t c = first; c <= last; ++c) {
            const double rest = c == h ? C(m, h < m ? h + 1 : h - 1)[h] : between(c, m)[h];
            added_[c - first] = rest + part_score(sibling_[c < h ? h - c : c - h]);
        }
    }

    template <class Siblings, class Grandparents>
    void incomplete(size_t h, size_t m, S arc, Siblings& siblings, Grandparents& grandparents) {
        score_siblings(h, m, siblings);
        std::fill(offset_.begin(), offset_.end(), part_score(arc));
        if (h > 0) {
            grandparents(h, m, grandparent_.data());
            for (size_t g = 0; g <= n_; ++g) offset_[g] += part_score(grandparent_[g]);
        }
        max_rows(added_.data(), 1, I(h, h < m ? h : m + 1), row_, h < m ? m - h : h - m, row_, I(h, m));
        for (size_t g = 0; g <= n_; ++g) I(h, m)[g] += offset_[g];
    }

    void complete(size_t h, size_t e) {
        const size_t first = h < e ? h + 1 : e;
        max_rows(C(first, e) + h, (n_ + 1) * row_, I(h, first), row_, h < e ? e - h : h - e, row_, C(h, e));
    }

    // Takes the arc of the item, if it makes one, and pushes what its best alternative is made of.
    template <class Siblings>
    void cut(Part item, Siblings& siblings, Tree& tree) {
        const auto [kind, h, e, g] = item;
        const uint32_t w = h < e ? e - h : h - e;
        if (kind == kComplete) {
            const uint32_t m =
                best_of(h < e ? h + 1 : e, w, [&](uint32_t k) { return I(h, k)[g] + C(k, e)[h]; });
            items_.push_back({kIncomplete, h, m, g});
            items_.push_back({kComplete, m, e, h});
        } else if (kind == kBetween) {
            const uint32_t q = best_of(h, w, [&](uint32_t k) { return C(h, k)[g] + C(e, k + 1)[g]; });
            items_.push_back({kComplete, h, q, g});
            items_.push_back({kComplete, e, q + 1, g});
        } else {
            tree.heads[e] = h;
            score_siblings(h, e, siblings);
            const uint32_t first = h < e ? h : e + 1;
            const uint32_t c = best_of(first, w, [&](uint32_t k) { return I(h, k)[g] + added_[k - first]; });
            if (c == h) {
                items_.push_back({kComplete, e, h < e ? h + 1 : h - 1, h});
            } else {
                items_.push_back({kIncomplete, h, c, g});
                items_.push_back({kBetween, std::min(c, e), std::max(c, e), h});
            }
        }
    }

    size_t n_ = 0, row_ = 0;
    AlignedVector<double> C_, I_;    // [h][e][g], each n + 1; rows are padded
    AlignedVector<double> between_;  // [a][b][h], a < b
    AlignedVector<double> added_, offset_;
    std::vector<S> sibling_, grandparent_;  // [n + 1] parts of one arc
    std::vector<Part> items_;               // still to be cut
};

// The score of a tree, siblings and grandparents as above.
template <class S, class Siblings, class Grandparents>
double tree_score(const S* arc, Siblings&& siblings, Grandparents&& grandparents, const Tree& tree) {
    std::vector<S> row(tree.words() + 1);
    double sum = tree_score(arc, siblings, tree);
    for (size_t m = 1; m <= tree.words(); ++m)
        if (const size_t h = tree.heads[m]; h > 0) {
            grandparents(h, m, row.data());
            sum += part_score(row[tree.heads[h]]);
        }
    return sum;
}

}  // namespace sapwood
