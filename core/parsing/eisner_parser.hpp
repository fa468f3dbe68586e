// Graph-based projective parsing: all arcs are scored, Eisner's algorithm finds the best tree (McDonald,
// Crammer & Pereira 2005); in order 2 neighbouring children are scored as well (McDonald & Pereira 2006), in sentences
// of more than kLongestExact words among the best heads of each word only.
// The same code parses with the weights in training and with a frozen model: `Table` is either.
//
// In training the decision is between trees, and the parts in which they differ are updated. With passive-aggressive
// steps that is 1-best MIRA; k-best MIRA (McDonald et al. 2005) learns from the k best trees of each sentence at once.
// The averaging clock ticks once a sentence.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

#include "features/arc_features.hpp"
#include "parsing/decision_features.hpp"
#include "search/eisner.hpp"
#include "search/eisner_siblings.hpp"

namespace sapwood {

template <ScoringTable Table>
class EisnerParser {
  public:
    using Score = typename Table::Score;

    // Order 2 if there are features of siblings.
    EisnerParser(const Conjunctions& arcs, const std::optional<Conjunctions>& siblings, bool single_root)
        : single_root_(single_root), arcs_(arcs) {
        if (siblings) siblings_.emplace(*siblings);
    }

    void parse(const std::vector<Table>& tables, const Words& words, Tree& tree) {
        score_arcs(tables[0], words);
        forbid_low_arcs(words.size());
        search(words.size(), siblings(tables, words.size()), tree);
    }

    // The best trees with their scores, best first (order 1).
    void n_best(const std::vector<Table>& tables, const Words& words, size_t count, std::vector<Tree>& trees,
                std::vector<double>& scores) {
        score_arcs(tables[0], words);
        first_.n_best(arc_.data(), words.size(), single_root_, count, trees, scores);
    }

    // Parses, and calls take(m, margin) for the words that can have another head. The margin is that of the tree over the
    // best tree in which the word has another head.
    template <class Take>
    void parse_with_margins(const std::vector<Table>& tables, const Words& words, Tree& tree, Take&& take) {
        const double best = parse_with_score(tables, words, tree);
        for (uint32_t m = 1; m <= words.size(); ++m) {
            const uint32_t head = tree.heads[m];
            const auto other = search_with(tables, words.size(), m, [&](uint32_t h) { return h != head; });
            if (other) take(m, best - *other);
        }
    }

  protected:
    // Parses, and returns the score of the tree.
    double parse_with_score(const std::vector<Table>& tables, const Words& words, Tree& tree) {
        const size_t n = words.size(), row = n + 1;
        score_arcs(tables[0], words);
        sibling_scores_.assign(siblings_ ? row * row : 0, {});
        forbid_low_arcs(n);
        search(n, known_siblings(tables, n), tree);
        return score(tree, known_siblings(tables, n));
    }

    // After parse_with_score(): finds the best tree in which word m has a head h for which allowed(h). It is `other_` then,
    // whose score is returned; empty if there is no such tree.
    template <class Allowed>
    std::optional<double> search_with(const std::vector<Table>& tables, size_t n, uint32_t m, Allowed&& allowed) {
        const size_t row = n + 1;
        heads_.clear();
        for (uint32_t h = 0; h <= n; ++h) {
            Score& arc = arc_[h * row + m];
            heads_.push_back(arc);
            if (!allowed(h)) arc = kForbidden<Score>;
        }
        search(n, known_siblings(tables, n), other_);
        for (uint32_t h = 0; h <= n; ++h) arc_[h * row + m] = heads_[h];
        if (!allowed(other_.heads[m])) return std::nullopt;
        return score(other_, known_siblings(tables, n));
    }

    // The sibling parts of a sentence of n words; those of an arc are computed when they are asked for first.
    auto known_siblings(const std::vector<Table>& tables, size_t n) {
        return [this, &tables, n](size_t h, size_t m, Score* out) {
            std::vector<Score>& known = sibling_scores_[h * (n + 1) + m];
            if (known.empty()) {
                known.resize(h < m ? m - h : h - m);
                score_siblings(tables[1], h, m, n, known.data());
            }
            std::copy(known.begin(), known.end(), out);
        };
    }

