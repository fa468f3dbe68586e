// Trains a reranker (Collins & Duffy 2002; Clark 2015, "A Ranking Perceptron"): of the candidates that another model
// proposes, the best one is to score highest.
//
//     y' <- argmax over j of w . phi(x_j);  if x_y' is not the best:  w <- w + phi(x_oracle) - phi(x_y')
//
// Each candidate has a loss, and the oracle is the one with the least, of several that which scores highest; it need not
// be gold. With a margin, a candidate competes with gamma times what its loss is above the oracle's. The averaging clock
// ticks once a list.
#pragma once
#include <optional>
#include <vector>

#include "features/feature_rows.hpp"
#include "learner/learner.hpp"
#include "model/freeze.hpp"
#include "tasks/epochs.hpp"

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
    void learn(size_t list);

    LearnerOptions options_;
    uint64_t seed_;
    bool shuffled_;
    Learner learner_;
    std::vector<size_t> lists_ = {0};   // [lists + 1] first candidate
    std::vector<size_t> starts_ = {0};  // [candidates + 1] first feature
    std::vector<uint32_t> features_;
    std::vector<float> values_;  // [features]
    std::vector<float> losses_;  // [candidates]
    std::optional<Epochs> epochs_;

    // Scratch.
    Violation violation_;
    std::vector<uint32_t> rows_;
    std::vector<float> scores_;  // [candidates of a list]
};

}  // namespace sapwood
