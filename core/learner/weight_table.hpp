// The trainable weights of all features whose outputs number `width`: labels, label pairs, or 1.
//
// A feature is found by its 64-bit key and then known by a number, so that a training set is looked up
// once and afterwards costs no probe. A feature gets a row of weights at its first update; until it has
// taken part in `min_updates` updates, scoring sees row 0, the empty one (Goldberg & Elhadad 2011, section
// 3: "the update-counts affect only the scoring function and not the update function").
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "errors.hpp"
#include "learner/bucket_index.hpp"
#include "learner/rows.hpp"

namespace sapwood {

class WeightTable {
  public:
    WeightTable(size_t width, uint32_t min_updates)
        : width_(width),
          min_updates_(std::max(min_updates, 1u)),
          keys_(1),
          updates_(1),
          row_(1),
          scored_row_(1) {
        if (width > kDenseLabels)
            rows_.emplace<SparseRows>(width);
        else
            rows_.emplace<DenseRows>(width);
    }

    size_t width() const { return width_; }
    size_t features() const { return keys_.size() - 1; }  // known keys, updated or not

    void prefetch_key(uint64_t key) const { index_.prefetch(key); }

    // The feature's number, 0 if the key is not known.
    uint32_t find(uint64_t key) const {
        return index_.find(key, [&](uint32_t f) { return keys_[f] == key; });
    }

    // The feature's number; an unknown key becomes known.
    uint32_t intern(uint64_t key) {
        if (const uint32_t known = find(key)) return known;
        if (keys_.size() > UINT32_MAX)
            throw DataError("more than 2^32 different features; use fewer template lines");
        const auto f = static_cast<uint32_t>(keys_.size());
        keys_.push_back(key);
        updates_.push_back(0);
        row_.push_back(0);
        scored_row_.push_back(0);
        index_.insert(key, f, [&](uint32_t number) { return keys_[number]; });
        return f;
    }

    // The row that scoring adds for a feature; 0 while it is gated.
    uint32_t scored_row(uint32_t feature) const { return scored_row_[feature]; }

    // w += delta and w_a += clock * delta for one output of a feature (Daume's lazy average, 2006).
    void update(uint32_t feature, uint32_t output, float delta, double clock) {
        std::visit(
            [&](auto& rows) {
                if (row_[feature] == 0) row_[feature] = rows.add();
                rows.update(row_[feature], output, delta, clock);
            },
            rows_);
    }

    // Counts one update in which the feature took part.
    void count_update(uint32_t feature) {
        if (++updates_[feature] != min_updates_) return;
        scored_row_[feature] = row_[feature];
        ++active_;
    }

    // Calls f(rows) with the DenseRows or SparseRows: once a sentence, then no branch a feature.
    template <class F>
    decltype(auto) with_rows(F&& f) const {
        return std::visit(std::forward<F>(f), rows_);
    }

    // visit(key, output, w - w_a / clock) for every non-zero weight of every feature that passed the gate;
    // clock 0 stands for "no averaging" and gives w.
    template <class Visit>
    void each_weight(double clock, Visit&& visit) const {
        for (uint32_t f = 1; f < keys_.size(); ++f) {
            if (scored_row_[f] == 0) continue;
            with_rows([&](const auto& rows) {
                rows.each(scored_row_[f], [&](uint32_t output, float weight, double sum) {
                    const double final = clock == 0 ? weight : static_cast<double>(weight) - sum / clock;
                    if (const auto w = static_cast<float>(final); w != 0) visit(keys_[f], output, w);
                });
            });
        }
    }

    size_t active() const { return active_; }  // features that score: updated often enough

    size_t bytes() const {
        return index_.bytes() + keys_.capacity() * 8 + updates_.capacity() * 12 +
               with_rows([](const auto& rows) { return rows.bytes(); });
    }

  private:
    size_t width_;
    uint32_t min_updates_;
    size_t active_ = 0;
    BucketIndex index_;
    std::vector<uint64_t> keys_;        // [features + 1]
    std::vector<uint32_t> updates_;     // [features + 1] U of the paper
    std::vector<uint32_t> row_;         // [features + 1] 0: never updated
    std::vector<uint32_t> scored_row_;  // [features + 1] 0: gated
    std::variant<DenseRows, SparseRows> rows_{std::in_place_type<DenseRows>, 1};
};

}  // namespace sapwood
