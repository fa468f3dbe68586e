// The derivation of a projective tree by the rules of spans.hpp: the items that it consists of, and where each is cut.
// A tree has exactly one.
#pragma once
#include <algorithm>
#include <vector>

#include "search/spans.hpp"
#include "search/tree.hpp"

namespace sapwood {

struct DerivedItem {
    Item item;
    uint32_t k;     // its cut; of a single word 0
    uint32_t a, b;  // the numbers of its parts; of a single word 0
};

// Lists the items, the whole tree first and each before its parts.
class DerivedTree {
  public:
    const std::vector<DerivedItem>& derive(const Tree& tree, Item whole) {
        find_edges(tree);
        items_.assign(1, {whole, 0, 0, 0});
        for (size_t at = 0; at < items_.size(); ++at) {
            const Item item = items_[at].item;
            if (item.w == 0) continue;
            const uint32_t k = cut(tree, item), next = static_cast<uint32_t>(items_.size());
            const auto [a, b] = SpanCharts::parts(item, k);
            items_[at] = {item, k, next, next + 1};
            items_.push_back({a, 0, 0, 0});
            items_.push_back({b, 0, 0, 0});
        }
        return items_;
    }

  private:
    // The words that are under a word, with itself, are those from its left edge to its right edge.
    void find_edges(const Tree& tree) {
        const auto n = static_cast<uint32_t>(tree.words());
        left_.resize(n + 1);
        right_.resize(n + 1);
        for (uint32_t m = 0; m <= n; ++m) left_[m] = right_[m] = m;
        for (uint32_t m = 1; m <= n; ++m)
            if (const uint32_t h = tree.heads[m]; h > m) left_[h] = std::min(left_[h], left_[m]);
        for (uint32_t m = n; m > 0; --m)
            if (const uint32_t h = tree.heads[m]; h < m) right_[h] = std::max(right_[h], right_[m]);
    }

    uint32_t cut(const Tree& tree, Item item) const {
        const uint32_t s = item.s, t = s + item.w;
        uint32_t child;
        switch (item.kind) {
            case kIncompleteRight:  // s, head of t, has the words up to the left edge of t
                return left_[t] - 1 - s;
            case kIncompleteLeft:  // s, whose head is t, has the words up to its right edge
                return right_[s] - s;
            case kCompleteRight:  // the outermost child of s
                for (child = t; tree.heads[child] != s;) --child;
                return child - s;
            case kCompleteLeft:  // the outermost child of t
                for (child = s; tree.heads[child] != t;) ++child;
                return child - s;
            default:  // the child of the root
                for (child = 1; tree.heads[child] != 0;) ++child;
                return child;
        }
    }

    std::vector<DerivedItem> items_;
    std::vector<uint32_t> left_, right_;  // [n + 1] edges
};

}  // namespace sapwood
