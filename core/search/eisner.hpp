// Eisner's algorithm (1996; 2000, section 4): the projective tree of highest score, and the n best.
//
//     score(tree) = sum over the words m of arc(head of m, m)
//
//     I_right(s, t) = arc(s, t) + max over s <= r < t of (C_right(s, r) + C_left(r + 1, t))
//     I_left(s, t)  = arc(t, s) + the same maximum
//     C_right(s, t) = max over s < r <= t of (I_right(s, r) + C_right(r, t))
//     C_left(s, t)  = max over s <= r < t of (C_left(s, r) + I_left(r, t))
//
// spans.hpp explains the items and the memory layout of their charts. The search takes O(n^3) time and 16 n^2 bytes.
// Every tree has exactly one derivation, so different derivations are different trees.
//
// The n best trees are found lazily (Huang & Chiang 2005, algorithm 3): the k-th best derivation of an item is computed
// only when a derivation of a larger item needs it. A derivation of an item is a cut k and the ranks a and b of the two
// parts. Its successors are (k, a, b + 1) and, only if b = 0 so that none is reached twice, (k, a + 1, 0).
//
// In training gold can be held against all other trees at once (`best_against`).
//
// Ties go to the lowest cut (the leftmost r above), then to the lowest ranks. A forbidden arc (kForbidden) is in no
// tree if there is a tree without forbidden arcs; the arcs from the root and between neighbours always suffice for one.
// With `single_root` the root has exactly one child, otherwise one or more.
#pragma once
#include <tuple>
#include <unordered_map>

#include "search/derived_tree.hpp"
#include "search/spans.hpp"
#include "search/tree.hpp"

namespace sapwood {

// arc: [n + 1][n + 1] scores, head first; entries [h][0] and [h][h] are not read.
template <class S>
double tree_score(const S* arc, const Tree& tree) {
    double sum = 0;
    const size_t n = tree.words();
    for (size_t m = 1; m <= n; ++m) sum += part_score(arc[tree.heads[m] * (n + 1) + m]);
    return sum;
}

template <class S>
class Eisner {
  public:
    // Finds the best tree of n words and returns its score.
    double best(const S* arc, size_t n, bool single_root, Tree& tree) {
        forward(arc, n);
        tree.resize(n);
        if (n == 0) return 0;
        const Item whole = charts_.whole(single_root);
        items_.assign(1, whole);
        cut_all(tree);
        return score(whole, best_split(whole));
    }

    // Finds the best tree if `cost` is added to the score of every tree but `gold`, which is projective, and returns its
    // score with that cost. Of each item of gold's derivation it needs the best derivation that is not gold's:
    //
    //     other(item) = max over the cuts k other than gold's of  best(a) + best(b) + the score of the arc
    //                   and, at gold's cut, of  other(a) + best(b) + arc  and  gold(a) + other(b) + arc
    //
    // That is a step for each cut of these items, O(n^2) in all.
    double best_against(const S* arc, size_t n, bool single_root, const Tree& gold, double cost, Tree& tree) {
        forward(arc, n);
        tree.resize(n);
        tree.heads = gold.heads;
        if (n == 0) return 0;
        const auto& derived = derived_.derive(gold, charts_.whole(single_root));
        find_others(derived);
        const Other& whole = others_[0];
        const double rival = whole.score + cost;
        if (rival < whole.gold || (rival == whole.gold && !whole.first)) return whole.gold;
        items_.clear();
        for (uint32_t at = 0;;) {
            const auto& [item, k, a, b] = derived[at];
            const Other& other = others_[at];
            const auto [part_a, part_b] = SpanCharts::parts(item, other.k);
            attach(item, other.k, tree);
            if (other.k != k || other.in_a) items_.push_back(part_b);
            if (other.k != k) items_.push_back(part_a);
            if (other.k != k) break;
            at = other.in_a ? a : b;
        }
        cut_all(tree);
        return rival;
    }

    // Finds the `count` best trees and their scores, best first, or fewer if fewer trees have no forbidden arcs.
    void n_best(const S* arc, size_t n, bool single_root, size_t count, std::vector<Tree>& trees,
                std::vector<double>& scores) {
        trees.clear();
        scores.clear();
        forward(arc, n);
        used_ = 0;
        numbers_.clear();
        const uint32_t whole = number(charts_.whole(single_root));
        for (uint32_t rank = 0; rank < count && derive(whole, rank); ++rank) {
            StopCheck::now();
            scores.push_back(nodes_[whole].best[rank].score);
            trees.emplace_back().resize(n);
            build(whole, rank, trees.back());
        }
    }

