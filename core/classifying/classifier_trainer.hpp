// Trains a classifier: features in, one of k classes out (Schneider 2017, "Perceptron Learner").
//
//     y' <- argmax over y of w_y . phi(x);  if y' is not y:  w_y <- w_y + phi(x), w_y' <- w_y' - phi(x)
//
// The learner is the taggers', the search is argmax; the averaging clock ticks once an example. The cost of a wrong
// label is gamma times the mean of |phi(x)|^2 over the examples presented so far, so that results do not change with
// the unit of the features, nor with the length of texts. The rivals with an L1
// penalty (learner/l1.hpp) learn from the same examples in the same order.
#pragma once
#include <optional>
#include <vector>

#include "classifying/class_spec.hpp"
#include "features/feature_rows.hpp"
#include "learner/dual_weights.hpp"
#include "learner/epochs.hpp"
#include "learner/l1.hpp"
#include "learner/learner.hpp"
#include "model/freeze.hpp"

namespace sapwood {

struct ClassifierOptions {
    LearnerOptions learner;
    std::optional<L1Options> l1;  // instead of the learner
    bool voted = false;           // keep the updates, for freeze_votes
    uint32_t prune_below = 1;     // features in fewer examples are dropped beforehand
    uint64_t seed = 1;
    bool shuffled = true;
};

class ClassifierTrainer {
  public:
    ClassifierTrainer(size_t labels, const ClassifierOptions& options);

    // Adds examples. gold: [rows] numbers below labels; importance: [rows] what an example's step is multiplied
    // by, or empty: all 1. Throws DataError if they do not fit.
    void add(const FeatureRows& rows, const std::vector<uint32_t>& gold,
             const std::vector<double>& importance);

    // Forgets the examples, frees their memory and keeps what was learned, for others to follow.
    void forget_examples();

    // Trains on so many examples or up to the end of the epoch; true if it is over.
    bool step(size_t examples);

    Progress progress() const;  // features: if voted, examples that took part in updates
    size_t bytes() const;       // memory of the examples and the weights
    size_t examples() const { return gold_.size(); }

    // The averaged (or last) weights so far.
    PackedModel freeze(const FreezeOptions& options) const;

    // All the vectors so far, as updates of candidates example * labels + label.
    DualWeights freeze_votes() const;

  private:
    void begin();
    void prune();
    void learn(size_t example);

    ClassifierOptions options_;
    ClassSpec spec_;
    Learner learner_;
    std::optional<L1Learner> l1_;
    double squares_ = 0;                // sum of |phi(x)|^2 over the examples presented
    std::vector<size_t> starts_ = {0};  // [examples + 1]
    std::vector<uint32_t> features_;    // ascending in each example
    std::vector<float> values_;         // [features], or empty: all 1
    std::vector<uint32_t> gold_;        // [examples]
    std::vector<double> importance_;    // [examples], or empty: all 1
    std::vector<DualUpdate> updates_;   // if voted
    std::optional<Epochs> epochs_;      // once the examples are complete

    // Scratch.
    Violation violation_;
    std::vector<uint32_t> rows_;
    AlignedVector<float> scores_;
    std::vector<std::pair<uint32_t, float>> row_;
};

}  // namespace sapwood
