#include "ranking/dual_trainer.hpp"

#include <algorithm>

#include "base/errors.hpp"

namespace sapwood {

DualTrainer::DualTrainer(std::shared_ptr<const KernelItems> candidates, const std::vector<size_t>& starts,
                         const std::vector<double>& losses, std::vector<double> bases,
                         const DualOptions& options, uint64_t seed, bool shuffled)
    : options_(options),
      candidates_(std::move(candidates)),
      bases_(std::move(bases)),
      lists_(seed, shuffled),
      row_(candidates_->row()),
      sum_(candidates_->sum()),
      alphas_(candidates_->size()),
      averages_(candidates_->size()) {
    lists_.add(candidates_->size(), starts, losses);
    if (bases_.size() != candidates_->size()) throw DataError("candidates and scores differ in number");
    if (sum_ == nullptr) cached_.emplace(*candidates_, options_.cache, options_.threads);
}

bool DualTrainer::step(size_t lists) {
    return lists_.step(
        lists, [this](size_t begin, size_t end, const float* losses) { return learn(begin, end, losses); });
}

bool DualTrainer::learn(size_t begin, size_t end, const float* losses) {
    scores_.resize(end - begin);
    if (sum_ != nullptr) sum_->score(*candidates_, begin, end, scores_.data());
    for (size_t c = begin; c < end; ++c)
        scores_[c - begin] = bases_[c] + (cached_ ? cached_->score(c) : scores_[c - begin]);
    const auto mistake = ranking_mistake(scores_, losses, options_.learner.cost());
    if (mistake) {
        const size_t oracle = begin + mistake->oracle, guess = begin + mistake->guess;
        if (const double step = step_size(oracle, guess, mistake->loss); step > 0) {
            add(oracle, step);
            add(guess, -step);
            ++count_;
            if (options_.voted)
                updates_.push_back(
                    {static_cast<uint32_t>(oracle), static_cast<uint32_t>(guess), step, clock_});
        }
    }
    ++clock_;
    return mistake.has_value();
}

// |phi(oracle) - phi(guess)|^2 = K(oracle, oracle) - 2 K(oracle, guess) + K(guess, guess)
double DualTrainer::step_size(size_t oracle, size_t guess, double loss) {
    if (options_.learner.update != Update::passive_aggressive) return 1;
    const double norm = kernel(oracle, oracle) - 2 * kernel(oracle, guess) + kernel(guess, guess);
    return passive_aggressive_step(loss, norm);
}

double DualTrainer::kernel(size_t a, size_t b) {
    double value = 0;
    row_->compute(a, *candidates_, b, b + 1, &value);
    return value;
}

void DualTrainer::add(size_t candidate, double delta) {
    if (sum_ != nullptr)
        sum_->add(candidate, delta);
    else
        cached_->add(candidate, delta);
    support_ -= alphas_[candidate] != 0;
    alphas_[candidate] += delta;
    support_ += alphas_[candidate] != 0;
    averages_[candidate] += static_cast<double>(clock_) * delta;
}

Progress DualTrainer::progress() const {
    Progress p = lists_.progress();
    p.updates = count_;
    p.features = support_;
    return p;
}

DualWeights DualTrainer::freeze() const {
    if (options_.voted) return voted_weights(updates_, alphas_.size(), 1, clock_);
    DualWeights weights;
    weights.clock = clock_;
    const double clock = options_.learner.average && clock_ > 0 ? static_cast<double>(clock_) : 0;
    for (uint32_t k = 0; k < alphas_.size(); ++k) {
        const double alpha = clock > 0 ? alphas_[k] - averages_[k] / clock : alphas_[k];
        if (alpha == 0) continue;
        weights.support.push_back(k);
        weights.alphas.push_back(alpha);
    }
    return weights;
}

size_t DualTrainer::most_bytes(const KernelItems& candidates, size_t lists, size_t epochs,
                               const DualOptions& options) {
    const size_t n = candidates.size(), updates = lists * epochs, support = std::min(n, 2 * updates);
    size_t each = 3 * sizeof(double) + sizeof(float);  // base, alpha, alpha_a, loss
    size_t rows = 0;
    if (candidates.sum() == nullptr) {
        each += 2 * sizeof(double);  // score, exact kernel
        rows = std::max(sizeof(float) * n, std::min(options.cache, support * n * sizeof(float)));
    }
    const size_t history = options.voted ? 4 * updates * sizeof(DualUpdate) : 0;
    const size_t copy = candidates.bytes();  // of the support, to score held-out lists
    return n * each + rows + candidates.learner_bytes() + history + copy;
}

}  // namespace sapwood
