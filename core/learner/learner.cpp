#include "learner/learner.hpp"

#include <algorithm>

namespace sapwood {

namespace {

constexpr float kAggressiveness = 1.0f;  // C of PA-I

}  // namespace

Learner::Learner(const LearnerOptions& options, const std::vector<size_t>& widths) : options_(options) {
    for (size_t width : widths) tables_.emplace_back(width, options.min_updates);
}

void Learner::learn(Violation& violation) {
    auto& parts = violation.parts_;
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
    // Sum what is equal, drop what cancels.
    size_t kept = 0;
    double norm = 0;  // |phi(gold) - phi(guess)|^2
    for (size_t k = 0; k < parts.size();) {
        Violation::Part sum = parts[k];
        for (++k; k < parts.size() && parts[k].weight == sum.weight; ++k) sum.delta += parts[k].delta;
        if (sum.delta == 0) continue;
        norm += static_cast<double>(sum.delta) * static_cast<double>(sum.delta);
        parts[kept++] = sum;
    }
    float tau = 1.0f;
    if (options_.update == Update::passive_aggressive && norm > 0)
        tau = std::min(kAggressiveness, static_cast<float>(std::max(0.0, violation.loss / norm)));
    // The clock reads c before this example's tick, so that an update counts from this example on.
    const auto clock = static_cast<double>(clock_);
    if (tau > 0)
        for (size_t k = 0; k < kept; ++k) {
            const Violation::Part& part = parts[k];
            WeightTable& table = tables_[part.table()];
            const auto feature = static_cast<uint32_t>(part.feature());
            table.update(feature, part.output(), tau * part.delta, clock);
            if (k + 1 == kept || parts[k + 1].feature() != part.feature()) table.count_update(feature);
        }
    updates_ += kept > 0;
    violation.clear();
}

size_t Learner::bytes() const {
    size_t total = 0;
    for (const WeightTable& table : tables_) total += table.bytes();
    return total;
}

}  // namespace sapwood
