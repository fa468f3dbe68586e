// The trainable weights of all features whose outputs number `width`: labels, label pairs, or 1.
//
// A feature is found by its 64-bit key and then known by a number, so that a training set is looked up
// once and afterwards costs no probe. A feature gets a row of weights at its first update; until it has
// taken part in `min_updates` updates, scoring sees row 0, the empty one (Goldberg & Elhadad 2011, section
// 3: "the update-counts affect only the scoring function and not the update function").
//
// In a table that counts by weight, each weight (of a feature for an output) has a count of its own updates, and scoring
// sees it as 0 until that reaches `min_updates`. Then there are two sets of rows: what is learned, with the averaging
// sums, and what scores, which has the count of each weight in place of its sum. Without, they are one set.
//
// Some searches, such as a parser's, look up keys in every epoch. Most of these keys belong to features that are gated or
// have never been seen. So the few features that score have a second index of their own: it is small, and a key that is
// not in it has no score.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "base/aligned.hpp"
#include "base/errors.hpp"
#include "base/random_multiplier.hpp"
#include "base/stop_check.hpp"
#include "learner/bucket_index.hpp"
#include "learner/rows.hpp"
#include "learner/state.hpp"

namespace sapwood {

class WeightTable {
  public:
    using Score = float;

    // key_bits: features whose keys agree in their first key_bits bits are one feature (the hash kernel, Shi et al. 2009).
    WeightTable(size_t width, uint32_t min_updates, unsigned key_bits = 64)
        : min_updates_(std::max(min_updates, 1u)),
          opens_at_(min_updates_),
          unused_bits_(64 - key_bits),
          features_(1),
          scored_row_(1) {
        set_width(width);
    }

    // Before the first update: lets each weight count its own updates.
    void count_by_weight() {
        scoring_ = 1;
        opens_at_ = 0;  // no feature's count opens a gate
        clear_rows();
    }
    bool counts_by_weight() const { return scoring_ != 0; }

    // Before the first update: features may become known before it is known how many outputs there are.
    void set_width(size_t width) {
        width_ = width;
        clear_rows();
    }

    size_t width() const { return width_; }
    unsigned key_bits() const { return 64 - unused_bits_; }
    size_t features() const { return features_.size() - 1; }  // known keys, updated or not

    // Starts the cache misses of interning a key.
    void prefetch_feature(uint64_t key) const { index_.prefetch(spread(key)); }

    // The feature's number, 0 if the key is not known.
    uint32_t find(uint64_t key) const {
        return index_.find(spread(key), [&](uint32_t f) { return is_same(features_[f].key, key); });
    }

    // The feature's number; an unknown key becomes known.
    uint32_t intern(uint64_t key) {
        if (const uint32_t known = find(key)) return known;
        if (features_.size() > UINT32_MAX)
            throw DataError("more than 2^32 different features; use fewer template lines");
        const auto f = static_cast<uint32_t>(features_.size());
        features_.push_back({.key = key});
        scored_row_.push_back(0);
        index_.insert(spread(key), f, [&](uint32_t number) { return spread(features_[number].key); });
        return f;
    }

    // The same for n keys, whose cache misses overlap.
    void intern(const uint64_t* keys, size_t n, uint32_t* features) {
        for (size_t k = 0; k < n; ++k) prefetch_feature(keys[k]);
        for (size_t k = 0; k < n; ++k) {
            features[k] = index_.find(spread(keys[k]));  // by fingerprint
            __builtin_prefetch(&features_[features[k]]);
        }
        for (size_t k = 0; k < n; ++k)
            if (features[k] == 0 || !is_same(features_[features[k]].key, keys[k])) features[k] = intern(keys[k]);
    }

    // The row that scoring adds for a feature; 0 while it is gated.
    uint32_t scored_row(uint32_t feature) const { return scored_row_[feature]; }

    // Calls f(rows) with the DenseRows or SparseRows that score: once a sentence, then no branch a feature.
    template <class F>
    decltype(auto) with_rows(F&& f) const {
        return std::visit(std::forward<F>(f), rows_[scoring_]);
    }

