// n log2 n as a whole number, in units of 2^-16 bit. Sums of whole numbers do not depend on their order, so clusters are
// the same for any number of threads. If counts add up to n, their values add up to n log2 n at most, so 64 bits are
// enough for 2^40 tokens.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

namespace sapwood {

class EntropyTable {
  public:
    // Counts up to `largest` will be asked for.
    explicit EntropyTable(uint64_t largest) {
        const uint64_t size = std::min<uint64_t>(largest, kLargest) + 1;
        table_.reserve(size);
        for (uint64_t n = 0; n < size; ++n) table_.push_back(computed(n));
    }

    int64_t operator()(uint64_t n) const { return n < table_.size() ? table_[n] : computed(n); }

    static constexpr double kUnit = 65536;

  private:
    static constexpr uint64_t kLargest = (1u << 20) - 1;  // 8 MB; few counts of class bigrams are larger

    static int64_t computed(uint64_t n) {
        const auto x = static_cast<double>(n);
        return n < 2 ? 0 : static_cast<int64_t>(std::llround(x * std::log2(x) * kUnit));
    }

    std::vector<int64_t> table_;
};

}  // namespace sapwood
