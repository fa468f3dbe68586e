// Trains a reranker in dual form: the learner of ranker_trainer.hpp with a kernel in place of features. With the dot
// product of the features as kernel, G(x) = base(x) + sum_j alpha_j K(x_j, x) is the primal's F(x) = w . phi(x):
//
//     alpha_oracle <- alpha_oracle + step,  alpha_y' <- alpha_y' - step
//
// A candidate is its own feature: a violation's "features" are the candidates, counted from 1, and its squared length
// is taken by the kernel. Averaging is the lazy one of learner.hpp, over alpha.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "learner/dual_weights.hpp"
#include "learner/learner.hpp"
#include "learner/trainer.hpp"
#include "ranking/cached_sum.hpp"
#include "ranking/kernel_items.hpp"
#include "ranking/ranking.hpp"

namespace sapwood {

struct DualOptions {
    TrainingOptions training;  // min_updates, prune_below and names have no meaning here
    bool voted = false;
    size_t cache = 512 << 20;  // bytes for rows of kernels, at most; an option in MB

    template <class Visit>
    void each(Visit&& visit) {
        training.each(visit);
        visit("voted", voted);
        size_t megabytes = cache >> 20;
        visit("cache", megabytes);
        cache = megabytes << 20;
    }
};

// Keeps the weights as alphas of the candidates.
class DualLearner : public Presenting<DualLearner> {
  public:
    DualLearner(std::shared_ptr<const KernelItems> candidates, const DualOptions& options);

    // sum_j alpha_j K(x_j, x) for candidates begin..end: scores [end - begin].
    void score(size_t begin, size_t end, double* scores) const;

    double learn(Violation& violation, double importance = 1);

    // All that training has changed (learner/state.hpp). Throws ModelError, DataError.
    template <class State>
    void state(State s) {
        counts(s);
        s("alphas", alphas_);
        s("averages", averages_);
        s("support", support_);
        dual_updates_state(s, history_);
        if (cached_) cached_->state(s.within("sum"));
        if constexpr (State::kReads) check(s);
    }

    size_t active() const { return support_; }  // support candidates
    size_t tables() const { return 0; }         // no features, so nothing to prune
    DualWeights freeze() const;

  private:
    double squared_length(const Violation& violation);
    void add(size_t candidate, double delta);
    // Of a state that was read: checks it, and adds up the kernel's sum again, in the order of the updates.
    void check(const StateReader& s);

    bool voted_;
    std::shared_ptr<const KernelItems> candidates_;
    std::unique_ptr<KernelRow> row_;
    std::unique_ptr<KernelSum> sum_;   // where the kernel has one,
    std::optional<CachedSum> cached_;  // else this
    std::vector<double> alphas_;       // [candidates]
    std::vector<double> averages_;     // [candidates] alpha_a
    std::vector<DualUpdate>
        history_;  // all updates, if voted, or if the kernel has a sum, which depends on their order
    size_t support_ = 0;
};

class DualProblem {
  public:
    using Learner = DualLearner;

    DualProblem(RankingLists lists, std::vector<double> bases) : lists_(std::move(lists)), bases_(std::move(bases)) {}

    size_t examples() const { return lists_.size(); }
    void begin(const DualLearner&) {
        lists_.seal();
        lists_.require();
    }
    size_t present(size_t list, DualLearner& learner, FeatureNames*);

  private:
    RankingLists lists_;
    std::vector<double> bases_;   // [candidates] what the base model adds to the score
    std::vector<double> scores_;  // [candidates of a list] scratch
};

class DualTrainer {
  public:
    // starts: [lists + 1] first candidates; losses, bases: [candidates] losses, and what the base model adds to the
    // scores. Throws DataError if they are not of so many candidates.
    DualTrainer(std::shared_ptr<const KernelItems> candidates, const std::vector<size_t>& starts,
                const std::vector<double>& losses, std::vector<double> bases, const DualOptions& options);

    bool step(size_t lists) { return trainer_.step(lists); }
    // The whole state between two steps; see Trainer::state.
    template <class State>
    void state(State s) {
        trainer_.state(s);
    }

    Progress progress() const { return trainer_.progress(); }  // features: support candidates
    DualWeights freeze() const { return trainer_.learner().freeze(); }

    // Bytes that training takes at most besides the candidates.
    static size_t most_bytes(const KernelItems& candidates, size_t lists, size_t epochs, const DualOptions& options);

  private:
    Trainer<DualProblem> trainer_;
};

}  // namespace sapwood
