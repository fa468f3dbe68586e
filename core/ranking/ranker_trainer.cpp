#include "ranking/ranker_trainer.hpp"

#include <algorithm>

namespace sapwood {

RankerTrainer::RankerTrainer(const LearnerOptions& options, uint64_t seed, bool shuffled)
    : options_(options), learner_(options, {1}), lists_(seed, shuffled) {}

void RankerTrainer::add(const FeatureRows& rows, const std::vector<size_t>& starts,
                        const std::vector<double>& losses) {
    lists_.add(rows.size(), starts, losses);
    WeightTable& table = learner_.table(0);
    for (size_t r = 0; r < rows.size(); ++r) {
        for (size_t k = rows.begin(r); k < rows.end(r); ++k) {
            features_.push_back(table.intern(rows.keys()[k]));
            values_.push_back(rows.binary() ? 1.0f : rows.values()[k]);
        }
        starts_.push_back(features_.size());
    }
}

void RankerTrainer::prime(uint64_t key, double weight) {
    WeightTable& table = learner_.table(0);
    const uint32_t feature = table.intern(key);
    table.update(feature, 0, static_cast<float>(weight), 0);
    for (uint32_t k = 0; k < std::max(options_.min_updates, 1u); ++k) table.count_update(feature);
}

bool RankerTrainer::step(size_t lists) {
    return lists_.step(
        lists, [this](size_t begin, size_t end, const float* losses) { return learn(begin, end, losses); });
}

bool RankerTrainer::learn(size_t begin, size_t end, const float* losses) {
    const WeightTable& table = learner_.table(0);
    float score[kLanes];
    scores_.resize(end - begin);
    for (size_t c = begin; c < end; ++c) {
        const size_t from = starts_[c], count = starts_[c + 1] - from;
        rows_.resize(count);
        for (size_t k = 0; k < count; ++k) rows_[k] = table.scored_row(features_[from + k]);
        table.score(rows_.data(), values_.data() + from, count, score);
        scores_[c - begin] = score[0];
    }
    const auto mistake = ranking_mistake(scores_, losses, learner_.cost());
    if (mistake) {
        violation_.loss = mistake->loss;
        const size_t oracle = begin + mistake->oracle, guess = begin + mistake->guess;
        for (size_t k = starts_[oracle]; k < starts_[oracle + 1]; ++k)
            violation_.gold(0, features_[k], 0, values_[k]);
        for (size_t k = starts_[guess]; k < starts_[guess + 1]; ++k)
            violation_.guess(0, features_[k], 0, values_[k]);
        learner_.learn(violation_);
    }
    learner_.tick();
    return mistake.has_value();
}

Progress RankerTrainer::progress() const {
    Progress p = lists_.progress();
    p.updates = learner_.updates();
    p.features = learner_.table(0).active();
    return p;
}

}  // namespace sapwood
