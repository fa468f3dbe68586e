// Records the violations that a search finds while weights must not change, so that they can be applied later.
//
// Minibatches (Zhao & Huang 2013): the examples of a batch are presented with the same weights, each to a recording of its
// own, by several threads at once. Then the recordings are applied, in the order of the examples, each violation with the
// clock that it would have had if the examples had been presented one after the other. So results depend on the size of
// the batches but not on the number of threads, and a batch of one gives what no batch gives.
#pragma once
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "base/random_multiplier.hpp"
#include "learner/bucket_index.hpp"
#include "learner/violation.hpp"

namespace sapwood {

class Recording {
  public:
    // A condensed violation, its step, and the clock when it was found.
    struct Entry {
        Violation violation;
        float step = 0;
        uint64_t clock = 0;
    };
    // A feature that the weights do not know yet.
    struct Unknown {
        uint32_t table;
        uint64_t key;
    };

    void clear() {
        size_ = 0;
        if (unknown_.empty()) return;
        unknown_.clear();
        index_ = BucketIndex();
    }

    // Takes the parts of a violation, and leaves it cleared.
    void add(Violation& violation, float step, uint64_t clock) {
        if (size_ == entries_.size()) entries_.emplace_back();
        Entry& entry = entries_[size_++];
        std::swap(entry.violation, violation);
        violation.clear();
        entry.step = step;
        entry.clock = clock;
    }

    // The number of an unknown feature here; they count down from the largest number that there is.
    uint32_t number(uint32_t table, uint64_t key) {
        const auto spread = [this](const Unknown& feature) { return (feature.key ^ feature.table) * multiplier_; };
        const Unknown wanted{table, key};
        const uint32_t known = index_.find(
            spread(wanted), [&](uint32_t k) { return unknown_[k - 1].key == key && unknown_[k - 1].table == table; });
        if (known != 0) return UINT32_MAX - known + 1;
        unknown_.push_back(wanted);
        const auto k = static_cast<uint32_t>(unknown_.size());
        index_.insert(spread(wanted), k, [&](uint32_t other) { return spread(unknown_[other - 1]); });
        return UINT32_MAX - k + 1;
    }

    // visit(entry) for all of them, in their order; unknown features get the numbers that intern(table, key) gives.
    template <class Intern, class Visit>
    void each(Intern&& intern, Visit&& visit) {
        std::vector<uint32_t> numbers;
        for (const Unknown& feature : unknown_) numbers.push_back(intern(feature.table, feature.key));
        for (size_t k = 0; k < size_; ++k) {
            if (!numbers.empty())
                entries_[k].violation.renumber([&](uint32_t feature) {
                    return feature > UINT32_MAX - numbers.size() ? numbers[UINT32_MAX - feature] : feature;
                });
            visit(entries_[k]);
        }
    }

  private:
    std::deque<Entry> entries_;  // [size, and more to be used again]
    size_t size_ = 0;
    std::vector<Unknown> unknown_;  // [unknown features]
    BucketIndex index_;             // of them, from 1
    uint64_t multiplier_ = random_multiplier();
};

}  // namespace sapwood
