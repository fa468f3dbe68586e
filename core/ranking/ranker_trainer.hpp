// Trains a reranker (Collins & Duffy 2002; Clark 2015, "A Ranking Perceptron"): of the candidates that another model
// proposes, the best one is to score highest.
//
//     y' <- argmax over j of w . phi(x_j);  if x_y' is not the best:  w <- w + phi(x_oracle) - phi(x_y')
//
// Which candidates these are: ranking.hpp. The averaging clock ticks once a list. The same learner over kernels:
// dual_trainer.hpp.
#pragma once
#include <vector>

#include "features/feature_rows.hpp"
#include "learner/learner.hpp"
#include "model/freeze.hpp"
#include "ranking/ranking.hpp"

namespace sapwood {

class RankerTrainer {
  public:
    RankerTrainer(const LearnerOptions& options, uint64_t seed, bool shuffled);

    // Lists of candidates. starts: [lists + 1] rows; losses: [rows]. Throws DataError if they do not fit.
    void add(const FeatureRows& rows, const std::vector<size_t>& starts, const std::vector<double>& losses);

    // Sets the weight of a feature before training: of the base model's score, say.
    void prime(uint64_t key, double weight);

    bool step(size_t lists);
    Progress progress() const;
    PackedModel freeze(const FreezeOptions& options) const { return sapwood::freeze(learner_, options); }

  private:
    bool learn(size_t begin, size_t end, const float* losses);

    LearnerOptions options_;
    Learner learner_;
    RankingLists lists_;
    std::vector<size_t> starts_ = {0};  // [candidates + 1] first feature
    std::vector<uint32_t> features_;
    std::vector<float> values_;  // [features]

    // Scratch.
    Violation violation_;
    std::vector<uint32_t> rows_;
    std::vector<float> scores_;  // [candidates of a list]
};

}  // namespace sapwood
