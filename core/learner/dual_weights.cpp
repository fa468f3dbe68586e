#include "learner/dual_weights.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "base/errors.hpp"

namespace sapwood {

namespace {

constexpr double kLargest = 1e100;  // of an alpha: sums of so large ones are finite

bool is_bounded(double value) {
    return std::abs(value) <= kLargest;  // NaN is none
}

}  // namespace

void DualWeights::check(size_t candidates) const {
    if (alphas.size() != (voted ? 0 : candidates))
        throw DataError("there are " + std::to_string(candidates) + " support candidates, but " +
                        std::to_string(alphas.size()) + " alphas");
    for (double alpha : alphas)
        if (!is_bounded(alpha)) throw DataError("an alpha is not a number up to 1e100");
    check_updates(updates, candidates, clock);
    if (clock == 0) throw DataError("its clock is 0");
}

void check_updates(const std::vector<DualUpdate>& updates, size_t candidates, uint64_t clock) {
    uint64_t before = 0;
    for (const DualUpdate& update : updates) {
        if (update.oracle >= candidates || update.guess >= candidates)
            throw DataError("an update is of a candidate that is not there");
        if (!is_bounded(update.step)) throw DataError("the step of an update is not a number up to 1e100");
        if (update.clock < before || update.clock >= clock)
            throw DataError("the updates are not in the order of their times");
        before = update.clock;
    }
}

DualWeights voted_weights(std::vector<DualUpdate> updates, size_t candidates, size_t each, uint64_t clock) {
    std::vector<uint32_t> places(candidates / each);
    for (const DualUpdate& update : updates) places[update.oracle / each] = places[update.guess / each] = 1;
    DualWeights weights{true, {}, {}, std::move(updates), clock};
    for (uint32_t group = 0; group < places.size(); ++group) {
        if (places[group] == 0) continue;
        places[group] = static_cast<uint32_t>(weights.support.size());
        weights.support.push_back(group);
    }
    const auto placed = [&](uint32_t candidate) {
        return static_cast<uint32_t>(places[candidate / each] * each + candidate % each);
    };
    for (DualUpdate& update : weights.updates) {
        update.oracle = placed(update.oracle);
        update.guess = placed(update.guess);
    }
    return weights;
}

}  // namespace sapwood
