// Trains a reranker: of the candidates that another model proposes, the best one is to score highest (ranking.hpp).
//
//     w <- w + phi(x_oracle) - phi(x_y')
//
// The same learner over kernels: dual_trainer.hpp.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "features/feature_rows.hpp"
#include "learner/learner.hpp"
#include "learner/trainer.hpp"
#include "model/freeze.hpp"
#include "ranking/ranking.hpp"

namespace sapwood {

class RankerProblem {
  public:
    using Learner = sapwood::Learner;

    // In memory, or in scratch files in this folder (base/store.hpp).
    explicit RankerProblem(const std::string& scratch)
        : lists_(scratch), counts_(scratch), features_(scratch), values_(scratch) {}

    // See RankingLists::add.
    void add(const FeatureRows& rows, const std::vector<size_t>& starts, const std::vector<double>& losses,
             WeightTable& table);

    size_t examples() const { return lists_.size(); }
    void begin(const Learner&);
    std::span<uint32_t> numbered(size_t) { return features_.all(); }
    void arrange(std::span<const uint32_t> order, size_t from, size_t group);
    void reach(std::span<const uint32_t> order, size_t position);
    size_t present(size_t list, Learner& learner, FeatureNames* names) {
        return present(list, learner, names, scratch_);
    }
    // Scratch memory of one thread, and `present` with it (learner/trainer.hpp).
    struct Scratch {
        std::vector<uint32_t> rows;
        std::vector<size_t> starts;  // [candidates of a list + 1] first feature
        std::vector<float> scores;   // [candidates of a list]
    };
    std::unique_ptr<Scratch> scratch() const { return std::make_unique<Scratch>(); }
    size_t present(size_t list, Learner& learner, FeatureNames*, Scratch& scratch) const;
    bool knows_features() const { return true; }

  private:
    // Calls visit(store, starts) for the items of lists, where starts(k) is the first item of list k.
    template <class Visit>
    void each_store(Visit&& visit);

    RankingLists lists_;
    std::vector<uint64_t> starts_ = {0};  // [lists + 1] first feature
    Store<uint32_t> counts_;              // [candidates] features of each
    Store<uint32_t> features_;
    Store<float> values_;  // [features]
    Scratch scratch_;
};

class RankerTrainer {
  public:
    // scratch: a folder for scratch files with the lists, which are in memory without one.
    explicit RankerTrainer(const TrainingOptions& options, const std::string& scratch = {})
        : trainer_(options, RankerProblem(scratch), Learner(options.learner, {1})) {}

    // Lists of candidates. starts: [lists + 1] rows; losses: [rows]. Throws DataError if they do not fit.
    void add(const FeatureRows& rows, const std::vector<size_t>& starts, const std::vector<double>& losses) {
        trainer_.change_examples([&](RankerProblem& problem, Learner& learner, FeatureNames*) {
            problem.add(rows, starts, losses, learner.table(0));
        });
    }

    // Sets the weight of a feature before training: that of the base model's score, say.
    void prime(uint64_t key, double weight);

    // Before the first step: goes on from what a training with other lists has learned.
    void go_on_from(const StateReader& s) { trainer_.go_on_from(s); }

    bool step(size_t lists) { return trainer_.step(lists); }
    // The whole state between two steps; see Trainer::state.
    template <class State>
    void state(State s) {
        trainer_.state(s);
    }

    // The walk over the examples, for learner/mixing.hpp.
    Trainer<RankerProblem>& walk() { return trainer_; }

    Progress progress() const { return trainer_.progress(); }
    PackedModel freeze(const FreezeOptions& options) const { return sapwood::freeze(trainer_.learner(), options); }
    void prune(const RankerTrainer& whole, const FreezeOptions& options) {
        sapwood::prune(trainer_, whole.trainer_, options);
    }

  private:
    Trainer<RankerProblem> trainer_;
};

inline PackedModel freeze(const RankerTrainer& trainer, const FreezeOptions& options) {
    return trainer.freeze(options);
}
inline void prune(RankerTrainer& trainer, const RankerTrainer& whole, const FreezeOptions& options) {
    trainer.prune(whole, options);
}

}  // namespace sapwood
