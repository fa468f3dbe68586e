#include "tasks/ranker_trainer.hpp"

#include <algorithm>
#include <cmath>

#include "errors.hpp"

namespace sapwood {

RankerTrainer::RankerTrainer(const LearnerOptions& options, uint64_t seed, bool shuffled)
    : options_(options), seed_(seed), shuffled_(shuffled), learner_(options, {1}) {}

void RankerTrainer::add(const FeatureRows& rows, const std::vector<size_t>& starts,
                        const std::vector<double>& losses) {
    if (starts.empty() || starts.front() != 0 || starts.back() != rows.size() ||
        losses.size() != rows.size() || !std::is_sorted(starts.begin(), starts.end()))
        throw DataError("lists, candidates and losses differ in number");
    for (double loss : losses)
        if (!std::isfinite(loss)) throw DataError("the loss of a candidate is not a finite number");
    WeightTable& table = learner_.table(0);
    const size_t before = losses_.size();
    for (size_t k = 1; k < starts.size(); ++k) lists_.push_back(before + starts[k]);
    for (size_t r = 0; r < rows.size(); ++r) {
        for (size_t k = rows.begin(r); k < rows.end(r); ++k) {
            features_.push_back(table.intern(rows.keys()[k]));
            values_.push_back(rows.binary() ? 1.0f : rows.values()[k]);
        }
        starts_.push_back(features_.size());
        losses_.push_back(static_cast<float>(losses[r]));
    }
    epochs_.reset();
}

void RankerTrainer::prime(uint64_t key, double weight) {
    WeightTable& table = learner_.table(0);
    const uint32_t feature = table.intern(key);
    table.update(feature, 0, static_cast<float>(weight), 0);
    for (uint32_t k = 0; k < std::max(options_.min_updates, 1u); ++k) table.count_update(feature);
}

bool RankerTrainer::step(size_t lists) {
    if (lists_.size() == 1) throw DataError("there is no list of candidates to train on");
    if (!epochs_) epochs_.emplace(lists_.size() - 1, seed_, shuffled_);
    return epochs_->step(lists, [&](size_t list) {
        learn(list);
        return 1;
    });
}

void RankerTrainer::learn(size_t list) {
    const size_t begin = lists_[list], n = lists_[list + 1] - begin;
    const WeightTable& table = learner_.table(0);
    float score[kLanes];
    scores_.resize(n);
    for (size_t c = 0; c < n; ++c) {
        const size_t from = starts_[begin + c], count = starts_[begin + c + 1] - from;
        rows_.resize(count);
        for (size_t k = 0; k < count; ++k) rows_[k] = table.scored_row(features_[from + k]);
        table.score(rows_.data(), values_.data() + from, count, score);
        scores_[c] = score[0];
    }
    const float* losses = losses_.data() + begin;
    size_t oracle = 0, guess = 0;
    for (size_t c = 1; c < n; ++c)
        if (losses[c] < losses[oracle] || (losses[c] == losses[oracle] && scores_[c] > scores_[oracle]))
            oracle = c;
    const auto competing = [&](size_t c) {
        return scores_[c] + learner_.cost() * (losses[c] - losses[oracle]);
    };
    for (size_t c = 1; c < n; ++c)
        if (competing(c) > competing(guess)) guess = c;
    if (n > 0 && losses[guess] > losses[oracle]) {
        epochs_->count_mistakes(1);
        violation_.loss = static_cast<double>(competing(guess)) - static_cast<double>(scores_[oracle]);
        for (size_t k = starts_[begin + oracle]; k < starts_[begin + oracle + 1]; ++k)
            violation_.gold(0, features_[k], 0, values_[k]);
        for (size_t k = starts_[begin + guess]; k < starts_[begin + guess + 1]; ++k)
            violation_.guess(0, features_[k], 0, values_[k]);
        learner_.learn(violation_);
    }
    learner_.tick();
}

Progress RankerTrainer::progress() const {
    Progress p = epochs_ ? epochs_->progress() : Progress{};
    p.updates = learner_.updates();
    p.features = learner_.table(0).active();
    return p;
}

}  // namespace sapwood
