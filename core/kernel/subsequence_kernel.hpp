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
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sapwood {

class SubsequenceKernel {
  public:
    using Item = std::vector<uint32_t>;  // symbols

    // `length` is n, at least 1; `decay` is lambda, with 0 < lambda <= 1.
    SubsequenceKernel(size_t length, double decay) : length_(length), decay_(decay) {}

    size_t length() const { return length_; }
    double decay() const { return decay_; }

    // Computes K(s, .) for a fixed sequence s, not normalised. Each thread needs its own Row.
    class Row {
      public:
        explicit Row(const SubsequenceKernel& kernel) : length_(kernel.length_), decay_(kernel.decay_) {}

        void fix(const Item& sequence) { fixed_ = &sequence; }
        double operator()(const Item& sequence);

      private:
        size_t length_;
        double decay_;
        const Item* fixed_ = nullptr;
        std::vector<double> counts_;  // [n][|t| + 1] K'_i of the current prefix of s and every prefix of t
    };

  private:
    size_t length_;
    double decay_;
};

}  // namespace sapwood
