#include "kernel/subsequence_kernel.hpp"

#include <algorithm>

#include "base/stop_check.hpp"

namespace sapwood {

double SubsequenceKernel::Row::operator()(const Item& t) {
    const Item& s = *fixed_;
    const size_t n = length_, width = t.size() + 1;
    const double lambda = decay_, lambda2 = lambda * lambda;
    if (n == kAnyLength) return all_lengths(t);
    if (std::min(s.size(), t.size()) < n) return 0;
    counts_.assign(n * width, 0);
    std::fill_n(counts_.begin(), width, 1);
    double sum = 0;
    for (size_t k = 0; const uint32_t x : s) {
        StopCheck::every(k++, n * width);
        const double* last = &counts_[(n - 1) * width];
        for (size_t j = 0; j < t.size(); ++j)
            if (t[j] == x) sum += lambda2 * last[j];
        for (size_t i = n - 1; i > 0; --i) {  // downwards, because K'_{i-1} must still be that of s without x
            const double* shorter = &counts_[(i - 1) * width];
            double* count = &counts_[i * width];
            double k2 = 0;  // K''_i(s x, t[1 .. j])
            for (size_t j = 0; j < t.size(); ++j) {
                k2 = lambda * k2 + (t[j] == x ? lambda2 * shorter[j] : 0);
                count[j + 1] = lambda * count[j + 1] + k2;
            }
        }
    }
    return sum;
}

double SubsequenceKernel::Row::all_lengths(const Item& t) {
    const double lambda = decay_, lambda2 = lambda * lambda;
    counts_.assign(t.size() + 1, 0);
    double sum = 0;
    for (size_t k = 0; const uint32_t x : *fixed_) {
        StopCheck::every(k++, t.size() + 1);
        double k2 = 0, count = 0;  // K''(s x, t[1 .. j]) and K'(s, t[1 .. j])
        for (size_t j = 0; j < t.size(); ++j) {
            const double ends = t[j] == x ? lambda2 * (1 + count) : 0;
            sum += ends;
            k2 = lambda * k2 + ends;
            count = counts_[j + 1];
            counts_[j + 1] = lambda * count + k2;
        }
    }
    return sum;
}

}  // namespace sapwood
