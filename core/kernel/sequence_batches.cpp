#include "kernel/sequence_batches.hpp"

#include "base/stop_check.hpp"

namespace sapwood {

void SequenceBatches::compute(const SubsequenceKernel& kernel, const SubsequenceKernel::Item& s, size_t batch,
                              Workspace& w, double* kernels) const {
    constexpr size_t L = kWidth;
    const Batch& all = batches_[batch];
    const size_t n = kernel.length(), length = all.length, width = (length + 1) * L;
    const double lambda = kernel.decay(), lambda2 = lambda * lambda;
    std::fill_n(kernels, all.count, 0.0);
    if (n == SubsequenceKernel::kAnyLength) return all_lengths(kernel, s, all, w, kernels);
    if (std::min(s.size(), length) < n) return;
    w.counts.assign(n * width, 0);
    std::fill_n(w.counts.begin(), width, 1);
    w.matches.resize(length * L);
    const uint32_t* t = symbols_.data() + all.start;
    double* match = w.matches.data();
    double sum[L] = {};
    for (size_t k = 0; const uint32_t x : s) {
        StopCheck::every(k++, n * width);
        const double* last = &w.counts[(n - 1) * width];
        for (size_t j = 0; j < length * L; ++j) match[j] = t[j] == x ? lambda2 : 0;
        for (size_t j = 0; j < length * L; j += L)
            for (size_t lane = 0; lane < L; ++lane) sum[lane] += match[j + lane] * last[j + lane];
        for (size_t i = n - 1; i > 0; --i) {  // downwards, because K'_{i-1} must still be that of s without x
            const double* shorter = &w.counts[(i - 1) * width];
            double* count = &w.counts[i * width] + L;
            double k2[L] = {};  // K''_i(s x, t[1 .. j])
            for (size_t j = 0; j < length * L; j += L) {
                double next[L];  // a separate array cannot alias the inputs, so the compiler vectorises the lanes
                for (size_t lane = 0; lane < L; ++lane)
                    k2[lane] = lambda * k2[lane] + match[j + lane] * shorter[j + lane];
                for (size_t lane = 0; lane < L; ++lane) next[lane] = lambda * count[j + lane] + k2[lane];
                std::copy_n(next, L, count + j);
            }
        }
    }
    std::copy_n(sum, all.count, kernels);
}

void SequenceBatches::all_lengths(const SubsequenceKernel& kernel, const SubsequenceKernel::Item& s, const Batch& all,
                                  Workspace& w, double* kernels) const {
    constexpr size_t L = kWidth;
    const double lambda = kernel.decay(), lambda2 = lambda * lambda;
    w.counts.assign((all.length + 1) * L, 0);
    const uint32_t* t = symbols_.data() + all.start;
    double sum[L] = {};
    for (size_t k = 0; const uint32_t x : s) {
        StopCheck::every(k++, all.length + 1);
        double k2[L] = {}, count[L] = {};  // K''(s x, t[1 .. j]) and K'(s, t[1 .. j])
        double* counts = w.counts.data() + L;
        for (size_t j = 0; j < all.length * L; j += L) {
            double next[L];  // a separate array cannot alias the inputs, so the compiler vectorises the lanes
            for (size_t lane = 0; lane < L; ++lane) {
                const double ends = t[j + lane] == x ? lambda2 * (1 + count[lane]) : 0;
                sum[lane] += ends;
                k2[lane] = lambda * k2[lane] + ends;
                count[lane] = counts[j + lane];
                next[lane] = lambda * count[lane] + k2[lane];
            }
            std::copy_n(next, L, counts + j);
        }
    }
    std::copy_n(sum, all.count, kernels);
}

}  // namespace sapwood
