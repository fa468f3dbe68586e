// Counts the features of one structure: keys are collected with repetitions, then each becomes one feature whose value
// is its count.
#pragma once
#include <algorithm>
#include <vector>

#include "base/long_sort.hpp"
#include "features/feature_rows.hpp"
#include "features/joined_keys.hpp"

namespace sapwood {

class CountedFeatures {
  public:
    void add(uint64_t key) { keys_.push_back(key); }

    // Appends the features to the row being built, in the order of their keys, and starts over.
    void move_to(FeatureRows& rows) {
        long_sort(keys_);
        for (size_t k = 0; k < keys_.size();) {
            const size_t first = k;
            while (k < keys_.size() && keys_[k] == keys_[first]) ++k;
            rows.add(keys_[first], static_cast<float>(k - first));
        }
        keys_.clear();
    }

  private:
    std::vector<uint64_t> keys_;
};

}  // namespace sapwood