  private:
    struct Derivation {
        double score;
        uint32_t k, a, b;  // the cut and the ranks of the two parts
        bool operator<(const Derivation& other) const {
            if (score != other.score) return score < other.score;
            return std::tie(other.k, other.a, other.b) < std::tie(k, a, b);
        }
    };
    struct Node {
        Item item;
        std::vector<Derivation> best,
            next;       // found derivations, in order; a heap of candidates for the next one
        bool opened;    // whether every cut, with the best parts, has been a candidate
        bool followed;  // whether the successors of best.back() have been candidates
        bool complete;  // whether there are no further derivations
    };
    struct Ranked {
        uint32_t node, rank;
    };
    // The best derivation of an item of gold's derivation that is not gold's, and the score of gold's.
    struct Other {
        double gold, score;  // score: kImpossible if there is no other
        uint32_t k;          // its cut
        bool in_a;           // at gold's cut: whether its part a is not gold's; otherwise part b is not
        bool first;          // whether ties go to it
    };

    void forward(const S* arc, size_t n) {
        arc_ = arc;
        charts_.resize(n);
        Chart &I_right = charts_[kIncompleteRight], &I_left = charts_[kIncompleteLeft];
        for (size_t w = 1; w <= n; ++w) {
            StopCheck::every(w, n * n);
            charts_.max_split(kIncompleteRight, w);
            for (size_t s = 0; s + w <= n; ++s) {
                const size_t t = s + w;
                const double maximum = I_right[w][s];
                I_right[w][s] = maximum + part_score(arc[s * (n + 1) + t]);
                I_left[w][s] = s == 0 ? kImpossible : maximum + part_score(arc[t * (n + 1) + s]);
            }
            charts_.max_split(kCompleteRight, w);
            charts_.max_split(kCompleteLeft, w);
        }
    }

    // Ties go to the lowest cut, then to the tree whose part a would win a tie, then to the one whose part b would.
    void find_others(const std::vector<DerivedItem>& derived) {
        others_.resize(derived.size());
        for (size_t at = derived.size(); at-- > 0;) {
            const auto& [item, cut, a, b] = derived[at];
            Other& other = others_[at];
            other = {0, kImpossible, 0, false, false};
            if (item.w == 0) continue;
            const Other &in_a = others_[a], &in_b = others_[b];
            const double arc = arc_score(item, cut);
            const double with_a = in_a.score + charts_.score(derived[b].item) + arc;
            const double with_b = in_a.gold + in_b.score + arc, at_cut = std::max(with_a, with_b);
            const auto value = [&](uint32_t k) { return k == cut ? at_cut : score(item, k); };
            other.gold = in_a.gold + in_b.gold + arc;
            other.k = SpanCharts::best_split(item, value);
            other.score = value(other.k);
            other.in_a = with_a > with_b || (with_a == with_b && in_a.first);
            other.first = other.k != cut ? other.k < cut : other.in_a ? in_a.first : in_b.first;
        }
    }

    // Adds the arcs of the best derivations of items_, and empties it.
    void cut_all(Tree& tree) {
        while (!items_.empty()) {
            const Item item = items_.back();
            items_.pop_back();
            if (item.w == 0) continue;
            const uint32_t k = best_split(item);
            attach(item, k, tree);
            const auto [a, b] = SpanCharts::parts(item, k);
            items_.push_back(a);
            items_.push_back(b);
        }
    }

    double score(Item item, uint32_t k) const {
        const auto [a, b] = SpanCharts::parts(item, k);
        return charts_.score(a) + charts_.score(b) + arc_score(item, k);
    }

    uint32_t best_split(Item item) const {
        return SpanCharts::best_split(item, [&](uint32_t k) { return score(item, k); });
    }

    // The score of the arc that cutting the item at k makes.
    double arc_score(Item item, uint32_t k) const {
        const size_t row = charts_.words() + 1, s = item.s, t = item.s + item.w;
        if (item.kind == kGoal) return part_score(arc_[k]);
        if (item.kind == kIncompleteRight) return part_score(arc_[s * row + t]);
        if (item.kind == kIncompleteLeft) return part_score(arc_[t * row + s]);
        return 0;
    }

