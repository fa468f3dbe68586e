// Features of one structure that are counted: keys as they are found, then each once with its count.
#pragma once
#include <algorithm>
#include <bit>
#include <vector>

#include "base/hash.hpp"
#include "features/feature_rows.hpp"

namespace sapwood {

// Stands for what is beyond either end of a sentence.
constexpr uint64_t kBoundary = 0x5C0DE;

// A key with more values joined to it, in order.
template <class... Values>
uint64_t join(uint64_t key, Values... values) {
    ((key = combine(key, values)), ...);
    return key;
}

// Sizes that are told apart: 0 to 5, then powers of two.
inline uint64_t bucket(size_t n) {
    return n <= 5 ? n : 3 + std::bit_width(n);
}

class CountedFeatures {
  public:
    void add(uint64_t key) { keys_.push_back(key); }

    // Adds what was found to the row that is being built, in the order of the keys.
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
