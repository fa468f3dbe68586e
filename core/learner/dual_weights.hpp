// The result of learning in dual form: the examples that took part in updates with the alpha of each or, of a voted model,
// all updates.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/stop_check.hpp"

namespace sapwood {

struct DualUpdate {
    uint32_t oracle, guess;  // candidates
    double step;             // what is added to the oracle's alpha and subtracted from the guess's
    uint64_t clock;          // lists, or examples, that were seen before
};

struct DualWeights {
    bool voted = false;
    std::vector<uint32_t> support;    // candidates, or examples, ascending
    std::vector<double> alphas;       // [support]; none if voted
    std::vector<DualUpdate> updates;  // of a voted model, in their order; candidates are places in `support`
    uint64_t clock = 0;               // lists, or examples, that were seen

    // Throws DataError if they are not those of so many candidates, not in order, or no numbers.
    void check(size_t candidates) const;
};

// Throws DataError unless these are updates of so many candidates, in the order of their times, before `clock`.
void check_updates(const std::vector<DualUpdate>& updates, size_t candidates, uint64_t clock);

// Updates as arrays of a state (learner/state.hpp).
template <class State>
void dual_updates_state(State& s, std::vector<DualUpdate>& updates) {
    std::vector<uint32_t> oracles, guesses;
    std::vector<double> steps;
    std::vector<uint64_t> times;
    for (const DualUpdate& update : updates) {
        oracles.push_back(update.oracle);
        guesses.push_back(update.guess);
        steps.push_back(update.step);
        times.push_back(update.clock);
    }
    s("oracles", oracles);
    s("guesses", guesses);
    s("steps", steps);
    s("times", times);
    if constexpr (State::kReads) {
        const size_t n = oracles.size();
        s.require(guesses.size() == n && steps.size() == n && times.size() == n, "oracles", "has another length");
        updates.clear();
        for (size_t k = 0; k < n; ++k) updates.push_back({oracles[k], guesses[k], steps[k], times[k]});
    }
}

// The weights of a voted model, given updates of candidates of which `each` belong together: the support are the groups
// that took part, and candidates are counted in these.
DualWeights voted_weights(std::vector<DualUpdate> updates, size_t candidates, size_t each, uint64_t clock);

// Every vector of training votes for what it scores highest, as often as there were lists for which it stood (Freund &
// Schapire 1999): from the list whose update made it, until that of the next. best(): what the vector so far scores
// highest; apply(update) makes the next one. votes: parts of 1 are added.
template <class Best, class Apply>
void vote(const DualWeights& weights, Best&& best, Apply&& apply, double* votes) {
    uint64_t since = 0;
    const auto count = [&](uint64_t until) {
        if (until > since) votes[best()] += static_cast<double>(until - since) / static_cast<double>(weights.clock);
        since = until;
    };
    for (size_t k = 0; const DualUpdate& update : weights.updates) {
        StopCheck::every(k++);
        count(update.clock);
        apply(update);
    }
    count(weights.clock);
}

}  // namespace sapwood
