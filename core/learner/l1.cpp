#include "learner/l1.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sapwood {

namespace {

constexpr double kDecay = 0.85;              // alpha
constexpr uint64_t kTruncationPeriod = 100;  // K

// Towards 0 by `penalty`, and no further.
double clipped(double weight, double penalty) {
    return weight > 0 ? std::max(0.0, weight - penalty) : std::min(0.0, weight + penalty);
}

}  // namespace

L1Learner::L1Learner(const L1Options& options, size_t labels)
    : options_(options), outputs_(labels == 2 ? 1 : labels), keys_({.average = false}, {outputs_}), scores_(outputs_) {}

void L1Learner::begin(size_t examples) {
    examples_ = static_cast<double>(examples);
    const size_t features = keys_.table(0).features();
    weights_.resize((features + 1) * outputs_);
    received_.resize(options_.penalty == Penalty::cumulative ? weights_.size() : features + 1);
}

L1Learner::Paid L1Learner::paid(size_t k, size_t feature, double owed) const {
    const double w = weights_[k];
    if (options_.penalty == Penalty::truncated) return {clipped(w, owed - received_[feature]), owed};
    // w > 0: w <- max(0, w - (u + q));  w < 0: w <- min(0, w + (u - q));  q <- q + what it changed
    const double next = clipped(w, w > 0 ? owed + received_[k] : owed - received_[k]);
    return {next, received_[k] + next - w};
}

void L1Learner::present(std::span<const uint32_t> features, const float* values, uint32_t gold, double importance) {
    const double eta = options_.eta * std::pow(kDecay, static_cast<double>(presented_) / examples_);
    const auto value = [&](size_t j) { return values == nullptr ? 1.0 : static_cast<double>(values[j]); };

    if (options_.penalty == Penalty::truncated)
        for (uint32_t f : features) {
            for (size_t k = f * outputs_; k < (f + 1) * outputs_; ++k) weights_[k] = paid(k, f, owed_).weight;
            received_[f] = owed_;
        }

    std::fill(scores_.begin(), scores_.end(), 0.0);
    for (size_t j = 0; j < features.size(); ++j)
        for (size_t y = 0; y < outputs_; ++y) scores_[y] += value(j) * weights_[features[j] * outputs_ + y];

    // scores_ becomes the gradient, 1[y = gold] - p(y | x); of two classes the first scores 0.
    bool right;
    if (outputs_ == 1) {
        right = (scores_[0] > 0) == (gold == 1);
        scores_[0] = (gold == 1 ? 1.0 : 0.0) - 1 / (1 + std::exp(-scores_[0]));
    } else {
        const auto best = std::max_element(scores_.begin(), scores_.end());
        right = best - scores_.begin() == static_cast<std::ptrdiff_t>(gold);
        const double largest = *best;
        double sum = 0;
        for (double& s : scores_) sum += s = std::exp(s - largest);
        for (double& s : scores_) s = -s / sum;
        scores_[gold] += 1;
    }
    for (size_t j = 0; j < features.size(); ++j)
        for (size_t y = 0; y < outputs_; ++y)
            weights_[features[j] * outputs_ + y] += eta * importance * value(j) * scores_[y];

    ++presented_;
    mistakes_ += !right;
    const double gravity = eta * options_.strength / examples_;
    if (options_.penalty == Penalty::truncated) {
        pending_ += gravity;
        if (presented_ % kTruncationPeriod == 0) owed_ += std::exchange(pending_, 0.0);
        return;
    }
    owed_ += gravity;
    for (uint32_t f : features)
        for (size_t k = f * outputs_; k < (f + 1) * outputs_; ++k) {
            const Paid now = paid(k, f, owed_);
            weights_[k] = now.weight;
            received_[k] = now.received;
        }
}

size_t L1Learner::active() const {
    size_t features = 0;
    uint32_t last = 0;
    each_weight([&](uint32_t feature, uint32_t, double) { features += std::exchange(last, feature) != feature; });
    return features;
}

Learner L1Learner::weights() const {
    Learner learner = keys_;
    WeightTable& table = learner.table(0);
    uint32_t last = 0;
    each_weight([&](uint32_t feature, uint32_t output, double weight) {
        table.update(feature, output, static_cast<float>(weight), 0);
        if (std::exchange(last, feature) != feature) table.count_update(feature);
    });
    return learner;
}

}  // namespace sapwood
