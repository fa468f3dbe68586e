// Trains a reranker in dual form: the learner of ranker_trainer.hpp with a kernel in place of features. With the dot
// product of the features as kernel, G(x) = base(x) + sum_j alpha_j K(x_j, x) is the primal's F(x) = w . phi(x):
//
//     y' <- argmax over j of G(x_j);  if x_y' is not the best:  alpha_oracle <- alpha_oracle + 1, alpha_y' <- alpha_y' - 1
//
// Averaging is the lazy one of learner.hpp, over alpha: alpha - alpha_a / c, where alpha_a <- alpha_a + c delta.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "learner/learner.hpp"
#include "ranking/cached_sum.hpp"
#include "ranking/dual_scorer.hpp"
#include "ranking/ranking.hpp"

namespace sapwood {

struct DualOptions {
    LearnerOptions learner;  // min_updates has no meaning here
    bool voted = false;
    size_t cache = 0;  // bytes for rows of kernels, at most
    size_t threads = 1;
};

class DualTrainer {
  public:
    // starts: [lists + 1] first candidates; losses, bases: [candidates] losses, and what the base model adds to the
    // scores. Throws DataError if they are not of so many candidates.
    DualTrainer(std::shared_ptr<const KernelItems> candidates, const std::vector<size_t>& starts,
                const std::vector<double>& losses, std::vector<double> bases, const DualOptions& options,
                uint64_t seed, bool shuffled);

    bool step(size_t lists);
    Progress progress() const;  // features: support candidates
    DualWeights freeze() const;

    // Bytes that training takes at most besides the candidates.
    static size_t most_bytes(const KernelItems& candidates, size_t lists, size_t epochs,
                             const DualOptions& options);

  private:
    bool learn(size_t begin, size_t end, const float* losses);
    double step_size(size_t oracle, size_t guess, double loss);
    void add(size_t candidate, double delta);
    double kernel(size_t a, size_t b);

    DualOptions options_;
    std::shared_ptr<const KernelItems> candidates_;
    std::vector<double> bases_;  // [candidates]
    RankingLists lists_;
    std::unique_ptr<KernelRow> row_;
    std::unique_ptr<KernelSum> sum_;   // where the kernel has one,
    std::optional<CachedSum> cached_;  // else this
    std::vector<double> alphas_;       // [candidates]
    std::vector<double> averages_;     // [candidates] alpha_a
    std::vector<DualUpdate> updates_;  // if voted
    uint64_t clock_ = 0;               // c: lists that were seen
    size_t support_ = 0;
    uint64_t count_ = 0;  // updates

    std::vector<double> scores_;  // [candidates of a list] scratch
};

}  // namespace sapwood