    // Fills arc_, and reads the words for the siblings' features.
    void score_arcs(const Table& table, const Words& words) {
        const size_t n = words.size(), row = n + 1;
        arcs_.read(words);
        if (siblings_) siblings_->read(words);
        arc_.assign(row * row, Score{});
        by_head_.resize(row * kArcLanes);
        by_modifier_.resize(row * kArcLanes);
        const size_t most = arcs_.lines() * (n + 1);
        keys_.resize(std::max(keys_.size(), 2 * most));
        for (size_t i = 0; i <= n; ++i) {
            score_keys(table, arcs_.head_keys(i, keys_.data()), &by_head_[i * kArcLanes]);
            score_keys(table, arcs_.modifier_keys(i, keys_.data()), &by_modifier_[i * kArcLanes]);
        }
        // The arcs of a block are looked up together.
        for (size_t h = 0; h <= n; ++h) {
            StopCheck::every(h, 100 * n);
            for (size_t m = 1; m <= n;) {
                size_t count = 0;
                ends_.clear();
                const size_t first = m;
                for (; m <= n && count < kKeysAtOnce; ++m) {
                    if (m != h) {
                        count += arcs_.arc_keys(h, m, keys_.data() + count);
                        count += arcs_.between_keys(h, m, keys_.data() + count);
                    }
                    ends_.push_back(count);
                }
                rows_.resize(std::max(rows_.size(), count));
                table.find_rows(keys_.data(), count, rows_.data());
                for (size_t k = 0, begin = 0; k < ends_.size(); begin = ends_[k++]) {
                    const size_t modifier = first + k;
                    if (modifier == h) continue;
                    alignas(64) Score sum[kArcLanes];
                    table.score(rows_.data() + begin, ends_[k] - begin, sum);
                    const uint32_t d = distance_output(h, modifier);
                    const Score *a = &by_head_[h * kArcLanes], *b = &by_modifier_[modifier * kArcLanes];
                    arc_[h * row + modifier] = a[0] + a[d] + b[0] + b[d] + sum[0] + sum[d];
                }
            }
        }
    }

    // Finds the best tree of the scores in arc_. siblings(h, m, out) scores the sibling parts of an arc.
    template <class Siblings>
    double search(size_t n, Siblings&& siblings, Tree& tree) {
        if (!siblings_) return first_.best(arc_.data(), n, single_root_, tree);
        return second_.best(arc_.data(), siblings, n, single_root_, tree);
    }

    // The score of a tree.
    template <class Siblings>
    double score(const Tree& tree, Siblings&& siblings) {
        if (!siblings_) return tree_score(arc_.data(), tree);
        return tree_score(arc_.data(), siblings, tree);
    }

    // The sibling parts of a sentence of n words.
    auto siblings(const std::vector<Table>& tables, size_t n) {
        return [this, &tables, n](size_t h, size_t m, Score* out) { score_siblings(tables[1], h, m, n, out); };
    }

    // n^3 sibling parts are too many to look up in a very long sentence: there each word keeps the heads whose arcs
    // score highest, the root and its neighbours.
    void forbid_low_arcs(size_t n) {
        if (!siblings_ || n <= kLongestExact) return;
        const size_t row = n + 1;
        std::vector<Score> scores(n);
        for (size_t m = 1; m <= n; ++m) {
            for (size_t h = 0, k = 0; h <= n; ++h)
                if (h != m) scores[k++] = arc_[h * row + m];
            std::nth_element(scores.begin(), scores.begin() + kHeadsKept, scores.end(), std::greater<>());
            for (size_t h = 1; h <= n; ++h)
                if (arc_[h * row + m] < scores[kHeadsKept] && h + 1 != m && h != m + 1)
                    arc_[h * row + m] = kForbidden<Score>;
        }
    }

