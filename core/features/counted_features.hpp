// Counts the features of one structure: keys are collected with repetitions, then each becomes one feature whose value
// is its count.
#pragma once
#include <algorithm>
#include <bit>
#include <vector>

#include "base/hash.hpp"
#include "features/feature_rows.hpp"

namespace sapwood {

// The value of everything beyond the ends of a sentence or of a list of children.
constexpr uint64_t kBoundary = 0x5C0DE;

// Combines a key with more values, in order.
template <class... Values>
uint64_t join(uint64_t key, Values... values) {
    ((key = combine(key, values)), ...);
    return key;
}

// The bucket of a size: 0 to 5 exactly, then powers of two.
inline uint64_t bucket(size_t n) {
    return n <= 5 ? n : 3 + std::bit_width(n);
}

class CountedFeatures {
  public:
    void add(uint64_t key) { keys_.push_back(key); }

    // Appends the features to the row being built, in the order of their keys, and starts over.
    void move_to(FeatureRows& rows) {
        std::sort(keys_.begin(), keys_.end());
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