    // Starts the cache misses of finding the rows of n keys.
    void prefetch_keys(const uint64_t* keys, size_t n) const {
        for (size_t k = 0; k < n; ++k) scored_.prefetch(spread(keys[k]));
    }

    // The scored rows of n keys, 0 for those that do not score. Each miss of the cache (bucket, row) is started for all
    // keys before the first is waited for.
    void find_rows(const uint64_t* keys, size_t n, uint32_t* rows) const {
        prefetch_keys(keys, n);
        with_rows([&](const auto& weights) {
            for (size_t k = 0; k < n; ++k) {
                rows[k] = scored_.find(spread(keys[k]));  // by fingerprint
                weights.prefetch(rows[k]);
            }
            for (size_t k = 0; k < n; ++k)
                if (rows[k] != 0 && !is_same(weights.key(rows[k]), keys[k])) rows[k] = scored_row(find(keys[k]));
        });
    }

    // The same for n features that are known by number.
    void find_rows(const uint32_t* features, size_t n, uint32_t* rows) const {
        with_rows([&](const auto& weights) {
            for (size_t k = 0; k < n; ++k) {
                rows[k] = scored_row(features[k]);
                weights.prefetch(rows[k]);
            }
        });
    }

    // scores: [padded(width)], overwritten with the sum of n rows.
    void score(const uint32_t* rows, size_t n, float* scores) const {
        with_rows([&](const auto& weights) { weights.score(rows, n, scores); });
    }

    // The same, each row times its value; without values, all 1.
    void score(const uint32_t* rows, const float* values, size_t n, float* scores) const {
        if (values == nullptr) return score(rows, n, scores);
        with_rows([&](const auto& weights) { weights.score(rows, values, n, scores); });
    }

    // visit(output, weight) for the weights of a row; some may be 0.
    template <class Visit>
    void each(uint32_t row, Visit&& visit) const {
        if (row == 0) return;
        with_rows([&](const auto& weights) {
            weights.each(row, [&](uint32_t output, float weight, double) { visit(output, weight); });
        });
    }

    // w += delta and w_a += clock * delta for one output of a feature (Daume's lazy average, 2006).
    void update(uint32_t feature, uint32_t output, float delta, double clock) {
        std::visit(
            [&](auto& rows) {
                const uint32_t row = features_[feature].row;
                if (closed_ && (row == 0 || !rows.holds(row, output))) return;
                change_row(rows, feature, [&](uint32_t r) { return rows.update(r, output, delta, clock); });
            },
            rows_[kLearned]);
    }

    // The same, and counts it as an update of that weight if the table counts by weight.
    void update_and_count(uint32_t feature, uint32_t output, float delta, double clock);

    // Prefetch what an update of a feature needs: first what is found by its number, then, when that has arrived, its row.
    void prefetch_number(uint32_t feature) const { __builtin_prefetch(&features_[feature]); }
    void prefetch_update(uint32_t feature, uint32_t output) const {
        std::visit([&](const auto& rows) { rows.prefetch_update(features_[feature].row, output); }, rows_[kLearned]);
    }

    // Counts one update in which the feature took part.
    void count_update(uint32_t feature) {
        Feature& f = features_[feature];
        if (++f.updates != opens_at_ || closed_) return;
        ++active_;
        let_score(feature);
    }

