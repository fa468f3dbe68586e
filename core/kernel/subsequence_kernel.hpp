// The gap-weighted subsequence kernel (Lodhi, Saunders, Shawe-Taylor, Cristianini & Watkins 2002): sequences are alike
// if they have subsequences of n symbols in common, which need not be contiguous; one that is spread over l symbols
// counts lambda^l. Symbols are characters or words.
//
//     K'_0(s, t) = 1
//     K''_i(s x, t y) = lambda K''_i(s x, t) + [x = y] lambda^2 K'_{i-1}(s, t)
//     K'_i(s x, t) = lambda K'_i(s, t) + K''_i(s x, t)
//     K_n(s x, t) = K_n(s, t) + sum over places j of x in t of lambda^2 K'_{n-1}(s, t[1 .. j-1])
//
// K' and K'' of fewer than one symbol are 0. All prefixes of t are computed at once for a prefix of s, so time is
// O(n |s| |t|) and memory O(n |t|).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sapwood {

class SubsequenceKernel {
  public:
    using Item = std::vector<uint32_t>;  // symbols

    // length: n, at least 1; decay: lambda, above 0, up to 1.
    SubsequenceKernel(size_t length, double decay) : length_(length), decay_(decay) {}

    size_t length() const { return length_; }
    double decay() const { return decay_; }

    // K(s, .) of a fixed sequence, not normalised. Scratch of one thread.
    class Row {
      public:
        explicit Row(const SubsequenceKernel& kernel) : length_(kernel.length_), decay_(kernel.decay_) {}

        void fix(const Item& sequence) { fixed_ = &sequence; }
        double operator()(const Item& sequence);

      private:
        size_t length_;
        double decay_;
        const Item* fixed_ = nullptr;
        std::vector<double> counts_;  // [n][|t| + 1] K'_i of a prefix of s and the prefixes of t
    };

  private:
    size_t length_;
    double decay_;
};

}  // namespace sapwood
