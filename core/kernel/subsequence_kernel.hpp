// The gap-weighted subsequence kernel (Lodhi, Saunders, Shawe-Taylor, Cristianini & Watkins 2002). It compares
// sequences by their common subsequences of n symbols, which need not be contiguous. A subsequence that spans l symbols
// has the weight lambda^l. Symbols are characters or words.
//
//     K'_0(s, t) = 1
//     K''_i(s x, t y) = lambda K''_i(s x, t) + [x = y] lambda^2 K'_{i-1}(s, t)
//     K'_i(s x, t) = lambda K'_i(s, t) + K''_i(s x, t)
//     K_n(s x, t) = K_n(s, t) + sum over places j of x in t of lambda^2 K'_{n-1}(s, t[1 .. j-1])
//
// For i > 0, K'_i and K''_i are 0 if s or t is empty. For each prefix of s, all prefixes of t are computed together, so
// the time is O(n |s| |t|) and the memory O(n |t|).
//
// All subsequences but the empty one (Clark 2015: "all sub-sequences in a sequence") are compared by the sum K of all K_n.
// With the sums K' and K'' of K'_i and K''_i over all i > 0, the recurrence closes without i, in time O(|s| |t|):
//
//     K''(s x, t y) = lambda K''(s x, t) + [x = y] lambda^2 (1 + K'(s, t))
//     K'(s x, t) = lambda K'(s, t) + K''(s x, t)
//     K(s x, t) = K(s, t) + sum over places j of x in t of lambda^2 (1 + K'(s, t[1 .. j-1]))
//
// With a lambda of 1 it counts pairs of equal occurrences: 2^n - 1 for a sequence of n different symbols and itself.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/gram.hpp"

namespace sapwood {

class SubsequenceKernel {
  public:
    using Item = std::vector<uint32_t>;  // symbols

    // `length` is n, or kAnyLength; `decay` is lambda, with 0 < lambda <= 1.
    static constexpr size_t kAnyLength = 0;
    SubsequenceKernel(size_t length, double decay) : length_(length), decay_(decay) {}

    size_t length() const { return length_; }
    double decay() const { return decay_; }
    std::string advice() const { return lower_decay(decay_); }

    // Computes K(s, .) for a fixed sequence s, not normalised. Each thread needs its own Row.
    class Row {
      public:
        explicit Row(const SubsequenceKernel& kernel) : length_(kernel.length_), decay_(kernel.decay_) {}

        void fix(const Item& sequence) { fixed_ = &sequence; }
        double operator()(const Item& sequence);

      private:
        double all_lengths(const Item& sequence);

        size_t length_;
        double decay_;
        const Item* fixed_ = nullptr;
        // [n][|t| + 1] K'_i, or of all lengths [|t| + 1] K', of the current prefix of s and every prefix of t
        std::vector<double> counts_;
    };

  private:
    size_t length_;
    double decay_;
};

}  // namespace sapwood
