// What learning leaves when it keeps examples, not weights of features: how much each counts, or every update.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

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

// The weights of a voted model, given updates of candidates of which `each` belong together: the support are the groups
// that took part, and candidates are counted in these.
DualWeights voted_weights(std::vector<DualUpdate> updates, size_t candidates, size_t each, uint64_t clock);

// Every vector of training votes for the candidate that it scores highest, as often as there were lists for which it stood
// (Freund & Schapire 1999): from the list whose update made it, until that of the next. scores: [n] of the first vector;
// kernel(candidate, c) = K of a candidate of the support and c; votes: [n] parts of 1 are added.
template <class Kernel>
void vote(const DualWeights& weights, Kernel&& kernel, std::vector<double>& scores, double* votes) {
    uint64_t since = 0;
    const auto count = [&](uint64_t until) {
        size_t best = 0;
        for (size_t c = 1; c < scores.size(); ++c)
            if (scores[c] > scores[best]) best = c;
        votes[best] += static_cast<double>(until - since) / static_cast<double>(weights.clock);
        since = until;
    };
    for (const DualUpdate& update : weights.updates) {
        count(update.clock);
        for (size_t c = 0; c < scores.size(); ++c)
            scores[c] += update.step * (kernel(update.oracle, c) - kernel(update.guess, c));
    }
    count(weights.clock);
}

}  // namespace sapwood