    // The sibling parts of an arc, as SiblingEisner wants them: out[d] is that of the child of h at distance d.
    void score_siblings(const Table& table, size_t h, size_t m, size_t n, Score* out) {
        const size_t distance = h < m ? m - h : h - m;
        keys_.resize(std::max(keys_.size(), siblings_->lines() * distance));
        size_t count = 0;
        ends_.clear();
        for (size_t d = 0; d < distance; ++d) {
            count += siblings_->triple_keys(h, sibling_at(h, m, d, n), m, keys_.data() + count);
            ends_.push_back(count);
        }
        rows_.resize(std::max(rows_.size(), count));
        table.find_rows(keys_.data(), count, rows_.data());
        for (size_t d = 0, begin = 0; d < distance; begin = ends_[d++]) {
            alignas(64) Score sum[kArcLanes];
            table.score(rows_.data() + begin, ends_[d] - begin, sum);
            out[d] = sum[0] + sum[sibling_output(h, sibling_at(h, m, d, n), m, n)];
        }
    }

    // The direction and distance of a modifier from its sibling, or from its head if it has none.
    static uint32_t sibling_output(size_t h, size_t s, size_t m, size_t n) { return distance_output(s > n ? h : s, m); }

    // The word at distance d from h towards m; at distance 0 the boundary, which stands for no sibling.
    static size_t sibling_at(size_t h, size_t m, size_t d, size_t n) { return d == 0 ? n + 1 : h < m ? h + d : h - d; }

    static constexpr size_t kArcLanes = 16;       // padded(kArcOutputs)
    static constexpr size_t kKeysAtOnce = 256;    // whose cache misses overlap
    static constexpr size_t kLongestExact = 150;  // words, in order 2
    static constexpr size_t kHeadsKept = 20;

    void score_keys(const Table& table, size_t count, Score* out) {
        rows_.resize(std::max(rows_.size(), count));
        table.find_rows(keys_.data(), count, rows_.data());
        table.score(rows_.data(), count, out);
    }

    bool single_root_;
    ArcFeatures arcs_;
    std::optional<ArcFeatures> siblings_;
    Eisner<Score> first_;
    SiblingEisner<Score> second_;
    AlignedVector<Score> arc_;                    // [n + 1][n + 1] head first
    AlignedVector<Score> by_head_, by_modifier_;  // [n + 1][kArcLanes] features of one word
    std::vector<uint64_t> keys_;
    std::vector<uint32_t> rows_;
    std::vector<size_t> ends_;  // of the keys of each arc of a block
    Tree other_;
    std::vector<Score> heads_;                        // [n + 1] of one word
    std::vector<std::vector<Score>> sibling_scores_;  // [n + 1][n + 1] head first, empty if not yet computed
};

class EisnerTrainer : EisnerParser<WeightTable> {
  public:
    using EisnerParser::EisnerParser;

    // Sets the number of best trees that an update learns from (k-best MIRA; order 1 only).
    void learn_from_best(size_t candidates) { candidates_ = candidates; }

    // Presents the tree of a sentence.
    void present(const ParsingExample& example);

  private:
    class BestTree;   // the decision
    class BestTrees;  // the decision of k-best MIRA

    // Adds the features of the parts in which two trees differ.
    void add_difference(const ParsingExample& example, const Tree& guess, Violation& violation);
    void add_parts(const ParsingExample& example, const Tree& tree, const Tree& other, bool gold, Violation& violation);
    void add_found(const ParsingExample& example, uint32_t table, uint32_t h, uint32_t m, uint32_t output, bool gold,
                   Violation& violation);

    size_t candidates_ = 1;
    Tree guess_;
    std::vector<Tree> trees_;  // [candidates] k-best MIRA
    std::vector<double> scores_;
    std::vector<ArcFeatures::Found> found_;  // features of one part
};

}  // namespace sapwood