    // What a feature has learned, whether it scores or not.
    uint64_t key(uint32_t feature) const { return features_[feature].key; }
    uint32_t updates(uint32_t feature) const { return features_[feature].updates; }
    // The updates that one of its weights took part in; 0 if the table does not count by weight.
    uint32_t updates(uint32_t feature, uint32_t output) const;
    // visit(output, weight, sum, updates) for each output that the feature may have a weight for, in ascending order;
    // `updates` counts the updates of this weight, and is 0 if the table does not count by weight.
    template <class Visit>
    void each_of(uint32_t feature, Visit&& visit) const {
        const uint32_t row = features_[feature].row;
        if (row == 0) return;
        std::visit(
            [&](const auto& learned) {
                if (!counts_by_weight())
                    return learned.each(
                        row, [&](uint32_t output, float weight, double sum) { visit(output, weight, sum, 0u); });
                with_rows([&](const auto& rows) {
                    rows.each(counts_row(feature), [&](uint32_t output, float, double updates) {
                        if (updates == 0) return;
                        const auto [weight, sum] = learned.at(row, output);
                        visit(output, weight, sum, static_cast<uint32_t>(updates));
                    });
                });
            },
            rows_[kLearned]);
    }

    // Gives it another weight and sum for an output, and another count of that weight's updates, if there are such.
    void set(uint32_t feature, uint32_t output, float weight, double sum, uint32_t updates) {
        std::visit(
            [&](auto& rows) {
                change_row(rows, feature, [&](uint32_t row) { return rows.put(row, output, weight, sum); });
            },
            rows_[kLearned]);
        if (counts_by_weight()) show(feature, output, updates);
    }
    // Makes all its weights and sums 0. outputs: scratch memory.
    void clear(uint32_t feature, std::vector<uint32_t>& outputs) {
        outputs.clear();
        each_of(feature, [&](uint32_t output, float weight, double sum, uint32_t updates) {
            if (weight != 0 || sum != 0 || updates != 0) outputs.push_back(output);
        });
        for (const uint32_t output : outputs) set(feature, output, 0, 0, 0);
    }
    // Gives it another count of updates, no lower than it had. If that is enough it scores, unless weights are counted.
    void set_updates(uint32_t feature, uint32_t updates) {
        Feature& f = features_[feature];
        const uint32_t before = std::exchange(f.updates, updates);
        if (counts_by_weight() || before >= min_updates_ || updates < min_updates_) return;
        ++active_;
        std::visit(
            [&](auto& rows) {
                if (f.row == 0) f.row = rows.add(f.key);
            },
            rows_[kLearned]);
        let_score(feature);
    }

    // Forgets all weights and closes the table: from now on only those that each(take) names by take(key, output) change.
    // They begin with kBeginning; those of a feature follow each other.
    template <class Each>
    void restart(Each&& each) {
        forget_weights();
        closed_ = true;
        if (counts_by_weight())  // each weight that was kept had enough updates
            return each([&](uint64_t key, uint32_t output) { set(intern(key), output, kBeginning, 0, min_updates_); });
        std::visit(
            [&](auto& rows) {
                uint32_t last = 0;
                const auto begin = [&](uint32_t feature) {
                    if (last != 0) let_score(last);
                    last = feature;
                };
                each([&](uint64_t key, uint32_t output) {
                    const uint32_t feature = intern(key);
                    Feature& f = features_[feature];
                    if (f.row == 0) begin(feature), f.row = rows.add(key), ++active_;
                    f.row = rows.update(f.row, output, kBeginning, 0);
                });
                begin(0);
            },
            rows_[kLearned]);
    }

    // visit(key, updates, output, w - w_a / clock) for every non-zero weight that passed the gate, `updates` being those
    // of its feature; clock 0 stands for "no averaging" and gives w.
    template <class Visit>
    void each_weight(double clock, Visit&& visit) const {
        for (size_t f = 1; f < features_.size(); ++f) {
            StopCheck::every(f);
            if (scored_row_[f] == 0) continue;
            each_of(static_cast<uint32_t>(f), [&](uint32_t output, float weight, double sum, uint32_t updates) {
                if (counts_by_weight() && updates < min_updates_) return;
                const double final = clock == 0 ? weight : static_cast<double>(weight) - sum / clock;
                if (const auto w = static_cast<float>(final); w != 0)
                    visit(features_[f].key, features_[f].updates, output, w);
            });
        }
    }

