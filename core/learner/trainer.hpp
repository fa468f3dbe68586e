// The walk of an online learner over its training data, for every task: each example once an epoch, in a new seeded
// order; progress; rare features dropped beforehand; the frozen model and the names of its features.
//
// A task is a Problem: its examples as features, and how one of them is presented to the learner. It has
//
//     Learner                   the type that keeps the weights: Learner, or DualLearner
//     examples()                how many there are: sentences, texts, lists of candidates
//     present(k, learner, names)   presents the decisions of example k; returns how many units it has (tokens, say).
//                               Features that it interns on the way are spelled into `names`, if that is not nullptr
//
// and, where there is a need,
//
//     begin(learner)            called before the first epoch, and again after examples were added; throws DataError
//                               if there is nothing to learn from
//     numbered(t)               the feature numbers of all examples in table t, to be pruned by count
//     outputs(t)                how the outputs of table t are renumbered in the file (model/freeze.hpp)
//     bytes()                   memory of the examples
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/shuffle.hpp"
#include "learner/feature_names.hpp"
#include "learner/presenting.hpp"

namespace sapwood {

struct Progress {
    size_t epoch = 0;      // epochs completed
    size_t examples = 0;   // units (tokens, say) seen in the current or just completed epoch
    size_t mistakes = 0;   // wrong parts in what the training search returned, in this epoch (presenting.hpp)
    size_t features = 0;   // what has been learned: features that score, or support examples
    uint64_t updates = 0;  // since the start
};

struct TrainingOptions {
    LearnerOptions learner;
    uint32_t prune_below = 1;  // features that occur less often in the training data are dropped beforehand
    uint64_t seed = 1;
    bool shuffled = true;  // a new order for every epoch, or that of the data
    bool names = false;    // keep the texts of features
};

template <class Problem>
class Trainer {
  public:
    using Learner = typename Problem::Learner;

    Trainer(const TrainingOptions& options, Problem problem, Learner learner)
        : options_(options),
          problem_(std::move(problem)),
          learner_(std::move(learner)),
          names_(options.names ? std::make_unique<FeatureNames>() : nullptr),
          random_(options.seed) {}

    // Lets change(problem, learner, names) add examples, or forget them; the next step begins an epoch.
    template <class Change>
    void change_examples(Change&& change) {
        change(problem_, learner_, names_.get());
        order_.clear();
    }

    // Lets change(learner) change the weights between two epochs.
    template <class Change>
    void change_weights(Change&& change) {
        change(learner_);
    }

    // Trains until about `units` have been seen or the epoch is over; true if it is over. Throws DataError if there is
    // no example.
    bool step(size_t units) {
        if (order_.empty()) begin();
        if (position_ == order_.size()) {
            if (options_.shuffled) shuffle(order_, random_);
            position_ = seen_ = 0;
            mistakes_before_ = learner_.mistakes();
        }
        const size_t stop = seen_ + std::min(units, SIZE_MAX - seen_);
        while (position_ < order_.size() && seen_ < stop)
            seen_ += problem_.present(order_[position_++], learner_, names_.get());
        if (position_ < order_.size()) return false;
        ++epoch_;
        return true;
    }

    Progress progress() const {
        return {epoch_, seen_, learner_.mistakes() - mistakes_before_, learner_.active(), learner_.updates()};
    }

    const Problem& problem() const { return problem_; }
    const Learner& learner() const { return learner_; }
    // The texts of the features, or nullptr if they are not kept.
    const FeatureNames* names() const { return names_.get(); }

    // Memory of the examples and the weights.
    size_t bytes() const { return problem_.bytes() + learner_.bytes(); }

  private:
    void begin() {
        if constexpr (requires { problem_.begin(learner_); }) problem_.begin(learner_);
        if constexpr (requires { problem_.numbered(0); })
            if (options_.prune_below > 1)
                for (size_t t = 0; t < learner_.tables(); ++t) prune(problem_.numbered(t));
        order_.resize(problem_.examples());
        std::iota(order_.begin(), order_.end(), 0);
        position_ = order_.size();
        random_ = options_.seed;
        epoch_ = seen_ = 0;
        mistakes_before_ = learner_.mistakes();
    }

    // Rare-feature pruning, the usual alternative to min_updates: rare features become feature 0, which is none.
    void prune(std::vector<uint32_t>& features) const {
        std::vector<uint32_t> count(features.empty() ? 0 : *std::max_element(features.begin(), features.end()) + 1);
        for (uint32_t f : features) ++count[f];
        for (uint32_t& f : features)
            if (count[f] < options_.prune_below) f = 0;
    }

    TrainingOptions options_;
    Problem problem_;
    Learner learner_;
    std::unique_ptr<FeatureNames> names_;
    std::vector<uint32_t> order_;   // [examples] as they are presented; empty until an epoch begins
    size_t position_ = 0;           // in order_; at its end the next step shuffles
    uint64_t random_;               // state of the shuffling
    size_t epoch_ = 0, seen_ = 0;   // epochs completed; units of the current one
    uint64_t mistakes_before_ = 0;  // those of earlier epochs
};

}  // namespace sapwood
