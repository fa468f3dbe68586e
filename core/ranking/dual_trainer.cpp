#include "ranking/dual_trainer.hpp"

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "base/stop_check.hpp"

namespace sapwood {

namespace {

size_t candidate_of(const Violation::Part& part) {
    return static_cast<uint32_t>(part.feature()) - 1;
}

DualProblem problem(size_t candidates, const std::vector<size_t>& starts, const std::vector<double>& losses,
                    std::vector<double> bases) {
    if (bases.size() != candidates) throw DataError("candidates and scores differ in number");
    RankingLists lists;
    lists.add(candidates, starts, losses);
    return DualProblem(std::move(lists), std::move(bases));
}

}  // namespace

DualLearner::DualLearner(std::shared_ptr<const KernelItems> candidates, const DualOptions& options)
    : Presenting(options.training.learner),
      voted_(options.voted),
      candidates_(std::move(candidates)),
      row_(candidates_->row()),
      sum_(candidates_->sum()),
      alphas_(candidates_->size()),
      averages_(candidates_->size()) {
    if (sum_ == nullptr) cached_.emplace(*candidates_, options.cache, options.training.threads);
}

void DualLearner::score(size_t begin, size_t end, double* scores) const {
    if (sum_ != nullptr) return sum_->score(*candidates_, begin, end, scores);
    for (size_t c = begin; c < end; ++c) *scores++ = cached_->score(c);
}

double DualLearner::learn(Violation& violation, double importance) {
    double step = importance;
    if (needs_loss())
        step = passive_aggressive_step(violation.loss, squared_length(violation), options_.aggressiveness * importance);
    if (step > 0) {
        const auto& parts = violation.parts();  // the oracle, then the guess
        for (const Violation::Part& part : parts) add(candidate_of(part), step * static_cast<double>(part.delta));
        ++updates_;
        if (voted_ || sum_ != nullptr)
            history_.push_back({static_cast<uint32_t>(candidate_of(parts[0])),
                                static_cast<uint32_t>(candidate_of(parts[1])), step, clock_});
    }
    violation.clear();
    return step;
}

// |phi(oracle) - phi(guess)|^2 = K(oracle, oracle) - 2 K(oracle, guess) + K(guess, guess)
double DualLearner::squared_length(const Violation& violation) {
    double sum = 0;
    for (const Violation::Part& a : violation.parts())
        for (const Violation::Part& b : violation.parts()) {
            double value = 0;
            row_->compute(candidate_of(a), *candidates_, candidate_of(b), candidate_of(b) + 1, &value);
            sum += static_cast<double>(a.delta) * static_cast<double>(b.delta) * value;
        }
    return sum;
}

void DualLearner::add(size_t candidate, double delta) {
    if (sum_ != nullptr)
        sum_->add(candidate, delta);
    else
        cached_->add(candidate, delta);
    support_ -= alphas_[candidate] != 0;
    alphas_[candidate] += delta;
    support_ += alphas_[candidate] != 0;
    averages_[candidate] += static_cast<double>(clock_) * delta;
}

void DualLearner::check(const StateReader& s) {
    s.require(alphas_.size() == candidates_->size(), "alphas", "is not of as many candidates as the data have");
    const auto is_small = [](double value) { return std::abs(value) < 1e99; };  // what freeze() takes, with room
    s.require(std::ranges::all_of(alphas_, is_small), "alphas", "has a number of 1e99 or more");
    s.require(std::ranges::all_of(averages_, is_small), "averages", "has a number of 1e99 or more");
    s.require(averages_.size() == candidates_->size(), "averages", "is not of as many candidates as the data have");
    check_updates(history_, candidates_->size(), clock_);
    if (sum_ == nullptr) return;
    sum_ = candidates_->sum();
    for (const DualUpdate& update : history_) {
        StopCheck::now();
        sum_->add(update.oracle, update.step);
        sum_->add(update.guess, -update.step);
    }
}

DualWeights DualLearner::freeze() const {
    if (voted_) return voted_weights(history_, alphas_.size(), 1, clock_);
    DualWeights weights;
    weights.clock = clock_;
    const double clock = averaging_clock();
    for (uint32_t k = 0; k < alphas_.size(); ++k) {
        const double alpha = clock > 0 ? alphas_[k] - averages_[k] / clock : alphas_[k];
        if (alpha == 0) continue;
        weights.support.push_back(k);
        weights.alphas.push_back(alpha);
    }
    return weights;
}

size_t DualProblem::present(size_t list, DualLearner& learner, FeatureNames*) {
    const size_t begin = lists_.begin(list), end = lists_.end(list);
    scores_.resize(end - begin);
    learner.score(begin, end, scores_.data());
    for (size_t c = begin; c < end; ++c) scores_[c - begin] = bases_[c] + scores_[c - begin];
    lists_.present(list, learner, scores_, [](Violation& violation, size_t oracle, size_t guess) {
        violation.gold(0, static_cast<uint32_t>(oracle) + 1, 0);
        violation.guess(0, static_cast<uint32_t>(guess) + 1, 0);
    });
    return 1;
}

DualTrainer::DualTrainer(std::shared_ptr<const KernelItems> candidates, const std::vector<size_t>& starts,
                         const std::vector<double>& losses, std::vector<double> bases, const DualOptions& options)
    : trainer_(options.training, problem(candidates->size(), starts, losses, std::move(bases)),
               DualLearner(candidates, options)) {}

size_t DualTrainer::most_bytes(const KernelItems& candidates, size_t lists, size_t epochs, const DualOptions& options) {
    const size_t n = candidates.size(), updates = lists * epochs, support = std::min(n, 2 * updates);
    size_t each = 3 * sizeof(double) + sizeof(float);  // base, alpha, alpha_a, loss
    size_t rows = 0;
    if (candidates.sum() == nullptr) {
        each += 2 * sizeof(double);  // score, exact kernel
        rows = std::max(sizeof(float) * n, std::min(options.cache, support * n * sizeof(float)));
    }
    const size_t history = options.voted                 ? 4 * updates * sizeof(DualUpdate)
                           : candidates.sum() != nullptr ? 2 * updates * sizeof(DualUpdate)
                                                         : 0;
    const size_t copy = candidates.bytes();  // of the support, to score held-out lists
    return n * each + rows + candidates.learner_bytes() + history + copy;
}

}  // namespace sapwood