    // Returns the node of an item, and creates it if necessary.
    uint32_t number(Item item) {
        const uint64_t key = (uint64_t{item.w} << 32 | item.s) * (kGoal + 1) + item.kind;
        const auto [at, made] = numbers_.try_emplace(key, used_);
        if (made) {
            if (used_ == nodes_.size()) nodes_.emplace_back();
            Node& node = nodes_[used_++];
            node.best.clear();
            node.next.clear();
            node.item = item;
            node.opened = false;
            node.followed = true;
            node.complete = item.w == 0;
            if (item.w == 0) node.best.push_back({0, 0, 0, 0});  // a single word
        }
        return at->second;
    }

    void add_candidate(Node& node, uint32_t k, uint32_t a, uint32_t b, double score_a, double score_b) {
        const double score = score_a + score_b + arc_score(node.item, k);
        if (score == kImpossible) return;
        node.next.push_back({score, k, a, b});
        std::push_heap(node.next.begin(), node.next.end());
    }

    // Finds the derivation of this rank, where all lower ranks are known. Returns false if there is none. An explicit
    // stack replaces recursion, which would be deep for long sentences.
    bool derive(uint32_t whole, uint32_t rank) {
        const auto settled = [&](uint32_t v, uint32_t r) { return nodes_[v].complete || r < nodes_[v].best.size(); };
        ranked_.assign(1, {whole, rank});
        while (!ranked_.empty()) {
            const auto [v, r] = ranked_.back();
            if (settled(v, r)) {
                ranked_.pop_back();
                continue;
            }
            if (!nodes_[v].opened) {
                Node& node = nodes_[v];
                const uint32_t first = SpanCharts::first_split(node.item);
                for (uint32_t k = first; k < first + node.item.w; ++k) {
                    const auto [a, b] = SpanCharts::parts(node.item, k);
                    add_candidate(node, k, 0, 0, charts_.score(a), charts_.score(b));
                }
                node.opened = true;
            }
            if (!nodes_[v].followed) {
                const Derivation d = nodes_[v].best.back();
                const auto [item_a, item_b] = SpanCharts::parts(nodes_[v].item, d.k);
                const uint32_t a = number(item_a), b = number(item_b);
                const uint32_t next_a = d.b == 0 ? d.a + 1 : d.a, next_b = d.b + 1;
                if (!settled(a, next_a)) {
                    ranked_.push_back({a, next_a});
                    continue;
                }
                if (!settled(b, next_b)) {
                    ranked_.push_back({b, next_b});
                    continue;
                }
                const auto &best_a = nodes_[a].best, &best_b = nodes_[b].best;
                if (next_b < best_b.size())
                    add_candidate(nodes_[v], d.k, d.a, next_b, best_a[d.a].score, best_b[next_b].score);
                if (next_a != d.a && next_a < best_a.size())
                    add_candidate(nodes_[v], d.k, next_a, 0, best_a[next_a].score, best_b[0].score);
                nodes_[v].followed = true;
            }
            Node& node = nodes_[v];
            if (node.next.empty()) {
                node.complete = true;
                continue;
            }
            std::pop_heap(node.next.begin(), node.next.end());
            node.best.push_back(node.next.back());
            node.next.pop_back();
            node.followed = false;
        }
        return rank < nodes_[whole].best.size();
    }

    void build(uint32_t whole, uint32_t rank, Tree& tree) {
        parts_.assign(1, {whole, rank});
        while (!parts_.empty()) {
            const auto [v, r] = parts_.back();
            parts_.pop_back();
            const Item item = nodes_[v].item;
            if (item.w == 0) continue;
            derive(v, r);  // so far, only the score of a best part may be known
            const Derivation d = nodes_[v].best[r];
            attach(item, d.k, tree);
            const auto [a, b] = SpanCharts::parts(item, d.k);
            parts_.push_back({number(a), d.a});
            parts_.push_back({number(b), d.b});
        }
    }

    static void attach(Item item, uint32_t k, Tree& tree) {
        if (item.kind == kIncompleteRight) tree.heads[item.s + item.w] = item.s;
        if (item.kind == kIncompleteLeft) tree.heads[item.s] = item.s + item.w;
        if (item.kind == kGoal) tree.heads[k] = 0;
    }

    const S* arc_ = nullptr;
    SpanCharts charts_{false};
    std::vector<Item> items_;  // stack of items that have yet to be cut

    DerivedTree derived_;
    std::vector<Other> others_;  // [items of gold's derivation]

    std::vector<Node> nodes_;  // the first used_ nodes belong to the items that n_best visited
    uint32_t used_ = 0;
    std::unordered_map<uint64_t, uint32_t> numbers_;  // node of each item
    std::vector<Ranked> ranked_, parts_;              // stacks of derive and of build
};

extern template class Eisner<float>;
extern template class Eisner<int32_t>;

}  // namespace sapwood