    // Hands over all that training has changed (learner/state.hpp).
    void write(StateWriter s) const;
    // Takes it back, in place of what the table has learned. `same_numbers`: a feature that the table knows must have the
    // same number in the state, if it is there. output_of: the outputs' numbers here, or empty if they are the same.
    // Throws ModelError.
    void read(StateReader s, bool same_numbers, std::span<const uint32_t> output_of = {});

    size_t active() const { return active_; }  // features that score: updated often enough
    // The value of a weight of a closed table that has learned nothing. It is not 0, since weights of 0 do not change
    // there, and updates by whole numbers do not bring it to 0.
    static constexpr float kBeginning = 1.0f / 1024;
    bool is_closed() const { return closed_; }

  private:
    struct Feature {
        uint64_t key = 0;
        uint32_t updates = 0;  // U of the paper
        uint32_t row = 0;      // 0: never updated
    };

    // What the indexes have in place of a key (bucket_index.hpp).
    uint64_t spread(uint64_t key) const { return (key >> unused_bits_) * multiplier_; }
    bool is_same(uint64_t a, uint64_t b) const { return (a ^ b) >> unused_bits_ == 0; }

    // Keeps the features and their counts.
    void forget_weights() {
        for (Feature& f : features_) f.row = 0;
        std::ranges::fill(scored_row_, 0);
        scored_ = BucketIndex();
        active_ = 0;
        counts_row_.clear();
        clear_rows();
    }

    void clear_rows() {
        for (size_t k = 0; k <= scoring_; ++k)
            if (width_ > kDenseLabels)
                rows_[k].emplace<SparseRows>(width_);
            else
                rows_[k].emplace<DenseRows>(width_);
    }

    uint32_t counts_row(uint32_t feature) const { return feature < counts_row_.size() ? counts_row_[feature] : 0; }

    // In a table that counts by weight: gives a weight its count, and lets scoring see it if that is enough.
    void show(uint32_t feature, uint32_t output, uint32_t updates);

    // Lets change(row) change a feature's row, which is added if there is none. It returns the row's new number.
    template <class Rows, class Change>
    void change_row(Rows& rows, uint32_t feature, Change&& change) {
        Feature& f = features_[feature];
        if (f.row == 0) f.row = rows.add(f.key);
        const uint32_t before = std::exchange(f.row, change(f.row));
        if (f.row == before || scored_row_[feature] == 0 || counts_by_weight()) return;
        scored_row_[feature] = f.row;
        scored_.replace(spread(f.key), before, f.row);
    }

    // Opens the gate of a feature: from now on scoring finds its row.
    void let_score(uint32_t feature) { let_score(feature, features_[feature].row); }
    void let_score(uint32_t feature, uint32_t row) {
        scored_row_[feature] = row;
        if (row == 0) return;
        scored_.insert(spread(features_[feature].key), row, [&](uint32_t other) {
            return spread(with_rows([&](const auto& rows) { return rows.key(other); }));
        });
    }

    static constexpr size_t kLearned = 0;  // in rows_

    size_t width_;
    uint32_t min_updates_;
    uint32_t opens_at_;     // updates at which a feature's gate opens; 0: never
    unsigned unused_bits_;  // of keys, at their ends
    size_t active_ = 0;
    bool closed_ = false;  // updates change only weights that are not 0
    uint64_t multiplier_ = random_multiplier();
    BucketIndex index_;                   // from spread(key) to the feature's number
    BucketIndex scored_;                  // from spread(key) to the row, of features that score
    AlignedVector<Feature> features_;     // [features + 1] number 0 is no feature
    AlignedVector<uint32_t> scored_row_;  // [features + 1] 0: gated
    AlignedVector<uint32_t> counts_row_;  // [features + 1, or fewer] where weights are counted; 0: not updated
    size_t scoring_ = 0;                  // which of rows_ scores; 1 if the table counts by weight
    std::array<std::variant<DenseRows, SparseRows>, 2> rows_{DenseRows(1), DenseRows(1)};  // learned, and counts
};

}  // namespace sapwood
