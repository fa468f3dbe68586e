// The subsequence kernel of one sequence with many. Consecutive sequences of equal length, which are common among the
// candidates of a list, are compared in parallel, each in one vector lane. Along a sequence every step of the
// recurrence waits for the step before it, but lanes are independent. The results equal those of
// subsequence_kernel.hpp.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernel/subsequence_kernel.hpp"

namespace sapwood {

class SequenceBatches {
  public:
    static constexpr size_t kWidth = 8;  // number of lanes

    explicit SequenceBatches(const std::vector<SubsequenceKernel::Item>& sequences) {
        for (size_t k = 0; k < sequences.size();) {
            Batch batch{k, 1, sequences[k].size(), symbols_.size()};
            while (batch.count < kWidth && k + batch.count < sequences.size() &&
                   sequences[k + batch.count].size() == batch.length)
                ++batch.count;
            for (size_t j = 0; j < batch.length; ++j)
                for (size_t lane = 0; lane < kWidth; ++lane)  // unused lanes repeat the last sequence
                    symbols_.push_back(sequences[k + std::min(lane, batch.count - 1)][j]);
            k += batch.count;
            batches_.push_back(batch);
        }
    }

    size_t size() const { return batches_.size(); }
    size_t begin(size_t batch) const { return batches_[batch].first; }
    size_t end(size_t batch) const { return batches_[batch].first + batches_[batch].count; }

    struct Workspace {
        std::vector<double> counts;   // [n][|t| + 1][kWidth] K'_i, or of all lengths [|t| + 1][kWidth] K'
        std::vector<double> matches;  // [|t|][kWidth] lambda^2 where t has the symbol of s, else 0
    };

    // Computes the kernels, [end - begin], of s with the sequences of a batch.
    void compute(const SubsequenceKernel& kernel, const SubsequenceKernel::Item& s, size_t batch, Workspace& w,
                 double* kernels) const;

  private:
    struct Batch {
        size_t first, count;
        size_t length;  // length of each sequence
        size_t start;   // first symbol of the batch in symbols_
    };

    void all_lengths(const SubsequenceKernel& kernel, const SubsequenceKernel::Item& s, const Batch& batch,
                     Workspace& w, double* kernels) const;

    std::vector<Batch> batches_;
    std::vector<uint32_t> symbols_;  // [length][kWidth] for each batch
};

}  // namespace sapwood
