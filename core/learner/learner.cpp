#include "learner/learner.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/stop_check.hpp"

namespace sapwood {

namespace {

constexpr int kMostRounds = 1000;  // of Hildreth's algorithm
constexpr double kPrecision = 1e-8;

// alpha of the minimum of |sum alpha_j a_j|^2 / 2 - sum alpha_j b_j with 0 <= alpha_j <= C = `most`, by Hildreth's algorithm
// (1957): one alpha after the other takes its best value. gram: [k][k] dot products of the a_j.
std::vector<double> hildreth(const std::vector<double>& gram, const std::vector<double>& b, double most) {
    const size_t k = b.size();
    std::vector<double> alpha(k), slope = b;  // b_j - a_j . (sum alpha a)
    for (int round = 0; round < kMostRounds; ++round) {
        double farthest = 0;
        for (size_t j = 0; j < k; ++j) {
            StopCheck::after(k);
            if (gram[j * k + j] <= 0) continue;
            const double next = std::clamp(alpha[j] + slope[j] / gram[j * k + j], 0.0, most);
            const double step = next - alpha[j];
            alpha[j] = next;
            for (size_t i = 0; i < k; ++i) slope[i] -= step * gram[j * k + i];
            farthest = std::max(farthest, std::abs(step));
        }
        if (farthest < kPrecision) break;
    }
    return alpha;
}

}  // namespace

Learner::Learner(const LearnerOptions& options, const std::vector<size_t>& widths, size_t of_structures)
    : Presenting(options) {
    tables_ = std::make_shared<std::vector<WeightTable>>();
    for (size_t width : widths) tables_->emplace_back(width, options.min_updates, options.key_bits);
    if (options.count_updates == CountUpdates::weight)
        for (size_t t = 0; t < of_structures; ++t) table(t).count_by_weight();
}

void Learner::intern(size_t t, const uint64_t* keys, size_t n, uint32_t* features) {
    if (recording_ == nullptr) return table(t).intern(keys, n, features);
    const WeightTable& known = table(t);
    for (size_t k = 0; k < n; ++k) known.prefetch_feature(keys[k]);
    for (size_t k = 0; k < n; ++k) {
        features[k] = known.find(keys[k]);
        if (features[k] == 0) features[k] = recording_->number(static_cast<uint32_t>(t), keys[k]);
    }
}

double Learner::learn(Violation& violation, double importance) {
    violation.condense();
    double tau = importance;
    if (needs_loss())
        tau = passive_aggressive_step(violation.loss, dot(violation, violation), options_.aggressiveness * importance);
    return take(violation, tau);
}

double Learner::learn(std::vector<Violation>& violations) {
    const size_t k = violations.size();
    std::vector<double> gram(k * k), loss(k);
    for (Violation& violation : violations) violation.condense();
    for (size_t i = 0; i < k; ++i) {
        loss[i] = violations[i].loss;
        for (size_t j = 0; j <= i; ++j) gram[i * k + j] = gram[j * k + i] = dot(violations[i], violations[j]);
    }
    const std::vector<double> alpha = hildreth(gram, loss, options_.aggressiveness);
    Violation whole;
    for (size_t j = 0; j < k; ++j) whole.add(violations[j], static_cast<float>(alpha[j]));
    violations.clear();
    whole.condense();
    const double step = k == 0 ? 0 : *std::max_element(alpha.begin(), alpha.end());
    return take(whole, 1) > 0 ? step : 0;
}

// Applies a condensed violation and returns its step; a recorder records it and returns 0.
double Learner::take(Violation& violation, double tau) {
    if (recording_ != nullptr) {
        recording_->add(violation, static_cast<float>(tau), clock_);
        return 0;
    }
    apply(violation, static_cast<float>(tau), clock_);
    violation.clear();
    return tau;
}

void Learner::apply(Recording& recording, const Counts& before, const Counts& after) {
    recording.each([&](uint32_t t, uint64_t key) { return table(t).intern(key); },
                   [&](const Recording::Entry& entry) {
                       apply(entry.violation, entry.step, clock_ + (entry.clock - before.clock));
                   });
    clock_ += after.clock - before.clock;
    mistakes_ += after.mistakes - before.mistakes;
}

// A condensed violation, tau times. The clock reads c before this example's tick, so that an update counts from this
// example on.
void Learner::apply(const Violation& violation, float tau, uint64_t c) {
    const auto clock = static_cast<double>(c - sums_began_);
    if (options_.count_updates == CountUpdates::weight)
        add<true>(violation, tau, clock);
    else
        add<false>(violation, tau, clock);
    updates_ += !violation.parts().empty();
}

template <bool kByWeight>
void Learner::add(const Violation& violation, float tau, double clock) {
    const auto& parts = violation.parts();
    constexpr size_t ahead = 12;
    for (size_t k = 0; tau > 0 && k < parts.size(); ++k) {
        StopCheck::every(k);
        const Violation::Part& part = parts[k];
        if (k + 2 * ahead < parts.size()) {
            const Violation::Part &later = parts[k + 2 * ahead], &soon = parts[k + ahead];
            table(later.table()).prefetch_number(static_cast<uint32_t>(later.feature()));
            table(soon.table()).prefetch_update(static_cast<uint32_t>(soon.feature()), soon.output());
        }
        WeightTable& weights = table(part.table());
        const auto feature = static_cast<uint32_t>(part.feature());
        if constexpr (kByWeight)
            weights.update_and_count(feature, part.output(), tau * part.delta, clock);
        else
            weights.update(feature, part.output(), tau * part.delta, clock);
        if (k + 1 == parts.size() || parts[k + 1].feature() != part.feature()) weights.count_update(feature);
    }
}

void Learner::prime(size_t t, uint64_t key, std::span<const double> weights) {
    WeightTable& table = tables_->at(t);
    if (weights.size() != table.width())
        throw DataError("a feature has " + std::to_string(weights.size()) + " weights, not " +
                        std::to_string(table.width()));
    const uint32_t feature = table.intern(key);
    for (uint32_t y = 0; y < weights.size(); ++y)
        if (weights[y] != 0) table.update(feature, y, static_cast<float>(weights[y]), 0);
    for (uint32_t k = 0; k < std::max(options_.min_updates, 1u); ++k) table.count_update(feature);
}

size_t Learner::active() const {
    size_t total = 0;
    for (const WeightTable& table : *tables_) total += table.active();
    return total;
}

}  // namespace sapwood
